"""The log of a run as arrays, tables and figures."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Union

import numpy as np
import numpy.typing as npt

from . import _core
from .errors import InputError

if TYPE_CHECKING:
    import pandas

Array = npt.NDArray[np.float64]


class Log:
    """A log that `jointrig run`, the panel or a Sim has written; also one that was cut off.

        log = jointrig.Log("runs/demo/icub/log.mcap")
        log["l_elbow.q"]                  # one number for each cycle
        log["q"]                          # a row for each cycle, a column for each joint
        log["/arm/left_arm.position[0]"]  # of any topic
        log.plot("l_elbow.q", "l_elbow.q_ref")

    docs/logging.md has the topics and fields.
    """

    def __init__(self, path: Union[str, os.PathLike[str]]) -> None:
        self.path = os.fspath(path)
        self._file = _core.LogFile(self.path)
        self._fields: dict[str, list[str]] = {}
        for topic, field in self._file.names():
            self._fields.setdefault(topic, []).append(field)
        self._kept: dict[str, tuple[Array, Array, str]] = {}

    @property
    def joints(self) -> tuple[str, ...]:
        """In the order of the robot."""
        return tuple(self._file.joints)

    @property
    def topics(self) -> dict[str, tuple[str, ...]]:
        """The numbers of each topic."""
        return {topic: tuple(fields) for topic, fields in self._fields.items()}

    @property
    def events(self) -> list[tuple[float, str]]:
        """Time [s] and sentence of each event."""
        return self._file.events()

    def __getitem__(self, name: str) -> Array:
        """The values of `joint.field` or `/topic.field`; of a field alone, a column for each joint."""
        if "." not in name and not name.startswith("/"):
            return self._table(name)
        return self._series(name)[1]

    def time(self, name: str = "") -> Array:
        """Times [s] of a name's values; without a name those of all cycles."""
        return self._series(name or self.joints[0] + ".q")[0]

    def unit(self, name: str) -> str:
        return self._series(name)[2]

    def to_pandas(self, *names: str) -> pandas.DataFrame:
        """A table: a row for each time [s], a column for each name; without names every field of every joint."""
        import pandas

        names = names or tuple(f"{joint}.{field}" for joint in self.joints for field in self._fields[f"/j/{joint}"])
        self._load(names)
        columns = [pandas.Series(values, pandas.Index(times, name="time"), name=name)
                   for name, (times, values, _) in ((name, self._kept[name]) for name in names)]
        same = all(np.array_equal(column.index, columns[0].index) for column in columns)
        if not same:
            columns = [column[~column.index.duplicated(keep="last")] for column in columns]
        return pandas.concat(columns, axis=1)

    def plot(self, *names: str, **figure: Any) -> Any:
        """A figure of names over time, one row for each unit; without names every joint's q. Needs matplotlib.

        figure: for matplotlib's subplots(), such as figsize
        """
        from matplotlib import pyplot

        names = names or tuple(f"{joint}.q" for joint in self.joints)
        self._load(names)
        units = list(dict.fromkeys(self._kept[name][2] for name in names))
        drawn, rows = pyplot.subplots(len(units), sharex=True, squeeze=False, **figure)
        for name in names:
            times, values, unit = self._kept[name]
            rows[units.index(unit), 0].plot(times, values, label=name)
        for unit, row in zip(units, rows[:, 0]):
            row.set_ylabel(f"[{unit}]" if unit else "")
            row.legend()
        rows[-1, 0].set_xlabel("time [s]")
        return drawn

    def __repr__(self) -> str:
        return f"<Log {self.path}: {len(self.joints)} joints>"

    def _series(self, name: str) -> tuple[Array, Array, str]:
        self._load([name])
        return self._kept[name]

    def _load(self, names: Any) -> None:
        """One pass over the file for all that isn't there yet."""
        missing = [name for name in dict.fromkeys(names) if name not in self._kept]
        if missing:
            self._kept.update(zip(missing, self._file.series([self._place(name) for name in missing])))

    def _table(self, field: str) -> Array:
        names = [f"{joint}.{field}" for joint in self.joints]
        self._load(names)
        columns = [self._kept[name][1] for name in names]
        cycles = min(map(len, columns), default=0)  # of a log that was cut off inside a cycle
        return np.column_stack([column[:cycles] for column in columns]) if columns else np.empty((0, 0))

    def _place(self, name: str) -> tuple[str, str]:
        """Topic and field of a name. A joint's name may have dots."""
        known = list(self._fields)
        for topic in sorted(known, key=len, reverse=True):
            for shown in (topic, topic.removeprefix("/j/")):
                if name.startswith(shown + "."):
                    field = name.removeprefix(shown + ".")
                    if field in self._fields[topic]:
                        return topic, field
                    near = _core.did_you_mean(field, self._fields[topic])
                    raise InputError(f"{self.path}: {shown} has no number \"{field}\"{near}")
        of = name.rsplit(".", 1)[0]
        near = _core.did_you_mean(of, known + list(self.joints))
        raise InputError(f"{self.path}: no joint or topic \"{of}\"{near}")
