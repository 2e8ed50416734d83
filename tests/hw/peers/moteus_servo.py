"""A moteus servo that has nothing of the project in it: frames are taken apart and answered by the maker's own
package (moteus.multiplex, moteus.protocol), the modes are written from the maker's reference.

    servo = Servo(port, id=1)      on an SLCAN adapter that carries CAN FD; a thread of its own
    servo.close()

A flywheel turns behind it, in real time.
"""

import io
import math
import threading
import time

import can
from moteus import multiplex as mp
from moteus.protocol import Mode, Register, Writer, scale_register

from pty_bus import slcan

SCALED = {
    Register.POSITION: Writer.write_position, Register.VELOCITY: Writer.write_velocity,
    Register.TORQUE: Writer.write_torque, Register.VOLTAGE: Writer.write_voltage,
    Register.TEMPERATURE: Writer.write_temperature,
}
INERTIA, FRICTION = 0.05, 0.02  # N·m/(rev/s²), N·m/(rev/s)
KP, KD, MOST = 20.0, 2.0, 4.0
LATCHED = (Mode.FAULT, Mode.TIMEOUT)
ENABLING = 2  # on the way from stopped; the package has no name for it


class Servo:
    def __init__(self, port, id=1, serial=1, register_map=5, home_state=2, position=0.0,
                 has_inputs=True):
        self.id, self.position, self.velocity, self.torque = id, position, 0.0, 0.0
        self.mode, self.fault, self.enabled_at = Mode.STOPPED, 0, 0.0
        self.command, self.control, self.deadline = {}, None, math.inf
        self.fixed = {Register.VOLTAGE: 24.0, Register.TEMPERATURE: 33.0,
                      Register.HOME_STATE: home_state, Register.MODEL_NUMBER: 4,
                      Register.FIRMWARE_VERSION: 0x010304,
                      Register.REGISTER_MAP_VERSION: register_map,
                      Register.SERIAL_NUMBER1: serial, Register.SERIAL_NUMBER2: 0,
                      Register.SERIAL_NUMBER3: 0}
        self.pins = {Register.AUX1_GPIO_STATUS: 0, Register.AUX2_GPIO_STATUS: 0} if has_inputs else {}
        self.reads = set()  # registers that were asked for
        self.deaf = False
        self.load = lambda: 0.0  # torque of what hangs on it [N·m]
        self.commands = []  # registers of every frame that wrote one
        self.identifiers = set()
        self._now = time.monotonic()
        self._lock = threading.Lock()
        self._bus = can.Bus(**slcan(port))
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def close(self):
        self._stop.set()
        self._thread.join(5)
        self._bus.shutdown()

    def fail(self, code):
        with self._lock:
            self.mode, self.fault = Mode.FAULT, code

    def reset(self):
        """The state after a stop by somebody else, or after a blink of the supply."""
        with self._lock:
            self.mode, self.fault = Mode.STOPPED, 0

    def _run(self):
        while not self._stop.is_set():
            message = self._bus.recv(0.05)
            with self._lock:
                self._advance()
                if message is None or self.deaf or message.arbitration_id & 0xFF != self.id:
                    continue
                self.identifiers.add((message.arbitration_id, message.is_extended_id,
                                      message.is_fd, message.bitrate_switch))
                answer = self._take(bytes(message.data))
            if message.arbitration_id & 0x8000:
                self._send(message.arbitration_id >> 8 & 0x7F, answer)

    def _send(self, to, data):
        size = next(size for size in (0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 20, 24, 32, 48, 64)
                    if size >= len(data))
        identifier = self.id << 8 | to
        self._bus.send(can.Message(
            arbitration_id=identifier, is_extended_id=identifier > 0x7FF, is_fd=True,
            bitrate_switch=True, dlc=size, data=data.ljust(size, b"\x50")))

    def _take(self, data):
        buffer = io.BytesIO()
        writer = Writer(buffer)
        written = {}
        for part in mp.parse_frame(data):
            if part.type == mp.SubframeType.WRITE:
                written[part.register] = scale_register(part.register, part.resolution, part.value)
            elif part.type == mp.SubframeType.READ:
                self.reads.add(part.register)
                self._reply(writer, part.register, part.resolution)
        if written:
            self.commands.append(written)
        if Register.MODE in written:
            assert next(iter(written)) == Register.MODE, "the mode comes first"
            self._obey(written)
        return buffer.getvalue()

    def _reply(self, writer, register, resolution):
        state = {Register.MODE: int(self.mode), Register.FAULT: self.fault,
                 Register.POSITION: self.position, Register.VELOCITY: self.velocity,
                 Register.TORQUE: self.torque, **self.fixed, **self.pins}
        if register not in state:
            writer.write_int8(mp.READ_ERROR)
            writer.write_varuint(register)
            writer.write_varuint(1)
            return
        writer.write_int8(mp.REPLY_BASE | resolution << 2 | 1)
        writer.write_varuint(register)
        if register in SCALED:
            SCALED[register](writer, state[register], resolution)
        else:
            writer.write_int(state[register], resolution)

    def _obey(self, written):
        mode = Mode(written[Register.MODE])
        if mode == Mode.STOPPED:
            self.mode, self.fault, self.control = mode, 0, None
            return
        if self.mode in LATCHED:
            return
        if self.mode == Mode.STOPPED:
            self.enabled_at = self._now + 0.03  # the real one calibrates its current sensors
            self.mode = ENABLING
        timeout = written.get(Register.COMMAND_TIMEOUT, 0.0) or 0.1
        self.deadline = self._now + timeout if not math.isnan(timeout) else math.inf
        self.command = written
        wanted = written.get(Register.COMMAND_POSITION, 0.0)
        if not math.isnan(wanted):
            self.control = wanted

    def _advance(self):
        """Real time, in steps of a millisecond."""
        end = time.monotonic()
        while self._now < end:
            self._now += 0.001
            self._step(0.001)

    def _step(self, dt):
        if self.mode == ENABLING and self._now >= self.enabled_at:
            self.mode = Mode(self.command[Register.MODE])
        if self.mode == Mode.POSITION and self._now > self.deadline:
            self.mode = Mode.TIMEOUT
        self.torque = 0.0
        if self.mode == Mode.POSITION:
            self.torque = self._law(dt)
        elif self.mode == Mode.TIMEOUT:
            self.torque = -KD * self.velocity
        self.torque = max(-MOST, min(MOST, self.torque))
        self.velocity += (self.torque + self.load() - FRICTION * self.velocity) / INERTIA * dt
        self.position += self.velocity * dt

    def _law(self, dt):
        get = self.command.get
        if self.control is None:
            self.control = self.position
        speed = get(Register.COMMAND_VELOCITY, 0.0)
        error = self.control - self.position
        self.control += speed * dt
        return (KP * get(Register.COMMAND_KP_SCALE, 1.0) * error
                + KD * get(Register.COMMAND_KD_SCALE, 1.0) * (speed - self.velocity)
                + get(Register.COMMAND_FEEDFORWARD_TORQUE, 0.0))
