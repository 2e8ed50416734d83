"""Our SDO client, NMT master and EMCY consumer with slaves that aren't ours: durand, and
python-canopen's LocalNode. And our EDS reader with data sheets that durand writes.

    foreign_slave_test.py PATH_TO_MASTER_TOOL PATH_TO_SLAVE_TOOL

LocalNode is no conformance reference: it answers SDO when it is stopped and sends no boot-up on a reset by
NMT, so those are asked of durand.
"""

import logging
import os
import re
import subprocess
import sys
import tempfile
import time
import unittest

import can
import canopen
from durand import CANBusNetwork, Node, Record, Variable
from durand.datatypes import DatatypeEnum as DT
from durand.node import MinimalNodeCapabilities

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "peers"))
from durand_thread import DurandThread  # noqa: E402
from pty_bus import PtyBus, slcan  # noqa: E402
from tool import PATIENCE, Tool  # noqa: E402

MASTER_TOOL, SLAVE_TOOL = sys.argv.pop(1), sys.argv.pop(1)
NODE = 5
LONG_TEXT = "a text that needs more than one segment, and then some"

for name in ("canopen", "can", "durand"):
    logging.getLogger(name).setLevel(logging.CRITICAL)


def fill(od):
    """The objects of both slaves, in durand's terms."""
    od[0x2000] = Variable(DT.UNSIGNED16, "rw", 0x1234)
    od[0x2001] = Variable(DT.VISIBLE_STRING, "rw", LONG_TEXT.encode())
    od[0x2002] = Variable(DT.UNSIGNED8, "ro", 7)
    od[0x2003] = Variable(DT.UNSIGNED8, "rw", 4, minimum=2, maximum=8)
    od[0x2004] = Variable(DT.UNSIGNED64, "rw", 0x1122334455667788)
    od[0x2005] = Variable(DT.INTEGER32, "rw", -2)
    od[0x2006] = Variable(DT.UNSIGNED8, "wo", 0)


class DurandSlave(DurandThread):
    def fill(self, node):
        fill(node.object_dictionary)


class SlaveOnABus(unittest.TestCase):
    def setUp(self):
        self.bus = PtyBus(2)
        self.bus.__enter__()
        self.addCleanup(self.bus.__exit__)
        self.start_slave(self.bus.ports[0])
        self.master = Tool(MASTER_TOOL, f"slcan:{self.bus.ports[1]}@1000000", str(NODE))
        self.addCleanup(self.master.end)

    def read(self, address):
        answer = self.master.ask(f"read {address}")
        self.assertTrue(answer.startswith("value"), answer)
        return bytes.fromhex(answer[5:])

    def write(self, address, value):
        return self.master.ask(f"write {address} " + " ".join(f"{byte:02x}" for byte in value))


class Transfers:
    """SDO, the same with either slave."""

    def test_reads_values_of_every_length(self):
        self.assertEqual(self.read("2000 0"), b"\x34\x12")
        self.assertEqual(self.read("2002 0"), b"\x07")
        self.assertEqual(self.read("2005 0"), (-2).to_bytes(4, "little", signed=True))
        self.assertEqual(self.read("2004 0"), (0x1122334455667788).to_bytes(8, "little"))
        self.assertEqual(self.read("2001 0"), LONG_TEXT.encode())

    def test_writes_what_is_then_read(self):
        for address, value in (("2000 0", b"\xCD\xAB"), ("2003 0", b"\x05"),
                               ("2005 0", b"\x01\x02\x03\x04"), ("2004 0", bytes(range(8))),
                               ("2001 0", b"x" * 100)):
            self.assertEqual(self.write(address, value), "written")
            self.assertEqual(self.read(address), value)

    def test_tells_a_refusal_in_words(self):
        self.assertEqual(self.master.ask("read 5fff 0"),
                         "failed node 5, 5FFFh:0: there is no such object (0602 0000h, from the node)")
        self.assertIn("no such sub-index (0609 0011h", self.master.ask("read 1018 9"))
        self.assertIn("read-only (0601 0002h", self.write("2002 0", b"\x01"))
        self.assertIn("write-only (0601 0001h", self.master.ask("read 2006 0"))

    def test_a_node_that_is_not_there_is_told_after_three_tries(self):
        other = Tool(MASTER_TOOL, f"slcan:{self.bus.ports[1]}@1000000", "9")
        self.addCleanup(other.end)
        other.ask("patience 100")
        self.assertEqual(other.ask("read 1000 0"),
                         "failed node 9, 1000h:0: no answer in time (0504 0000h, after 3 tries)")


class WithDurand(Transfers, SlaveOnABus):
    def start_slave(self, port):
        self.slave = DurandSlave(port, NODE)
        self.addCleanup(self.slave.end)

    def test_a_value_outside_its_limits_is_refused(self):
        self.assertIn("above the upper limit (0609 0031h", self.write("2003 0", b"\x09"))
        self.assertIn("below the lower limit (0609 0032h", self.write("2003 0", b"\x01"))

    def test_a_wrong_length_is_refused(self):
        self.assertIn("0607 0010h", self.write("2000 0", b"\x01\x02\x03\x04"))

    def test_sees_the_node_boot_start_and_stop_as_ordered(self):
        self.assertEqual(self.write("1017 0", b"\x14\x00"), "written")  # 20 ms
        self.assertEqual(self.master.ask("next"), "events first:pre-operational,ordered")
        self.assertEqual(self.master.ask("nmt 1"), "ordered")
        self.assertEqual(self.master.ask("next"), "events changed:operational,ordered")
        self.assertEqual(self.master.ask("nmt 2"), "ordered")
        self.assertEqual(self.master.ask("next"), "events changed:stopped,ordered")
        self.master.ask("patience 100")
        self.assertIn("no answer in time", self.master.ask("read 1000 0"))
        self.assertEqual(self.master.ask("nmt 81"), "ordered")
        self.assertEqual(self.master.ask("next"), "events boot-up:initialising,ordered")

    def test_sees_a_boot_up_that_nobody_ordered(self):
        self.master.ask("wait 50")
        self.slave.call(self.slave.node.nmt.reset)
        self.assertEqual(self.master.ask("next"), "events boot-up:initialising")

    def test_sees_the_heartbeat_stop_and_come_back(self):
        self.master.ask("watch 1500")  # longer than a busy machine stands still
        self.write("1017 0", b"\x14\x00")
        self.assertEqual(self.master.ask("next"), "events first:pre-operational,ordered")
        self.slave.call(self.slave.node.object_dictionary.write, 0x1017, 0, 0)
        self.assertEqual(self.master.ask("next"), "events lost:pre-operational,ordered")
        self.slave.call(self.slave.node.object_dictionary.write, 0x1017, 0, 20)
        self.assertEqual(self.master.ask("next"), "events back:pre-operational,ordered")

    def test_hears_emergencies(self):
        self.slave.call(self.slave.node.emcy.set, 0x7320, 0x21, b"\1\2\3\4\5")
        self.slave.call(self.slave.node.emcy.set, 0x0000, 0, b"\0\0\0\0\0")
        end, heard = time.monotonic() + PATIENCE, ""
        while heard != "errors 7320 0000" and time.monotonic() < end:
            self.master.ask("wait 20")
            heard = self.master.ask("errors")
        self.assertEqual(heard, "errors 7320 0000")


class WithLocalNode(Transfers, SlaveOnABus):
    def start_slave(self, port):
        od = canopen.ObjectDictionary()
        for index, data_type, access, value in (
                (0x1000, DT.UNSIGNED32, "ro", 402), (0x1017, DT.UNSIGNED16, "rw", 0),
                (0x2000, DT.UNSIGNED16, "rw", 0x1234), (0x2001, DT.VISIBLE_STRING, "rw", LONG_TEXT),
                (0x2002, DT.UNSIGNED8, "ro", 7), (0x2003, DT.UNSIGNED8, "rw", 4),
                (0x2004, DT.UNSIGNED64, "rw", 0x1122334455667788), (0x2005, DT.INTEGER32, "rw", -2),
                (0x2006, DT.UNSIGNED8, "wo", 0)):
            variable = canopen.objectdictionary.ODVariable(f"object {index:04X}", index)
            variable.data_type, variable.access_type, variable.default = data_type, access, value
            od.add_object(variable)
        identity = canopen.objectdictionary.ODRecord("Identity", 0x1018)
        vendor = canopen.objectdictionary.ODVariable("Vendor", 0x1018, 1)
        vendor.data_type, vendor.access_type, vendor.default = DT.UNSIGNED32, "ro", 1
        identity.add_member(vendor)
        od.add_object(identity)
        self.net = canopen.Network()
        self.net.NOTIFIER_CYCLE = 0.1
        self.net.connect(**slcan(port))
        self.addCleanup(self.net.disconnect)
        self.node = self.net.create_node(NODE, od)

    def test_sees_it_boot_and_beat(self):
        self.node.nmt.state = "INITIALISING"  # LocalNode sends its boot-up here
        self.node.nmt.state = "PRE-OPERATIONAL"
        self.assertIn("boot-up:initialising", self.master.ask("next"))
        self.write("1017 0", b"\x14\x00")
        self.assertEqual(self.master.ask("next"), "events first:pre-operational,ordered")
        self.node.nmt.stop_heartbeat()


class DataSheets(unittest.TestCase):
    def test_one_that_durand_wrote_is_read_as_python_canopen_reads_it(self):
        bus = can.Bus(interface="virtual")
        self.addCleanup(bus.shutdown)
        network = CANBusNetwork(bus)
        self.addCleanup(network.stop)
        node = Node(network, NODE, capabilities=MinimalNodeCapabilities)
        fill(node.object_dictionary)
        record = Record()
        record[1] = Variable(DT.INTEGER16, "rw", -300, name="first")
        record[3] = Variable(DT.UNSIGNED32, "rw", 5, name="third")
        node.object_dictionary[0x2100] = record
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "durand.eds")
            with open(path, "w", encoding="ascii") as out:
                out.write(node.eds.content)
            ours = self.read(path)
            theirs = self.as_lines(canopen.import_od(path, node_id=NODE))
        self.assertGreater(len(theirs), 40)
        self.assertEqual(ours, theirs)

    def test_our_own_is_read_as_python_canopen_reads_it(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "joint.eds")
            subprocess.run([SLAVE_TOOL, "--eds", path], check=True)
            ours = self.read(path)
            theirs = self.as_lines(canopen.import_od(path, node_id=NODE))
        self.assertEqual(ours, theirs)

    @staticmethod
    def read(path):
        output = subprocess.run([SLAVE_TOOL, "--read", path], check=True, capture_output=True, text=True)
        return [re.sub(r"\$NODEID\+(\d+)", lambda match: str(int(match.group(1)) + NODE), line)
                for line in output.stdout.splitlines()]

    @staticmethod
    def as_lines(od):
        lines = []
        for index, thing in sorted(od.items()):
            if index < 0x1000:
                continue
            entries = ([thing] if isinstance(thing, canopen.objectdictionary.ODVariable)
                       else list(thing.subindices.values()))
            for entry in sorted(entries, key=lambda each: each.subindex):
                default = entry.default
                if default is None:  # missing, or none of its type
                    text = entry.data_type in canopen.objectdictionary.datatypes.DATA_TYPES
                    default = "" if text else 0
                if isinstance(default, float):
                    default = f"{default:f}"
                lines.append(f"{index:04X} {entry.subindex} {entry.data_type} {entry.access_type} "
                             f"{int(entry.pdo_mappable)} {default}")
        return lines


if __name__ == "__main__":
    unittest.main()
