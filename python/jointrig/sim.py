"""A robot in this process."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Optional, Union

import numpy as np

from . import _core
from .commands import Commands
from .errors import InputError
from .joined import joined
from .motion import Motion
from .state import Arm, Gripper, State


class Disturbance:
    """A fault, push or payload that acts until end(), or until the `with` that began it is left."""

    def __init__(self, sim: Sim, handle: int) -> None:
        self._sim = sim
        self._handle = handle

    def begin(self) -> None:
        """Acts again, from the next cycle on."""
        self._sim._begin(self._handle)

    def end(self) -> None:
        self._sim._end(self._handle)

    def __enter__(self) -> Disturbance:
        return self

    def __exit__(self, *_: object) -> None:
        if not self._sim.closed:
            self.end()


if TYPE_CHECKING:
    class _Joined(_core.Sim, Commands, Motion, State): ...
else:
    _Joined = joined(_core.Sim, Commands, Motion, State)


class Sim(_Joined):
    """A robot in this process: backend, controller stack and loop, as `jointrig run` makes them.

        sim = jointrig.Sim("franka")
        sim.set_mode("all", "position")
        sim.move("joint1", 0.5)
        sim.run(2.0)
        print(sim.q)

    Time stands still between two steps. Arrays are read-only views of the last cycle, over the joints in the order of
    `joints`: nothing is copied, and the same array shows the next cycle after the next step.
    """

    def __init__(self, robot: Union[str, os.PathLike[str]], settings: Optional[Mapping[str, Any]] = None, *,
                 backend: str = "", seed: Optional[int] = None, speed: Optional[float] = None,
                 payload_bodies: Sequence[str] = (), log: Union[str, os.PathLike[str]] = "", **keys: Any) -> None:
        """Load a robot and run its cycle 0.

        robot: a name (`jointrig list robots`) or the path of a robot.yaml, an MJCF or a URDF
        settings, keys: keys of robot.yaml, over those of the file: `Sim("franka", scene="table")`
        backend: sim, kinematic or boards; the robot's own by default
        seed: of noise
        speed: factor on the speed of all references, 0.01 to 1
        payload_bodies: bodies that payload() will load
        log: file for the run's log
        """
        merged = {**(settings or {}), **keys}
        text = json.dumps(merged, default=_plain, indent=1) if merged else ""
        super().__init__(os.fspath(robot), text, backend, seed, speed, list(payload_bodies), os.fspath(log))
        self.__dict__.update(self._views())
        self.arms = MappingProxyType({name: Arm(name, views) for name, views in self._arm_views().items()})
        self.grippers = MappingProxyType({name: Gripper(name, views)
                                          for name, views in self._gripper_views().items()})

    def run(self, seconds: float) -> None:
        """Run the cycles of a time, rounded to whole ones. Raises as step()."""
        if not (math.isfinite(seconds) and seconds >= 0.0):
            raise InputError(f"run: {seconds} s is no time to run: give 0 or more seconds")
        self.step(round(seconds / self.period))

    def inject_fault(self, type: str, joint: str = "", *, value: float = math.nan, arm: str = "") -> Disturbance:
        """Begin a fault of a joint's board, or of an arm's force/torque sensor.

        type: one of `fault_types`, or of `sensor_fault_types` where `arm` is given
        value: in the unit of the type (docs/scenarios.md), where it takes one
        """
        return Disturbance(self, self._fault(type, joint, arm, value))

    def push(self, body: str = "", force: Sequence[float] = (0.0, 0.0, 0.0),
             torque: Sequence[float] = (0.0, 0.0, 0.0), *, point: Sequence[float] = (0.0, 0.0, 0.0),
             in_body_frame: bool = False, joint: str = "", along: float = 0.0) -> Disturbance:
        """Begin a force [N] and torque [N·m] on a body, or a torque [N·m or N] on a joint.

        point: of the force, in the body's frame [m]
        """
        return Disturbance(self, self._push(body, list(force), list(torque), list(point), in_body_frame, joint, along))

    def payload(self, body: str, mass: float, centre: Sequence[float] = (0.0, 0.0, 0.0),
                inertia: Sequence[float] = (0.0,) * 6) -> Disturbance:
        """Fix a mass [kg] to a body of `payload_bodies`, that the controller doesn't know of.

        centre: of mass, in the body's frame [m]
        inertia: xx yy zz xy xz yz about it [kg·m²]
        """
        return Disturbance(self, self._payload(body, mass, list(centre), list(inertia)))

    def __enter__(self) -> Sim:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return "<Sim, closed>" if self.closed else f"<Sim {self.name}, cycle {self.cycle}>"


def _plain(value: Any) -> Any:
    """numpy's numbers and arrays, for settings."""
    if isinstance(value, (np.generic, np.ndarray)):
        return value.tolist()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    raise InputError(f"a setting can't be {value!r}: give numbers, words, lists or dictionaries")
