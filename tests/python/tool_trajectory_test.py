"""Sim.tool_trajectory: paths of a tool, on the kinematic backend, whose joints are where they are asked to be.

    tool_trajectory_test.py PATH_TO_THE_PROGRAM
"""

import importlib.util
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import jointrig
import mujoco
import numpy as np

PROGRAM = sys.argv.pop(1)
ROBOTS = pathlib.Path(importlib.util.find_spec("robosuite").submodule_search_locations[0]) / "models/assets/robots"
# Poses in which robosuite starts them: bent, so that the tool can go anywhere.
POSES = {"iiwa": [0, 0.65, 0, -1.89, 0, 0.6, 0], "ur5e": [-0.470, -1.735, 2.480, -2.275, -1.590, -1.991],
         "jaco": [3.192, 3.680, 0, 1.170, 0.050, 3.760, 3.142], "kinova3": [0, 0.65, 0, 1.89, 0, 0.6, -1.571],
         "xarm7": [0, 0, 0, 1.225, 0, 1.225, 0], "sawyer": [0, -1.18, 0, 2.18, 0, 0.57, -1.57],
         "panda": [0, 0.196, 0, -2.618, 0, 2.942, 0.785]}
DEGREE = np.pi / 180.0
# Waist about z, shoulder, elbow and wrist about y, a roll along the tool: five joints.
DESK_ARM = """<mujoco>
  <compiler angle="radian"/>
  <default><geom type="sphere" size="0.01" mass="0.1" contype="0" conaffinity="0"/></default>
  <worldbody>
    <body name="waist" pos="0 0 0.2"><joint name="waist" axis="0 0 1" range="-2.5 2.5"/><geom/>
      <body name="upper"><joint name="shoulder" axis="0 1 0" range="-2.5 2.5"/><geom/>
        <body name="fore" pos="0.3 0 0"><joint name="elbow" axis="0 1 0" range="-2.5 2.5"/><geom/>
          <body name="hand" pos="0.25 0 0"><joint name="wrist" axis="0 1 0" range="-2.5 2.5"/><geom/>
            <body name="roll"><joint name="roll" axis="1 0 0" range="-3 3"/><geom/><site name="tip" pos="0.1 0 0"/></body>
          </body></body></body></body>
  </worldbody>
  <actuator><motor joint="waist" ctrlrange="-9 9"/><motor joint="shoulder" ctrlrange="-9 9"/>
    <motor joint="elbow" ctrlrange="-9 9"/><motor joint="wrist" ctrlrange="-9 9"/><motor joint="roll" ctrlrange="-9 9"/></actuator>
</mujoco>
"""
DESK_ARM_FILE = """schema: 1
name: desk
model: desk.xml
parts: {arm: [waist, shoulder, elbow, wrist, roll]}
arms: {arm: {part: arm, tool: tip}}
joints: {shoulder: {start: -0.9}, elbow: {start: 1.4}, wrist: {start: 0.2}}
"""


def held(robot="franka", backend="kinematic"):
    sim = jointrig.Sim(robot, backend=backend)
    sim.set_mode("all", "position")
    sim.run(0.3)
    return sim


def follow(sim, arm):
    """Steps to the end of the motion; returns position and orientation of the tool, cycle by cycle."""
    places, turns, told = [], [], []
    for _ in range(60_000):
        sim.step()
        places.append(sim.arms[arm].position.copy())
        turns.append(sim.arms[arm].orientation.copy())
        told += [event.sentence for event in sim.events() if event.kind in ("plan", "plan_broken")]
        if any("is finished" in sentence for sentence in told):
            return np.array(places), np.array(turns), told
    raise AssertionError("the path did not end: " + "; ".join(told))


def product(a, b):
    (w, v), (u, x) = (a[0], a[1:]), (b[0], b[1:])
    return np.concatenate([[w * u - v @ x], w * x + u * v + np.cross(v, x)])


def angle(a, b):
    """Between two orientations [rad]."""
    relative = product(np.concatenate([[a[0]], -a[1:]]), b)
    return 2.0 * np.arctan2(np.linalg.norm(relative[1:]), abs(relative[0]))


def slerp(a, b, share):
    if a @ b < 0.0:
        b = -b
    theta = np.arccos(min(1.0, a @ b))
    return a if theta < 1e-9 else (np.sin((1.0 - share) * theta) * a + np.sin(share * theta) * b) / np.sin(theta)


def about(axis, by):
    return np.concatenate([[np.cos(0.5 * by)], np.sin(0.5 * by) * np.asarray(axis, float)])


def off_the_way(places, turns, start, goal):
    """Largest distance [m] and angle [rad] from the straight way between two (position, orientation)."""
    way = goal[0] - start[0]
    far = turned = 0.0
    for place, turn in zip(places, turns):
        share = np.clip((place - start[0]) @ way / (way @ way), 0.0, 1.0)
        far = max(far, np.linalg.norm(place - start[0] - share * way))
        turned = max(turned, angle(slerp(start[1], goal[1], share), turn))
    return far, turned


class ToolPaths(unittest.TestCase):
    def straight(self, sim, arm, by, turn_axis, turn):
        now = sim.arms[arm]
        start = (now.position.copy(), now.orientation.copy())
        goal = (start[0] + by, product(about(turn_axis, turn), start[1]))
        sim.tool_trajectory(arm, [{"position": goal[0], "orientation": goal[1]}])
        places, turns, _ = follow(sim, arm)
        far, turned = off_the_way(places, turns, start, goal)
        self.assertLess(far, 1e-4)
        self.assertLess(turned, 0.01 * DEGREE)
        self.assertLess(np.linalg.norm(places[-1] - goal[0]), 1e-6)
        self.assertLess(angle(turns[-1], goal[1]), 1e-6)

    def test_a_tool_stays_within_a_tenth_of_a_millimetre_and_a_hundredth_of_a_degree_of_its_line(self):
        self.straight(held(), "arm", np.array([0.1, 0.25, -0.1]), [0, 0, 1], 0.6)

    def test_no_bound_of_the_tool_is_exceeded_and_the_corner_is_passed_at_its_distance(self):
        sim = held()
        start = sim.arms["arm"].position.copy()
        v, a, corner = 0.2, 0.9, 0.05
        sim.tool_trajectory("arm", [{"by": [0, 0.2, 0]}, {"by": [0, 0, -0.2]}], linear_speed=v, linear_acceleration=a,
                            corner_distance=corner)
        places, _, told = follow(sim, "arm")
        speed = np.linalg.norm(np.diff(places, axis=0), axis=1) / sim.period
        rate = np.linalg.norm(np.diff(places, 2, axis=0), axis=1) / sim.period**2
        self.assertLess(speed.max(), 1.001 * v)
        self.assertLess(rate.max(), 1.001 * a)
        self.assertGreater(speed.max(), 0.99 * v)
        waypoint = start + [0, 0.2, 0]
        away = np.linalg.norm(places - waypoint, axis=1)
        # A right corner: the radius is the corner distance, and the arc passes (√2 − 1) of it away.
        self.assertAlmostEqual(away.min(), (np.sqrt(2.0) - 1.0) * corner, delta=1e-4)
        self.assertGreater(speed[away[1:] < corner].min(), 0.05)
        self.assertTrue(any("waypoint 1 of 2 passed" in sentence for sentence in told), told)
        # Within 2 % of a polygon's side, and the ends of ramps, one of the bounds is active.
        idle = np.mean((speed[1:] < 0.97 * v) & (rate < 0.95 * a))
        self.assertLess(idle, 0.03)

    def published(self, robot, pose):
        """The file of an arm with no line of configuration but its start, and its name."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        written = pathlib.Path(folder.name, "robot.yaml")
        subprocess.run([PROGRAM, "inspect", str(ROBOTS / robot / "robot.xml"), "--write", str(written)],
                       check=False, capture_output=True, timeout=120)
        text = written.read_text()
        arm = re.search(r"^  (\w+): \{part: \S+, tool: (\w+)", text, re.MULTILINE).group(1)
        joints = re.findall(r"^#   (\S+): \{torque_max", text, re.MULTILINE)[:len(pose)]
        text = re.sub(r"^poses:.*?(?=^\S)", "", text, flags=re.MULTILINE | re.DOTALL)
        text += "\njoints:\n" + "".join(f"  {joint}: {{start: {q}}}\n" for joint, q in zip(joints, pose))
        written.write_text(text)
        return written, arm

    def test_arms_as_other_people_publish_them_go_straight(self):
        for robot, pose in POSES.items():
            with self.subTest(robot):
                file, arm = self.published(robot, pose)
                self.straight(held(str(file)), arm, np.array([0.05, 0.08, 0.04]), [1, 0, 0], 0.3)

    def test_a_path_through_the_wrist_singularity_of_a_ur5e_is_refused_and_its_joints_pass_it(self):
        # The second joint of the wrist stands upright. Where it is at 0 the first and the third have one axis: a turn of
        # the tool about the vertical that takes it from -0.4 rad to the other side is refused.
        robot, arm = self.published("ur5e", [-0.47, -1.735, 2.0, -0.265, -0.4, 0.0])
        file = robot.with_name("wrist.yaml")
        file.write_text(f"""schema: 1
scenario: wrist
about: A tool turns towards the singular pose of a wrist, and through it by its joints.
robot: {robot}
config: {{backend: kinematic}}
steps:
  - set_mode: {{joints: all, mode: position}}
  - wait: 0.3 s
  - expect_rejected:
      command: {{trajectory: {{arm: {arm}, waypoints: [{{turn: [0, 0, -0.8]}}]}}}}
      reason: plan_singular
      says: "and the limit is 0.01 m/rad"
  - expect: "abs(wrist_2_joint.q_ref + 0.4) < 1e-9"
  - name: towards it and back
    trajectory: {{arm: {arm}, waypoints: [{{turn: [0, 0, -0.3]}}, {{turn: [0, 0, 0.3]}}]}}
  - expect: "abs(wrist_2_joint.q + 0.4) < 1e-6"
  - name: through it
    trajectory: {{waypoints: [{{joints: {{wrist_2_joint: 0.4}}}}]}}
  - mark: beyond
  - trajectory: {{arm: {arm}, waypoints: [{{by: [0, 2 cm, 2 cm], turn: [0, 0, -0.2]}}]}}
  - expect: "abs({arm}.tool.z - at({arm}.tool.z, beyond) - 2 cm) < 0.1 mm && wrist_2_joint.q > 0.4"
assert:
  never: [{{event: plan_broken}}]
""")
        done = subprocess.run([PROGRAM, "run", str(file), "--out", str(robot.parent / "run")], check=False,
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        # Where it was refused the singular value is at its limit, by another's Jacobian.
        sim = held(str(robot))
        sim.tool_trajectory(arm, [{"turn": [0, 0, -0.8]}])
        with self.assertRaises(jointrig.Refused) as raised:
            sim.step()
        share = float(re.search(r"at (\d+\.\d) % of the path", str(raised.exception)).group(1)) / 100.0
        sim.tool_trajectory(arm, [{"turn": [0, 0, -0.8 * (share - 0.002)]}])
        follow(sim, arm)
        model = mujoco.MjModel.from_xml_path(str(ROBOTS / "ur5e" / "robot.xml"))
        data = mujoco.MjData(model)
        data.qpos[:6] = sim.q[:6]
        mujoco.mj_forward(model, data)
        place = sim.arms[arm].position
        linear, angular = np.zeros((3, model.nv)), np.zeros((3, model.nv))
        body = model.joint("wrist_3_joint").bodyid[0]
        mujoco.mj_jac(model, data, linear, angular, data.body(int(model.body("base").id)).xpos + place, body)
        least = np.linalg.svd(np.vstack([linear, 0.3 * angular])[:, :6], compute_uv=False)[-1]
        self.assertGreater(least, 0.01)
        self.assertLess(least, 0.012)

    def desk_arm(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        pathlib.Path(folder.name, "desk.xml").write_text(DESK_ARM)
        written = pathlib.Path(folder.name, "robot.yaml")
        written.write_text(DESK_ARM_FILE)
        return written

    def test_five_joints_keep_a_line_with_pitch_and_roll_while_their_yaw_is_free(self):
        sim = held(str(self.desk_arm()))
        start = sim.arms["arm"].position.copy()
        sim.tool_trajectory("arm", [{"by": [0, 0.02, 0]}, {"by": [0.03, 0.1, -0.05]}], free_rotation="z")
        places, turns, _ = follow(sim, "arm")
        for place, turn in zip(places, turns):
            # By hand: R = Rz(yaw) Ry(pitch), with the yaw that of the place.
            yaw = np.arctan2(place[1], place[0])
            self.assertLess(angle(turn, product(about([0, 0, 1], yaw), about([0, 1, 0], 0.7))), 0.01 * DEGREE)
        corner = start + [0, 0.02, 0]
        far = [min(np.linalg.norm(place - a - np.clip((place - a) @ (b - a) / ((b - a) @ (b - a)), 0, 1) * (b - a))
                   for a, b in ((start, corner), (corner, corner + [0.03, 0.1, -0.05]))) for place in places]
        self.assertLess(max(far), 1e-4)
        self.assertLess(np.linalg.norm(places[-1] - start - [0.03, 0.12, -0.05]), 1e-5)

    def test_held_whole_five_joints_are_refused_with_the_rotation_and_the_word_and_nothing_moves(self):
        robot = self.desk_arm()
        sim = held(str(robot))
        before = sim.q_ref.copy()
        sim.tool_trajectory("arm", [{"by": [0, 0.02, 0]}])
        with self.assertRaises(jointrig.Refused) as raised:
            sim.step()
        self.assertEqual(raised.exception.reason, "plan_reach")
        self.assertRegex(str(raised.exception), r"its 5 joints can't hold the rotation about z of the tool there: it would "
                         r"turn by 0\.\d+ rad \(\d\.\d+°\), and \"free_rotation: tool_z\" leaves it free")
        sim.run(0.2)
        np.testing.assert_array_equal(sim.q_ref, before)
        for sentence, waypoint, word in (("free_rotation is 'zz': give one of none, x, y, z, tool_x", {}, "zz"),
                                         ("waypoint 1 has turn, and free_rotation=\"all\" holds no rotation",
                                          {"turn": [0, 0, 0.1]}, "all")):
            with self.subTest(sentence), self.assertRaises(jointrig.InputError) as wrong:
                sim.tool_trajectory("arm", [{"by": [0, 0.02, 0], **waypoint}], free_rotation=word)
            self.assertIn(sentence, str(wrong.exception))

    def test_a_scenario_leads_five_joints_in_physics_and_expects_their_refusal(self):
        robot = self.desk_arm()
        file = robot.with_name("sideways.yaml")
        file.write_text(f"""schema: 1
scenario: sideways
about: Five joints go sideways.
robot: {robot}
steps:
  - set_mode: {{joints: all, mode: position}}
  - wait: 0.3 s
  - mark: go
  - expect_rejected:
      command: {{trajectory: {{arm: arm, waypoints: [{{by: [0, 2 cm, 0]}}]}}}}
      reason: plan_reach
      says: '"free_rotation: tool_z" leaves it free'
  - trajectory: {{arm: arm, free_rotation: z, waypoints: [{{by: [0, 2 cm, 0]}}], goal_tolerance: {{arm: 0.2 deg}}}}
  - wait: 0.3 s
  - expect: "abs(arm.tool.y - at(arm.tool.y, go) - 2 cm) < 1 mm"
  - expect: "abs(shoulder.q + elbow.q + wrist.q - 0.7) < 0.2 deg"
  - reach: {{arm: arm, by: [0, 3 cm, 2 cm], turn: [0, 0, 0], free_rotation: z}}
  - expect: "abs(shoulder.q_ref + elbow.q_ref + wrist.q_ref - 0.7) < 0.01 deg"
""")
        done = subprocess.run([PROGRAM, "run", str(file), "--out", str(robot.parent / "run")], check=False,
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_what_was_sent_never_jumps_however_paths_replace_each_other(self):
        sim = held()
        joints = sim.index("arm")
        home = sim.q_ref[joints].copy()
        place = sim.arms["arm"].position.copy()
        limits = {name: sim.joint_limits[name][joints] for name in ("v_max", "a_max")}
        random = np.random.default_rng(20261126)
        q, v, replaced, asked = [], [], 0, 40

        def run(cycles):
            nonlocal replaced
            for _ in range(cycles):
                try:
                    sim.step()
                except jointrig.Refused:  # the old one goes on
                    pass
                q.append(sim.q_ref[joints].copy())
                v.append(sim.v_ref[joints].copy())
                replaced += sum(" replaced" in event.sentence for event in sim.events() if event.kind == "plan")

        for number in range(asked):
            if number % 4 == 3:
                sim.trajectory("arm", [home + random.uniform(-0.3, 0.3, 7)], speed=random.uniform(0.3, 1.0))
            else:
                sim.tool_trajectory("arm", [{"position": place + random.uniform(-0.12, 0.12, 3),
                                             "turn": random.uniform(-0.2, 0.2, 3)},
                                            {"position": place + random.uniform(-0.12, 0.12, 3)}],
                                    corner_distance=random.uniform(0.0, 0.04), linear_speed=random.uniform(0.05, 0.25))
            if number % 5 == 0:
                sim.set_speed_override(random.uniform(0.4, 1.0))
            run(int(random.uniform(60, 500)))
        run(4000)
        self.assertGreater(replaced, 0.7 * asked)
        q, v = np.array(q), np.array(v)
        rate = np.diff(q, axis=0) / sim.period
        self.assertLess((np.abs(rate) / limits["v_max"]).max(), 1.000001)
        self.assertLess((np.abs(np.diff(v, axis=0)) / sim.period / limits["a_max"]).max(), 1.001)
        # Position and speed belong together: half a cycle of a_max apart at most.
        self.assertLess((np.abs(rate - 0.5 * (v[1:] + v[:-1])) / (limits["a_max"] * sim.period)).max(), 1.0)

    def test_a_waypoint_brings_an_interaction_that_acts_on_the_way_to_it(self):
        sim = jointrig.Sim("franka", plant={"friction_scale": 0})
        sim.set_mode("arm", "cartesian")
        sim.run(0.5)
        soft = {"stiffness": [200.0, 300, 300, 20, 20, 20]}
        stiff = {"stiffness": [900.0, 300, 300, 20, 20, 20]}
        seen = []
        sim.tool_trajectory("arm", [{"by": [0, 0.05, 0]}, {"by": [0, -0.05, 0], "interaction": soft},
                                    {"by": [0, 0.05, 0], "interaction": stiff}, {"by": [0, -0.05, 0]}])
        while True:
            sim.step()
            if not sim.plans:
                break
            arm = sim.arms["arm"]
            now = (sim.plans[0]["waypoint"], float(arm.interaction_stiffness[0]) if arm.interaction[0] else 0.0)
            if not seen or seen[-1] != now:
                seen.append(now)
        # A setting acts from the cycle after that in which its waypoint was passed.
        self.assertEqual(dict(seen), {0: 0.0, 1: 200.0, 2: 900.0, 3: 900.0, 4: 900.0})
        self.assertEqual([k for _, k in seen], sorted(k for _, k in seen))

        # Joints lead the tool, too: a list with one for each waypoint.
        joints = sim.index("arm")
        goal = sim.q_ref[joints].copy()
        middle = goal.copy()
        middle[0] += 0.1
        sim.trajectory("arm", [middle, goal], interaction=[soft, None])
        sim.run(0.1)
        self.assertEqual(float(sim.arms["arm"].interaction_stiffness[0]), 200.0)
        sim.run(2.0)
        for sentence, call in (
                ("interaction has 1 entries", lambda: sim.trajectory("arm", [middle, goal], interaction=[soft])),
                ("interaction of waypoint 1 is 'soft'",
                 lambda: sim.tool_trajectory("arm", [{"by": [0, 0.05, 0], "interaction": "soft"}])),
                ("interaction of waypoint 2: ",
                 lambda: sim.trajectory("arm", [middle, goal], interaction=[None, {"stifness": [1.0] * 6}]))):
            with self.assertRaises(jointrig.InputError) as raised:
                call()
            self.assertIn(sentence, str(raised.exception))
        with self.assertRaises(jointrig.Refused) as refused:
            sim.trajectory("arm", [middle, goal], interaction=[None, {"stiffness": [1e6] * 6}])
            sim.step()
        self.assertIn("waypoint 2 can't be used: of its interaction control its stiffness along x is 1e+06 N/m",
                      str(refused.exception).replace("1000000", "1e+06"))

    def test_with_an_interaction_the_tool_lags_by_its_damping_over_its_stiffness(self):
        sim = jointrig.Sim("franka", plant={"friction_scale": 0})
        sim.set_mode("arm", "cartesian")
        sim.run(0.5)
        # By hand: along an axis with stiffness k and damping d a tool at speed v lags by d v / k.
        k, d, v = 500.0, 75.0, 0.1
        gains = {"stiffness": [k] * 3 + [25.0] * 3, "damping_source": "given", "damping": [d] * 3 + [3.0] * 3}
        sim.tool_trajectory("arm", [{"by": [0, 0.2, 0]}], linear_speed=v, interaction=gains)
        sim.run(1.2)  # at its speed since 0.1 s, more than seven times d / k
        self.assertAlmostEqual(abs(float(sim.arms["arm"].error[1])), d * v / k, delta=0.05 * d * v / k)
        sim.run(1.5)
        # Joints of the whole arm lead its tool, too.
        joints = sim.index("arm")
        goal = sim.q_ref[joints].copy()
        goal[0] -= 0.6
        stiff = {**gains, "stiffness": [2.0 * k] * 3 + [25.0] * 3}
        sim.trajectory("arm", [goal], speed=0.2, interaction=stiff)
        sim.run(0.8)
        arm = sim.arms["arm"]
        lag = np.linalg.norm(arm.error[:3]) / np.linalg.norm(arm.twist[:3])
        self.assertAlmostEqual(lag, d / (2.0 * k), delta=0.06 * d / (2.0 * k))
        sim.run(2.0)
        for sentence, call in (
                ("interaction is for all joints of an arm",
                 lambda: sim.trajectory("panda_joint1", [[0.1]], interaction=gains)),
                ("interaction is 'soft': give a dict",
                 lambda: sim.tool_trajectory("arm", [{"by": [0, 0.1, 0]}], interaction="soft")),
                ("unexpected keyword argument 'stifness'",
                 lambda: sim.tool_trajectory("arm", [{"by": [0, 0.1, 0]}], interaction={"stifness": [1.0] * 6}))):
            with self.subTest(sentence), self.assertRaises(jointrig.InputError) as raised:
                call()
            self.assertIn(sentence, str(raised.exception))

    def test_a_path_that_stretches_the_arm_is_refused_with_its_place_and_nothing_moves(self):
        sim = held()
        before = sim.q_ref.copy()
        # Straight up: the elbow stretches.
        sim.tool_trajectory("arm", [{"by": [0, 0, 0.8]}])
        with self.assertRaises(jointrig.Refused) as raised:
            sim.step()
        self.assertIn(raised.exception.reason, ("plan_singular", "plan_reach", "plan_position"))
        self.assertRegex(str(raised.exception), r"waypoint 1.*% of the path")
        sim.run(0.2)
        np.testing.assert_array_equal(sim.q_ref, before)

    def test_an_endpoint_that_is_not_there_is_a_result_of_its_own_and_nothing_moves(self):
        sim = held()
        before = sim.q_ref.copy()
        sim.tool_trajectory("arm", [{"by": [0, 0, -0.05]}], endpoint="panda_hnad")
        with self.assertRaises(jointrig.Refused) as raised:
            sim.step()
        self.assertEqual(raised.exception.reason, "unknown_endpoint")
        self.assertRegex(str(raised.exception), 'waypoint 1.*no site or body "panda_hnad"; did you mean "panda_hand"')
        sim.run(0.2)
        np.testing.assert_array_equal(sim.q_ref, before)
        shown = sim.plan_tool_trajectory("arm", [{"by": [0, 0, -0.05]}], endpoint="panda_hnad")
        self.assertIn('did you mean "panda_hand"', shown.refusal)
        self.assertEqual(shown.waypoint, 1)

    def test_bad_input_is_one_sentence_and_nothing_is_sent(self):
        sim = held()
        for sentence, waypoints, more in (
                ("two don't mix", [[0.1] * 7], {}),
                ("there is no arm 'amr'", [{"by": [0, 0, 0.1]}], {"arm": "amr"}),
                ("frame is 'wrold': give one of", [{"by": [0, 0, 0.1]}], {"frame": "wrold"}),
                ("has 'pos': it takes position", [{"pos": [0, 0, 0.1]}], {}),
                ("position of waypoint 1 has the shape (2,)", [{"position": [0, 0.1]}], {}),
                ("waypoint 1 has position and by", [{"position": [0, 0, 0.1], "by": [0, 0, 0.1]}], {})):
            with self.subTest(sentence), self.assertRaises(jointrig.InputError) as raised:
                sim.tool_trajectory(**{"arm": "arm", "waypoints": waypoints, **more})
            self.assertIn(sentence, str(raised.exception))
        with self.assertRaises(jointrig.InputError) as raised:
            sim.trajectory("arm", [{"by": [0, 0, 0.1]}])
        self.assertIn("don't mix", str(raised.exception))

    def test_a_scenario_that_mixes_or_mistypes_is_refused_with_file_and_line(self):
        for sentence, trajectory in (
                ("none positions of joints: make two", "{arm: arm, waypoints: [{by: [0, 0, 0.1]}, {pose: home}]}"),
                ("a pose of a tool wants an arm", "{waypoints: [{by: [0, 0, 0.1]}]}"),
                ("not both", "{arm: arm, waypoints: [{by: [0, 0, 0.1], pose: home}]}"),
                ("it says no place", "{arm: arm, waypoints: [{speed: 0.5}]}"),
                ('did you mean "panda_hand"', "{arm: arm, endpoint: panda_hnad, waypoints: [{by: [0, 0, 0.1]}]}"),
                ('"time" is for joints', "{arm: arm, waypoints: [{by: [0, 0, 0.1], time: 1 s}]}"),
                ('"corner_distance" is for a tool', "{waypoints: [{pose: home, corner_distance: 0.1}]}"),
                ('"interaction" is for all joints of an arm',
                 "{interaction: {damping_ratio: 1}, waypoints: [{joints: {panda_joint1: 0.1}}]}"),
                ('"endpoint" goes with "arm"', "{endpoint: panda_hand, waypoints: [{pose: home}]}"),
                ('"free_rotation" goes with "arm"', "{free_rotation: z, waypoints: [{pose: home}]}"),
                ('"turn" says a rotation, and "free_rotation: all" holds none',
                 "{arm: arm, free_rotation: all, waypoints: [{turn: [0, 0, 0.1]}]}")):
            with self.subTest(sentence), tempfile.TemporaryDirectory() as folder:
                file = pathlib.Path(folder, "wrong.yaml")
                file.write_text("schema: 1\nscenario: wrong\nabout: A wrong trajectory.\nrobot: franka\nsteps:\n"
                                f"  - trajectory: {trajectory}\n")
                done = subprocess.run([PROGRAM, "run", str(file), "--out", folder + "/run"], check=False,
                                      capture_output=True, text=True)
                told = done.stdout + done.stderr
                self.assertNotEqual(done.returncode, 0)
                self.assertIn(sentence, told)
                self.assertIn("wrong.yaml:6", told)


if __name__ == "__main__":
    unittest.main()
