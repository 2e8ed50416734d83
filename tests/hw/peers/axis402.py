"""The inside of a drive after CiA 402, without a bus: its power machine and an axis that follows.

Written from the standard's table alone, for slaves whose protocol is durand's or python-canopen's.
"""

MASKED = {"SOD": 0x40, "RTSO": 0x21, "SON": 0x23, "OE": 0x27, "QSA": 0x07, "FAULT": 0x08}
CSP, CSV, CST = 8, 9, 10
MODES = 0x3AD  # 6502h: pp pv tq hm csp csv cst


class Axis402:
    def __init__(self, position=0, fastest=1e6):
        self.state, self.word, self.mode = "SOD", 0, 0
        self.position, self.velocity, self.torque, self.error = position, 0, 0, 0
        self.target_position, self.target_velocity, self.target_torque = position, 0, 0
        self.fastest = fastest  # counts/s
        self.words_heard = []

    def statusword(self):
        return MASKED[self.state] | 0x0210

    def control(self, word):
        before, self.word = self.word, word
        if not self.words_heard or self.words_heard[-1] != word:
            self.words_heard.append(word)
        if word & 0x80:
            if not before & 0x80 and self.state == "FAULT":
                self.state, self.error = "SOD", 0
            return
        if self.state == "FAULT":
            return
        command = word & 0x0F
        if not command & 0x02:
            self.state = "SOD"
        elif not command & 0x04:
            self.state = "QSA" if self.state in ("OE", "QSA") else "SOD"
        elif command & 0x07 == 0x06:
            self.state = "RTSO" if self.state in ("SOD", "RTSO", "SON", "OE") else self.state
        elif command == 0x07:
            self.state = "SON" if self.state in ("RTSO", "SON", "OE") else self.state
        elif command == 0x0F:
            self.state = "OE" if self.state in ("SON", "OE", "QSA") else self.state

    def step(self, dt):
        self.velocity, self.torque = 0, 0
        if self.state != "OE":
            return
        if self.mode == CSP:
            way = max(-self.fastest * dt, min(self.fastest * dt, self.target_position - self.position))
            self.velocity = round(way / dt)
            self.position += round(way)
        elif self.mode == CSV:
            self.velocity = self.target_velocity
            self.position += round(self.velocity * dt)
        elif self.mode == CST:
            self.torque = self.target_torque

    def fail(self, code):
        self.state, self.error = "FAULT", code
