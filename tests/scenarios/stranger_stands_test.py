"""A humanoid that is not ours stands by the whole-body controller and is pushed, in each of its modes: Fourier's GR1 as
robosuite publishes it. Its robot.yaml names feet, hands, head, chest and pelvis, and a mode where it isn't the usual one.

    python stranger_stands_test.py PROGRAM [unittest options]
"""

import importlib.util
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = sys.argv.pop(1) if len(sys.argv) > 1 and not sys.argv[1].startswith("-") else ""
SPEC = importlib.util.find_spec("robosuite")
MODEL = pathlib.Path(SPEC.origin).parent / "models/assets/robots/gr1/robot.xml" if SPEC else None

# The soles are the undersides of the boxes that touch, 0.24 m x 0.16 m.
ROBOT = """
schema: 1
name: gr1
model: {model}
whole_body:
  feet:
    left: {{frame: l_foot_roll, centre: [50 mm, 0, -65 mm], size: [240 mm, {width} mm]}}
    right: {{frame: r_foot_roll, centre: [50 mm, 0, -65 mm], size: [240 mm, {width} mm]}}
  hands: {{left: l_wrist_site, right: r_wrist_site}}
  head: head
  chest: chest
  pelvis: pelvis
"""
VIRTUAL_MODEL = "  mode: virtual_model\n"
# Loops of drives that take positions alone: the ankles together hold more than m g z, 450 N·m/rad.
INVERSE_KINEMATICS = """  mode: inverse_kinematics
defaults: {kp: 4000 Nm/rad, ki: 0, kd: 80 Nms/rad, board: {drive_modes: [off, position]}}
"""

# 12 N·s on 54 kg are 0.22 m/s. With the centre of mass 0.85 m up (ω = 3.4 1/s) that is half of ω d
# ahead (d = 0.12 m) and a third aside (d = 0.185 m).
SCENARIO = """
schema: 1
scenario: stranger_stands
robot: {robot}
requires: [{requires}disturbances, truth]
timeout: {{sim: 60 s}}
setup:
  - set_mode: {{joints: all, mode: position}}
  - wait: 0.3 s
steps:
  - set_mode: {{joints: all, mode: {mode}}}
  - wait: {{until: law.whole_body.state == runs, timeout: 3 s}}
  - wait: {settles}
  - mark: settled
  - wait: 2 s
  - mark: stood
  - force: {{body: torso_waist_roll, force: [{push} N, 0, 0], for: 0.1 s}}
  - wait: 2.5 s
  - force: {{body: torso_waist_roll, force: [0, {push} N, 0], for: 0.1 s}}
  - wait: 2.5 s
  - force: {{body: torso_waist_roll, force: [0, -{push} N, 0], for: 0.1 s}}
  - wait: 2.5 s
  - mark: end
assert:
  always:
    - {{expr: law.whole_body.state == runs, from: settled, name: it stands by the controller alone}}
    - {{expr: law.whole_body.unsolved == 0, from: settled, name: the program has a solution in every cycle}}
    - {{expr: "abs(body.base.x - at(body.base.x, settled)) < 2 mm", from: settled, to: stood, name: it does not drift}}
    - {{expr: "abs(body.base.y - at(body.base.y, settled)) < 2 mm", from: settled, to: stood, name: nor aside}}
  never:
    - {{event: gave_way.whole_body, name: no constraint gives way}}
  at_end:
    - {{expr: "at(body.base.z, end) > at(body.base.z, settled) - 1 cm", name: it is as high as before}}
    - {{expr: "abs(at(body.base.x, end) - at(body.base.x, stood)) < 3 cm", name: and where it was}}
{weight}"""
# By inverse kinematics a foot's force is that of its sensor, and this robot has none.
WEIGHT = """    # 53.99 kg x 9.81 m/s² = 529.7 N
    - {expr: "abs(at(law.whole_body.left_force, stood) + at(law.whole_body.right_force, stood) - 530 N) < 15 N", name: its feet carry its weight}
"""


@unittest.skipUnless(MODEL and MODEL.exists(), "robosuite is not installed: bash scripts/setup.sh test")
class Stranger(unittest.TestCase):
    def run_it(self, push=120, width=160, settings="", mode="torque", settles="3 s", weight=WEIGHT):
        """Outcome, and what the program said. @param settings  of whole_body, and what is below it"""
        with tempfile.TemporaryDirectory() as folder:
            robot, scenario = pathlib.Path(folder, "robot.yaml"), pathlib.Path(folder, "stands.yaml")
            robot.write_text(ROBOT.format(model=MODEL, width=width) + settings)
            scenario.write_text(SCENARIO.format(robot=robot, push=push, mode=mode, requires="torque, " if mode == "torque" else "", settles=settles, weight=weight))
            out = pathlib.Path(folder, "out")
            done = subprocess.run([PROGRAM, "run", str(scenario), "--no-report", "--logs", "failed", "--out", str(out)],
                                  capture_output=True, text=True, timeout=280)
            result = out / "result.json"
            self.assertTrue(result.exists(), done.stdout + done.stderr)
            return json.loads(result.read_text())["scenarios"][0]["outcome"], done.stdout + done.stderr

    def test_it_stands_and_is_pushed_from_three_sides(self):
        outcome, said = self.run_it()
        self.assertEqual(outcome, "passed", said)

    def test_by_a_virtual_model_it_stands_and_is_pushed_as_well(self):
        outcome, said = self.run_it(settings=VIRTUAL_MODEL, settles="10 s")
        self.assertEqual(outcome, "passed", said)

    def test_by_inverse_kinematics_it_stands_and_is_pushed_on_the_stiffness_of_its_drives(self):
        outcome, said = self.run_it(settings=INVERSE_KINEMATICS, mode="position", settles="8 s", weight="")
        self.assertEqual(outcome, "passed", said)

    def test_a_push_beyond_what_its_feet_bear_is_a_fall_that_is_told(self):
        outcome, said = self.run_it(push=450)
        self.assertNotEqual(outcome, "passed", said)
        self.assertIn("the robot falls", said)


if __name__ == "__main__":
    unittest.main()
