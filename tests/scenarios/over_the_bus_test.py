"""Every scenario passes over the bus as it does in simulation, but for what a wire does not carry.

The boards are virtual, in the same program, behind CANopen. A scenario that is listed here and
passes is an error as well: then the list is old.
"""

import json
import pathlib
import re
import subprocess
import sys

PROGRAM, OUT = sys.argv[1], pathlib.Path(sys.argv[2])

# By the beginning of the name.
NOT_OVER_THE_BUS = {
    "aborted[": "CiA 402 has no progress of a homing: it is 0 until it is 1",
    "winding_heats": "temperatures come ten times a second, the scenario looks within 50 ms",
    "switch_while_moving[mode=openloop]": "a duty travels in thousandths, a step of which is more torque than the margin",
    "silence[mode=openloop": "the same",
    "unknown_payload[friction=0]": "compares two samples of a torque that one encoder step shakes by 0.1 Nm, in simulation too",
}


def listed(name: str) -> str | None:
    return next((start for start in NOT_OVER_THE_BUS if name.startswith(start)), None)


run = subprocess.run(
    [PROGRAM, "run", "scenarios", "--backend", "bench", "--jobs", "2", "--no-report", "--out", str(OUT)],
    check=False, capture_output=True, text=True, timeout=900)
scenarios = json.loads((OUT / "result.json").read_text())["scenarios"]
assert len(scenarios) > 80, f"only {len(scenarios)} scenarios ran:\n{run.stdout}{run.stderr}"

problems, unused = [], set(NOT_OVER_THE_BUS)
passed = 0
for scenario in scenarios:
    name, outcome = scenario["scenario"], scenario["outcome"]
    start = listed(name)
    if start is not None:
        unused.discard(start)
    if outcome == "passed":
        passed += 1
        if start is not None:
            problems.append(f"{name} passes and is listed")
    elif outcome != "skipped" and start is None:
        problems.append(f"{name}: {outcome}")
problems += [f"{start} is listed and no scenario" for start in unused]
said = re.sub(r"(?m)^PASS.*\n", "", run.stdout)
assert not problems, "\n".join(problems) + "\n" + said
print(f"{passed} of {len(scenarios)} scenarios pass over the bus as in simulation")
