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

import mujoco
import numpy

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
# Default stiffness: in physics a force F moves the tool by F/k, with the k that the arm says, between floor and cap.
SAGS = """\
schema: 1
scenario: sags
about: the default stiffness, in physics
robot: robot.yaml
requires: [torque, truth, disturbances]
config: {{plant: {{friction_scale: 0}}}}
setup:
  - set_mode: {{joints: all, mode: position}}
  - wait: 0.5 s
  - set_mode: {{joints: {arm}, mode: cartesian}}
  - wait: 1 s
steps:
  - mark: go
  - force: {{body: {body}, force: [0, 0, -8]}}
  - wait: 4 s
  - expect:
      - abs({arm}.stiffness.z * (at({arm}.tool.z, go) - {arm}.tool.z) / 8 - 1) < 0.05
      - {arm}.stiffness.z >= 600
      - {arm}.stiffness.z <= 1300
"""
AXES = ["x", "y", "z", "rx", "ry", "rz"]
READS = """\
schema: 1
scenario: reads
about: the default stiffness, as the arm says it
robot: robot.yaml
requires: [torque]
steps:
  - wait: 10 ms
metrics:
"""
READ = "  - {{name: {axis}, of: {arm}.stiffness.{axis}, stat: peak, max: 1e9}}\n"
RESTS = '  - {{name: {mark} {joint}, of: truth.{joint}.v, from: {mark}, to: {to}, stat: peak, max: 0.02 rad/s}}\n'


class PublishedArmsInCartesian(unittest.TestCase):
    def prepared(self, robot: str, delay: int, is_bare: bool):
        """A folder with its robot.yaml; the names of arm and joints, the body of the tool."""
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
        return folder, arm, joints, body

    def passes(self, folder: pathlib.Path, scenario: str):
        (folder / "cartesian.yaml").write_text(scenario)
        done = subprocess.run([PROGRAM, "run", str(folder / "cartesian.yaml"), "--no-report", "--logs", "failed", "--out",
                               str(folder / "out")], capture_output=True, text=True, timeout=300)
        result = json.loads((folder / "out" / "result.json").read_text())
        self.assertEqual(done.returncode, 0, json.dumps([s["reason"] for s in result["scenarios"]]) + done.stderr)
        return result["scenarios"][0], done.stdout

    def holds(self, robot: str, condition: str):
        delay, is_bare, torque = CONDITIONS[condition]
        folder, arm, joints, body = self.prepared(robot, delay, is_bare)
        scenario = STEPS.format(arm=arm, body=body, torque=torque)
        for joint in joints:
            scenario += RESTS.format(mark="held", to="go", joint=joint)
        _, told = self.passes(folder, scenario)
        self.assertNotIn("its loop (cartesian) swings up", told)

    def test_a_default_stiffness_is_two_hertz_on_the_inertia_that_mujoco_has_at_the_tool(self):
        """k = (4 pi)^2 / (J M^-1 J')_ii without the motors' inertia, between 600 and 1300 N/m, 20 and 30 N m/rad."""
        above_the_floor = 0
        for robot in ("jaco", "iiwa", "panda"):
            folder, arm, joints, body = self.prepared(robot, 1, True)
            result, _ = self.passes(folder, READS.format(arm=arm) + "".join(READ.format(arm=arm, axis=a) for a in AXES))
            read = [next(v["value"] for v in result["verdicts"] if v["name"] == axis) for axis in AXES]
            mobility = mobility_of(robot, joints, body)
            expected = (4 * math.pi)**2 / numpy.maximum(numpy.diag(mobility), 1e-9)
            expected = numpy.clip(expected, [600] * 3 + [20] * 3, [1300] * 3 + [30] * 3)
            numpy.testing.assert_allclose(read, expected, rtol=1e-6)
            above_the_floor += sum(expected > [600] * 3 + [20] * 3)
        self.assertGreater(above_the_floor, 1)

    def test_a_force_moves_a_tool_by_force_over_its_default_stiffness(self):
        for robot in ("jaco", "ur5e"):
            folder, arm, _, body = self.prepared(robot, 1, False)
            self.passes(folder, SAGS.format(arm=arm, body=body))


def mobility_of(robot: str, joints: list[str], body: str):
    """J M^-1 J' along the axes of the arm's base."""
    model = mujoco.MjModel.from_xml_path(str(ROBOTS / robot / "robot.xml"))
    data = mujoco.MjData(model)
    for joint, q in zip(joints, POSES[robot]):
        data.joint(joint).qpos[0] = q
    mujoco.mj_forward(model, data)
    jacobian = numpy.zeros((6, model.nv))
    mujoco.mj_jacBody(model, data, jacobian[:3], jacobian[3:], model.body(body).id)
    base = model.body_parentid[model.joint(joints[0]).bodyid[0]]
    axes = data.xmat[base].reshape(3, 3)
    jacobian = numpy.vstack([axes.T @ jacobian[:3], axes.T @ jacobian[3:]])
    solved = numpy.zeros_like(jacobian)
    mujoco.mj_solveM(model, data, solved, jacobian)
    return jacobian @ solved.T


def case(robot: str, condition: str):
    return lambda self: self.holds(robot, condition)


for each_robot in POSES:
    for each_condition in CONDITIONS:
        setattr(PublishedArmsInCartesian, f"test_{each_robot}_{each_condition}", case(each_robot, each_condition))


if __name__ == "__main__":
    main()
