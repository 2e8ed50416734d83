#!/usr/bin/env python3
"""Turns the JSON of jointrig_bench, and of headless.py, into the tables of README.md.

    jointrig_bench --benchmark_repetitions=9 --benchmark_out=bench.json
    bench/table.py bench.json                                           prints the table
    bench/table.py bench.json --headless headless.json --into README.md   replaces what stands between the two markers

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
AGAIN = "How to measure it again, and what each line is: [bench/README.md](bench/README.md)."
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
        robot, what = entry.get("run_name", entry["name"]).split("/")[:2]  # then its settings
        time = entry["cpu_time"] * TO_US[entry["time_unit"]]
        samples.setdefault(robot, {}).setdefault(what, []).append(time)
    if not samples:
        raise Problem("no single runs in the file: leave --benchmark_report_aggregates_only away")
    return {
        robot: {what: statistics.median(times) for what, times in whats.items()}
        for robot, whats in samples.items()
    }


def row(cells):
    return "| " + " | ".join(cells) + " |"


def table(report):
    """Times and ratios in Markdown, two columns a robot."""
    robots = times_us(report)
    for robot, whats in robots.items():
        if UNIT not in whats:
            raise Problem(f"{robot}: no {robot}/{UNIT} in this file to divide by")
    lines = [
        row(["what"] + [cell for robot in robots for cell in (robot, f"of `{UNIT}`")]),
        row(["---"] + ["---:"] * (2 * len(robots))),
    ]
    for what in dict.fromkeys(what for whats in robots.values() for what in whats):
        cells = [f"`{what}`"]
        for whats in robots.values():
            time = whats.get(what)
            known = time is not None
            cells += [f"{time:.2f} µs", f"{time / whats[UNIT]:.2f}"] if known else ["", ""]
        lines.append(row(cells))
    return "\n".join(lines) + "\n\n" + machine(report["context"])


HEADLESS = [
    ("bare `mj_step`, times real time", "bare_speed", "{:.0f}"),
    ("scenario with log, times real time", "speed", "{:.0f}"),
    ("of bare `mj_step`, by the wall clock", "ratio", "{:.2f}"),
    ("of bare `mj_step`, processor time of all threads", "cpu_ratio", "{:.2f}"),
    ("two jobs, times the speed of one", "two_jobs", "{:.2f}"),
    ("peak memory", "peak_mb", "{:.0f} MB"),
]


def hour(robot):
    samples = robot["hour"]["samples_mb"] if "hour" in robot else []
    return f"{samples[0]:.1f} and {samples[-1]:.1f} MB" if samples else "not measured"


def headless_table(report):
    """What headless.py measured, a column a robot."""
    robots = report["robots"]
    lines = [row(["headless", *robots]), row(["---"] + ["---:"] * len(robots))]
    for label, key, form in HEADLESS:
        lines.append(row([label] + [form.format(r["medians"][key]) for r in robots.values()]))
    if any("hour" in r for r in robots.values()):
        lines.append(row(["memory at begin and end of a simulated hour", *map(hour, robots.values())]))
    load = max(report[when][0] for when in ("load_before", "load_after"))
    rounds = len(next(iter(robots.values()))["rounds"])
    return (
        "\n".join(lines)
        + f"\n\nMedians of {rounds} rounds; load average of the machine {load:.1f} on {report['cpus']} cores."
    )


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
    parser.add_argument("--headless", type=pathlib.Path, help="JSON written by headless.py --out")
    parser.add_argument("--into", type=pathlib.Path, help="Markdown file with the two markers")
    options = parser.parse_args(arguments)
    try:
        text = table(json.loads(options.report.read_text(encoding="utf-8")))
        if options.headless is not None:
            text += "\n\n" + headless_table(json.loads(options.headless.read_text("utf-8")))
        text += "\n\n" + AGAIN
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
