"""A drive in a process of its own, so that several don't wait for one another's turn in one interpreter.

    with DriveProcess(make) as drive:     make() is called there: it returns (the drive, what is to be known of it here)
        drive.known                       the latter: a device name
        drive.get("position")             an attribute, a.b of an attribute's, as it is now
        drive.set("deaf", True)

The processes are forked, so the one that asks has no threads when it makes them.
"""

import contextlib
import functools
import multiprocessing
import os
import signal
import threading
import traceback

FORKED = multiprocessing.get_context("fork")
SOON = 20  # [s] for an answer, on a machine that does other things too


def number():
    """A double that all processes made later share."""
    return FORKED.Value("d", 0.0, lock=False)


class DriveProcess:
    def __init__(self, make):
        assert threading.active_count() == 1, "a fork takes no threads along"
        self._pipe, other = FORKED.Pipe()
        self._process = FORKED.Process(target=serve, args=(make, other, self._pipe), daemon=True)
        self._process.start()
        other.close()
        self.known = self._answer()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def get(self, name):
        self._pipe.send(("get", name))
        return self._answer()

    def set(self, name, value):
        self._pipe.send(("set", name, value))
        self._answer()

    def close(self):
        self._pipe.send(("end", None))
        self._process.join(SOON)
        if self._process.exitcode is None:
            self._process.kill()
            self._process.join()
        assert self._process.exitcode == 0, f"a drive's process ended with {self._process.exitcode}"

    def _answer(self):
        if not self._pipe.poll(SOON):
            raise TimeoutError("a drive's process doesn't answer")
        kind, value = self._pipe.recv()
        if kind == "error":
            raise RuntimeError(value)
        return value


def attribute(drive, name):
    return functools.reduce(getattr, name.split("."), drive)


def as_on_a_processor_of_its_own():
    """A real drive doesn't wait for other programs; its threads inherit this. Where it isn't allowed, it does."""
    with contextlib.suppress(PermissionError):
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10))


def serve(make, pipe, other_end):
    other_end.close()  # if whoever asks dies, reading ends
    as_on_a_processor_of_its_own()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        drive, known = make()
        pipe.send(("is", known))
        while True:
            what, name, *value = pipe.recv()
            if what == "end":
                os._exit(0)  # waits for no thread of the drive
            if what == "set":
                setattr(drive, name, *value)
            pipe.send(("is", attribute(drive, name)))
    except EOFError:
        os._exit(1)
    except BaseException:  # noqa: BLE001 - whoever asks is told
        pipe.send(("error", traceback.format_exc()))
