"""reach(): joint positions for poses of tools, in this process and of a served robot.

    reach_test.py PATH_TO_THE_PROGRAM

Two links in a plane have a closed form, against which positions, limits and what is left are held.
"""

import asyncio
import math
import pathlib
import sys
import tempfile
import unittest

import jointrig
import numpy as np
from mcap_ros2.reader import read_ros2_messages

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from served import Served  # noqa: E402

# Links of 0.5 m and 0.3 m about z, the elbow up to 1.5 rad to either side.
PLANE = """<mujoco>
  <compiler angle="radian"/>
  <default><geom type="sphere" size="0.01" mass="0.1" contype="0" conaffinity="0"/></default>
  <worldbody>
    <body name="upper"><joint name="shoulder" axis="0 0 1" range="-3 3"/><geom/>
      <body name="fore" pos="0.5 0 0"><joint name="elbow" axis="0 0 1" range="-1.5 1.5"/><geom/>
        <site name="tip" pos="0.3 0 0"/></body></body>
  </worldbody>
  <actuator><motor joint="shoulder" ctrlrange="-9 9"/><motor joint="elbow" ctrlrange="-9 9"/></actuator>
</mujoco>
"""
PLANE_FILE = """schema: 1
name: plane
model: plane.xml
backend: kinematic
parts: {arm: [shoulder, elbow]}
arms: {arm: {part: arm, tool: tip}}
joints: {shoulder: {start: 0.2}, elbow: {start: 0.6}}
"""
UPPER, FORE = 0.5, 0.3


def plane(folder):
    pathlib.Path(folder, "plane.xml").write_text(PLANE)
    path = pathlib.Path(folder, "plane.yaml")
    path.write_text(PLANE_FILE)
    return str(path)


def elbow_at(distance):
    """By the law of cosines, to the positive side."""
    return math.acos((distance**2 - UPPER**2 - FORE**2) / (2.0 * UPPER * FORE))


def tip_of(shoulder, elbow):
    return np.array([UPPER * math.cos(shoulder) + FORE * math.cos(shoulder + elbow),
                     UPPER * math.sin(shoulder) + FORE * math.sin(shoulder + elbow), 0.0])


class InThePlane(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.sim = jointrig.Sim(plane(folder.name))
        self.sim.set_mode("arm", "position")
        self.sim.run(0.1)
        self.soft = self.sim.joint_limits["q_max"][1] - self.sim.joint_limits["soft_margin"][1]

    def test_positions_are_those_of_the_law_of_cosines(self):
        goal = tip_of(-0.4, 1.1)
        found = self.sim.reach("arm", goal, move=False)
        self.assertEqual(found.joints, ("shoulder", "elbow"))
        np.testing.assert_allclose(found.q, [-0.4, elbow_at(np.linalg.norm(goal))], atol=1e-5)
        self.assertAlmostEqual(found.q[1], 1.1, delta=1e-5)
        self.assertLess(found.rests[0][0], 1e-6)
        self.assertEqual(found.positions, dict(zip(found.joints, found.q)))
        begin = self.sim.q_ref.copy()
        self.sim.run(0.1)
        np.testing.assert_array_equal(self.sim.q_ref, begin)
        self.assertIsNone(found.number)

    def test_the_posture_chooses_the_side_of_the_elbow(self):
        goal = tip_of(0.3, 1.0)
        for sign in (1.0, -1.0):
            with self.subTest(sign=sign):
                found = self.sim.reach("arm", goal, posture={"elbow": sign}, move=False)
                self.assertAlmostEqual(found.q[1], sign * 1.0, delta=1e-5)
                np.testing.assert_allclose(tip_of(*found.q), goal, atol=1e-6)

    def test_the_joints_go_there_by_one_move(self):
        goal = tip_of(-0.4, 1.1)
        found = self.sim.reach("arm", goal, duration=1.0)
        self.sim.run(0.5)
        self.assertTrue(self.sim.moving.all())
        self.sim.run(0.7)
        np.testing.assert_allclose(self.sim.arms["arm"].position, goal, atol=1e-6)
        taken = [event.number for event in self.sim.events() if event.kind == "accepted"]
        self.assertEqual(taken[-1], found.number)

    def test_speed_is_the_largest_on_the_way(self):
        self.sim.reach("arm", tip_of(1.5, 0.6), speed=0.5)
        fastest = 0.0
        for _ in range(6000):  # a move of least jerk: 1.875 times the way by its peak speed
            self.sim.step()
            fastest = max(fastest, np.abs(self.sim.v_ref).max())
        self.assertAlmostEqual(fastest, 0.5, delta=1e-6)
        self.assertAlmostEqual(self.sim.q_ref[0], 1.5, delta=1e-5)

    def test_by_and_turn_begin_where_the_tool_is(self):
        begin = tip_of(0.2, 0.6)
        found = self.sim.reach("arm", by=[-0.1, 0.05, 0.0], move=False)
        np.testing.assert_allclose(tip_of(*found.q), begin + [-0.1, 0.05, 0.0], atol=1e-6)
        # With a place that stays, the other side of the elbow is the only other way to turn.
        mirrored = 2.0 * math.atan2(begin[1], begin[0]) - (0.2 + 0.6)
        found = self.sim.reach("arm", begin, turn=[0.0, 0.0, mirrored - 0.8], move=False)
        self.assertAlmostEqual(found.q[1], -0.6, delta=1e-5)
        self.assertAlmostEqual(found.q.sum(), mirrored, delta=1e-5)

    def test_what_is_beyond_a_limit_is_told_with_joint_value_and_limit(self):
        distance = 0.45  # wants the elbow at 1.907 rad, to either side
        begin = self.sim.q_ref.copy()
        with self.assertRaises(jointrig.Unreachable) as raised:
            self.sim.reach("arm", [distance, 0.0, 0.0])
        refused = raised.exception
        self.assertEqual((refused.reason, refused.joint), ("joint_limits", "elbow"))
        self.assertAlmostEqual(abs(refused.value), elbow_at(distance), delta=1e-4)
        self.assertAlmostEqual(abs(refused.limit), self.soft, delta=1e-9)
        # The nearest has the elbow at its limit, on the ray to the goal.
        nearest = np.linalg.norm(tip_of(refused.nearest["shoulder"], refused.nearest["elbow"]))
        self.assertAlmostEqual(nearest, np.linalg.norm(tip_of(0.0, self.soft)), delta=1e-4)
        self.assertAlmostEqual(refused.rests[0][0], nearest - distance, delta=1e-4)
        self.assertIn("elbow would have to be at", str(refused))
        self.sim.run(0.1)
        np.testing.assert_array_equal(self.sim.q_ref, begin)

    def test_out_of_reach_is_told_with_what_is_left(self):
        with self.assertRaises(jointrig.Unreachable) as raised:
            self.sim.reach("arm", [0.0, 1.1, 0.0])
        refused = raised.exception
        self.assertEqual((refused.reason, refused.joint), ("out_of_reach", ""))
        self.assertAlmostEqual(refused.rests[0][0], 1.1 - (UPPER + FORE), delta=1e-6)
        self.assertIn("300 mm off", str(refused))
        self.assertAlmostEqual(refused.nearest["elbow"], 0.0, delta=1e-2)
        with self.assertRaises(jointrig.Unreachable) as raised:  # a plane has no third direction
            self.sim.reach("arm", by=[0.0, 0.0, 0.02])
        self.assertAlmostEqual(raised.exception.rests[0][0], 0.02, delta=1e-6)

    def test_a_rotation_that_nothing_gives_is_left_free_where_it_is_said(self):
        tilt = math.sqrt(0.5)
        goal = tip_of(0.1, 0.9)
        turned = [tilt, tilt, 0.0, 0.0]  # about x: two joints about z don't give it
        with self.assertRaises(jointrig.Unreachable) as raised:
            self.sim.reach("arm", goal, orientation=turned, move=False)
        self.assertGreater(raised.exception.rests[0][1], 0.1)
        found = self.sim.reach("arm", goal, orientation=turned, free_rotation="all", move=False)
        np.testing.assert_allclose(tip_of(*found.q), goal, atol=1e-6)

    def test_a_command_in_another_mode_is_refused_by_the_step(self):
        self.sim.set_mode("arm", "velocity")
        self.sim.step()
        self.sim.reach("arm", tip_of(0.1, 0.9))
        with self.assertRaises(jointrig.Refused) as raised:
            self.sim.step()
        self.assertEqual((raised.exception.reason, raised.exception.command), ("wrong_mode", "move"))

    def test_what_makes_no_sense_is_told_in_a_sentence(self):
        calls = {
            "there is no arm 'amr'": lambda reach: reach("amr", [0, 0, 0]),
            "position or by": lambda reach: reach("arm"),
            "position and by": lambda reach: reach("arm", [0, 0, 0], by=[0, 0, 0]),
            "orientation and turn": lambda reach: reach("arm", [0.5, 0, 0], orientation=[1, 0, 0, 0], turn=[0, 0, 0]),
            "give 3 numbers": lambda reach: reach("arm", [0.5, 0]),
            "give finite numbers": lambda reach: reach("arm", [0.5, math.nan, 0]),
            "quaternion": lambda reach: reach("arm", [0.5, 0, 0], orientation=[2, 0, 0, 0]),
            "base, world": lambda reach: reach("arm", [0.5, 0, 0], frame="tool"),
            "tool_z": lambda reach: reach("arm", [0.5, 0, 0], turn=[0, 0, 0], free_rotation="w"),
            "goes with orientation or turn": lambda reach: reach("arm", [0.5, 0, 0], free_rotation="z"),
            "named twice": lambda reach: reach(tools=[{"arm": "arm", "by": [0, 0, 0]}] * 2),
            "beside tools": lambda reach: reach("arm", tools=[{"arm": "arm", "by": [0, 0, 0]}]),
            "'pos'": lambda reach: reach(tools=[{"arm": "arm", "pos": [0, 0, 0]}]),
            "speed and duration": lambda reach: reach("arm", [0.5, 0, 0], speed=1.0, duration=1.0),
            "move is False": lambda reach: reach("arm", [0.5, 0, 0], speed=1.0, move=False),
            "elbow": lambda reach: reach("arm", [0.5, 0, 0], posture={"elbo": 0.0}),
            "posture of elbow is 'far'": lambda reach: reach("arm", [0.5, 0, 0], posture={"elbow": "far"}),
            "posture gives elbow twice": lambda reach: reach("arm", [0.5, 0, 0], posture={"elbow": 0.1, "arm": 0.2}),
        }
        for said, call in calls.items():
            with self.subTest(said), self.assertRaises(jointrig.InputError) as raised:
                call(self.sim.reach)
            self.assertIn(said, str(raised.exception))


HANDS = [{"arm": "left", "by": [0.03, 0.0, 0.02], "turn": [0, 0, 0]}, {"arm": "right", "by": [0.03, 0.0, 0.02]}]


class OfRobots(unittest.TestCase):
    def test_two_hands_and_a_torso_come_to_their_poses(self):
        sim = jointrig.Sim("icub_upper_body", backend="kinematic")
        sim.set_mode("all", "position")
        sim.step()
        for name, q in sim.poses["hands_up"].items():
            sim.timed_move(name, q, 1.0)
        sim.run(1.2)
        begin = {name: sim.arms[name].position.copy() for name in ("left", "right")}
        still = sim.reach(tools=HANDS, move=False)
        self.assertFalse(any(name.startswith("torso") for name in still.joints))
        found = sim.reach(tools=HANDS, with_joints="torso", posture={"torso_yaw": 0.2}, duration=1.0)
        self.assertIn("torso_yaw", found.joints)
        self.assertEqual(len(found.rests), 2)
        torso = [found.positions[name] for name in sim.parts["torso"]]
        self.assertGreater(np.abs(np.array(torso) - sim.q[sim.index("torso")]).max(), 1e-2)
        sim.run(1.2)
        np.testing.assert_allclose(sim.q[[sim.joints.index(name) for name in found.joints]], found.q, atol=1e-9)
        for name, start in begin.items():
            np.testing.assert_allclose(sim.arms[name].position, start + [0.03, 0.0, 0.02], atol=1e-5)
        with self.assertRaises(jointrig.InputError) as raised:
            sim.reach(tools=HANDS, posture={"torso_yaw": 0.2}, move=False)
        self.assertIn("torso_yaw", str(raised.exception))

    def test_it_is_the_step_of_a_scenario_to_the_bit(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "same.yaml")
            path.write_text("""schema: 1
scenario: same
robot: franka
steps:
  - set_mode: {joints: arm, mode: position}
  - wait: 300 ms
  - reach: {arm: arm, by: [3 cm, 4 cm, -5 cm], turn: [0, 0, 0.3], posture: {panda_joint3: 0.2}, speed: 0.7, wait: false}
  - wait: 1 s
  - reach: {arm: arm, position: [45 cm, 10 cm, 45 cm], frame: world, duration: 800 ms, wait: false}
  - wait: 1 s
""")
            result = jointrig.run_scenario(path, out=pathlib.Path(folder, "out"))
            self.assertTrue(result.passed, result.reason)
            cycles = [message.ros_msg.cycle for message in read_ros2_messages(result.log_path, topics=["/commands"])]
            last = max(message.ros_msg.cycle for message in read_ros2_messages(result.log_path, topics=["/loop"]))
            sim = jointrig.Sim("franka")
            sim.record()
            calls = (lambda: sim.set_mode("arm", "position"),
                     lambda: sim.reach("arm", by=[0.03, 0.04, -0.05], turn=[0, 0, 0.3], posture={"panda_joint3": 0.2}, speed=0.7),
                     lambda: sim.reach("arm", [0.45, 0.1, 0.45], frame="world", duration=0.8))
            for cycle, call in zip(cycles, calls, strict=True):
                sim.step(cycle - 1 - sim.cycle)  # to the cycle before the one that takes it
                call()
            sim.step(last - sim.cycle)
            self.assertEqual(sim.state_hash(), result.state_hash)
            again = pathlib.Path(folder, "again.yaml")
            sim.write_scenario(again)
            self.assertEqual(jointrig.run_scenario(again).state_hash, sim.state_hash())


class OfAServedRobot(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.served = Served(cls, "franka", "--backend", "kinematic")
        cls.addClassCleanup(cls.served.__exit__)

    GOAL, DOWN = [0.5, 0.2, 0.4], [0.0, 1.0, 0.0, 0.0]

    def answers_of(self, reach):
        """Positions that are found, and refusals in their words, of a robot as it starts."""
        found = reach("arm", self.GOAL, orientation=self.DOWN, posture={"panda_joint3": 0.3}, move=False)
        told = [found.joints, found.q, found.rests]
        for goal, options in (([1.5, 0, 0.333], {}), ([0.2, 0, 0.3], {"orientation": [math.sqrt(0.5), 0, math.sqrt(0.5), 0]})):
            with self.assertRaises(jointrig.Unreachable) as raised:
                reach("arm", goal, move=False, **options)
            refused = raised.exception
            told += [str(refused), refused.reason, refused.joint, refused.value, refused.limit, refused.nearest, refused.rests]
        return told

    def test_a_watcher_is_told_what_a_sim_tells_and_only_the_holder_moves(self):
        sim = jointrig.Sim("franka", backend="kinematic")
        with self.served.connect(watch=True) as watcher:
            for mine, there in zip(self.answers_of(sim.reach), self.answers_of(watcher.reach), strict=True):
                np.testing.assert_equal(there, mine)
            with self.assertRaises(jointrig.NoLease):
                watcher.reach("arm", self.GOAL)
            with self.assertRaises(jointrig.InputError) as raised:
                watcher.reach("arm", self.GOAL, orientation=[2, 0, 0, 0])
            self.assertIn("quaternion", str(raised.exception))

    def test_the_holder_moves_a_tool_in_both_kinds_of_client(self):
        async def awaited():
            async with jointrig.aio.connect(self.served.address) as robot:
                await robot.set_mode("arm", "position")
                await robot.run(0.1)
                with self.assertRaises(jointrig.Unreachable):
                    await robot.reach("arm", [1.5, 0, 0.333])
                found = await robot.reach("arm", by=[0.0, -0.1, 0.0], turn=[0, 0, 0], duration=1.0)
                await robot.run(1.2)
                return found, robot.arms["arm"].position.copy()

        with self.served.connect() as robot:
            robot.set_mode("arm", "position")
            robot.run(0.1)
            found = robot.reach("arm", self.GOAL, orientation=self.DOWN, duration=1.5)
            robot.run(1.7)
            np.testing.assert_allclose(robot.arms["arm"].position, self.GOAL, atol=1e-5)
            self.assertIn(found.number, [event.number for event in robot.events() if event.kind == "accepted"])
        found, position = asyncio.run(awaited())
        self.assertGreater(found.number, 0)
        np.testing.assert_allclose(position, np.array(self.GOAL) - [0.0, 0.1, 0.0], atol=1e-5)

    def test_many_that_ask_at_once_are_all_answered(self):
        async def ask():
            robots = [await jointrig.aio.connect(self.served.address, watch=True) for _ in range(3)]
            found = await asyncio.gather(*(robot.reach("arm", self.GOAL, move=False) for robot in robots for _ in range(8)))
            for robot in robots:
                await robot.close()
            return found
        found = asyncio.run(ask())
        self.assertEqual(len(found), 24)
        for one in found:
            np.testing.assert_allclose(one.q, found[0].q, atol=1e-12)


if __name__ == "__main__":
    unittest.main()
