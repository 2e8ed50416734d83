"""jointrig.connect() against a served robot: as a Sim is, and safe when its clients are not.

    remote_test.py PATH_TO_THE_PROGRAM
"""

import inspect
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest

import jointrig
import numpy as np
from jointrig import _core
from mcap_ros2.reader import read_ros2_messages

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from background import Background  # noqa: E402
from served import PROGRAM, Served  # noqa: E402

LONGEST_SILENCE = 200  # cycles: 0.2 s
# A child's last sign of life reaches the server a little after the look at the clock; busy machines take their time.
SLACK = 100


def plain(sentence):
    """Without who sent it, which number it had."""
    return re.sub(r" \[[^\]]+ #\d+\]", "", sentence)


def some_arguments(definition, robot):
    """Zeros, first words, the first arm, all joints."""
    arguments = {}
    for field in definition["fields"] + definition["value_fields"]:
        one = field["words"][0] if field["words"] else False if field["range_name"] == "flag" else 0.0
        arguments[field["name"]] = one if field["count"] == 1 else [one] * (6 if field["is_list"] else field["count"])
    if definition["name"] in ("set_obstacle", "remove_obstacle"):
        arguments["name"] = "ball"
    if definition["name"] == "drive_tool":
        arguments["duration"] = 0.1
    if definition["target"] == "joints":
        arguments["joints"] = "arm"
    if definition["target"] == "arm":
        arguments["arm"] = robot.arm_names[0]
    return arguments


def commands_in(log):
    return [(m.ros_msg.kind, list(m.ros_msg.joints), m.ros_msg.arm, list(m.ros_msg.numbers))
            for m in read_ros2_messages(log, topics=["/commands"])]


DEFINITIONS = [d for d in _core.command_definitions() if d["name"] != "follow_plan"]


class Scripts:
    """Parts of scripts with their results, whatever the robot is."""

    def outcome(self, robot, definition):
        try:
            getattr(robot, definition["name"])(**some_arguments(definition, robot))
            robot.step()
        except jointrig.Refused as refused:
            return plain(str(refused))
        return "accepted"

    def script(self, robot):
        robot.set_mode("arm", "position")
        robot.step(20)
        robot.move(["panda_joint4", "panda_joint1"], [-2.0, 0.3], speed=[1.0, 0.5])
        robot.step(50)
        robot.set_parameter("panda_joint1", "velocity_max", 0.7)
        robot.set_tool_stiffness("arm", [100, 200, 300, 10, 20, 30])
        robot.set_speed_override(0.5)
        robot.stop("panda_joint4")
        robot.step(20)

    def through(self, robot):
        """Where it began, its references on the way, the time that it took."""
        robot.set_mode("all", "position")
        robot.run(0.3)
        home = robot.q_ref[robot.index("arm")]
        robot.trajectory("arm", [home + 0.1, home + [0.2, -0.1, 0.1, 0.0, 0.1, 0.0, 0.2]], speed=0.8)
        references, times = [], []
        for _ in range(400):
            robot.step(5)
            references.append(robot.q_ref[robot.index("arm")].copy())
            times += [event.time for event in robot.events()
                      if event.kind == "plan" and ("started" in event.sentence or "finished" in event.sentence)]
            if len(times) == 2:  # started, finished
                return home, np.array(references), times[1] - times[0]
        raise AssertionError("the trajectory did not end")

    def refusal_of(self, robot, way, **options):
        with self.assertRaises(jointrig.Refused) as raised:
            robot.trajectory("arm", [robot.q_ref[robot.index("arm")] + way], **options)
            robot.step()
        # Where gravity has let it sink before the motors went on is not the same to the last digit.
        return re.sub(r"\d+\.\d+", lambda number: f"{float(number[0]):.2f}", plain(str(raised.exception)))

    def tool_end_of(self, robot):
        robot.set_mode("arm", "position")
        robot.run(0.3)
        robot.tool_trajectory("arm", [{"by": [0, 0.1, 0]}, {"by": [0, 0, -0.1], "turn": [0, 0, 0.2]}],
                              corner_distance=0.02, linear_speed=0.2)
        robot.run(3.0)
        robot.tool_trajectory("arm", [{"by": [0, -0.05, 0], "turn": [0, 0, 3.0], "interaction": {"stiffness": [150.0] * 3 + [10.0] * 3}}],
                              free_rotation="tool_z")
        robot.run(3.0)
        self.assertNotIn("plan_broken", {event.kind for event in robot.events()})
        self.assertEqual(robot.arms["arm"].interaction_stiffness[0], 150.0)
        robot.set_interaction_control("arm", active=False)
        turn = np.array(robot.arms["arm"].orientation)  # its sign has no meaning
        return np.concatenate([robot.arms["arm"].position, turn * np.sign(turn[1])])

    def tool_refusals_of(self, robot):
        told = []
        for path, options in (([{"by": [0, 0, 3.0]}], {}), ([{"by": [0, 0, -0.05], "speed": 2.0}], {}),
                              ([{"by": [0, 0, -0.05], "interaction": {"stiffness": [1e5] + [0.0] * 5}}], {})):
            with self.assertRaises(jointrig.Refused) as raised:
                robot.tool_trajectory("arm", path, **options)
                robot.step()
            told.append(re.sub(r"\d+\.\d+", lambda number: f"{float(number[0]):.1f}", plain(str(raised.exception))))
        return told

    def set_some(self, robot):
        robot.set_parameter(["panda_joint4", "panda_joint1"], "velocity_max", [0.5, 0.7])
        robot.set_parameter("panda_joint2", "ki", 3.0)
        robot.set_impedance("panda_joint3", 40.0, 3.0)
        robot.step()
        with self.assertRaises(jointrig.Refused):
            robot.set_parameter("panda_joint1", "velocity_max", 100.0)
            robot.step()


class AsASim(Scripts, unittest.TestCase):
    """One word changed: jointrig.connect(...) for jointrig.Sim(...)."""

    @classmethod
    def setUpClass(cls):
        cls.served = Served(cls, "franka")
        cls.addClassCleanup(cls.served.__exit__)

    def connect(self, **options):
        """In position."""
        robot = self.served.connect(**options)
        self.addCleanup(robot.close)
        robot.set_mode("arm", "position")
        robot.run(0.2)
        return robot

    def test_both_are_a_state_that_takes_commands(self):
        robot = self.served.connect(watch=True)
        self.addCleanup(robot.close)
        self.assertIsInstance(robot, jointrig.State)
        self.assertIsInstance(robot, jointrig.Commands)

    def test_each_command_is_taken_or_refused_in_the_same_words(self):
        refused = []
        served = Served(self, "franka")  # one that nothing has changed
        sim = jointrig.Sim("franka")
        with served, served.connect() as robot:
            for definition in DEFINITIONS:
                outcome = self.outcome(sim, definition)
                with self.subTest(command=definition["name"]):
                    self.assertEqual(self.outcome(robot, definition), outcome)
                if outcome != "accepted":
                    refused.append(definition["name"])
        self.assertTrue(5 < len(refused) < len(DEFINITIONS) - 5, refused)  # some of both

    def test_a_script_leaves_the_same_commands_in_the_log(self):
        with tempfile.TemporaryDirectory() as folder:
            here, there = str(pathlib.Path(folder, "here.mcap")), str(pathlib.Path(folder, "there.mcap"))
            served = Served(self, "franka", "--log", there)
            sim = jointrig.Sim("franka", log=here)
            self.script(sim)
            sim.close()
            with served:
                robot = served.connect()
                self.script(robot)
                robot.close()
                served.end()
            mine = commands_in(here)
            self.assertEqual(len(mine), 6)
            self.assertEqual(commands_in(there)[:6], mine)  # then the stop at the end of the lease

    def test_a_drive_goes_on_while_it_is_told_and_rests_with_its_client(self):
        robot = self.connect()
        start = robot.arms["arm"].position.copy()
        for _ in range(5):
            robot.drive_tool("arm", [0, 0.1, 0, 0, 0, 0], 60.0)
            robot.run(0.1)
        self.assertTrue(robot.arms["arm"].drives[0])
        self.assertAlmostEqual(float(robot.arms["arm"].drive_had[1]), 0.1)
        self.assertGreater(robot.arms["arm"].position[1] - start[1], 0.02)
        with self.served.connect(watch=True) as watcher:
            robot.close()  # the end of its lease is a stop
            watcher.run(1.0)
            self.assertFalse(watcher.arms["arm"].drives[0])
            rest = watcher.q_ref.copy()
            watcher.run(0.2)
            np.testing.assert_array_equal(watcher.q_ref, rest)

    def test_a_move_ends_at_its_goal(self):
        robot = self.connect()
        robot.move("panda_joint1", 0.3, speed=1.0)
        robot.run(1.5)
        self.assertAlmostEqual(robot.q_ref[0], 0.3, places=9)
        self.assertAlmostEqual(robot.q[0], 0.3, places=3)
        self.assertIn("goal_reached", [event.kind for event in robot.events()])

    def test_it_tells_of_the_robot_what_a_sim_tells(self):
        served = Served(self, "icub_upper_body")
        sim = jointrig.Sim("icub_upper_body")
        with served, served.connect(watch=True) as robot:
            for name in ("name", "backend", "period", "joints", "parts", "poses", "arm_names", "notes"):
                self.assertEqual(getattr(robot, name), getattr(sim, name), name)
            for name, values in sim.joint_limits.items():
                np.testing.assert_array_equal(robot.joint_limits[name], values)
            arrays = {name: value for name, value in vars(sim).items() if isinstance(value, np.ndarray)}
            self.assertGreater(len(arrays), 30)
            for name, value in arrays.items():
                got = getattr(robot, name)
                self.assertEqual((got.dtype, got.shape), (value.dtype, value.shape), name)
                self.assertFalse(got.flags.writeable)
            for name, arm in sim.arms.items():
                self.assertEqual(vars(robot.arms[name]).keys(), vars(arm).keys())
            np.testing.assert_allclose(robot.q, sim.q, atol=0.02)
            np.testing.assert_array_equal(robot.index("left_arm"), sim.index("left_arm"))

    def test_an_arm_tells_there_what_it_tells_here(self):
        told = []
        served = Served(self, "franka")
        with served, served.connect(rate=0) as there:
            for robot in (jointrig.Sim("franka"), there):
                robot.set_mode("arm", "cartesian")
                robot.set_payload("arm", 0.4, [0.0, 0.01, 0.1], [1e-3, 1e-3, 1e-3, 0.0, 0.0, 0.0])
                robot.set_arm_term("arm", "posture", False)
                robot.set_tool_stiffness("arm", [300.0, 400.0, 500.0, 10.0, 12.0, 14.0])
                robot.set_tool_damping("arm", 0.5)
                robot.run(0.3)
                arm = robot.arms["arm"]
                told.append([arm.terms, arm.limits, arm.guide, arm.sensor, *(
                    np.array(getattr(arm, name)).tolist() for name in (
                        "stiffness", "damping_ratio", "payload_mass", "payload_centre", "payload_inertia", "runs",
                        "knows_external", "interaction", "cuff", "interaction_stiffness"))])
        self.assertEqual(told[1], told[0])
        self.assertEqual(told[0][5], [0.5])

    def test_a_law_tells_and_takes_there_what_it_does_here(self):
        settings = {"pin_base": False, "scene": "empty_floor"}
        told = []
        served = Served(self, "icub", "--scene", "empty_floor", "--set", "pin_base=false")
        with served, served.connect() as there:
            for robot in (jointrig.Sim("icub", **settings), there):
                robot.step()
                robot.set_law_parameter("whole_body", "com_y", 0.04)
                robot.step()
                law = robot.laws["whole_body"]
                told.append((law["state"], law["parameters"], list(law["signals"])))
                with self.assertRaises(jointrig.InputError) as raised:
                    robot.switch_law("whole_bodi", True)
                self.assertIn('did you mean "whole_body"', str(raised.exception))
        self.assertGreater(len(told[0][2]), 100)
        self.assertEqual(told[1], told[0])

    def test_what_a_sim_has_a_connection_has_but_for_physics_and_time_that_stands(self):
        only_sim = {"fault_types", "inject_fault", "obstacle", "payload", "push", "record", "restore", "save", "sensor_fault_types",
                    "state_hash", "truth", "truth_names", "write_scenario"}
        from jointrig.remote import Robot
        missing = {name for name, _ in inspect.getmembers(jointrig.Sim) if not name.startswith("_")
                   and not hasattr(Robot, name)}
        self.assertEqual(missing, only_sim)

    def test_a_trajectory_goes_as_that_of_a_sim_and_is_refused_in_the_same_words(self):
        served = Served(self, "franka")
        sim = jointrig.Sim("franka")
        home, mine, duration = self.through(sim)
        with served, served.connect(rate=0) as robot:
            start, there, took = self.through(robot)
            np.testing.assert_allclose(there[-1] - start, [0.2, -0.1, 0.1, 0.0, 0.1, 0.0, 0.2], atol=1e-9)
            np.testing.assert_allclose(there[-1] - start, mine[-1] - home, atol=1e-9)
            # The same way between, in the same time.
            self.assertAlmostEqual(took, duration, delta=0.002)
            np.testing.assert_allclose(there.max(axis=0) - start, mine.max(axis=0) - home, atol=5e-3)
            for way, options in (([3.0, 0, 0, 0, 0, 0, 0], {}), ([0.5] * 7, {"times": [0.01]}),
                                 ([0.1] * 7, {"times": [0.02], "rounds_corners": True}),
                                 ([0.1] * 7, {"max_acceleration": [1.0] * 6 + [30.0], "execution": "velocity"})):
                self.assertEqual(self.refusal_of(robot, way, **options), self.refusal_of(sim, way, **options))
            with self.assertRaises(jointrig.InputError):
                robot.trajectory("arm", np.tile(start, (2000, 1)))  # more than a message may have
            with served.connect(watch=True) as watcher, self.assertRaises(jointrig.NoLease):
                watcher.trajectory("arm", [start])

    def test_a_tool_goes_along_a_path_as_that_of_a_sim_and_is_refused_in_the_same_words(self):
        served, sim = Served(self, "franka"), jointrig.Sim("franka")
        begin = np.array(sim.arms["arm"].position)
        mine = self.tool_end_of(sim)
        with served, served.connect() as robot:
            there = self.tool_end_of(robot)
            np.testing.assert_allclose(there, mine, atol=2e-3)
            self.assertGreater(np.linalg.norm(there[:3] - begin), 0.1)
            self.assertEqual(self.tool_refusals_of(robot), self.tool_refusals_of(sim))
            told = []
            for one in (robot, sim):
                with self.assertRaises(jointrig.Refused) as raised:
                    one.tool_trajectory("arm", [{"by": [0, 0, -0.05]}], endpoint="panda_hnd")
                    one.step()
                self.assertEqual(raised.exception.reason, "unknown_endpoint")
                self.assertRegex(str(raised.exception),
                                 'waypoint 1.*no site or body "panda_hnd"; did you mean "panda_hand"')
                told.append(plain(str(raised.exception)))
            self.assertEqual(*told)
            with served.connect(watch=True) as watcher, self.assertRaises(jointrig.NoLease):
                watcher.tool_trajectory("arm", [{"by": [0, 0, -0.05]}])

    def test_what_is_wrong_is_told_at_once_in_the_same_words(self):
        sim = jointrig.Sim("franka")
        robot = self.connect()
        for call in (lambda r: r.move("panda_joint9", 0.1), lambda r: r.move("arm", [0.1, 0.2]),
                     lambda r: r.set_mode("arm", "postion"), lambda r: r.tare_force_sensor("left")):
            sentences = []
            for one in (sim, robot):
                with self.assertRaises(jointrig.InputError) as raised:
                    call(one)
                sentences.append(str(raised.exception))
            self.assertEqual(sentences[0], sentences[1])

    def test_without_a_wait_the_refusal_comes_with_the_next_step(self):
        robot = self.connect(wait=False)
        robot.torque("panda_joint1", 0.1)
        with self.assertRaises(jointrig.Refused) as raised:
            robot.run(0.1)
        self.assertEqual((raised.exception.reason, raised.exception.command), ("wrong_mode", "torque"))
        robot.step()

    def test_a_stream_at_the_rate_of_the_loop_is_followed(self):
        robot = self.connect(wait=False, rate=0)
        robot.set_mode("arm", "position_direct")
        robot.run(0.2)
        begin, start = robot.time, robot.q_ref[0]
        while robot.time - begin < 1.0:
            goal = start + 0.1 * (robot.time - begin)
            robot.stream_position("panda_joint1", goal)
            robot.step()
        self.assertNotIn("command_timeout", [event.kind for event in robot.events()])
        self.assertAlmostEqual(robot.q_ref[0], goal, delta=0.01)

    def test_parameters_are_read_as_a_sim_tells_them_and_follow_whoever_sets_them(self):
        sim = jointrig.Sim("franka")
        with Served(self, "franka") as served, served.connect() as robot, served.connect(watch=True) as watcher:
            self.assertEqual(watcher.parameters().keys(), sim.parameters().keys())
            for name, values in sim.parameters().items():
                np.testing.assert_array_equal(watcher.parameters()[name], values, name)
            np.testing.assert_array_equal(watcher.parameters()["velocity_max"], robot.joint_limits["v_max"])
            for one in (sim, robot):
                self.set_some(one)
            got = watcher.parameters()
            np.testing.assert_array_equal(got["velocity_max"][[3, 0, 1]], [0.5, 0.7, robot.joint_limits["v_max"][1]])
            self.assertEqual((got["ki"][1], got["stiffness"][2], got["damping"][2]), (3.0, 40.0, 3.0))
            for name, values in sim.parameters().items():
                np.testing.assert_array_equal(got[name], values, name)

    def test_a_refusal_is_that_of_its_command_and_not_of_a_step_of_another_thread(self):
        robot = self.connect()
        passed, answered = [], robot._answered

        def late(number):
            robot.run(0.1)  # as if of another thread: the refusal has come by then
            passed.append(number)
            return answered(number)

        robot._answered = late
        with self.assertRaises(jointrig.Refused) as raised:
            robot.torque("panda_joint1", 0.1)
        self.assertEqual([event.number for event in raised.exception.events], passed)

    def test_closed_is_closed(self):
        robot = self.connect()
        q = robot.q
        robot.close()
        self.assertEqual(len(q), 8)
        with self.assertRaises(jointrig.Closed):
            robot.move("panda_joint1", 0.1)


class OnBoards(Scripts, unittest.TestCase):
    """One word changed: backend="boards" for a Sim's own; the robot's boards are drives on a bus, in the same process."""

    def both(self):
        return jointrig.Sim("franka"), jointrig.Sim("franka", backend="boards")

    def test_each_command_is_taken_or_refused_in_the_same_words(self):
        sim, boards = self.both()
        outcomes = [self.outcome(sim, definition) for definition in DEFINITIONS]
        for definition, outcome in zip(DEFINITIONS, outcomes):
            with self.subTest(command=definition["name"]):
                self.assertEqual(self.outcome(boards, definition), outcome)
        self.assertGreater(len(set(outcomes)), 5)

    def test_a_trajectory_goes_as_that_of_a_sim_and_is_refused_in_the_same_words(self):
        sim, boards = self.both()
        home, mine, duration = self.through(sim)
        start, there, took = self.through(boards)
        np.testing.assert_allclose(there[-1] - start, mine[-1] - home, atol=1e-9)
        np.testing.assert_allclose(there.max(axis=0) - start, mine.max(axis=0) - home, atol=5e-3)
        self.assertAlmostEqual(took, duration, delta=0.002)
        self.assertEqual(self.refusal_of(boards, [3.0, 0, 0, 0, 0, 0, 0]), self.refusal_of(sim, [3.0, 0, 0, 0, 0, 0, 0]))

    def test_a_tool_goes_along_a_path_as_that_of_a_sim_and_is_refused_in_the_same_words(self):
        sim, boards = self.both()
        np.testing.assert_allclose(self.tool_end_of(boards), self.tool_end_of(sim), atol=2e-3)
        self.assertEqual(self.tool_refusals_of(boards), self.tool_refusals_of(sim))

    def test_parameters_are_set_and_read_as_those_of_a_sim(self):
        sim, boards = self.both()
        for one in (sim, boards):
            self.set_some(one)
        for name, values in sim.parameters().items():
            np.testing.assert_array_equal(boards.parameters()[name], values, name)

    def test_a_script_leaves_the_same_commands_in_the_log(self):
        with tempfile.TemporaryDirectory() as folder:
            logs = [str(pathlib.Path(folder, name)) for name in ("sim.mcap", "boards.mcap")]
            for log, options in zip(logs, ({}, {"backend": "boards"})):
                robot = jointrig.Sim("franka", log=log, **options)
                self.script(robot)
                robot.close()
            mine, there = map(commands_in, logs)
            self.assertEqual(len(mine), 6)
            self.assertEqual(there, mine)

    def test_a_pose_is_reached_and_refused_as_in_a_sim(self):
        found = []
        for robot in self.both():
            robot.set_mode("arm", "position")
            robot.run(0.5)
            robot.reach("arm", [0.5, 0.2, 0.4], orientation=[0, 1, 0, 0], duration=1.0)
            robot.run(1.5)
            np.testing.assert_allclose(robot.arms["arm"].position, [0.5, 0.2, 0.4], atol=1e-3)
            with self.assertRaises(jointrig.Unreachable) as raised:
                robot.reach("arm", [1.5, 0, 0.333])
            found.append((raised.exception.reason, round(raised.exception.rests[0][0], 3)))
        self.assertEqual(found[0], found[1])


HOLDER = textwrap.dedent("""\
    import sys, time
    import jointrig
    sys.stdin.readline()
    robot = jointrig.connect(sys.argv[1], name="holder")
    robot.set_mode("arm", "position")
    robot.run(0.2)
    robot.move("panda_joint1", -1.5 if robot.q[0] > 0.0 else 1.5, speed=0.8)
    robot.run(0.4)
    print("moving", flush=True)
    try:
        while True:
            robot.run(0.1)
            robot.set_speed_override(1.0)
    except jointrig.NoLease as error:
        print(error, flush=True)
    """)


class TheHolder(unittest.TestCase):
    """The holder of the lease, in a process of its own that dies or freezes in the middle of a motion."""

    @classmethod
    def setUpClass(cls):
        cls.served = Served(cls, "franka")
        cls.addClassCleanup(cls.served.__exit__)
        # One for each test, so that Python's start is paid once.
        cls.holders = [cls.begin_holder() for name in dir(cls) if name.startswith("test_")]

    @classmethod
    def begin_holder(cls):
        return Background(cls, [sys.executable, "-B", "-c", HOLDER, cls.served.address], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, text=True)

    def setUp(self):
        self.watcher = self.served.connect(watch=True, rate=0, name="watcher")
        self.addCleanup(self.watcher.close)
        self.holder = self.holders.pop()
        self.addCleanup(self.holder.wait)
        self.addCleanup(self.holder.kill)
        for _ in range(200):
            if not self.watcher.holder:  # the one before is gone
                break
            self.watcher.step(5)
        self.holder.stdin.write("go\n")
        self.holder.stdin.flush()
        self.assertEqual(self.holder.stdout.readline(), "moving\n")
        self.assertEqual(self.watcher.holder, "holder")
        self.watcher.step(5)
        self.assertGreater(abs(self.watcher.v_ref[0]), 0.05)
        self.watcher.events()
        self.waiting = []

    def event(self, is_it):
        """The next one; later ones of the same look are left for the next call."""
        for _ in range(200):
            self.waiting += self.watcher.events()
            while self.waiting:
                event = self.waiting.pop(0)
                if is_it(event):
                    return event
            self.watcher.step(5)
        self.fail("no such event")

    def assert_held(self):
        self.watcher.run(0.3)  # the brake's way
        q = self.watcher.q_ref[0]
        self.watcher.run(0.1)
        self.assertEqual(self.watcher.q_ref[0], q)
        self.assertEqual(self.watcher.v_ref[0], 0.0)
        self.assertLess(abs(q), 1.4)  # its goal is at 1.5
        self.assertEqual(self.watcher.holder, "")

    def is_stop_of_the_lease(self, event):
        return event.kind == "accepted" and event.command == "stop" and event.sender == "lease"

    def test_killed_ends_in_a_hold_and_a_free_lease(self):
        self.holder.kill()
        self.watcher.update()
        cycle = self.watcher.cycle
        seen = []
        stop = self.event(lambda event: seen.append(event.sentence) or self.is_stop_of_the_lease(event))
        self.assertLessEqual(stop.cycle, cycle + LONGEST_SILENCE + 1 + SLACK)
        self.assertIn("its connection ended", "".join(seen))
        self.assert_held()
        self.watcher.take()

    def test_frozen_ends_in_a_hold_after_a_fifth_of_a_second(self):
        self.holder.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, self.holder.pid, os.WSTOPPED)
        self.watcher.update()
        cycle = self.watcher.cycle
        lost = self.event(lambda event: event.kind == "lease_lost")
        self.assertRegex(lost.sentence, r"robot: remote\d+:holder lost the lease \(epoch \d+\): it was silent for 0.2 s")
        self.assertLessEqual(lost.cycle, cycle + LONGEST_SILENCE + 1 + SLACK)
        self.assertGreater(lost.cycle, cycle + LONGEST_SILENCE // 2)
        self.assert_held()

    def test_one_that_wakes_up_finds_its_lease_over(self):
        self.holder.send_signal(signal.SIGSTOP)
        self.event(lambda event: event.kind == "lease_lost")
        self.watcher.take()
        self.holder.send_signal(signal.SIGCONT)
        self.assertRegex(self.holder.stdout.readline(), "set_speed_override: .*(lease|epoch)")
        self.assertEqual(self.watcher.holder, "watcher")

    def test_taken_over_is_told_to_both(self):
        with self.assertRaises(jointrig.NoLease):
            self.watcher.take()
        self.watcher.take(by_force=True)
        self.assertRegex(self.holder.stdout.readline(), "set_speed_override: .*watcher")
        lost = self.event(lambda event: event.kind == "lease_lost")
        self.assertRegex(lost.sentence, r"remote\d+:holder lost the lease .*another client took it over")
        taken = self.event(lambda event: event.kind == "lease")
        self.assertRegex(taken.sentence, r"remote\d+:watcher took the lease")
        self.watcher.run(0.3)
        self.assertEqual(self.watcher.v_ref[0], 0.0)
        self.watcher.move("panda_joint1", 0.0)

    def test_anyone_stops_it(self):
        self.watcher.stop()
        self.assert_held()


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.here = self.folder / "here"
        self.here.mkdir()
        (self.folder / "secret").write_text("not yours")
        runs = self.folder / "runs" / "one"
        runs.mkdir(parents=True)
        self.data = bytes(range(256)) * 4096 + b"end"  # more than one part
        (runs / "log.mcap").write_bytes(self.data)
        (self.folder / "runs" / "empty").write_bytes(b"")

    def test_those_of_the_folder_are_listed_and_fetched_by_anyone_and_no_others(self):
        served = Served(self, "franka", "--files", str(self.folder / "runs"))
        with served, served.connect(watch=True) as robot:
            sizes = {file.name: file.size for file in robot.files()}
            self.assertEqual(sizes, {"one/log.mcap": len(self.data), "empty": 0})
            path = robot.fetch("one/log.mcap", self.here)
            self.assertEqual(path, str(self.here / "log.mcap"))
            self.assertEqual((self.here / "log.mcap").read_bytes(), self.data)
            self.assertEqual(pathlib.Path(robot.fetch("empty", self.here / "none")).read_bytes(), b"")
            for name in ("../secret", "one/../../secret", str(self.folder / "secret")):
                with self.assertRaisesRegex(jointrig.InputError, "no place below the served folder"):
                    robot.fetch(name, self.here / "stolen")
            with self.assertRaisesRegex(jointrig.InputError, "there already"):
                robot.fetch("one/log.mcap", self.here)
            with self.assertRaisesRegex(jointrig.InputError, f"{len(self.data)} bytes, and most is 1000"):
                robot.fetch("one/log.mcap", self.here / "large", most=1000)
            with self.assertRaises(OSError):
                robot.fetch("one/log.mcap", self.here / "no folder" / "file")
            self.assertEqual(sorted(os.listdir(self.here)), ["log.mcap", "none"])
            self.assertEqual(robot.holder, "")

    def test_without_a_folder_the_servers_log_is_all(self):
        log = self.folder / "served.mcap"
        served = Served(self, "franka", "--log", log)
        with served, served.connect() as robot:
            robot.set_mode("arm", "position")
            robot.run(2.0)
            self.assertEqual([file.name for file in robot.files()], ["served.mcap"])
            got = jointrig.Log(robot.fetch("served.mcap", self.here))
            self.assertEqual(got.joints, robot.joints)
            self.assertGreater(len(got["panda_joint1.q"]), 500)
            with self.assertRaises(jointrig.InputError):
                robot.fetch("secret", self.here / "stolen")
        served = Served(self, "franka")
        with served, served.connect(watch=True) as robot:
            self.assertEqual(robot.files(), [])
            with self.assertRaisesRegex(jointrig.InputError, "--files"):
                robot.fetch("served.mcap", self.here / "other")

    def test_a_server_that_ends_meanwhile_leaves_no_half_of_a_file(self):
        (self.folder / "runs" / "large").write_bytes(bytes(64_000_000))
        served = Served(self, "franka", "--files", str(self.folder / "runs"))
        robot = served.connect(watch=True)
        self.addCleanup(robot.close)
        fetch = robot._fetch("large")
        self.assertGreater(len(fetch.next()), 100_000)
        self.assertEqual(fetch.size, 64_000_000)
        served.process.kill()
        with self.assertRaises(jointrig.ConnectionLost):
            while fetch.next() is not None:
                pass
        with self.assertRaises(jointrig.ConnectionLost):
            robot.fetch("large", self.here)
        self.assertEqual(os.listdir(self.here), [])

    def test_readers_that_read_nothing_leave_the_robot_alone(self):
        (self.folder / "runs" / "large").write_bytes(bytes(64_000_000))
        served = Served(self, "franka", "--files", str(self.folder / "runs"))
        with served, served.connect() as robot:
            slow = [robot._fetch("large") for _ in range(4)]
            for one in slow:
                one.next()
            with self.assertRaisesRegex(jointrig.ConnectionLost, "4 are being fetched already"):
                robot.fetch("one/log.mcap", self.here)
            robot.set_mode("arm", "position")
            robot.run(0.5)
            self.assertTrue(robot.holds_lease)
            del slow, one
            for _ in range(100):  # until the server has seen that they are gone
                try:
                    robot.fetch("one/log.mcap", self.here)
                    break
                except jointrig.ConnectionLost:
                    robot.step(20)
            self.assertEqual((self.here / "log.mcap").read_bytes(), self.data)


class TheProgram(unittest.TestCase):
    def refusal(self, *arguments):
        done = subprocess.run([PROGRAM, "serve", *arguments], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stdout, "")
        return done.stderr

    def test_other_machines_are_let_in_with_tls_and_a_token_alone(self):
        sentence = self.refusal("franka", "--listen", "0.0.0.0:0")
        self.assertIn("--tls-cert, --tls-key and --token-file", sentence)
        self.assertIn("HOST:PORT", self.refusal("franka", "--listen", "here"))
        self.assertIn("--tls-cert and --tls-key", self.refusal("franka", "--tls-cert", "a.pem"))

    def test_a_full_disk_ends_the_log_and_never_the_robot(self):
        with tempfile.TemporaryDirectory() as folder:
            log = str(pathlib.Path(folder, "served.mcap"))
            most = 200_000  # bytes of a file
            served = Served(self, "franka", "--log", log,
                            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)))
            robot = served.connect()
            robot.run(1.5)
            robot.set_mode("arm", "position")
            robot.run(0.2)
            self.assertEqual(robot.modes[0], "position")
            robot.close()
            self.assertEqual(served.end(), 2)
            self.assertIn(log, served.said)

    def test_a_port_in_use_is_told(self):
        with Served(self, "franka") as served:
            self.assertIn("can't listen on", self.refusal("franka", "--listen", served.address))

    def test_nobody_there_is_told_with_what_to_start(self):
        with self.assertRaises(jointrig.ConnectionLost) as raised:
            jointrig.connect("127.0.0.1:1")
        self.assertIn("jointrig serve", str(raised.exception))

    def test_tls_with_a_token(self):
        with tempfile.TemporaryDirectory() as folder:
            key, certificate, token = (str(pathlib.Path(folder, name)) for name in ("key", "cert", "token"))
            subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                            "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-keyout", key,
                            "-out", certificate, "-subj", "/CN=localhost", "-addext",
                            "subjectAltName=DNS:localhost,IP:127.0.0.1"], check=True, capture_output=True)
            secret = "0123456789abcdef0123456789abcdef"
            pathlib.Path(token).write_text(secret + "\n")
            with Served(self, "franka", "--tls-cert", certificate, "--tls-key", key, "--token-file", token) as served:
                with served.connect(tls_ca=certificate, token=secret) as robot:
                    robot.set_mode("arm", "position")
                with self.assertRaises(jointrig.ConnectionLost) as raised:
                    served.connect(tls_ca=certificate, token=secret[::-1])
                self.assertIn("token", str(raised.exception))
                with self.assertRaises(jointrig.ConnectionLost):
                    served.connect(token=secret)  # in the clear


if __name__ == "__main__":
    unittest.main()
