"""`jointrig gui ROBOT --serve`: a panel's robot is a served one, for programs, viewers and other panels.

    serve_program_test.py PATH_TO_THE_PROGRAM        on an X server with xdotool
"""

import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile
import textwrap
import unittest

import jointrig
from websockets.sync.client import connect as open_viewer

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from background import Background  # noqa: E402

PROGRAM = sys.argv.pop(1)
STOP = ("60", "40")  # a point of the panel's STOP, in its corner

HOLDER = textwrap.dedent("""
    import sys, jointrig
    robot = jointrig.connect(sys.argv[1], name="holder")
    robot.set_mode("arm", "position")
    robot.run(0.5)
    robot.move("panda_joint1", 1.5, speed=0.3)
    print("moving", flush=True)
    robot.run(60.0)
    """)


def gui(owner, *arguments):
    home = tempfile.mkdtemp(prefix="jointrig-gui-")  # nothing is kept in that of whoever runs the test
    return Background(owner, [PROGRAM, "gui", *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                      env={**os.environ, "XDG_CONFIG_HOME": home})


class ThePanelsRobot(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.panel = gui(cls, "franka", "--serve", "127.0.0.1:0", "--viewers", "127.0.0.1:0")
        said = cls.panel.stdout.readline()
        found = re.search(r'connect\("(.*?)"\)', said)
        assert found, said + cls.panel.stdout.read()
        cls.address = found[1]
        said = cls.panel.stdout.readline()
        found = re.search(r"open (ws://\S+) in", said)
        assert found, said
        cls.viewers = found[1]

    def connect(self, **options):
        robot = jointrig.connect(self.address, **options)
        self.addCleanup(robot.close)
        return robot

    def begin_holder(self):
        holder = Background(self, [sys.executable, "-B", "-c", HOLDER, self.address], stdout=subprocess.PIPE, text=True,
                            stderr=subprocess.DEVNULL)
        self.assertEqual(holder.stdout.readline(), "moving\n")
        return holder

    def await_motion(self, watcher):
        for _ in range(100):
            watcher.run(0.05)
            if watcher.v_ref[0] > 0.05:
                return
        self.fail("it doesn't move")

    def assert_held(self, watcher):
        watcher.run(1.0)  # noticed, and the brake's way
        self.assertEqual(watcher.holder, "")
        q = watcher.q_ref[0]
        self.assertLess(q, 1.4)  # its goal is at 1.5
        watcher.run(0.2)
        self.assertEqual(watcher.q_ref[0], q)

    def test_a_program_reads_the_state_and_moves_a_joint(self):
        with self.connect(name="anna") as robot:
            robot.set_mode("arm", "position")
            robot.run(0.5)
            robot.move("panda_joint2", -0.5, speed=0.5)
            robot.run(2.0)
            self.assertAlmostEqual(robot.q[1], -0.5, delta=0.01)

    def test_a_holder_that_is_killed_leaves_a_robot_that_holds(self):
        watcher = self.connect(watch=True, name="watcher")
        holder = self.begin_holder()
        self.await_motion(watcher)
        holder.send_signal(signal.SIGKILL)
        self.assert_held(watcher)

    def test_the_panels_stop_ends_a_programs_lease(self):
        watcher = self.connect(watch=True, name="watcher")
        self.begin_holder()
        self.await_motion(watcher)
        watcher.events()
        subprocess.run(["xdotool", "mousemove", *STOP, "click", "1"], check=True)
        self.assert_held(watcher)
        lost = [event.sentence for event in watcher.events() if event.kind == "lease_lost"]
        self.assertEqual(len(lost), 1)
        self.assertIn("another client stopped the robot", lost[0])

    def test_a_viewer_gets_the_channels_of_the_log(self):
        with open_viewer(self.viewers, subprotocols=["foxglove.sdk.v1"]) as viewer:
            said = ""
            while "/j/panda_joint1" not in said:
                message = viewer.recv(timeout=10)
                said += message if isinstance(message, str) else ""


    def test_another_panel_watches_it(self):
        with tempfile.TemporaryDirectory() as folder:
            picture = os.path.join(folder, "watched.png")
            panel = gui(self, "franka", "--connect", self.address, "--screenshot", picture, "--seconds", "1")
            said = panel.communicate(timeout=60)[0]
            self.assertEqual((panel.returncode, said), (0, ""))
            self.assertGreater(os.path.getsize(picture), 10_000)

    def test_a_panel_for_another_robot_is_refused(self):
        panel = gui(self, "frnka", "--connect", self.address)
        said = panel.communicate(timeout=60)[0]
        self.assertEqual(panel.returncode, 2)
        self.assertEqual(said, f'jointrig gui: {self.address} serves franka, not "frnka": did you mean "franka"?\n')


class WhatCantBeServed(unittest.TestCase):
    def refusal(self, *arguments):
        panel = gui(self, "franka", *arguments)
        said = panel.communicate(timeout=60)[0]
        self.assertEqual(panel.returncode, 2, said)
        return said.splitlines()[-1]

    def test_an_address_that_others_reach_without_tls(self):
        said = self.refusal("--serve", "0.0.0.0:4600")
        self.assertRegex(said, "^jointrig gui: .*other machines can reach 0.0.0.0:4600.*--tls-cert")

    def test_a_robot_that_is_not_there(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            address = f"127.0.0.1:{free.getsockname()[1]}"
            self.assertIn(f"no robot answers at {address}", self.refusal("--connect", address))

    def test_an_address_that_is_none(self):
        self.assertIn('--connect: "127.0.0.1:46x0" is no HOST', self.refusal("--connect", "127.0.0.1:46x0"))

    def test_options_of_a_robot_here_beside_one_elsewhere(self):
        self.assertIn("excludes", self.refusal("--connect", "127.0.0.1:4600", "--backend", "hw"))
        self.assertIn("--tls-ca requires --connect", self.refusal("--tls-ca", "robot.pem"))

    def test_a_wrong_token(self):
        with tempfile.TemporaryDirectory() as folder:
            tokens = [os.path.join(folder, name) for name in ("right", "wrong")]
            for path in tokens:
                with open(path, "w", encoding="utf-8") as out:
                    out.write(os.path.basename(path) * 8 + "\n")
            served = Background(self, [PROGRAM, "serve", "franka", "--listen", "127.0.0.1:0", "--token-file", tokens[0]],
                                stdout=subprocess.PIPE, text=True)
            address = served.stdout.readline().split('"')[1]
            self.assertIn("not the robot's token", self.refusal("--connect", address, "--token-file", tokens[1]))
            self.assertIn("wants a token", self.refusal("--connect", address))

    def test_a_token_for_nobody(self):
        self.assertIn("give --serve or --viewers", self.refusal("--token-file", "token"))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
