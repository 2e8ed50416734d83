"""`jointrig serve --ros2`, judged by rclpy: state out, commands in under the lease.

    in_own_network.sh .deps/ros2/bin/python ros2_program_test.py PATH_TO_THE_PROGRAM

With the Python package jointrig, whose connection is the other client. Nothing here bounds wall time from above but
by PATIENCE.
"""

import os
import pathlib
import re
import signal
import statistics
import subprocess
import sys
import threading
import time
import unittest

import jointrig
import rclpy
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from geometry_msgs.msg import TwistStamped, WrenchStamped
from rclpy.executors import SingleThreadedExecutor
from rclpy.qos import QoSProfile
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import JointState
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from background import Background  # noqa: E402

PROGRAM = sys.argv.pop(1)
PATIENCE = 30.0  # [s] for what must come, on a busy machine


class Served:
    """`jointrig serve franka --ros2` in the background of a test, or of a class of tests."""

    def __init__(self, owner, ros2=""):
        option = ["--ros2", ros2] if ros2 else ["--ros2"]
        self.process = Background(owner, [PROGRAM, "serve", "franka", "--listen", "127.0.0.1:0", *option],
                                  stdout=subprocess.PIPE, text=True)
        self.said = self.process.stdout.readline() + self.process.stdout.readline()
        self.address = self.said.split('"')[1]
        self.lines = []
        self.reader = threading.Thread(target=lambda: self.lines.extend(self.process.stdout))
        self.reader.start()

    def end(self):
        self.process.send_signal(signal.SIGINT)
        self.reader.join()
        self.process.stdout.close()
        return self.process.wait(timeout=PATIENCE)


class Node:
    """A process of ROS: what it hears is kept by topic."""

    def __init__(self, domain=0, **topics):
        self.context = rclpy.Context()
        self.context.init(domain_id=domain)
        self.node = rclpy.create_node("probe", context=self.context)
        self.heard = {topic: [] for topic in topics}
        for topic, kind in topics.items():
            # With the number that the writer gave to the message.
            def take(message, info, heard=self.heard[topic]):
                heard.append((message, info["publication_sequence_number"]))
            self.node.create_subscription(kind, topic.replace("__", "/"), take, QoSProfile(depth=1000))
        self.executor = SingleThreadedExecutor(context=self.context)
        self.executor.add_node(self.node)

    def spin(self, seconds):
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self.executor.spin_once(timeout_sec=left)

    def until(self, is_so, each=lambda: None, pause=0.01):
        """Spins until it is so; calls `each` between."""
        end = time.monotonic() + PATIENCE
        while not is_so():
            if time.monotonic() > end:
                said = [status.message for status in self.last("diagnostics").status] if "diagnostics" in self.heard else ""
                raise AssertionError(f"it didn't come: { {t: len(h) for t, h in self.heard.items()} }, {said}")
            each()
            self.spin(pause)

    def last(self, topic):
        return self.heard[topic][-1][0]

    def end(self):
        self.executor.shutdown()
        self.node.destroy_node()
        self.context.shutdown()


def stamp(time_message):
    return time_message.sec + 1e-9 * time_message.nanosec


class TheRobotInRos2(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.served = Served(cls)
        cls.node = Node(joint_states=JointState, clock=Clock, diagnostics=DiagnosticArray, wrench__arm=WrenchStamped)
        cls.commands = cls.node.node.create_publisher(JointState, "joint_commands", 10)
        cls.paths = cls.node.node.create_publisher(JointTrajectory, "joint_trajectory", 10)
        cls.twists = cls.node.node.create_publisher(TwistStamped, "twist/arm", 10)
        cls.node.until(lambda: all(cls.node.heard[topic] for topic in ("joint_states", "clock", "diagnostics"))
                       and cls.commands.get_subscription_count() and cls.paths.get_subscription_count()
                       and cls.twists.get_subscription_count())
        cls.robot = jointrig.connect(cls.served.address, watch=True, name="anna")

    @classmethod
    def tearDownClass(cls):
        cls.robot.close()
        cls.node.end()
        assert cls.served.end() == 0

    def setUp(self):
        self.events = []
        self.robot.update()
        self.robot.events()

    # Helpers of the others -------------------------------------------------------------------------

    def joint(self, name):
        message = self.node.last("joint_states")
        return message.position[message.name.index(name)]

    def mode(self, mode):
        """Another client asks for it, as a person would, and gives the lease back; then what is heard is new."""
        self.robot.take(by_force=True)
        self.robot.set_mode("arm", mode)
        self.robot.run(0.3)
        self.robot.release()
        self.hear(100)

    def hear(self, messages):
        """As many joint states as that: half a second of them at 100."""
        heard = self.node.heard["joint_states"]
        first = len(heard)
        self.node.until(lambda: len(heard) >= first + messages)
        return heard[first:]

    def lease_events(self):
        self.robot.update()
        self.events += [event for event in self.robot.events() if event.kind in ("lease", "lease_lost")]
        return [(event.kind, event.sender.split(":")[0], event.sentence) for event in self.events]

    def lost_by(self, word):
        return [one for one in self.lease_events() if one[0] == "lease_lost" and word in one[2]]

    def send(self, joints, positions):
        self.commands.publish(JointState(name=joints, position=positions))

    def refusal(self):
        """The refusal in the last diagnostics."""
        status = self.node.last("diagnostics").status[-1]
        return status.message if status.level == DiagnosticStatus.WARN else ""

    # Out ------------------------------------------------------------------------------------------

    def test_joint_states_are_those_of_the_robot(self):
        self.mode("position")
        message = self.hear(100)[-1][0]
        self.robot.update()

        self.assertEqual(list(message.name), list(self.robot.joints))
        for told, known in zip(message.position, self.robot.q):
            self.assertAlmostEqual(told, known, delta=1e-3)
        self.assertEqual(len(message.velocity), len(message.name))
        self.assertEqual(len(message.effort), len(message.name))

    def test_of_two_hundred_a_second_at_least_99_percent_arrive_with_the_robots_time(self):
        heard = self.hear(300)
        numbers = [number for _, number in heard]
        times = [stamp(message.header.stamp) for message, _ in heard]

        self.assertGreaterEqual(len(heard), 0.99 * (numbers[-1] - numbers[0] + 1))
        self.assertEqual(sorted(numbers), numbers)
        # In robot time no more than were asked for, wherever the machine lets it be late.
        self.assertLessEqual(len(heard), 200.0 * (times[-1] - times[0]) + 2)
        # And no fewer: every 5 ms is one. A machine that is late now and then leaves the median alone.
        self.assertLess(statistics.median(later - time for time, later in zip(times, times[1:])), 0.0075)
        clock = {stamp(message.clock) for message, _ in self.node.heard["clock"]}
        self.assertGreaterEqual(len(clock & set(times)), 0.99 * len(times))

    def test_diagnostics_name_each_joint_with_its_mode(self):
        self.mode("position")
        of_joint = lambda: {s.name: s for s in self.node.last("diagnostics").status}["franka: panda_joint1"]
        self.node.until(lambda: self.node.heard["diagnostics"] and of_joint().message == "position")

        self.assertEqual({pair.key: pair.value for pair in of_joint().values}["fault"], "none")
        self.assertEqual(of_joint().level, DiagnosticStatus.OK)
        self.assertEqual(of_joint().hardware_id, "franka")

    def test_the_wrench_on_the_tool_is_told_in_its_frame(self):
        self.mode("position")
        self.node.until(lambda: self.node.heard["wrench__arm"])
        message = self.node.last("wrench__arm")

        self.assertEqual(message.header.frame_id, "tool_centre_point")
        self.assertLess(abs(message.wrench.force.z), 20.0)  # nothing pushes

    def test_every_socket_is_on_the_loopback(self):
        # This process has some as well, which keep to their address 0.0.0.0.
        inodes = set()
        for link in pathlib.Path(f"/proc/{self.served.process.pid}/fd").iterdir():
            inodes.update(re.findall(r"socket:\[(\d+)\]", os.readlink(link)))
        lines = [line.split() for line in pathlib.Path("/proc/net/udp").read_text().splitlines()[1:]]
        mine = [line[1] for line in lines if line[9] in inodes]
        self.assertTrue(mine)
        for address in mine:
            self.assertEqual(address.split(":")[0], "0100007F")

    def test_types_are_told_with_the_hashes_of_their_definitions(self):
        for topic, kind in (("/joint_states", JointState), ("/clock", Clock), ("/diagnostics", DiagnosticArray)):
            publishers = self.node.node.get_publishers_info_by_topic(topic)
            subscribers = self.node.node.get_subscriptions_info_by_topic(topic)
            self.assertEqual({str(one.topic_type_hash) for one in publishers},
                             {str(one.topic_type_hash) for one in subscribers}, topic)
        hashes = {str(one.topic_type_hash) for topic in ("/joint_commands", "/joint_trajectory")
                  for one in (*self.node.node.get_publishers_info_by_topic(topic),
                              *self.node.node.get_subscriptions_info_by_topic(topic))}
        self.assertEqual(len(hashes), 2)

    # In -------------------------------------------------------------------------------------------

    def test_a_stream_takes_the_free_lease_moves_the_joints_and_loses_it_by_silence(self):
        self.mode("position_direct")
        start = {name: self.joint(name) for name in ("panda_joint1", "panda_joint4")}
        moved = 0.0

        def step():
            nonlocal moved
            moved = min(moved + 0.002, 0.2)
            # In another order than the robot's.
            self.send(["panda_joint4", "panda_joint1"], [start["panda_joint4"] + moved, start["panda_joint1"] - moved])

        self.node.until(lambda: abs(self.joint("panda_joint1") - start["panda_joint1"] + 0.2) < 5e-3
                        and abs(self.joint("panda_joint4") - start["panda_joint4"] - 0.2) < 5e-3, step)
        self.assertIn(("lease", "ros2"), [one[:2] for one in self.lease_events()])
        self.node.until(lambda: self.lost_by("silent"))

        self.robot.update()
        self.assertEqual(self.robot.holder, "")
        # It stands: no joint goes on.
        before = self.joint("panda_joint1")
        self.hear(60)
        self.assertAlmostEqual(self.joint("panda_joint1"), before, delta=2e-3)

    def test_a_command_in_a_wrong_mode_is_refused_says_what_to_do_and_takes_no_lease(self):
        self.mode("position")
        self.node.until(lambda: "ask for position_direct" in self.refusal(),
                        lambda: self.send(["panda_joint1"], [0.5]))

        self.assertIn("panda_joint1: the joint is in position, which takes no stream_position", self.refusal())
        self.assertNotIn("ros2", [one[1] for one in self.lease_events()])

    def test_an_unknown_joint_is_refused_by_name(self):
        self.node.until(lambda: "no joint \"panda_joint11\"" in self.refusal(),
                        lambda: self.send(["panda_joint11"], [0.5]))

    def test_while_another_client_holds_the_lease_no_stream_moves_anything(self):
        self.mode("position_direct")
        start = self.joint("panda_joint1")
        streaming = lambda: self.send(["panda_joint1"], [start])
        self.node.until(lambda: [one for one in self.lease_events() if one[:2] == ("lease", "ros2")], streaming)
        self.robot.take(by_force=True)

        self.node.until(lambda: "anna holds the lease" in self.refusal(),
                        lambda: self.send(["panda_joint1"], [start + 0.3]))

        self.assertTrue(self.lost_by("taken over") or self.lost_by("took"), self.lease_events())
        self.assertAlmostEqual(self.joint("panda_joint1"), start, delta=2e-3)
        self.robot.release()

    def path(self, joint, goal, seconds):
        point = JointTrajectoryPoint(positions=[goal])
        point.time_from_start.sec = int(seconds)
        point.time_from_start.nanosec = int(round(1e9 * (seconds % 1.0)))
        return JointTrajectory(joint_names=[joint], points=[point])

    def test_a_trajectory_is_planned_and_followed_while_its_node_gives_signs_of_life(self):
        self.mode("position")
        goal = self.joint("panda_joint6") - 0.3
        self.paths.publish(self.path("panda_joint6", goal, 1.0))

        self.node.until(lambda: abs(self.joint("panda_joint6") - goal) < 2e-3,
                        lambda: self.commands.publish(JointState()))

    def test_a_trajectory_ends_with_the_silence_of_its_node(self):
        self.mode("position")
        start = self.joint("panda_joint6")
        self.paths.publish(self.path("panda_joint6", start + 0.8, 4.0))

        self.node.until(lambda: self.lost_by("silent"))
        self.hear(100)
        before = self.joint("panda_joint6")
        self.hear(100)
        self.assertAlmostEqual(self.joint("panda_joint6"), before, delta=2e-3)
        self.assertLess(before - start, 0.4)

    def test_a_trajectory_beyond_a_limit_is_refused_with_the_planners_reason(self):
        self.mode("position")
        self.node.until(lambda: "panda_joint6" in self.refusal() and "plan" in self.refusal(),
                        lambda: self.paths.publish(self.path("panda_joint6", 30.0, 4.0)), pause=0.5)

    def twist(self, **linear):
        message = TwistStamped()
        for axis, velocity in linear.items():
            setattr(message.twist.linear, axis, velocity)
        self.twists.publish(message)

    def test_a_twist_moves_the_tool_in_cartesian_and_stops_with_its_stream(self):
        self.mode("position")
        self.lease_events()
        self.events = []  # of the test before, whose silence may be told late
        self.node.until(lambda: "takes no stream_tool_target: ask for cartesian" in self.refusal(), lambda: self.twist(y=0.1))
        self.assertNotIn("ros2", [one[1] for one in self.lease_events()])

        self.mode("cartesian")
        self.robot.update()
        start = self.robot.arms["arm"].position.copy()

        def moved():
            self.robot.update()
            return self.robot.arms["arm"].position - start

        self.node.until(lambda: moved()[1] > 0.05, lambda: self.twist(y=0.1))
        self.assertLess(abs(moved()[[0, 2]]).max(), 0.01)
        self.node.until(lambda: self.lost_by("silent"))
        self.hear(100)
        before = moved()
        self.hear(60)
        self.assertLess(abs(moved() - before).max(), 2e-3)

        self.node.until(lambda: "its linear velocity is 3 m/s" in self.refusal(), lambda: self.twist(x=3.0))


class ANamedRobotInRos2(unittest.TestCase):
    def test_domain_namespace_and_rate_are_those_asked_for(self):
        served = Served(self, "domain=7,namespace=/left,rate=50")
        node = Node(domain=7, left__joint_states=JointState)
        try:
            node.until(lambda: len(node.heard["left__joint_states"]) > 50)
            times = [stamp(message.header.stamp) for message, _ in node.heard["left__joint_states"]]
            self.assertLessEqual(len(times), 50.0 * (times[-1] - times[0]) + 2)
            self.assertLess(statistics.median(later - time for time, later in zip(times, times[1:])), 0.03)
            self.assertIn("domain 7 at 127.0.0.1; /left/joint_states at 50 Hz", served.said)
        finally:
            node.end()
            self.assertEqual(served.end(), 0)

    def test_what_can_not_be_is_refused_in_a_sentence(self):
        for option, sentence in (("domain=300", "give a number from 0 to 232"), ("rate=5000", "give 1000 at most"),
                                 ("unprotected=10.99.99.99", "can't join domain 0 at 10.99.99.99")):
            ended = subprocess.run([PROGRAM, "serve", "franka", "--listen", "127.0.0.1:0", "--ros2", option],
                                   capture_output=True, text=True, timeout=PATIENCE)
            self.assertEqual(ended.returncode, 2)
            self.assertIn(sentence, ended.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
