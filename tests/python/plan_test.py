"""plan_trajectory() and plan_tool_trajectory(): what a motion would be, without it.

    plan_test.py PATH_TO_THE_PROGRAM
"""

import asyncio
import pathlib
import re
import sys
import unittest

import jointrig
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from served import Served  # noqa: E402

WAY = [[0.3, -1.9], [-0.2, -2.1]]
TWO = ["panda_joint1", "panda_joint4"]


def held(**options):
    sim = jointrig.Sim("franka", **{"backend": "kinematic", **options})
    sim.set_mode("arm", "position")
    sim.run(0.2)
    return sim


def numbers_rounded(sentence):
    return re.sub(r"-?\d+\.\d+", lambda number: f"{float(number[0]):.2f}", re.sub(r" \[[^\]]+ #\d+\]", "", sentence))


class InThisProcess(unittest.TestCase):
    def test_it_tells_what_the_motion_then_does(self):
        sim = held()
        before, state = sim.state_hash(), sim.q_ref.copy()
        plan = sim.plan_trajectory(TWO, WAY, speed=0.5)
        self.assertTrue(plan.passed, plan.refusal)
        self.assertEqual((plan.joints, sim.state_hash()), (tuple(TWO), before))
        np.testing.assert_array_equal(sim.q_ref, state)
        np.testing.assert_allclose(plan.waypoint_q, WAY, atol=1e-9)
        np.testing.assert_allclose(plan.q[[0, -1]], [state[[0, 3]], WAY[1]], atol=1e-9)
        self.assertEqual((plan.times[0], plan.times[-1]), (0.0, plan.duration))
        self.assertEqual(plan.waypoint_times[-1], plan.duration)
        # The path keeps to the share of v_max that it was given.
        v_max = sim.joint_limits["v_max"][[0, 3]]
        speeds = np.abs(np.diff(plan.q, axis=0) / np.diff(plan.times)[:, None]).max(axis=0) / v_max
        self.assertLessEqual(speeds.max(), 0.5 + 1e-6)
        # The motion of the same arguments: the same time, the same places on the way.
        sim.trajectory(TWO, WAY, speed=0.5)
        sim.step()
        self.assertAlmostEqual(sim.plans[0]["duration"], plan.duration, delta=1e-9)
        start = sim.time - sim.plans[0]["time"]
        for t in (0.3 * plan.duration, 0.8 * plan.duration):
            sim.step(round((start + t - sim.time) / sim.period))
            expected = [np.interp(sim.time - start, plan.times, plan.q[:, k]) for k in (0, 1)]
            np.testing.assert_allclose(sim.q_ref[[0, 3]], expected, atol=2e-3)

    def test_nothing_has_begun_and_nothing_waits(self):
        sim = held()
        for _ in range(40):  # more than the loop has places for plans
            self.assertTrue(sim.plan_trajectory(TWO, WAY).passed)
        sim.run(0.1)
        self.assertEqual(([event.kind for event in sim.events()].count("plan"), sim.plans), (0, []))
        sim.trajectory(TWO, WAY)
        sim.step()
        self.assertEqual(len(sim.plans), 1)

    def test_a_refusal_is_that_of_the_motion(self):
        for options, way in (({}, [[9.0, -2.0]]), ({"times": [0.01]}, [[0.5, -2.0]])):
            sim = held()
            plan = sim.plan_trajectory(TWO, way, **options)
            with self.assertRaises(jointrig.Refused) as raised:
                sim.trajectory(TWO, way, **options)
                sim.step()
            self.assertFalse(plan.passed)
            self.assertIn("panda_joint1", plan.refusal)
            self.assertIn(plan.refusal.split(":")[-1].strip(), str(raised.exception))
        self.assertEqual(plan.waypoint, 1)

    def test_bodies_that_come_too_near_are_told_with_the_time(self):
        sim = held()
        sim.set_obstacle("ball", "sphere", 0.15, sim.arms["arm"].position + [0.0, 0.25, 0.0])
        sim.step()
        plan = sim.plan_tool_trajectory("arm", [{"by": [0, 0.2, 0]}])
        self.assertIn("ball", plan.meets)
        self.assertTrue(0.0 < plan.meets_at < plan.duration)
        self.assertIn("ball", plan.refusal)
        free = sim.plan_tool_trajectory("arm", [{"by": [0, 0.2, 0]}], check_collisions=False)
        self.assertEqual((free.passed, free.meets), (True, ""))
        self.assertTrue(np.isnan(free.meets_at))

    def test_a_tool_takes_the_time_of_its_speed(self):
        sim = held()
        plan = sim.plan_tool_trajectory("arm", [{"by": [0, 0.2, 0]}], linear_speed=0.02)
        # 0.2 m at 0.02 m/s, and a moment to get there and to rest.
        self.assertAlmostEqual(plan.duration, 10.0, delta=0.2)
        self.assertEqual(len(plan.waypoint_times), 1)

    def test_what_belongs_to_a_motion_alone_is_refused(self):
        sim = held()
        with self.assertRaises(jointrig.InputError) as raised:
            sim.plan_trajectory("arm", [sim.q_ref[sim.index("arm")]], interaction={"stiffness": [1.0] * 6})
        self.assertIn("interaction", str(raised.exception))
        with self.assertRaises(jointrig.InputError):
            sim.plan_trajectory("panda_joint9", [[0.0]])


class OfAServedRobot(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.served = Served(cls, "franka", "--backend", "kinematic")
        cls.addClassCleanup(cls.served.__exit__)

    def test_it_plans_as_a_sim_does_and_leaves_what_goes_on(self):
        sim = held()
        with self.served.connect() as robot:
            robot.set_mode("arm", "position")
            robot.run(0.2)
            for call in (lambda one: one.plan_trajectory(TWO, WAY, speed=0.5),
                         lambda one: one.plan_tool_trajectory("arm", [{"by": [0, 0.1, 0]}], corner_distance=0.01)):
                mine, there = call(sim), call(robot)
                self.assertEqual((there.passed, there.joints), (True, mine.joints))
                self.assertAlmostEqual(there.duration, mine.duration, delta=1e-6)
                np.testing.assert_allclose(there.waypoint_times, mine.waypoint_times, atol=1e-6)
                np.testing.assert_allclose(there.q, mine.q, atol=1e-6)
            mine, there = (one.plan_trajectory(TWO, [[9.0, -2.0]]) for one in (sim, robot))
            self.assertEqual(numbers_rounded(there.refusal), numbers_rounded(mine.refusal))
            robot.trajectory(TWO, WAY, speed=0.1)
            for _ in range(8):  # more than the plans that wait for their command
                robot.plan_trajectory(TWO, [[0.1, -2.0]])
            robot.run(0.1)
            self.assertEqual(len(robot.plans), 1)
            self.assertEqual([event.kind for event in robot.events()].count("plan_broken"), 0)
            with self.served.connect(watch=True) as watcher, self.assertRaises(jointrig.NoLease):
                watcher.plan_trajectory(TWO, WAY)

    def test_tasks_await_it(self):
        async def planned():
            async with jointrig.aio.connect(self.served.address) as robot:
                await robot.set_mode("arm", "position")
                await robot.run(0.2)
                way = [robot.q_ref[robot.index(TWO)] + 0.1]
                both = (await robot.plan_trajectory(TWO, way),
                        await robot.plan_tool_trajectory("arm", [{"by": [0, 0, 0.02]}]))
                refused = await robot.plan_trajectory(TWO, [[9.0, -2.0]])
                return both, refused
        both, refused = asyncio.run(planned())
        self.assertTrue(all(plan.passed and plan.duration > 0.0 for plan in both), both)
        self.assertIn("panda_joint1", refused.refusal)

    def test_tasks_give_a_motion_its_interaction(self):
        async def moved(address):
            async with jointrig.aio.connect(address) as robot:
                await robot.set_mode("arm", "cartesian")
                await robot.run(0.5)
                await robot.tool_trajectory("arm", [{"by": [0, 0, 0.02]}],
                                            interaction={"stiffness": [200.0, 200, 200, 20, 20, 20]})
                with self.assertRaises(jointrig.InputError):
                    await robot.tool_trajectory("arm", [{"by": [0, 0, 0.02]}], interaction="soft")
                taken = []
                async for event in robot.events():
                    if event.kind == "accepted":
                        taken.append(event.command)
                    if taken[-1:] == ["follow_plan"]:
                        return taken
        with Served(self, "franka") as served:  # with physics, so with mode cartesian
            taken = asyncio.run(asyncio.wait_for(moved(served.address), 30.0))
        self.assertEqual(taken, ["set_mode", "set_interaction_control", "follow_plan"])


if __name__ == "__main__":
    unittest.main()
