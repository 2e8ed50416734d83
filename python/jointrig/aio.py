"""A served robot for asyncio: what jointrig.connect() has, to be awaited.

    async with jointrig.aio.connect("127.0.0.1:4600") as robot:
        await robot.set_mode("arm", "position")
        await robot.run(0.2)
        await robot.move("panda_joint1", 0.3)
        async for event in robot.events():
            if event.kind == "goal_reached":
                break

Nothing here holds up the event loop: it is woken when something has come, and whatever may wait on its way out is sent
by a thread.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import functools
import os
import threading
import weakref
from collections import deque
from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Any, Optional, TypeVar, Union

from .async_commands import AsyncCommands
from .errors import Closed, ConnectionLost, Error
from .joined import joined
from .motion import AsyncMotion
from .reaching import AsyncReaching, Reached, found_by
from .remote import MOST_BYTES, Arrival, _remote, connection, cycles_of, server_of, show_all
from .scenarios import Path, Result, Settings, run_on_server
from .state import State

_T = TypeVar("_T")
_LONGEST_ANSWER = 5.0
"""As of a client that waits in a thread (remote/client.h) [s]."""
_KEPT_EVENTS = 100_000
"""As many as the compiled part keeps."""


class _Bell:
    """Wakes the tasks that wait for something to come. The compiled part counts its eventfd up, from any thread."""

    def __init__(self) -> None:
        self.fd = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        self._loop = asyncio.get_running_loop()
        self._sleepers: set[asyncio.Future[None]] = set()
        self._loop.add_reader(self.fd, self._rung)

    def _rung(self) -> None:
        os.eventfd_read(self.fd)
        self.wake()

    def wake(self) -> None:
        for sleeper in self._sleepers:
            if not sleeper.done():
                sleeper.set_result(None)

    async def ring(self) -> None:
        sleeper = self._loop.create_future()
        self._sleepers.add(sleeper)
        try:
            await sleeper
        finally:
            self._sleepers.discard(sleeper)

    def end(self) -> None:
        if self.fd < 0:
            return
        if not self._loop.is_closed():
            self._loop.remove_reader(self.fd)
        os.close(self.fd)
        self.fd = -1
        self.wake()

    def end_from_anywhere(self) -> None:
        """Of a robot that nobody has closed: by whichever thread finds that it is gone."""
        try:
            self._loop.call_soon_threadsafe(self.end)
        except RuntimeError:  # the event loop is over
            self.end()


class Events:
    """The iterator of Robot.events(). It goes on until the connection is closed; one that is lost raises ConnectionLost."""

    def __init__(self, robot: Robot, begin: int) -> None:
        self._robot = robot
        self._number = begin
        """Of the next one."""

    def __aiter__(self) -> Events:
        return self

    async def __anext__(self) -> _remote.Event:
        try:
            return await self._robot._until(lambda: self._robot._event_for(self))
        except Closed:
            raise StopAsyncIteration from None


if TYPE_CHECKING:
    class _Joined(_remote.Client, AsyncCommands, AsyncMotion, AsyncReaching, State): ...
else:
    _Joined = joined(_remote.Client, AsyncCommands, AsyncMotion, AsyncReaching, State)


class Robot(_Joined):
    """A served robot in an event loop; connect() makes it.

    Methods and arrays are those of jointrig.connect(). Those that wait are awaited: each command (for its answer), the
    trajectories, their plans, reach(), step(), run(), take(), release(), round_trip(), parameters(), files(), fetch(), run_scenario() and close(). Other tasks run meanwhile, and may use the
    same robot.

    A wait that is cancelled ends at once. A command that has gone out by then acts; a motion that is still planned is
    given up. The robot goes on with what it does until the lease ends: at the end of `async with`, say.
    """

    def __init__(self, address: str, bell: _Bell, wait: bool, rate: float, name: str,
                 tls_ca: Union[str, os.PathLike[str]], token: str) -> None:
        where = connection(address, rate, name, tls_ca, token)
        super().__init__(*where, bell.fd)
        self._server = server_of(where)
        show_all(self)
        self._wait = wait
        self._bell = bell
        self._sender = concurrent.futures.ThreadPoolExecutor(1, "jointrig sends")
        self._kept: deque[_remote.Event] = deque()
        self._first_kept = 0
        self._read = 0
        """Number of the first event that no iterator has given."""
        self._forgotten = 0
        self._readers: weakref.WeakSet[Events] = weakref.WeakSet()
        weakref.finalize(self, bell.end_from_anywhere)

    async def step(self, n: int = 1) -> None:
        """Wait until n cycles have passed. Raises Refused where a command was refused that nobody waited for."""
        end = self._begin_step(n)
        await self._until(lambda: self._has_come(end))
        self._end_step()

    async def run(self, seconds: float) -> None:
        """Wait for a time of the robot, rounded to whole cycles. Raises as step()."""
        await self.step(cycles_of(seconds, self.period))

    def events(self) -> Events:  # type: ignore[override]
        """Events as they come, oldest first: `async for event in robot.events()`.

        It begins with the first event that no iterator has given yet. Each one gives all events from there on, also
        where several tasks have one.
        """
        self._check_alive()
        reader = Events(self, self._read)
        self._readers.add(reader)
        return reader

    @property
    def events_lost(self) -> int:  # type: ignore[override]
        """Events that events() was called too late for, or that an iterator was left too long for."""
        return super().events_lost + self._forgotten

    async def take(self, by_force: bool = False) -> None:  # type: ignore[override]
        """Take the lease; by force also from its holder. Raises NoLease."""
        await asyncio.to_thread(super().take, by_force)

    async def release(self) -> None:  # type: ignore[override]
        """Give the lease back: the robot stops."""
        await asyncio.to_thread(super().release)

    async def round_trip(self) -> float:  # type: ignore[override]
        """Time to the server and back [s]."""
        return await asyncio.to_thread(super().round_trip)

    async def parameters(self) -> dict[str, Any]:  # type: ignore[override]
        """Parameters of set_parameter that are in force: of each, by its name, an array over the joints."""
        return await asyncio.to_thread(super().parameters)

    async def save_parameters(self, compare: bool = False) -> str:  # type: ignore[override]
        """Write the parameters that differ from robot.yaml there into it, or only compare; returns the difference."""
        return await asyncio.to_thread(super().save_parameters, compare)

    async def files(self) -> list[_remote.File]:  # type: ignore[override]
        """Files that the server gives, newest first."""
        return await asyncio.to_thread(super().files)

    async def fetch(self, name: str, to: Union[str, os.PathLike[str]] = "", *, most: float = MOST_BYTES,
                    overwrite: bool = False) -> str:
        """Bring a file of the server's here, as that of jointrig.connect() does, and return its path."""
        with Arrival(name, to, most, overwrite) as arrival:
            fetch: Any = self._fetch(name)
            try:
                while (part := await asyncio.to_thread(fetch.next)) is not None:
                    await asyncio.to_thread(arrival.take, part, fetch.size)
            finally:
                fetch.end()
        return arrival.path

    async def run_scenario(self, what: Path, *, settings: Settings = (), robot: Path = "", out: Path = "") -> Result:
        """Run one scenario on this robot, as that of jointrig.connect() does. A wait that is cancelled ends the scenario."""
        held = self.holds_lease
        if held:
            await self.release()
        is_over = threading.Event()
        run = asyncio.ensure_future(asyncio.to_thread(run_on_server, self._server, what, settings, robot, out,
                                                      is_over.is_set))
        stopped = False
        try:
            result = await asyncio.shield(run)
            stopped = result.outcome == "safety_stop"
            return result
        finally:
            is_over.set()
            await asyncio.wait([run])
            if not run.cancelled():
                run.exception()  # of a wait that was cancelled: nobody else asks for it
            if held and not stopped:
                with contextlib.suppress(Error):
                    await self.take()

    async def close(self) -> None:  # type: ignore[override]
        """End the connection. A lease ends with it: the robot stops."""
        try:
            await asyncio.to_thread(super().close)
        finally:
            self._bell.end()
            self._sender.shutdown(wait=False)

    async def __aenter__(self) -> Robot:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def __repr__(self) -> str:
        return "<aio.Robot, closed>" if self.closed else f"<aio.Robot {self.name}, cycle {self.cycle}>"

    # Parts of the methods above and of the commands ------------------------------------------

    async def _until(self, look: Callable[[], Optional[_T]]) -> _T:
        """The result of `look`, as soon as that is something. It looks again whenever anything has come."""
        while not (found := look()):
            await self._bell.ring()
        return found

    async def _send(self, kind, joints, arm, own, values) -> int:
        request = self._request(kind, joints, arm, own, values)
        return await self._answered(functools.partial(self._post_request, request, self._wait))

    async def _follow(self, *trajectory) -> int:
        return await self._begun(self._asked(*trajectory))

    async def _follow_tool(self, *trajectory) -> int:
        return await self._begun(self._asked_tool(*trajectory))

    async def _plan(self, *trajectory) -> tuple[Any, ...]:
        return self._report_of(await self._planned(self._for_report(self._asked(*trajectory))))

    async def _plan_tool(self, *trajectory) -> tuple[Any, ...]:
        return self._report_of(await self._planned(self._for_report(self._asked_tool(*trajectory))))

    async def _reached(self, asked: tuple[Any, ...], pace: Optional[dict[str, float]]) -> Reached:
        found = found_by(await asyncio.to_thread(self._reach, *asked), self.joints)
        if pace is not None:
            move = self.timed_move if "duration" in pace else self.move
            found.number = await move(list(found.joints), found.q, **pace)
        return found

    async def _planned(self, asked: _remote._Asked) -> _remote._Planned:
        plan = self._begin_plan(asked)
        try:
            return await self._until(plan.take)
        finally:
            plan.end()

    async def _begun(self, asked: _remote._Asked) -> int:
        planned = await self._planned(asked)
        return await self._answered(functools.partial(self._post_planned, planned, self._wait))

    async def _answered(self, post: Callable[[], int]) -> int:
        """Sends, in the order of the calls, and waits for the answer where that is wanted."""
        self._check_alive()
        sent = self._sender.submit(post)
        try:
            number = await asyncio.wrap_future(sent)
        except asyncio.CancelledError:
            sent.add_done_callback(self._leave)
            raise
        if not self._wait:
            return number
        try:
            async with asyncio.timeout(_LONGEST_ANSWER):
                await self._until(lambda: self._answer_came(number))
        except TimeoutError:
            raise ConnectionLost(f"no answer to command {number} in {_LONGEST_ANSWER:.0f} s") from None
        finally:
            self._leave_answer(number)
        return number

    def _leave(self, sent: concurrent.futures.Future[int]) -> None:
        """Of a command that went out while its caller was cancelled: step() tells of its refusal."""
        if not sent.cancelled() and sent.exception() is None:
            self._leave_answer(sent.result())

    def _event_for(self, reader: Events) -> Optional[_remote.Event]:
        self._kept.extend(super().events())
        place = max(reader._number - self._first_kept, 0)
        if place >= len(self._kept):
            self._check_alive()
            return None
        event = self._kept[place]
        reader._number = self._first_kept + place + 1
        self._read = max(self._read, reader._number)
        needed = min(one._number for one in self._readers)
        while self._first_kept < needed or len(self._kept) > _KEPT_EVENTS:
            self._forgotten += self._first_kept >= needed
            self._kept.popleft()
            self._first_kept += 1
        return event


class _Connecting:
    """`await` it, or `async with` it."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self._make = make
        self._robot: Optional[Robot] = None

    def __await__(self) -> Generator[Any, None, Robot]:
        return self._make().__await__()

    async def __aenter__(self) -> Robot:
        self._robot = await self
        return self._robot

    async def __aexit__(self, *_: object) -> None:
        if self._robot is not None:
            await self._robot.close()


def connect(address: str = "127.0.0.1:4600", *, watch: bool = False, by_force: bool = False, wait: bool = True,
            rate: float = 200.0, name: str = "", tls_ca: Union[str, os.PathLike[str]] = "",
            token: str = "") -> _Connecting:
    """Connect to a server, and take the lease: `robot = await connect(...)`, or `async with connect(...) as robot`.

    The options are those of jointrig.connect().
    """
    async def make() -> Robot:
        bell = _Bell()
        try:
            robot = await asyncio.to_thread(Robot, address, bell, wait, rate, name, tls_ca, token)
        except BaseException:
            bell.end()
            raise
        if not watch:
            try:
                await robot.take(by_force)
            except BaseException:
                await asyncio.shield(robot.close())
                raise
        return robot

    return _Connecting(make)
