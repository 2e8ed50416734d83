"""A robot in this process."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Optional, Union

import numpy as np
import numpy.typing as npt

from . import _core
from .commands import Commands
from .errors import InputError
from .motion import Motion

Array = npt.NDArray[np.float64]
Words = npt.NDArray[np.uint8]


class Arm:
    """An arm's state in the last cycle, as read-only views. Poses and vectors are in the arm's base frame."""

    position: Array
    """Of the tool [m]."""
    orientation: Array
    """Of the tool: w x y z."""
    target_position: Array
    """Of the spring's target, after governor and filter [m]."""
    target_orientation: Array
    goal_position: Array
    """The target as asked for [m]."""
    goal_orientation: Array
    offset_position: Array
    """Of the tool in the flange frame [m]."""
    offset_orientation: Array
    error: Array
    """Target minus tool, after clipping [m, rad]."""
    twist: Array
    """Of the tool [m/s, rad/s]."""
    wrench: Array
    """Of spring, damper and force on the tool [N, N·m]."""
    stiffness: Array
    """Diagonal, along its own axes [N/m, N·m/rad]."""
    inertia: Array
    """That shapes the tool [kg, kg·m²]; 0: the tool's own."""
    runs: npt.NDArray[np.bool_]
    """One value: the arm is in mode cartesian."""
    moving: npt.NDArray[np.bool_]
    timed_out: npt.NDArray[np.bool_]

    def __init__(self, name: str, views: Mapping[str, Any]) -> None:
        self.name = name
        self.__dict__.update(views)

    def __repr__(self) -> str:
        return f"<Arm {self.name}>"


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


class Sim(_core.Sim, Commands, Motion):
    """A robot in this process: backend, controller stack and loop, as `jointrig run` makes them.

        sim = jointrig.Sim("franka")
        sim.set_mode("all", "position")
        sim.move("joint1", 0.5)
        sim.run(2.0)
        print(sim.q)

    Time stands still between two steps. Arrays are read-only views of the last cycle, over the joints in the order of
    `joints`: nothing is copied, and the same array shows the next cycle after the next step.
    """

    q: Array
    """Measured position [rad or m]."""
    v: Array
    """Measured velocity [rad/s or m/s]."""
    tau: Array
    """Measured torque after the gear [N·m or N]."""
    current: Array
    """Motor current [A]."""
    temperature: Array
    """Motor winding [°C]."""
    q_ref: Array
    """Reference: what is asked this cycle [rad or m]."""
    v_ref: Array
    a_ref: Array
    tau_ref: Array
    """Of torque mode [N·m or N]."""
    duty_ref: Array
    """Of openloop mode, -1..1."""
    q_cmd: Array
    """Setpoint: what was sent to the board, after safety [rad or m]."""
    v_cmd: Array
    tau_cmd: Array
    duty_cmd: Array
    stiffness: Array
    """Of compliant, also while it is stored [N·m/rad or N/m]."""
    damping: Array
    """Of compliant, also while it is stored [N·m·s/rad or N·s/m]."""
    timeout_left: Array
    """Until the command timeout [s]; 0 where none runs."""
    tau_gravity_only: Array
    """Holds the joint, by the model [N·m or N]."""
    tau_model: Array
    """What of tau_cmd the model asks for."""
    tau_interaction: Array
    """What of tau_cmd an impedance asks for."""
    tau_laws: Array
    """Of laws of one's own, before the limits."""
    tau_external: Array
    """Of no motor, by the momentum observer."""
    mode: Words
    """Index in jointrig.MODES."""
    interaction: Words
    """Index in jointrig.INTERACTIONS."""
    board_status: Words
    """Index in jointrig.BOARD_STATUSES."""
    drive: Words
    """Index in jointrig.DRIVES."""
    fault: Words
    """Index in jointrig.FAULTS, latched; 0: none."""
    limits: Words
    """A bit for each of jointrig.LIMITS: what shapes the output."""
    moving: npt.NDArray[np.bool_]
    """Moving to a goal."""
    timed_out: npt.NDArray[np.bool_]
    """The stream fell silent."""
    extrapolated: npt.NDArray[np.bool_]
    """q was carried on from an older sample."""
    knows_external: npt.NDArray[np.bool_]
    """tau_external is worked out."""
    base_position: Array
    """Of a floating base in the world [m]."""
    base_orientation: Array
    """w x y z."""
    base_linear_velocity: Array
    """In the world frame [m/s]."""
    base_angular_velocity: Array
    """In the base frame [rad/s]."""
    force_torque: Array
    """A row for each force/torque sensor: force [N], torque [N·m], in the frame of its site."""
    arms: Mapping[str, Arm]

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

    def run(self, seconds: float) -> None:
        """Run the cycles of a time, rounded to whole ones. Raises as step()."""
        if not (math.isfinite(seconds) and seconds >= 0.0):
            raise InputError(f"run: {seconds} s is no time to run: give 0 or more seconds")
        self.step(round(seconds / self.period))

    def index(self, joints: Union[str, Iterable[str]]) -> npt.NDArray[np.intp]:
        """Places of joints in the arrays: `sim.q[sim.index("left_arm")]`."""
        names = [joints] if isinstance(joints, str) else list(joints)
        return np.concatenate([self._indices(name) for name in names]) if names else np.empty(0, np.intp)

    def _indices(self, name: str) -> npt.NDArray[np.intp]:
        return np.array(self._find(name), np.intp)

    @property
    def modes(self) -> tuple[str, ...]:
        """The mode of each joint, in words."""
        return tuple(_core.MODES[number] for number in self.mode)

    @property
    def faults(self) -> dict[str, str]:
        """The latched fault of each joint that has one."""
        return {joint: _core.FAULTS[number] for joint, number in zip(self.joints, self.fault) if number}

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
