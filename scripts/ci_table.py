#!/usr/bin/env python3
"""Puts the times of the last .ci/run into docs/ci.md: what each step took, and what it may take.

    python3 scripts/ci_table.py [STEPS] [PAGE]

STEPS is build/ci/steps.tsv unless it is named, PAGE docs/ci.md.
"""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
STEPS = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build/ci/steps.tsv"
PAGE = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else ROOT / "docs/ci.md"
START, END = "<!-- ci:start -->", "<!-- ci:end -->"


def machine() -> str:
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return "an unknown processor"


def table(steps: str) -> str:
    rows = [line.split("\t") for line in steps.splitlines()]
    lines = ["| step | what | took | may take |", "| --- | --- | ---: | ---: |"]
    lines += [f"| {name} | {what} | {took} s | {may} s |" for name, took, may, what in rows]
    total, allowed = (sum(int(row[i]) for row in rows) for i in (1, 2))
    lines.append(f"| all | | {total} s, {total / 60:.1f} min | {allowed} s |")
    cores = subprocess.run(["nproc"], capture_output=True, text=True, check=True).stdout.strip()
    return "\n".join(lines) + f"\n\nMeasured on {machine()}, {cores} cores, from a fresh clone with nothing built.\n"


def main() -> None:
    if not STEPS.exists() or not STEPS.read_text().strip():
        sys.exit(f"error: there is no {STEPS}; run .ci/run first.")
    page = PAGE.read_text()
    before, rest = page.split(START, 1)
    after = rest.split(END, 1)[1]
    PAGE.write_text(f"{before}{START}\n{table(STEPS.read_text())}{END}{after}")
    print(f"{PAGE}: the table is that of {STEPS}")


main()
