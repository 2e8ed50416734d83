"""Relays a served robot to Rerun, live or into a file (docs/remote.md).

    python -m jointrig.rerun HOST[:PORT] [--to URL | --save FILE]
"""

from __future__ import annotations

import argparse
import dataclasses
import math
import os
import queue
import signal
import socket
import sys
import threading
import time
import urllib.parse
from collections.abc import Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any, Optional, Union

import numpy as np
import numpy.typing as npt

from . import _core
from .errors import ConnectionLost, Error, InputError

if TYPE_CHECKING:
    from .remote import Robot

FIELDS = ("q", "q_ref", "v", "tau", "tau_cmd")
VIEWER = "rerun+http://127.0.0.1:9876/proxy"
"""Where Rerun's viewer listens unless it is told otherwise."""

TO_VIEWER, TO_FILE = 0.05, 1.0
"""Robot time of the rows that go together [s]: a viewer wants them soon, a file has less to carry with few chunks."""
MOST_WAITING = 400
"""Batches for a viewer that takes none: 20 s. Later ones are dropped, and counted."""
PROBE, FLUSH, END = 1.0, 20.0, 5.0
"""Longest waits for a viewer's port, for what has been sent, and at the end for the last of it [s]."""


@dataclasses.dataclass
class Relayed:
    """Counts of what a relay has passed on, and of what it has not."""

    cycles: int = 0
    """Of the robot, from the first row to the last."""
    rows: int = 0
    skipped: int = 0
    """Cycles between two rows, for which this machine or the link was too slow."""
    states_dropped: int = 0
    """Those of them that the server dropped."""
    unsent: int = 0
    """Rows that Rerun's end did not take."""
    events: int = 0
    events_lost: int = 0

    def __str__(self) -> str:
        return (f"{self.rows} of {self.cycles} cycles and {self.events} events; {self.skipped} cycles skipped "
                f"({self.states_dropped} by the server), {self.unsent} rows not taken, {self.events_lost} events lost")


class _Batch:
    """Rows of one span of time."""

    def __init__(self) -> None:
        self.cycles: list[int] = []
        self.times: list[int] = []  # [ns]
        self.rows: list[npt.NDArray[np.float64]] = []  # each of fields by joints
        self.events: list[tuple[int, int, str]] = []  # time [ns], cycle, sentence
        self.remarks: list[tuple[int, str]] = []

    def add(self, robot: Robot, fields: Sequence[str]) -> None:
        self.cycles.append(robot.cycle)
        self.times.append(round(robot.time * 1e9))
        self.rows.append(np.array([getattr(robot, field) for field in fields], np.float64))


class _Sink(threading.Thread):
    """Rerun's end. Its calls may wait without a limit, so a thread has them that nobody waits for without one."""

    def __init__(self, rerun: ModuleType, robot: Robot, fields: Sequence[str], to: str, save: str) -> None:
        super().__init__(name="rerun", daemon=True)
        self._rerun, self._to, self._save = rerun, to, save
        self._name = robot.name
        self._paths = [[rerun.new_entity_path(["j", joint, field]) for joint in robot.joints] for field in fields]
        self._waiting: queue.Queue[Optional[_Batch]] = queue.Queue(MOST_WAITING)
        self.lost = ""
        """Why nothing more is taken; empty while it is."""

    def take(self, batch: _Batch) -> bool:
        """False: it has no room."""
        try:
            self._waiting.put_nowait(batch)
            return True
        except queue.Full:
            return False

    def end(self) -> None:
        """Waits for the rest, and no longer than END."""
        try:
            self._waiting.put(None, timeout=END)
            self.join(END)
        except queue.Full:
            pass
        if self.is_alive():
            self.lost = self.lost or f"{self._to or self._save} has not taken the rest in {END:g} s"

    def run(self) -> None:
        try:
            stream = self._rerun.RecordingStream("jointrig", send_properties=True)
            stream.send_recording_name(self._name)
            if self._save:
                stream.save(self._save)
            else:
                stream.connect_grpc(self._to)
            flushed = time.monotonic()
            while (batch := self._waiting.get()) is not None:
                self._send(stream, batch)
                if time.monotonic() - flushed > 1.0:
                    self._check(stream)
                    flushed = time.monotonic()
            self._check(stream)
            stream.disconnect()
        except ConnectionLost as error:
            self.lost = f"the viewer has gone: {error}"
        except Exception as error:  # of any kind, by Rerun
            self.lost = f"{self._to or self._save} takes nothing more: {error}"

    def _check(self, stream: Any) -> None:
        """Raises where what was sent has not been taken. Rerun doesn't tell of a viewer that has gone: it waits for another."""
        if self._to:
            _check_viewer(self._to)
        stream.flush(timeout_sec=FLUSH)

    def _send(self, stream: Any, batch: _Batch) -> None:
        rr = self._rerun
        if batch.rows:
            indexes = self._indexes(batch.times, batch.cycles)
            values = np.stack(batch.rows)
            for field, paths in enumerate(self._paths):
                for joint, path in enumerate(paths):
                    stream.send_columns(path, indexes, rr.Scalars.columns(scalars=values[:, field, joint]))
        if batch.events:
            times, cycles, sentences = zip(*batch.events)
            stream.send_columns("events", self._indexes(times, cycles), rr.TextLog.columns(text=sentences))
        for at, remark in batch.remarks:
            stream.send_columns("relay", self._indexes([at])[:1], rr.TextLog.columns(text=[remark], level=["WARN"]))

    def _indexes(self, times: Sequence[int], cycles: Sequence[int] = ()) -> list[Any]:
        column = self._rerun.TimeColumn
        return [column("time", duration=np.array(times, "timedelta64[ns]")), column("cycle", sequence=np.array(cycles))]


class _Relay:
    """Between a robot and a sink."""

    def __init__(self, robot: Robot, sink: _Sink, fields: Sequence[str], span: float) -> None:
        self.done = Relayed()
        self._robot, self._sink, self._fields, self._span = robot, sink, fields, span
        self._batch = _Batch()

    def run(self, seconds: float) -> None:
        """Until the robot's time is over, or the sink takes nothing more."""
        robot = self._robot
        robot.step()
        robot.events()  # those of before
        self._before = robot.states_dropped, robot.events_lost
        self._first, begun = robot.cycle, robot.time
        end = begun + seconds
        try:
            while not self._sink.lost:
                self._batch.add(robot, self._fields)
                if robot.time >= end:
                    break
                if robot.time - begun >= self._span:
                    self._hand_over()
                    begun = robot.time
                robot.step()
        finally:
            self._hand_over()

    def _hand_over(self) -> None:
        robot, done, batch = self._robot, self.done, self._batch
        self._batch = _Batch()
        batch.events = [(round(event.time * 1e9), event.cycle, event.sentence) for event in robot.events()]
        lost = (robot.states_dropped - self._before[0], robot.events_lost - self._before[1])
        if lost != (done.states_dropped, done.events_lost):
            batch.remarks.append((round(robot.time * 1e9), f"{lost[0]} states dropped by the server, {lost[1]} events lost"))
        done.states_dropped, done.events_lost = lost
        if batch.cycles:
            done.cycles = batch.cycles[-1] - self._first + 1
        if self._sink.take(batch):
            done.events += len(batch.events)
            done.rows += len(batch.rows)
        else:
            done.unsent += len(batch.rows)
        done.skipped = done.cycles - done.rows - done.unsent


def relay(robot: Robot, *, to: str = "", save: Union[str, os.PathLike[str]] = "", fields: Sequence[str] = FIELDS,
          seconds: float = math.inf, overwrite: bool = False) -> Relayed:
    """Pass states and events of a served robot on to Rerun, until its time is over; an interrupt ends it, too.

        with jointrig.connect(address, watch=True, rate=0) as robot:
            print(relay(robot, save="run.rrd", seconds=10.0))

    Series are /j/<joint>/<field> over the timelines `time`, the robot's, and `cycle`; events are at /events.

    robot: a connection; with rate=0 each cycle is a row
    to: URL of a viewer; that of this machine by default
    save: file (.rrd) in place of a viewer
    fields: arrays over the joints
    seconds: time of the robot [s]
    overwrite: replace a file that is there
    """
    save = os.fspath(save)
    if to and save:
        raise InputError("relay: give a viewer (to) or a file (save), not both")
    if save and os.path.exists(save) and not overwrite:
        raise InputError(f"relay: {save} is there already: give another name, or overwrite=True")
    for field in fields:
        _check_field(robot, field)
    if not save:
        to = to or VIEWER
        _check_viewer(to)
    rerun = _rerun()
    sink = _Sink(rerun, robot, fields, to, save)
    sink.start()
    passing = _Relay(robot, sink, fields, TO_FILE if save else TO_VIEWER)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-4)  # [s]: the sink's work costs no cycle
    try:
        passing.run(seconds)
    except KeyboardInterrupt:
        pass
    finally:
        sys.setswitchinterval(interval)
        sink.end()
        if sink.is_alive():
            rerun.unregister_shutdown()  # at the end of this process it would wait for the same
    if sink.lost:
        raise ConnectionLost(f"{sink.lost} (before: {passing.done})")
    return passing.done


def _rerun() -> ModuleType:
    try:
        import rerun  # type: ignore[import-not-found]
    except ImportError as missing:
        raise Error(f"Rerun is missing: pip install \"jointrig[rerun]\" ({missing})") from missing
    return rerun


def _check_field(robot: Robot, field: str) -> None:
    of_joints = [name for name, array in vars(robot).items()
                 if isinstance(array, np.ndarray) and array.shape == (len(robot.joints),)]
    if field not in of_joints:
        raise InputError(f"relay: \"{field}\" is no array over the joints{_core.did_you_mean(field, of_joints)}")


def _check_viewer(url: str) -> None:
    """By a connection of its own: Rerun would wait for one that is not there until it comes."""
    parts = urllib.parse.urlsplit(url)
    try:
        host, port = parts.hostname, parts.port
    except ValueError:
        host = port = None
    if parts.scheme not in ("rerun", "rerun+http", "rerun+https") or not host or not port or parts.path != "/proxy":
        raise InputError(f"relay: \"{url}\" is no address of a Rerun viewer: {VIEWER} is one")
    try:
        socket.create_connection((host, port), timeout=PROBE).close()
    except OSError as error:
        raise ConnectionLost(f"no Rerun viewer listens at {url} ({error.strerror or error}): start one there with "
                             "`rerun`, or give a file with --save") from None


def main(arguments: Optional[Sequence[str]] = None) -> int:
    from .remote import Robot  # gRPC is loaded by who needs it

    parser = argparse.ArgumentParser("python -m jointrig.rerun", description="Relays a served robot to Rerun.")
    parser.add_argument("address", metavar="HOST[:PORT]", help="of jointrig serve; port 4600 where none is given")
    parser.add_argument("--to", metavar="URL", default="", help=f"a viewer's; {VIEWER} by default")
    parser.add_argument("--save", metavar="FILE", default="", help="a file (.rrd) in place of a viewer")
    parser.add_argument("--overwrite", action="store_true", help="replace a file that is there")
    parser.add_argument("--fields", metavar="NAMES", default=",".join(FIELDS), help="with commas; %(default)s by default")
    parser.add_argument("--seconds", type=float, default=math.inf, help="of the robot's time; until Ctrl+C by default")
    parser.add_argument("--tls-ca", metavar="FILE", default="", help="certificate that the server's is checked by")
    parser.add_argument("--token-file", metavar="FILE", help="with the token that the server wants")
    asked = parser.parse_args(arguments)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        token = ""
        if asked.token_file:
            with open(asked.token_file, encoding="utf-8") as file:
                token = file.readline().strip()
        with Robot(asked.address, watch=True, rate=0.0, name="rerun", tls_ca=asked.tls_ca, token=token) as robot:
            if not asked.save:
                _check_viewer(asked.to or VIEWER)  # before Rerun is loaded, which takes seconds
            _rerun()
            print(f"{robot.name} at {asked.address}, to {asked.save or asked.to or VIEWER}; Ctrl+C ends it", flush=True)
            done = relay(robot, to=asked.to, save=asked.save, fields=asked.fields.split(","), seconds=asked.seconds,
                         overwrite=asked.overwrite)
        print(done)
        return 0
    except KeyboardInterrupt:
        return 130  # before it began
    except (Error, OSError) as error:
        print(f"jointrig.rerun: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)  # Rerun's threads may wait for a viewer still, and nothing else is left to do
