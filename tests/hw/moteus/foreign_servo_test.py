"""Our driver, told by robot.yaml alone, and servos that aren't ours: built out of the maker's package
(tests/hw/peers/moteus_servo.py), over SLCAN adapters that carry CAN FD.

    foreign_servo_test.py PATH_TO_HW_DRIVER_TOOL

The joints have a gear of 2 behind the servo, turn the other way, and are at zero at 0.1 rev.
"""

import logging
import math
import os
import sys
import time
import unittest
import warnings

warnings.filterwarnings("ignore")
from moteus.protocol import Mode, Register  # noqa: E402

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "peers"))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "support"))
import share  # noqa: E402
from described_robot import DrivenServos  # noqa: E402
from moteus_servo import Servo  # noqa: E402
from pty_bus import PtyBus  # noqa: E402
from tool import PATIENCE  # noqa: E402

DRIVER = sys.argv.pop(1)
logging.getLogger("can").setLevel(logging.CRITICAL)


PERIOD = 0.1  # [s]
WATCHDOG = 20 * PERIOD  # of the servo [s]: longer than a busy machine stands still
DRIVE = {"gear": 2, "reversed": True, "zero_counts": 0.1}


class Driven(unittest.TestCase):
    def begin(self, servos, ids=(1,), cuff=None):
        """`servos`: what each of them is like. The driver drives `ids`."""
        self.bus = PtyBus(len(servos) + 1)
        self.bus.__enter__()
        self.addCleanup(self.bus.__exit__)
        self.servos = [Servo(port, **its) for port, its in zip(self.bus.ports[1:], servos)]
        for servo in self.servos:
            self.addCleanup(servo.close)
        bus = {"address": f"slcan:{self.bus.ports[0]}@1000000,data=5000000", "protocol": "moteus"}
        self.driver = DrivenServos(DRIVER, self, bus, {f"joint{id}": DRIVE | {"node": id} for id in ids}, PERIOD,
                                   cuff=cuff, velocity_max=30)
        self.ended = False
        self.addCleanup(self.end)
        return self.driver.start()

    def end(self):
        if not self.ended:
            self.ended = True
            self.assertEqual(self.driver.end(), 0)

    def run_cycles(self, count, drive="off", value=0.0):
        """Status, q, v, tau, missed and fault of the first joint."""
        return self.driver.run(count, drive, value)[:6]

    def until(self, wanted, drive, value=0.0):
        return self.driver.until(lambda *joint: wanted(*joint[:6]), drive, value)[:6]

    def wait_for(self, mode):
        end = time.monotonic() + PATIENCE
        while self.servo.mode != mode and time.monotonic() < end:
            time.sleep(0.01)
        self.assertEqual(self.servo.mode, mode)

    def enable(self):
        self.until(lambda status, *_: status == "enabled", "torque", 0.1)


class Alone(Driven):
    def setUp(self):
        self.assertEqual(self.begin([{"position": 0.35}]), "started")
        self.servo = self.servos[0]


class OneServo(Alone):
    def test_is_read_in_the_joints_units(self):
        status, q, v, tau, missed, fault = self.until(lambda *joint: joint[4] == 0, "off")
        self.assertEqual((status, fault), ("ready", "none"))
        self.assertAlmostEqual(q, -2 * math.pi * 0.25 / 2, places=5)
        self.assertEqual((v, tau), (0.0, 0.0))

    def test_is_moved_to_a_position_and_holds_it(self):
        self.until(lambda status, q, v, *_: status == "enabled" and abs(q - 0.5) < 0.01
                   and abs(v) < 0.02, "position", 0.5)
        self.assertAlmostEqual(self.servo.position, 0.1 - 0.5 * 2 / (2 * math.pi), delta=0.005)

    def test_turns_at_a_velocity(self):
        self.until(lambda status, q, v, *_: abs(v - 1.0) < 0.05, "velocity", 1.0)
        self.assertLess(self.servo.velocity, 0)
        self.assertTrue(math.isnan(self.servo.commands[-1][Register.COMMAND_POSITION]))

    def test_pushes_with_a_torque_and_nothing_else(self):
        self.until(lambda *joint: abs(joint[3] - 0.5) < 1e-5, "torque", 0.5)
        last = self.servo.commands[-1]
        self.assertEqual((last[Register.MODE], last[Register.COMMAND_KP_SCALE],
                          last[Register.COMMAND_KD_SCALE], last[Register.COMMAND_ILIMIT_SCALE]),
                         (Mode.POSITION, 0, 0, 0))
        self.assertAlmostEqual(last[Register.COMMAND_FEEDFORWARD_TORQUE], -0.25, places=6)
        self.assertAlmostEqual(last[Register.COMMAND_TIMEOUT], WATCHDOG, places=6)

    def test_is_asked_in_fd_frames_with_the_second_bit_rate_under_the_hosts_names(self):
        self.run_cycles(30)
        for identifier, extended, fd, switch in self.servo.identifiers:
            self.assertTrue(extended and fd and switch)
            self.assertIn(identifier, range(0xF001, 0xF800, 0x100))

    def test_a_fault_stays_until_it_is_cleared_also_if_somebody_else_resets_the_servo(self):
        self.enable()
        self.servo.fail(38)
        *_, fault = self.until(lambda status, *_: status == "hw_fault", "torque", 0.1)
        self.assertEqual(fault, "over_temperature")
        self.run_cycles(20, "torque", 0.1)
        self.assertEqual(self.servo.mode, Mode.FAULT)
        self.servo.reset()
        status, *_ = self.run_cycles(20, "torque", 0.1)
        self.assertEqual(status, "hw_fault")
        self.assertEqual(self.servo.mode, Mode.STOPPED)
        self.until(lambda status, *_: status == "ready", "clear")
        self.enable()

    def test_stopping_the_driver_stops_the_servo(self):
        self.enable()
        self.assertEqual(self.servo.mode, Mode.POSITION)
        self.end()
        self.wait_for(Mode.STOPPED)


class OneServoWithAWatchdog(Alone):
    def test_a_driver_that_falls_silent_finds_the_servo_in_its_timeout(self):
        self.enable()
        self.wait_for(Mode.TIMEOUT)
        *_, fault = self.until(lambda status, *_: status == "hw_fault", "torque", 0.1)
        self.assertEqual(fault, "command_lost")
        self.run_cycles(20, "torque", 0.1)
        self.assertEqual(self.servo.mode, Mode.TIMEOUT)
        self.until(lambda status, *_: status == "ready", "clear")
        self.wait_for(Mode.STOPPED)

    def test_silence_ages_and_a_servo_that_is_back_stays_off(self):
        self.enable()
        self.servo.deaf = True
        *_, missed, _ = self.run_cycles(10, "torque", 0.1)
        self.assertGreaterEqual(missed, 9)
        *_, missed, _ = self.run_cycles(40, "torque", 0.1)  # more than its watchdog
        self.assertGreaterEqual(missed, 49)
        self.servo.deaf = False
        *_, fault = self.until(lambda status, *_: status == "hw_fault", "torque", 0.1)
        self.assertEqual(fault, "command_lost")
        self.assertEqual(self.servo.mode, Mode.TIMEOUT)


class Inputs(Driven):
    def test_pins_of_both_connectors_are_inputs_and_off_when_it_is_silent(self):
        self.assertEqual(self.begin([{}, {"id": 2}], ids=(1, 2), cuff="joint1"), "started")
        servo, other = self.servos
        for aux1, aux2, wanted in ((0, 0, 0), (0b00100, 0, 4), (0b10000, 0b001, 16 + 32),
                                   (0b11111, 0b11111, 255)):
            servo.pins = {Register.AUX1_GPIO_STATUS: aux1, Register.AUX2_GPIO_STATUS: aux2}
            self.driver.until(lambda *joint, w=wanted: joint[6] == w, "torque", 0.1)
        self.assertNotIn(Register.AUX1_GPIO_STATUS, other.reads, "nobody wants the other's")
        servo.deaf = True
        *_, missed, _, inputs = self.driver.run(10, "torque", 0.1)
        self.assertGreaterEqual(missed, 3)
        self.assertEqual(inputs, 0)

    def test_a_servo_that_does_not_tell_them_is_refused(self):
        said = self.begin([{"has_inputs": False}], cuff="joint1")
        self.assertIn("joint1 (servo 1) does not tell its digital inputs (registers 05Eh and 05Fh)", said)


class Inventory(Driven):
    def test_a_servo_that_is_missing_and_one_that_is_foreign_are_named(self):
        said = self.begin([{"id": 1}, {"id": 9}], ids=(1, 2))
        self.assertIn("bus test: joint2 (servo 2) does not answer", said)
        self.assertIn("bus test: servo 9 answers and belongs to no joint", said)
        self.assertNotIn("joint1", said)

    def test_two_servos_with_one_number_are_refused(self):
        for _ in range(3):
            said = self.begin([{"id": 1, "serial": 5}, {"id": 1, "serial": 6}])
            if said != "started":
                break
            # A second answer is waited for for 5 ms: on a wire far more than it takes, here what a
            # thread of the test's may be held up for.
            apart = self.answers_apart()
            self.assertGreater(apart, 0.005, "both answered at once")
            print(f"the servos' answers came {1000 * apart:.0f} ms apart: once more")
            self.doCleanups()
        self.assertIn("joint1 (servo 1): two servos answer to this number", said)

    def answers_apart(self):
        """How much later than the first servo's an answer of the second came, at most."""
        came = {}
        for when, frame in zip(self.bus.times, self.bus.frames):
            if frame[:2] in ("b1", "d1"):  # of servo 1, to one of the host's names
                came.setdefault(frame[:4], []).append(when)
        return max((times[-1] - times[0] for times in came.values()), default=0.0)

    def test_a_foreign_register_map_and_an_unknown_zero_are_refused(self):
        said = self.begin([{"id": 1, "register_map": 4}, {"id": 2, "home_state": 0}], ids=(1, 2))
        self.assertIn("joint1 (servo 1) has register map 4", said)
        self.assertIn("joint2 (servo 2) does not know where its output is (home state 0)", said)

    def test_several_servos_run_on_one_bus(self):
        self.assertEqual(self.begin([{"id": i} for i in (1, 2, 40)], ids=(1, 2, 40)), "started")
        self.enable()
        self.run_cycles(20, "torque", 0.1)
        self.assertTrue(all(servo.mode == Mode.POSITION for servo in self.servos))


if __name__ == "__main__":
    share.main()
