"""Every scenario that speaks of what a bus carries passes over it as it does in simulation.

The boards are virtual, in the same program, behind CANopen. With JOINTRIG_SHARE a share of the files.
"""

import json
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from share import share_of  # noqa: E402
from unexpected_contact import unexpected_contacts  # noqa: E402

PROGRAM, OUT = sys.argv[1], pathlib.Path(sys.argv[2])

files = sorted(str(path) for path in pathlib.Path("scenarios").rglob("*.yaml")
               if re.search(r"(?m)^scenario:", path.read_text()))
chosen = share_of(files)
run = subprocess.run(
    [PROGRAM, "run", *chosen, "--backend", "boards", "--jobs", "2", "--no-report", "--overwrite", "--logs", "failed",
     "--out", str(OUT)],
    check=False, capture_output=True, text=True, timeout=900)
scenarios = json.loads((OUT / "result.json").read_text())["scenarios"]
assert len(files) > 80, f"there are only {len(files)} scenarios"
assert len(scenarios) >= len(chosen) > len(files) // 8, f"{len(scenarios)} ran:\n{run.stdout}{run.stderr}"

# No frame of a bus carries the terms of a spring. By file: another folder may have a scenario of the same name.
SIM_ALONE = {"scenarios/sensing/spring_terms.yaml"}
skipped = {each["file"] for each in scenarios if each["outcome"] == "skipped"}
problems = [f"{each['scenario']}: {each['outcome']}" for each in scenarios
            if each["outcome"] not in ("passed", "skipped")]
problems += [f"{file}: skipped" for file in skipped - SIM_ALONE]
problems += [f"{file}: not skipped, take it out of SIM_ALONE" for file in (SIM_ALONE & set(chosen)) - skipped]
problems += [f"{file}: no such scenario" for file in SIM_ALONE - set(files)]
problems += unexpected_contacts(scenarios)
if "goes without its force/torque sensor" in run.stdout:
    problems.append("an arm's sensor isn't read")
said = re.sub(r"(?m)^PASS.*\n", "", run.stdout)
assert not problems, "\n".join(problems) + "\n" + said
print(f"{len(scenarios)} scenarios pass over the bus as in simulation, but for {len(skipped)} families that want the simulation")
