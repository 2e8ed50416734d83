"""jointrig: a testbed for joint-controlled robots.

    import jointrig
    sim = jointrig.Sim("franka")

docs/python.md tells what there is.
"""

from ._core import BOARD_STATUSES, DRIVES, FAULTS, INTERACTIONS, LIMITS, MODES
from ._core import Event, Result, Saved, Scenario, Verdict
from ._core import VERSION as __version__
from .commands import Commands
from .errors import Busy, Closed, Ended, Error, InputError, Refused
from .log import Log
from .scenarios import find_scenarios, run_scenario, run_scenarios
from .sim import Arm, Disturbance, Sim

__all__ = ["Arm", "BOARD_STATUSES", "Busy", "Closed", "Commands", "DRIVES", "Disturbance", "Ended", "Error", "Event",
           "FAULTS", "INTERACTIONS", "InputError", "LIMITS", "Log", "MODES", "Refused", "Result", "Saved", "Scenario",
           "Sim", "Verdict", "__version__", "find_scenarios", "run_scenario", "run_scenarios"]
