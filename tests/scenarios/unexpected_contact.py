"""Thresholds of collision detection never fire in free motion: a run in which a contact was felt fails unless its
scenario speaks of one.

    python unexpected_contact.py RESULT.JSON
"""

import json
import pathlib
import re
import sys

# Words of a wait, an assertion or a state's way out: `event: contact.arm.impact`, `event: plan_broken.arm.contact`.
SPEAKS_OF_CONTACT = re.compile(r"event: *[\"']?[\w.]*contact")


def unexpected_contacts(scenarios: list[dict]) -> list[str]:
    """A sentence for each scenario with a contact that its file doesn't speak of."""
    found = []
    for scenario in scenarios:
        felt = [event for event in scenario["events"] if event["kind"] == "contact"]
        if felt and not SPEAKS_OF_CONTACT.search(pathlib.Path(scenario["file"]).read_text()):
            found.append(f"{scenario['scenario']}: nothing was to touch the robot, but at {felt[0]['time']:.3f} s "
                         f"{felt[0]['sentence']}")
    return found


if __name__ == "__main__":
    problems = unexpected_contacts(json.loads(pathlib.Path(sys.argv[1]).read_text())["scenarios"])
    sys.exit("\n".join(problems) or 0)
