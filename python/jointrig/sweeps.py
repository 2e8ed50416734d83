"""Campaigns: one scenario with many values, as `jointrig sweep` runs it."""

from __future__ import annotations

import csv
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Optional, Union

import numpy as np
import numpy.typing as npt

from . import _core
from .errors import Error, InputError
from .scenarios import Path, Settings, _assignments, _text

if TYPE_CHECKING:
    import pandas

_COULD_NOT_BEGIN = 2
_WORDS = {"outcome", "margin_unit", "margin_of", "state_hash", "folder", "reason"}
_COUNTS = {"case", "seed"}
_QUANTITY = re.compile(r'"?([-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?) *([^\W\d_][^"]*)"?')
_UNIT = re.compile(r"(.*) \[(.*)\]")


class Sweep:
    """The table of a sweep: a row for each case.

        swept = jointrig.sweep("lift.yaml", vary={"parameters.load": "0.8 kg..1.3 kg:6"})
        swept["parameters.load"], swept["sag"]     # a value for each case
        swept.best("sag")                          # of those that passed
    """

    def __init__(self, table: Path, report: Path = "") -> None:
        """Read a table that `jointrig sweep` has left."""
        self.table = os.fspath(table)
        self.report = os.fspath(report)
        with open(self.table, newline="", encoding="utf-8") as file:
            head, *rows = list(csv.reader(file))
        columns = [_UNIT.fullmatch(name) or name for name in head]
        names = [column if isinstance(column, str) else column[1] for column in columns]
        self.units: dict[str, str] = {name: "" if isinstance(column, str) else column[2]
                                      for name, column in zip(names, columns)}
        """Of each column; empty: it has none."""
        _strip_units(rows, names, self.units)
        self.cases: list[dict[str, Any]] = [{name: _value(name, cell) for name, cell in zip(names, row)} for row in rows]
        """Values, seed, outcome, margin, measures, state hash and folder of each, by the names of columns."""

    @property
    def passed(self) -> list[dict[str, Any]]:
        """The cases that passed."""
        return [case for case in self.cases if case["outcome"] == "passed"]

    def best(self, measure: str, *, maximise: bool = False) -> dict[str, Any]:
        """The case that passed with the least measure, or the largest one; of equal ones the first."""
        self._known(measure)
        measured = [case for case in self.passed if isinstance(case[measure], float)]
        if not measured:
            raise Error(f"{self.table}: no case passed and has a number for {measure}")
        return (max if maximise else min)(measured, key=lambda case: case[measure])

    def __getitem__(self, column: str) -> npt.NDArray[Any]:
        """A value for each case: numbers, NaN where there is none, or words."""
        self._known(column)
        values = [case[column] for case in self.cases]
        if all(isinstance(value, (int, float)) or value == "" for value in values):
            return np.array([np.nan if value == "" else value for value in values])
        return np.array([str(value) for value in values])

    def to_pandas(self) -> pandas.DataFrame:
        """A row for each case."""
        import pandas

        return pandas.DataFrame(self.cases)

    def __len__(self) -> int:
        return len(self.cases)

    def __repr__(self) -> str:
        return f"<Sweep {self.table}: {len(self.passed)} of {len(self.cases)} passed>"

    def _known(self, column: str) -> None:
        if column not in self.units:
            raise InputError(f"{self.table} has no column \"{column}\"{_core.did_you_mean(column, list(self.units))}")


def sweep(what: Path, *, vary: Optional[Mapping[str, Any]] = None, settings: Settings = (), method: str = "",
          samples: Optional[int] = None, seeds: Optional[int] = None, measure: Union[str, Sequence[str]] = (),
          robot: Path = "", backend: str = "", jobs: int = 1, out: Path = "", options: Iterable[str] = ()) -> Sweep:
    """Run one scenario with many values by the program `jointrig sweep`, and read its table.

    A case that has run with the same inputs is not run again. A case that fails raises nothing.

    what: file of a sweep, or of a scenario with `vary`
    vary: path and values: a list of them, or a range as text: {"robot.plant.mass_scale": "0.8..1.2:5"}
    settings: the same in every case, as run_scenario() takes them
    method: grid, random, latin_hypercube or optimise, with `samples`
    seeds: runs of each case, with the noise of other seeds
    measure: columns of the table: metrics, or conditions for their margins; every metric without it
    jobs: cases side by side
    out: folder for table and report
    options: further options of the program, such as "--logs=all" (`jointrig sweep --help`)
    """
    command = [_program(), "sweep", os.fspath(what)]
    for path, values in (vary or {}).items():
        listed = not isinstance(values, str) and isinstance(values, Iterable)
        command += ["--vary", f"{path}={','.join(map(_text, values)) if listed else _text(values)}"]
    for assignment in _assignments(settings):
        command += ["--set", assignment]
    for name in [measure] if isinstance(measure, str) else measure:
        command += ["--measure", name]
    given = {"method": method, "samples": samples, "seeds": seeds, "robot": os.fspath(robot), "backend": backend,
             "jobs": jobs, "out": os.fspath(out)}
    for option, value in given.items():
        if value not in ("", None):
            command += [f"--{option}", str(value)]
    return _run([*command, *options])


def _run(command: list[str]) -> Sweep:
    environment = {"JOINTRIG_PYTHON": sys.executable, **os.environ}  # for an optimiser, or Ray
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
                          env=environment, text=True) as program:
        try:
            printed, wrong = program.communicate()
        except KeyboardInterrupt:
            program.send_signal(signal.SIGINT)  # cases that are whole stay
            raise
    files = dict(re.findall(r"^(table|report) +(.*)$", printed, re.MULTILINE))
    if program.returncode == _COULD_NOT_BEGIN and "table" not in files:
        raise InputError(wrong.removeprefix("jointrig sweep: ").strip() or printed.strip())
    if "table" not in files:
        raise Error(f"jointrig sweep ended with code {program.returncode}: {(wrong or printed).strip()}")
    return Sweep(files["table"], files.get("report", ""))


def _program() -> str:
    """The one that came with this package, else that of JOINTRIG_PROGRAM or of the PATH."""
    own = pathlib.Path(__file__).with_name("bin") / "jointrig"
    found = str(own) if own.exists() else os.environ.get("JOINTRIG_PROGRAM") or shutil.which("jointrig")
    if found:
        return found
    raise Error("sweep() runs the program jointrig, and that is not on the PATH: install the wheel, add its folder to "
                "PATH, or name it in JOINTRIG_PROGRAM")


def _strip_units(rows: list[list[str]], names: list[str], units: dict[str, str]) -> None:
    """Values that were given in words, "0.8 kg", as numbers of one unit."""
    for place, name in enumerate(names):
        quantities = [_QUANTITY.fullmatch(row[place]) for row in rows]
        found = {match[2] for match in quantities if match}
        if name in _WORDS or len(found) != 1 or not all(quantities):
            continue
        [units[name]] = found
        for row, match in zip(rows, filter(None, quantities)):
            row[place] = match[1]


def _value(column: str, cell: str) -> Any:
    if column in _WORDS:
        return cell  # a hash may read as a number
    try:
        return int(cell) if column in _COUNTS else float(cell)
    except ValueError:
        return cell.strip('"')
