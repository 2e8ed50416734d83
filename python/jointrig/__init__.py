"""jointrig: a testbed for joint-controlled robots.

    import jointrig
    sim = jointrig.Sim("franka")

docs/python.md tells what there is.
"""

from ._core import BOARD_STATUSES, DRIVES, FAULTS, INTERACTIONS, LIMITS, MODES, Event, Saved
from ._core import VERSION as __version__
from .commands import Commands
from .errors import Busy, Closed, Ended, Error, InputError, Refused
from .sim import Arm, Disturbance, Sim

__all__ = ["Arm", "BOARD_STATUSES", "Busy", "Closed", "Commands", "DRIVES", "Disturbance", "Ended", "Error", "Event",
           "FAULTS", "INTERACTIONS", "InputError", "LIMITS", "MODES", "Refused", "Saved", "Sim", "__version__"]
