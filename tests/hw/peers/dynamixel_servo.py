"""Dynamixel servos that have nothing of the project in them: packets, control table and answers are written
from the e-manual of protocol 2.0 and of the XM430.

    line = Line(Servo(1), Servo(2, model=1060))     on a pty; a thread of its own
    line.device                                     what a driver opens
    line.close()

Each turns a flywheel, in real time.
"""

import os
import pty
import struct
import threading
import time
import tty

HEADER = b"\xff\xff\xfd\x00"
PING, READ, WRITE, REBOOT, STATUS = 0x01, 0x02, 0x03, 0x08, 0x55
SYNC_READ, SYNC_WRITE, FAST_SYNC_READ, BROADCAST = 0x82, 0x83, 0x8A, 0xFE
KP, KD, INERTIA, FRICTION = 400.0, 40.0, 0.05, 0.5  # current steps a turn, a turn/s; of the flywheel


def crc(data):
    """CRC-16, x^16 + x^15 + x^2 + 1, bit by bit."""
    value = 0
    for byte in data:
        value ^= byte << 8
        for _ in range(8):
            value = (value << 1 ^ 0x8005 if value & 0x8000 else value << 1) & 0xFFFF
    return value


def packet(id, instruction, parameters):
    body = (bytes([instruction]) + bytes(parameters)).replace(b"\xff\xff\xfd", b"\xff\xff\xfd\xfd")
    data = HEADER + bytes([id]) + struct.pack("<H", len(body) + 2) + body
    return data + struct.pack("<H", crc(data))


class Servo:
    def __init__(self, id, model=1020, position=0):
        self.id, self.model = id, model
        self.turns, self.speed, self.current = position / 4096, 0.0, 0.0
        self.silent = False
        self.damages = 0      # answers that go out with a byte changed
        self.table = bytearray(256)
        self.power_on()

    def power_on(self):
        mode = self.table[11] or 3
        self.table = bytearray(256)
        self.table[0:2], self.table[6], self.table[7] = struct.pack("<H", self.model), 50, self.id
        self.table[11], self.table[68] = mode, 2
        for i in range(28):
            struct.pack_into("<H", self.table, 168 + 2 * i, 224 + i)
        self.heard = time.monotonic()

    def place(self, address):
        return struct.unpack_from("<H", self.table, 168 + 2 * (address - 224))[0] \
            if 224 <= address < 252 else address

    def read(self, address, size):
        return bytes(self.table[self.place(address + i)] for i in range(size))

    def write(self, address, data):
        places = [self.place(address + i) for i in range(len(data))]
        locked = any(place < 64 or 168 <= place < 224 for place in places) and self.table[64]
        stopped = self.table[98] == 255 and any(100 <= place < 120 for place in places)
        if locked or stopped or (64 in places and self.table[70] and data[places.index(64)]):
            return 7
        torque, mode = self.table[64], self.table[11]
        for place, byte in zip(places, data):
            self.table[place] = byte
        if self.table[64] and not torque or self.table[11] != mode:
            self.table[102:108], self.table[116:120] = bytes(6), self.table[132:136]
            if self.table[11] == 5:
                struct.pack_into("<h", self.table, 102, 1193)
        return 0

    def goal(self, form, address):
        return struct.unpack_from("<" + form, self.table, address)[0]

    def turn(self, dt):
        if self.table[64] and 0 < self.table[98] < 255 and \
                time.monotonic() - self.heard > 0.02 * self.table[98]:
            self.table[98], self.table[102:108] = 255, bytes(6)
        current, most = 0.0, 1193
        if self.table[64]:
            mode = self.table[11]
            if mode == 0:
                current = self.goal("h", 102)
            elif mode == 1:
                current = 1000 * (self.goal("i", 104) * 0.229 / 60 - self.speed)
            else:
                current = KP * 4 * (self.goal("i", 116) / 4096 - self.turns) - KD * self.speed
                most = self.goal("h", 102) if mode == 5 else most
        self.current = max(-most, min(most, current))
        self.speed += (self.current / 100 - FRICTION * self.speed) / INERTIA * dt
        self.turns += self.speed * dt
        struct.pack_into("<hii", self.table, 126, round(self.current), round(self.speed * 60 / 0.229),
                         round(self.turns * 4096))
        struct.pack_into("<HB", self.table, 144, 121, 35)


class Line:
    def __init__(self, *servos):
        self.servos = servos
        self.master, self.slave = pty.openpty()
        tty.setraw(self.slave)
        os.set_blocking(self.master, False)
        self.device, self.unread, self.on = os.ttyname(self.slave), b"", True
        self.instructions = set()
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def close(self):
        self.on = False
        self.thread.join()
        os.close(self.master)
        os.close(self.slave)

    def run(self):
        last = time.monotonic()
        while self.on:
            now = time.monotonic()
            for _ in range(int((now - last) / 1e-3)):
                last += 1e-3
                for servo in self.servos:
                    servo.turn(1e-3)
            try:
                self.unread += os.read(self.master, 4096)
            except BlockingIOError:
                time.sleep(2e-4)
            self.take()

    def take(self):
        while (at := self.unread.find(HEADER)) >= 0 and len(self.unread) >= at + 7:
            size = 7 + struct.unpack_from("<H", self.unread, at + 5)[0]
            if len(self.unread) < at + size:
                return
            data, self.unread = self.unread[at:at + size], self.unread[at + size:]
            assert crc(data[:-2]) == struct.unpack("<H", data[-2:])[0], "the driver's CRC is wrong"
            body = data[7:-2].replace(b"\xff\xff\xfd\xfd", b"\xff\xff\xfd")
            self.instructions.add(body[0])
            self.obey(data[4], body[0], body[1:])

    def say(self, servo, data):
        if servo.damages > 0:
            servo.damages -= 1
            data = data[:-3] + bytes([data[-3] ^ 0x10]) + data[-2:]
        os.write(self.master, data)

    def obey(self, id, instruction, given):
        there = [servo for servo in self.servos if not servo.silent]
        for servo in there:
            servo.heard = time.monotonic()
        if instruction == SYNC_WRITE:
            address, size = struct.unpack_from("<HH", given)
            for at in range(4, len(given), 1 + size):
                for servo in there:
                    if servo.id == given[at]:
                        servo.write(address, given[at + 1:at + 1 + size])
        elif instruction in (SYNC_READ, FAST_SYNC_READ):
            address, size = struct.unpack_from("<HH", given)
            asked = [servo for wanted in given[4:] for servo in there if servo.id == wanted]
            if instruction == SYNC_READ:
                for servo in asked:
                    error = 0x80 if servo.table[70] else 0
                    self.say(servo, packet(servo.id, STATUS, bytes([error]) + servo.read(address, size)))
            elif len(asked) == len(given) - 4:  # one that is silent ends the chain
                whole = HEADER + bytes([BROADCAST]) + struct.pack("<H", 1 + len(asked) * (4 + size))
                whole += bytes([STATUS])
                for servo in asked:
                    whole += bytes([0x80 if servo.table[70] else 0, servo.id]) + servo.read(address, size)
                    whole += struct.pack("<H", crc(whole))
                self.say(asked[0], whole)
        for servo in there:
            if id not in (servo.id, BROADCAST):
                continue
            if instruction == PING:
                self.say(servo, packet(servo.id, STATUS,
                                       bytes([0]) + servo.table[0:2] + servo.table[6:7]))
            elif instruction == REBOOT:
                servo.power_on()
                self.say(servo, packet(servo.id, STATUS, [0]))
