#!/usr/bin/env python3
"""Turns the JSON of jointrig_bench into the table of README.md.

    jointrig_bench --benchmark_repetitions=9 --benchmark_out=bench.json
    bench/table.py bench.json                    prints the table
    bench/table.py bench.json --into README.md   replaces what stands between the two markers

A time is processor time, the median of the repetitions. A ratio is the time divided by that of `mj_step` of the
same robot in the same file, that is, the same process. Only the standard library is needed.
"""

import argparse
import json
import pathlib
import statistics
import sys

START = "<!-- bench:start -->"
END = "<!-- bench:end -->"
UNIT = "mj_step"  # what the others are divided by
TO_US = {"ns": 1e-3, "us": 1.0, "ms": 1e3, "s": 1e6}


class Problem(Exception):
    """What the user has to be told."""


def times_us(report):
    """{robot: {what: median time in µs}}, in the order in which they are registered."""
    samples = {}
    for entry in sorted(report["benchmarks"], key=lambda entry: entry.get("family_index", 0)):
        if entry.get("run_type", "iteration") != "iteration":
            continue  # an aggregate: the median is taken here
        if entry.get("error_occurred"):
            raise Problem(f"{entry['name']}: {entry.get('error_message', 'failed')}")
        robot, _, what = entry.get("run_name", entry["name"]).partition("/")
        time = entry["cpu_time"] * TO_US[entry["time_unit"]]
        samples.setdefault(robot, {}).setdefault(what, []).append(time)
    if not samples:
        raise Problem("no single runs in the file: leave --benchmark_report_aggregates_only away")
    return {
        robot: {what: statistics.median(times) for what, times in whats.items()}
        for robot, whats in samples.items()
    }


def table(report):
    """The Markdown table and the line that names the machine."""
    lines = ["| robot | what | time | of `mj_step` |", "| --- | --- | ---: | ---: |"]
    for robot, whats in times_us(report).items():
        if UNIT not in whats:
            raise Problem(f"{robot}: no {robot}/{UNIT} in this file to divide by")
        for what, time in whats.items():
            ratio = time / whats[UNIT]
            lines.append(f"| {robot} | `{what}` | {time:.2f} µs | {ratio:.2f} |")
    return "\n".join(lines) + "\n\n" + machine(report["context"])


def machine(context):
    cores = context["num_cpus"]
    return (
        f"Measured on {context.get('cpu', 'unknown CPU')}, {cores} core{'s' if cores != 1 else ''}, "
        f"{context.get('kernel', 'unknown kernel')}, MuJoCo {context.get('mujoco', 'unknown')}, "
        f"{context['date'][:10]}; medians of processor time, ratios within one process."
    )


def replace_between_markers(text, new, where):
    start, end = text.find(START), text.find(END)
    if start < 0 or end < start:
        raise Problem(f"{where}: the lines {START} and {END} are missing, or in the wrong order")
    return text[: start + len(START)] + "\n" + new + "\n" + text[end:]


def main(arguments=None):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("report", type=pathlib.Path, help="JSON written by --benchmark_out")
    parser.add_argument("--into", type=pathlib.Path, help="Markdown file with the two markers")
    options = parser.parse_args(arguments)
    try:
        text = table(json.loads(options.report.read_text(encoding="utf-8")))
        if options.into is None:
            print(text)
        else:
            old = options.into.read_text(encoding="utf-8")
            new = replace_between_markers(old, text, options.into)
            options.into.write_text(new, encoding="utf-8")
    except (OSError, json.JSONDecodeError, Problem) as problem:
        print(f"table.py: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
