"""Sim.trajectory: the motions of the scenario step `trajectory`, from Python.

    trajectory_test.py PATH_TO_THE_PROGRAM
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import jointrig
import mujoco
import numpy as np
from mcap_ros2.reader import read_ros2_messages

PROGRAM = sys.argv.pop(1)
ROOT = pathlib.Path(__file__).resolve().parents[2]
HOME = np.array([0.0, -0.785398, 0.0, -2.356194, 0.0, 1.570796, 0.785398])
SCENARIO = """\
schema: 1
scenario: two_waypoints
about: The same motion as in Python.
robot: franka
steps:
  - set_mode: {joints: arm, mode: position}
  - wait: 0.3 s
  - trajectory:
      waypoints:
        - joints: {panda_joint1: 0.5 rad, panda_joint4: -2 rad}
        - joints: {panda_joint1: -0.3 rad, panda_joint4: -2.2 rad}
      speed: 0.6
  - wait: 0.5 s
"""


def held(robot="franka", **settings):
    sim = jointrig.Sim(robot, **settings)
    sim.set_mode("all", "position")
    sim.run(0.3)
    return sim


def follow(sim):
    """Steps to the end of the motion; returns its time and its references, cycle by cycle."""
    q, start = [], sim.time
    for _ in range(20_000):
        sim.step()
        q.append(sim.q_ref.copy())
        if any(event.kind == "plan" and "finished" in event.sentence for event in sim.events()):
            return sim.time - start, np.array(q)
    raise AssertionError("the trajectory did not end")


class Trajectories(unittest.TestCase):
    def test_a_trajectory_ends_at_its_last_waypoint_within_the_limits_of_speed(self):
        sim = held()
        arm = sim.index("arm")
        goal = HOME + [0.5, -0.2, 0.3, 0.2, 0.0, -0.3, 0.4]
        sim.trajectory("arm", [HOME + 0.2, goal])
        _, q = follow(sim)
        np.testing.assert_allclose(sim.q_ref[arm], goal, atol=1e-9)
        speed = np.abs(np.diff(q[:, arm], axis=0)).max(axis=0) / sim.period
        self.assertTrue((speed <= sim.joint_limits["v_max"][arm] * (1.0 + 1e-6)).all(), speed)
        self.assertGreater((speed / sim.joint_limits["v_max"][arm]).max(), 0.5)

    def test_the_plans_that_are_followed_can_be_read(self):
        sim = held()
        self.assertEqual(sim.plans, [])
        start = sim.time
        sim.trajectory(["panda_joint1", "panda_joint4"], [[0.3, -2.0], [0.6, -2.0]])
        sim.step()
        (plan,) = sim.plans
        self.assertEqual(plan["joints"], ("panda_joint1", "panda_joint4"))
        self.assertEqual((plan["waypoint"], plan["waypoints"], plan["pace"]), (0, 2, 1.0))
        passed = set()
        while sim.plans:
            passed.add(sim.plans[0]["waypoint"])
            sim.step()
        self.assertLessEqual({0, 1}, passed)
        self.assertAlmostEqual(plan["duration"], sim.time - start, delta=0.005)

    def test_a_straight_way_takes_the_time_of_the_trapezoid(self):
        sim = held()
        joint = sim.index("panda_joint1")
        v, a = (float(sim.joint_limits[name][joint][0]) for name in ("v_max", "a_max"))
        way = 1.5
        sim.trajectory("panda_joint1", [[way]])
        took, _ = follow(sim)
        self.assertGreater(way, v * v / a)  # it reaches v_max
        self.assertAlmostEqual(took, way / v + v / a, delta=0.01 * took)

    def test_the_same_trajectory_in_a_scenario_gives_the_same_state(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "two_waypoints.yaml")
            file.write_text(SCENARIO)
            done = subprocess.run([PROGRAM, "run", str(file), "--out", folder + "/run"], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            [result] = json.loads(pathlib.Path(folder, "run/result.json").read_text())["scenarios"]
            [log] = pathlib.Path(folder, "run").glob("*/log.mcap")
            mode, plan = (message.ros_msg.cycle for message in read_ros2_messages(log, topics=["/commands"]))
            last = max(message.ros_msg.cycle for message in read_ros2_messages(log, topics=["/loop"]))
        sim = jointrig.Sim("franka")
        sim.step(mode - 1)  # to the cycle before the one that takes it
        sim.set_mode("arm", "position")
        sim.step(plan - 1 - sim.cycle)
        sim.trajectory(["panda_joint4", "panda_joint1"], [[-2.0, 0.5], [-2.2, -0.3]], speed=0.6)
        sim.step(last - sim.cycle)
        self.assertEqual(sim.state_hash(), result["state_hash"])

    def test_a_timed_trajectory_is_at_its_points_at_their_times(self):
        sim = held()
        sim.trajectory("panda_joint1", [[0.2], [0.1]], times=[1.0, 2.5], velocities=[[0.1], [0.0]])
        sim.step()
        sim.run(1.0)
        self.assertAlmostEqual(float(sim.q_ref[sim.index("panda_joint1")][0]), 0.2, delta=2e-4)
        self.assertAlmostEqual(float(sim.v_ref[sim.index("panda_joint1")][0]), 0.1, delta=2e-3)
        sim.run(1.5)
        self.assertAlmostEqual(float(sim.q_ref[sim.index("panda_joint1")][0]), 0.1, delta=1e-6)

    def test_a_second_trajectory_goes_on_from_the_first_without_a_jump(self):
        sim = held()
        joint = sim.index("panda_joint1")
        limits = {name: float(sim.joint_limits[name][joint][0]) for name in ("v_max", "a_max")}
        sim.trajectory("panda_joint1", [[1.0]])
        sim.run(0.4)
        v_before = float(sim.v_ref[joint][0])
        self.assertGreater(v_before, 0.5)
        sim.trajectory("panda_joint1", [[-0.5]])
        _, q = follow(sim)
        self.assertLess(np.abs(np.diff(q[:, joint], 2, axis=0)).max() / sim.period**2, limits["a_max"] * 1.01)
        self.assertAlmostEqual(float(sim.q_ref[joint][0]), -0.5, delta=1e-9)

    def test_joints_that_rest_join_one_that_moves_without_a_stop(self):
        sim = held()
        arm = sim.index("arm")
        bounds = sim.joint_limits["a_max"][arm]
        sim.trajectory("panda_joint1", [[1.0]])
        sim.run(0.3)
        fast = float(sim.v_ref[0])
        self.assertGreater(fast, 1.0)
        goal = HOME + [1.2, 0.1, 0.0, 0.3, 0.0, 0.0, -0.2]
        sim.trajectory("arm", [goal])
        sim.step()
        self.assertEqual([plan["joints"] for plan in sim.plans], [("panda_joint1",)], "the others wait for 50 ms")
        sim.events()
        _, q = follow(sim)
        v = np.diff(q[:, arm], axis=0) / sim.period
        joined = int(np.argmax(np.abs(v[:, 3]) > 0))
        self.assertAlmostEqual(joined * sim.period, 0.05, delta=0.004)
        self.assertGreater(v[: joined + 20, 0].min(), 0.9 * fast)
        self.assertLess((np.abs(np.diff(v, axis=0)) / sim.period / bounds).max(), 1.01)
        np.testing.assert_allclose(sim.q_ref[arm], goal, atol=1e-9)
        self.assertEqual(sim.plans, [])

    def test_a_waypoint_beyond_a_limit_is_refused_whole_with_joint_waypoint_and_value(self):
        sim = held()
        before = sim.q_ref.copy()
        sim.trajectory("panda_joint1", [[0.5], [5.0]])
        with self.assertRaises(jointrig.Refused) as raised:
            sim.step()
        self.assertRegex(str(raised.exception), "panda_joint1.*waypoint 2")
        sim.run(0.2)
        np.testing.assert_array_equal(sim.q_ref, before)

    def lag(self, execution, **gains):
        """Lag of joint 1 at a constant acceleration of 0.6 rad/s², and where it holds afterwards."""
        sim = held(joints={"panda_joint1": gains}, plant={"friction_scale": 0})
        sim.trajectory("panda_joint1", [[0.3], [0.6]], times=[1, 2], velocities=[[0.6], [0]], execution=execution)
        sim.step()
        sim.run(0.9)
        behind = float(sim.q_ref[0] - sim.q[0])
        sim.run(3.0)
        self.assertEqual(sim.plans, [])
        self.assertAlmostEqual(float(sim.q[0]), 0.6, delta=2e-5)
        return behind

    def test_without_the_torque_that_it_needs_a_joint_lags_by_its_acceleration(self):
        w = 2.0 * np.pi * 5.0
        gains = {"bandwidth": 5.0, "damping_ratio": 1.0}
        by_position, by_velocity = 0.6 / w**2, 0.6 / (2.0 * w * 10.0)
        self.assertAlmostEqual(self.lag("inverse_dynamics", **gains), 0.0, delta=0.1 * by_position)
        self.assertAlmostEqual(self.lag("position", **gains), by_position, delta=0.1 * by_position)
        self.assertAlmostEqual(self.lag("velocity", **gains), by_velocity, delta=0.1 * by_position)

    def test_with_gains_of_its_own_a_joint_lags_by_the_torque_that_is_not_fed_forward(self):
        """kp e = M a - kd T a by position, T the cycle by which the speed is late; by a speed kd k stands for kp."""
        model = mujoco.MjModel.from_xml_path(str(ROOT / "models/franka/franka.xml"))
        data = mujoco.MjData(model)
        for number, q in enumerate(HOME, 1):
            data.joint(f"panda_joint{number}").qpos[0] = q
        mujoco.mj_forward(model, data)
        row, unit = np.zeros(model.nv), np.zeros(model.nv)
        unit[model.joint("panda_joint1").dofadr[0]] = 1.0
        mujoco.mj_mulM(model, data, row, unit)
        kp, kd = 2000.0, 120.0
        torque = (row @ unit - kd * 1e-3) * 0.6
        gains = {"kp": kp, "kd": kd, "ki": 0.0}
        self.assertAlmostEqual(self.lag("position", **gains), torque / kp, delta=0.03 * torque / kp)
        self.assertAlmostEqual(self.lag("velocity", **gains), torque / (10.0 * kd), delta=0.03 * torque / (10.0 * kd))
        self.assertLess(abs(self.lag("inverse_dynamics", **gains)), 0.1 * torque / kp)

    def errors(self, execution, **gains):
        """Errors of joint 1 in 0.95 s at a constant acceleration of 0.6 rad/s², cycle by cycle."""
        sim = held(joints={"panda_joint1": gains}, plant={"friction_scale": 0})
        sim.trajectory("panda_joint1", [[0.3], [0.6]], times=[1, 2], velocities=[[0.6], [0]], execution=execution)
        sim.step()
        behind = []
        for _ in range(950):
            sim.step()
            behind.append(float(sim.q_ref[0] - sim.q[0]))
        self.assertEqual([event.sentence for event in sim.events() if event.kind in ("fault", "plan_broken")], [])
        return np.array(behind)

    def test_without_damping_there_is_no_loop_of_the_speed_and_a_velocity_leads_as_a_position_does(self):
        gains = {"kp": 200.0, "kd": 0.0, "ki": 0.0}
        by_velocity = self.errors("velocity", **gains)
        self.assertTrue(np.isfinite(by_velocity).all())
        np.testing.assert_array_equal(by_velocity, self.errors("position", **gains))

    def test_a_damping_ratio_of_0_is_refused_where_it_would_leave_the_joint_without_feedback(self):
        with self.assertRaises(jointrig.InputError) as raised:
            held(joints={"panda_joint1": {"bandwidth": 5.0, "damping_ratio": 0.0}})
        self.assertIn("damping_ratio: 0 leaves panda_joint1 without any feedback", str(raised.exception))

    def test_a_joint_without_damping_swings_about_the_lag_of_its_spring(self):
        """M e'' + kp e = M a from rest: e = M a / kp (1 - cos wt), with w² = kp / M."""
        model = mujoco.MjModel.from_xml_path(str(ROOT / "models/franka/franka.xml"))
        data = mujoco.MjData(model)
        for number, q in enumerate(HOME, 1):
            data.joint(f"panda_joint{number}").qpos[0] = q
        mujoco.mj_forward(model, data)
        row, unit = np.zeros(model.nv), np.zeros(model.nv)
        unit[model.joint("panda_joint1").dofadr[0]] = 1.0
        mujoco.mj_mulM(model, data, row, unit)
        kp, mass = 200.0, row @ unit
        lag, w = mass * 0.6 / kp, np.sqrt(kp / mass)
        expected = lag * (1.0 - np.cos(w * 1e-3 * np.arange(1, 951)))
        np.testing.assert_allclose(self.errors("velocity", kp=kp, kd=0.0, ki=0.0), expected, atol=0.1 * lag)

    def test_a_joint_that_rests_in_a_moving_trajectory_is_not_taken_from_it(self):
        sim = held()
        sim.trajectory(["panda_joint1", "panda_joint2"], [[0.5, HOME[1]]])
        sim.run(0.3)
        sim.events()
        sim.trajectory("panda_joint2", [[-0.5]])
        with self.assertRaises(jointrig.Refused) as raised:
            sim.step()
        self.assertRegex(str(raised.exception), "panda_joint2.*a trajectory of 2 joints leads it, on the way to waypoint 1, and "
                         "this one is of 1; replace that one alone by one of all its joints, and more if you want, or stop it")
        sim.run(2.0)
        told = [event for event in sim.events() if event.kind in ("plan", "plan_broken")]
        self.assertEqual([event.kind for event in told], ["plan", "plan"], told)
        self.assertIn("finished", told[-1].sentence)
        self.assertAlmostEqual(float(sim.q_ref[0]), 0.5, delta=1e-9)

    def test_a_waypoint_has_bounds_of_acceleration_and_tolerances_of_its_own(self):
        sim = held()
        joint = sim.index("panda_joint1")
        sim.trajectory("panda_joint1", [[0.3]], max_acceleration=3.0)
        took, q = follow(sim)
        self.assertAlmostEqual(took, 2.0 * np.sqrt(0.3 / 3.0), delta=0.004)  # bang-bang
        self.assertAlmostEqual(np.abs(np.diff(q[:, joint], 2, axis=0)).max() / sim.period**2, 3.0, delta=0.01)
        joints = ["panda_joint4", "panda_joint1"]
        sim.trajectory(joints, [[-2.2, 0.3], [-1.6, 0.3]], waypoint_tolerance=[[1e-6, 0], [0, 0]], execution="velocity")
        sim.run(2.0)
        [broken] = [event for event in sim.events() if event.kind == "plan_broken"]
        self.assertRegex(broken.sentence, "panda_joint4.*waypoint 1: .* rad from its reference, and the tolerance there is 1e-06")
        self.assertLess(float(sim.q_ref[sim.index("panda_joint4")][0]), -1.6)
        sim.trajectory(joints, [[-2.2, 0.3]], max_acceleration=[0.5, 16.0])
        with self.assertRaises(jointrig.Refused) as raised:
            sim.step()
        self.assertRegex(str(raised.exception), "panda_joint1.*largest acceleration is 16 rad/s² where the limit is 15")

    def test_corners_are_rounded_and_an_end_at_speed_is_braked_behind(self):
        # By hand, as in scenarios/motion/rounded_corners.yaml, at a = 2 rad/s².
        sim = held(joints={"panda_joint1": {"acceleration_max": 2.0}})
        joint = sim.index("panda_joint1")
        sim.trajectory("panda_joint1", [[0.36], [0.0]], times=[1.0, 2.0], rounds_corners=True)
        _, q = follow(sim)
        self.assertAlmostEqual(float(q[:, joint].max()), 0.32, delta=1e-5)
        v = np.diff(q[:, joint], axis=0) / sim.period
        self.assertAlmostEqual(float(v.max()), 0.4, delta=1e-6)
        self.assertLess(np.abs(np.diff(v, axis=0)).max() / sim.period, 2.0 * (1 + 1e-6))
        sim.trajectory("panda_joint1", [[0.2]], times=[1.0], velocities=[[0.4]], brakes_behind=True)
        _, q = follow(sim)
        self.assertAlmostEqual(float(q[-1, joint][0]), 0.24, delta=1e-9)
        sim.trajectory("panda_joint1", [[0.2]], times=[1.0], velocities=[[0.4]])
        with self.assertRaises(jointrig.Refused):
            sim.step()

    def test_bad_input_is_one_sentence_and_nothing_is_sent(self):
        sim = held()
        for sentence, more in (
                ("waypoints has the shape (1, 2): give a row for each waypoint, with 1 numbers",
                 {"waypoints": [[0.1, 0.2]]}),
                ("waypoints is [[0.1], 'far']: give numbers", {"waypoints": [[0.1], "far"]}),
                ("speed has the shape (3,): give one number for all waypoints, or 1", {"speed": [1.0, 0.5, 0.2]}),
                ("execution is 'torque': give one of inverse_dynamics, position, velocity", {"execution": "torque"}),
                ("waypoint_tolerance has the shape (2,): give one number, 1,", {"waypoint_tolerance": [0.1, 0.1]}),
                ("max_acceleration is -1.0: give finite numbers, 0 or more", {"max_acceleration": -1.0}),
                ("max_acceleration bounds the fastest motion", {"max_acceleration": 1.0, "times": [1.0]}),
                ("rounds_corners and brakes_behind are for times", {"rounds_corners": True}),
                ("rounds_corners and brakes_behind are for times", {"brakes_behind": True}),
                ("rounds_corners leads along straight lines to rest",
                 {"times": [1.0], "rounds_corners": True, "brakes_behind": True}),
                ("velocities are given without times", {"velocities": [[0.0]]}),
                ("accelerations are given without velocities", {"times": [1.0], "accelerations": [[0.0]]})):
            with self.subTest(sentence), self.assertRaises(jointrig.InputError) as raised:
                sim.trajectory("panda_joint1", **{"waypoints": [[0.1]], **more})
            self.assertIn("trajectory: " + sentence, str(raised.exception))
        with self.assertRaises(jointrig.InputError):
            sim.trajectory("panda_jont1", [[0.1]])
        sim.trajectory("panda_joint1", [[float("nan")]])
        with self.assertRaises(jointrig.Refused):
            sim.step()


if __name__ == "__main__":
    unittest.main()
