"""A robot that is nothing but its robot.yaml, and our driver on it (tests/hw/driver/driver_tool.cpp): what tests
with drives of others' making tell the driver is what a user can tell it.
"""

import json
import pathlib
import tempfile
import time

from tool import PATIENCE, Tool

JOINT = """<body><joint name="{}" axis="0 1 0" range="-10 10"/>
<geom type="capsule" fromto="0 0 0  0.2 0 0" size="0.03" mass="1"/></body>
"""
MODES = ["off", "position", "velocity", "torque"]


def write_robot(folder, bus, drives, period, cuff=None, **limits):
    """A robot.yaml with the bus "test" and a joint for each of `drives`, keys of a `drive` by the joint's name.

    cuff: joint that reads one, on its input 0; limits: keys of all joints
    """
    (folder / "axes.xml").write_text(
        "<mujoco><compiler angle='radian'/><worldbody>" + "".join(JOINT.format(name) for name in drives)
        + "<body name='load'><geom size='0.01'/><site name='tool'/></body></worldbody><actuator>"
        + "".join(f'<motor joint="{name}" ctrlrange="-8 8"/>' for name in drives) + "</actuator></mujoco>")
    robot = {"schema": 1, "name": "foreign", "model": "axes.xml", "period": f"{round(period * 1000)} ms",
             "buses": {"test": bus}, "defaults": {"drive": {"bus": "test"}, **limits},
             "joints": {name: {"drive": drive, "board": {"drive_modes": MODES}} for name, drive in drives.items()}}
    if cuff:
        robot |= {"parts": {"part": list(drives)},
                  "arms": {"arm": {"part": "part", "tool": "tool", "zero_g": {"cuff": {"joint": cuff, "input": 0}}}}}
    path = folder / "robot.yaml"
    path.write_text(json.dumps(robot))
    return str(path)


def states_in(answer):
    """The joints' states as the tool tells them."""
    assert answer.startswith("state "), answer
    keys = ("status", "q", "v", "tau", "missed", "fault", "inputs")
    return [dict(zip(keys, part.split())) for part in answer[6:].split(";") if part.strip()]


class DrivenServos:
    """The driver on servos, all told the same: the first joint's state is looked at."""

    def __init__(self, program, test, bus, drives, period, **more):
        folder = tempfile.TemporaryDirectory()
        test.addCleanup(folder.cleanup)
        self.count = len(drives)
        self.tool = Tool(program, write_robot(pathlib.Path(folder.name), bus, drives, period, **more))

    def start(self):
        return self.tool.ask("start")

    def run(self, cycles, drive="off", value=0.0):
        """So many cycles; status, q, v, tau, missed, fault, inputs of the first joint."""
        command = f"clear {cycles}" if drive == "clear" else f"drive {drive} {cycles}" + f" {value}" * self.count
        state = states_in(self.tool.ask(command))[0]
        return (state["status"], float(state["q"]), float(state["v"]), float(state["tau"]), int(state["missed"]),
                state["fault"], int(state["inputs"]))

    def until(self, wanted, drive, value=0.0):
        """Cycles until the joint is `wanted`; bounded, since a machine may be slow but not for ever."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            joint = self.run(5, drive, value)
            if wanted(*joint):
                return joint
        raise AssertionError(f"never with {drive} {value}: {joint}")

    def end(self):
        return self.tool.end()
