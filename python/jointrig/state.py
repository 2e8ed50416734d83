"""The state of a robot, whether it is in this process or served by another."""

from __future__ import annotations

from abc import ABC
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Union

import numpy as np
import numpy.typing as npt

from . import _core

Array = npt.NDArray[np.float64]
Words = npt.NDArray[np.uint8]


def _words_of(words: tuple[str, ...], bits: Any) -> tuple[str, ...]:
    return tuple(word for i, word in enumerate(words) if int(bits) >> i & 1)


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
    sensed: Array
    """Wrench that the force sensor measures, filtered, along the base's axes [N, N·m]; 0 without a sensor."""
    sensed_tool: Array
    """The same along the tool's axes."""
    external: Array
    """Wrench at the tool that explains the external torques of the joints, along the base's axes [N, N·m]."""
    external_tool: Array
    """The same along the tool's axes."""
    sensor_bias: Array
    """That tare subtracts from the sensor's reading, in its own frame [N, N·m]."""
    interaction_stiffness: Array
    """Of interaction control, along the axes of its frame [N/m, N·m/rad]."""
    interaction_force: Array
    """Force asked for, or its limit [N, N·m]."""
    payload_centre: Array
    """In the tool frame [m]."""
    payload_inertia: Array
    """About its centre: xx, yy, zz, xy, xz, yz [kg·m²]."""
    drive_wanted: Array
    """Velocity that drive_tool asks for, at the speed override [m/s, rad/s]."""
    drive_had: Array
    """The part of it that the joints follow [m/s, rad/s]."""
    drive_share: Array
    """One value: size of drive_had per size of drive_wanted, at most 1."""
    drive_left: Array
    """One value: the rest of its time to live [s]."""
    drives: npt.NDArray[np.bool_]
    """One value: the tool follows a velocity, or brakes from one."""
    damping_ratio: Array
    """One value; 0 where the damping was given in numbers."""
    payload_mass: Array
    """One value [kg]."""
    timeout_left: Array
    """One value: until a silent stream of targets ends [s]; 0 where none runs."""
    cuff_left: Array
    """One value: time for which a command still holds the cuff [s]."""
    drift: Array
    """One value: drift predicted at the last grasp, of the worst joint [rad or m]."""
    interaction: npt.NDArray[np.bool_]
    """One value: interaction control is on."""
    cuff: npt.NDArray[np.bool_]
    """One value: the cuff is grasped."""
    taring: npt.NDArray[np.bool_]
    """One value: a tare is collecting samples."""
    knows_external: npt.NDArray[np.bool_]
    """One value: the external torque of every joint of the arm is known."""
    runs: npt.NDArray[np.bool_]
    """One value: the arm is in mode cartesian."""
    moving: npt.NDArray[np.bool_]
    timed_out: npt.NDArray[np.bool_]
    _terms: npt.NDArray[np.uint16]
    _limits: npt.NDArray[np.uint16]
    _guide: Words
    _sensor: Words

    def __init__(self, name: str, views: Mapping[str, Any]) -> None:
        self.name = name
        self.__dict__.update(views)

    @property
    def terms(self) -> tuple[str, ...]:
        """Terms of Cartesian control that are on."""
        return _words_of(_core.ARM_TERMS, self._terms[0])

    @property
    def limits(self) -> tuple[str, ...]:
        """Limits that act on the arm's motion or torque."""
        return _words_of(_core.ARM_LIMITS, self._limits[0])

    @property
    def guide(self) -> str:
        """Hand guiding: off, braking, guiding or stopped."""
        return str(_core.GUIDE_STATES[self._guide[0]])

    @property
    def sensor(self) -> str:
        """Condition of the force sensor; "none" where the arm has none."""
        return str(_core.SENSOR_STATES[self._sensor[0]])

    def __repr__(self) -> str:
        return f"<Arm {self.name}>"


class Gripper:
    """A gripper's state in the last cycle."""

    _width: Array
    _share: Array
    _force: Array
    _asked: Array
    _state: Words

    def __init__(self, name: str, views: Mapping[str, Any]) -> None:
        self.name = name
        self.__dict__.update(views)

    @property
    def width(self) -> float:
        """Between the fingertips [m]; 0 where robot.yaml doesn't tell it."""
        return float(self._width[0])

    @property
    def share(self) -> float:
        """Of its way: 0 closed, 1 open."""
        return float(self._share[0])

    @property
    def force(self) -> float:
        """With which the fingertips press [N]."""
        return float(self._force[0])

    @property
    def asked(self) -> float:
        """Force of the grasp, while one is on [N]."""
        return float(self._asked[0])

    @property
    def state(self) -> str:
        """One of jointrig.GRIPPER_STATES."""
        return _core.GRIPPER_STATES[self._state[0]]

    def __repr__(self) -> str:
        return f"<Gripper {self.name}: {self.state}>"


class State(ABC):
    """State of a Sim or a connection: arrays over the joints in the order of `joints`, as read-only views."""

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
    """Part of tau_cmd that the model asks for [N·m or N]."""
    tau_interaction: Array
    """Part of tau_cmd that an impedance asks for [N·m or N]."""
    tau_laws: Array
    """Of laws of one's own, before the limits."""
    tau_external: Array
    """Of no motor, by the momentum observer."""
    tau_hysteresis: Array
    """Of the series spring's material, a part of tau."""
    hysteresis_state: Array
    """Of that material, -1..1."""
    tau_crosstalk: Array
    """Of the joint before, a part of tau."""
    tau_repulsion: Array
    """Added by collision avoidance."""
    tau_contact: Array
    """External torque as collision detection sees it."""
    supply: Array
    """Of the drive [V]."""
    progress: Array
    """Of a calibration, 0..1."""
    missed: npt.NDArray[np.uint32]
    """Cycles of its bus since the board was last heard; 0: it is."""
    limit_cycles: npt.NDArray[np.uint32]
    """A row for each joint: cycles in which each of jointrig.LIMITS has acted."""
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
    grippers: Mapping[str, Gripper]
    if TYPE_CHECKING:  # of the compiled part

        @property
        def joints(self) -> tuple[str, ...]: ...
        def _find(self, name: str, /) -> list[int]: ...

    def index(self, joints: Union[str, Iterable[str]]) -> npt.NDArray[np.intp]:
        """Places of joints in the arrays: `sim.q[sim.index("left_arm")]`."""
        names = [joints] if isinstance(joints, str) else list(joints)
        return np.concatenate([self._indices(name) for name in names]) if names else np.empty(0, np.intp)

    def _indices(self, name: str) -> npt.NDArray[np.intp]:
        return np.array(self._find(name), np.intp)

    @property
    def q_err(self) -> Array:
        """Reference less measured [rad or m]."""
        return self.q_ref - self.q

    @property
    def v_err(self) -> Array:
        """Reference less measured [rad/s or m/s]."""
        return self.v_ref - self.v

    @property
    def limited(self) -> npt.NDArray[np.bool_]:
        """Any limit shapes the joint's output."""
        return self.limits != 0

    @property
    def modes(self) -> tuple[str, ...]:
        """The mode of each joint, in words."""
        return tuple(_core.MODES[number] for number in self.mode)

    @property
    def faults(self) -> dict[str, str]:
        """The latched fault of each joint that has one."""
        return {joint: _core.FAULTS[number] for joint, number in zip(self.joints, self.fault) if number}
