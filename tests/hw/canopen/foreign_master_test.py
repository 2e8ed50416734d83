"""Our slave under a master that isn't ours: python-canopen, with its CiA 402 profile.

    foreign_master_test.py PATH_TO_SLAVE_TOOL

Things to know about that master: a PDO of types up to 240 counts as periodic, so its setters change what
the periodic task sends, and wait for TPDOs; its wait_for_bootup() misses a node that boots at once.
"""

import logging
import os
import statistics
import subprocess
import sys
import tempfile
import time
import unittest

import canopen
from canopen.objectdictionary import datatypes
from canopen.profiles.p402 import BaseNode402

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "peers"))
from pty_bus import PtyBus, slcan  # noqa: E402
from tool import PATIENCE, Tool  # noqa: E402

SLAVE_TOOL = sys.argv.pop(1)
NODE = 5
SYNC = 0.01
BOOTED = 0  # what a boot-up message carries

logging.getLogger("canopen").setLevel(logging.CRITICAL)
logging.getLogger("can").setLevel(logging.CRITICAL)


# That master gives up after some 0.2 s without a TPDO: less than a busy machine may stand still.
for limit in ("TIMEOUT_SWITCH_OP_MODE", "TIMEOUT_SWITCH_STATE_FINAL", "TIMEOUT_CHECK_TPDO"):
    setattr(BaseNode402, limit, PATIENCE)


def until(condition, seconds=PATIENCE):
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.002)
    return condition()


class SlaveOnABus(unittest.TestCase):
    """A fresh slave, reset and heard to boot."""

    options = ("hidden",)

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.eds = os.path.join(cls.folder.name, "joint.eds")
        subprocess.run([SLAVE_TOOL, "--eds", cls.eds], check=True)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def setUp(self):
        self.bus = PtyBus(2)
        self.bus.__enter__()
        self.addCleanup(self.bus.__exit__)
        self.slave = Tool(SLAVE_TOOL, f"slcan:{self.bus.ports[1]}@1000000", str(NODE), *self.options)
        self.addCleanup(self.slave.end)
        self.net = canopen.Network()
        self.net.NOTIFIER_CYCLE = 0.1
        self.net.connect(**slcan(self.bus.ports[0]))
        self.addCleanup(self.net.disconnect)
        self.node = BaseNode402(NODE, self.eds)
        self.net.add_node(self.node)
        self.node.sdo.RESPONSE_TIMEOUT = PATIENCE  # a busy machine is no fault of the slave's
        self.heartbeats = []
        self.node.nmt.add_heartbeat_callback(self.heartbeats.append)
        self.node.nmt.state = "RESET COMMUNICATION"
        self.assertTrue(until(lambda: BOOTED in self.heartbeats), "no boot-up after the reset")

    def emergency(self, code):
        """The newest one of that code, waited for. emcy.wait() misses one that has come already."""
        def found():
            return next((e for e in reversed(self.node.emcy.log) if e.code == code), None)
        self.assertTrue(until(lambda: found() is not None), f"no EMCY {code:04X}h")
        return found()

    def heard(self, start):
        """Time and text of each frame on the bus that starts so."""
        frames = list(zip(self.bus.times, self.bus.frames))
        return [(when, frame) for when, frame in frames if frame.startswith(start)]

    def pass_by(self):
        """An answer of the slave's: what it said before has been heard."""
        self.node.sdo.upload(0x1000, 0)

    def abort_of(self, action):
        with self.assertRaises(canopen.SdoAbortedError) as caught:
            action()
        return caught.exception.code


class Services(SlaveOnABus):
    def test_sdo_reads_and_refuses_as_the_standard_says(self):
        node = self.node
        self.assertEqual(node.sdo[0x1000].raw, 0x00020192)
        self.assertEqual(node.sdo[0x1018][1].raw, 0xFFF)
        self.assertEqual(node.sdo[0x1008].raw, "virtual joint board")  # segmented
        self.assertEqual(self.abort_of(lambda: node.sdo.download(0x6041, 0, b"\0\0")), 0x06010002)
        self.assertEqual(self.abort_of(lambda: node.sdo.upload(0x5FFF, 0)), 0x06020000)
        self.assertEqual(self.abort_of(lambda: node.sdo.upload(0x1018, 9)), 0x06090011)
        self.assertEqual(self.abort_of(lambda: node.sdo.download(0x6040, 0, b"\0")), 0x06070013)
        self.assertEqual(self.abort_of(lambda: node.sdo.download(0x6060, 0, b"\x02")), 0x06090030)
        self.assertEqual(self.abort_of(lambda: node.sdo.download(0x605A, 0, b"\x09\0")), 0x06090031)

    def test_a_block_upload_is_refused_and_a_short_one_served(self):
        with self.assertRaises(canopen.SdoAbortedError) as caught:
            self.node.sdo.open(0x1008, 0, "rb", block_transfer=True)
        self.assertEqual(caught.exception.code, 0x05040001)
        with self.assertRaises(canopen.SdoAbortedError) as caught:
            self.node.sdo.open(0x6081, 0, "wb", block_transfer=True, size=4)
        self.assertEqual(caught.exception.code, 0x05040001)

    def test_stopped_it_answers_no_sdo_but_beats(self):
        self.node.sdo[0x1017].raw = 20
        self.node.nmt.state = "STOPPED"
        self.node.sdo.RESPONSE_TIMEOUT = 0.1
        self.node.sdo.MAX_RETRIES = 1
        with self.assertRaises(canopen.SdoCommunicationError):
            self.node.sdo.upload(0x1000, 0)
        self.heartbeats.clear()
        answers = len(self.heard(f"t{0x580 + NODE:03X}"))
        self.assertTrue(until(lambda: 4 in self.heartbeats))
        self.assertEqual(len(self.heard(f"t{0x580 + NODE:03X}")), answers, "nor late")

    def test_the_heartbeat_comes_as_often_as_told(self):
        start = time.monotonic()
        self.node.sdo[0x1017].raw = 50
        def beats():
            return [when for when, _ in self.heard(f"t{0x700 + NODE:03X}") if when > start]
        self.assertTrue(until(lambda: len(beats()) >= 41))
        came = beats()[:41]
        # None comes early. One that a busy machine shows late is followed by one that comes too soon
        # behind it, so the middle one of the gaps is that of the slave's clock.
        self.assertGreater(came[-1] - start, 40 * 0.05 - 0.001)
        gaps = [after - before for before, after in zip(came, came[1:])]
        self.assertAlmostEqual(statistics.median(gaps), 0.05, delta=0.01)

    def test_pdos_are_remapped_by_the_masters_own_code(self):
        self.node.tpdo.read()
        pdo = self.node.tpdo[4]
        pdo.clear()
        pdo.add_variable(0x6079)
        pdo.add_variable(0x603F)
        pdo.cob_id = 0x480 + NODE
        pdo.trans_type = 2
        pdo.enabled = True
        pdo.save()
        self.node.nmt.state = "OPERATIONAL"
        def answers():
            return sum(frame.startswith(f"t{0x480 + NODE:03X}") for frame in self.bus.frames)
        for pair in range(1, 6):  # type 2: one answer to two SYNCs
            self.net.sync.transmit()
            self.net.sync.transmit()
            self.assertTrue(until(lambda n=pair: answers() == n), f"{answers()} after {2 * pair} SYNCs")
        self.assertTrue(until(lambda: pdo["DC link circuit voltage"].raw == 48_000))
        self.pass_by()
        self.assertEqual(answers(), 5)

    def test_digital_inputs_are_read_by_sdo_and_in_their_pdo(self):
        node = self.node
        self.assertEqual(node.sdo[0x60FD].raw, 0)
        self.slave.say("inputs 40002")
        self.assertTrue(until(lambda: node.sdo["Digital inputs"].raw == 0x40002))
        self.assertEqual(self.abort_of(lambda: node.sdo.download(0x60FD, 0, b"\0" * 4)), 0x06010002)
        node.tpdo.read()  # its fifth has the inputs by itself, and is off
        pdo = node.tpdo[5]
        self.assertEqual(([v.index for v in pdo.map], pdo.trans_type, pdo.enabled, pdo.cob_id),
                         ([0x60FD], 1, False, 0x680 + NODE))
        pdo.enabled = True
        pdo.save()
        node.nmt.state = "OPERATIONAL"
        for bits in (0x40002, 0x00FF0000, 0):
            self.slave.say(f"inputs {bits:X}")
            def seen(wanted=bits):
                self.net.sync.transmit()
                return pdo["Digital inputs"].raw == wanted
            self.assertTrue(until(seen))
        mine = [frame for frame in self.bus.frames if frame.startswith(f"t{0x680 + NODE:03X}")]
        self.assertIn(f"t{0x680 + NODE:03X}402000400", mine)
        self.assertEqual({frame[4] for frame in mine}, {"4"})

    def test_a_running_pdo_is_not_remapped(self):
        self.assertEqual(self.abort_of(lambda: self.node.sdo.download(0x1A00, 0, b"\0")), 0x06090030)

    def test_a_master_that_dies_is_told_by_an_emergency(self):
        lost = 1.5  # s: more than a busy machine stands still
        self.node.sdo[0x1016][1].raw = 127 << 16 | round(1000 * lost)
        self.node.nmt.state = "OPERATIONAL"
        end = time.monotonic() + 1.5 * lost
        while time.monotonic() < end:
            self.net.send_message(0x77F, [5])
            time.sleep(0.05)
        self.assertEqual(self.node.emcy.log, [])
        self.assertEqual(self.emergency(0x8130).data[0], 127)
        self.node.sdo[0x1017].raw = 20
        self.assertTrue(until(lambda: self.node.nmt.state == "PRE-OPERATIONAL"))


class DataSheet(SlaveOnABus):
    def test_every_entry_is_as_the_eds_says(self):
        """Type by its length, access, default; read by SDO right after a reset."""
        self.heartbeats.clear()
        self.node.nmt.state = "RESET"
        self.assertTrue(until(lambda: BOOTED in self.heartbeats))
        checked = 0
        for index, thing in self.node.object_dictionary.items():
            if index < 0x1000:
                continue  # dummies, for mappings only
            entries = ([thing] if isinstance(thing, canopen.objectdictionary.ODVariable)
                       else list(thing.subindices.values()))
            for entry in entries:
                with self.subTest(f"{index:04X}h:{entry.subindex} {entry.name}"):
                    self.check(index, entry)
                    checked += 1
        self.assertGreater(checked, 200)

    def check(self, index, entry):
        value = self.node.sdo.upload(index, entry.subindex)
        if entry.data_type == datatypes.VISIBLE_STRING:
            self.assertEqual(value.decode(), entry.default)
        else:
            self.assertEqual(len(value) * 8, len(entry))
            # The statusword and what follows from it are the machine's, not a default.
            if index not in (0x6041,):
                self.assertEqual(entry.decode_raw(value), entry.default)
        if entry.access_type in ("ro", "const"):
            self.assertEqual(self.abort_of(
                lambda: self.node.sdo.download(index, entry.subindex, value)), 0x06010002)
        elif not 0x1400 <= index < 0x1C00:  # PDO records have an order of their own
            self.node.sdo.download(index, entry.subindex, value)
        if entry.data_type != datatypes.VISIBLE_STRING and entry.writable:
            self.assertEqual(self.abort_of(lambda: self.node.sdo.download(
                index, entry.subindex, value + b"\0")), 0x06070012)

    def test_nothing_is_there_that_the_eds_does_not_name(self):
        """A scan of the ranges in use."""
        named = {index for index in self.node.object_dictionary}
        scan = [*range(0x1000, 0x1030), *range(0x1200, 0x1204), *range(0x1400, 0x1410),
                *range(0x1600, 0x1610), *range(0x1800, 0x1810), *range(0x1A00, 0x1A10),
                *range(0x2000, 0x2040), *range(0x6000, 0x6110), *range(0x6500, 0x6504)]
        for index in scan:
            if index in named:
                continue
            code = self.abort_of(lambda: self.node.sdo.upload(index, 0))
            self.assertEqual(code, 0x06020000, f"{index:04X}h")


class Drive(SlaveOnABus):
    def enable(self):
        node = self.node
        node.setup_402_state_machine()
        node.nmt.state = "OPERATIONAL"
        self.net.sync.start(SYNC)
        self.addCleanup(self.net.sync.stop)
        node.rpdo[1].start(SYNC)
        self.addCleanup(node.rpdo[1].stop)
        self.assertIsNotNone(node.tpdo[1].wait_for_reception(PATIENCE))
        self.assertEqual(node.state, "SWITCH ON DISABLED")
        node.state = "OPERATION ENABLED"
        self.assertEqual(node.state, "OPERATION ENABLED")

    def test_walks_all_the_states_a_master_can_ask_for(self):
        self.enable()
        for state in ("QUICK STOP ACTIVE", "OPERATION ENABLED", "SWITCHED ON", "READY TO SWITCH ON",
                      "SWITCH ON DISABLED"):
            self.node.state = state
            self.assertEqual(self.node.state, state)

    def test_shows_each_mode_it_is_given_and_follows_a_target(self):
        self.enable()
        for mode in ("CYCLIC SYNCHRONOUS POSITION", "CYCLIC SYNCHRONOUS VELOCITY",
                     "CYCLIC SYNCHRONOUS TORQUE", "PROFILED POSITION",
                     "CYCLIC SYNCHRONOUS POSITION"):
            self.node.op_mode = mode
            self.assertEqual(self.node.op_mode, mode)
        self.node.rpdo[1]["Target position"].raw = 65_536
        position = self.node.tpdo[1]["Position actual value"]
        self.assertTrue(until(lambda: position.raw == 65_536))

    def test_homes(self):
        self.enable()
        self.assertTrue(self.node.homing(timeout=PATIENCE))

    def test_faults_and_is_reset(self):
        self.enable()
        self.slave.say("fault 7320")
        self.emergency(0x7320)
        self.assertTrue(until(lambda: self.node.state == "FAULT"))
        self.node.reset_from_fault()
        self.assertEqual(self.node.state, "OPERATION ENABLED")
        self.assertTrue(until(lambda: not self.node.emcy.active))

    def test_a_fault_that_lasts_is_not_reset(self):
        self.enable()
        self.slave.say("cause on")
        self.slave.say("fault 4310")
        self.emergency(0x4310)
        for word in (0x00, 0x80, 0x00, 0x80):
            order = f"t{0x200 + NODE:03X}8{word:02X}00"
            before = len(self.heard(order))
            self.node.controlword = word
            self.assertTrue(until(lambda: len(self.heard(order)) >= before + 5), "told five times")
        self.node.check_statusword()
        self.node.check_statusword()
        self.assertEqual(self.node.state, "FAULT")
        self.assertTrue(self.node.emcy.active)

    def test_says_nothing_cyclic_when_it_is_not_operational(self):
        self.enable()
        self.node.nmt.state = "PRE-OPERATIONAL"
        self.pass_by()
        said, syncs = len(self.heard(f"t{0x180 + NODE:03X}")), len(self.heard("t080"))
        self.assertGreater(said, 0, "before")
        self.assertTrue(until(lambda: len(self.heard("t080")) >= syncs + 30))
        self.pass_by()
        self.assertEqual(len(self.heard(f"t{0x180 + NODE:03X}")), said)
        self.assertEqual(self.node.sdo[0x6041].raw & 0x6F, 0x40, "it is disabled as well")

    def test_is_driven_by_sdo_alone(self):
        node = self.node
        for word, state in ((0x06, 0x21), (0x07, 0x23), (0x0F, 0x27), (0x02, 0x07), (0x00, 0x40)):
            node.sdo[0x6040].raw = word
            self.assertEqual(node.sdo[0x6041].raw & 0x6F, state)


class DriveThatShowsThatHomingHasNotStarted(Drive):
    """As most drives do. python-canopen's homing() takes that for an interruption, if it sees it after it
    has given the start: so here the start is given by hand."""

    options = ()

    def test_homes(self):
        self.enable()
        node = self.node
        node.op_mode = "HOMING"
        node.check_statusword()
        self.assertEqual(node.statusword & 0x3400, 0x0400)
        for _ in range(3):
            seen = self.started()
            if 0x0000 in (word for _, word in seen):
                break
            # It takes 50 ms: a slave or a test that stood still for as long shows its end alone.
            gap = max(later - when for (when, _), (later, _) in zip(seen, seen[1:]))
            self.assertGreater(gap, 0.05, "it runs")
            print(f"the machine stood still for {gap:.3f} s, longer than homing takes: started again")
        else:
            self.fail("it runs")
        node.controlword = 0x0F
        node.check_statusword()
        node.check_statusword()
        self.assertEqual(node.statusword & 0x3400, 0x1400)

    def started(self):
        """When the slave showed which state of homing, from a start to the end of it."""
        node, tpdo = self.node, f"t{0x180 + NODE:03X}8"
        def told(word):
            before = len(self.heard(f"t{0x200 + NODE:03X}8{word:02X}00"))
            node.controlword = word
            self.assertTrue(until(lambda: len(self.heard(f"t{0x200 + NODE:03X}8{word:02X}00")) > before + 5))
        told(0x0F)
        begin = len(self.heard(tpdo))
        told(0x1F)
        self.assertTrue(until(lambda: node.statusword & 0x3400 == 0x1400), "it is done")
        return [(when, int(frame[7:9] + frame[5:7], 16) & 0x3400)
                for when, frame in self.heard(tpdo)[begin:]]


if __name__ == "__main__":
    unittest.main()
