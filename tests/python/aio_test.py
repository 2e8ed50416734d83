"""jointrig.aio against a served robot: as jointrig.connect() is, and the event loop is never held up.

    aio_test.py PATH_TO_THE_PROGRAM
"""

import asyncio
import gc
import inspect
import os
import pathlib
import signal
import sys
import tempfile
import threading
import unittest
import weakref

import jointrig
import numpy as np
from jointrig import aio, remote

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from served import Served  # noqa: E402

AWAITED = {"close", "fetch", "files", "parameters", "save_parameters", "plan_tool_trajectory", "plan_trajectory", "reach", "release", "round_trip", "run", "run_scenario", "step", "take", "tool_trajectory",
           "trajectory"}


def public(names):
    return {name for name in names if not name.startswith("_")}


def parameters(function):
    return [(one.name, one.kind, one.default) for one in inspect.signature(function).parameters.values()]


class TheSurface(unittest.TestCase):
    def test_both_have_the_same_names(self):
        self.assertEqual(public(dir(aio.Robot)), public(dir(remote.Robot)))
        self.assertIn("__aenter__", dir(aio.Robot))
        self.assertGreater(len(public(dir(aio.Robot))), 80)

    def test_what_waits_is_awaited_and_nothing_else_is(self):
        coroutines = {name for name in public(dir(aio.Robot))
                      if inspect.iscoroutinefunction(getattr(aio.Robot, name))}
        self.assertEqual(coroutines, public(dir(jointrig.Commands)) | AWAITED)

    def test_parameters_are_equal(self):
        compared = 0
        for name in sorted(public(dir(remote.Robot))):
            method = getattr(remote.Robot, name)
            if inspect.isfunction(method):
                self.assertEqual(parameters(getattr(aio.Robot, name)), parameters(method), name)
                compared += 1
        self.assertGreater(compared, 50)
        self.assertEqual(parameters(aio.Robot.take)[1:], [("by_force", inspect.Parameter.POSITIONAL_OR_KEYWORD, False)])
        self.assertEqual(parameters(aio.connect), parameters(remote.Robot.__init__)[1:])

    def test_each_command_tells_of_itself_in_the_same_words(self):
        for name in public(dir(jointrig.Commands)):
            self.assertEqual(getattr(aio.Robot, name).__doc__, getattr(jointrig.Sim, name).__doc__)


class Driven(unittest.IsolatedAsyncioTestCase):
    @classmethod
    def setUpClass(cls):
        cls.served = Served(cls, "franka")
        cls.addClassCleanup(cls.served.__exit__)

    def connect(self, **options):
        return aio.connect(self.served.address, **options)

    async def in_position(self, **options):
        robot = await self.connect(**options)
        self.addAsyncCleanup(robot.close)
        await robot.set_mode("arm", "position")
        await robot.run(0.2)
        return robot

    async def test_it_is_a_state_with_the_arrays_of_a_connection(self):
        with self.served.connect(watch=True) as other:
            robot = await self.connect(watch=True)
            self.addAsyncCleanup(robot.close)
            self.assertIsInstance(robot, jointrig.State)
            kept = {"_bell", "_sender", "_kept", "_first_kept", "_read", "_readers", "_forgotten"}
            self.assertEqual(vars(robot).keys() - kept, vars(other).keys())
            for name in ("name", "joints", "parts", "poses", "arm_names", "period", "backend"):
                self.assertEqual(getattr(robot, name), getattr(other, name))
            np.testing.assert_array_equal(robot.index("arm"), other.index("arm"))
            self.assertEqual(robot.modes, other.modes)

    async def test_a_move_ends_at_its_goal_and_is_told(self):
        async with self.connect() as robot:
            await robot.set_mode("arm", "position")
            await robot.run(0.2)
            goal = 0.3 if robot.q[0] < 0.0 else -0.3
            number = await robot.move("panda_joint1", goal, speed=1.0)
            async for event in robot.events():
                if event.kind == "goal_reached" and event.joint == "panda_joint1":
                    break
                if event.kind == "accepted" and event.sender == robot.sender:
                    last = event.number
            self.assertEqual(last, number)
            await robot.step(20)  # a state comes each 5 ms, the event at once
            self.assertAlmostEqual(robot.q_ref[0], goal, places=9)
            self.assertAlmostEqual(robot.q[0], goal, places=2)
        self.assertTrue(robot.closed)

    async def test_a_trajectory_and_a_tools_path_are_planned_by_the_server(self):
        robot = await self.in_position()
        there = robot.q_ref[robot.index("arm")] + 0.1
        await robot.trajectory("arm", [there])
        async for event in robot.events():
            if event.kind == "plan" and "finished" in event.sentence:
                break
        await robot.step(20)
        np.testing.assert_allclose(robot.q_ref[robot.index("arm")], there, atol=1e-9)
        height = float(robot.arms["arm"].position[2])
        await robot.tool_trajectory("arm", [{"by": [0, 0, 0.05]}])
        await robot.run(2.0)
        self.assertAlmostEqual(float(robot.arms["arm"].position[2]), height + 0.05, delta=2e-3)
        await robot.trajectory("arm", [there - 0.1])

    async def test_a_refusal_is_raised_by_the_command(self):
        robot = await self.in_position()
        with self.assertRaises(jointrig.Refused) as raised:
            await robot.torque("panda_joint1", 0.1)
        self.assertEqual((raised.exception.reason, raised.exception.command), ("wrong_mode", "torque"))
        with self.assertRaises(jointrig.Refused):
            await robot.trajectory("panda_joint1", [[9.0]])
        with self.assertRaisesRegex(jointrig.InputError, "panda_joint1"):
            await robot.move("panda_joint9", 0.1)
        await robot.step()  # has nothing left to tell

    async def test_without_a_wait_the_refusal_comes_with_the_next_step(self):
        robot = await self.in_position(wait=False)
        await robot.torque("panda_joint1", 0.1)
        with self.assertRaises(jointrig.Refused):
            await robot.run(0.1)
        await robot.step()

    async def test_a_command_has_its_answer_while_another_task_steps(self):
        robot = await self.in_position()
        told = []

        async def ask():
            for _ in range(20):
                try:
                    await robot.torque("panda_joint1", 0.1)
                except jointrig.Refused as refused:
                    told.append(refused.reason)

        asking = asyncio.create_task(ask())
        while not asking.done():
            await robot.step()
        await asking
        self.assertEqual(told, ["wrong_mode"] * 20)

    async def test_a_second_holder_is_refused_and_takes_it_by_force(self):
        robot = await self.in_position(name="anna")
        with self.assertRaisesRegex(jointrig.NoLease, "anna"):
            await self.connect()
        async with self.connect(by_force=True, name="ben") as other:
            self.assertTrue(other.holds_lease)
            with self.assertRaisesRegex(jointrig.NoLease, "ben"):
                await robot.move("panda_joint1", 0.0)
            await other.release()
            self.assertFalse(other.holds_lease)

    async def test_every_reader_of_events_gets_each_one(self):
        robot = await self.in_position()

        async def numbers(events):
            found = []
            async for event in events:
                if event.sender == robot.sender and event.kind == "accepted":
                    found.append(event.number)
                    if event.command == "stop":
                        return found

        one, other = asyncio.create_task(numbers(robot.events())), asyncio.create_task(numbers(robot.events()))
        sent = [await robot.set_speed_override(0.5 + 0.01 * i) for i in range(20)]
        sent += [await robot.set_speed_override(1.0), await robot.stop("panda_joint7")]
        self.assertEqual((await one)[-22:], sent)
        self.assertEqual((await other)[-22:], sent)
        # One that was read is not given again, one that was not read is.
        further = await robot.set_speed_override(1.0)
        async for event in robot.events():
            if event.kind == "accepted" and event.sender == robot.sender:
                break
        self.assertEqual(event.number, further)

    async def test_other_tasks_run_while_it_waits(self):
        robot = await self.in_position()
        ticks = 0

        async def tick():
            nonlocal ticks
            while True:
                await asyncio.sleep(0)
                ticks += 1

        ticking = asyncio.create_task(tick())
        # An answer may be there at once, so the short ones show only that they gave way.
        for wait, least in ((robot.run(0.1), 10), (robot.set_speed_override(1.0), 1), (robot.round_trip(), 1)):
            ticks = 0
            await wait
            self.assertGreaterEqual(ticks, least)
        ticking.cancel()

    async def test_a_cancelled_plan_begins_no_motion(self):
        robot = await self.in_position()
        start = robot.q_ref.copy()
        planning = asyncio.create_task(robot.trajectory("arm", [robot.q_ref[robot.index("arm")] + 0.2]))
        await asyncio.sleep(0)  # it has asked for its plan
        planning.cancel()
        with self.assertRaises(asyncio.CancelledError):
            await planning
        await robot.run(0.3)
        np.testing.assert_array_equal(robot.q_ref, start)

    async def test_a_cancelled_motion_inside_async_with_stops_the_robot(self):
        begun = asyncio.Event()

        async def drive():
            async with self.connect(name="anna") as robot:
                await robot.set_mode("arm", "position")
                await robot.run(0.2)
                await robot.move("panda_joint1", -1.5 if robot.q[0] > 0.0 else 1.5, speed=0.5)
                await robot.run(0.6)
                begun.set()
                await robot.run(60.0)

        watcher = await self.connect(watch=True)
        self.addAsyncCleanup(watcher.close)
        driving = asyncio.create_task(drive())
        await begun.wait()
        watcher.update()
        self.assertGreater(abs(watcher.v_ref[0]), 0.05)
        driving.cancel()
        with self.assertRaises(asyncio.CancelledError):
            await driving
        await watcher.run(0.5)  # the brake's way
        self.assertEqual((watcher.holder, watcher.v_ref[0]), ("", 0.0))
        self.assertLess(abs(watcher.q_ref[0]), 1.4)

    async def test_parameters_are_read(self):
        robot = await self.in_position()
        limits = robot.joint_limits["v_max"]
        np.testing.assert_array_equal((await robot.parameters())["velocity_max"], limits)
        await robot.set_parameter("panda_joint1", "velocity_max", 0.9)
        self.assertEqual((await robot.parameters())["velocity_max"][0], 0.9)
        await robot.set_parameter("panda_joint1", "velocity_max", limits[0])

    async def test_files_come_in_parts_and_a_cancelled_one_leaves_nothing(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "served").mkdir()
            (folder / "served" / "large").write_bytes(bytes(16_000_000))
            served = Served(self, "franka", "--files", folder / "served")
            async with aio.connect(served.address, watch=True) as robot:
                self.assertEqual([file.name for file in await robot.files()], ["large"])
                fetching = asyncio.create_task(robot.fetch("large", folder))
                while not list(folder.glob("*.part")) and not fetching.done():
                    await asyncio.sleep(0)
                fetching.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await fetching
                self.assertEqual(os.listdir(folder), ["served"])
                self.assertEqual(await robot.fetch("large", folder), str(folder / "large"))
                self.assertEqual((folder / "large").stat().st_size, 16_000_000)

    async def test_closed_is_closed_for_every_task(self):
        robot = await self.in_position()

        async def all_events():
            return [event async for event in robot.events()]

        running, listening = asyncio.create_task(robot.run(60.0)), asyncio.create_task(all_events())
        await asyncio.sleep(0)
        await robot.close()
        with self.assertRaises(jointrig.Closed):
            await running
        self.assertGreater(len(await listening), 0)
        for call in (robot.step, robot.close, robot.round_trip):
            if call == robot.close:
                await call()
                continue
            with self.assertRaises(jointrig.Closed):
                await call()
        with self.assertRaises(jointrig.Closed):
            robot.events()

    async def test_one_that_is_dropped_gives_its_lease_back(self):
        robot = await self.in_position()
        gone, bell = weakref.ref(robot), robot._bell
        self.assertTrue(os.path.exists(f"/proc/self/fd/{bell.fd}"))
        self._cleanups.clear()
        del robot
        gc.collect()
        self.assertIsNone(gone())
        async with self.connect(watch=True) as watcher:
            while watcher.holder:
                await watcher.step()
        self.assertEqual(bell.fd, -1)


class TheLoss(unittest.IsolatedAsyncioTestCase):
    async def test_a_server_that_is_killed_is_told_to_every_task(self):
        served = Served(self, "franka")
        robot = await aio.connect(served.address)
        self.addAsyncCleanup(robot.close)

        async def listen():
            async for _ in robot.events():
                pass

        waits = [asyncio.create_task(one) for one in (robot.run(60.0), listen())]
        await robot.round_trip()
        served.process.kill()
        for wait in waits:
            with self.assertRaises(jointrig.ConnectionLost):
                await wait
        with self.assertRaises(jointrig.ConnectionLost):
            await robot.set_mode("arm", "position")
        self.assertFalse(robot.holds_lease)
        self.assertEqual(len(robot.q), 8)

    async def test_a_server_that_is_frozen_holds_up_its_callers_alone(self):
        served = Served(self, "franka")
        robot = await aio.connect(served.address)
        self.addAsyncCleanup(robot.close)
        served.process.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, served.process.pid, os.WSTOPPED)
        waits = [asyncio.create_task(one) for one in
                 (robot.run(0.5), robot.set_mode("arm", "position"), robot.trajectory("arm", [[0.0] * 7]))]
        for _ in range(20):  # this goes on
            await asyncio.sleep(0.001)
        self.assertFalse(any(wait.done() for wait in waits))
        for wait in waits:
            wait.cancel()
        done = await asyncio.gather(*waits, return_exceptions=True)
        self.assertEqual([type(one) for one in done], [asyncio.CancelledError] * 3)
        served.process.send_signal(signal.SIGCONT)

    async def test_nobody_there_is_told_with_what_to_start(self):
        threads = threading.active_count()
        with self.assertRaisesRegex(jointrig.ConnectionLost, "jointrig serve"):
            async with aio.connect("127.0.0.1:1"):
                pass
        self.assertLessEqual(threading.active_count(), threads + 1)


if __name__ == "__main__":
    unittest.main()
