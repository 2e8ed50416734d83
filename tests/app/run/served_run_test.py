"""`jointrig run SCENARIO --serve --viewers`: others watch a scenario, and may end it.

    served_run_test.py PATH_TO_THE_PROGRAM
"""

import json
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import time
import unittest

import jointrig
from websockets.sync.client import connect as open_viewer

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
  - move: {joints: {panda_joint1: 1.5 rad}, speed: LENGTH rad/s, timeout: 60 s}
assert:
  at_end:
    - {expr: panda_joint1.q > 1.4 rad, name: it has swung}
"""
STOP = b"\x02" + struct.pack("<III", 1, 5, 3) + b"cdr" + b"\x00\x01\x00\x00\x00"


class Served:
    """`jointrig run` of the swing in the background of a test."""

    def __init__(self, owner, folder, *arguments, speed=0.1):
        self.folder = pathlib.Path(folder)
        (self.folder / "swing.yaml").write_text(SWING.replace("LENGTH", str(speed)))
        self.process = Background(owner, [PROGRAM, "run", "swing.yaml", "--out", "out", *arguments], cwd=folder, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.said = ""

    def await_line(self, pattern):
        for line in self.process.stdout:
            self.said += line
            found = re.search(pattern, line)
            if found:
                return found[1]
        raise AssertionError(self.said)

    def end(self):
        self.said += self.process.stdout.read()
        return self.process.wait(timeout=30)

    def reason(self):
        [result] = json.loads((self.folder / "out/result.json").read_text())["scenarios"]
        return result["outcome"], result["reason"]


class AServedScenario(unittest.TestCase):
    def begin(self, *arguments, **options):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        return Served(self, folder.name, *arguments, **options)

    def watch(self, run, **options):
        robot = jointrig.connect(run.await_line(r'connect\("(.*?)"'), watch=True, **options)
        self.addCleanup(robot.close)
        for _ in range(200):
            robot.run(0.05)
            if robot.v_ref[0] > 0.05:
                return robot
        raise AssertionError("it doesn't move")

    def assert_ended(self, run, sentence):
        self.assertEqual(run.end(), 3, run.said)
        outcome, reason = run.reason()
        self.assertEqual(outcome, "safety_stop")
        self.assertRegex(reason, sentence)

    def test_a_watcher_sees_it_move_and_a_stop_ends_it(self):
        run = self.begin("--serve", "127.0.0.1:0")
        robot = self.watch(run, name="ben")
        before = robot.q[0]
        robot.run(0.5)
        self.assertGreater(robot.q[0], before + 0.01)
        self.assertEqual(robot.holder, "scenario_swing")
        with self.assertRaisesRegex(jointrig.NoLease, "scenario_swing holds the lease"):
            robot.take()
        with self.assertRaises(jointrig.NoLease):
            robot.move("panda_joint1", 0.0)
        robot.stop()
        self.assert_ended(run, "ended from outside: .*ben.* stopped the robot, and scenario_swing lost the lease")

    def test_taking_it_over_ends_it(self):
        run = self.begin("--serve", "127.0.0.1:0")
        self.watch(run, name="ben").take(by_force=True)
        self.assert_ended(run, "ended from outside: .*ben took the lease over from scenario_swing")

    def test_a_viewer_gets_its_channels_and_may_stop_it(self):
        run = self.begin("--viewers", "127.0.0.1:0")
        with open_viewer(run.await_line(r"open (ws://\S+) in"), subprotocols=["foxglove.websocket.v1"]) as viewer:
            topics = set()
            while "/j/panda_joint1" not in topics:
                message = json.loads(viewer.recv(timeout=20))
                topics |= {channel["topic"] for channel in message.get("channels", [])}
            run.await_line("(scenario_swing) took the lease")
            viewer.send(STOP)
            self.assert_ended(run, "ended from outside: .*stopped the robot")

    def test_left_alone_it_ends_as_any_other_in_real_time(self):
        begin = time.monotonic()
        run = self.begin("--serve", "127.0.0.1:0", "--viewers", "127.0.0.1:0", speed=2.0)
        self.assertEqual(run.end(), 0, run.said)
        self.assertGreater(time.monotonic() - begin, 1.0)  # at 2 rad/s for 1.5 rad, and its minimum jerk
        self.assertEqual(run.reason(), ("passed", ""))

    def test_who_cannot_be_served_is_told_before_it_moves(self):
        for arguments, words in ((["--serve", "0.0.0.0:4600"], "--serve: .*--tls-cert"),
                                 (["--token-file", "token"], "give --serve or --viewers"),
                                 (["--viewers", "-j", "2"], "one scenario at a time"),
                                 (["--serve", "--check-hash", "--repeat", "2"], "--check-hash compares")):
            with self.subTest(arguments=arguments):
                run = self.begin(*arguments)
                self.assertEqual(run.end(), 2, run.said)
                self.assertRegex(run.said, words)


if __name__ == "__main__":
    unittest.main()
