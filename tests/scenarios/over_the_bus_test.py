"""Every scenario that speaks of what a bus carries passes over it as it does in simulation.

The boards are virtual, in the same program, behind CANopen.
"""

import json
import pathlib
import re
import subprocess
import sys

PROGRAM, OUT = sys.argv[1], pathlib.Path(sys.argv[2])

run = subprocess.run(
    [PROGRAM, "run", "scenarios", "--backend", "bench", "--jobs", "2", "--no-report", "--out", str(OUT)],
    check=False, capture_output=True, text=True, timeout=900)
scenarios = json.loads((OUT / "result.json").read_text())["scenarios"]
assert len(scenarios) > 80, f"only {len(scenarios)} scenarios ran:\n{run.stdout}{run.stderr}"

# What no frame of a bus carries: a force/torque sensor at the wrist, terms of a spring.
SIM_ALONE = {"external_force", "fast_motion", "force_feedback", "force_sensor", "sensor_mass", "unknown_payload",
             "spring_terms"}
skipped = {each["scenario"].split("[")[0] for each in scenarios if each["outcome"] == "skipped"}
problems = [f"{each['scenario']}: {each['outcome']}" for each in scenarios
            if each["outcome"] not in ("passed", "skipped")]
problems += [f"{name}: skipped" for name in skipped - SIM_ALONE]
problems += [f"{name}: not skipped, take it out of SIM_ALONE" for name in SIM_ALONE - skipped]
said = re.sub(r"(?m)^PASS.*\n", "", run.stdout)
assert not problems, "\n".join(problems) + "\n" + said
print(f"{len(scenarios)} scenarios pass over the bus as in simulation, but for {len(skipped)} families that want the simulation")
