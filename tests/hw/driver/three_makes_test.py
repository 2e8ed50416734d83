"""The robot of models/three_makes, described by its robot.yaml alone, and three drives that aren't ours: a CiA 402
axis on python-canopen with a fixed mapping, a moteus servo built of the maker's package, a Dynamixel servo written
from the e-manual. `jointrig run` drives them together over two SLCAN adapters and a serial line. Each drive is a
process of its own, as each is a device of its own: in one interpreter they would wait for one another.

    three_makes_test.py PATH_TO_JOINTRIG
"""

import json
import logging
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "peers"))
import dynamixel_servo  # noqa: E402
import moteus_servo  # noqa: E402
from axis402 import Axis402  # noqa: E402
from drive_process import DriveProcess, number  # noqa: E402
from local_node_drive import LocalNodeDrive  # noqa: E402
from pty_bus import PtyBus  # noqa: E402

PROGRAM = sys.argv.pop(1)
HERE = pathlib.Path(__file__).resolve().parent
MODEL = HERE.parents[2] / "models/three_makes"
PERIOD = 0.06  # [s]; a drive is lost after 20 of them: more than a busy machine stands still
ZERO = {"shoulder": 12000, "elbow": 0.25, "wrist": 2048}  # as robot.yaml has them

for name in ("canopen", "can"):
    logging.getLogger(name).setLevel(logging.CRITICAL)


class ToldAxis(Axis402):
    """Tells the others where it is [counts]."""

    def __init__(self, told, position):
        super().__init__(position)
        self.told = told
        self.told.value = position

    def step(self, dt):
        super().step(dt)
        self.told.value = self.position


class ThreeMakes(unittest.TestCase):
    def setUp(self):
        self.shoulder_at = number()  # [counts]
        self.shoulder = self.drive(self.make_shoulder)
        self.elbow = self.drive(self.make_elbow)
        self.wrist = self.drive(self.make_wrist)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.robot = self.folder / "robot.yaml"
        text = (MODEL / "robot.yaml").read_text()
        for old, new in (
                ("model: three_makes.xml", f"model: {MODEL / 'three_makes.xml'}\nperiod: {PERIOD} s"),
                ("virtual_boards: 127.0.0.1:20090\n", ""),
                ("slcan:three_makes.can@1000000", f"slcan:{self.shoulder.known}@1000000"),
                ("cannelloni-udp:127.0.0.1:20091:20092", f"slcan:{self.elbow.known}@1000000,data=5000000"),
                ("serial:three_makes.line@4000000", f"serial:{self.wrist.known}@4000000"),
                # Answers and heartbeats that a busy machine holds up are no fault of the drive.
                ("profile: local_node,", "profile: local_node, sdo_timeout: 5 s, heartbeat: 700 ms,")):
            self.assertEqual(text.count(old), 1, old)
            text = text.replace(old, new)
        self.robot.write_text(text)

    def drive(self, make):
        process = DriveProcess(make)
        self.addCleanup(process.close)
        return process

    # In the drives' processes.

    def make_shoulder(self):
        bus = PtyBus(2)
        bus.__enter__()
        axis = ToldAxis(self.shoulder_at, ZERO["shoulder"])
        return LocalNodeDrive(bus.ports[0], 9, axis, PERIOD), bus.ports[1]

    def make_elbow(self):
        bus = PtyBus(2)
        bus.__enter__()
        servo = moteus_servo.Servo(bus.ports[0], id=4, position=ZERO["elbow"])
        servo.load = lambda: self.weight_on_the_elbow(servo)
        return servo, bus.ports[1]

    @staticmethod
    def make_wrist():
        line = dynamixel_servo.Line(dynamixel_servo.Servo(1, model=1120, position=ZERO["wrist"]))
        line.servo = line.servos[0]
        return line, line.device

    def weight_on_the_elbow(self, servo):
        """By hand, of the model's masses with a straight wrist, as its servo feels it: behind a belt of 1.5, reversed.
        The arm is propped up until it is driven."""
        if servo.mode != moteus_servo.Mode.POSITION:
            return 0.0
        q = (2 * math.pi / (4096 * 100) * (self.shoulder_at.value - ZERO["shoulder"])
             - 2 * math.pi / 1.5 * (servo.position - ZERO["elbow"]))
        return 9.81 * (1 * 0.125 + 0.25 * (0.25 + 0.05)) * math.cos(q) / 1.5

    def run_scenario(self, *more):
        out = self.folder / "run"
        done = subprocess.run(
            [PROGRAM, "run", HERE / "three_makes.yaml", "--robot", self.robot, "--backend", "hw", "--no-wiggle-check",
             "--speed-override", "1", "--no-report", "--overwrite", "--out", out, *more],
            check=False, capture_output=True, text=True, timeout=120)
        return done, json.loads((out / "result.json").read_text())["scenarios"][0]

    def test_go_to_a_pose_and_by_a_velocity_as_one_robot(self):
        done, result = self.run_scenario()
        self.assertEqual((result["outcome"], result["backend"]), ("passed", "hw"), done.stdout + done.stderr)
        # By hand: counts of a turn times the gear, from the zero; the elbow's servo turns the other way.
        turn = 2 * math.pi
        self.assertAlmostEqual(self.shoulder.get("axis.position"), 12000 + 0.3 / turn * 4096 * 100, delta=1500)
        self.assertAlmostEqual(self.elbow.get("position"), 0.25 - (-0.4) / turn * 1.5, delta=0.02)
        self.assertAlmostEqual(self.wrist.get("servo.turns") * 4096, 2048 + 0.5 / turn * 4096, delta=60)
        self.assertNotIn(self.shoulder.get("axis.state"), ("OE", "FAULT"), "off at the end")

    def test_a_drive_that_is_silent_is_named_with_its_bus_and_joint(self):
        self.elbow.set("deaf", True)
        done, result = self.run_scenario()
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertRegex(result["reason"], r"bus can_fd: elbow \(servo 4\) does not answer")


if __name__ == "__main__":
    unittest.main()
