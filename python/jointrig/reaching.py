"""Joint positions that bring tools to poses."""

from __future__ import annotations

import math
from typing import Any, Mapping, Optional, Sequence, Union

import numpy as np
import numpy.typing as npt

from .errors import InputError, Unreachable
from .motion import FRAMES, FREE_ROTATIONS, awaited

_LISTS = {"position": 3, "by": 3, "orientation": 4, "turn": 3}
_KEYS = ("arm", *_LISTS, "frame", "free_rotation")


class Reached:
    """Joint positions that bring tools to their poses."""

    def __init__(self, joints: tuple[str, ...], q: npt.NDArray[np.float64], rests: tuple[tuple[float, float], ...]) -> None:
        self.joints = joints
        """Names of the joints that may move."""
        self.q = q
        """Position of each of them [rad; m of a slide]."""
        self.rests = rests
        """Of each tool the distance [m] and the angle [rad] that is left: what the search stops at."""
        self.number: Optional[int] = None
        """Of the command that moves them there; None: nothing moves."""

    @property
    def positions(self) -> dict[str, float]:
        """The position of each joint by its name."""
        return {joint: float(q) for joint, q in zip(self.joints, self.q)}

    def __repr__(self) -> str:
        return "<Reached: " + ", ".join(f"{joint} = {q:.4g}" for joint, q in self.positions.items()) + ">"


class Reaching:
    """Methods of Sim and of a connection."""

    def reach(self, arm: str = "", position: Optional[npt.ArrayLike] = None, *, by: Optional[npt.ArrayLike] = None,
              orientation: Optional[npt.ArrayLike] = None, turn: Optional[npt.ArrayLike] = None, frame: str = "base",
              free_rotation: str = "none", tools: Sequence[Mapping[str, Any]] = (),
              with_joints: Union[str, Sequence[str]] = (), posture: Optional[Mapping[str, float]] = None,
              speed: Optional[float] = None, duration: Optional[float] = None, move: bool = True) -> Reached:
        """Bring the tool of an arm to a pose, by inverse kinematics from where the joints are measured to be.

        Raises Unreachable where no joint positions do it: with the joint and the limit that it would pass, or with what
        the nearest positions leave. Nothing moves then. The joints go there by one move(), or timed_move(), which the
        next step() begins: the tool's way is what their ways make of it. Limits are the soft ones; collisions are left
        to collision avoidance. The scenario step `reach` does the same.

        arm: name of the arm whose tool it is
        position: of the tool, x y z in the frame [m]; or
        by: displacement from where the tool is, along the axes of the frame [m]
        orientation: of the tool, w x y z in the frame; or
        turn: rotation vector from how it is turned, about the axes of the frame [rad]; without both the tool turns as
            it likes
        frame: "base" of the arm, or "world"
        free_rotation: rotation of orientation or turn that needn't be held: "x", "y" or "z", about that axis of the
            frame; "tool_x", "tool_y" or "tool_z", about that axis of the tool; "all"
        tools: in place of all these, several tools at once: a dict for each, with these names as its keys
        with_joints: joints or parts that may move beside those of the arms, a torso
        posture: positions to be near to, by joint or part; joints without one are to stay near to where they are [rad;
            m of a slide]
        speed: largest speed of each joint; its own v_max without it [rad/s; m/s of a slide]; or
        duration: of the move [s]
        move: False: only find the positions

        Found positions are within 1 µm and 1 µrad of the pose. The move is taken in position and mixed; finding is in
        every mode, and of a served robot without the lease.
        """
        if tools and (arm or any(one is not None for one in (position, by, orientation, turn)) or frame != "base"
                      or free_rotation != "none"):
            raise InputError("reach: a pose is given beside tools: give it as one of them")
        poses = list(tools) if tools else [{key: value for key, value in (
            ("arm", arm), ("position", position), ("by", by), ("orientation", orientation), ("turn", turn),
            ("frame", frame), ("free_rotation", free_rotation)) if value is not None}]
        if speed is not None and duration is not None:
            raise InputError("reach: speed and duration are given: give one of them")
        if not move and (speed is not None or duration is not None):
            raise InputError("reach: move is False, and a speed or a duration is given: leave that")
        pace: dict[str, float] = {}
        if duration is not None:
            pace["duration"] = duration
        if speed is not None:
            pace["speed"] = speed
        joints, near = self._posture_of(posture or {})
        asked = (*zip(*(self._pose_of(pose) for pose in poses)), self._beside(with_joints), joints, near)
        return self._reached(tuple(map(list, asked)), pace if move else None)

    def _pose_of(self, pose: Mapping[str, Any]) -> tuple[int, int, int, list[float]]:
        """Arm, frame, free rotation, and the numbers in the order of reach_rows.h; NaN: absent."""
        if not isinstance(pose, Mapping):
            raise InputError(f"reach: a tool is {pose!r}: give a dict with its arm and pose")
        for key in pose:
            if key not in _KEYS:
                raise InputError(f"reach: a tool has {key!r}: it takes {', '.join(_KEYS)}")
        names = self.arm_names  # type: ignore[attr-defined]
        arm = pose.get("arm", "")
        if arm not in names:
            raise InputError(f"reach: there is no arm {arm!r}: this robot has {', '.join(names) or 'none'}")
        words = []
        for key, known in (("frame", FRAMES[:2]), ("free_rotation", FREE_ROTATIONS)):
            word = pose.get(key, known[0])
            if word not in known:
                raise InputError(f"reach: {key} of arm {arm} is {word!r}: give one of {', '.join(known)}")
            words.append(known.index(word))
        row: list[float] = []
        for key, count in _LISTS.items():
            row += _list_of(key, arm, pose[key], count) if key in pose else [math.nan] * count
        return names.index(arm), words[0], words[1], row

    def _beside(self, joints: Union[str, Sequence[str]]) -> list[int]:
        return self.index(joints).tolist()  # type: ignore[attr-defined]

    def _posture_of(self, posture: Mapping[str, float]) -> tuple[list[int], list[float]]:
        if not isinstance(posture, Mapping):
            raise InputError(f"reach: posture is {posture!r}: give a dict of joints and their positions")
        near: dict[int, float] = {}
        for name, q in posture.items():
            for joint in self._beside(name):
                if joint in near:
                    raise InputError(f"reach: posture gives {self.joints[joint]} twice")  # type: ignore[attr-defined]
                near[joint] = _number_of(f"posture of {name}", q)
        return list(near), list(near.values())

    def _reached(self, asked: tuple[Any, ...], pace: Optional[dict[str, float]]) -> Reached:
        found = found_by(self._reach(*asked), self.joints)  # type: ignore[attr-defined]
        if pace is not None:
            move = self.timed_move if "duration" in pace else self.move  # type: ignore[attr-defined]
            found.number = move(list(found.joints), found.q, **pace)
        return found


class AsyncReaching:
    """Methods of a connection of jointrig.aio."""

    reach = awaited(Reaching.reach)
    _pose_of = Reaching._pose_of
    _beside = Reaching._beside
    _posture_of = Reaching._posture_of


def found_by(answer: tuple[Any, ...], names: Sequence[str]) -> Reached:
    """The answer of the compiled part (reach_rows.h). Raises Unreachable."""
    refusal, reason, joints, q, rests, joint, value, limit = answer
    of = tuple(names[index] for index in joints)
    if refusal:
        raise Unreachable(refusal, reason, dict(zip(of, q)), tuple(rests), names[joint] if joint >= 0 else "", value, limit)
    return Reached(of, np.array(q), tuple(rests))


def _number_of(name: str, given: Any) -> float:
    try:
        number = float(given)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise InputError(f"reach: {name} is {given!r}: give a finite number")
    return number


def _list_of(key: str, arm: str, given: Any, count: int) -> list[float]:
    try:
        numbers = np.asarray(given, np.float64)
    except (TypeError, ValueError):
        numbers = np.empty(0)
    if numbers.shape != (count,):
        raise InputError(f"reach: {key} of arm {arm} is {given!r}: give {count} numbers")
    if not np.isfinite(numbers).all():
        raise InputError(f"reach: {key} of arm {arm} is {given!r}: give finite numbers")
    return numbers.tolist()
