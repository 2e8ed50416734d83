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
from .reaching import Reaching
from .scenarios import find_scenarios
from .state import Arm, Gripper, State


class Disturbance:
    """A fault, push, payload or obstacle that acts until end(), or until the `with` that began it is left."""

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
    class _Joined(_core.Sim, Commands, Motion, Reaching, State): ...
else:
    _Joined = joined(_core.Sim, Commands, Motion, Reaching, State)


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
                 payload_bodies: Sequence[str] = (), obstacles: Optional[Mapping[str, Mapping[str, Any]]] = None,
                 log: Union[str, os.PathLike[str]] = "", **keys: Any) -> None:
        """Load a robot and run its cycle 0.

        robot: a name (`jointrig list robots`) or the path of a robot.yaml, an MJCF or a URDF
        settings, keys: keys of robot.yaml, over those of the file: `Sim("franka", scene="table")`
        backend: sim, kinematic or boards; the robot's own by default
        seed: of noise
        speed: factor on the speed of all references, 0.01 to 1
        payload_bodies: bodies that payload() will load
        obstacles: that obstacle() will place: by name the `shape`, "box", "sphere" or "cylinder", and the `size`: half
            edges of a box; radius of a sphere; radius and half length of a cylinder [m]
        log: file for the run's log
        """
        merged = {**(settings or {}), **keys}
        text = json.dumps(merged, default=_plain, indent=1) if merged else ""
        placeable = {name: (name, *_shape_of(name, given)) for name, given in (obstacles or {}).items()}
        super().__init__(os.fspath(robot), text, backend, seed, speed, list(payload_bodies),
                         list(placeable.values()), os.fspath(log))
        self._placeable = placeable
        self._robot_file = os.path.abspath(robot) if os.path.isfile(robot) else ""
        self._given: dict[str, Any] = {"robot": os.fspath(robot), "settings": text, "backend": backend, "seed": seed,
                                       "speed": speed}
        self.__dict__.update(self._views())
        self.arms = MappingProxyType({name: Arm(name, views) for name, views in self._arm_views().items()})
        self.grippers = MappingProxyType({name: Gripper(name, views)
                                          for name, views in self._gripper_views().items()})

    def run(self, seconds: float) -> None:
        """Run the cycles of a time, rounded to whole ones. Raises as step()."""
        if not (math.isfinite(seconds) and seconds >= 0.0):
            raise InputError(f"run: {seconds} s is no time to run: give 0 or more seconds")
        self.step(round(seconds / self.period))

    def write_scenario(self, path: Union[str, os.PathLike[str]], *, about: str = "",
                       asserts: Optional[Mapping[str, Any]] = None, metrics: Sequence[Mapping[str, Any]] = (),
                       overwrite: bool = False, **keys: Any) -> str:
        """Write the commands since record() as a scenario, each in its cycle, up to the present one; return its path.

            sim = jointrig.Sim("franka")
            sim.record()
            ...
            sim.write_scenario("reach.yaml", asserts={"at_end": [{"expr": "abs(panda_joint4.q_err) < 0.01 rad"}]})

        Of a Sim whose motors were off at record() a run of it gives the same state hash. Joints whose motors were on are
        moved to where they were first. Robot and settings are this Sim's.

        path: file to write; its name is the scenario's
        asserts, metrics: as in a scenario file (docs/scenarios.md)
        overwrite: replace a file that is there
        keys: further keys of the file: tags, timeout, ...
        """
        file = os.path.abspath(path)
        if not file.endswith(".yaml"):
            raise InputError(f"write_scenario: {os.fspath(path)} is no name for a scenario: let it end in .yaml")
        if os.path.exists(file) and not overwrite:
            raise InputError(f"write_scenario: {os.fspath(path)} is there already: give another name, or overwrite=True")
        if self._given["speed"] is not None:
            raise InputError("write_scenario: a scenario starts at full speed, and this Sim was made with "
                             f"speed={self._given['speed']}: call set_speed_override() after record() instead")
        robot = os.path.relpath(self._robot_file, os.path.dirname(file)) if self._robot_file else self._given["robot"]
        name = os.path.basename(file).removesuffix(".yaml")
        text = self._scenario(name, about or "Commands of a script.", robot, self._further(keys))
        if asserts:
            text += "\nassert:\n" + "".join(f"  {when}:\n{_items(items, '    ')}" for when, items in asserts.items())
        if metrics:
            text += "\nmetrics:\n" + _items(metrics, "  ")
        with open(file, "w", encoding="utf-8") as out:
            out.write(text)
        find_scenarios(file)  # what is wrong in asserts, metrics or keys is told with its line
        return os.fspath(path)

    def _further(self, keys: Mapping[str, Any]) -> str:
        config = json.loads(self._given["settings"] or "{}")
        if self._given["backend"]:
            config["backend"] = self._given["backend"]
        further: dict[str, Any] = {"seed": self._given["seed"], "config": config or None, **keys}
        return "".join(f"{key}: {_yaml(value)}\n" for key, value in further.items() if value is not None)

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

    def obstacle(self, name: str, position: Union[Sequence[float], np.ndarray],
                 orientation: Union[Sequence[float], np.ndarray] = (1.0, 0.0, 0.0, 0.0)) -> Disturbance:
        """Place one of the Sim's `obstacles` in the world: solid, fixed there, and unknown to the controller.

        Until then, and after its end(), it is away from all bodies. `truth("contact.NAME.force")` tells how hard it is
        touched [N]. The controller is told of one by set_obstacle().

        position: of its centre in the world [m]
        orientation: w x y z, in the world
        """
        if name not in self._placeable:
            raise InputError(f"obstacle: {name!r} is none of this Sim's obstacles ({', '.join(self._placeable) or 'it has none'}): "
                             "name it with its shape and size when the Sim is made")
        place, turn = np.asarray(position, np.float64), np.asarray(orientation, np.float64)
        if place.shape != (3,) or not np.isfinite(place).all():
            raise InputError(f"obstacle: position is {position!r}: give three finite numbers [m]")
        if turn.shape != (4,) or not abs(float(turn @ turn) - 1.0) <= 1e-3:
            raise InputError(f"obstacle: orientation is {orientation!r}: give a quaternion w x y z of length 1")
        return Disturbance(self, self._obstacle(self._placeable[name], place.tolist(), turn.tolist()))

    def __enter__(self) -> Sim:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return "<Sim, closed>" if self.closed else f"<Sim {self.name}, cycle {self.cycle}>"


_SIZES = {"box": 3, "sphere": 1, "cylinder": 2}


def _shape_of(name: str, given: Any) -> tuple[str, list[float]]:
    """Shape and size of an obstacle, with zeros for what the shape has no use for."""
    if not isinstance(given, Mapping) or set(given) != {"shape", "size"}:
        raise InputError(f"obstacles: {name} is {given!r}: give a dict with its shape and its size")
    shape = given["shape"]
    if shape not in _SIZES:
        raise InputError(f"obstacles: shape of {name} is {shape!r}: give one of {', '.join(_SIZES)}")
    size = np.atleast_1d(np.asarray(given["size"], np.float64))
    if size.shape != (_SIZES[shape],) or not (np.isfinite(size) & (size > 0.0)).all():
        raise InputError(f"obstacles: size of {name} is {given['size']!r}: a {shape} has {_SIZES[shape]}, above 0 [m]")
    return shape, [*size.tolist(), 0.0, 0.0][:3]


def _yaml(value: Any) -> str:
    """In one line."""
    return json.dumps(value, default=_plain, ensure_ascii=False)


def _items(items: Sequence[Any], indent: str) -> str:
    return "".join(f"{indent}- {_yaml(item)}\n" for item in items)


def _plain(value: Any) -> Any:
    """numpy's numbers and arrays, for settings."""
    if isinstance(value, (np.generic, np.ndarray)):
        return value.tolist()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    raise InputError(f"a setting can't be {value!r}: give numbers, words, lists or dictionaries")
