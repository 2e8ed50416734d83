"""Scenarios, run as `jointrig run` does."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Optional, Union

from . import _core
from ._core import Result, Scenario

Path = Union[str, os.PathLike[str]]
Settings = Union[Mapping[str, Any], Iterable[str]]


def run_scenario(what: Path, *, settings: Settings = (), robot: Path = "", backend: str = "",
                 seed: Optional[int] = None, out: Path = "") -> Result:
    """Run one scenario.

    what: its file or name
    settings: as `--set` takes them, `{"robot.plant.seed": 3, "timeout.sim": "9 s"}`
    robot: in place of the scenario's
    backend: in place of the robot's: sim, kinematic, boards or hw
    seed: in place of the robot's
    out: folder for log, report, junit.xml and result.json; nothing is written without it
    """
    [result] = _run([what], settings, robot, backend, seed, "", out, 1, single=True)
    return result


def run_scenarios(what: Union[Path, Iterable[Path]], *, jobs: int = 1, settings: Settings = (), robot: Path = "",
                  backend: str = "", seed: Optional[int] = None, only: str = "", out: Path = "") -> list[Result]:
    """Run files, folders, names, tags or patterns of both, `jobs` side by side. Results are in the order of files.

    only: of these the scenario of this name, or the variation: "resume[rate=100]"
    The rest is as for run_scenario().
    """
    return _run(_all(what), settings, robot, backend, seed, only, out, jobs, single=False)


def find_scenarios(what: Union[Path, Iterable[Path]], *, settings: Settings = ()) -> list[Scenario]:
    """The scenarios that run_scenarios() would run, each variation by itself."""
    return _core.find(_all(what), _assignments(settings))


def _all(what: Union[Path, Iterable[Path]]) -> list[str]:
    return [os.fspath(one) for one in ([what] if isinstance(what, (str, os.PathLike)) else what)]


def _run(what, settings, robot, backend, seed, only, out, jobs, single, server=None, is_over=None) -> list[Result]:
    return _core.run(_all(what), _assignments(settings), backend, os.fspath(robot), seed, only, os.fspath(out), jobs,
                     single, server, is_over)


def run_on_server(server: tuple[Any, str, str, str, str], what: Path, settings: Settings, robot: Path, out: Path,
                  is_over: Optional[Callable[[], bool]] = None) -> Result:
    """As run_scenario(), on a robot that is served: of remote.Robot and aio.Robot."""
    [result] = _run([what], settings, robot, "", None, "", out, 1, True, server, is_over)
    return result


def _assignments(settings: Settings) -> list[str]:
    if isinstance(settings, Mapping):
        return [f"{path}={_text(value)}" for path, value in settings.items()]
    return list(settings)


def _text(value: Any) -> str:
    """As YAML has it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_text, value)) + "]"
    return str(value)
