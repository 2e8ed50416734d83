"""The maker's own client (the package moteus) drives our virtual servo, over python-can and an SLCAN adapter
that carries CAN FD.

    foreign_client_test.py PATH_TO_MOTEUS_TOOL
"""

import asyncio
import logging
import math
import os
import sys
import unittest
import warnings

warnings.filterwarnings("ignore")
import moteus  # noqa: E402

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "peers"))
from tool import PATIENCE, Tool  # noqa: E402

TOOL = sys.argv.pop(1)
WATCHDOG = 30.0  # s; one that runs out because a machine stood still proves nothing
KP, KD, MOST = 20.0 * 2 * math.pi, 0.5 * 2 * math.pi, 5.0  # of the tool's servo, per revolution
R, MODE = moteus.Register, moteus.Mode
for name in ("can", "moteus"):
    logging.getLogger(name).setLevel(logging.CRITICAL)


class Client(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        self.tool = Tool(TOOL, "servo")
        self.transport = moteus.PythonCan(
            interface="slcan", channel=self.tool.ask("device"), bitrate=1_000_000,
            sleep_after_open=0)
        self.servo = moteus.Controller(id=1, transport=self.transport)

    async def asyncTearDown(self):
        self.transport.close()
        self.assertEqual(self.tool.end(), 0)

    async def ask(self, function, **arguments):
        result = await asyncio.wait_for(function(query=True, **arguments), PATIENCE)
        return result.values

    async def query(self):
        return (await asyncio.wait_for(self.servo.query(), PATIENCE)).values

    async def until(self, wanted, function, times=1, **arguments):
        """The command again and again, until that many answers in a row are as wanted; the last."""
        met = 0
        for _ in range(4000):
            values = await self.ask(function, **arguments)
            met = met + 1 if wanted(values) else 0
            if met == times:
                return values
        raise AssertionError(f"never: {values}")

    async def until_mode(self, mode, times=1):
        """Queries until that many in a row are answered with the mode; the last answer."""
        met, end = 0, asyncio.get_running_loop().time() + PATIENCE
        while met < times:
            values = await self.query()
            met = met + 1 if values[R.MODE] == mode else 0
            self.assertLess(asyncio.get_running_loop().time(), end, f"never: {values}")
        return values

    async def stays(self, mode, function=None, **arguments):
        """Not one of many answers is of another mode."""
        for _ in range(50):
            values = await (self.ask(function, **arguments) if function else self.query())
            self.assertEqual(values[R.MODE], mode)

    async def test_a_query_tells_mode_state_and_health(self):
        values = await self.query()
        self.assertEqual((values[R.MODE], values[R.FAULT]), (MODE.STOPPED, 0))
        self.assertAlmostEqual(values[R.POSITION], 0.0, places=5)
        self.assertEqual((values[R.VOLTAGE], values[R.TEMPERATURE]), (48.0, 25.0))

    async def test_every_resolution_of_a_query_is_answered_in_it(self):
        for resolution in (moteus.INT8, moteus.INT16, moteus.INT32, moteus.F32):
            wish = moteus.QueryResolution()
            for field in ("mode", "position", "velocity", "torque", "q_current", "power",
                          "motor_temperature", "home_state", "voltage", "temperature", "fault"):
                setattr(wish, field, resolution)
            servo = moteus.Controller(id=1, transport=self.transport, query_resolution=wish)
            values = (await asyncio.wait_for(servo.query(), PATIENCE)).values
            self.assertEqual(values[R.MODE], 0)
            self.assertAlmostEqual(values[R.VOLTAGE], 48.0, places=4)
            self.assertEqual(values[R.HOME_STATE], 2)

    async def test_identity(self):
        values = (await asyncio.wait_for(self.servo.custom_query({
            R.REGISTER_MAP_VERSION: moteus.INT32, R.MULTIPLEX_ID: moteus.INT32,
            R.SERIAL_NUMBER1: moteus.INT32}), PATIENCE)).values
        self.assertEqual(values[R.REGISTER_MAP_VERSION], 5)
        self.assertEqual(values[R.MULTIPLEX_ID], 1)
        self.assertEqual(values[R.SERIAL_NUMBER1], 4711)

    async def test_position_is_reached_and_held(self):
        values = await self.until(
            lambda v: abs(v[R.POSITION] - 0.25) < 0.002 and abs(v[R.VELOCITY]) < 0.02,
            self.servo.set_position, position=0.25, velocity=0.0, watchdog_timeout=WATCHDOG)
        self.assertEqual(values[R.MODE], MODE.POSITION)

    async def test_gains_scale_and_the_torque_has_its_maximum(self):
        await self.until(lambda v: abs(v[R.POSITION]) < 1e-3, self.servo.set_position,
                         position=0.0, watchdog_timeout=math.nan)
        values = await self.until(
            lambda v: abs(v[R.TORQUE]) > 0.05, self.servo.set_position, position=1.0,
            maximum_torque=0.1, watchdog_timeout=WATCHDOG)
        self.assertLessEqual(values[R.TORQUE], 0.1 + 1e-6)

    async def test_velocity_without_a_position(self):
        # It passes 0.5 on its way to an overshoot of some 10 %: held is what is held for 100 answers.
        await self.until(lambda v: abs(v[R.VELOCITY] - 0.5) < 0.01, self.servo.set_position,
                         times=100, position=math.nan, velocity=0.5, watchdog_timeout=WATCHDOG)

    async def test_torque_alone_accelerates_the_flywheel(self):
        values = await self.until(
            lambda v: v[R.VELOCITY] > 1.0, self.servo.set_position, position=math.nan,
            velocity=0.0, kp_scale=0.0, kd_scale=0.0, ilimit_scale=0.0, feedforward_torque=0.2,
            watchdog_timeout=WATCHDOG)
        self.assertAlmostEqual(values[R.TORQUE], 0.2, places=5)

    async def test_current_brake_zero_velocity_and_stop(self):
        values = await self.until(lambda v: v[R.VELOCITY] > 1.0, self.servo.set_current,
                                  q_A=0.5, d_A=0.0)
        self.assertEqual(values[R.MODE], MODE.CURRENT)
        self.assertAlmostEqual(values[R.TORQUE], 0.5 * MOST / 10, places=5)  # 5 N·m at 10 A
        values = await self.until(lambda v: abs(v[R.VELOCITY]) < 0.05, self.servo.set_brake)
        self.assertEqual(values[R.MODE], MODE.BRAKE)
        await self.until(lambda v: v[R.VELOCITY] > 1.0, self.servo.set_current, q_A=0.5, d_A=0.0)
        values = await self.until(lambda v: abs(v[R.VELOCITY]) < 0.05,
                                  self.servo.set_zero_velocity)
        self.assertEqual(values[R.MODE], MODE.ZERO_VELOCITY)
        await self.ask(self.servo.set_stop)
        await self.until_mode(MODE.STOPPED)

    async def test_a_watchdog_that_runs_out_is_left_by_stop_alone(self):
        def in_position(values):
            return values[R.MODE] == MODE.POSITION
        # With a long one first: a short one may run out before its own answer is here.
        await self.until(in_position, self.servo.set_position, position=0.0, watchdog_timeout=WATCHDOG)
        await self.stays(MODE.POSITION)
        await self.ask(self.servo.set_position, position=0.0, watchdog_timeout=0.05)
        await self.until_mode(MODE.TIMEOUT)
        for function, arguments in ((self.servo.set_position, {"position": 0.0}),
                                    (self.servo.set_current, {"q_A": 0.1, "d_A": 0.0}),
                                    (self.servo.set_brake, {})):
            await self.stays(MODE.TIMEOUT, function, **arguments)
        await self.ask(self.servo.set_stop)
        await self.until_mode(MODE.STOPPED)

    async def test_a_fault_is_told_by_its_code_and_left_by_stop_once_its_cause_is_gone(self):
        await self.ask(self.servo.set_position, position=0.0, watchdog_timeout=math.nan)
        self.tool.ask("hot")
        values = await self.until(lambda v: v[R.MODE] == MODE.FAULT, self.servo.set_position,
                                  position=0.0, watchdog_timeout=math.nan)
        self.assertEqual(values[R.FAULT], 38)
        for _ in range(50):
            await self.ask(self.servo.set_stop)
        await self.until_mode(MODE.FAULT, times=50)
        self.tool.ask("cool")
        await self.stays(MODE.FAULT)
        # The first may come before its board has looked again.
        await self.until(lambda v: v[R.MODE] == MODE.STOPPED, self.servo.set_stop)
        values = await self.until_mode(MODE.STOPPED, times=50)
        self.assertEqual(values[R.FAULT], 0)

    async def test_digital_inputs_are_pins_of_its_two_connectors(self):
        """Inputs 0 to 4 are pins A to E of aux 1, 5 to 7 pins A to C of aux 2."""
        async def expect(aux1, aux2):
            """Once the servo's board has had a period."""
            for _ in range(1000):
                said = await asyncio.wait_for(self.servo.read_gpio(), 5)
                if said == bytes([aux1, aux2]):
                    return
            raise AssertionError(f"never {aux1}, {aux2}: {said}")

        await expect(0, 0)
        for number in range(8):
            self.tool.ask(f"press {number}")
            await expect(*((1 << number, 0) if number < 5 else (0, 1 << (number - 5))))
        wish = moteus.QueryResolution()
        wish.aux1_gpio = wish.aux2_gpio = moteus.INT8
        servo = moteus.Controller(id=1, transport=self.transport, query_resolution=wish)
        values = (await asyncio.wait_for(servo.query(), 5)).values
        self.assertEqual((values[R.AUX1_GPIO_STATUS], values[R.AUX2_GPIO_STATUS]), (0, 4))
        self.tool.ask("release")
        await expect(0, 0)

    async def test_the_output_can_be_set(self):
        await self.ask(self.servo.set_output_exact, position=3.0)
        self.assertAlmostEqual((await self.query())[R.POSITION], 3.0, places=4)

    async def test_what_can_not_be_is_answered_by_an_error(self):
        result = await asyncio.wait_for(self.servo.custom_query({0x600: moteus.INT8}), PATIENCE)
        self.assertEqual(moteus.parse_registers(result.data).errors, [(0x600, 1)])


if __name__ == "__main__":
    unittest.main()
