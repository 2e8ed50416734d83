"""Motions that are planned before they begin."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Coroutine
from typing import Any, Concatenate, Mapping, Optional, ParamSpec, Sequence, TypeVar, Union

import numpy as np
import numpy.typing as npt

from .commands import Commands
from .errors import InputError

Rows = npt.NDArray[np.float64]

_P = ParamSpec("_P")
_T = TypeVar("_T")

FRAMES = ("base", "world", "tool")
FREE_ROTATIONS = ("none", "x", "y", "z", "tool_x", "tool_y", "tool_z", "all")
_EXECUTIONS = ("inverse_dynamics", "position", "velocity")
_LISTS = {"position": 3, "by": 3, "orientation": 4, "turn": 3}
_LIMITS = ("linear_speed", "linear_acceleration", "rotational_speed", "rotational_acceleration")


class Plan:
    """A trajectory that was planned and checked, and that nothing follows."""

    def __init__(self, answer: tuple[Any, ...], names: Sequence[str]) -> None:
        refusal, waypoint, duration, joints, times, q, waypoint_times, waypoint_q, meets, meets_at = answer
        self.refusal: str = refusal
        """A sentence with joint, waypoint, value and limit; empty: it passed all checks."""
        self.waypoint: int = waypoint
        """That the refused way leads to, from 1; 0: none in particular."""
        self.duration: float = duration
        """At full speed override [s]; 0: there is no path."""
        self.joints = tuple(names[index] for index in joints)
        """That it moves, in the order of the columns of `q` and `waypoint_q`."""
        self.times = np.array(times, np.float64)
        """Of points of the path, at most 501 [s]."""
        self.q = np.array(q, np.float64).reshape(len(times), len(joints))
        """A row for each of `times`: positions [rad; m of a slide]."""
        self.waypoint_times = np.array(waypoint_times, np.float64)
        """Of each waypoint [s]."""
        self.waypoint_q = np.array(waypoint_q, np.float64).reshape(len(waypoint_times), len(joints))
        """A row for each waypoint: positions [rad; m of a slide]."""
        self.meets: str = meets
        """Two bodies that come too near on the path; empty: none do, or they weren't looked at."""
        self.meets_at: float = meets_at
        """When they do [s]; NaN: never."""

    @property
    def passed(self) -> bool:
        """All checks: trajectory() would begin it."""
        return not self.refusal

    def __repr__(self) -> str:
        return f"<Plan: {self.refusal}>" if self.refusal else f"<Plan: {self.duration:.4g} s, {len(self.waypoint_times)} waypoints>"


class _OnlyPlanned:
    """Stands for a robot whose motions are planned, and not begun."""

    def __init__(self, robot: Any) -> None:
        self._robot = robot

    def __getattr__(self, name: str) -> Any:
        return getattr(self._robot, name)

    def _begin_motion(self, call: str, _arm: str, interaction: Optional[Mapping[str, Any]], follow: Callable[..., Any],
                      asked: tuple[Any, ...]) -> Any:
        if interaction is not None:
            raise InputError(f"plan_{call}: interaction is sent just before a motion, and none begins here: leave it")
        return follow(*asked)

    def _follow(self, *trajectory: Any) -> Any:
        return self._robot._plan_shown(self._robot._plan(*trajectory))

    def _follow_tool(self, *trajectory: Any) -> Any:
        return self._robot._plan_shown(self._robot._plan_tool(*trajectory))


def _only_planned(method: Callable[Concatenate[Any, _P], int]) -> Callable[Concatenate[Any, _P], Plan]:
    """The same call, which plans and checks and moves nothing."""
    @functools.wraps(method)
    def planned(self: Any, *args: _P.args, **kwargs: _P.kwargs) -> Plan:
        return method(_OnlyPlanned(self), *args, **kwargs)  # type: ignore[return-value]

    planned.__name__ = f"plan_{method.__name__}"
    planned.__qualname__ = f"Motion.{planned.__name__}"
    planned.__doc__ = (f"Plan and check what {method.__name__}() of the same arguments would begin now, and move nothing.\n\n"
                       "        Returns the Plan: its duration, the waypoints' times, the path; or why it is refused.\n"
                       f"        The arguments are those of {method.__name__}(), but for interaction. Of a served robot for who\n"
                       "        holds the lease. A motion that goes on from one under way begins elsewhere a moment later.\n"
                       "        ")
    return planned


class Motion:
    """Methods of Sim and of a connection."""

    def trajectory(self, joints: Union[str, list[str]], waypoints: npt.ArrayLike, *,
                   speed: npt.ArrayLike = 1.0, acceleration: npt.ArrayLike = 1.0,
                   times: Optional[npt.ArrayLike] = None, velocities: Optional[npt.ArrayLike] = None,
                   accelerations: Optional[npt.ArrayLike] = None, path_tolerance: npt.ArrayLike = 0.0,
                   goal_tolerance: npt.ArrayLike = 0.0, settling_time: float = 1.0,
                   check_collisions: bool = True,
                   interaction: Union[None, Mapping[str, Any], Sequence[Optional[Mapping[str, Any]]]] = None,
                   execution: str = "inverse_dynamics", waypoint_tolerance: Optional[npt.ArrayLike] = None,
                   max_acceleration: Optional[npt.ArrayLike] = None, rounds_corners: bool = False,
                   brakes_behind: bool = False) -> int:
        """Move joints through waypoints without a stop, as fast as their limits allow, or at given times.

        The motion begins at the joints' references, or goes on from the trajectory that they follow, or some of them
        while the others rest. The next step() begins it, or raises Refused with joint, waypoint, value and limit.
        Returns the command's number.

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
        check_collisions: refuse a path on which bodies of the robot or its scene come too near
        interaction: for all joints of an arm, in cartesian: the arguments of set_interaction_control(), which is sent
            just before the motion; or a list of them, one for each waypoint, which act on the way to it and from there
            on; None: what is set stays
        execution: how joints in position are led: "inverse_dynamics", by position, speed and the torque that the
            acceleration needs; "position", without that torque; "velocity", by a speed alone, into which the position's
            error goes: they hold their position at the end
        waypoint_tolerance: distance from the reference at which the motion is given up as it passes a waypoint; at the
            last one a goal tolerance. One number, one for each joint, or a row for each waypoint; 0: not watched [rad;
            m of a slide]
        max_acceleration: bound on the way to a waypoint beside the share, in the same forms, without times; 0: none
            [rad/s²; m/s² of a slide]
        rounds_corners: with times and without velocities: straight from waypoint to waypoint at constant speeds, past
            each corner as closely as a_max allows; for dense waypoints, as a planner gives them
        brakes_behind: with times: the last waypoint may have velocities; behind it the joints brake together, unless
            another trajectory goes on from there

        Taken in position; in cartesian the joints lead their tool. Poses of a tool are for tool_trajectory().
        """
        if any(isinstance(waypoint, Mapping) for waypoint in waypoints):  # type: ignore[union-attr]
            raise InputError("trajectory: waypoints are rows of joint positions; poses of a tool are for "
                             "tool_trajectory(), and the two don't mix in one motion")
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

        def broadcast(name: str, given: Optional[npt.ArrayLike], count: int) -> Rows:
            if given is None:
                return np.empty((0, 0))
            numbers = _numbers(name, given)
            if numbers.shape not in ((), (len(index),), (count, len(index))):
                raise InputError(f"trajectory: {name} has the shape {numbers.shape}: give one number, {len(index)}, one "
                                 f"for each joint, or {count} rows of them, one for each waypoint")
            if not (np.isfinite(numbers) & (numbers >= 0.0)).all():
                raise InputError(f"trajectory: {name} is {given!r}: give finite numbers, 0 or more")
            return np.broadcast_to(numbers, (count, len(index)))[:, rising]

        q = rows("waypoints", waypoints)
        shares = np.column_stack([each("speed", speed, len(q), "waypoint"),
                                  each("acceleration", acceleration, len(q), "waypoint")])
        tolerances = np.column_stack([each("path_tolerance", path_tolerance, len(index), "joint")[rising],
                                      each("goal_tolerance", goal_tolerance, len(index), "joint")[rising]])
        further = {name: rows(name, given) if given is not None else np.empty((0, 0))
                   for name, given in (("velocities", velocities), ("accelerations", accelerations))}
        _check_times(times, q, further, shares)
        _check_course(times is not None, len(further["velocities"]) > 0, rounds_corners, brakes_behind)
        at = each("times", times, len(q), "waypoint") if times is not None else np.empty(0)
        if times is not None and max_acceleration is not None:
            raise InputError("trajectory: max_acceleration bounds the fastest motion: leave it, or times")
        led_by = _execution("trajectory", execution)
        at_waypoints = broadcast("waypoint_tolerance", waypoint_tolerance, len(q))
        bounds = broadcast("max_acceleration", max_acceleration, len(q))
        arm = self._arm_of(sorted(index.tolist())) if interaction is not None else ""
        on_the_way: Sequence[Optional[Mapping[str, Any]]] = ()
        if isinstance(interaction, Sequence) and not isinstance(interaction, str):
            on_the_way, interaction = interaction, None
            if len(on_the_way) != len(q):
                raise InputError(f"trajectory: interaction has {len(on_the_way)} entries, and there are {len(q)} "
                                 "waypoints: give one for each, None where it stays")
        return self._begin_motion(
            "trajectory", arm, interaction, self._follow,  # type: ignore[attr-defined]
            (index[rising].tolist(), q.tolist(), shares.tolist(), at.tolist(), further["velocities"].tolist(),
             further["accelerations"].tolist(), tolerances.tolist() if tolerances.any() else [], float(settling_time),
             check_collisions, led_by, at_waypoints.tolist(), bounds.tolist(), rounds_corners, brakes_behind,
             _interactions("trajectory", arm, on_the_way)))

    def tool_trajectory(self, arm: str, waypoints: Sequence[Mapping[str, Any]], *, frame: str = "base",
                        endpoint: str = "", speed: float = 1.0, acceleration: float = 1.0,
                        corner_distance: float = 0.0, linear_speed: Optional[float] = None,
                        linear_acceleration: Optional[float] = None, rotational_speed: Optional[float] = None,
                        rotational_acceleration: Optional[float] = None, path_tolerance: npt.ArrayLike = 0.0,
                        goal_tolerance: npt.ArrayLike = 0.0, settling_time: float = 1.0,
                        check_collisions: bool = True, interaction: Optional[Mapping[str, Any]] = None,
                        execution: str = "inverse_dynamics", free_rotation: str = "none") -> int:
        """Move the tool of an arm through poses, straight from one to the next.

        The motion begins at the joints' references, or goes on from the trajectory that the arm's joints follow: the
        tool comes onto the path on a way of its own. The whole path is checked first: the next step() begins it, or
        raises Refused with waypoint, value and limit. Returns the command's number.

        waypoints: a dict for each, with `position` or `by` (a displacement from the point before) [m], and
            `orientation` (w, x, y, z) or `turn` (a rotation vector from the orientation before) [rad]; what is absent
            stays as it was. Beside them `posture`, a dict of joint positions to be near to, `tolerance`, a dict of
            distances from the reference at which the motion is given up as it passes the waypoint (at the last one a
            goal tolerance), `interaction`, in cartesian: the arguments of set_interaction_control() on the way to it and
            from there on, and any of the numbers below, for the way to that waypoint.
        frame: of the poses: "base" of the arm, "world", or "tool": `by` and `turn` along the tool's own axes
        endpoint: a site or a body that goes along the path; "": the arm's tool
        speed, acceleration: shares of the joints' v_max and a_max
        corner_distance: from the waypoint, at which an arc begins that passes it without a stop; 0: stop there [m]
        linear_speed, linear_acceleration, rotational_speed, rotational_acceleration: bounds of the tool; those of the
            arm without them [m/s, m/s², rad/s, rad/s²]
        path_tolerance, goal_tolerance, settling_time, check_collisions: as of trajectory(), one for all joints of the
            arm, or one for each, by rising index
        interaction, execution: as of trajectory()
        free_rotation: a rotation that the path doesn't hold, for an arm that can't hold all three: "x", "y" or "z",
            about that axis of the base (with frame "world" of the world); "tool_x", "tool_y" or "tool_z", about that
            axis of the tool; "all", the position alone counts. The joints stay as near to the posture as they can.

        Taken in position; in cartesian the path leads the tool.
        """
        names = self.arm_names  # type: ignore[attr-defined]
        if arm not in names:
            raise InputError(f"tool_trajectory: there is no arm {arm!r}: this robot has {', '.join(names) or 'none'}")
        if frame not in FRAMES:
            raise InputError(f"tool_trajectory: frame is {frame!r}: give one of {', '.join(FRAMES)}")
        free = _free_rotation(free_rotation, waypoints)
        number = names.index(arm)
        joints = self._arm_joints(number)  # type: ignore[attr-defined]
        common = {"speed": speed, "acceleration": acceleration, "corner_distance": corner_distance,
                  "linear_speed": linear_speed, "linear_acceleration": linear_acceleration,
                  "rotational_speed": rotational_speed, "rotational_acceleration": rotational_acceleration}
        rows = [self._tool_row(i + 1, waypoint, common, joints) for i, waypoint in enumerate(waypoints)]
        tolerances = np.column_stack([np.broadcast_to(_numbers(name, given), (len(joints),)) for name, given in
                                      (("path_tolerance", path_tolerance), ("goal_tolerance", goal_tolerance))])
        led_by = _execution("tool_trajectory", execution)
        return self._begin_motion(
            "tool_trajectory", arm, interaction, self._follow_tool,  # type: ignore[attr-defined]
            (number, FRAMES.index(frame), endpoint, rows, tolerances.tolist() if tolerances.any() else [],
             float(settling_time), check_collisions, led_by, free,
             _interactions("tool_trajectory", arm, [waypoint.get("interaction") for waypoint in waypoints])))

    plan_trajectory = _only_planned(trajectory)
    plan_tool_trajectory = _only_planned(tool_trajectory)

    def _plan_shown(self, answer: tuple[Any, ...]) -> Plan:
        return Plan(answer, self.joints)  # type: ignore[attr-defined]

    def _arm_of(self, joints: list[int]) -> str:
        """The arm that has just these joints."""
        for number, name in enumerate(self.arm_names):  # type: ignore[attr-defined]
            if sorted(self._arm_joints(number)) == joints:  # type: ignore[attr-defined]
                return str(name)
        raise InputError("trajectory: interaction is for all joints of an arm: give a position for each of them")

    def _begin_motion(self, call: str, arm: str, interaction: Optional[Mapping[str, Any]], follow: Callable[..., int],
                      asked: tuple[Any, ...]) -> int:
        if interaction is not None:
            self._interact(call, arm, interaction)
        return follow(*asked)

    def _interact(self, call: str, arm: str, interaction: Mapping[str, Any]) -> Any:
        if not isinstance(interaction, Mapping):
            raise InputError(f"{call}: interaction is {interaction!r}: give a dict with arguments of "
                             "set_interaction_control()")
        try:
            return self.set_interaction_control(arm, **interaction)  # type: ignore[attr-defined]
        except TypeError as error:
            raise InputError(f"{call}: interaction: {error}") from error

    def _tool_row(self, number: int, waypoint: Any, common: dict[str, Any], joints: list[int]) -> list[float]:
        """The numbers of a waypoint in the order of asked_rows.h; NaN: absent."""
        if not isinstance(waypoint, Mapping):
            raise InputError(f"tool_trajectory: waypoint {number} is {waypoint!r}: give a dict with the tool's pose; "
                             "rows of joint positions are for trajectory(), and the two don't mix in one motion")
        known = [*_LISTS, *common, "posture", "tolerance", "interaction"]
        for key in waypoint:
            if key not in known:
                raise InputError(f"tool_trajectory: waypoint {number} has {key!r}: it takes {', '.join(known)}")
        row: list[float] = []
        for key, count in _LISTS.items():
            numbers = _numbers(key, waypoint[key]) if key in waypoint else np.full(count, math.nan)
            if numbers.shape != (count,):
                raise InputError(f"tool_trajectory: {key} of waypoint {number} has the shape {numbers.shape}: give "
                                 f"{count} numbers")
            if key in waypoint and not np.isfinite(numbers).all():
                raise InputError(f"tool_trajectory: {key} of waypoint {number} is {waypoint[key]!r}: give finite numbers")
            row += numbers.tolist()
        for one, other in (("position", "by"), ("orientation", "turn")):
            if one in waypoint and other in waypoint:
                raise InputError(f"tool_trajectory: waypoint {number} has {one} and {other}: give one of them")
        both = {**common, **{key: value for key, value in waypoint.items() if key in common}}
        for key in (*_LIMITS, "corner_distance", "speed", "acceleration"):
            row.append(math.nan if both[key] is None else float(both[key]))

        def by_joint(key: str, otherwise: float) -> list[float]:
            values = dict.fromkeys(joints, otherwise)
            for name, value in dict(waypoint.get(key, {})).items():
                for joint in self.index(name):  # type: ignore[attr-defined]
                    if int(joint) not in values:
                        raise InputError(f"tool_trajectory: {key} of waypoint {number} names {name}, no joint of the arm")
                    values[int(joint)] = float(value)
            return list(values.values())

        return row + by_joint("posture", math.nan) + by_joint("tolerance", 0.0 if "tolerance" in waypoint else math.nan)


def awaited(method: Callable[Concatenate[Any, _P], _T]) -> Callable[Concatenate[Any, _P], Coroutine[Any, Any, _T]]:
    """The method of a class whose own parts are to be awaited."""
    @functools.wraps(method)
    async def wrapped(self: Any, *args: _P.args, **kwargs: _P.kwargs) -> _T:
        return await method(self, *args, **kwargs)  # type: ignore[misc]

    return wrapped


class AsyncMotion:
    """Methods of a connection of jointrig.aio."""

    trajectory = awaited(Motion.trajectory)
    tool_trajectory = awaited(Motion.tool_trajectory)
    plan_trajectory = awaited(Motion.plan_trajectory)
    plan_tool_trajectory = awaited(Motion.plan_tool_trajectory)

    async def _plan_shown(self, answer: Coroutine[Any, Any, tuple[Any, ...]]) -> Plan:
        return Plan(await answer, self.joints)  # type: ignore[attr-defined]

    _tool_row = Motion._tool_row
    _arm_of = Motion._arm_of
    _interact: Any = Motion._interact

    async def _begin_motion(self, call: str, arm: str, interaction: Optional[Mapping[str, Any]],
                            follow: Callable[..., Coroutine[Any, Any, int]], asked: tuple[Any, ...]) -> int:
        if interaction is not None:
            await self._interact(call, arm, interaction)
        return await follow(*asked)


class _Kept:
    """Keeps a command's own arguments in place of sending them."""

    def _send(self, _kind: int, _joints: Any, _arm: Any, own: tuple[Any, ...], _values: Any) -> tuple[Any, ...]:
        return own


def _interactions(call: str, arm: str,
                  given: Sequence[Optional[Mapping[str, Any]]]) -> list[tuple[int, str, tuple[Any, ...]]]:
    """Of waypoints: number from 0, arm, arguments of set_interaction_control() in the order of its fields."""
    found = []
    for number, interaction in enumerate(given):
        if interaction is None:
            continue
        if not isinstance(interaction, Mapping):
            raise InputError(f"{call}: interaction of waypoint {number + 1} is {interaction!r}: give a dict with arguments "
                             "of set_interaction_control()")
        try:
            own: Any = Commands.set_interaction_control(_Kept(), arm, **interaction)  # type: ignore[arg-type]
        except TypeError as error:
            raise InputError(f"{call}: interaction of waypoint {number + 1}: {error}") from error
        found.append((number, arm, own))
    return found


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


def _check_course(is_timed: bool, has_velocities: bool, rounds_corners: bool, brakes_behind: bool) -> None:
    if (rounds_corners or brakes_behind) and not is_timed:
        raise InputError("trajectory: rounds_corners and brakes_behind are for times: give times, too")
    if rounds_corners and (brakes_behind or has_velocities):
        raise InputError("trajectory: rounds_corners leads along straight lines to rest: leave out brakes_behind and "
                         "velocities")


def _execution(call: str, word: str) -> int:
    """The number of a PlanExecution."""
    if word not in _EXECUTIONS:
        raise InputError(f"{call}: execution is {word!r}: give one of {', '.join(_EXECUTIONS)}")
    return _EXECUTIONS.index(word)


def _free_rotation(word: str, waypoints: Sequence[Any]) -> int:
    """The number of a FreeRotation."""
    if word not in FREE_ROTATIONS:
        raise InputError(f"tool_trajectory: free_rotation is {word!r}: give one of {', '.join(FREE_ROTATIONS)}")
    for number, waypoint in enumerate(waypoints, 1):
        for key in ("orientation", "turn"):
            if word == "all" and isinstance(waypoint, Mapping) and key in waypoint:
                raise InputError(f"tool_trajectory: waypoint {number} has {key}, and free_rotation=\"all\" holds no "
                                 "rotation: leave one out")
    return FREE_ROTATIONS.index(word)
