"""Published robots pass every kind of the check by the default law, with no line of configuration: as they are. They
hold and move with links that are 20 % heavier or lighter than the model's, and, also by their tools, with two more
cycles of delay. Steps of encoders of 14 bits are no contact. A motion that a robot's motors can't do is told with their
numbers.

    python published_arms_check_test.py PROGRAM
"""

import importlib.util
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[2]))
from support.share import main  # noqa: E402

PROGRAM = sys.argv.pop(1)
ROBOTS = pathlib.Path(importlib.util.find_spec("robosuite").submodule_search_locations[0]) / "models/assets/robots"

ARMS = ["baxter", "iiwa", "jaco", "kinova3", "panda", "sawyer", "spot_arm", "ur5e", "xarm7"]
EVERY = ("hold,move,direct,velocity,mixed,torque,openloop,idle,timeout,stop,push,load,guide,cartesian")
# A tool on a spring sags by the weight that the model lacks: F/K is no measure of heavier links.
KINDS = {"as_published": EVERY, "heavier": "hold,move", "lighter": "hold,move",
         "late": "hold,move,guide,cartesian", "noisy": "guide",
         "coarse": "hold,move,timeout"}
SETTINGS = {"as_published": [], "heavier": ["--set", "plant.mass_scale=1.2"],
            "lighter": ["--set", "plant.mass_scale=0.8"], "late": ["--set", "delay_cycles=3"],
            "noisy": ["--set", "plant.encoder_noise=0.01 mrad"],
            "coarse": ["--set", "defaults.board.encoder_step=0.3835 mrad"]}  # 2 pi / 2^14
# Arms that such encoders make sway by more than 0.2 deg, or nearly.
SWAYS = {"baxter", "kinova3", "sawyer", "spot_arm"}
# With a fifth more mass the shoulder of Spot's arm has 8 of its 33 N m left beside the weight: too little to brake.
LESS = {("spot_arm", "heavier"): "hold"}
# A speed that the numbers of motors leave no room for in the start pose is asked for less, and said. By hand: on Baxter's
# e0 half of 50 N m on 0.043 kg m² give 25/0.043 (2.8 ms + 5 ms) = 4.5 rad/s, since 2500 N m/s take 10 ms to 25 N m; 0.8
# of its 3.7 rad/s are given by 2500 (sqrt(2.8² + 2 * 0.043 * 0.8 * 3.7 / 2500 * 1e6) - 2.8) 1e-3 = 19 N m.
LIGHT = {
    "baxter": [r"light right_e0: pushed by 19[.\d]* N·m: 25 at once on its 0\.043 kg·m² would give 4\.51 rad/s before its "
               r"motor answers \(2\.8 ms later, by 2500 N·m/s\)",
               r"light right_e0: loaded in \d\d steps: its 45 N·m in 10 would turn its 0\.043 kg·m²"],
}
# Limits of a file that are more than a motor has beside its weight when all joints brake at once; the defaults aren't.
TOO_FAST = ["--set", "joints.arm_sh1.acceleration_max=10 rad/s^2", "--set", "joints.arm_el0.acceleration_max=10 rad/s^2"]
BLOW = """\
schema: 1
scenario: blow
about: an arm swings into a post that its controller doesn't know
robot: franka
requires: [torque, truth]
setup:
  - set_mode: {joints: all, mode: position}
  - home: {pose: home}
  - obstacle: {name: post, shape: cylinder, size: [5 cm, 30 cm], position: [0.19, 0.24, 0.5]}
steps:
  - move: {joints: {panda_joint1: 1.4}, speed: 0.8 rad/s, wait: false}
  - wait: {until: contact.post.force > 0 N, timeout: 3 s}
  - mark: touch
  - wait: {event: contact.arm.impact, timeout: 0.2 s}
assert:
  never:
    - {event: contact, to: touch, name: no alarm before it touches}
"""


class PublishedArms(unittest.TestCase):
    def check(self, arm: str, kinds: str, condition: str):
        return subprocess.run([PROGRAM, "check", str(ROBOTS / arm / "robot.xml"), "--only", kinds, "--out", "-",
                               *SETTINGS[condition]], capture_output=True, text=True, timeout=600)

    def passes(self, arm: str, condition: str):
        done = self.check(arm, LESS.get((arm, condition), KINDS[condition]), condition)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertNotIn("n/a", done.stdout)
        for why in LIGHT.get(arm, []) if condition == "as_published" else []:
            self.assertRegex(done.stdout, why)

    def test_joints_whose_stated_accelerations_take_more_than_a_motor_has_when_all_brake(self):
        done = subprocess.run([PROGRAM, "check", str(ROBOTS / "spot_arm/robot.xml"), "--only", "stop", "--out", "-",
                               *TOO_FAST], capture_output=True, text=True, timeout=600)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"weak  arm_sh1: its weight takes 21\.\d of its 33\.5 N·m, and all joints that brake at "
                                      r"their acceleration_max take 2\d\.\d more: .* reckoned with the weight of the start")

    def feels_no_contact(self, arm: str):
        done = self.check(arm, "move,velocity,timeout", "coarse")
        self.assertIn(done.returncode, (0, 1), done.stdout + done.stderr)
        self.assertNotIn("contact", done.stdout)
        self.assertNotIn("requirements were not reached", done.stdout)

    def test_a_blow_is_felt_through_encoders_of_14_bits(self):
        with tempfile.TemporaryDirectory() as folder:
            scenario = pathlib.Path(folder) / "blow.yaml"
            scenario.write_text(BLOW)
            done = subprocess.run([PROGRAM, "run", str(scenario), "--out", "-", "--set",
                                   "robot.joints.arm.board.encoder_step=0.3835 mrad"], capture_output=True, text=True,
                                  timeout=120)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_a_tool_whose_spring_has_no_damper_swings_and_fails(self):
        with tempfile.TemporaryDirectory() as folder:
            robot = pathlib.Path(folder) / "robot.yaml"
            subprocess.run([PROGRAM, "inspect", str(ROBOTS / "iiwa/robot.xml"), "--write", str(robot)],
                           capture_output=True, check=True, timeout=120)
            for setting, words in (("damping_ratio=0.05", "overshoot of arm|speed at rest of"),
                                   ("error_max=[2 mm, 2 mm, 2 mm, 0.6, 0.6, 0.6]", "way against F/K of arm")):
                with self.subTest(setting=setting):
                    done = subprocess.run([PROGRAM, "check", str(robot), "--only", "cartesian", "--out", "-", "--set",
                                           "arms.arm." + setting], capture_output=True, text=True, timeout=120)
                    self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
                    self.assertRegex(done.stdout, words)


def case(arm: str, condition: str):
    return lambda self: self.passes(arm, condition)


def case_without_contact(arm: str):
    return lambda self: self.feels_no_contact(arm)


for each_arm in ARMS:
    setattr(PublishedArms, f"test_{each_arm}_feels_no_contact_by_coarse_encoders", case_without_contact(each_arm))
    for each_condition in SETTINGS:
        if each_condition == "coarse" and each_arm in SWAYS:
            continue
        setattr(PublishedArms, f"test_{each_arm}_{each_condition}", case(each_arm, each_condition))


if __name__ == "__main__":
    main()
