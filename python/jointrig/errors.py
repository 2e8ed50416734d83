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
