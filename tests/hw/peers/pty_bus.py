"""A CAN bus of SLCAN adapters on pseudo-terminals, for programs that share no process.

    with PtyBus(2) as bus:
        bus.ports[0], bus.ports[1]     device names, each an adapter of its own

Every adapter speaks the text protocol of Lawicel's: C O L S s Y Z V N F, classic frames t T r R, and those of
CAN FD as CANable's firmware has them: d D, with the second bit rate b B. Frames of one port reach all the others.
Nothing of the project is in it: it stands between two sides under test.
"""

import os
import re
import select
import threading
import time
import tty

FRAME = re.compile(rb"(t[0-9A-Fa-f]{3}|T[0-9A-Fa-f]{8})([0-8])((?:[0-9A-Fa-f]{2})*)$"
                   rb"|(?:r[0-9A-Fa-f]{3}|R[0-9A-Fa-f]{8})[0-8]$")
FD_FRAME = re.compile(rb"(?:[db][0-9A-Fa-f]{3}|[DB][0-9A-Fa-f]{8})([0-9A-Fa-f])((?:[0-9A-Fa-f]{2})*)$")
FD_SIZES = (0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 20, 24, 32, 48, 64)


def slcan(port):
    """python-can's words for a port of it."""
    return {"interface": "slcan", "channel": port, "bitrate": 1_000_000, "sleep_after_open": 0}


def is_frame(line):
    match = FD_FRAME.match(line)
    if match:
        return len(match.group(2)) == 2 * FD_SIZES[int(match.group(1), 16)]
    match = FRAME.match(line)
    return bool(match) and (match.group(1) is None
                            or len(match.group(3)) == 2 * int(match.group(2)))


class Port:
    def __init__(self):
        self.inside, self.outside = os.openpty()
        tty.setraw(self.outside)
        os.set_blocking(self.inside, False)
        self.name = os.ttyname(self.outside)
        self.text = b""
        self.open = False

    def put(self, text):
        try:
            os.write(self.inside, text)
        except BlockingIOError:
            pass  # nobody reads: a wire would have dropped it too


class PtyBus:
    def __init__(self, count):
        self._ports = [Port() for _ in range(count)]
        self.ports = [port.name for port in self._ports]
        self.frames = []  # every frame on the bus, as text
        self.times = []   # when each of them had been handed on [s]
        self._stop = os.pipe()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        os.write(self._stop[1], b"x")
        self._thread.join()
        for port in self._ports:
            os.close(port.inside)
            os.close(port.outside)

    def _run(self):
        poll = select.poll()
        by_fd = {port.inside: port for port in self._ports}
        for fd in (*by_fd, self._stop[0]):
            poll.register(fd, select.POLLIN)
        while True:
            for fd, _ in poll.poll():
                if fd == self._stop[0]:
                    return
                port = by_fd[fd]
                port.text += os.read(fd, 4096)
                *lines, port.text = port.text.split(b"\r")
                for line in lines:
                    port.put(self._answer(port, line.strip(b"\n")))

    def _answer(self, port, line):
        kind = line[:1]
        if kind and kind in b"tTrRdDbB":
            if not port.open or not is_frame(line):
                return b"\a"
            for other in self._ports:
                if other is not port and other.open:
                    other.put(line + b"\r")
            self.times.append(time.monotonic())
            self.frames.append(line.decode())
            return b"z\r" if kind in b"trdb" else b"Z\r"
        if kind in (b"O", b"L", b"C"):
            port.open = kind != b"C"
        answers = {b"V": b"V1013\r", b"N": b"NA123\r", b"F": b"F00\r"}
        return answers.get(kind, b"\r")
