"""jointrig: a testbed for joint-controlled robots.

    import jointrig
    sim = jointrig.Sim("franka")

docs/python.md tells what there is.
"""

from typing import TYPE_CHECKING

from ._core import BOARD_STATUSES, DRIVES, FAULTS, GRIPPER_STATES, INTERACTIONS, LIMITS, MODES
from ._core import Event, Result, Saved, Scenario, Verdict
from ._core import VERSION as __version__
from .commands import Commands
from .errors import Busy, Closed, ConnectionLost, Ended, Error, InputError, NoLease, Refused, Unreachable
from .log import Log
from .motion import Plan
from .reaching import Reached
from .scenarios import find_scenarios, run_scenario, run_scenarios
from .sim import Disturbance, Sim
from .state import Arm, Gripper, State
from .sweeps import Sweep, sweep


if TYPE_CHECKING:
    from . import aio


def __getattr__(name: str):
    if name == "aio":  # gRPC is loaded by who needs it
        import importlib

        return importlib.import_module(".aio", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def connect(address: str = "127.0.0.1:4600", **options):
    """A robot that `jointrig serve` runs: jointrig.remote.Robot tells the options."""
    from .remote import Robot  # gRPC is loaded by who needs it

    return Robot(address, **options)


__all__ = ["Arm", "BOARD_STATUSES", "Busy", "Closed", "Commands", "ConnectionLost", "DRIVES", "Disturbance", "Ended", "Error", "Event",
           "FAULTS", "GRIPPER_STATES", "Gripper", "INTERACTIONS", "InputError", "LIMITS", "Log", "MODES", "NoLease", "Plan", "Reached", "Refused", "Result", "Saved", "Scenario",
           "Sim", "State", "Sweep", "Unreachable", "Verdict", "__version__", "connect", "find_scenarios", "run_scenario", "run_scenarios", "sweep"]
