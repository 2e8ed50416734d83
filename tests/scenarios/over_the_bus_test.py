"""Every scenario passes over the bus as it does in simulation.

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

problems = [f"{each['scenario']}: {each['outcome']}" for each in scenarios if each["outcome"] != "passed"]
said = re.sub(r"(?m)^PASS.*\n", "", run.stdout)
assert not problems, "\n".join(problems) + "\n" + said
print(f"all {len(scenarios)} scenarios pass over the bus as in simulation")
