"""Our driver with drives that aren't ours: durand, whose PDOs the driver maps, and python-canopen's
LocalNode with a mapping of its own that can't be changed. Other gears, polarities, identifiers, no life
counter, few objects, slow answers; and drives that are not what the settings say.

    foreign_drives_test.py PATH_TO_DRIVER_TOOL PATH_TO_JOINTRIG

The driver knows what robot.yaml says, and the shipped profiles models/drives/*.yaml.

The power machine inside is tests/hw/peers/axis402.py; all of CANopen is durand's and python-canopen's.
"""

import logging
import math
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time
import unittest

from durand import Variable
from durand.datatypes import DatatypeEnum as DT
from durand.node import NodeCapabilities

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "peers"))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "support"))
import share  # noqa: E402
from axis402 import CSP, MODES, Axis402  # noqa: E402
from described_robot import states_in, write_robot  # noqa: E402
from durand_thread import DurandThread  # noqa: E402
from local_node_drive import FIXED_IN, FIXED_OUT, LocalNodeDrive  # noqa: E402
from pty_bus import PtyBus  # noqa: E402
from tool import PATIENCE, Tool  # noqa: E402

DRIVER = sys.argv.pop(1)
PROGRAM = sys.argv.pop(1)
PERIOD = 0.06  # [s]; a drive is lost after 20 of them: more than a busy machine stands still

for name in ("canopen", "can", "durand"):
    logging.getLogger(name).setLevel(logging.CRITICAL)


class DurandDrive(DurandThread):
    """Its PDO engine takes any mapping; PDOs 5 to 8 keep the identifiers that they are given."""

    capabilities = NodeCapabilities(sdo_servers=1, rpdos=8, tpdos=8)

    def __init__(self, port, number, axis, has_inputs=False):
        self.axis, self.has_inputs, self.inputs = axis, has_inputs, 0
        super().__init__(port, number)

    def fill(self, node):
        od, axis = node.object_dictionary, self.axis
        node.sync.callbacks.add(self.on_sync)
        od.write(0x1000, 0, 0x00020192)
        for sub, value in ((1, 0x2FB), (2, 0x77), (4, 4711)):
            od.write(0x1018, sub, value)
        for index, kind, access, value in (
                (0x6040, DT.UNSIGNED16, "rw", 0), (0x6041, DT.UNSIGNED16, "ro", 0x250),
                (0x6060, DT.INTEGER8, "rw", 0), (0x6061, DT.INTEGER8, "ro", 0),
                (0x6064, DT.INTEGER32, "ro", axis.position), (0x606C, DT.INTEGER32, "ro", 0),
                (0x6077, DT.INTEGER16, "ro", 0), (0x603F, DT.UNSIGNED16, "ro", 0),
                (0x607A, DT.INTEGER32, "rw", 0), (0x60FF, DT.INTEGER32, "rw", 0),
                (0x6071, DT.INTEGER16, "rw", 0), (0x6502, DT.UNSIGNED32, "ro", MODES),
                (0x605A, DT.INTEGER16, "rw", 2), (0x605E, DT.INTEGER16, "rw", 1)):
            od[index] = Variable(kind, access, value)
        if self.has_inputs:
            od[0x60FD] = Variable(DT.UNSIGNED32, "ro", 0)
        on = od.update_callbacks
        on[(0x6040, 0)].add(axis.control)
        on[(0x6060, 0)].add(lambda value: setattr(axis, "mode", value))
        on[(0x607A, 0)].add(lambda value: setattr(axis, "target_position", value))
        on[(0x60FF, 0)].add(lambda value: setattr(axis, "target_velocity", value))
        on[(0x6071, 0)].add(lambda value: setattr(axis, "target_torque", value))

    def on_sync(self):
        self.axis.step(PERIOD)
        od, axis = self.node.object_dictionary, self.axis
        for index, value in ((0x6041, axis.statusword()), (0x6061, axis.mode),
                             (0x6064, axis.position), (0x606C, axis.velocity),
                             (0x6077, axis.torque), (0x603F, axis.error)):
            od.write(index, 0, value)
        if self.has_inputs:
            od.write(0x60FD, 0, self.inputs)


# Answers and heartbeats that a busy machine holds up are no fault of the drives.
PATIENT = {"sdo_timeout": "5 s", "heartbeat": "700 ms"}
DURAND = {"node": 5, "gear": 20, "rated_torque": "0.5 Nm", "profile": "durand", **PATIENT}
FIXED = {"node": 9, "gear": 50, "reversed": True, "zero_counts": 1234, "rated_torque": "1 Nm",
         "profile": "local_node", **PATIENT}


def pdos_of_durand(**more):
    def two(target):
        return [0x60400010, 0x60600008, target]
    return {"rpdo5": {"cob_id": 0x225, "objects": two(0x607A0020)},
            "rpdo6": {"cob_id": 0x226, "objects": two(0x60FF0020)},
            "rpdo7": {"cob_id": 0x227, "objects": two(0x60710010)},
            "tpdo5": {"cob_id": 0x1E5, "objects": [0x60410010, 0x60610008, 0x60640020]},
            "tpdo6": {"cob_id": 0x1E6, "objects": [0x606C0020, 0x60770010, 0x603F0010]}, **more}


def pdos_of_the_fixed(more=()):
    """Its mapping, other than its profile by what is `more`."""
    pdos = {f"rpdo{number + 1}": {"cob_id": pdo[0], "objects": list(pdo[2])}
            for number, pdo in FIXED_IN.items()}
    pdos |= {f"tpdo{number + 1}": {"cob_id": pdo[0], "objects": list(pdo[2])}
             for number, pdo in FIXED_OUT.items()}
    return {"pdos": pdos | dict(more)}


# With digital inputs; a slave in Python may take its time.
TOLD_BY_DURAND = {"pdos": pdos_of_durand(tpdo7={"cob_id": 0x1E7, "objects": [0x60FD0020]})}
TOLD_BY_THE_FIXED = pdos_of_the_fixed({"tpdo3": {"cob_id": 0x3C3, "objects": [0x60FD0020]}})

def described(folder, address, drives, inputs=False, bit_rate=1000000):
    """Joints axis0, axis1 ... of Axis402, which go wherever they are told at once."""
    named = {f"axis{i}": drive for i, drive in enumerate(drives)}
    return write_robot(folder, {"address": address, "bit_rate": bit_rate}, named, PERIOD,
                       cuff="axis0" if inputs else None, velocity_max=1000)


def counts_per_rad(increments, gear):
    return increments * gear / (2 * math.pi)


def until(condition):
    end = time.monotonic() + PATIENCE
    while not condition() and time.monotonic() < end:
        time.sleep(0.002)
    return condition()


def worst_bits(data_bytes):
    """Bits of the longest classic frame, with all its stuff bits (Davis and others, 2007)."""
    return 34 + 8 * data_bytes + 13 + (34 + 8 * data_bytes - 1) // 4


class Fixture(unittest.TestCase):
    def setUp(self):
        self.bus = PtyBus(3)
        self.bus.__enter__()
        self.addCleanup(self.bus.__exit__)

    def with_durand(self, axis, **options):
        drive = DurandDrive(self.bus.ports[0], 5, axis, **options)
        self.addCleanup(drive.end)
        return drive

    def with_local_node(self, axis, **options):
        drive = LocalNodeDrive(self.bus.ports[1], 9, axis, PERIOD, **options)
        self.addCleanup(drive.end)
        return drive

    def robot(self, *drives, **options):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        return described(pathlib.Path(folder.name), f"slcan:{self.bus.ports[2]}@1000000", drives, **options)

    def driver(self, *drives, **options):
        tool = Tool(DRIVER, self.robot(*drives, **options))
        self.addCleanup(tool.end)
        return tool

    def load(self, *drives, **options):
        """Share of the wire, as told where it is too much: at a hundredth of the bit rate."""
        answer = self.driver(*drives, bit_rate=10000, **options).ask("start")
        return float(re.search(r"would take ([0-9.]+) %", answer)[1]) / 1e4

    def states(self, tool, command):
        return states_in(tool.ask(command))

    def states_when(self, status, tool, command):
        """Commands until all drives show that and were heard in the cycle that was last."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            states = self.states(tool, command)
            if all(state["status"] == status and state["missed"] == "0" for state in states):
                return states
        raise AssertionError(f"never with {command}: {states}")


class DrivenDrives(Fixture):
    def test_durand_is_mapped_enabled_and_moved(self):
        axis = Axis402(position=500)
        self.with_durand(axis)
        tool = self.driver(DURAND)
        self.assertEqual(tool.ask("start"), "started")
        self.assertEqual(axis.state, "SON", "ready, its stage off")
        per_rad = counts_per_rad(2000, 20)
        [state] = self.states_when("enabled", tool, "drive position 20 0.7")
        self.assertEqual((axis.state, state["status"]), ("OE", "enabled"))
        self.assertEqual(axis.mode, CSP)
        self.assertEqual(axis.position, round(0.7 * per_rad))
        self.assertAlmostEqual(float(state["q"]), 0.7, delta=1 / per_rad)
        [state] = self.states_when("enabled", tool, "drive velocity 5 -0.4")
        self.assertEqual(axis.velocity, round(-0.4 * per_rad))
        self.assertAlmostEqual(float(state["v"]), -0.4, delta=1 / per_rad)
        [state] = self.states_when("enabled", tool, "drive torque 5 4.0")
        self.assertEqual(axis.torque, 400, "thousandths of 0.5 N·m times 20")
        self.assertAlmostEqual(float(state["tau"]), 4.0, delta=1e-6)
        [state] = self.states_when("ready", tool, "drive off 5")
        self.assertEqual((axis.state, state["status"]), ("SON", "ready"))

    def test_a_fixed_mapping_turned_round_behind_a_gear_is_driven(self):
        axis = Axis402(position=1234)
        drive = self.with_local_node(axis)
        tool = self.driver(FIXED)
        self.assertEqual(tool.ask("start"), "started")
        per_rad = counts_per_rad(4096, 50)
        [state] = self.states_when("enabled", tool, "drive position 20 0.3")
        self.assertEqual(state["status"], "enabled")
        self.assertEqual(axis.position, round(1234 - 0.3 * per_rad), "it counts the other way")
        self.assertAlmostEqual(float(state["q"]), 0.3, delta=1 / per_rad)
        [state] = self.states_when("enabled", tool, "drive velocity 5 0.5")
        self.assertEqual(axis.velocity, round(-0.5 * per_rad))
        self.assertAlmostEqual(float(state["v"]), 0.5, delta=1 / per_rad)
        self.assertEqual(tool.ask("stop"), "stopped")
        order = "t0002" + "8009"
        self.assertTrue(until(lambda: order in self.bus.frames), "to pre-operational")
        # Once another's frame behind it is heard, the driver's last frame has been heard.
        drive.net.send_message(0x7F0, b"")
        self.assertTrue(until(lambda: "t7F00" in self.bus.frames))
        after = self.bus.frames[self.bus.frames.index(order):]
        self.assertFalse([line for line in after if 0x180 <= int(line[1:4], 16) < 0x580],
                         "and no order behind it")

    def test_a_fault_told_by_emergency_alone_waits_for_a_request(self):
        axis = Axis402(position=1234)
        drive = self.with_local_node(axis)
        tool = self.driver(FIXED)
        self.assertEqual(tool.ask("start"), "started")
        self.states_when("enabled", tool, "drive position 20 0.0")
        self.assertEqual(axis.state, "OE")
        drive.fail(0x2310)
        [state] = self.states_when("hw_fault", tool, "drive position 20 0.0")
        self.assertEqual((state["status"], state["fault"]), ("hw_fault", "over_current"))
        self.assertEqual(axis.state, "FAULT", "a command is no reset")
        [state] = self.states_when("ready", tool, "clear 10")
        for _ in range(20):  # a slave in Python may be late
            if axis.state == "SON":
                break
            [state] = self.states_when("ready", tool, "drive off 3")
        self.assertEqual((axis.state, state["status"]), ("SON", "ready"))

    def test_answers_that_take_their_time_are_waited_for(self):
        drive = self.with_local_node(Axis402(), answers_after=2.0)
        impatient = self.driver(FIXED | {"sdo_timeout": "100 ms"})
        self.assertIn("no answer in time (0504 0000h, after 3 tries)", impatient.ask("start"))
        self.assertTrue(until(lambda: drive.on_their_way == 0))
        drive.answers_after = 0.35
        patient = self.driver(FIXED)
        self.assertEqual(patient.ask("start"), "started")

    def test_two_makes_share_a_bus_and_the_log_shows_order_lengths_and_load(self):
        one, other = Axis402(), Axis402()
        self.with_durand(one)
        self.with_local_node(other)
        tool = self.driver(DURAND, FIXED)
        self.assertEqual(tool.ask("start"), "started")
        self.states_when("enabled", tool, "drive position 10 0.1 0.1")
        begin = len(self.bus.frames)
        states = self.states(tool, "drive position 60 0.2 0.2")
        log = list(zip(self.bus.times, self.bus.frames))[begin:]
        self.assertEqual([state["status"] for state in states], ["enabled", "enabled"])
        self.check_log(log, tool.ask("complete").split()[1], self.load(DURAND, FIXED))

    def check_log(self, log, complete, computed_load):
        cycles, others = [], []
        for when, line in log:
            identifier, length = int(line[1:4], 16), int(line[4])
            if identifier == 0x080:
                self.assertEqual(length, 0)
                cycles.append((when, []))
            elif identifier in (0x705, 0x709, 0x77F):
                self.assertEqual(length, 1)
                others.append(identifier)
            elif cycles:  # before the first SYNC: orders of the run before
                cycles[-1][1].append((when, identifier, length))
        self.assertEqual(set(others), {0x705, 0x709, 0x77F}, "heartbeats of all three")
        said = {(0x1E5, 7), (0x1E6, 8), (0x1C1, 7), (0x2C2, 6)}
        told = [(0x225, 7), (0x342, 6), (0x241, 3)]
        in_time, done = 0, complete.replace("s", "")  # with a period of its own for each SYNC
        for k, (_, timed) in list(enumerate(cycles))[1:-1]:
            frames = [frame[1:] for frame in timed]
            self.assertLessEqual(set(frames), said | set(told))
            if done[k - 1:k + 1] != "11":
                continue  # a slave in Python that the machine held up, now or with what it said before
            in_time += 1
            self.assertEqual(set(frames[:4]), said, "first what the drives say")
            self.assertEqual(frames[4:], told, "then what they are told")
        self.assertGreater(in_time, 20, "of 58")
        bits = worst_bits(0) + sum(worst_bits(length) for _, length in [*said, *told])
        # The middle one of many slopes: some SYNCs are heard late.
        number = [i for i, period in enumerate(complete) if period != "s"]
        heard = [(n, when) for n, (when, _) in zip(number, cycles)]
        period = statistics.median((then - when) / (m - n) for (n, when), (m, then) in zip(heard, heard[30:]))
        self.assertAlmostEqual(bits / 1e6 / period / computed_load, 1.0, delta=0.03)


class DigitalInputs(Fixture):
    """60FDh: bits 0 to 2 are limit and home switches, 16 and up the maker's inputs from 0 on."""

    def until(self, tool, wanted, key="inputs"):
        # A slave in Python may be late in three cycles.
        for _ in range(50):
            [state] = self.states(tool, "drive position 3 0.0")
            if state[key] == wanted:
                return state
        raise AssertionError(f"never {wanted}: {state}")

    def enable(self, tool):
        self.assertEqual(tool.ask("start"), "started")
        self.until(tool, "enabled", "status")

    def check_inputs(self, tool, drive):
        self.enable(tool)
        for bits, wanted in ((0, "0"), (0x0004_0000, "4"), (0x0081_0007, "129"), (0x7, "0")):
            drive.inputs = bits
            self.assertEqual(self.until(tool, wanted)["status"], "enabled")

    def test_durand_is_mapped_to_tell_its_own(self):
        drive = self.with_durand(Axis402(), has_inputs=True)
        tool = self.driver(DURAND | TOLD_BY_DURAND, inputs=True)
        self.check_inputs(tool, drive)
        self.assertTrue([line for line in self.bus.frames if line == "t1E7407008100"])

    def test_a_fixed_mapping_that_tells_them_is_taken_as_it_is(self):
        drive = self.with_local_node(Axis402(), has_inputs=True)
        tool = self.driver(FIXED | TOLD_BY_THE_FIXED, inputs=True)
        self.check_inputs(tool, drive)

    def test_inputs_that_are_told_no_more_are_off_while_the_joint_goes_on(self):
        drive = self.with_local_node(Axis402(), has_inputs=True)
        tool = self.driver(FIXED | TOLD_BY_THE_FIXED, inputs=True)
        self.enable(tool)
        drive.inputs = 0x0004_0000
        self.until(tool, "4")
        drive.tells_inputs = False
        state = self.until(tool, "0")
        self.assertEqual((state["status"], drive.axis.state), ("enabled", "OE"))
        drive.tells_inputs = True
        self.until(tool, "4")

    def test_a_drive_without_the_object_is_refused_with_joint_and_object(self):
        self.with_durand(Axis402())
        tool = self.driver(DURAND | TOLD_BY_DURAND, inputs=True)
        self.assertIn("axis0: node 5, 60FDh:0: there is no such object (0602 0000h, from the node), "
                      "while setting up its digital inputs, which a cuff is wired to", tool.ask("start"))

    def test_a_fixed_mapping_without_them_is_refused(self):
        drive = self.with_local_node(Axis402())
        drive.add(0x60FD, None, DT.UNSIGNED32, "ro", 0)
        tool = self.driver(FIXED | TOLD_BY_THE_FIXED, inputs=True)
        self.assertIn("axis0: node 9, 1A02h:1: there is no such object", tool.ask("start"))

    def test_their_frame_counts_as_load(self):
        self.with_local_node(Axis402(), has_inputs=True)
        more = self.load(FIXED | TOLD_BY_THE_FIXED, inputs=True) - self.load(FIXED)
        self.assertAlmostEqual(more, worst_bits(4) / 1e6 / PERIOD, delta=1.1e-4)


class ProfilesWrittenFromTheNode(Fixture):
    """`jointrig bus profile` looks at a drive; the driver drives it with what was written."""

    def profile(self, node):
        found = subprocess.run([PROGRAM, "bus", "profile", f"slcan:{self.bus.ports[2]}@1000000", str(node)],
                               capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual((found.returncode, found.stderr), (0, ""))
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = pathlib.Path(folder.name) / "found.yaml"
        path.write_text(found.stdout)
        return str(path), found.stdout

    def check_driven(self, axis, counts_at, *drives):
        tool = self.driver(*drives)
        self.assertEqual(tool.ask("start"), "started")
        self.states_when("enabled", tool, "drive position 20 0.3")
        self.assertEqual(axis.position, counts_at)
        axis.fail(0x2310)
        [state] = self.states_when("hw_fault", tool, "drive position 10 0.3")
        self.states_when("ready", tool, "clear 10")
        self.states_when("enabled", tool, "drive position 20 0.0")
        return state

    def test_the_fixed_mapping_is_found_and_kept(self):
        axis = Axis402(position=1234)
        self.with_local_node(axis)
        path, text = self.profile(9)
        for line in ("vendor: 0x66F", "product: 0x1234", "remaps_pdos: false", "rpdo1: {cob_id: 0x241, "
                     "objects: [0x60400010, 0x60600008]}", "tpdo2: {cob_id: 0x2C2, ", "quick_stop: 2"):
            self.assertIn(line, text)
        units = {"encoder_increments": 4096}
        self.check_driven(axis, round(1234 - 0.3 * counts_per_rad(4096, 50)),
                          FIXED | {"profile": path, **units})

    def test_a_drive_whose_pdos_do_nothing_yet_is_mapped_frugally(self):
        axis = Axis402()
        self.with_durand(axis)
        path, text = self.profile(5)
        self.assertIn("without: [0x0005, 0x1006, 0x1016, 0x6007, 0x603F, 0x605C, 0x60C2, 0x60FE]", text)
        self.assertIn("drive_modes: [off, position, velocity, torque]", text)
        self.assertNotIn("remaps_pdos", text)
        state = self.check_driven(axis, round(0.3 * counts_per_rad(2000, 20)),
                                  DURAND | {"profile": path, "encoder_increments": 2000})
        self.assertEqual(state["fault"], "drive_fault", "603Fh is not mapped, and this one sends no EMCY")

    def test_answers_that_take_their_time_are_waited_for_by_the_profile(self):
        self.with_local_node(Axis402(), answers_after=0.1)
        _, text = self.profile(9)
        seconds = float(re.search(r"sdo_timeout: ([0-9.]+) s", text)[1])
        self.assertGreaterEqual(seconds, 0.5, "five times the slowest answer")


class DrivesThatAreNotAsTheyShouldBe(Fixture):
    def refusal(self, *drives, **options):
        answer = self.driver(*drives, **options).ask("start")
        self.assertTrue(answer.startswith("failed "), answer)
        return answer

    def test_another_identity_is_told_with_what_was_found(self):
        self.with_durand(Axis402())
        self.assertIn("axis0: node 5, 1018h:2, product: expected 78h, found 77h",
                      self.refusal(DURAND | {"product": 0x78}))

    def test_another_mapping_is_told_with_object_and_place(self):
        self.with_local_node(Axis402())
        other = pdos_of_the_fixed({"tpdo2": {"cob_id": 0x2C2, "objects": [0x606C0020, 0x60780010]}})
        self.assertIn("axis0: node 9, 1A01h:2, TPDO2, object 2: expected 60780010h, found 60770010h; `pdos` in its "
                      "profile or `drive` has to be the mapping that the drive has",
                      self.refusal(FIXED | other))

    def test_another_identifier_is_told(self):
        self.with_local_node(Axis402())
        other = pdos_of_the_fixed({"tpdo1": {"cob_id": 0x189, "objects": list(FIXED_OUT[0][2])}})
        self.assertIn("1800h:1, identifier of TPDO1: expected 189h, found 1C1h",
                      self.refusal(FIXED | other))

    def test_a_mode_that_it_lacks_is_told(self):
        drive = self.with_durand(Axis402())
        drive.call(drive.node.object_dictionary.write, 0x6502, 0, 0x80)
        self.assertIn("6502h:0, supported modes that the joint needs: expected 380h, found 80h; leave out of "
                      "`board.drive_modes` what it hasn't", self.refusal(DURAND))

    def test_an_object_that_is_not_there_is_told_with_the_code(self):
        self.with_durand(Axis402())
        less = {"without": [0x1016, 0x1006, 0x60C2, 0x6007]}
        self.assertIn("605Ch:0: there is no such object (0602 0000h, from the node), while setting up "
                      "its disable operation option code; give `disable_operation` a value that it takes, "
                      "or if the drive lacks it, list 0x605C in `without` of its profile or `drive`",
                      self.refusal(DURAND | less))

    def test_silence_at_one_object_is_told_after_three_tries(self):
        drive = self.with_local_node(Axis402())
        drive.silent_on.add(0x605A)
        self.assertIn("605Ah:0: no answer in time (0504 0000h, after 3 tries), while setting up its "
                      "quick stop option code", self.refusal(FIXED | {"sdo_timeout": "100 ms"}))

    def test_a_toggle_bit_that_does_not_alternate_is_told(self):
        drive = self.with_local_node(Axis402())
        usual = drive.node.sdo.on_request

        def with_wrong_toggle(identifier, data, stamp):
            """The vendor in segments, the first under the second one's toggle bit."""
            if bytes(data[:4]) == b"\x40\x18\x10\x01":
                drive.answer(b"\x41\x18\x10\x01\x04\x00\x00\x00")
            elif data[0] >> 5 == 3:
                drive.answer(b"\x17\x6F\x06\x00\x00\x00\x00\x00")
            else:
                usual(identifier, data, stamp)

        drive.net.unsubscribe(0x609)
        drive.net.subscribe(0x609, with_wrong_toggle)
        self.assertIn("1018h:1: the toggle bit did not alternate (0503 0000h, after 3 tries), while "
                      "setting up its vendor", self.refusal(FIXED))

    def test_a_node_that_is_not_there_and_one_too_many_are_told(self):
        self.with_durand(Axis402())
        answer = self.refusal(FIXED)
        self.assertIn("axis0 (node 9) does not answer: no boot-up message came after a reset", answer)
        self.assertIn("node 5 answers and belongs to no joint", answer)


if __name__ == "__main__":
    share.main()
