"""One base class made of several."""

from __future__ import annotations

import abc
import types

_OF_EACH_CLASS = {"__abstractmethods__", "__annotations__", "__dict__", "__doc__", "__module__", "__slots__", "__weakref__",
                  "_abc_impl"}


def joined(native: type, *parts: type) -> type:
    """Return a subclass of `native`, a class of C++, with the members of the others, as if it were derived of all.

    Those of the others that are abstract base classes know it as theirs: isinstance(sim, jointrig.State).
    nanobind-backend 1.0 takes one base alone; nanobind 3.1 would take them all.
    """
    of_native = {name for base in native.__mro__[:-1] for name in vars(base)}
    members: dict[str, object] = {}
    for part in reversed(parts):
        for base in reversed(part.__mro__[:-1]):
            members |= vars(base)
    kept = {name: member for name, member in members.items() if name not in of_native | _OF_EACH_CLASS}
    made = types.new_class(native.__name__, (native,), exec_body=lambda body: body.update(kept))
    for part in parts:
        if isinstance(part, abc.ABCMeta):
            part.register(made)
    return made
