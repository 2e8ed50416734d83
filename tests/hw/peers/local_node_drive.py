"""A CiA 402 drive on python-canopen's LocalNode, with a mapping and identifiers of its own that can't be changed.

    drive = LocalNodeDrive(port, number, Axis402(), period)     on an SLCAN adapter; `period` of SYNC [s]
    drive.end()
"""

import struct
import threading

import canopen
from axis402 import MODES
from canopen.objectdictionary import ODRecord, ODVariable
from durand.datatypes import DatatypeEnum as DT
from pty_bus import slcan

# Mapping of the fixed drive, as its maker decided: PDO -> identifier, format, objects.
FIXED_IN = {0: (0x241, "<Hb", (0x60400010, 0x60600008)),
            1: (0x342, "<Hi", (0x60400010, 0x607A0020)),
            2: (0x443, "<Hi", (0x60400010, 0x60FF0020)),
            3: (0x144, "<Hh", (0x60400010, 0x60710010))}
FIXED_OUT = {0: (0x1C1, "<Hbi", (0x60410010, 0x60610008, 0x60640020)),
             1: (0x2C2, "<ih", (0x606C0020, 0x60770010))}
FIXED_INPUTS = {2: (0x3C3, "<I", (0x60FD0020,))}  # of those that tell them


class LocalNodeDrive:
    """python-canopen's SDO server, NMT and EMCY; the cyclic part is by hand, its mapping read-only."""

    def __init__(self, port, number, axis, period, answers_after=0.0, has_inputs=False):
        self.axis, self.number, self.period, self.answers_after = axis, number, period, answers_after
        self.has_inputs, self.inputs, self.tells_inputs = has_inputs, 0, True
        self.orders, self.silent_on, self.on_their_way = {}, set(), 0
        self.od = canopen.ObjectDictionary()
        self.fill()
        self.net = canopen.Network()
        self.net.NOTIFIER_CYCLE = 0.1
        self.net.connect(**slcan(port))
        self.node = self.net.create_node(number, self.od)
        self.answer = self.node.sdo.send_response
        self.node.sdo.send_response = self.send_later
        self.net.subscribe(0x000, self.on_nmt)
        self.net.subscribe(0x080, self.on_sync)
        for identifier, form, objects in FIXED_IN.values():
            self.net.subscribe(identifier, lambda _, data, __, f=form, o=objects:
                               self.orders.__setitem__(o, struct.unpack(f, bytes(data))))

    def add(self, index, sub, kind, access, value):
        variable = ODVariable(f"object {index:04X} {sub}", index, sub or 0)
        variable.data_type, variable.access_type, variable.default = kind, access, value
        if sub is None:
            self.od.add_object(variable)
            return
        if index not in self.od:
            self.od.add_object(ODRecord(f"record {index:04X}", index))
        self.od[index].add_member(variable)

    def fill(self):
        for index, kind, access, value in (
                (0x1000, DT.UNSIGNED32, "ro", 0x00020192), (0x1017, DT.UNSIGNED16, "rw", 0),
                (0x6502, DT.UNSIGNED32, "ro", MODES), (0x605A, DT.INTEGER16, "rw", 2)):
            self.add(index, None, kind, access, value)
        for sub, value in ((1, 0x66F), (2, 0x1234), (3, 1), (4, 99)):
            self.add(0x1018, sub, DT.UNSIGNED32, "ro", value)
        out = {**FIXED_OUT, **FIXED_INPUTS} if self.has_inputs else FIXED_OUT
        if self.has_inputs:
            self.add(0x60FD, None, DT.UNSIGNED32, "ro", 0)
        for first, second, pdos in ((0x1400, 0x1600, FIXED_IN), (0x1800, 0x1A00, out)):
            for number, (identifier, _, objects) in pdos.items():
                self.add(first + number, 1, DT.UNSIGNED32, "ro", identifier)
                self.add(first + number, 2, DT.UNSIGNED8, "ro", 1)
                self.add(second + number, 0, DT.UNSIGNED8, "ro", len(objects))
                for sub, mapped in enumerate(objects, 1):
                    self.add(second + number, sub, DT.UNSIGNED32, "ro", mapped)

    def send_later(self, response):
        if struct.unpack_from("<H", response, 1)[0] in self.silent_on:
            return
        if self.answers_after == 0:
            self.answer(response)
        else:
            self.on_their_way += 1
            threading.Timer(self.answers_after, self.answer_late, (response,)).start()

    def answer_late(self, response):
        if self.net.bus is not None:  # the test may be over
            self.answer(response)
        self.on_their_way -= 1

    def on_nmt(self, _, data, __):
        if data[0] in (0x81, 0x82) and data[1] in (0, self.number):
            self.node.nmt.state = "INITIALISING"  # LocalNode sends its boot-up here
            self.node.nmt.state = "PRE-OPERATIONAL"

    def on_sync(self, *_):
        axis = self.axis
        axis.step(self.period)
        if self.node.nmt.state == "OPERATIONAL":
            values = ((axis.statusword(), axis.mode, axis.position), (axis.velocity, axis.torque))
            for (identifier, form, _), value in zip(FIXED_OUT.values(), values):
                self.net.send_message(identifier, struct.pack(form, *value))
            if self.has_inputs and self.tells_inputs:
                self.net.send_message(0x3C3, struct.pack("<I", self.inputs))
        orders, self.orders = self.orders, {}
        for objects, values in orders.items():
            for mapped, value in zip(objects, values):
                self.obey(mapped >> 16, value)

    def obey(self, index, value):
        if index == 0x6040:
            self.axis.control(value)
        else:
            setattr(self.axis, {0x6060: "mode", 0x607A: "target_position",
                                0x60FF: "target_velocity", 0x6071: "target_torque"}[index], value)

    def fail(self, code):
        self.axis.fail(code)
        self.node.emcy.send(code, 1)

    def end(self):
        self.net.disconnect()
