"""Motions that are planned before they begin."""

from __future__ import annotations

from typing import Any, Optional, Union

import numpy as np
import numpy.typing as npt

from .errors import InputError

Rows = npt.NDArray[np.float64]


class Motion:
    """Methods of Sim."""

    def trajectory(self, joints: Union[str, list[str]], waypoints: npt.ArrayLike, *,
                   speed: npt.ArrayLike = 1.0, acceleration: npt.ArrayLike = 1.0,
                   times: Optional[npt.ArrayLike] = None, velocities: Optional[npt.ArrayLike] = None,
                   accelerations: Optional[npt.ArrayLike] = None, path_tolerance: npt.ArrayLike = 0.0,
                   goal_tolerance: npt.ArrayLike = 0.0, settling_time: float = 1.0) -> int:
        """Move joints through waypoints without a stop, as fast as their limits allow, or at given times.

        The motion begins at the joints' references, or goes on from the trajectory that the same joints follow. The
        next step() begins it, or raises Refused with joint, waypoint, value and limit. Returns the command's number.

        joints: name of a joint or a part, "all", or a list of names
        waypoints: a row for each waypoint, a position for each joint, in the order of the names [rad; m of a slide]
        speed: share of each joint's v_max, above 0, up to 1; one for all waypoints, or one for each
        acceleration: the same of a_max
        times: of the waypoints, from the start [s]
        velocities: with times: a row for each waypoint, the last at rest; the spline's own without it
        accelerations: with velocities
        path_tolerance: distance from the reference at which the motion is given up; one for all joints, or one for
            each; 0: not watched [rad; m of a slide]
        goal_tolerance: in which the joints must be `settling_time` after the end; 0: not watched
        settling_time: [s]

        Taken in position.
        """
        index = np.asarray(self.index(joints), np.intp)  # type: ignore[attr-defined]
        rising = np.argsort(index)
        if len(np.unique(index)) != len(index):
            raise InputError("trajectory: a joint is named twice")

        def rows(name: str, given: Any) -> Rows:
            table = _numbers(name, given)
            if table.ndim != 2 or table.shape[1] != len(index) or len(table) == 0:
                raise InputError(f"trajectory: {name} has the shape {table.shape}: give a row for each waypoint, with "
                                 f"{len(index)} numbers, one for each joint")
            return table[:, rising]

        def each(name: str, given: Any, count: int, what: str) -> Rows:
            numbers = _numbers(name, given)
            if numbers.shape not in ((), (count,)):
                raise InputError(f"trajectory: {name} has the shape {numbers.shape}: give one number for all "
                                 f"{what}s, or {count}, one for each {what}")
            return np.broadcast_to(numbers, (count,))

        q = rows("waypoints", waypoints)
        shares = np.column_stack([each("speed", speed, len(q), "waypoint"),
                                  each("acceleration", acceleration, len(q), "waypoint")])
        tolerances = np.column_stack([each("path_tolerance", path_tolerance, len(index), "joint")[rising],
                                      each("goal_tolerance", goal_tolerance, len(index), "joint")[rising]])
        further = {name: rows(name, given) if given is not None else np.empty((0, 0))
                   for name, given in (("velocities", velocities), ("accelerations", accelerations))}
        _check_times(times, q, further, shares)
        at = each("times", times, len(q), "waypoint") if times is not None else np.empty(0)
        return self._follow(index[rising].tolist(), q.tolist(), shares.tolist(), at.tolist(),  # type: ignore[attr-defined]
                            further["velocities"].tolist(), further["accelerations"].tolist(),
                            tolerances.tolist() if tolerances.any() else [], float(settling_time))


def _numbers(name: str, given: Any) -> Rows:
    try:
        return np.asarray(given, np.float64)
    except (TypeError, ValueError):
        raise InputError(f"trajectory: {name} is {given!r}: give numbers, in rows of equal length") from None


def _check_times(times: Any, q: Rows, further: dict[str, Rows], shares: Rows) -> None:
    for name, table in further.items():
        if len(table) and times is None:
            raise InputError(f"trajectory: {name} are given without times: give times, too")
        if len(table) not in (0, len(q)):
            raise InputError(f"trajectory: {name} has {len(table)} rows, and there are {len(q)} waypoints")
    if len(further["accelerations"]) and not len(further["velocities"]):
        raise InputError("trajectory: accelerations are given without velocities: give both")
    if times is not None and (shares != 1.0).any():
        raise InputError("trajectory: speed and acceleration are shares of the fastest motion: leave them, or times")
