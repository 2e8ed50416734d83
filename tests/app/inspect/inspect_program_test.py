"""A robot of one's own: `jointrig inspect` opens URDF and MJCF, says what is missing, and writes a robot.yaml
with which an arm moves its tool at once."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import share  # noqa: E402

PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
PUBLISHED = next(pathlib.Path(".deps/venv/lib").resolve().glob("python3*/site-packages/robosuite/models/assets"),
                 None)
ENVIRONMENT = {name: value for name, value in os.environ.items()
               if name not in ("ROS_PACKAGE_PATH", "AMENT_PREFIX_PATH")}

REACH = """\
schema: 1
scenario: reach
about: The tool goes towards a target 5 cm away, on each axis; a start that is stretched out gives way on two.
robot: robot.yaml
steps:
  - set_mode: {joints: ARM, mode: cartesian}
  - mark: begin
  - move_tool: {arm: ARM, by: [-5 cm, -5 cm, -5 cm], timeout: 10 s}
  - wait: 3 s
  - expect: "hypot(ARM.tool.x - at(ARM.tool.x, begin), ARM.tool.y - at(ARM.tool.y, begin)) > 2 cm"
"""

# Calls that no board can lack: they need none of its drive modes.
ON_EVERY_BOARD = {"stop", "cancel", "set_filter", "remove_filter", "set_joint_limits", "clear_joint_limits",
                  "set_collision_protection", "set_tool_coordinates"}


@unittest.skipIf(PUBLISHED is None, "the test set of Python packages is not installed")
class Inspect(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="jointrig_inspect_"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def jointrig(self, *words: str, code: int = 0, **more: str) -> str:
        done = subprocess.run([PROGRAM, *words], cwd=self.folder, env=ENVIRONMENT | more, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120, check=False)
        self.assertEqual(done.returncode, code, f"{words}\n{done.stdout}")
        return re.sub(r"\s+", " ", done.stdout)

    def urdf(self, name: str) -> str:
        return str(PUBLISHED / "bullet_data" / name)

    def test_a_urdf_has_a_motor_at_each_joint_and_is_checked_as_it_is(self):
        panda = self.urdf("panda_description/urdf/panda_arm.urdf")
        self.assertIn("7 joints controlled", self.jointrig("inspect", panda))
        self.assertIn("PASS hold", self.jointrig("check", panda, "--only", "hold", "--out", "-"))

    def test_missing_meshes_are_named_with_where_they_were_looked_for(self):
        source = pathlib.Path(self.urdf("panda_description/urdf/panda_arm_hand.urdf")).read_text()
        (self.folder / "arm.urdf").write_text(source)
        said = self.jointrig("inspect", "arm.urdf", code=2)
        self.assertIn("can't find the collision meshes package://panda_description/meshes/collision/", said)
        self.assertIn("ROS_PACKAGE_PATH (not set)", said)
        packages = str(PUBLISHED / "bullet_data")
        said = self.jointrig("inspect", "arm.urdf", "--package-path", packages)
        self.assertIn("87 N·m URDF's effort", said)
        self.assertIn("2.17 rad/s", said)
        self.assertIn("opened without the visual meshes", said)
        self.jointrig("inspect", "arm.urdf", ROS_PACKAGE_PATH=packages)

    def test_the_robot_file_of_a_urdf_moves_the_tool_at_once(self):
        for path, tool in (("panda_description/urdf/panda_arm_hand.urdf", "panda_hand"),
                           ("sawyer_description/urdf/sawyer_arm.urdf", "right_l6"),
                           ("baxter_description/urdf/baxter_arm.urdf", "right_hand")):
            with self.subTest(path=path):
                self.assertEqual(self.reach(self.urdf(path)), tool)
                self.assertIn("motors: true", (self.folder / "robot.yaml").read_text())

    def test_the_robot_file_of_an_mjcf_moves_the_tool_at_once(self):
        for path in ("panda", "ur5e", "iiwa", "jaco", "kinova3", "sawyer"):
            with self.subTest(path=path):
                self.reach(str(PUBLISHED / "robots" / path / "robot.xml"))

    def reach(self, model: str, *more: str) -> str:
        """Writes the robot's file, moves its first arm, and returns the tool's name."""
        (self.folder / "robot.yaml").unlink(missing_ok=True)
        self.jointrig("inspect", model, *more, "--write", "robot.yaml")
        arm, tool = re.search(r"\narms:\n  (\w+): {part: \w+, tool: (\w+)}",
                              (self.folder / "robot.yaml").read_text()).groups()
        self.assertIn(f" {arm} {tool} where it is mounted", self.jointrig("inspect", "robot.yaml"))
        (self.folder / "reach.yaml").write_text(REACH.replace("ARM", arm))
        self.jointrig("run", "reach.yaml", "--out", "-")
        return tool

    def test_a_tool_that_is_not_there_is_refused_with_the_nearest_name(self):
        panda = self.urdf("panda_description/urdf/panda_arm_hand.urdf")
        self.jointrig("inspect", panda, "--write", "robot.yaml")
        file = self.folder / "robot.yaml"
        file.write_text(file.read_text().replace("tool: panda_hand", "tool: panda_hnd"))
        said = self.jointrig("inspect", "robot.yaml", code=2)
        self.assertIn('there is no site or body "panda_hnd"; did you mean "panda_hand"?', said)

    def modes(self, robot: str, corner: str = "mode") -> dict[str, list[str]]:
        """The table of modes, or another: the cells of each row, by groups of joints."""
        done = subprocess.run([PROGRAM, "inspect", robot], cwd=self.folder, env=ENVIRONMENT, text=True,
                              capture_output=True, timeout=120, check=True)
        table = re.search(rf"^{corner}  .*\n((?:\S.*\n)+)", done.stdout, re.MULTILINE)[1]
        return {row[0]: row[1:] for row in (re.split(r"  +", line.strip()) for line in table.splitlines())}

    def test_modes_that_a_board_lacks_are_emulated_or_impossible_and_it_says_why(self):
        (self.folder / "robot.yaml").write_text(f"""\
schema: 1
model: {PUBLISHED / "robots/ur5e/robot.xml"}
defaults: {{board: {{drive_modes: [off, position]}}}}
joints:
  elbow_joint: {{board: {{drive_modes: ["off", velocity, impedance]}}}}
  wrist_3_joint: {{board: {{drive_modes: [torque, position]}}}}
""")
        modes = self.modes("robot.yaml")
        # Columns: the joints that take positions alone, the elbow, the wrist.
        self.assertEqual(modes["position"], ["native", "by velocity", "by torque"])
        self.assertEqual(modes["velocity"], ["by position", "native", "by torque"])
        self.assertEqual(modes["these four, compliant"], ["no: it has no torque, no impedance", "native", "by torque"])
        self.assertEqual(modes["torque"], ["no: it has no torque", "no: it has no torque", "native"])
        self.assertEqual(modes["openloop"], ["no: it has no duty"] * 3)
        self.assertEqual(modes["idle"], ["native", "native", "by position"])
        self.assertEqual(modes["cartesian"], ["no: in no arm"] * 3)
        calls = self.modes("robot.yaml", "call on sim")
        self.assertEqual(calls["set_velocity"], ["by position", "native", "by torque"])
        self.assertEqual(calls["set_torque"], ["no: it has no torque", "no: it has no torque", "native"])
        self.assertEqual(calls["set_pid_gains"], ["without effect: its board closes the loop"] * 2 + ["native"])
        self.assertEqual(calls["move_to"], ["planned, by position", "planned, by velocity", "planned, by torque"])
        self.assertEqual(calls["move_linear"], ["no: in no arm"] * 3)
        kinematic = self.modes("robot.yaml", "call on kinematic")  # takes positions first, and no torque
        self.assertEqual(kinematic["set_velocity"], ["by position"])
        self.assertEqual(kinematic["set_torque"], ["no: it has no torque"])

    def test_every_call_that_commands_has_a_row(self):
        calls = set()
        for file, name in (("robot", "RobotPart"), ("robot_arm", "RobotArm"), ("robot_gripper", "RobotGripper")):
            header = pathlib.Path(f"app/robot/{file}.h").read_text()
            public = re.search(rf"^class {name} .*?^ (?:protected|private):", header, re.MULTILINE | re.DOTALL)[0]
            calls |= set(re.findall(r"^  void (\w+)\(", public, re.MULTILINE))
        self.assertGreater(len(calls), 30)
        rows = self.modes(str(pathlib.Path("models/franka/robot.yaml").resolve()), "call on sim")
        self.assertEqual(calls - ON_EVERY_BOARD, set(rows))
        self.assertEqual(ON_EVERY_BOARD - calls, set())
        # Columns: the arm, the fingers.
        self.assertEqual(rows["follow_with"], ["planned, by torque", "no: in no arm"])
        self.assertEqual(rows["append_move_to"], ["planned, by torque"] * 2)
        self.assertEqual(rows["set_cartesian_velocity"], ["emulated, by torque", "no: in no arm"])
        self.assertEqual(rows["grasp"], ["no: in no gripper", "planned, by torque"])
        kinematic = self.modes(str(pathlib.Path("models/franka/robot.yaml").resolve()), "call on kinematic")
        self.assertEqual(set(kinematic), set(rows))
        self.assertEqual(kinematic["move_linear_with"], ["no: it has no torque", "no: in no arm"])
        self.assertEqual(kinematic["grasp"], ["no: in no gripper", "no: it has no torque"])
        self.assertEqual(kinematic["set_gravity_compensation"], ["the load alone", "no: in no arm"])

    def test_drives_on_a_slow_bus_close_their_loops_themselves(self):
        modes = self.modes(str(pathlib.Path("models/franka/two_wires.yaml").resolve()))
        self.assertEqual(modes["position"], ["native"])
        self.assertEqual(modes["torque"], ["no: a cycle of 4 ms, over 2"])

    def test_a_xacro_is_refused_with_the_command_that_makes_a_urdf_of_it(self):
        (self.folder / "arm.urdf.xacro").write_text("<robot/>")
        said = self.jointrig("inspect", "arm.urdf.xacro", code=2)
        self.assertIn("xacro arm.urdf.xacro > arm.urdf, or without ROS", said)
        self.assertIn("xacrodoc arm.urdf.xacro -o arm.urdf", said)

    def test_a_urdf_with_macros_in_it_is_a_xacro_whatever_its_name(self):
        (self.folder / "arm.urdf").write_text(
            '<robot xmlns:xacro="http://www.ros.org/wiki/xacro" name="arm">\n  <link name="world"/>\n'
            '  <xacro:arm prefix="" parent_link="world"/>\n</robot>')
        said = self.jointrig("check", "arm.urdf", code=2)
        self.assertIn("xacro arm.urdf > arm_expanded.urdf, or without ROS", said)

    def test_a_urdf_in_which_xacro_left_what_nothing_defines_is_a_urdf(self):
        (self.folder / "arm.urdf").write_text(
            '<robot xmlns:xacro="http://www.ros.org/wiki/xacro" name="arm"><link name="base"/>\n'
            '<!--xacro:property name="left" value="1"/>\n<xacro:property name="right" value="2"/-->\n'
            '<link name="upper"><inertial><mass value="1"/><origin xyz="0 0 0.1"/>\n'
            '<inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>\n'
            '<visual><geometry><box size="0.1 0.1 0.2"/></geometry><xacro:grey/></visual></link>\n'
            '<joint name="hinge" type="revolute"><parent link="base"/><child link="upper"/>\n'
            '<axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="10" velocity="2"/></joint></robot>')
        self.assertIn("xacro:grey", self.jointrig("inspect", "arm.urdf"))


def finger(name: str, side: int) -> str:
    """Two hinges that one tendon bends, towards the other finger."""
    hinge = f'axis="0 {-side} 0" range="0 1.2" armature="0.0005" damping="0.01"'
    return (f'<body name="{name}" pos="{0.05 * side} 0 0"><joint name="{name}_middle" {hinge}/>'
            '<geom type="capsule" fromto="0 0 0 0 0 0.04" size="0.004" mass="0.03"/>'
            f'<body name="{name}_tip" pos="0 0 0.04"><joint name="{name}_distal" {hinge}/>'
            '<geom type="capsule" fromto="0 0 0 0 0 0.03" size="0.005" mass="0.02"/></body></body>')


HAND = f"""<mujoco model="hand"><compiler angle="radian"/><worldbody>{finger("left", -1)}{finger("right", 1)}
<body name="block" pos="0 0 0.064" gravcomp="1"><freejoint/><geom type="box" size="0.015 0.02 0.02" mass="0.05"/></body>
</worldbody><tendon>
<fixed name="left"><joint joint="left_middle" coef="1"/><joint joint="left_distal" coef="1"/></fixed>
<fixed name="right"><joint joint="right_middle" coef="1"/><joint joint="right_distal" coef="1"/></fixed>
</tendon><actuator>
<position tendon="left" kp="2" ctrlrange="0 2.4" forcerange="-1 1"/>
<position tendon="right" kp="2" ctrlrange="0 2.4" forcerange="-1 1"/>
</actuator></mujoco>"""

# Between the tips, when both joints of a finger are at q: 2 (50 mm - 40 mm sin q - 30 mm sin 2q).
HAND_FILE = """\
schema: 1
model: tied.xml
grippers:
  hand: {joints: [left_middle, right_middle], open: 0, closed: 0.59, force_max: 10 N,
         width: [0, 19.3 mm, 43.4 mm, 70.8 mm, 100 mm]}
"""

GRASP = """\
schema: 1
scenario: grasp
about: A hand whose tendons bend two joints each closes on a block 30 mm wide, holds it, and lets it go.
robot: robot.yaml
requires: [torque]
steps:
  - set_mode: {joints: all, mode: position}
  - gripper: {do: open}
  - gripper: {do: grasp, force: 3 N, becomes: grasped}
  - wait: 1 s
  - expect:
      - gripper.hand.width > 35 mm
      - gripper.hand.width < 42 mm
      - abs(gripper.hand.force - 3 N) < 0.5 N
  - gripper: {do: open}
  - expect: gripper.hand.state == open
"""


class Tendons(unittest.TestCase):
    def test_the_lines_that_inspect_prints_have_a_hand_of_tendons_grasp(self):
        with tempfile.TemporaryDirectory() as place:
            folder = pathlib.Path(place)

            def jointrig(*words: str, code: int = 0) -> str:
                done = subprocess.run([PROGRAM, *words], cwd=folder, text=True, stdout=subprocess.PIPE,
                                      stderr=subprocess.STDOUT, timeout=120, check=False)
                self.assertEqual(done.returncode, code, done.stdout)
                return done.stdout

            (folder / "hand.xml").write_text(HAND)
            said = jointrig("inspect", "hand.xml", code=1)
            self.assertIn("no joint can be controlled", said)
            lines = re.search(r"<equality>.*</equality>", said, re.S).group()
            (folder / "tied.xml").write_text(f'<mujoco><include file="hand.xml"/>{lines}</mujoco>')
            said = jointrig("inspect", "tied.xml")
            self.assertIn("2 joints controlled", said)
            self.assertNotIn("<equality>", said)
            (folder / "robot.yaml").write_text(HAND_FILE)
            (folder / "grasp.yaml").write_text(GRASP)
            jointrig("run", "grasp.yaml", "--out", "-")


if __name__ == "__main__":
    share.main()
