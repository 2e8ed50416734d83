"""Buses as other people's software sees them: python-can (slcan, socketcand), can-cannelloni, and
python-canopen over these.

    can_foreign_test.py PATH_TO_CAN_TOOL

Hub: our virtual bus, served to python-can's clients.
Clients: our transports, served by programs that are not ours.
Everything stays on this machine's loopback and is bounded in time and count.
"""

import contextlib
import logging
import os
import random
import select
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import tty
import unittest
import warnings

import can
import canopen
from can_cannelloni.protocol import HANDSHAKE, decode_stream, encode_frames

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "peers"))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "support"))
from can_bits import classic_bits  # noqa: E402
from free_ports import free_ports  # noqa: E402

TOOL = sys.argv.pop(1)
PATIENCE = 60.0  # seconds; never waited for unless something is broken
ECHO_BIT = {False: 0x400, True: 0x10000000}


def key(message):
    """The fields that have to arrive."""
    return (message.arbitration_id, message.is_extended_id, message.is_remote_frame, message.is_fd,
            message.is_fd and message.bitrate_switch, message.dlc,
            b"" if message.is_remote_frame else bytes(message.data))


def classic_frames(count, seed):
    """Questions: data frames without the echo bit, of all sizes and both kinds of identifier."""
    pick = random.Random(seed)
    for i in range(count):
        extended = pick.random() < 0.5
        identifier = pick.getrandbits(29 if extended else 11) & ~ECHO_BIT[extended]
        yield can.Message(arbitration_id=identifier, is_extended_id=extended,
                          data=pick.randbytes(i % 9))


def receive(bus, wanted, what):
    """The next message that is `wanted`; others are passed by."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        message = bus.recv(0.5)
        if message is not None and not message.is_error_frame and wanted(message):
            return message
    raise AssertionError(f"nothing within {PATIENCE} s: {what}")


def echo_of(message):
    identifier = message.arbitration_id | ECHO_BIT[message.is_extended_id]
    return (identifier,) + key(message)[1:]


class UdpPeer:
    """cannelloni over UDP, packed by hand as its document has it; looks like a python-can bus."""

    def __init__(self, local_port, peer_port):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", local_port))
        self.socket.connect(("127.0.0.1", peer_port))
        self.sequence, self.waiting, self.sequences = 0, [], []

    def send(self, message):
        identifier = message.arbitration_id | (message.is_extended_id << 31) | (
            message.is_remote_frame << 30)
        frame = struct.pack(">IB", identifier, message.dlc | (message.is_fd << 7))
        if message.is_fd:
            frame += bytes([message.bitrate_switch | message.error_state_indicator << 1])
        if not message.is_remote_frame:
            frame += bytes(message.data)
        self.socket.send(struct.pack(">BBBH", 2, 0, self.sequence & 0xFF, 1) + frame)
        self.sequence += 1

    def recv(self, timeout):
        if not self.waiting:
            if not select.select([self.socket], [], [], timeout)[0]:
                return None
            self.unpack(self.socket.recv(65536))
        return self.waiting.pop(0)

    def unpack(self, datagram):
        version, operation, sequence, count = struct.unpack_from(">BBBH", datagram)
        assert (version, operation) == (2, 0)
        self.sequences.append(sequence)
        at = 5
        for _ in range(count):
            identifier, length = struct.unpack_from(">IB", datagram, at)
            at += 5
            is_fd, length, flags = bool(length & 0x80), length & 0x7F, 0
            if is_fd:
                flags = datagram[at]
                at += 1
            remote = bool(identifier & 0x40000000)
            data = b"" if remote else datagram[at:at + length]
            at += len(data)
            self.waiting.append(can.Message(
                arbitration_id=identifier & 0x1FFFFFFF, is_extended_id=bool(identifier >> 31),
                is_remote_frame=remote, is_fd=is_fd, bitrate_switch=bool(flags & 1),
                error_state_indicator=bool(flags & 2), dlc=length, data=data))
        assert at == len(datagram)

    def shutdown(self):
        self.socket.close()


class Hub(unittest.TestCase):
    def setUp(self):
        self.udp_ports = free_ports(2, socket.SOCK_DGRAM)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.log = os.path.join(folder.name, "bus.log")
        self.tool = subprocess.Popen([TOOL, "hub", *map(str, self.udp_ports), self.log],
                                     stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.addCleanup(self.stop)
        *self.adapters, cannelloni, socketcand = self.tool.stdout.readline().split()
        self.cannelloni_port, self.socketcand_port = int(cannelloni), int(socketcand)

    def stop(self):
        if self.tool.stdin.closed:
            return
        self.tool.stdin.close()
        self.assertEqual(self.tool.wait(PATIENCE), 0)
        self.tool.stdout.close()

    def tell(self, command):
        self.tool.stdin.write(command + "\n")
        self.tool.stdin.flush()
        return self.tool.stdout.readline().strip()

    def open(self, name):
        if name == "udp":
            bus = UdpPeer(self.udp_ports[1], self.udp_ports[0])
        elif name == "cannelloni":
            bus = can.Bus(interface="cannelloni", channel=f"127.0.0.1:{self.cannelloni_port}",
                          reconnect=False)
        elif name == "socketcand":
            bus = can.Bus(interface="socketcand", host="127.0.0.1", port=self.socketcand_port,
                          channel="can0", tcp_tune=True)
        else:
            bus = can.Bus(interface="slcan", channel=self.adapters[int(name[-1])], bitrate=1000000,
                          sleep_after_open=0)
        self.addCleanup(lambda: bus.shutdown())  # as it is by then
        return bus

    def check_echoes(self, bus, messages):
        for message in messages:
            bus.send(message)
            wanted = echo_of(message)
            receive(bus, lambda m: key(m) == wanted, f"echo of {message}")

    def test_slcan_echoes_classic_frames(self):
        self.check_echoes(self.open("slcan0"), classic_frames(100, seed=1))

    def test_socketcand_echoes_classic_frames(self):
        self.check_echoes(self.open("socketcand"), classic_frames(100, seed=2))

    def test_cannelloni_tcp_echoes_classic_frames(self):
        self.check_echoes(self.open("cannelloni"), classic_frames(100, seed=3))

    def test_cannelloni_udp_echoes_classic_frames_under_growing_sequence_numbers(self):
        bus = self.open("udp")
        self.check_echoes(bus, classic_frames(300, seed=4))
        self.assertEqual(bus.sequences, [i & 0xFF for i in range(len(bus.sequences))])

    def test_fd_and_remote_frames_are_echoed_by_slcan_and_udp(self):
        pick = random.Random(5)
        slcan = self.open("slcan0")
        slcan.set_bitrate(1000000, 5000000)
        for bus in (slcan, self.open("udp")):
            self.check_echoes(bus, [
                can.Message(arbitration_id=0x123, is_extended_id=extended, is_fd=True,
                            bitrate_switch=switch, dlc=size, data=pick.randbytes(size))
                for extended in (False, True) for switch in (False, True)
                for size in (0, 1, 8, 12, 16, 20, 24, 32, 48, 64)])
            self.check_echoes(bus, [
                can.Message(arbitration_id=0x123, is_extended_id=extended, is_remote_frame=True,
                            dlc=size) for extended in (False, True) for size in (0, 8)])

    def test_what_one_way_sends_all_other_ways_receive(self):
        ways = {name: self.open(name) for name in
                ("slcan0", "slcan1", "socketcand", "cannelloni", "udp")}
        for bus in ways.values():  # an echo shows that each of them is on the bus
            self.check_echoes(bus, classic_frames(1, seed=6))
        for number, (sender, bus) in enumerate(ways.items()):
            message = can.Message(arbitration_id=0x700 + number, is_extended_id=False,
                                  data=bytes([number] * 8))
            bus.send(message)
            for receiver, other in ways.items():
                if receiver != sender:
                    receive(other, lambda m: key(m) == key(message), f"{sender} to {receiver}")

    def test_an_adapter_tells_version_and_serial_number(self):
        bus = self.open("slcan0")
        self.assertEqual(bus.get_version(PATIENCE), (10, 13))
        self.assertEqual(bus.get_serial_number(PATIENCE), "JR01")

    def test_the_wire_is_taken_for_as_long_as_an_independent_count_says(self):
        sender, receiver = self.open("udp"), self.open("slcan0")
        self.check_echoes(receiver, classic_frames(1, seed=7))
        pick = random.Random(8)
        start, busy_at_start, frames_at_start = map(int, self.tell("busy").split())
        expected_us, worst_us, count = 0, 0, 0

        def counted():
            """Now, the time that the wire was taken, and frames: both since the start."""
            now, busy, frames = map(int, self.tell("busy").split())
            return now - start, busy - busy_at_start, frames - frames_at_start

        for cycle in range(100):  # a cycle of 10 ms: SYNC, then seven TPDOs; none is echoed
            for node in range(8):
                identifier, size = (0x480, 0) if node == 0 else (0x580 + node, 8)
                data = bytes(size) if cycle % 2 else pick.randbytes(size)
                sender.send(can.Message(arbitration_id=identifier, is_extended_id=False, data=data))
                expected_us += classic_bits(identifier, data)  # a bit takes 1 us
                worst_us += 34 + 8 * size + 13 + (34 + 8 * size - 1) // 4
                count += 1
            time.sleep(max(0, start / 1e9 + 0.01 * (cycle + 1) - time.monotonic()))
            while counted()[2] < count:  # a datagram that finds no room at the hub would be lost
                self.assertLess(counted()[0], 1e9 * PATIENCE)
        elapsed, busy, _ = counted()
        self.assertGreaterEqual(elapsed, 1e9)
        self.assertLess(abs(busy / (expected_us * 1000) - 1), 0.03, (busy, expected_us))
        self.assertLess(busy, worst_us * 1000)

    def test_the_log_of_the_wire_has_every_frame_one_after_another(self):
        sender, other = self.open("udp"), self.open("cannelloni")
        questions = list(classic_frames(50, seed=13))
        self.check_echoes(other, questions)
        burst = [can.Message(arbitration_id=0x580 + i, is_extended_id=False, data=[i] * 8)
                 for i in range(50)]
        for message in burst:
            sender.send(message)
        receive(other, lambda m: m.arbitration_id == burst[-1].arbitration_id, "the burst's end")
        self.stop()
        with can.LogReader(self.log) as log:
            messages = list(log)
        expected = [frame for m in questions for frame in (key(m), echo_of(m))]
        self.assertEqual([key(m) for m in messages], expected + [key(m) for m in burst])
        for before, after in zip(messages, messages[1:]):
            # Stamps are ends of frames; python-can reads them as floating point seconds.
            taken_us = classic_bits(after.arbitration_id, after.data, after.is_extended_id)
            self.assertGreater((after.timestamp - before.timestamp) * 1e6, taken_us - 2)
        in_a_row = messages[-1].timestamp - messages[-40].timestamp
        expected_us = sum(classic_bits(m.arbitration_id, m.data) for m in burst[-39:])
        self.assertGreater(in_a_row * 1e6, expected_us - 2)

    def test_a_canopen_master_and_slave_of_others_talk_from_each_way_to_each_other(self):
        self.assertEqual(self.tell("quiet"), "ok")
        dictionary = canopen.ObjectDictionary()
        for index, size, code in ((0x1017, 2, 6), (0x2000, 4, 7), (0x2001, 0, 9)):
            variable = canopen.objectdictionary.ODVariable(f"x{index:X}", index)
            variable.data_type, variable.access_type = code, "rw"  # U16, U32, string
            variable.default = "" if size == 0 else 0
            dictionary.add_object(variable)
        ways = {name: self.open(name) for name in ("slcan0", "slcan1", "socketcand", "cannelloni")}
        networks = {}
        for number, (name, bus) in enumerate(ways.items(), start=1):
            networks[name] = canopen.Network(bus)
            networks[name].notifier = can.Notifier(bus, networks[name].listeners, 0.1)
            self.addCleanup(networks[name].notifier.stop)
            networks[name].add_node(canopen.LocalNode(number, dictionary))
        for number, server in enumerate(ways, start=1):
            for name, network in networks.items():
                if name == server:
                    continue
                # The mark follows the frames of the server before, so these have passed by.
                passed = threading.Event()
                network.subscribe(0x7F0, lambda *_, seen=passed: seen.set())
                networks[server].send_message(0x7F0, b"")
                self.assertTrue(passed.wait(PATIENCE))
                network.unsubscribe(0x7F0)
                master = canopen.RemoteNode(number, dictionary)
                master.associate_network(network)
                master.sdo.RESPONSE_TIMEOUT = PATIENCE
                try:
                    master.sdo[0x2000].raw = 0xCAFE0000 + number
                    self.assertEqual(master.sdo[0x2000].raw, 0xCAFE0000 + number)
                    master.sdo[0x2001].raw = f"{name} to {server}, in several segments"
                    self.assertEqual(master.sdo[0x2001].raw,
                                     f"{name} to {server}, in several segments")
                finally:
                    master.remove_network()

    def test_lost_frames_are_the_ones_that_were_ordered(self):
        sender, receiver = self.open("udp"), self.open("socketcand")
        self.check_echoes(receiver, classic_frames(1, seed=9))
        self.assertEqual(self.tell("lose 581 3 4"), "ok")
        for number in range(10):
            sender.send(can.Message(arbitration_id=0x581, is_extended_id=False, data=[number]))
        seen = [receive(receiver, lambda m: m.arbitration_id == 0x581, "a frame").data[0]
                for _ in range(6)]
        self.assertEqual(seen, [0, 1, 2, 7, 8, 9])

    def test_destroyed_frames_are_sent_again_and_all_arrive(self):
        self.assertEqual(self.tell("corrupt 0.1"), "ok")
        self.check_echoes(self.open("cannelloni"), classic_frames(100, seed=10))
        self.assertGreater(int(self.tell("errors")), 5)

    def test_an_adapter_that_vanishes_can_be_opened_anew(self):
        bus = self.open("slcan0")
        self.check_echoes(bus, classic_frames(3, seed=11))
        self.assertEqual(self.tell("unplug 0"), "ok")
        with self.assertRaises((can.CanError, OSError)):
            for _ in range(100):
                bus.send(can.Message(arbitration_id=1))
                bus.recv(0.01)
        bus.serialPortOrig.close()
        bus.shutdown = lambda: None  # it would write to what is gone
        self.adapters[0] = self.tell("plug 0")
        self.check_echoes(self.open("slcan0"), classic_frames(3, seed=12))


class Clients(unittest.TestCase):
    """`can_tool echo` on buses of others."""

    @contextlib.contextmanager
    def echo(self, address, during_open=lambda: None):
        tool = subprocess.Popen([TOOL, "echo", address], stdin=subprocess.PIPE,
                                stdout=subprocess.PIPE, text=True)
        try:
            during_open()
            self.assertEqual(tool.stdout.readline(), "open\n")
            yield tool
        finally:
            tool.stdin.close()
            self.counters = dict(zip(*[iter(tool.stdout.readline().split())] * 2))
            self.last_words = tool.stdout.readline()
            tool.stdout.close()
            self.assertEqual(tool.wait(PATIENCE), 0)

    def check_echoes(self, bus, messages):
        count = 0
        for message in messages:
            bus.send(message)
            wanted = echo_of(message)
            receive(bus, lambda m: key(m) == wanted, f"echo of {message}")
            count += 1
        return count

    def test_slcan_with_python_can_at_the_other_end_of_the_line(self):
        ends = [os.openpty() for _ in range(2)]
        for master, slave in ends:
            tty.setraw(slave)
        masters = [master for master, _ in ends]
        stop = threading.Event()

        def cable():
            while not stop.is_set():
                for master in select.select(masters, [], [], 0.05)[0]:
                    os.write(masters[1 - masters.index(master)], os.read(master, 4096))

        thread = threading.Thread(target=cable)
        thread.start()
        try:
            address = f"slcan:{os.ttyname(ends[1][1])}@1000000,data=5000000,silent"
            with self.echo(address):
                # Its commands C, S8, O, O are nothing that an adapter says: four lines of garbage.
                bus = can.Bus(interface="slcan", channel=os.ttyname(ends[0][1]), bitrate=1000000,
                              sleep_after_open=0)
                count = self.check_echoes(bus, classic_frames(100, seed=21))
                bus.serialPortOrig.write(b"t1238000\xff\r\x00\x80garbage\rt12")  # no frames
                bus.serialPortOrig.write(b"\r")
                count += self.check_echoes(bus, classic_frames(20, seed=22))
                count += self.check_echoes(bus, [
                    can.Message(arbitration_id=0x55, is_extended_id=False, is_fd=True,
                                bitrate_switch=True, dlc=64, data=bytes(range(64)))])
            bus.shutdown()
        finally:
            stop.set()
            thread.join()
            for end in ends:
                for fd in end:
                    os.close(fd)
        self.assertEqual(int(self.counters["sent"]), count)
        self.assertEqual(int(self.counters["garbage"]), 4 + 3)

    def accept(self, listener):
        listener.settimeout(PATIENCE)
        self.connection, _ = listener.accept()
        self.connection.settimeout(PATIENCE)
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def read(self, size):
        data = b""
        while len(data) < size:
            more = self.connection.recv(size - len(data))
            self.assertTrue(more, "closed")
            data += more
        return data

    def test_cannelloni_tcp_with_the_codec_of_can_cannelloni(self):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            def greet():
                self.accept(listener)
                self.connection.sendall(HANDSHAKE)
                self.assertEqual(self.read(len(HANDSHAKE)), HANDSHAKE)

            with self.echo(f"cannelloni-tcp:127.0.0.1:{listener.getsockname()[1]}", greet):
                with self.connection:
                    sent = list(classic_frames(200, seed=23))
                    stream = encode_frames(sent)
                    for at in range(0, len(stream), 7):  # frames come in pieces
                        self.connection.sendall(stream[at:at + 7])
                    buffer, echoes = bytearray(), []
                    while len(echoes) < len(sent):
                        buffer += self.connection.recv(4096)
                        used, messages = decode_stream(buffer)
                        del buffer[:used]
                        echoes += messages
                    self.assertEqual([key(m) for m in echoes], [echo_of(m) for m in sent])

    def test_cannelloni_tcp_tells_that_the_other_side_left(self):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            def greet():
                self.accept(listener)
                self.connection.sendall(HANDSHAKE)

            with self.echo(f"cannelloni-tcp:127.0.0.1:{listener.getsockname()[1]}", greet):
                self.connection.close()
        self.assertIn("the other side closed the connection", self.last_words)

    def test_cannelloni_udp_packed_by_hand(self):
        ours, theirs = free_ports(2, socket.SOCK_DGRAM)
        peer = UdpPeer(ours, theirs)
        try:
            with self.echo(f"cannelloni-udp:127.0.0.1:{ours}:{theirs}"):
                self.check_echoes(peer, classic_frames(100, seed=24))
                peer.sequence += 5  # five datagrams that never were
                self.check_echoes(peer, classic_frames(3, seed=25))
        finally:
            peer.shutdown()
        self.assertEqual(int(self.counters["lost"]), 5)

    def test_socketcand_with_a_server_written_after_its_document(self):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            def greet():
                self.accept(listener)
                self.connection.sendall(b"< hi >")
                for words in (b"< open vcan3 >", b"< rawmode >"):
                    self.assertEqual(self.read(len(words)), words)
                    self.connection.sendall(b"< ok >")

            address = f"socketcand:127.0.0.1:{listener.getsockname()[1]}/vcan3"
            with self.echo(address, greet), self.connection:
                self.connection.sendall(b"< frame 123 23.424242 1AF1 >< frame 00000123 23.5 11 22 >")
                wanted = b"< send 523 2 1A F1 >< send 10000123 2 11 22 >"
                self.assertEqual(self.read(len(wanted)), wanted)

    def test_what_cannot_be_opened_is_told_in_a_sentence(self):
        for address, part in (("slcan:/dev/no-such-adapter@1000000", "is the adapter plugged in"),
                              ("can0", "is no kind of bus"),
                              ("socketcand:127.0.0.1:1/can0", "no server listens there")):
            tool = subprocess.run([TOOL, "echo", address], capture_output=True, text=True,
                                  stdin=subprocess.DEVNULL, check=False, timeout=PATIENCE)
            self.assertEqual(tool.returncode, 1)
            self.assertIn(part, tool.stderr)
            self.assertEqual(tool.stderr.count("\n"), 1)


if __name__ == "__main__":
    warnings.simplefilter("ignore", ResourceWarning)  # of the libraries, not of what is tested
    logging.getLogger("can").setLevel(logging.CRITICAL)
    unittest.main()
