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

    def in_log(self):
        """Differences of what was sent, from the log, against the limits."""
        self.sim.close()
        log = jointrig.Log(self.folder / "log.mcap")
        for name in np.array(self.sim.joints)[self.joints]:
            q, v = log[f"{name}.q_ref"], log[f"{name}.v_ref"]
            limits = {key: self.sim.joint_limits[key][self.sim.index(str(name))] for key in ("v_max", "a_max")}
            rate = np.diff(q) / self.sim.period
            self.assertLess(np.abs(rate).max(), 1.000001 * limits["v_max"])
            self.assertLess((np.abs(np.diff(rate)) / self.sim.period).max(), 1.001 * limits["a_max"])
            self.assertLess(np.abs(rate - v[1:]).max(), limits["a_max"] * self.sim.period)

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
        # Joint 5 at 0 has the axes of joints 4 and 6 in one line: towards it by a turn about joint 5.
        velocity = np.zeros(6)
        fifth = self.joints[4]
        before = float(self.sim.q_ref[fifth])
        for axis in range(3, 6):  # the axis of the tool that moves joint 5 towards 0
            for sign in (0.3, -0.3):
                velocity[:] = 0.0
                velocity[axis] = sign
                self.drive(velocity, 0.2, frame="tool")
                moved = abs(float(self.sim.q_ref[fifth])) - abs(before)
                self.drive(-velocity, 0.2, frame="tool")
                self.sim.run(0.3)
                if moved < -0.03:
                    break
            else:
                continue
            break
        side = np.sign(self.sim.q_ref[fifth])
        self.assertLess(self.drive(velocity, 12.0, frame="tool"), 0.1)
        self.assertEqual(np.sign(self.sim.q_ref[fifth]), side)
        at = abs(float(self.sim.q_ref[fifth]))
        self.drive(-velocity, 0.5, frame="tool")
        self.assertEqual(float(self.state().drive_share[0]), 1.0)
        self.drive(-velocity, 1.0, frame="tool")
        self.assertGreater(abs(float(self.sim.q_ref[fifth])), at + 0.1)
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
