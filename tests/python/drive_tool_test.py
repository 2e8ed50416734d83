"""Sim.drive_tool on an arm that nobody here made: a UR5e goes into the singular poses of its wrist and its elbow, and out.

    drive_tool_test.py PATH_TO_THE_PROGRAM
"""

import importlib.util
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import jointrig
import numpy as np

PROGRAM = sys.argv.pop(1)
UR5E = pathlib.Path(importlib.util.find_spec("robosuite").submodule_search_locations[0]) / "models/assets/robots/ur5e"
BENT = [-0.470, -1.735, 2.480, -2.275, -1.590, -1.991]


class Driven(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        written = self.folder / "robot.yaml"
        subprocess.run([PROGRAM, "inspect", str(UR5E / "robot.xml"), "--write", str(written)], check=False,
                       capture_output=True, timeout=120)
        text = written.read_text()
        self.arm = re.search(r"^  (\w+): \{part: \S+, tool: (\w+)", text, re.MULTILINE).group(1)
        joints = re.findall(r"^#   (\S+): \{torque_max", text, re.MULTILINE)[:len(BENT)]
        text = re.sub(r"^poses:.*?(?=^\S)", "", text, flags=re.MULTILINE | re.DOTALL)
        text += "\njoints:\n" + "".join(f"  {joint}: {{start: {q}}}\n" for joint, q in zip(joints, BENT))
        written.write_text(text)
        self.sim = jointrig.Sim(str(written), backend="kinematic", log=str(self.folder / "log.mcap"))
        self.sim.set_mode("all", "position")
        self.sim.run(0.3)
        self.joints = self.sim.index(self.arm)

    def state(self):
        return self.sim.arms[self.arm]

    def drive(self, velocity, seconds, **more):
        """Sent again as a program does that follows something."""
        least = 1.0
        for _ in range(round(seconds / 0.02)):
            self.sim.drive_tool(self.arm, velocity, 0.1, **more)
            self.sim.run(0.02)
            least = min(least, float(self.state().drive_share[0]))
        return least

    def screw_of(self, joint):
        """Twist of the tool along its own axes for 1 rad/s of a joint: the logarithm of a turn of 0.1 rad."""
        def pose():
            w, x, y, z = self.state().orientation
            turn = np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                             [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                             [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])
            return turn, self.state().position.copy()
        at = float(self.sim.q_ref[joint])
        turn, position = pose()
        self.sim.move(self.sim.joints[joint], at + 0.1, 0.5)
        self.sim.run(1.0)
        turned, there = pose()
        self.sim.move(self.sim.joints[joint], at, 0.5)
        self.sim.run(1.0)
        step = turn.T @ turned
        angle = np.arccos((np.trace(step) - 1.0) / 2.0)
        w = angle / (2.0 * np.sin(angle)) * np.array([step[2, 1] - step[1, 2], step[0, 2] - step[2, 0],
                                                      step[1, 0] - step[0, 1]])
        across = np.array([[0.0, -w[2], w[1]], [w[2], 0.0, -w[0]], [-w[1], w[0], 0.0]])
        ways = np.eye(3) + (1.0 - np.cos(angle)) / angle**2 * across + (angle - np.sin(angle)) / angle**3 * across @ across
        return np.concatenate([np.linalg.solve(ways, turn.T @ (there - position)), w]) / 0.1

    def in_log(self):
        """Differences of what was sent, from the log, against the limits."""
        period, limits = self.sim.period, self.sim.joint_limits
        names = {joint: self.sim.joints[joint] for joint in self.joints}
        fastest, hardest = (np.array(limits[key]) for key in ("v_max", "a_max"))
        self.sim.close()
        log = jointrig.Log(self.folder / "log.mcap")
        for joint, name in names.items():
            q, v = log[f"{name}.q_ref"], log[f"{name}.v_ref"]
            rate = np.diff(q) / period
            self.assertLess(np.abs(rate).max(), 1.000001 * fastest[joint])
            self.assertLess((np.abs(np.diff(rate)) / period).max(), 1.001 * hardest[joint])
            self.assertLess(np.abs(rate - v[1:]).max(), hardest[joint] * period)

    def test_it_comes_out_of_a_stretched_elbow_as_it_went_in(self):
        start = self.state().position.copy()
        out = start / np.linalg.norm(start)
        velocity = np.concatenate([0.2 * out, np.zeros(3)])
        self.assertLess(self.drive(velocity, 6.0), 0.05)
        far = self.state().position.copy()
        told = [event.kind for event in self.sim.events()]
        self.assertIn("drive", told)
        self.drive(-velocity, 0.4)
        self.assertEqual(float(self.state().drive_share[0]), 1.0)
        self.drive(-velocity, 0.6)
        self.sim.run(0.5)
        way = far - self.state().position
        self.assertGreater(way @ out, 0.15)
        self.assertLess(np.linalg.norm(way - (way @ out) * out), 2e-3)
        self.in_log()

    def test_its_wrist_is_not_passed_in_line_and_turns_back(self):
        # Joint 5 at 0 has the axes of joints 4 and 6 in one line. The screw of joint 5 leads straight there.
        fifth = self.joints[4]
        side = np.sign(self.sim.q_ref[fifth])
        velocity = -0.4 * side * self.screw_of(fifth)
        before = self.sim.q_ref.copy()
        self.assertLess(self.drive(velocity, 12.0, frame="tool"), 0.1)
        self.assertTrue(any("near to a singular pose" in str(event) for event in self.sim.events()))
        near = self.sim.q_ref.copy()
        self.assertEqual(np.sign(near[fifth]), side)
        self.assertLess(abs(near[fifth]), 0.3)
        others = [joint for joint in self.joints if joint != fifth]
        np.testing.assert_allclose(near[others], before[others], atol=1e-6)
        self.drive(-velocity, 0.5, frame="tool")
        self.assertEqual(float(self.state().drive_share[0]), 1.0)
        self.drive(-velocity, 1.0, frame="tool")
        self.assertAlmostEqual(abs(float(self.sim.q_ref[fifth])), abs(near[fifth]) + 0.6, delta=0.1)
        self.in_log()

    def test_its_tool_turns_about_a_free_axis_alone(self):
        before = self.state().orientation.copy()
        self.drive([0, 0.1, 0, 0, 0, 0], 1.0, free_rotation="z")
        self.assertGreater(float(self.state().drive_share[0]), 0.99)
        w, x, y, z = before
        # The vector of q times the inverse of that before: along x and y of the base.
        turn = np.array([[-x, w, -z, y], [-y, z, w, -x]]) @ self.state().orientation
        np.testing.assert_allclose(turn, 0.0, atol=1e-4)
        self.in_log()

    def test_a_program_that_says_no_more_has_its_tool_at_rest_when_its_time_is_over(self):
        self.drive([0, 0, -0.1, 0, 0, 0], 0.5)
        self.assertTrue(self.state().drives[0])
        self.sim.run(0.1 + 0.1 + 0.01)  # the rest of its time, and v/a
        self.assertFalse(self.state().drives[0])
        rest = self.sim.q_ref.copy()
        self.sim.run(0.2)
        np.testing.assert_array_equal(self.sim.q_ref, rest)
        self.assertIn("drive", [event.kind for event in self.sim.events()])

    def test_bad_input_is_told_by_name_and_moves_nothing(self):
        rest = self.sim.q_ref.copy()
        for sentence, arguments in (("its linear velocity has a size of", ([9, 0, 0, 0, 0, 0], 1.0)),
                                    ("give a time above 0", ([0.1, 0, 0, 0, 0, 0], 0.0)),
                                    ("is nan", ([0.1, 0, 0, 0, float("nan"), 0], 1.0)),
                                    ("free_rotation all holds no rotation of the tool",
                                     ([0, 0, 0, 0, 0, 0.1], 1.0, "base", False, "all"))):
            with self.subTest(sentence), self.assertRaises(jointrig.Refused) as raised:
                self.sim.drive_tool(self.arm, *arguments)
                self.sim.step()
            self.assertIn(sentence, str(raised.exception))
        with self.assertRaises(jointrig.InputError) as raised:
            self.sim.drive_tool(self.arm, [0.1, 0, 0], 1.0)
        self.assertIn("velocity takes 6 values, and 3 are given", str(raised.exception))
        np.testing.assert_array_equal(self.sim.q_ref, rest)


if __name__ == "__main__":
    unittest.main()
