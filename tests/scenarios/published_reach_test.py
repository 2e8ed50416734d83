"""Arms as other people publish them reach poses with no line of configuration but the arm itself, as `inspect --write`
writes it: from where they start, the tool goes along and is turned in each direction, and the plant's own pose is where
it was asked to be.

    python published_reach_test.py PROGRAM
"""

import importlib.util
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = sys.argv.pop(1)
ROBOTS = pathlib.Path(importlib.util.find_spec("robosuite").submodule_search_locations[0]) / "models/assets/robots"

# Poses in which robosuite starts them: bent, so that the tool can go anywhere.
POSES = {
    "iiwa": [0, 0.65, 0, -1.89, 0, 0.6, 0],
    "kinova3": [0, 0.65, 0, 1.89, 0, 0.6, -1.5707963],
    "ur5e": [-0.470, -1.735, 2.480, -2.275, -1.590, -1.991],
}

HEAD = """\
schema: 1
scenario: reach
robot: robot.yaml
requires: [truth]
setup:
  - set_mode: {{joints: all, mode: position}}
  - wait: 0.3 s
steps:
"""
# The world's axes: their arms stand upright on the ground.
MOVE = """\
  - mark: before_{name}
  - reach: {{arm: {arm}, by: {by}, turn: {turn}, frame: world, within: 3 mm}}
  - expect:
      - abs({tool}.x - at({tool}.x, before_{name}) - {x}) < 5 mm
      - abs({tool}.y - at({tool}.y, before_{name}) - {y}) < 5 mm
      - abs({tool}.z - at({tool}.z, before_{name}) - {z}) < 5 mm
"""
FAR = """\
  - expect_unreachable: {{arm: {arm}, position: [3, 0, 0.5], frame: world, reason: out_of_reach, says: mm off}}
"""


class PublishedArmsReach(unittest.TestCase):
    def reaches(self, robot: str):
        folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        written = folder / "robot.yaml"
        done = subprocess.run([PROGRAM, "inspect", str(ROBOTS / robot / "robot.xml"), "--write", str(written)],
                              capture_output=True, text=True, timeout=120)
        text = written.read_text()
        arm, tool = re.search(r"^  (\w+): \{part: \S+, tool: (\w+)", text, re.MULTILINE).groups()
        joints = re.findall(r"^#   (\S+): \{torque_max", text, re.MULTILINE)[:len(POSES[robot])]
        self.assertEqual(len(joints), len(POSES[robot]), done.stdout + done.stderr)
        text = re.sub(r"^poses:.*?(?=^\S)", "", text, flags=re.MULTILINE | re.DOTALL)
        text += "\njoints:\n" + "".join(f"  {joint}: {{start: {q}}}\n" for joint, q in zip(joints, POSES[robot]))
        written.write_text(text)
        model = pathlib.Path(ROBOTS / robot / "robot.xml").read_text()
        signal = ("body." if f'<body name="{tool}"' in model else "site.") + tool
        scenario = HEAD.format()
        for number, (axis, turn) in enumerate([("x", "[0, 0, 0]"), ("y", "[20 deg, 0, 0]"), ("z", "[0, -20 deg, 0]")]):
            by = {"x": 0.0, "y": 0.0, "z": 0.0} | {axis: 0.05}
            scenario += MOVE.format(name=f"move_{number}", arm=arm, tool=signal, turn=turn, by=list(by.values()),
                                    **{key: f"({value} m)" for key, value in by.items()})
        (folder / "reach.yaml").write_text(scenario + FAR.format(arm=arm))
        done = subprocess.run([PROGRAM, "run", str(folder / "reach.yaml"), "--no-report", "--logs", "failed", "--out",
                               str(folder / "out")], capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        result = json.loads((folder / "out" / "result.json").read_text())
        self.assertEqual([one["outcome"] for one in result["scenarios"]], ["passed"])


def case(robot: str):
    return lambda self: self.reaches(robot)


for each_robot in POSES:
    setattr(PublishedArmsReach, f"test_{each_robot}", case(each_robot))


if __name__ == "__main__":
    unittest.main()
