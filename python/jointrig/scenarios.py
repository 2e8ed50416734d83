"""Scenarios, run as `jointrig run` does."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any, Optional, Union

from . import _core
from ._core import Result

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
    [result] = _run([what], settings, robot, backend, seed, out, 1, single=True)
    return result


def run_scenarios(what: Union[Path, Iterable[Path]], *, jobs: int = 1, settings: Settings = (), robot: Path = "",
                  backend: str = "", seed: Optional[int] = None, out: Path = "") -> list[Result]:
    """Run files, folders, names, tags or patterns of both, `jobs` side by side. Results are in the order of files.

    The rest is as for run_scenario().
    """
    one = isinstance(what, (str, os.PathLike))
    return _run([what] if one else what, settings, robot, backend, seed, out, jobs, single=False)


def _run(what, settings, robot, backend, seed, out, jobs, single) -> list[Result]:
    if isinstance(settings, Mapping):
        settings = [f"{path}={_text(value)}" for path, value in settings.items()]
    return _core.run([os.fspath(one) for one in what], list(settings), backend, os.fspath(robot), seed,
                     os.fspath(out), jobs, single)


def _text(value: Any) -> str:
    """As YAML has it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_text, value)) + "]"
    return str(value)
