"""Published arms in mode cartesian with no line of configuration but the arm itself, as `inspect --write` writes it:
held, the tool moved and turned, pushed and let go. With one and with three cycles of delay, and without the inertia of
motors that most models don't state: the last joint of some then has 1e-6 kg m².

    python published_arms_cartesian_test.py PROGRAM
"""

import importlib.util
import json
import math
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[2]))
from support.share import main  # noqa: E402

PROGRAM = sys.argv.pop(1)
ROBOTS = pathlib.Path(importlib.util.find_spec("robosuite").submodule_search_locations[0]) / "models/assets/robots"

# Poses in which robosuite starts them: bent, so that the tool can go anywhere.
POSES = {
    "baxter": [0.403, -0.636, 0.114, 1.432, 0.735, 1.205, -0.269],
    "iiwa": [0, 0.65, 0, -1.89, 0, 0.6, 0],
    "jaco": [3.192, 3.680, 0, 1.170, 0.050, 3.760, 3.142],
    "kinova3": [0, 0.65, 0, 1.89, 0, 0.6, -math.pi / 2],
    "panda": [0, math.pi / 16, 0, -5 * math.pi / 6, 0, math.pi - 0.2, math.pi / 4],
    "sawyer": [0, -1.18, 0, 2.18, 0, 0.57, -1.57],
    "spot_arm": [0, -1.2, 1.85, 0, 0.862, 0],
    "ur5e": [-0.470, -1.735, 2.480, -2.275, -1.590, -1.991],
    "xarm7": [0, 0, 0, 0.39 * math.pi, 0, 0.39 * math.pi, 0],
}
# Delay in cycles; an armature of 0, or the plausible one that is assumed; torque of the push. A motor without inertia
# goes anywhere within milliseconds of a torque of its wrist: it is pushed by a force alone.
CONDITIONS = {"as_published": (1, False, [1.2, 1.2, 1]), "late": (3, False, [1.2, 1.2, 1]),
              "bare": (1, True, [0, 0, 0]), "bare_and_late": (3, True, [0, 0, 0])}

STEPS = """\
schema: 1
scenario: cartesian
about: hold, move, turn, push
robot: robot.yaml
requires: [torque, truth, disturbances]
setup:
  - set_mode: {{joints: all, mode: position}}
  - wait: 0.5 s
  - set_mode: {{joints: {arm}, mode: cartesian}}
steps:
  - wait: 3.5 s
  - mark: held
  - wait: 1.5 s
  - mark: go
  - move_tool: {{arm: {arm}, by: [0, 0, -4 cm]}}
  - wait: 1.5 s
  - mark: there
  - move_tool: {{arm: {arm}, by: [0, 0, 4 cm], turn: [10 deg, 0, 0]}}
  - wait: 2 s
  - mark: pushed
  - force: {{body: {body}, force: [6, -6, 5], torque: {torque}, for: 0.5 s}}
  - wait: 2.5 s
  - mark: back
  - wait: 0.5 s
metrics:
  - {{name: overshoot, of: "({arm}.tool.z - at({arm}.tool.z, go)) / (-4 cm)", from: go, to: there, stat: overshoot, target: 1, max: 10 %}}
  - {{name: back, of: "abs({arm}.tool.z - at({arm}.tool.z, pushed))", from: back, stat: peak, max: 6 mm}}
"""
RESTS = '  - {{name: {mark} {joint}, of: truth.{joint}.v, from: {mark}, to: {to}, stat: peak, max: 0.02 rad/s}}\n'


class PublishedArmsInCartesian(unittest.TestCase):
    def holds(self, robot: str, condition: str):
        delay, is_bare, torque = CONDITIONS[condition]
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
        text += f"\ndelay_cycles: {delay}\n" + ("defaults: {board: {armature: 0}}\n" if is_bare else "") + "joints:\n"
        text += "".join(f"  {joint}: {{start: {q}}}\n" for joint, q in zip(joints, POSES[robot]))
        written.write_text(text)
        body = "right_hand" if tool == "ee" else tool  # the xArm's is a site of that body
        scenario = STEPS.format(arm=arm, body=body, torque=torque)
        for joint in joints:
            scenario += RESTS.format(mark="held", to="go", joint=joint)
        (folder / "cartesian.yaml").write_text(scenario)
        done = subprocess.run([PROGRAM, "run", str(folder / "cartesian.yaml"), "--no-report", "--logs", "failed", "--out",
                               str(folder / "out")], capture_output=True, text=True, timeout=300)
        result = json.loads((folder / "out" / "result.json").read_text())
        self.assertEqual(done.returncode, 0, json.dumps([s["reason"] for s in result["scenarios"]]) + done.stderr)


def case(robot: str, condition: str):
    return lambda self: self.holds(robot, condition)


for each_robot in POSES:
    for each_condition in CONDITIONS:
        setattr(PublishedArmsInCartesian, f"test_{each_robot}_{each_condition}", case(each_robot, each_condition))


if __name__ == "__main__":
    main()
