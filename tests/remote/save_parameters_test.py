"""Tuned parameters go back into the robot.yaml of the server: of a robot on drives of a bus, each program a process.

    save_parameters_test.py PATH_TO_THE_PROGRAM
"""

import asyncio
import pathlib
import re
import socket
import struct
import subprocess
import sys
import tempfile
import unittest

import jointrig

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from background import Background  # noqa: E402
from free_ports import free_ports  # noqa: E402
from viewers import PROGRAM, Served, next_of  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
TAKE, SAVE = 2, 5  # services


def robot_on_free_ports(folder):
    """The franka with ports that nobody else has: several of these tests may run at once."""
    text = (ROOT / "models/franka/robot.yaml").read_text()
    text = text.replace("model: franka.xml", f"model: {ROOT / 'models/franka/franka.xml'}")
    text = text.replace("127.0.0.1:20010", f"127.0.0.1:{free_ports(1, socket.SOCK_STREAM)[0]}")
    udp = sorted(set(re.findall(r"\b200[12]\d\b", text)))
    for old, new in zip(udp, free_ports(len(udp), socket.SOCK_DGRAM)):
        text = text.replace(old, str(new))
    path = pathlib.Path(folder) / "robot.yaml"
    path.write_text(text)
    return path


class Saving(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.robot = robot_on_free_ports(folder.name)
        self.before = self.robot.read_text()

    def serve(self):
        """Drives as `jointrig board` has them, driven over the bus by `jointrig serve`."""
        board = Background(self, [PROGRAM, "board", self.robot], cwd=ROOT, stdout=subprocess.PIPE, text=True)
        while not (line := board.stdout.readline()).startswith("ready"):
            self.assertTrue(line, "the virtual boards did not come up")
        self.served = Served(self, "--backend", "hw", robot=self.robot)
        return self.served.said.split('connect("')[1].split('"')[0]

    def changed_lines(self):
        now = self.robot.read_text().splitlines()
        return [line for line in now if line not in self.before.splitlines()]

    def test_the_holder_writes_what_runs_and_a_watcher_only_compares(self):
        address = self.serve()
        with jointrig.connect(address) as robot, jointrig.connect(address, watch=True) as watcher:
            self.assertEqual(robot.save_parameters(), "", "the file has what runs")
            robot.set_parameter("panda_joint2", "velocity_max", 1.25)
            robot.set_impedance("panda_joint3", 123.0, 4.5)
            difference = watcher.save_parameters(compare=True)
            for value in ("1.25 rad/s", "123 Nm/rad", "4.5 Nms/rad"):
                self.assertIn(value, difference)
            with self.assertRaises(jointrig.NoLease):
                watcher.save_parameters()
            self.assertEqual(self.robot.read_text(), self.before)

            self.assertEqual(robot.save_parameters(), difference)
            self.assertEqual(robot.save_parameters(), "")
            robot.set_parameter("panda_joint2", "velocity_max", 1.5)
            self.assertIn("1.5 rad/s", robot.save_parameters())
            running = robot.parameters()["velocity_max"]
        for line in self.changed_lines():
            self.assertRegex(line, "panda_joint[23]")
        self.assertEqual(self.robot.read_text().count("#"), self.before.count("#"), "comments stay")
        with jointrig.Sim(str(self.robot)) as again:
            # Gains that the file doesn't give are worked out anew, from the limits that it has now.
            got = again.parameters()
            self.assertEqual(list(got["velocity_max"]), list(running))
            self.assertEqual((got["stiffness"][2], got["damping"][2]), (123.0, 4.5))

    def test_a_file_that_a_person_has_changed_meanwhile_is_left_alone(self):
        with jointrig.connect(self.serve()) as robot:
            robot.set_parameter("panda_joint2", "velocity_max", 1.25)
            self.robot.write_text(self.before + "# mine\n")
            with self.assertRaises(jointrig.InputError) as refused:
                robot.save_parameters()
        self.assertIn("has changed since it was opened", str(refused.exception))
        self.assertEqual(self.robot.read_text(), self.before + "# mine\n")

    def test_a_viewer_that_holds_the_lease_writes_them(self):
        self.serve()

        async def call(viewer, service):
            await viewer.send(b"\x02" + struct.pack("<III", service, 1, 3) + b"cdr" + bytes([0, 1, 0, 0, 0]))
            answer = await next_of(viewer, {3})
            return answer[20], answer[28:-1].decode()

        async def save():
            async with self.served.open() as viewer:
                refused = await call(viewer, SAVE)
                await call(viewer, TAKE)
                await viewer.send('{"op": "setParameters", "parameters": [{"name": "panda_joint2/velocity_max", "value": 1.25}]}')
                await next_of(viewer, {"parameterValues"})
                return refused, await call(viewer, SAVE)
        refused, saved = asyncio.run(save())
        self.assertEqual(refused[0], 0)
        self.assertIn("/take_lease", refused[1])
        self.assertEqual(saved[0], 1)
        self.assertIn("1.25 rad/s", saved[1])
        self.assertIn("1.25 rad/s", "".join(self.changed_lines()))

    def test_a_sim_writes_its_own(self):
        with jointrig.Sim(str(self.robot)) as sim:
            self.assertEqual(sim.save_parameters(), "")
            sim.set_parameter("panda_joint2", "velocity_max", 1.25)
            sim.step(2)
            difference = sim.save_parameters(compare=True)
            self.assertEqual(self.robot.read_text(), self.before)
            self.assertEqual(sim.save_parameters(), difference)
        self.assertIn("1.25 rad/s", "".join(self.changed_lines()))

    def test_a_robot_without_a_file_says_so(self):
        with jointrig.Sim(str(ROOT / "models/franka/franka.xml")) as sim:
            with self.assertRaises(RuntimeError) as refused:
                sim.save_parameters()
        self.assertIn("no robot.yaml", str(refused.exception))


if __name__ == "__main__":
    unittest.main()
