"""Our driver, told by robot.yaml alone, and servos that are written in Python from the e-manual, over a pty.

    foreign_servo_test.py PATH_TO_HW_DRIVER_TOOL
"""

import math
import os
import sys
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "peers"))
from described_robot import DrivenServos  # noqa: E402
from dynamixel_servo import FAST_SYNC_READ, SYNC_READ, Line, Servo  # noqa: E402

DRIVER = sys.argv.pop(1)
PERIOD = 0.06  # [s]; a servo is lost after 20 of them: more than a busy machine stands still
GEAR, ZERO, CONSTANT = -2, 1000, 1.78  # of the joints; N·m/A of the profile
DRIVE = {"profile": "xm430_w350", "gear": -GEAR, "reversed": True, "zero_counts": ZERO}


def q_of(counts):
    return 2 * math.pi * (counts - ZERO) / 4096 / GEAR


class Driver(unittest.TestCase):
    def begin(self, *servos, ids=None, **drive):
        self.line = Line(*servos)
        self.addCleanup(self.line.close)
        bus = {"address": f"serial:{self.line.device}@4000000", "protocol": "dynamixel"}
        self.driver = DrivenServos(
            DRIVER, self, bus, {f"joint{id}": DRIVE | {"node": id} | drive for id in ids or [one.id for one in servos]},
            PERIOD, velocity_max=6, torque_max=2)
        self.addCleanup(lambda: self.assertEqual(self.driver.end(), 0))
        return self.driver.start()

    def run_until(self, wanted, drive, value=0.0):
        """`wanted` of status, q, v, tau and fault."""
        self.driver.until(lambda *joint: wanted(*joint[:4], joint[5]), drive, value)

    def test_drives_in_all_modes_with_gear_and_polarity(self):
        first, second = Servo(3, position=2000), Servo(4)
        self.assertEqual(self.begin(first, second), "started")
        self.run_until(lambda status, q, *_: status == "ready" and abs(q - q_of(2000)) < 1e-3, "off")
        self.run_until(lambda status, q, *_: status == "enabled" and abs(q - 0.5) < 0.01, "position", 0.5)
        self.assertEqual(first.table[11], 5)
        # 2 N·m of the joint, by hand: its servo's share behind the gear, by 2.69 mA a step.
        self.assertEqual(first.goal("h", 102), round(2 / (CONSTANT * 2.69e-3 * 2)))
        self.assertLess(abs(first.turns * 4096 - (0.5 * GEAR * 4096 / 2 / math.pi + ZERO)), 40)
        self.run_until(lambda status, q, v, *_: abs(v + 0.8) < 0.1, "velocity", -0.8)
        self.assertEqual(first.table[11], 1)
        self.assertGreater(first.speed, 0)
        self.run_until(lambda status, q, v, tau, fault: abs(tau - 0.05) < 0.006, "torque", 0.05)
        self.assertEqual((first.table[11], second.table[11]), (0, 0))
        self.run_until(lambda status, *_: status == "ready", "off")
        self.assertEqual((first.table[64], second.table[64]), (0, 0))
        self.assertIn(FAST_SYNC_READ, self.line.instructions)

    def test_tells_a_hardware_error_which_a_reboot_ends_on_request(self):
        servo = Servo(3)
        self.assertEqual(self.begin(servo), "started")
        self.run_until(lambda status, *_: status == "enabled", "position", 0.0)
        servo.table[64], servo.table[70] = 0, 1 << 2
        self.run_until(lambda status, *rest: status == "hw_fault" and rest[-1] == "over_temperature",
                       "position", 0.0)
        self.assertEqual(servo.table[70], 4)
        self.driver.run(1, "clear")
        self.run_until(lambda status, *_: status == "enabled", "position", 0.0)
        self.assertEqual(servo.table[70], 0)

    def test_is_stopped_by_the_servos_watchdog_when_it_falls_silent(self):
        servo = Servo(3)
        self.assertEqual(self.begin(servo), "started")
        self.run_until(lambda status, q, v, *_: v < -0.3, "velocity", -0.5)
        self.assertEqual(servo.table[98], 60)  # 20 cycles, in steps of 20 ms
        time.sleep(1.8)  # nothing is asked of the host: it does nothing
        self.run_until(lambda status, *rest: rest[-1] == "command_lost", "velocity", -0.5)
        self.driver.run(1, "clear")
        self.run_until(lambda status, q, v, *_: status == "enabled" and v < -0.3, "velocity", -0.5)

    def test_hears_the_others_while_one_is_silent(self):
        first, second = Servo(3), Servo(4)
        self.assertEqual(self.begin(first, second), "started")
        self.run_until(lambda status, *_: status == "enabled", "position", 0.0)
        second.silent = True
        self.line.instructions.clear()
        self.driver.run(30, "position")
        heard = 0
        for _ in range(600):  # a servo in Python misses cycles of its own where the machine is busy
            status, *_, missed, _, _ = self.driver.run(1, "position")
            heard += missed == 0
            if heard == 10:
                break
        self.assertEqual(heard, 10)
        self.assertEqual(status, "enabled")
        self.assertIn(SYNC_READ, self.line.instructions)

    def test_hears_a_servo_again_that_was_lost(self):
        servo = Servo(3)
        self.assertEqual(self.begin(servo), "started")
        self.run_until(lambda status, *_: status == "enabled", "position", 0.0)
        servo.silent = True
        self.assertGreater(self.driver.run(40, "position")[4], 20)
        servo.silent = False
        # Its own watchdog has stopped it meanwhile.
        self.driver.until(lambda *joint: joint[4] == 0 and joint[5] == "command_lost", "position")
        self.driver.run(1, "clear")
        self.driver.until(lambda status, q, v, tau, missed, *_: (status, missed) == ("enabled", 0), "position")

    def test_passes_over_answers_with_a_wrong_crc(self):
        servo = Servo(3)
        self.assertEqual(self.begin(servo), "started")
        self.run_until(lambda status, *_: status == "enabled", "position", 0.2)
        servo.damages = 2
        self.run_until(lambda status, q, *_: status == "enabled" and abs(q - 0.2) < 0.01, "position", 0.2)
        self.assertEqual(servo.damages, 0, "both went out")

    def test_names_what_is_missing_of_another_model_or_foreign(self):
        self.assertIn("joint9 (servo 9) does not answer", self.begin(Servo(3), ids=[3, 9]))

    def test_names_a_model_without_current(self):
        self.assertIn("joint3 (servo 3) is of model 1060 (XL430-W250), which measures no current",
                      self.begin(Servo(3, model=1060), product=1060))

    def test_names_another_model_than_its_profiles(self):
        self.assertIn("joint3 (servo 3) is of model 1120 (XM540-W270), expected is 1020",
                      self.begin(Servo(3, model=1120)))

    def test_names_an_unknown_model(self):
        self.assertIn("joint3 (servo 3) is of model 4711, which this driver doesn't know",
                      self.begin(Servo(3, model=4711), product=4711))

    def test_names_a_doubled_and_a_foreign_id(self):
        text = self.begin(Servo(3), Servo(3), Servo(8), ids=[3])
        self.assertIn("joint3 (servo 3): two servos answer to this id", text)
        self.assertIn("servo 8 answers and belongs to no joint", text)

    def test_names_answers_that_are_always_damaged(self):
        servo = Servo(3)
        servo.damages = 1_000_000
        self.assertIn("answers to its ping have a wrong CRC", self.begin(servo))


if __name__ == "__main__":
    unittest.main()
