#!/usr/bin/env python3
"""Puts a measured table into a page of the documentation; bench/run.sh calls it.

    bench/into.py docs/motion.md planning plan.txt       between <!-- bench:planning:start --> and <!-- bench:planning:end -->
    bench/into.py docs/motion.md targets targets.json    the same, of target_bench's JSON

The Markdown table of a text is taken, the rest stays away. Above it stand date, machine and load at this moment: call
it when the measurement is over. Only the standard library is needed.
"""

import datetime
import json
import os
import pathlib
import sys


class Problem(Exception):
    """A mistake of the user's, in a sentence."""


def us(nanoseconds):
    return f"{nanoseconds / 1e3:.2f} µs"


def targets_table(report):
    """The costs of a cycle by target_bench, for joints by themselves and for whole robots."""
    rows = [("", "no new target", "a new target for each joint in each cycle", "moves in place of targets")]
    for name, of in report.items():
        if not isinstance(of, dict):
            continue  # the time of one plan, below
        if "step_ns" in of:
            rows.append((f"references of {name}", us(of["step_ns"]), us(of["replaced_ns"]), us(of["moves_ns"])))
        else:
            rows.append((f"step of {name}, kinematic", us(of["cycle_ns"]), us(of["cycle_with_targets_ns"]), ""))
    rows.append(("planning one joint's profile", "", us(report["plan_of_one_joint_ns"]), ""))
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([lines[0], "| --- | ---: | ---: | ---: |", *lines[1:]])


def table_of(path):
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".json":
        return targets_table(json.loads(text))
    table = [line for line in text.splitlines() if line.startswith("|")]
    if len(table) < 3:
        raise Problem(f"{path}: there is no table in it")
    return "\n".join(table)


def measured_on(today=None, cpu=None, cores=None, load=None):
    """The sentence above a table."""
    if cpu is None:
        names = [line for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")]
        cpu = names[0].split(":")[1].strip() if names else "an unknown processor"
    today = today or datetime.date.today()
    cores = cores or os.cpu_count()
    load = os.getloadavg()[1] if load is None else load
    return (f"{today.day} {today:%b %Y}, {cpu}, {cores} core{'s' if cores != 1 else ''}, "
            f"load {load:.1f} over the last five minutes:")


def replaced(text, name, new, where):
    start, end = f"<!-- bench:{name}:start -->", f"<!-- bench:{name}:end -->"
    begin, stop = text.find(start), text.find(end)
    if begin < 0 or stop < begin:
        raise Problem(f"{where}: the lines {start} and {end} are missing, or in the wrong order")
    return text[: begin + len(start)] + "\n" + new + "\n" + text[stop:]


def main(arguments=None):
    arguments = sys.argv[1:] if arguments is None else arguments
    if len(arguments) != 3 or arguments[0].startswith("-"):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    page, name, file = pathlib.Path(arguments[0]), arguments[1], pathlib.Path(arguments[2])
    try:
        new = measured_on() + "\n\n" + table_of(file)
        page.write_text(replaced(page.read_text(encoding="utf-8"), name, new, page), encoding="utf-8")
    except (OSError, json.JSONDecodeError, KeyError, Problem) as problem:
        print(f"into.py: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
