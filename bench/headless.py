#!/usr/bin/env python3
"""Speed and memory of headless runs, log, judge and report included.

    bench/headless.py --build build/release                  some minutes
    bench/headless.py --build build/release --hour franka    and an hour of simulated time
    bench/headless.py --build build/release --out headless.json

Speed      simulated time over the wall clock's, of the scenario by itself (as `jointrig run` prints it) against
           bare mj_step calls on the same model, right before (those of jointrig_bench). `command` is the whole of `jointrig run`: starting,
           reading files, compiling the model three times, log, report.
Processor  processor time of bare steps over that of the whole command, all its threads: other programs on the
           machine hardly touch it.
Jobs       two scenarios with one job against the same with two, whole commands.
Memory     peak resident size of the whole command, and over an hour of simulated time, sampled as it runs. The
           hour's log goes to /dev/null, at its full rate.

The measurements take turns; figures are medians of the rounds, ratios are taken within a round. Only the standard
library is needed.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
SCENARIO = HERE / "to_and_fro.yaml"
AWAY = {"franka": "above_table", "icub_upper_body": "arms_forward"}  # a pose of each robot
ROUND_S = {"franka": 2.02, "icub_upper_body": 1.88}  # simulated time of one way and back, about
SAMPLE_S = 5.0  # between looks at the memory, on the wall clock
MB = 1e6


class Problem(Exception):
    """What the user has to be told."""


class Finished:
    """A command that ran to its end: what it took."""

    def __init__(self, command, while_running=None):
        begin = time.monotonic()
        process = subprocess.Popen(
            command, cwd=HERE.parent, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        output = []
        reader = threading.Thread(target=lambda: output.append(process.stdout.read()))
        reader.start()
        if while_running:
            while_running(process.pid, reader)
        reader.join()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.wall_s = time.monotonic() - begin
        self.cpu_s = usage.ru_utime + usage.ru_stime
        self.peak_mb = usage.ru_maxrss * 1024 / MB
        if process.returncode != 0:
            raise Problem(f"{' '.join(map(str, command))} ended with {process.returncode}:\n{output[0]}")


def bare_step(build, robot, folder):
    """Wall and processor time of one mj_step [s]."""
    out = folder / "bare.json"
    name = f"^{robot}/mj_step$"
    Finished(
        [build / "bench/jointrig_bench", "--robot", f"{robot}={robot}", f"--benchmark_filter={name}",
         "--benchmark_min_time=0.5", f"--benchmark_out={out}"]
    )  # fmt: skip
    (entry,) = json.loads(out.read_text())["benchmarks"]
    return entry["real_time"] * 1e-9, entry["cpu_time"] * 1e-9


def scenario_command(build, robot, out, seeds=(1,), jobs=1, rounds=16):
    return [
        build / "app/jointrig", "run", SCENARIO, "--out", out, "--jobs", str(jobs),
        "--set", f"parameters.robot={robot}", f"parameters.there={AWAY[robot]}",
        f"parameters.rounds={rounds}", f"matrix.seed={list(seeds)}".replace(" ", ""),
    ]  # fmt: skip


def one_round(build, robot, folder):
    """One turn of each measurement."""
    out = folder / "run"
    step_wall, step_cpu = bare_step(build, robot, folder)
    command = Finished(scenario_command(build, robot, out))
    (scenario,) = json.loads((out / "result.json").read_text())["scenarios"]
    cycles = scenario["cycles"]
    one = Finished(scenario_command(build, robot, out, seeds=(1, 2), jobs=1))
    two = Finished(scenario_command(build, robot, out, seeds=(1, 2), jobs=2))
    return {
        "bare_speed": scenario["sim_time"] / (cycles * step_wall),
        "speed": scenario["sim_time"] / scenario["wall_time"],
        "ratio": cycles * step_wall / scenario["wall_time"],
        "command_speed": scenario["sim_time"] / command.wall_s,
        "command_ratio": cycles * step_wall / command.wall_s,
        "cpu_ratio": cycles * step_cpu / command.cpu_s,
        "two_jobs": one.wall_s / two.wall_s,
        "peak_mb": command.peak_mb,
    }


def resident_mb(pid):
    pages = int(pathlib.Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / MB


def hour(build, robot, folder):
    """Resident size every SAMPLE_S while an hour is simulated, and how long that took."""
    out = folder / "hour"
    run = out / "to_and_fro_seed=1_"  # where jointrig puts this scenario's log
    run.mkdir(parents=True)
    (run / "log.mcap").symlink_to(os.devnull)
    samples = []

    def watch(pid, running):
        while running.is_alive():
            running.join(SAMPLE_S)
            if running.is_alive():
                samples.append(round(resident_mb(pid), 1))

    rounds = round(3600 / ROUND_S[robot])
    done = Finished(scenario_command(build, robot, out, rounds=rounds), watch)
    (scenario,) = json.loads((out / "result.json").read_text())["scenarios"]
    if not (run / "log.mcap").is_symlink():
        raise Problem("the hour's log did not go to /dev/null: is the folder of a scenario called otherwise now?")
    return {
        "simulated_s": scenario["sim_time"],
        "wall_s": done.wall_s,
        "samples_mb": samples,
        "peak_mb": done.peak_mb,
    }


def measure(options):
    build = options.build.resolve()
    report = {"load_before": os.getloadavg(), "cpus": os.cpu_count(), "robots": {}}
    with tempfile.TemporaryDirectory(dir=options.tmp) as name:
        folder = pathlib.Path(name)
        rounds = {robot: [] for robot in options.robots}
        for i in range(options.rounds):
            for robot in options.robots:
                print(f"round {i + 1} of {options.rounds}: {robot}", file=sys.stderr)
                rounds[robot].append(one_round(build, robot, folder))
        for robot, measured in rounds.items():
            medians = {key: statistics.median(m[key] for m in measured) for key in measured[0]}
            report["robots"][robot] = {"medians": medians, "rounds": measured}
        for robot in set(options.hour) & set(options.robots):
            print(f"an hour of {robot}", file=sys.stderr)
            report["robots"][robot]["hour"] = hour(build, robot, folder / robot)
    report["load_after"] = os.getloadavg()
    return report


def text(report):
    lines = []
    for robot, figures in report["robots"].items():
        m = figures["medians"]
        lines += [
            f"{robot}",
            f"  bare mj_step    {m['bare_speed']:6.1f} x real time",
            f"  scenario        {m['speed']:6.1f} x   {m['ratio']:.2f} of bare    goal 0.60",
            f"  command         {m['command_speed']:6.1f} x   {m['command_ratio']:.2f} of bare",
            f"  processor time                  {m['cpu_ratio']:.2f} of bare",
            f"  two jobs        {m['two_jobs']:6.2f} times one        goal 1.8",
            f"  peak memory     {m['peak_mb']:6.1f} MB               goal 100",
        ]
        if "hour" in figures:
            h = figures["hour"]
            samples = h["samples_mb"]
            lines.append(
                f"  an hour         {h['simulated_s']:.0f} s in {h['wall_s']:.0f} s, resident "
                f"{samples[0]:.1f} MB after {SAMPLE_S:.0f} s, {samples[-1]:.1f} MB at the end, "
                f"peak {h['peak_mb']:.1f} MB with the report"
            )
    load = " to ".join(f"{report[when][0]:.1f}" for when in ("load_before", "load_after"))
    lines.append(f"load of the machine {load} on {report['cpus']} cores; medians")
    return "\n".join(lines)


def main(arguments=None):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--build", type=pathlib.Path, default=HERE.parent / "build/release")
    parser.add_argument("--robots", nargs="+", choices=AWAY, default=list(AWAY))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument(
        "--hour", nargs="+", choices=AWAY, default=[], help="simulate an hour of these robots too"
    )
    parser.add_argument("--tmp", help="folder for logs, some 600 MB (default: the system's)")
    parser.add_argument("--out", type=pathlib.Path, help="write all figures as JSON, for table.py")
    options = parser.parse_args(arguments)
    try:
        report = measure(options)
        print(text(report))
        if options.out:
            options.out.write_text(json.dumps(report, indent=1), encoding="utf-8")
    except (OSError, Problem) as problem:
        print(f"headless.py: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
