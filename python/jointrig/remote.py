"""A robot that `jointrig serve` runs, here or on another machine."""

from __future__ import annotations

import contextlib
import math
import os
import socket
import threading
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, BinaryIO, Optional, Union

from .commands import Commands
from .errors import Error, InputError
from .joined import joined
from .motion import Motion
from .reaching import Reaching
from .scenarios import Path, Result, Settings, run_on_server
from .state import Arm, Gripper, State

try:
    from . import _remote
except ImportError as missing:
    raise Error("this jointrig can't connect: it was built without gRPC, or gRPC's library is missing (libgrpc++1.51 "
                f"of Debian 12, say): {missing}") from missing


MOST_BYTES = 8e9
"""Of a fetched file where nobody says more: half a day of an arm's log."""

if TYPE_CHECKING:
    class _Joined(_remote.Client, Commands, Motion, Reaching, State): ...
else:
    _Joined = joined(_remote.Client, Commands, Motion, Reaching, State)


def connection(address: str, rate: float, name: str, tls_ca: Union[str, os.PathLike[str]],
               token: str) -> tuple[str, str, float, str, str]:
    """The arguments of a client of the compiled part."""
    if not (isinstance(rate, (int, float)) and math.isfinite(rate) and rate >= 0.0):
        raise InputError(f"connect: rate is {rate!r}: give 0 or more states a second")
    where = address if ":" in address.rpartition("]")[2] else f"{address}:4600"
    return where, name or f"{socket.gethostname()}.{os.getpid()}", float(rate), os.fspath(tls_ca), token


def server_of(where: tuple[str, str, float, str, str]) -> tuple[Any, str, str, str, str]:
    """For the scenarios of the same server: connection() without the rate."""
    address, name, _, tls_ca, token = where
    return _remote._maker(), address, name, tls_ca, token


def show_all(robot: Any) -> None:
    """Gives a client its arrays, arms and grippers."""
    robot.__dict__.update(robot._views())
    robot.arms = MappingProxyType({name: Arm(name, views) for name, views in robot._arm_views().items()})
    robot.grippers = MappingProxyType({name: Gripper(name, views) for name, views in robot._gripper_views().items()})


class Arrival:
    """A file that comes in parts: it gets its name when it is whole, and leaves nothing otherwise."""

    def __init__(self, name: str, to: Union[str, os.PathLike[str]], most: float, overwrite: bool) -> None:
        self._name = name
        self._most = most
        self.path = os.fspath(to) or os.curdir
        if os.path.isdir(self.path):
            self.path = os.path.join(self.path, name.rpartition("/")[2])
        if os.path.exists(self.path) and not overwrite:
            raise InputError(f"fetch: {self.path} is there already: give another name, or overwrite=True")

    def __enter__(self) -> Arrival:
        self._part = f"{self.path}.{os.getpid()}.part"
        self._file: Optional[BinaryIO] = None
        self._lock = threading.Lock()
        self._is_over = False
        return self

    def take(self, part: bytes, size: int) -> None:
        """By any thread. Without effect once nobody waits for the file."""
        if size > self._most:
            raise InputError(f"fetch: {self._name} has {size} bytes, and most is {self._most:.0f}: give a larger one")
        with self._lock:
            if self._is_over:
                return
            if self._file is None:  # the server gives it, so it is worth a place
                self._file = open(self._part, "wb")
            self._file.write(part)

    def __exit__(self, error: Optional[type[BaseException]], *_: object) -> None:
        with self._lock:
            self._is_over = True
            self._end(error is None)

    def _end(self, is_whole: bool) -> None:
        if self._file is None:
            return
        try:
            self._file.close()
            if is_whole:
                os.replace(self._part, self.path)
        finally:
            if os.path.exists(self._part):
                os.remove(self._part)


def cycles_of(seconds: float, period: float) -> int:
    if not (math.isfinite(seconds) and seconds >= 0.0):
        raise InputError(f"run: {seconds} s is no time to run: give 0 or more seconds")
    return round(seconds / period)


class Robot(_Joined):
    """A served robot: commands, state and events as a Sim has them.

        robot = jointrig.connect("127.0.0.1:4600")
        robot.set_mode("all", "position")
        robot.move("panda_joint1", 0.5)
        robot.run(2.0)
        print(robot.q)

    Time goes on by itself: step() and run() wait for it. The arrays show the newest state of the last step(), run() or
    update().
    """

    def __init__(self, address: str = "127.0.0.1:4600", *, watch: bool = False, by_force: bool = False,
                 wait: bool = True, rate: float = 200.0, name: str = "", tls_ca: Union[str, os.PathLike[str]] = "",
                 token: str = "") -> None:
        """Connect to a server, and take the lease.

        address: HOST:PORT; 4600 where no port is given
        watch: leave the lease alone: no commands but stop()
        by_force: take the lease over from who holds it
        wait: each command waits for its answer and raises Refused; without it step() and run() raise
        rate: states a second that are sent here, up to one each cycle; 0: one each cycle
        name: shown to the others; this machine and process by default
        tls_ca: file with the certificate that the server's is checked by; for a server with TLS
        token: for a server that wants one
        """
        where = connection(address, rate, name, tls_ca, token)
        super().__init__(*where)
        self._server = server_of(where)
        self._wait = wait
        show_all(self)
        if not watch:
            try:
                self.take(by_force)
            except Error:
                self.close()
                raise

    def _send(self, kind, joints, arm, own, values) -> int:
        return self._answered(self._post(kind, joints, arm, own, values, None, self._wait))

    def _follow(self, *trajectory) -> int:
        return self._answered(self._follow_asked(self._asked(*trajectory), self._wait))

    def _follow_tool(self, *trajectory) -> int:
        return self._answered(self._follow_asked(self._asked_tool(*trajectory), self._wait))

    def _plan(self, *trajectory) -> tuple[Any, ...]:
        return self._report(self._asked(*trajectory))

    def _plan_tool(self, *trajectory) -> tuple[Any, ...]:
        return self._report(self._asked_tool(*trajectory))

    def _answered(self, number: int) -> int:
        if self._wait:
            self._await(number)
        return number

    def fetch(self, name: str, to: Union[str, os.PathLike[str]] = "", *, most: float = MOST_BYTES,
              overwrite: bool = False) -> str:
        """Bring a file of the server's here, as long as it is now, and return its path.

            log = jointrig.Log(robot.fetch(robot.files()[0].name))

        name: as files() tells it
        to: file to write, or a folder; the present folder by default
        most: refuse a larger one [bytes]
        overwrite: replace a file that is there
        """
        with Arrival(name, to, most, overwrite) as arrival:
            fetch: Any = self._fetch(name)
            while (part := fetch.next()) is not None:
                arrival.take(part, fetch.size)
        return arrival.path

    def run_scenario(self, what: Path, *, settings: Settings = (), robot: Path = "", out: Path = "") -> Result:
        """Run one scenario on this robot, as `jointrig run --connect` does: its verdicts, as jointrig.run_scenario() gives them.

        It has a connection of its own. The lease, if held here, is given back for it and taken again afterwards; where
        somebody else has it by then, or stopped the robot, the next command raises NoLease.

        what: its file or name
        settings: as `--set` takes them; those of the robot are set where it is served
        robot: name or file that the scenario's robot is replaced by; it tells what is served
        out: folder for log, report, junit.xml and result.json; nothing is written without it
        """
        held = self.holds_lease
        if held:
            self.release()
        stopped = False
        try:
            result = run_on_server(self._server, what, settings, robot, out)
            stopped = result.outcome == "safety_stop"
            return result
        finally:
            if held and not stopped:
                with contextlib.suppress(Error):
                    self.take()

    def step(self, n: int = 1) -> None:
        """Wait until n cycles have passed. Raises Refused where a command was refused that nobody waited for."""
        self._step(n)

    def run(self, seconds: float) -> None:
        """Wait for a time of the robot, rounded to whole cycles. Raises as step()."""
        self.step(cycles_of(seconds, self.period))

    def __enter__(self) -> Robot:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return "<Robot, closed>" if self.closed else f"<Robot {self.name}, cycle {self.cycle}>"
