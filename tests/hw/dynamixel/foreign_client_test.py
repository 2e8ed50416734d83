"""The maker's own client (the package dynamixel-sdk) drives our virtual servos, over a pty.

    foreign_client_test.py PATH_TO_DYNAMIXEL_TOOL
"""

import os
import sys
import time
import unittest

from dynamixel_sdk import (COMM_RX_TIMEOUT, COMM_SUCCESS, GroupBulkRead, GroupBulkWrite, GroupSyncRead,
                           GroupSyncWrite, PacketHandler, PortHandler)

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "peers"))
from tool import PATIENCE, Tool  # noqa: E402

TOOL = sys.argv.pop(1)
IDS = (2, 11, 200)
MODE, TORQUE, ERRORS, WATCHDOG = 11, 64, 70, 98
GOAL_CURRENT, GOAL_VELOCITY, GOAL_POSITION, POSITION = 102, 104, 116, 132
TRIES = 20  # of the client's, which waits for 34 ms; a busy machine may stand still for longer


def signed(value):
    return value - (1 << 32) if value & (1 << 31) else value


class Client(unittest.TestCase):
    def setUp(self):
        self.tool = Tool(TOOL, "servos", *map(str, IDS))
        self.port = PortHandler(self.tool.ask("device"))
        self.assertTrue(self.port.openPort() and self.port.setBaudRate(4_000_000))
        self.packets = PacketHandler(2.0)

    def tearDown(self):
        self.port.closePort()
        self.assertEqual(self.tool.end(), 0)

    def again(self, function, *arguments):
        for _ in range(TRIES):
            *values, result, error = function(self.port, *arguments)
            if result == COMM_SUCCESS:
                return values, error
        raise AssertionError(self.packets.getTxRxResult(result))

    def write(self, id, address, size, value):
        """Error of the answer."""
        function = {1: self.packets.write1ByteTxRx, 2: self.packets.write2ByteTxRx,
                    4: self.packets.write4ByteTxRx}[size]
        return self.again(function, id, address, value)[1]

    def read(self, id, address, size):
        function = {1: self.packets.read1ByteTxRx, 2: self.packets.read2ByteTxRx,
                    4: self.packets.read4ByteTxRx}[size]
        return self.again(function, id, address)[0][0]

    def until(self, wanted, *place):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            value = self.read(*place)
            if wanted(signed(value)):
                return
        raise AssertionError(f"never: {signed(value)}")

    def group(self, function):
        for _ in range(TRIES):
            if function() == COMM_SUCCESS:
                return
        raise AssertionError("a group was never answered")

    def test_finds_the_servos_alone_and_by_a_broadcast(self):
        for id in IDS:
            self.assertEqual(self.again(self.packets.ping, id), ([1020], 0))
        self.assertEqual(self.packets.ping(self.port, 3)[1], COMM_RX_TIMEOUT)
        found, result = self.packets.broadcastPing(self.port)
        self.assertEqual(result, COMM_SUCCESS)
        self.assertEqual(sorted(found), sorted(IDS))
        self.assertEqual(found[11], [1020, 45])

    def test_drives_one_to_a_position_and_at_a_velocity(self):
        self.assertEqual(self.write(2, MODE, 1, 4), 0)
        self.assertEqual(self.write(2, TORQUE, 1, 1), 0)
        self.assertEqual(self.write(2, GOAL_POSITION, 4, (1 << 32) - 3000), 0)
        self.until(lambda position: abs(position + 3000) < 60, 2, POSITION, 4)
        self.assertEqual(self.write(2, TORQUE, 1, 0), 0)
        self.assertEqual(self.write(2, MODE, 1, 1), 0)
        self.assertEqual(self.write(2, TORQUE, 1, 1), 0)
        self.assertEqual(self.write(2, GOAL_VELOCITY, 4, 100), 0)
        self.until(lambda velocity: abs(velocity - 100) < 6, 2, 128, 4)

    def test_is_told_what_may_not_be(self):
        self.assertEqual(self.write(2, TORQUE, 1, 1), 0)
        self.assertIn("not available", self.packets.getRxPacketError(self.write(2, MODE, 1, 1)))
        self.assertIn("limit value", self.packets.getRxPacketError(self.write(2, GOAL_POSITION, 4, 9999)))
        self.assertIn("out of range", self.packets.getRxPacketError(self.write(2, 65, 1, 0) or
                                                                    self.write(2, WATCHDOG, 1, 200)))

    def test_reads_and_writes_in_groups(self):
        for id in IDS:
            self.assertEqual(self.write(id, MODE, 1, 4), 0)
        goals = {id: 100 * n + 0xFDFFFF for n, id in enumerate(IDS)}  # FF FF FD goes stuffed
        sync = GroupSyncWrite(self.port, self.packets, GOAL_POSITION, 4)
        for id, goal in goals.items():
            self.assertTrue(sync.addParam(id, list(goal.to_bytes(4, "little"))))
        self.group(sync.txPacket)
        for fast in (False, True):
            with self.subTest(fast=fast):
                read = GroupSyncRead(self.port, self.packets, GOAL_POSITION, 4)
                for id in IDS:
                    self.assertTrue(read.addParam(id))
                self.group(read.fastSyncRead if fast else read.txRxPacket)
                self.assertEqual({id: read.getData(id, GOAL_POSITION, 4) for id in IDS}, goals)
        bulk = GroupBulkWrite(self.port, self.packets)
        self.assertTrue(bulk.addParam(2, GOAL_POSITION, 4, list((77).to_bytes(4, "little"))))
        self.assertTrue(bulk.addParam(200, MODE, 1, [5]))
        self.group(bulk.txPacket)
        read = GroupBulkRead(self.port, self.packets)
        self.assertTrue(read.addParam(200, MODE, 1))
        self.assertTrue(read.addParam(2, GOAL_POSITION, 4))
        self.group(read.txRxPacket)
        self.assertEqual(read.getData(2, GOAL_POSITION, 4), 77)
        self.assertEqual(read.getData(200, MODE, 1), 5)

    def test_sees_a_hardware_error_that_a_reboot_ends(self):
        self.assertEqual(self.write(11, TORQUE, 1, 1), 0)
        self.assertEqual(self.tool.ask("hot 11"), "ok")
        self.until(lambda errors: errors == 1 << 2, 11, ERRORS, 1)
        self.assertEqual(self.read(11, TORQUE, 1), 0)
        self.assertTrue(self.write(11, TORQUE, 1, 1) & 0x80)
        self.assertEqual(self.tool.ask("cool 11"), "ok")
        end = time.monotonic() + PATIENCE
        while self.read(11, ERRORS, 1) != 0:
            self.assertLess(time.monotonic(), end)
            self.again(self.packets.reboot, 11)
            time.sleep(0.01)
        self.assertEqual(self.write(11, TORQUE, 1, 1), 0)

    def test_is_stopped_by_the_watchdog(self):
        self.assertEqual(self.write(2, MODE, 1, 1), 0)
        self.assertEqual(self.write(2, TORQUE, 1, 1), 0)
        self.assertEqual(self.write(2, WATCHDOG, 1, 1), 0)
        time.sleep(0.2)
        self.assertEqual(self.read(2, WATCHDOG, 1), 255)
        self.assertTrue(self.write(2, GOAL_VELOCITY, 4, 10))


if __name__ == "__main__":
    unittest.main()
