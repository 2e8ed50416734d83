"""A robot that `jointrig serve` runs, here or on another machine."""

from __future__ import annotations

import math
import os
import socket
from types import MappingProxyType
from typing import TYPE_CHECKING, Union

from .commands import Commands
from .errors import Error, InputError
from .joined import joined
from .motion import Motion
from .state import Arm, Gripper, State

try:
    from . import _remote
except ImportError as missing:
    raise Error("this jointrig can't connect: it was built without gRPC, or gRPC's library is missing (libgrpc++1.51 "
                f"of Debian 12, say): {missing}") from missing


if TYPE_CHECKING:
    class _Joined(_remote.Client, Commands, Motion, State): ...
else:
    _Joined = joined(_remote.Client, Commands, Motion, State)


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
        if not (isinstance(rate, (int, float)) and math.isfinite(rate) and rate >= 0.0):
            raise InputError(f"connect: rate is {rate!r}: give 0 or more states a second")
        where = address if ":" in address.rpartition("]")[2] else f"{address}:4600"
        super().__init__(where, name or f"{socket.gethostname()}.{os.getpid()}", float(rate), os.fspath(tls_ca), token)
        self._wait = wait
        self.__dict__.update(self._views())
        self.arms = MappingProxyType({name: Arm(name, views) for name, views in self._arm_views().items()})
        self.grippers = MappingProxyType({name: Gripper(name, views)
                                          for name, views in self._gripper_views().items()})
        if not watch:
            try:
                self.take(by_force)
            except Error:
                self.close()
                raise

    def _send(self, kind, joints, arm, own, values) -> int:
        return self._answered(self._post(kind, joints, arm, own, values))

    def _follow(self, *trajectory) -> int:
        return self._answered(self._plan(*trajectory))

    def _follow_tool(self, *trajectory) -> int:
        return self._answered(self._plan_tool(*trajectory))

    def _answered(self, number: int) -> int:
        if self._wait:
            self._await(number)
        return number

    def step(self, n: int = 1) -> None:
        """Wait until n cycles have passed. Raises Refused where a command was refused that nobody waited for."""
        self._step(n)

    def run(self, seconds: float) -> None:
        """Wait for a time of the robot, rounded to whole cycles. Raises as step()."""
        if not (math.isfinite(seconds) and seconds >= 0.0):
            raise InputError(f"run: {seconds} s is no time to run: give 0 or more seconds")
        self.step(round(seconds / self.period))

    def __enter__(self) -> Robot:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return "<Robot, closed>" if self.closed else f"<Robot {self.name}, cycle {self.cycle}>"
