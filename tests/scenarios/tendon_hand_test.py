"""A hand whose fingers one actuator drives over a tendon: found, opened, pressing with the force that is asked for."""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = sys.argv.pop(1)

# The right finger goes half as far as the left one, which leads: R = 0.5 + 0.5 x 0.5.
HAND = """\
<mujoco>
  <option gravity="0 0 0"/>
  <default><geom solref="0.004 1" solimp="0.99 0.999 0.0001"/></default>
  <worldbody>
    <body name="palm">
      <geom type="box" size="0.03 0.08 0.01" pos="0 0 -0.05" mass="1"/>
      <body name="left">
        <joint name="left_finger" type="slide" axis="0 1 0" range="0 0.04" damping="2" armature="0.1"/>
        <geom type="box" size="0.01 0.005 0.03" pos="0 0.005 0" mass="0.1"/>
      </body>
      <body name="right">
        <joint name="right_finger" type="slide" axis="0 -1 0" range="0 0.02" damping="2" armature="0.1"/>
        <geom type="box" size="0.01 0.005 0.03" pos="0 -0.005 0" mass="0.1"/>
      </body>
    </body>
    <body name="block" pos="0 0.004 0"><freejoint/><geom type="box" size="0.01 0.01 0.01" mass="0.1"/></body>
  </worldbody>
  <contact><exclude body1="left" body2="right"/></contact>
  <tendon>
    <fixed name="split">
      <joint joint="left_finger" coef="0.5"/>
      <joint joint="right_finger" coef="0.5"/>
    </fixed>
  </tendon>
  {equality}
  <keyframe><key name="home" qpos="0.04 0.02 0 0.004 0 1 0 0 0"/></keyframe>
  <actuator>
    <general name="hand" tendon="split" ctrlrange="0 255" forcerange="-100 100" gainprm="0.01 0 0" biastype="affine"
             biasprm="0 -100 -10"/>
  </actuator>
</mujoco>
"""

TIED = """<equality>
    <joint joint1="right_finger" joint2="left_finger" polycoef="0 0.5 0 0 0" solref="0.002 1"
           solimp="0.99 0.999 0.0001"/>
  </equality>"""

# The block is free, so that both fingers press on it equally. By the principle of virtual work the leader's torque is
# F dw/dq, and w = q (1 + 0.5).
SQUEEZE = """\
schema: 1
scenario: squeeze
about: Squeezes a free block.
robot: {robot}
setup:
  - set_mode: {{joints: all, mode: position}}
  - gripper: {{gripper: {gripper}, do: open}}
  - expect: [abs(left_finger.q - 40 mm) < 1 mm]
steps:
  - gripper: {{gripper: {gripper}, do: grasp, force: {force} N}}
  - wait: 1 s
  - expect:
      - gripper.{gripper}.state == grasped
      - abs(contact.left.force - {force}) < 0.02 * {force}
      - abs(contact.right.force - {force}) < 0.02 * {force}
      - abs(left_finger.tau_cmd + 1.5 * {force}) < 0.02 * {force}
      - abs(gripper.{gripper}.width - 20 mm) < 0.5 mm
"""


def jointrig(*arguments: str, timeout: float = 120):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=timeout)


class TendonHand(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def inspect(self, equality: str):
        model = self.folder / "hand.xml"
        model.write_text(HAND.replace("{equality}", equality))
        return jointrig("inspect", str(model), "--write", str(self.folder / "hand.yaml"))

    def test_it_is_one_gripper_that_presses_with_the_force_that_is_asked_for(self):
        found = self.inspect(TIED)
        self.assertEqual(found.returncode, 0, found.stdout + found.stderr)
        words = " ".join(found.stdout.split())
        self.assertIn('drives joint "left_finger", which all joints of tendon "split" (left_finger, right_finger) '
                      "follow, with 0.75 x its force", words)
        text = (self.folder / "hand.yaml").read_text()
        self.assertIn("grippers:", text)
        name = text.split("grippers:")[1].split(":")[0].split()[-1]
        for force in (5, 20):
            case = self.folder / "squeeze.yaml"
            case.write_text(SQUEEZE.format(robot=self.folder / "hand.yaml", gripper=name, force=force))
            run = jointrig("run", str(case), "--no-report", "--overwrite", "--out", str(self.folder / "out"))
            self.assertEqual(run.returncode, 0, run.stdout + run.stderr)

    def test_fingers_that_nothing_ties_stay_on_their_tendon_and_the_remedy_is_told(self):
        found = self.inspect("")
        words = " ".join(found.stdout.split())
        self.assertIn('acts on tendon "split" of joints left_finger, right_finger', words)
        self.assertIn("tie them to one by joint equalities in the model, or give each an actuator of its own", words)


if __name__ == "__main__":
    unittest.main()
