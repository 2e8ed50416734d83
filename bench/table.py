#!/usr/bin/env python3
"""Turns what the benches wrote into the tables of README.md; bench/run.sh calls it.

    bench/table.py cycle.json                                             prints the table of a cycle
    bench/table.py cycle.json --headless headless.json --boards boards.json --doctor doctor.json --into README.md

`cycle.json` is jointrig_bench's (--benchmark_out), the others are headless.py's, boards.py's, ik_bench's (--ik) and
those of `jointrig doctor` (--json). --into replaces what stands between the two markers.

A time of a cycle is processor time, the least of the repetitions: other programs can only add to it. A ratio is the time divided by that of `mj_step`
of the same robot in the same file, that is, the same process. Only the standard library is needed.
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
    """A mistake of the user's, in a sentence."""


def markdown(head, rows):
    """The first column to the left, the others to the right."""
    rule = ["---"] + ["---:"] * (len(head) - 1)
    return "\n".join("| " + " | ".join(row) + " |" for row in [head, rule, *rows])


def times_us(report):
    """{robot: {what: least time in µs}}, in the order in which they are registered."""
    samples = {}
    for entry in sorted(report["benchmarks"], key=lambda entry: entry.get("family_index", 0)):
        if entry.get("run_type", "iteration") != "iteration":
            continue  # an aggregate: the least is taken here
        if "p50_ns" in entry or "p50" in entry:
            continue  # of spread_table and ratio_table: their times have looks at the clock in them
        if entry.get("error_occurred"):
            raise Problem(f"{entry['name']}: {entry.get('error_message', 'failed')}")
        robot, what = entry.get("run_name", entry["name"]).split("/")[:2]  # not "iterations:1000"
        time = entry["cpu_time"] * TO_US[entry["time_unit"]]
        samples.setdefault(robot, {}).setdefault(what, []).append(time)
    if not samples:
        raise Problem("no single runs in the file: leave --benchmark_report_aggregates_only away")
    return {
        robot: {what: min(times) for what, times in whats.items()}
        for robot, whats in samples.items()
    }


def cycle_table(report):
    robots = times_us(report)
    for robot, whats in robots.items():
        if UNIT not in whats:
            raise Problem(f"{robot}: no {robot}/{UNIT} in this file to divide by")
    head = ["of a cycle"]
    for robot in robots:
        head += [robot, f"of `{UNIT}`"]
    rows = []
    for what in dict.fromkeys(what for whats in robots.values() for what in whats):
        row = [f"`{what}`"]
        for whats in robots.values():
            known = what in whats
            row.append(f"{whats[what]:.2f} µs" if known else "")
            row.append(f"{whats[what] / whats[UNIT]:.2f}" if known else "")
        rows.append(row)
    return markdown(head, rows)


def ratio_table(report):
    """Cycles and steps by turns: the median of their ratios and its quartiles; nothing where none was measured."""
    ratios = {}
    for entry in report["benchmarks"]:
        if entry.get("run_type", "iteration") == "iteration" and "p50" in entry:
            robot = entry.get("run_name", entry["name"]).split("/")[0]
            ratios.setdefault(robot, []).append([entry[key] for key in ("p25", "p50", "p75")])
    if not ratios:
        return None
    rows = []
    for robot, runs in ratios.items():
        goal = {"franka": "at most 0.5", "icub_stands": "at most 2.0"}.get(robot, "")
        rows.append([robot, *(f"{statistics.median(column):.2f}" for column in zip(*runs)), goal])
    return markdown(
        [f"`cycle_recorded` by turns with `{UNIT}`", "first quartile", "median", "third quartile", "goal"], rows
    )


def spread_table(report):
    """Cycle by cycle: how far the slow ones are from the middle; nothing where none was measured."""
    spreads = {}
    for entry in report["benchmarks"]:
        if entry.get("run_type", "iteration") == "iteration" and "p50_ns" in entry:
            robot = entry.get("run_name", entry["name"]).split("/")[0]
            spreads.setdefault(robot, []).append((entry["p50_ns"], entry["p99_ns"]))
    if not spreads:
        return None
    rows = []
    for robot, pairs in spreads.items():
        p50, p99 = (statistics.median(side) for side in zip(*pairs))
        goal = "at most 2" if robot.endswith("_cartesian") else ""
        rows.append([robot, f"{p50 / 1e3:.2f} µs", f"{p99 / 1e3:.2f} µs", f"{p99 / p50:.2f}", goal])
    return markdown(["`cycle`, each by itself", "p50", "p99", "p99 over p50", "goal"], rows)


def headless_table(report):
    robots = report["robots"]

    def row(name, form, goal=""):
        return [name, *(form(figures) for figures in robots.values()), goal]

    rows = [
        row("a bare `mj_step` loop", lambda f: f"{f['bare']:.1f} × real time"),
        row("a scenario, its log written meanwhile", lambda f: f"{f['speed']:.1f} × real time"),
        row("the second over the first", lambda f: f"{f['of_bare']:.2f}", "at least 0.7"),
        row("the same in processor time of all threads, start and report included",
            lambda f: f"{f['cpu_of_bare']:.2f}"),
        row("two bare loops at once, as fast as one", lambda f: f"{f['two_bare']:.2f} ×"),
        row("two scenarios with two jobs, as fast as with one", lambda f: f"{f['two_jobs']:.2f} ×"),
        row("the last over the one before", lambda f: f"{f['two_jobs'] / f['two_bare']:.2f}",
            "at least 0.97"),
        row("resident memory, peak", lambda f: f"{f['peak_mb']:.0f} MB", "under 100 MB"),
    ]  # fmt: skip
    hours = [figures["hour"] for figures in robots.values() if "hour" in figures]
    if len(hours) == len(robots):
        rows.append(
            row("an hour simulated: after 6 minutes, after 54, peak with the report",
                lambda f: "{early_mb:.1f}, {late_mb:.1f}, {peak_mb:.1f} MB".format(**f["hour"]),
                "flat")
        )  # fmt: skip
    return markdown(["headless", *robots, "goal"], rows)


def duration(nanoseconds):
    for size, unit in ((1e3, "ns"), (1e6, "µs"), (1e9, "ms")):
        if nanoseconds < size:
            return f"{nanoseconds / (size / 1e3):.3g} {unit}"
    return f"{nanoseconds / 1e9:.3g} s"


def real_time_table(report):
    rows = []
    for measured in report["measurements"]:
        row = [measured["name"]]
        for what in ("late", "cycle"):
            row += [
                duration(measured[what][key]) if what in measured else ""
                for key in ("p50_ns", "p99_ns")
            ]
        rows.append([*row, str(measured["skipped"])])
    name = f"{1e6 / report['period_ns']:g} kHz for {report['seconds']:g} s each"
    head = [name, "wake-up p50", "p99", "cycle p50", "p99", "periods skipped"]
    return markdown(head, rows)


SAWYER_US = 7200  # about: from a command to the state that shows it, on an arm that people know


def boards_table(report):
    def row(name, of, limit=""):
        return [name, *(f"{of[key]:.0f} µs" for key in ("p50", "p99", "max")), limit]

    names = {"slcan": "SLCAN on a pty", "udp": "UDP"}
    rows = [row(f"one frame there and back, {names[way]}", of) for way, of in report["floor"].items()]
    rows += [
        row(f"command → board → state of one joint, {names[way]}", of,
            f"{report['wire_us']} µs of it on the wire at most")
        for way, of in report["trip"].items()
    ]  # fmt: skip
    rows.append(["the same on a Sawyer", f"about {SAWYER_US} µs", "", "", ""])
    rows += [
        row(f"whole cycle of {joints} joints, each on a wire of its own, UDP", of)
        for joints, of in report["cycle"].items()
    ]
    driver = report["driver"]
    rows.append(
        ["driver of 7 joints without the wire", *(f"{driver[key]:.2f} µs" for key in ("p50", "p99", "max")),
         "at most 15 µs"]
    )  # fmt: skip
    loop = report["loop"]
    rows += [
        row(f"7 joints at 1 kHz for {loop['seconds']:.0f} s: wake-up late", loop["late"]),
        row("the same: read, decide, write", loop["cycle"]),
    ]
    head = ["joint boards in a process of their own", "p50", "p99", "max", ""]
    scheduling = f"SCHED_FIFO {loop['fifo']}" if loop["fifo"] else "ordinary scheduling"
    return markdown(head, rows) + (
        f"\n\nIn these {loop['seconds']:.0f} s against the clock, with {scheduling}: {loop['cycles']} cycles, "
        f"{loop['overruns']} overruns, {loop['skipped']} periods skipped, {loop['incomplete']} cycles with a state "
        f"missing at 0.6 ms, {loop['lost_joints']} joints lost; the driver's thread (all buses, the stack) took "
        f"{100 * loop['share']:.0f} % of a core, the boards' process (physics, drives, wires) "
        f"{100 * loop['boards_share']:.0f} %. Load {report['load'][0]:.1f} before and {report['load'][1]:.1f} after."
    )


def ik_table(report):
    """Inverse kinematics: what was solved, and the time of one."""
    rows = [
        [robot, str(of["joints"]), str(of["poses"]), f"{of['solved_percent']:.2f} %",
         *(f"{of[key]:.1f} µs" for key in ("p50", "p90", "p99")), "over 99.5 %, p50 under 100 µs"]
        for robot, of in report.items()
    ]  # fmt: skip
    return markdown(
        ["inverse kinematics", "joints", "poses", "solved", "p50", "p90", "p99", "goal"], rows
    )


def machine(context, headless, commit=""):
    cores = context["num_cpus"]
    text = (
        f"Measured on {context.get('cpu', 'unknown CPU')}, {cores} core{'s' if cores != 1 else ''}, "
        f"{context.get('kernel', 'unknown kernel')}, "
        f"MuJoCo {context.get('mujoco', 'unknown')}, {context.get('compiler', 'unknown compiler')}"
    )
    if headless:
        text += ", load {:.1f} before and {:.1f} after".format(*headless["load"])
    if commit:
        text += f", on {context.get('date', 'an unknown day')[:10]} at commit {commit}"
    return text + (
        ". Costs of a cycle are the least of nine repetitions, ratios are of one process; headless "
        "the medians of five rounds. Again: `bash bench/run.sh readme`"
    )


def tables(cycle, headless=None, boards=None, doctor=None, ik=None, commit=""):
    parts = [cycle_table(cycle)]
    if ratio := ratio_table(cycle):
        parts.append(ratio)
    if spread := spread_table(cycle):
        parts.append(spread)
    if headless:
        parts.append(headless_table(headless))
    if boards:
        parts.append(boards_table(boards))
    if ik:
        parts.append(ik_table(ik))
    if doctor:
        parts.append(real_time_table(doctor))
    return "\n\n".join([*parts, machine(cycle["context"], headless, commit)])


def replace_between_markers(text, new, where):
    start, end = text.find(START), text.find(END)
    if start < 0 or end < start:
        raise Problem(f"{where}: the lines {START} and {END} are missing, or in the wrong order")
    return text[: start + len(START)] + "\n" + new + "\n" + text[end:]


def read(path):
    return json.loads(path.read_text(encoding="utf-8")) if path else None


def main(arguments=None):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("cycle", type=pathlib.Path, help="JSON of jointrig_bench")
    parser.add_argument("--headless", type=pathlib.Path, help="JSON of headless.py")
    parser.add_argument("--boards", type=pathlib.Path, help="JSON of boards.py")
    parser.add_argument("--doctor", type=pathlib.Path, help="JSON of `jointrig doctor`")
    parser.add_argument("--ik", type=pathlib.Path, help="JSON of ik_bench")
    parser.add_argument("--commit", default="", help="of the programs that were measured")
    parser.add_argument("--into", type=pathlib.Path, help="Markdown file with the two markers")
    options = parser.parse_args(arguments)
    try:
        files = (options.cycle, options.headless, options.boards, options.doctor, options.ik)
        text = tables(*map(read, files), commit=options.commit)
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
