"""`jointrig bus` with slaves that aren't ours (python-canopen's LocalNode, durand), and with the
virtual boards of a small robot.

    bus_program_test.py PROGRAM
"""

import logging
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import can
import canopen
from durand import Variable
from durand.datatypes import DatatypeEnum as DT

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "hw", "peers"))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "support"))
import share  # noqa: E402
from can_bits import classic_bits  # noqa: E402
from durand_thread import DurandThread  # noqa: E402
from free_ports import free_ports  # noqa: E402
from pty_bus import PtyBus, slcan  # noqa: E402
from small_robot import write_small_robot  # noqa: E402

PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
OPERATION_ENABLED = 0x0237

for name in ("canopen", "can", "durand"):
    logging.getLogger(name).setLevel(logging.CRITICAL)


def bus(*words, timeout=120):
    """Exit code and everything printed by `jointrig bus ...`."""
    done = subprocess.run([PROGRAM, "bus", *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, timeout=timeout)
    return done.returncode, done.stdout


def variable(index, subindex, name, data_type, value, access="rw"):
    entry = canopen.objectdictionary.ODVariable(name, index, subindex)
    entry.data_type, entry.access_type, entry.default = data_type, access, value
    return entry


def drive(serial, statusword):
    """Objects of a drive, as python-canopen's LocalNode serves them."""
    od = canopen.ObjectDictionary()
    od.add_object(variable(0x1000, 0, "Device type", DT.UNSIGNED32, 0x00020192, "ro"))
    od.add_object(variable(0x1008, 0, "Name", DT.VISIBLE_STRING, "a drive of others", "ro"))
    od.add_object(variable(0x1017, 0, "Heartbeat", DT.UNSIGNED16, 0))
    identity = canopen.objectdictionary.ODRecord("Identity", 0x1018)
    for subindex, value in ((0, 4), (1, 0x2FF), (2, 0xABC), (3, 0x10), (4, serial)):
        kind = DT.UNSIGNED8 if subindex == 0 else DT.UNSIGNED32
        identity.add_member(variable(0x1018, subindex, f"part {subindex}", kind, value, "ro"))
    od.add_object(identity)
    od.add_object(variable(0x6041, 0, "Statusword", DT.UNSIGNED16, statusword, "ro"))
    od.add_object(variable(0x607A, 0, "Target position", DT.INTEGER32, 0))
    return od


class DurandSlave(DurandThread):
    def fill(self, node):
        node.object_dictionary[0x2000] = Variable(DT.INTEGER16, "rw", -7, name="trim")
        node.object_dictionary[0x2001] = Variable(DT.UNSIGNED8, "ro", 3, name="fixed")
        self.sheet = node.eds.content


class ForeignSlaves(unittest.TestCase):
    def setUp(self):
        self.wire = PtyBus(4)
        self.wire.__enter__()
        self.addCleanup(self.wire.__exit__)
        self.ours = f"slcan:{self.wire.ports[3]}@1000000"

    def network(self, port):
        network = canopen.Network()
        network.NOTIFIER_CYCLE = 0.1
        network.connect(**slcan(self.wire.ports[port]))
        self.addCleanup(network.disconnect)
        return network

    def slave(self, port, number, serial=1, statusword=0x0240):
        return self.network(port).create_node(number, drive(serial, statusword))

    def durand(self, port, number):
        """Returns its data sheet."""
        slave = DurandSlave(self.wire.ports[port], number)
        self.addCleanup(slave.end)
        return slave.sheet

    def test_scan_finds_them_with_identity_name_and_state(self):
        self.slave(0, 5, serial=0x1234)
        self.durand(1, 9)
        code, text = bus("scan", self.ours)
        self.assertEqual(code, 0, text)
        rows = {line.split()[0]: line for line in text.splitlines() if re.match(r" +\d+ ", line)}
        self.assertEqual(set(rows), {"5", "9"}, text)
        for word in ("drive", "2FFh", "ABCh", "10h", "1234h", "SWITCH ON DISABLED",
                     "a drive of others"):
            self.assertIn(word, rows["5"])
        self.assertNotIn("drive", rows["9"])

    def test_scan_of_an_empty_bus_says_where_to_look(self):
        code, text = bus("scan", self.ours)
        self.assertEqual(code, 1)
        self.assertIn("nobody answers", text)

    def test_scan_tells_two_nodes_with_one_number(self):
        self.slave(0, 5, serial=1)
        self.slave(1, 5, serial=2)
        code, text = bus("scan", self.ours)
        self.assertEqual(code, 1, text)
        self.assertIn("node 5: more answers than questions", text)

    def test_sdo_reads_and_writes_what_a_local_node_has(self):
        node = self.slave(0, 5)
        code, text = bus("sdo", self.ours, "5", "statusword", "target position=-100")
        self.assertEqual(code, 0, text)
        self.assertIn("6041h:0 statusword = 576 (0240h): SWITCH ON DISABLED", text)
        self.assertIn("607Ah:0 target position = -100, written and read back", text)
        self.assertEqual(node.sdo[0x607A].raw, -100)

    def test_sdo_goes_by_the_names_and_limits_of_an_eds(self):
        sheet = self.durand(1, 9)
        with tempfile.TemporaryDirectory() as folder:
            eds = os.path.join(folder, "durand.eds")
            pathlib.Path(eds).write_text(sheet, encoding="ascii")
            words = ("sdo", self.ours, "9", "--eds", eds)
            code, text = bus(*words, "trim=300", "fixed")
            self.assertEqual(code, 0, text)
            self.assertIn("2000h:0 trim = 300, written and read back", text)
            self.assertIn("2001h:0 fixed = 3 (03h)", text)
            self.assertEqual(bus(*words, "trimm"), (
                2, 'jointrig bus sdo: there is no object "trimm" in the EDS; did you mean "trim"?\n'))
            self.assertIn("can't be written, says the EDS", bus(*words, "fixed=4")[1])
            self.assertIn("'40000' does not fit INTEGER16", bus(*words, "trim=40000")[1])
            code, text = bus(*words, "--all")
            self.assertIn("2000h:0 trim = 300", text)
            self.assertRegex(text, r"\d+ objects, \d+ not read")

    def test_profile_tells_of_a_drive_what_it_lacks(self):
        self.slave(0, 5)
        code, text = bus("profile", self.ours, "5")
        self.assertEqual(code, 0, text)
        for line in ('about: "a drive of others, as jointrig bus profile found it"', "  vendor: 0x2FF",
                     "  product: 0xABC", "drive_modes: [off, position]",
                     "  # 608Fh tells no increments: give encoder_increments here or in robot.yaml",
                     "  without: [0x0005, 0x1006, 0x1016, 0x6007, 0x603F, 0x605A, 0x605C, 0x605E, 0x6061, "
                     "0x6071, 0x60C2, 0x60FE, 0x60FF, 0x6502]"):
            self.assertIn(line, text)

    def test_profile_of_what_is_no_drive_and_of_nobody(self):
        self.durand(1, 9)
        code, text = bus("profile", self.ours, "9")
        self.assertEqual((code, text), (2, "jointrig bus profile: node 9 is no drive: 1000h says 0h, and "
                                           "profile 402 is 192h in its lower half\n"))
        code, text = bus("profile", self.ours, "17")
        self.assertEqual(code, 2)
        self.assertIn("node 17, 1000h:0: no answer in time", text)

    def test_sdo_tells_a_refusal_in_words(self):
        self.slave(0, 5)
        code, text = bus("sdo", self.ours, "5", "5fff")
        self.assertEqual((code, text), (
            1, "! node 5, 5FFFh:0: there is no such object (0602 0000h, from the node)\n"))
        code, text = bus("sdo", self.ours, "6", "6041")
        self.assertEqual(code, 1)
        self.assertIn("no answer in time", text)

    def test_nmt_wants_a_yes_where_a_drive_is_powered(self):
        node = self.slave(0, 5, statusword=OPERATION_ENABLED)
        node.nmt.state = "OPERATIONAL"
        code, text = bus("nmt", self.ours, "stop", "all")
        self.assertEqual(code, 1, text)
        self.assertIn("node 5 is OPERATION ENABLED", text)
        self.assertIn("--yes", text)
        self.assertEqual(node.nmt.state, "OPERATIONAL")
        code, text = bus("nmt", self.ours, "stop", "5", "--yes")
        self.assertEqual(code, 0, text)
        self.assertEqual(node.nmt.state, "STOPPED")

    def test_nmt_tells_what_became_of_the_order(self):
        node = self.slave(0, 5)
        node.sdo[0x1017].raw = 50
        node.nmt.start_heartbeat(50)
        self.addCleanup(node.nmt.stop_heartbeat)
        code, text = bus("nmt", self.ours, "start", "5")
        self.assertEqual(code, 0, text)
        self.assertRegex(text, r"node 5: [a-z-]+ -> operational")
        self.assertEqual(node.nmt.state, "OPERATIONAL")

    def test_load_of_known_traffic(self):
        """A SYNC and two PDOs every 4 ms: 750 frames a second, told within 3 %."""
        frames = [(0x080, b""), (0x185, bytes.fromhex("3706080040E20100")),
                  (0x205, bytes.fromhex("0F000800FFFFFFFF"))]
        bits = sum(classic_bits(identifier, data) for identifier, data in frames)
        stop = threading.Event()

        def talk():
            with can.Bus(**slcan(self.wire.ports[0])) as medium:
                start, k = time.monotonic(), 0
                while not stop.is_set():
                    k += 1
                    for identifier, data in frames:
                        medium.send(can.Message(arbitration_id=identifier, data=data,
                                                is_extended_id=False))
                    time.sleep(max(0.0, start + 0.004 * k - time.monotonic()))

        thread = threading.Thread(target=talk)
        thread.start()
        try:
            time.sleep(0.3)
            with tempfile.TemporaryDirectory() as folder:
                log = os.path.join(folder, "traffic.log")
                code, text = bus("monitor", self.ours, "--seconds", "3", "--candump", log)
                with can.CanutilsLogReader(log) as reader:
                    logged = [(message.arbitration_id, bytes(message.data)) for message in reader]
        finally:
            stop.set()
            thread.join()
        self.assertEqual(code, 0)
        seconds, load, counted = (float(re.search(pattern, text)[1]) for pattern in (
            r"frames in ([\d.]+) s", r"load ([\d.]+) %", r": (\d+) frames in"))
        self.assertEqual(len(logged), counted)
        self.assertEqual(set(logged), set(frames))
        by_log = 100 * sum(classic_bits(*frame) for frame in logged) / (1e6 * seconds)
        self.assertAlmostEqual(load, by_log, delta=0.006)  # as it is printed
        self.assertAlmostEqual(load, 100 * bits / 4000, delta=0.03 * 100 * bits / 4000)
        self.assertIn("node 5 TPDO1: OPERATION ENABLED, target reached, cyclic synchronous position "
                      "(8), position 123456", text)


class Words(unittest.TestCase):
    def test_what_cannot_be_meant_is_one_sentence(self):
        self.assertEqual(bus("scann", "x"), (
            2, 'jointrig bus: there is no verb "scann" (did you mean "scan"?); '
               '`jointrig bus --help` lists them\n'))
        self.assertEqual(bus("scan"), (
            2, "jointrig bus scan: bus is required; `jointrig bus scan --help` tells what it takes\n"))
        code, text = bus("sdo", "slcan:/dev/no-such-device@1000000", "5", "6041")
        self.assertEqual(code, 2)
        self.assertIn("/dev/no-such-device", text)
        self.assertEqual(text.count("\n"), 1, text)


class VirtualBoards(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.port = free_ports()[0]
        self.robot = self.written("robot.yaml", "vendor: 0xFFF")
        self.boards = subprocess.Popen([PROGRAM, "board", self.robot], stdout=subprocess.PIPE, text=True)
        self.addCleanup(self.boards.stdout.close)
        self.addCleanup(self.boards.wait, 60)
        self.addCleanup(self.boards.terminate)
        for line in self.boards.stdout:
            if line.startswith("ready"):
                break

    def written(self, name, identity):
        return write_small_robot(self.folder.name, name, self.port, of_elbow=", " + identity)

    def test_a_robot_that_is_as_its_file_says(self):
        code, text = bus("scan", self.robot)
        self.assertEqual(code, 0, text)
        self.assertIn("all 2 drives of robot.yaml are there, and nobody else", text)
        self.assertRegex(text, r"1 +yaw +drive")

    def test_a_robot_that_is_not(self):
        text = pathlib.Path(self.written("other.yaml", "serial: 77")).read_text()
        other = pathlib.Path(self.folder.name) / "other.yaml"
        other.write_text(text.replace("node: 1", "node: 3"))
        code, text = bus("scan", str(other))
        self.assertEqual(code, 1, text)
        self.assertIn("bus wire, node 3 (yaw) is missing", text)
        self.assertIn("bus wire, node 2 (elbow) is another device: serial 2h, robot.yaml says 4Dh", text)
        self.assertIn("bus wire, node 1 is foreign", text)

    def test_a_joint_is_spoken_to_by_its_name(self):
        code, text = bus("sdo", self.robot + "/wire", "elbow", "1018:4", "605A=2")
        self.assertEqual(code, 0, text)
        self.assertIn("1018h:4 identity object/serial number = 2", text)
        self.assertIn("605Ah:0 quick stop option code = 2, written and read back", text)
        code, text = bus("sdo", self.robot + "/wirr", "elbow", "1018:4")
        self.assertEqual((code, text),
                         (2, 'jointrig bus sdo: the robot has no bus "wirr"; did you mean "wire"?\n'))

    def test_a_bus_of_another_protocol_is_left_out_by_name(self):
        mixed = pathlib.Path(self.folder.name) / "mixed.yaml"
        mixed.write_text(pathlib.Path(self.robot).read_text().replace(
            "buses:\n", 'buses:\n  hips: {address: "socketcan:can7", protocol: moteus}\n'))
        code, text = bus("sdo", str(mixed), "elbow", "1018:4")
        self.assertEqual(code, 0, text)
        self.assertIn("note: bus hips is left out: no CANopen", text)
        self.assertEqual(bus("scan", f"{mixed}/hips"), (
            2, "jointrig bus scan: bus hips speaks moteus: `jointrig bus` knows CANopen\n"))

    def test_the_data_sheet_that_is_shipped_is_the_boards(self):
        written = subprocess.run([PROGRAM, "board", "--eds"], stdout=subprocess.PIPE, text=True, check=True)
        shipped = pathlib.Path(__file__).parents[3] / "models" / "drives" / "joint_board.eds"
        self.assertEqual(written.stdout, shipped.read_text(),
                         "make it again: jointrig board --eds > models/drives/joint_board.eds")
        with open("/dev/full", "w") as full:
            done = subprocess.run([PROGRAM, "board", "--eds"], stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual((done.returncode, done.stderr), (
            2, "jointrig board: the EDS could not be written to standard output\n"))
        # python-canopen reads it, with the names that CiA 402 gives.
        sheet = canopen.import_od(str(shipped), 5)
        self.assertEqual(sheet["Statusword"].index, 0x6041)
        self.assertEqual(sheet[0x1800][1].default & 0x7FF, 0x185)

    def test_the_data_sheets_of_the_sensors_are_shipped_too(self):
        folder = pathlib.Path(__file__).parents[3] / "models" / "drives"
        for word, name, values in (("force_torque", "force_torque_sensor", 0x2100), ("imu", "imu", 0x2110)):
            written = subprocess.run([PROGRAM, "board", "--eds", word], stdout=subprocess.PIPE, text=True, check=True)
            shipped = folder / f"{name}.eds"
            self.assertEqual(written.stdout, shipped.read_text(),
                             f"make it again: jointrig board --eds {word} > models/drives/{name}.eds")
            # python-canopen reads it: six values, and two PDOs that go with SYNC and hold them.
            sheet = canopen.import_od(str(shipped), 9)
            self.assertEqual(len([sub for sub in sheet[values] if sub]), 6)
            for pdo, first in ((0, 1), (1, 4)):
                self.assertEqual(sheet[0x1800 + pdo][2].default, 1)
                self.assertEqual(sheet[0x1A00 + pdo][1].default, values << 16 | first << 8 | 16)
        wrong = subprocess.run([PROGRAM, "board", "--eds", "gyro"], stderr=subprocess.PIPE, text=True)
        self.assertEqual(wrong.returncode, 2)
        self.assertIn("imu", wrong.stderr)

    def test_every_object_of_our_own_data_sheet_is_there(self):
        code, text = bus("sdo", self.robot, "elbow", "--all")
        self.assertEqual(code, 0, text)
        self.assertRegex(text, r"\n2\d\d objects, 0 not read\n$")


if __name__ == "__main__":
    share.main()
