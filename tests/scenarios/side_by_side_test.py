"""Scenarios that run beside others come to the same state hashes as alone."""

import json
import pathlib
import subprocess
import sys

PROGRAM, OUT = sys.argv[1], pathlib.Path(sys.argv[2])


def hashes(jobs: int) -> dict[str, str]:
    out = OUT / f"jobs{jobs}"
    subprocess.run(
        [PROGRAM, "run", "smoke", "--jobs", str(jobs), "--no-report", "--overwrite", "--logs", "failed",
         "--out", str(out)],
        check=False, stdout=subprocess.DEVNULL, timeout=280)
    results = json.loads((out / "result.json").read_text())
    return {r["scenario"]: r["state_hash"] for r in results["scenarios"]}


alone, beside = hashes(1), hashes(2)
assert len(alone) >= 10, f"only {len(alone)} scenarios carry the tag smoke"
assert all(int(h, 16) != 0 for h in alone.values()), "a hash of nothing"
different = [name for name in alone if alone[name] != beside.get(name)]
assert not different, f"these differ beside others: {different}"
print(f"{len(alone)} scenarios, equal hashes alone and side by side")
