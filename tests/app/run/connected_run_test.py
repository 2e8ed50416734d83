"""`jointrig run SCENARIO --connect`: a scenario drives and judges a robot that another program serves.

    connected_run_test.py PATH_TO_THE_PROGRAM
"""

import json
import math
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import jointrig

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from background import Background  # noqa: E402

PROGRAM = str(pathlib.Path(sys.argv.pop(1)).absolute())
SWING = """\
schema: 1
scenario: swing
robot: franka
setup:
  - set_mode: {joints: all, mode: position}
steps:
  - move: {joints: {panda_joint1: TO rad}, speed: LENGTH rad/s, timeout: 60 s}
assert:
  at_end:
    - {expr: abs(panda_joint1.q - TO rad) < 0.01 rad, name: it has swung}
"""
ASKS = """\
schema: 1
scenario: asks
robot: franka
steps:
  - set_mode: {joints: panda_joint2, mode: position}
  - expect_rejected: {command: {move: {panda_joint2: 99 rad}}, reason: out_of_range, joint: panda_joint2}
"""


MOTIONS = """\
schema: 1
scenario: motions
about: Two waypoints, one of which names one joint alone; then the tool goes straight down, and a path that leaves is refused.
robot: franka
setup:
  - set_mode: {joints: all, mode: position}
  - home: {pose: home, timeout: 20 s}
steps:
  - name: through
    trajectory:
      waypoints:
        - joints: {panda_joint1: 0.2 rad, panda_joint2: -0.6 rad}
        - {joints: {panda_joint1: 0.4 rad}, speed: 50 %}
      goal_tolerance: {arm: 1 deg}
      timeout: 20 s
  - expect: [abs(panda_joint1.q_ref - 0.4) < 1e-9, abs(panda_joint2.q_ref + 0.6) < 1e-9]
  - mark: before
  - name: down
    trajectory: {arm: arm, waypoints: [{by: [0, 0, -5 cm]}], timeout: 20 s}
  - expect_rejected:
      command: {trajectory: {waypoints: [{joints: {panda_joint1: 170 deg}}]}}
      reason: plan_position
      joint: panda_joint1
  - expect_rejected:
      command: {trajectory: {arm: arm, waypoints: [{by: [0, 0, 2 m]}]}}
      reason: plan_reach
assert:
  at_end:
    - {expr: "abs(at(arm.tool.z, before) - arm.tool.z - 5 cm) < 2 mm", name: the tool went down by 5 cm}
    - {expr: "abs(at(arm.tool.x, before) - arm.tool.x) < 2 mm", name: straight}
"""


def slow(waypoints):
    """A stream turns the first joint, and others are to go through so many waypoints that planning takes a while."""
    path = "".join(f"        - joints: {{panda_joint2: {-0.4 + 0.6 * math.sin(i):.4f} rad, "
                   f"panda_joint4: {-1.8 + 0.6 * math.cos(2 * i):.4f} rad}}\n" for i in range(waypoints))
    return f"""\
schema: 1
scenario: slow
about: A stream turns the first joint while the way of the others is planned.
robot: franka
timeout: {{sim: 600 s, wall: 600 s}}
setup:
  - set_mode: {{joints: all, mode: position}}
  - home: {{pose: home, timeout: 20 s}}
  - set_mode: {{joints: panda_joint1, mode: velocity}}
steps:
  - stream: {{velocity: {{panda_joint1: 0.02 rad/s}}, rate: 200 Hz, background: turn}}
  - wait: {{until: panda_joint1.v_ref > 0.015 rad/s, timeout: 5 s}}
  - mark: asked
  - name: planned
    trajectory:
      wait: false
      timeout: 60 s
      waypoints:
{path}  - wait: 100 ms
  - stop: {{joints: all}}
assert:
  always:
    - {{expr: panda_joint1.v_ref > 0.01 rad/s, from: asked, to: planned, name: it turns all the time}}
  at_end:
    - {{expr: "at(time, planned) - at(time, asked) > 0.05 s", name: the plan took its time}}
"""


class Robot:
    """`jointrig serve` in the background of a test, or of a class of tests."""

    def __init__(self, owner, robot="franka"):
        self.process = Background(owner, [PROGRAM, "serve", robot, "--listen", "127.0.0.1:0"], text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.address = self.process.stdout.readline().split('"')[1]


class AScenarioOnAServedRobot(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.robot = Robot(cls)

    def begin(self, *arguments, text=SWING, speed=2.0, to=0.5, address=None):
        """The command in a folder of its own."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "file.yaml").write_text(text.replace("LENGTH", str(speed)).replace("TO", str(to)))
        return Background(self, [PROGRAM, "run", "file.yaml", "--out", "out", "--connect",
                                 address or self.robot.address, *arguments],
                          cwd=folder.name, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def end(self, process, code):
        said, _ = process.communicate(timeout=60)
        self.assertEqual(process.returncode, code, said)
        return said

    def reason(self):
        [result] = json.loads((self.folder / "out/result.json").read_text())["scenarios"]
        return result["outcome"], result["reason"]

    def watch(self, **options):
        robot = jointrig.connect(self.robot.address, watch=True, **options)
        self.addCleanup(robot.close)
        return robot

    def until_it_moves(self, robot):
        for _ in range(400):
            robot.run(0.05)
            if abs(robot.v_ref[0]) > 0.05:
                return
        raise AssertionError("it doesn't move")

    def test_passes_leaves_a_log_of_each_cycle_and_gives_the_robot_back(self):
        self.end(self.begin(to=0.4), 0)
        self.assertEqual(self.reason(), ("passed", ""))
        log = jointrig.Log(self.folder / "out/swing/log.mcap")
        self.assertAlmostEqual(float(log["panda_joint1.q"][-1]), 0.4, delta=0.01)
        time_of = log.time("panda_joint1.q")
        self.assertEqual({round(1000 * step) for step in (time_of[1:] - time_of[:-1])}, {1})  # ms: no cycle is missing
        self.assertTrue(any("accepted" in sentence for _, sentence in log.events), log.events[:3])
        self.assertEqual(self.watch().holder, "")

    def test_fails_where_its_expectation_does_not_hold(self):
        said = self.end(self.begin(text=SWING.replace("< 0.01", "< -1")), 1)
        self.assertIn("it has swung", said)

    def test_hears_the_refusals_of_the_loop_by_name(self):
        self.end(self.begin(text=ASKS), 0)

    def test_trajectories_are_planned_where_the_robot_is(self):
        self.end(self.begin(text=MOTIONS), 0)
        self.assertEqual(self.reason(), ("passed", ""))

    def test_streams_go_on_while_the_server_plans(self):
        robot = Robot(self)  # its first plan takes the longest: no model of its shapes is there yet
        said = self.end(self.begin(text=slow(800), address=robot.address), 0)
        self.assertEqual(self.reason(), ("passed", ""), said)

    def test_ends_as_a_safety_stop_when_somebody_stops_the_robot_or_takes_it_over(self):
        for deed, words in ((lambda robot: robot.stop(), "ended from outside: "),
                            (lambda robot: robot.take(by_force=True), "ended from outside: ben@?.* took the robot over")):
            with self.subTest(words=words):
                run = self.begin(speed=0.2, to=-2.0)
                robot = self.watch(name="ben")
                self.until_it_moves(robot)
                self.assertRegex(robot.holder, "scenario_swing")
                deed(robot)
                self.end(run, 3)
                outcome, reason = self.reason()
                self.assertEqual(outcome, "safety_stop")
                self.assertRegex(reason, words)
                robot.close()

    def test_asks_before_it_takes_the_robot_from_its_holder(self):
        holder = jointrig.connect(self.robot.address, name="anna")
        self.addCleanup(holder.close)
        said = self.end(self.begin(), 2)
        self.assertIn("anna", said)
        self.assertIn("holds the lease", said)
        self.end(self.begin("--take-over"), 0)

    def test_a_run_that_cannot_follow_each_cycle_takes_the_robot_from_nobody(self):
        first = self.begin(speed=0.2, to=-2.0)
        robot = self.watch()
        self.until_it_moves(robot)
        said = self.end(self.begin("--take-over", text=SWING.replace("scenario: swing", "scenario: second")), 2)
        self.assertIn("another program follows each cycle of this robot already", said)
        robot.run(0.1)
        self.assertRegex(robot.holder, "scenario_swing")
        first.send_signal(signal.SIGINT)
        self.end(first, 130)

    def test_ends_when_the_robots_program_dies_or_freezes(self):
        for deed, words in ((signal.SIGKILL, "the connection is lost"), (signal.SIGSTOP, "no word came from the robot")):
            with self.subTest(words=words):
                robot = Robot(self)
                run = self.begin(speed=0.2, to=-2.0, address=robot.address)
                watch = jointrig.connect(robot.address, watch=True)
                self.until_it_moves(watch)
                os.kill(robot.process.pid, deed)
                self.end(run, 3)
                self.assertIn(words, self.reason()[1])

    def test_an_interrupt_ends_it_and_the_robot_holds(self):
        run = self.begin(speed=0.2, to=-2.0)
        robot = self.watch()
        self.until_it_moves(robot)
        run.send_signal(signal.SIGINT)
        self.end(run, 130)
        for _ in range(100):
            robot.run(0.02)
            if robot.holder == "" and abs(robot.v_ref[0]) < 1e-9:
                break
        self.assertEqual(robot.holder, "")
        self.assertLess(abs(robot.v_ref[0]), 1e-9)

    def test_of_another_robot_is_refused_and_what_a_served_robot_cannot_do_is_skipped(self):
        said = self.end(self.begin(text=SWING.replace("robot: franka", "robot: sawyer").replace("panda_joint1", "right_j0")), 2)
        self.assertIn("sawyer is meant here, and franka is served there", said)
        for extra, words in (("requires: [truth]\n", "it requires truth"),
                             ("config: {plant: {seed: 3}}\n", "it changes its robot's settings"),
                             ("disturbances:\n  - {at: 1 s, force: {body: panda_hand, force: [1, 0, 0]}}\n",
                              "no simulated world")):
            with self.subTest(extra=extra):
                said = self.end(self.begin(text=SWING + extra), 77)
                self.assertIn(words, said)

    def test_who_cannot_connect_is_told_why(self):
        for arguments, code, words in ((["--backend", "hw"], 2, "excludes"), (["-j", "2"], 2, "excludes"),
                                       (["--set", "robot.loop.rate=500"], 2, "set it where it is served")):
            with self.subTest(arguments=arguments):
                self.assertIn(words, self.end(self.begin(*arguments), code))
        self.assertIn("no robot answers", self.end(self.begin(address="127.0.0.1:9"), 2))


if __name__ == "__main__":
    unittest.main()
