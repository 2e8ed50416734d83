"""`jointrig check` on small robots: one that passes, and ones that are broken on purpose, of which each kind
fails for the right reason and says what to try.

    python check_program_test.py PROGRAM
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = sys.argv.pop(1)

KINDS = ["hold", "move", "direct", "velocity", "mixed", "torque", "openloop", "idle", "timeout", "stop",
         "push", "load", "guide", "cartesian"]

# Joints and actuators in another order, one motor turned round, a weight that pulls at both.
ARM = """\
<mujoco>
  <compiler angle="degree"/>
  <worldbody>
    <body name="upper" pos="0 0 0.6">
      <joint name="shoulder" axis="0 1 0" range="-170 170" damping="0.5" armature="0.2"/>
      <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03" mass="2"/>
      <body name="lower" pos="0.3 0 0">
        <joint name="elbow" axis="0 -1 0" range="-150 150" damping="0.3" armature="0.05"/>
        <geom type="capsule" fromto="0 0 0 0.25 0 0" size="0.025" mass="1"/>
        <site name="tip" pos="0.25 0 0"/>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor joint="elbow" ctrlrange="-12 12" gear="-1"/>
    <motor joint="shoulder" ctrlrange="-40 40"/>
  </actuator>
</mujoco>
"""

# Its elbow starts at its stop, in a pose from which the tool could move.
AXES = ["0 0 1", "1 0 0", "0 0 1", "0 1 0", "0 0 1", "0 1 0", "1 0 0"]
RANGES = ["-2.5 2.5", "-1.7 1.7", "-2 2", "0 2.4", "-2 2", "-1.5 1.5", "-1.5 1.5"]
PLACES = ["0 0 0.12", "0 0 0", "0 0 0.12", "0.06 0 0.12", "0 0 0.12", "0 0 0", "0 0 0.12"]
AT_ITS_STOP = (
    "<mujoco><compiler angle='radian'/><worldbody>" + "".join(
        f"<body name='link{i}' pos='{place}'><joint name='j{i}' axis='{axis}' range='{ends}' armature='0.02'/>"
        "<geom type='capsule' fromto='0 0 0 0 0 0.1' size='0.03' mass='0.6' contype='0' conaffinity='0'/>"
        for i, (axis, ends, place) in enumerate(zip(AXES, RANGES, PLACES))) + "</body>" * 7 +
    "</worldbody><actuator>" + "".join(f"<motor joint='j{i}' ctrlrange='-20 20'/>" for i in range(7)) +
    "</actuator><keyframe><key name='home' qpos='0 0.6 0 0 0 -0.9 0'/></keyframe></mujoco>")


# An arm that bends down, its tool 13 cm above what may stand below it.
SHORT = (0, 1, 5)
ABOVE = "<site name='tip' pos='0 0 0.1'/>" + "</body>" * 7
BENT = (
    "<mujoco><compiler angle='radian'/><worldbody>POST" + "".join(
        f"<body name='link{i}' pos='{place}'><joint name='j{i}' axis='{axis}' range='{ends}' armature='0.02'/>"
        f"<geom type='capsule' fromto='0 0 0 0 0 {0.02 if i in SHORT else 0.08}' size='0.02' mass='0.6'/>"
        for i, (axis, ends, place) in enumerate(zip([AXES[0], "0 1 0", *AXES[2:]], RANGES, PLACES))) + ABOVE +
    "</worldbody><actuator>" + "".join(f"<motor joint='j{i}' ctrlrange='-20 20'/>" for i in range(7)) +
    "</actuator><keyframe><key name='home' qpos='0 0.6 0 1.2 0 -0.6 0'/></keyframe></mujoco>")
BENT_ROBOT = """\
schema: 1
model: bent.xml
keyframe: home
parts: {whole: [j0, j1, j2, j3, j4, j5, j6]}
arms: {right: {part: whole, tool: tip}}
collision_avoidance: {on: true}
"""


def six_axes(effort: float, velocity: float) -> str:
    """A URDF of six hinges as exporters leave one: one effort for all, and a flange of 10 g without a tool."""
    text = "<robot name='six'><link name='base'/>"
    below, height = "base", 0.0
    for i, (length, axis, mass) in enumerate(((0.3, "0 0 1", 8), (0.3, "0 1 0", 5), (0.2, "0 1 0", 3), (0.15, "0 0 1", 2),
                                              (0.1, "0 1 0", 0.4), (0.02, "0 0 1", 0.01))):
        radius = 0.05 - 0.007 * i
        across, along = mass * (length ** 2 / 12 + radius ** 2 / 4), mass * radius ** 2 / 2
        text += (f"<link name='link{i}'><inertial><mass value='{mass}'/><origin xyz='0 0 {length / 2}'/><inertia "
                 f"ixx='{across}' iyy='{across}' izz='{along}' ixy='0' ixz='0' iyz='0'/></inertial></link>"
                 f"<joint name='j{i}' type='revolute'><parent link='{below}'/><child link='link{i}'/>"
                 f"<origin xyz='{0.03 if i == 2 else 0} 0 {height}'/><axis xyz='{axis}'/>"
                 f"<limit lower='-2.4' upper='2.4' effort='{effort}' velocity='{velocity}'/></joint>")
        below, height = f"link{i}", length
    return text + "</robot>"


# A four-bar linkage whose crank carries a leaf spring, about the same axis, and the rest behind it.
SPRINGY = """\
<mujoco><compiler angle="radian"/>
  <worldbody>
    <body><inertial pos="0 0 0.15" mass="0.3" diaginertia="0.003 0.003 0.001"/>
      <joint name="crank" axis="0 1 0" range="-1.2 1.2" armature="0.02"/>
      <body><inertial pos="0 0 0.3" mass="0.1" diaginertia="0.001 0.001 0.001"/>
        <joint name="leaf" axis="0 1 0" stiffness="600" damping="0.1"/>
        <body name="coupler" pos="0 0 0.3"><inertial pos="0.25 0 0" mass="2" diaginertia="0.001 0.05 0.05"/>
          <joint name="coupler" axis="0 1 0"/></body></body></body>
    <body name="rocker" pos="0.5 0 0"><inertial pos="0 0 0.15" mass="0.8" diaginertia="0.007 0.007 0.001"/>
      <joint name="rocker" axis="0 1 0"/></body>
  </worldbody>
  <equality><connect body1="coupler" body2="rocker" anchor="0.5 0 0"/></equality>
  <actuator><motor joint="crank" ctrlrange="-40 40"/></actuator>
</mujoco>
"""


def hand(fingers: int) -> str:
    """Fingers of two hinges beside each other on a palm that is fixed."""
    def finger(i: int) -> str:
        return (f"<body pos='0 {0.1 * i} 0.5'><joint name='near{i}' axis='0 1 0' range='-1 1' armature='0.01' damping='0.1'/>"
                "<geom type='capsule' fromto='0 0 0 0.1 0 0' size='0.01' mass='0.1'/><body pos='0.11 0 0'>"
                f"<joint name='far{i}' axis='0 1 0' range='-1 1' armature='0.005' damping='0.02'/>"
                "<geom type='capsule' fromto='0 0 0 0.06 0 0' size='0.01' mass='0.05'/></body></body>")
    motors = "".join(f"<motor joint='near{i}' ctrlrange='-2 2'/><motor joint='far{i}' ctrlrange='-1 1'/>" for i in range(fingers))
    return ("<mujoco><compiler angle='radian'/><worldbody>" + "".join(finger(i) for i in range(fingers)) + f"</worldbody><actuator>{motors}</actuator></mujoco>")


def pincers(apart: float) -> str:
    """Two hinges whose tips go towards one another, by 34 mm each on 10 degrees and a fifth more."""
    def side(name: str, at: float, turns: int) -> str:
        return (f"<body pos='0 {at} 0.5'><joint name='{name}' axis='0 0 {turns}' range='0 60' armature='0.02' damping='0.1'/>"
                "<geom type='capsule' fromto='0.02 0 0 0.16 0 0' size='0.005' mass='0.1'/></body>")
    return ("<mujoco><compiler angle='degree'/><worldbody>" + side("left", apart / 2, -1) + side("right", -apart / 2, 1) +
            "</worldbody><actuator><motor joint='left' ctrlrange='-3 3'/><motor joint='right' ctrlrange='-3 3'/></actuator></mujoco>")


WITH_A_TOOL = """\
schema: 1
model: arm.xml
parts: {whole: [shoulder, elbow]}
arms: {right: {part: whole, tool: tip}}
"""


def check(*arguments: str, timeout: float = 300):
    return subprocess.run([PROGRAM, "check", *arguments], capture_output=True, text=True, timeout=timeout)


def verdicts_of(text: str) -> dict[str, tuple[str, str]]:
    """Verdict and words of each kind."""
    found = {}
    for match in re.finditer(r"^(PASS|FAIL|STOP|TIME|ERROR|n/a) +(\w+) +(.*(?:\n {16}.*)*)", text, re.MULTILINE):
        found[match[2]] = (match[1], match[3])
    return found


class Check(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.arm = self.folder / "arm.xml"
        self.arm.write_text(ARM)
        self.robot = self.folder / "robot.yaml"
        self.robot.write_text(WITH_A_TOOL)

    def fails(self, kind: str, words: str, *settings: str, model: pathlib.Path | None = None) -> str:
        """Checks one kind of the arm with these settings; returns all that was printed."""
        with_set = [argument for setting in settings for argument in ("--set", setting)]
        done = check(str(model or self.arm), "--only", kind, "--out", "-", *with_set)
        verdict, said = verdicts_of(done.stdout).get(kind, ("", done.stdout + done.stderr))
        self.assertIn(verdict, ("FAIL", "STOP"), done.stdout + done.stderr)
        self.assertRegex(said, words)
        self.assertEqual(done.returncode, 1 if verdict == "FAIL" else 3)
        return done.stdout

    def test_an_arm_that_is_fine_passes_and_each_kind_tells_its_worst_number_and_joint(self):
        done = check(str(self.robot), "--out", str(self.folder / "out"))
        verdicts = verdicts_of(done.stdout)
        self.assertEqual(list(verdicts), KINDS, done.stdout + done.stderr)
        for kind, (verdict, words) in verdicts.items():
            with self.subTest(kind=kind):
                self.assertEqual(verdict, "PASS", done.stdout)
                self.assertRegex(words, r" of (elbow|shoulder|right) \S+ (deg|%), at (most|least) \S+ (deg|%)")

        stops = (self.folder / "out/stop/check.yaml").read_text()
        ends = (self.folder / "out/timeout/check.yaml").read_text()
        for joint in ("shoulder", "elbow"):
            for mode in ("POSITION", "VELOCITY", "TORQUE", "OPENLOOP"):
                self.assertIn(f"way beyond braking in {mode} of {joint}", stops)
                self.assertIn(f"drift after {mode} of {joint}", stops)
                if mode != "POSITION":
                    self.assertIn(f"drift after {mode} of {joint}", ends)

    def test_a_tool_goes_where_no_body_keeps_it_off(self):
        def way(post: str) -> str:
            (self.folder / "bent.xml").write_text(BENT.replace("POST", post))
            robot = self.folder / "bent.yaml"
            robot.write_text(BENT_ROBOT)
            out = self.folder / "bent"
            done = check(str(robot), "--only", "cartesian", "--out", str(out), "--overwrite")
            self.assertEqual(verdicts_of(done.stdout)["cartesian"][0], "PASS", done.stdout + done.stderr)
            return re.search(r"move_tool: \{arm: right, by: (.*?)\}", (out / "cartesian/check.yaml").read_text())[1]
        self.assertEqual(way(""), "[0, 0, -0.04]", "where it is lightest")
        # Below its last link: its tool comes within the distance at which avoidance stops it.
        post = "<body name='post'><geom type='box' pos='0.5 0 0.22' size='0.04 0.2 0.02'/></body>"
        self.assertRegex(way(post), r"^\[0, -?0.04, 0\]$")

    def test_a_tool_that_friction_slows_gets_the_time_that_it_takes(self):
        (self.folder / "arm.xml").write_text(
            ARM.replace('damping="0.5"', 'damping="16"').replace('damping="0.3"', 'damping="8"'))
        out = self.folder / "slow"
        done = check(str(self.robot), "--only", "cartesian", "--out", str(out))
        self.assertEqual(verdicts_of(done.stdout)["cartesian"][0], "PASS", done.stdout + done.stderr)
        text = (out / "cartesian/check.yaml").read_text()
        waited = float(re.search(r"move_tool.*\n +- wait: (\S+) s", text)[1])
        self.assertGreater(waited, 0.8)

    def test_a_joint_that_friction_slows_is_asked_for_what_its_motor_keeps_up(self):
        # By hand, of 40 N m: 0.75 (0.9 * 40 - 7.11) = 21.7 N m against 200 N m s/rad.
        (self.folder / "arm.xml").write_text(ARM.replace('damping="0.5"', 'damping="200"'))
        done = check(str(self.arm), "--only", "move,velocity,mixed,stop", "--out", "-")
        self.assertEqual({verdict for verdict, _ in verdicts_of(done.stdout).values()}, {"PASS"}, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"slow  shoulder: a viscous friction of 200 N·m\*s/rad lets the motor's 40 N·m keep up 0\.11 rad/s, of a "
                                      r"velocity_max of [1-9]")
        self.assertEqual(done.stdout.count("slow  shoulder"), 1, "once, not in each kind:\n" + done.stdout)

    def test_a_joint_that_brakes_slowly_stays_in_mixed_on_the_way_that_is_free(self):
        # Half as far again as its goal, by the velocity that it has: by 59 mm where 50 mm are free.
        settings = ["collision_avoidance.on=true", "joints.elbow.velocity_max=0.92 rad/s",
                    "joints.elbow.acceleration_max=4.6 rad/s^2"]
        done = check(str(self.with_posts("0.735")), "--only", "move,mixed", "--joints", "elbow", "--out", "-",
                     *(word for setting in settings for word in ("--set", setting)))
        self.assertEqual({verdict for verdict, _ in verdicts_of(done.stdout).values()}, {"PASS"}, done.stdout + done.stderr)

    def test_what_is_said_of_many_joints_is_said_once_and_of_a_third_sort_by_name_alone(self):
        fingers = "".join(f"<body pos='0 {i / 5} 0.5'><joint name='finger{i}' axis='0 1 0' range='-1 1' "
                          f"armature='{0.004 + 0.001 * (i // 2)}'/>"
                          "<geom type='capsule' fromto='0 0 0 0.1 0 0' size='0.01' mass='0.05'/></body>" for i in range(5))
        hand = self.folder / "hand.xml"
        hand.write_text("<mujoco><worldbody>" + fingers + "</worldbody><actuator>" + "".join(
            f"<motor joint='finger{i}' ctrlrange='-12 12'/>" for i in range(5)) + "</actuator></mujoco>")
        arguments = (str(hand), "--only", "push", "--out", "-", "--set", "defaults.velocity_max=2 rad/s")
        done = check(*arguments)
        self.assertEqual(re.findall(r"light (.*): (pushed by|likewise)", done.stdout),
                         [("finger0, finger1", "pushed by"), ("finger2, finger3", "pushed by"), ("finger4", "likewise")],
                         done.stdout + done.stderr)
        self.assertEqual(len(re.findall(r"light finger\d: pushed by", check(*arguments, "-v").stdout)), 5)

    def test_a_joint_that_fails_as_its_friction_takes_most_of_its_motor_says_so(self):
        stuck = self.folder / "stuck.xml"
        stuck.write_text(
            "<mujoco><worldbody><body><joint name='finger' axis='0 0 1' range='-2 2' damping='3' armature='0.01' "
            "frictionloss='8'/><geom type='capsule' fromto='0 0 0 0.05 0 0' size='0.025' mass='0.05'/></body></worldbody>"
            "<actuator><motor joint='finger' ctrlrange='-12 12'/></actuator></mujoco>")
        self.assertIn("weak  finger: its friction takes 8 of its 12 N·m, its weight at the start 0",
                      self.fails("velocity", "speed off of finger", model=stuck))

    def test_a_joint_that_fails_as_a_tendon_ties_it_to_another_says_so_and_isnt_asked_beside_it(self):
        # The tips of two fingers may go 0.01 rad away from each other; the one that stands has the stronger motor.
        strap = ("<tendon><fixed name='strap' range='-0.01 0.01' solreflimit='0.004 1'><joint joint='far0' coef='1'/>"
                 "<joint joint='far1' coef='-1'/></fixed></tendon>")
        tied = self.folder / "tied.xml"
        tied.write_text(hand(3).replace("</worldbody>", "</worldbody>" + strap).replace(
            "<motor joint='far1' ctrlrange='-1 1'/>", "<motor joint='far1' ctrlrange='-3 3'/>"))
        said = self.fails("move", "error of far0", model=tied)
        self.assertRegex(said, r'model far0(, far1)?: tied by the limits of tendon "strap": beyond them')
        self.assertNotIn("far2", said)

    def test_a_leg_that_swings_on_the_spring_of_its_loop_says_so(self):
        # A crank that carries twice 2 kg over a leaf spring: far more at rest than a quick torque feels.
        leg = self.folder / "leg.xml"
        leg.write_text(SPRINGY)
        said = self.fails("move", "overshoot of crank", model=leg)
        self.assertIn('model crank: carries springs that no motor moves and no encoder measures ("leaf"), which swing at 8.4 Hz: '
                      'motions as fast as that overshoot', said)  # sqrt(600 / 0.215) / 2 pi
        # As stiff as Cassie's, which motions of the usual pace are slow for, and with a motor as heavy beside the leg.
        leg.write_text(SPRINGY.replace('stiffness="600"', 'stiffness="1500"').replace('armature="0.02"', 'armature="0.05"'))
        done = check(str(leg), "--only", "move,direct", "--out", "-")
        self.assertEqual({verdict for verdict, _ in verdicts_of(done.stdout).values()}, {"PASS"}, done.stdout + done.stderr)

    def test_a_motor_that_brakes_slowly_gets_no_faster_than_it_can_stop(self):
        # Upright, and so weak that its weight takes nearly all of it when it lies: 9.81 * 10 * 0.5 = 49 of 50 N m.
        heavy = self.folder / "heavy.xml"
        heavy.write_text(
            "<mujoco><worldbody><body name='link'><joint name='hinge' axis='0 1 0' range='-120 120' armature='0.5'/>"
            "<geom type='sphere' pos='0 0 0.5' size='0.05' mass='10'/></body></worldbody>"
            "<actuator><motor joint='hinge' ctrlrange='-50 50'/></actuator></mujoco>")
        done = check(str(heavy), "--only", "timeout,stop", "--out", "-")
        self.assertEqual({verdict for verdict, _ in verdicts_of(done.stdout).values()}, {"PASS"}, done.stdout + done.stderr)

    def with_posts(self, *heights: str) -> pathlib.Path:
        boxes = "".join(f'<geom type="box" pos="0.5 0 {z}" size="0.02 0.02 0.01"/>' for z in heights)
        model = self.folder / "posts.xml"  # 55 mm from the lower arm
        model.write_text(ARM.replace("<worldbody>", f'<worldbody><body name="post">{boxes}</body>'))
        return model

    def test_a_joint_goes_to_the_side_that_its_scene_leaves_free(self):
        def move(*heights: str):
            done = check(str(self.with_posts(*heights)), "--only", "move", "--out", "-",
                         "--set", "collision_avoidance.on=true")
            return verdicts_of(done.stdout).get("move", ("", done.stdout + done.stderr))

        self.assertEqual(move("0.69")[0], "PASS")
        self.assertEqual(move("0.51")[0], "PASS")
        self.assertEqual(move("0.69", "0.51"), ("n/a", "no joint can: no room between its start and its limits, "
                                                       "the robot's other bodies, the scene or poses that its motors can't hold"))

    def test_a_move_that_collision_avoidance_ends_names_the_two_bodies(self):
        scenario = self.folder / "between.yaml"
        scenario.write_text(f"""schema: 1
scenario: between
robot: {self.with_posts("0.69", "0.51")}
config: {{collision_avoidance: {{on: true}}}}
steps:
  - set_mode: {{joints: all, mode: position}}
  - wait: 0.5 s
  - move: {{joints: {{elbow: 10 deg}}, timeout: 3 s}}
""")
        done = subprocess.run([PROGRAM, "run", str(scenario), "--out", "-"], capture_output=True, text=True, timeout=60)
        self.assertRegex(done.stdout, r"standing; \w+: collision\s+avoidance\s+stops\s+references\s+that\s+bring\s+"
                                      r"surfaces\s+of\s+(lower\s+and\s+post|post\s+and\s+lower),")

    def test_it_leaves_a_page_logs_and_scenarios_that_run_again(self):
        out = self.folder / "out"
        done = check(str(self.arm), "--only", "hold,load", "--out", str(out), "-j", "2", "--logs", "all")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        page = (out / "report.html").read_text()
        self.assertFalse(re.search(r'<(script|link|img)[^>]*(src|href)="', page), "it loads nothing")
        self.assertTrue("jointrig check" in page and "drift of elbow" in page)
        results = json.loads((out / "result.json").read_text())
        self.assertIn("hold", json.dumps(results))
        self.assertTrue((out / "load/log.mcap").stat().st_size > 1000)
        used = check(str(self.arm), "--only", "hold", "--out", str(out))
        self.assertEqual(used.returncode, 2, used.stdout)
        self.assertIn("has the results of an earlier run; give another folder, or --overwrite", used.stderr)
        listed = subprocess.run([PROGRAM, "run", str(self.folder), "--list"], capture_output=True, text=True)
        self.assertNotIn("check.yaml", listed.stdout, "what a check wrote is no scenario of the folder")
        again = subprocess.run([PROGRAM, "run", str(out / "load/check.yaml"), "--out", "-", "-v"],
                               capture_output=True, text=True, timeout=120)
        self.assertEqual(again.returncode, 0, again.stdout + again.stderr)
        self.assertIn("deflection of elbow", again.stdout)

    def test_it_keeps_the_logs_of_what_did_not_pass_alone_and_still_lists_no_scenario(self):
        out = self.folder / "out"
        done = check(str(self.arm), "--only", "hold,idle", "--out", str(out),
                     "--set", "joints.shoulder.torque_max='5 Nm'")  # their weight asks for 7.1
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"(?s)FAIL  hold.*PASS  idle")
        self.assertEqual([path.parent.name for path in out.rglob("log.mcap")], ["hold"])
        self.assertEqual(sorted(path.parent.name for path in out.rglob("check.yaml")), ["hold", "idle"])
        listed = subprocess.run([PROGRAM, "run", str(self.folder), "--list"], capture_output=True, text=True)
        self.assertNotIn("check.yaml", listed.stdout)

    def test_a_motor_too_weak_for_its_arm_is_named_with_its_weight(self):
        # By hand: 9.81 (2 · 0.15 + 1 · 0.425) = 7.11 N·m at the shoulder, against 3.
        text = self.fails("hold", "drift of shoulder .* at most 0.2 deg", "joints.shoulder.torque_max=3")
        self.assertIn("weak  shoulder: its weight at the start takes 7.11 of its 3 N·m", text)
        done = check(str(self.arm), "--only", "load", "--out", "-", "--set", "joints.shoulder.torque_max=3")
        self.assertIn("left out shoulder: its own weight takes 90 %", done.stdout)

    def test_a_urdf_with_an_effort_that_stands_for_nothing_passes_and_says_so(self):
        urdf = self.folder / "six.urdf"
        urdf.write_text(six_axes(effort=2, velocity=2.5))
        done = check(str(urdf), "--out", "-")
        verdicts = verdicts_of(done.stdout)
        self.assertEqual({kind: verdict for kind, (verdict, _) in verdicts.items()}, dict.fromkeys(KINDS, "PASS"), done.stdout)
        told = subprocess.run([PROGRAM, "inspect", str(urdf)], capture_output=True, text=True, timeout=60).stdout
        # By hand, stretched out level: 9.81 (5 * 0.15 + 3 * 0.4 + 2 * 0.575 + 0.4 * 0.7) = 33 N m, in one of 200 poses nearly.
        self.assertRegex(" ".join(told.split()), r"joints j0, j1, j2, j3: their torque limit of 2 N·m \(URDF's effort\) can't be a motor's: the weight of "
                                                 r"j1, which has the same limit, takes 3[0-3]")

    def test_a_tool_is_held_by_a_flange_that_needs_no_torque_of_its_own(self):
        urdf = self.folder / "six.urdf"
        urdf.write_text(six_axes(effort=0, velocity=3))
        done = check(str(urdf), "--only", "cartesian", "--out", "-")
        self.assertEqual(verdicts_of(done.stdout)["cartesian"][0], "PASS", done.stdout)

    def test_a_loop_that_swings_overshoots(self):
        self.fails("move", "overshoot of elbow .* at most 5 %", "joints.elbow={kp: 8, kd: 0, ki: 0}")

    def test_settings_that_were_tried_are_told(self):
        load = "plant.payloads=[{body: lower, mass: 4, centre: [0.25, 0, 0]}]"  # unknown to the model
        text = self.fails("move", "overshoot of|error of", load)
        line = re.search(r"try   joints: \{(\w+): \{(bandwidth: [\d.]+ Hz)\}\}", text)
        self.assertTrue(line or "tried" in text, text)
        if line:
            done = check(str(self.arm), "--only", "move", "--joints", line[1], "--out", "-",
                         "--set", load, "--set", "joints={" + line[1] + ": {" + line[2] + "}}")
            self.assertEqual(done.returncode, 0, done.stdout)

    def test_limp_gains_fail_each_kind_that_they_spoil(self):
        limp = "joints.elbow={kp: 2, kd: 0.3, ki: 0}"
        swings = "joints.elbow={kp: 8, kd: 0, ki: 0}"
        load = "plant.payloads=[{body: lower, mass: 0.5, centre: [0.25, 0, 0]}]"  # unknown to the model
        for kind, words, settings in (
                ("hold", "drift of elbow", (limp, load)),
                ("direct", "overshoot of elbow|speed of elbow", (swings,)),
                ("velocity", "speed off of elbow", (limp, load)),
                ("mixed", "error of elbow", (limp, load)),
                ("idle", "error of elbow", (limp, load)),
                ("timeout", r"drift after (VELOCITY|TORQUE|OPENLOOP) of elbow", ("joints.elbow={kp: 3, kd: 0, ki: 0}", load)),
                ("stop", r"(drift after|way beyond braking in) (POSITION|VELOCITY|TORQUE|OPENLOOP) of elbow", (swings,)),
                ("push", "error of elbow|speed of elbow", (limp, load)),
                ("load", "deflection of elbow", (limp,)),
        ):
            with self.subTest(kind=kind):
                self.fails(kind, words, *settings)

    def test_fingers_are_asked_side_by_side_and_of_one_that_is_broken_its_own_name_is_told(self):
        model = self.folder / "hand.xml"
        model.write_text(hand(4))
        out = self.folder / "hand"
        done = check(str(model), "--out", str(out))
        verdicts = {kind: verdict for kind, (verdict, _) in verdicts_of(done.stdout).items()}
        self.assertEqual(verdicts, dict.fromkeys(KINDS[:-2], "PASS") | dict.fromkeys(KINDS[-2:], "n/a"), done.stdout + done.stderr)
        for kind, mark, times in (("move", "go_", 2), ("direct", "go_", 2), ("velocity", "off_", 2), ("mixed", "there_", 2),
                                  ("torque", "pushed_", 2), ("openloop", "go_", 2), ("stop", "stopped_torque_", 2),
                                  ("timeout", "stands_torque_", 2), ("push", "pushed_", 2), ("load", "loaded_", 2)):
            plan = (out / kind / "check.yaml").read_text()
            self.assertEqual(plan.count(f"mark: {mark}"), times, f"{kind}: near ones and far ones")

        limp = "joints.far2={kp: 0.5, kd: 0.02, ki: 0}"
        swings = "joints.far2={kp: 2, kd: 0, ki: 0}"
        # Its own link is heavier than its model, those of the others are not.
        model.write_text(hand(4).replace("<body pos='0.11 0 0'><joint name='far2'",
                                         "<body name='tip2' pos='0.11 0 0'><joint name='far2'"))
        load = "plant.payloads=[{body: tip2, mass: 0.15, centre: [0.06, 0, 0]}]"
        for kind, settings in (("move", (swings,)), ("direct", (swings,)), ("velocity", (limp, load)), ("mixed", (limp, load)),
                               ("torque", ("plant.payloads=[{body: tip2, mass: 0.3, centre: [0.06, 0, 0]}]",)),
                               ("timeout", (swings, load)), ("stop", (swings,)), ("push", (limp, load)), ("load", (limp,))):
            with self.subTest(kind=kind):
                words = self.fails(kind, "of far2", *settings, model=model)
                blamed = set(re.findall(r" of ((?:near|far)\d) [\d.]+ [a-z%]", words))
                # The weight of its tip is missing at the joint before it, too.
                self.assertLessEqual(blamed, {"far2", "near2"} if kind == "torque" else {"far2"}, words)

    def test_joints_that_would_meet_are_asked_one_after_the_other(self):
        model = self.folder / "pincers.xml"
        # DIRECT goes a small step alone: had they met, they would have been asked again, one by one.
        for apart, times in ((0.03, 2), (0.2, 1)):
            model.write_text(pincers(apart))
            out = self.folder / "pincers"
            done = check(str(model), "--only", "direct", "--out", str(out), "--overwrite")
            self.assertEqual(verdicts_of(done.stdout)["direct"][0], "PASS", done.stdout + done.stderr)
            plan = (out / "direct/check.yaml").read_text()
            self.assertEqual(plan.count("mark: go_"), times, f"{apart} m apart:\n{plan}")

    def test_a_robot_that_is_not_its_model_fails_where_the_model_alone_holds(self):
        heavy = "plant.mass_scale=3"
        for kind, words, model in (("torque", "drift of (elbow|shoulder)", self.arm),
                                   ("openloop", "way against the voltage's of", self.arm),
                                   ("guide", r"let_go|drift of|\(contact\)", self.robot)):
            with self.subTest(kind=kind):
                text = self.fails(kind, words, heavy, model=model)
                self.assertIn("the simulated robot is not the controller's model: plant.mass_scale is 3", text)

    def test_an_inertia_that_no_loop_can_hold_fails_and_a_motor_with_one_is_tried(self):
        light = ARM.replace('mass="1"/>', 'mass="0.001"/>').replace('armature="0.05"', '').replace(
            'damping="0.3"', 'damping="0"')
        self.arm.write_text(light)
        text = self.fails("push", "elbow", "joints.elbow.board.armature=1e-7")
        self.assertRegex(text, r"try   joints: \{elbow: \{board: \{armature: |tried board: \{armature: ")

    def test_a_tool_is_judged_where_no_joint_stands_in_the_zone_beside_its_limits(self):
        model = self.folder / "at_its_stop.xml"
        model.write_text(AT_ITS_STOP)
        done = check(str(model), "--only", "cartesian", "--out", str(self.folder / "out"))
        self.assertIn("PASS  cartesian", done.stdout, done.stderr)
        moved = re.search(r"move: .*j3: ([-.\d]+)", (self.folder / "out/cartesian/check.yaml").read_text())
        # The term `limits` acts within 0.1 rad of a limit and the soft margin of 0.02 rad.
        self.assertGreaterEqual(float(moved[1]), 0.1)

    def test_a_joint_that_starts_in_the_zone_beside_its_limits_may_be_pushed_out_of_it_while_the_arm_is_free(self):
        model = self.folder / "at_its_stop.xml"
        model.write_text(AT_ITS_STOP)
        done = check(str(model), "--only", "guide", "--out", str(self.folder / "out"))
        self.assertIn("PASS  guide", done.stdout, done.stderr)
        bound = re.search(r'name: "?drift of j3"?,.* max: ([\d.]+) rad', (self.folder / "out/guide/check.yaml").read_text())
        # 2 degrees, and the zone of 0.1 rad beside a soft margin that the start leaves at 0.
        self.assertAlmostEqual(float(bound[1]), 0.0349 + 0.1, delta=1e-3)

    def test_joints_that_cannot_but_be_too_fast_are_pushed_last_so_that_the_others_are_judged(self):
        self.arm.write_text(ARM.replace('mass="2"/>', 'mass="1e-3"/>').replace('mass="1"/>', 'mass="1e-4"/>').replace(
            'armature="0.2"', 'armature="1e-5"').replace('armature="0.05"', 'armature="0.2"'))
        done = check(str(self.arm), "--only", "push", "--out", str(self.folder / "out"))
        plan = (self.folder / "out/push/check.yaml").read_text()
        pushed = re.findall(r"force: \{joint: (\w+)", plan)
        self.assertEqual(pushed, ["elbow", "shoulder"], done.stdout)
        self.assertRegex(done.stdout, r"weak  shoulder: .* at once on its .* before its motor answers")

    def test_a_joint_that_is_light_for_its_torque_is_asked_for_what_its_motor_can_answer(self):
        # 12 N m on 0.004 + 0.05 * 0.25² / 3 kg m²: at most 2 rad/s by its file, and 6 N m at once give it 9.
        self.arm.write_text(ARM.replace('mass="1"/>', 'mass="0.05"/>').replace('armature="0.05"', 'armature="0.004"'))
        done = check(str(self.arm), "--only", "push,load", "--out", str(self.folder / "out"), "--set",
                     "joints.elbow.velocity_max='2 rad/s'")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"light elbow: pushed by [12]\.\d+ N·m: 6 at once on its 0\.0051 kg·m² would give 9\.\d+ rad/s")
        self.assertRegex(done.stdout, r"light elbow: loaded in [1-8][05] steps: its 10\.\d N·m in 10 would turn its 0\.0051")
        plan = (self.folder / "out/load/check.yaml").read_text()
        steps = int(re.search(r"light elbow: loaded in (\d+) steps", done.stdout)[1])
        self.assertEqual(len(re.findall(r"force: \{joint: elbow", plan)), 2 * steps - 1, "up, and down again")
        self.assertEqual(len(re.findall(r"force: \{joint: shoulder", plan)), 19)

    def test_a_fault_stops_a_kind_and_what_was_not_reached_is_told(self):
        # 1.8 A in 0.5 ohm at 50 K/W: 80 K above the air, within a tenth of a second.
        text = self.fails("move", "shoulder: fault over_temperature(.|\n)*requirements were not reached",
                          "joints.shoulder.board={temperature_max: 40, thermal_time: 0.1, thermal_resistance: 50}")
        self.assertIn("over_temperature", text)

    def test_joints_names_and_words_that_do_not_exist_are_one_sentence(self):
        for arguments, sentence in (
                (["--only", "hold,mvoe"], 'there is no kind "mvoe"; did you mean "move"?'),
                (["--joints", "elbw"], 'no joint or part "elbw"; did you mean "elbow"?'),
                (["--set", "joints.elbow.kpp=3"], 'kpp')):
            with self.subTest(arguments=arguments):
                done = check(str(self.arm), "--out", "-", *arguments)
                self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
                self.assertIn(sentence, done.stderr)
        self.arm.write_text("<mujoco><worldbody><body><geom size='1'/></body></worldbody></mujoco>")
        done = check(str(self.arm), "--out", "-")
        self.assertEqual(done.returncode, 2)
        self.assertIn("has no joint that can be controlled", done.stderr)

    def test_an_option_takes_one_word_so_the_model_may_come_last(self):
        done = check("--out", "-", "--set", "joints.elbow.torque_max=11", "--only", "hold", "--joints", "elbow",
                     str(self.arm))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("1 passed", done.stdout)

    def test_only_the_joints_that_were_asked_for_are_judged(self):
        done = check(str(self.arm), "--joints", "elbow", "--only", "hold,push", "--out", "-", "-v")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("drift of elbow", done.stdout)
        self.assertNotIn("of shoulder", done.stdout)

    def test_names_slides_and_boards_that_take_positions_alone(self):
        self.arm.write_text("""\
<mujoco>
  <compiler angle="degree"/>
  <worldbody><body pos="0 0 1"><freejoint/><geom size="0.1" mass="3"/>
    <body><joint name="rail/z-1" type="slide" axis="0 0 1" range="-0.1 0.4" armature="1"/>
      <geom size="0.04" mass="1"/>
      <body pos="0.1 0 0"><joint name="on" axis="0 1 0" range="-170 3" damping="0.1" armature="0.02"/>
        <geom type="capsule" fromto="0 0 0 0.2 0 0" size="0.02" mass="0.5"/>
        <body pos="0.2 0 0"><joint name="arm joint: 2" axis="0 1 0" damping="0.1" armature="0.02"/>
          <geom type="capsule" fromto="0 0 0 0.1 0 0" size="0.02" mass="0.2"/></body></body></body>
  </body></worldbody>
  <actuator><motor joint="on" ctrlrange="-10 10" gear="-1"/>
    <position joint="rail/z-1" kp="100" forcerange="-80 80"/>
    <motor joint="arm joint: 2" ctrlrange="-4 4"/></actuator>
</mujoco>
""")
        self.robot.write_text("schema: 1\nmodel: arm.xml\njoints:\n"
                              "  on: {board: {drive_modes: [off, position], needs_calibration: true}}\n")
        done = check(str(self.robot), "--out", "-", "--only", "hold,move,torque,openloop,timeout,stop,push")
        verdicts = verdicts_of(done.stdout)
        for kind in ("hold", "move", "timeout", "stop", "push"):
            self.assertEqual(verdicts[kind][0], "PASS", done.stdout + done.stderr)
        self.assertEqual(verdicts["torque"], ("n/a", "it requires torque, and the board of on takes no torque"))
        self.assertEqual(verdicts["openloop"][0], "n/a")
        # The other joints are stopped in these modes all the same.
        self.assertIn("left out on: not in TORQUE, which its board doesn't take", done.stdout)
        self.assertIn("left out on: not in OPENLOOP, since its board takes no duty", done.stdout)

    def test_a_robot_of_others_is_checked_to_the_end(self):
        models = sorted(pathlib.Path(".deps/venv/lib").glob(
            "python3*/site-packages/robosuite/models/assets/robots/panda/robot.xml"))
        if not models:
            self.skipTest("robosuite is not installed: scripts/test.sh does it")
        done = check(str(models[0]), "--out", "-", "-j", "2")
        self.assertIn(done.returncode, (0, 1, 3), done.stdout + done.stderr)
        verdicts = verdicts_of(done.stdout)
        self.assertEqual(set(verdicts), set(KINDS))
        self.assertEqual(verdicts["hold"][0], "PASS")
        for verdict, words in verdicts.values():
            self.assertNotEqual(verdict, "ERROR", done.stdout)
            self.assertRegex(words, "joint[1-7]|of arm")


if __name__ == "__main__":
    unittest.main()
