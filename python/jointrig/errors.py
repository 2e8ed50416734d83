"""Errors of the package. Every message is a sentence that says what would be right."""

from __future__ import annotations


class Error(Exception):
    """All errors of jointrig."""


class InputError(Error, ValueError):
    """A name, a value, a file or a setting is wrong."""


class Refused(Error):
    """The loop refused a command. It is raised by the step() that would have taken it.

    `str()` of it is the sentence that a scenario gives. `events` has all refusals of that cycle.
    """

    def __init__(self, events: tuple) -> None:
        super().__init__("\n".join(event.sentence for event in events))
        self.events = events

    @property
    def reason(self) -> str:
        """wrong_mode, out_of_range, not_finite, ..."""
        return self.events[0].reason

    @property
    def command(self) -> str:
        """Kind of the refused command."""
        return self.events[0].command


class Unreachable(Error):
    """No joint positions bring the tools to their poses. `str()` of it is the sentence that a scenario gives."""

    def __init__(self, sentence: str, reason: str, nearest: dict[str, float], rests: tuple[tuple[float, float], ...],
                 joint: str, value: float, limit: float) -> None:
        super().__init__(sentence)
        self.reason = reason
        """joint_limits: positions exist, but beyond a joint's limits; out_of_reach: none were found at all."""
        self.nearest = nearest
        """Of each joint that may move, the position that comes nearest [rad; m of a slide]."""
        self.rests = rests
        """Of each tool the distance [m] and the angle [rad] that these leave."""
        self.joint = joint
        """Of joint_limits: the one that is furthest beyond; otherwise empty."""
        self.value = value
        """Position that this joint would need [rad; m of a slide]."""
        self.limit = limit
        """Its limit, of those in which references may be [rad; m of a slide]."""


class Ended(Error):
    """The backend ended the run: the physics broke down, or the boards are gone."""


class Closed(Error):
    """The Sim or the connection is closed."""


class Busy(Error):
    """The Sim is in use by another thread."""


class ConnectionLost(Error):
    """A served robot can't be reached, is gone, or doesn't let this client in."""


class NoLease(Error):
    """A command needs the lease, and another client holds it, or this one lost it."""
