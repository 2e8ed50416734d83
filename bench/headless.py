#!/usr/bin/env python3
"""Speed and memory of headless runs: the whole of `jointrig run`, log, judge and report included.

    bench/headless.py                                      some minutes; the release build
    bench/headless.py --hour --out build/headless.json     and an hour of simulated time of each robot

In each round, one after the other: bare mj_step calls (jointrig_bench), two such loops at once, a scenario with two
seeds with one job, then with two. Figures are medians of the rounds; ratios are taken within a round.

    bare        simulated time over the wall clock's, of mj_step calls alone
    speed       the same of a scenario, its log written meanwhile, as `jointrig run` prints it
    of_bare     the second over the first
    cpu_of_bare processor time of bare steps over that of the whole command, all its threads: other programs on the
                machine hardly touch it
    two_bare    two bare loops at once, as fast as one: what the machine's cores can give
    two_jobs    wall clock of the whole command with one job over that with two
    peak_mb     resident memory of the whole command, at most

The hour's log goes to /dev/null, at its full rate. Only the standard library is needed.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
SCENARIO = HERE / "to_and_fro.yaml"
# A pose of the robot, and the simulated time from home there and back [s], about.
ROBOTS = {"franka": ("above_table", 2.02), "icub_upper_body": ("arms_forward", 1.88)}
RUN_S = {"franka": 120.0, "icub_upper_body": 30.0}  # simulated, of a scenario: about a second, a log of 250 MB
SAMPLE_S = 1.0  # between looks at the memory, on the wall clock
MB = 1e6


class Problem(Exception):
    """A mistake of the user's, in a sentence."""


class Finished:
    """A command that ran to its end: what it took."""

    def __init__(self, command, watch=lambda pid: None):
        command = [str(word) for word in command]
        begin = time.monotonic()
        process = subprocess.Popen(
            command, cwd=HERE.parent, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        output = []
        reader = threading.Thread(target=lambda: output.append(process.stdout.read()))
        reader.start()
        while reader.is_alive():
            watch(process.pid)
            reader.join(SAMPLE_S)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.wall_s = time.monotonic() - begin
        self.cpu_s = usage.ru_utime + usage.ru_stime
        self.peak_mb = usage.ru_maxrss * 1024 / MB
        if process.returncode != 0:
            raise Problem(f"{' '.join(command)} ended with {process.returncode}:\n{output[0]}")


def bare_step(build, robot, out):
    """Wall clock and processor time of one mj_step [s]."""
    Finished(
        [build / "bench/jointrig_bench", "--robot", f"{robot}={robot}", f"--benchmark_out={out}",
         f"--benchmark_filter=^{robot}/mj_step$", "--benchmark_min_time=0.5"]
    )  # fmt: skip
    (entry,) = json.loads(out.read_text(encoding="utf-8"))["benchmarks"]
    return entry["real_time"] * 1e-9, entry["cpu_time"] * 1e-9


def run(build, robot, out, sim_s, settings=(), **finished):
    """The command with its scenario to and fro for `sim_s`, and what it says of its scenarios."""
    there, round_s = ROBOTS[robot]
    done = Finished(
        [build / "app/jointrig", "run", SCENARIO, "--overwrite", "--out", out, *settings,
         "--set", f"parameters.robot={robot}", "--set", f"parameters.there={there}",
         "--set", f"parameters.rounds={round(sim_s / round_s)}"],
        **finished,
    )  # fmt: skip
    return done, json.loads((out / "result.json").read_text(encoding="utf-8"))["scenarios"]


def two_bare_steps(build, robot, folder):
    """Wall clock of one mj_step [s] where two loops run at once, on the average."""
    with concurrent.futures.ThreadPoolExecutor() as pool:
        outs = [folder / f"bare_{i}.json" for i in range(2)]
        return statistics.mean(
            wall for wall, _ in pool.map(lambda out: bare_step(build, robot, out), outs)
        )


def one_round(build, robot, folder):
    step_wall, step_cpu = bare_step(build, robot, folder / "bare.json")
    two_bare = 2 * step_wall / two_bare_steps(build, robot, folder)
    one, scenarios = run(build, robot, folder / "one", RUN_S[robot], ["--jobs", "1"])
    shutil.rmtree(folder / "one")  # before the system writes it to the disk meanwhile
    two, _ = run(build, robot, folder / "two", RUN_S[robot], ["--jobs", "2"])
    shutil.rmtree(folder / "two")
    cycles = sum(scenario["cycles"] for scenario in scenarios)
    sim_s = sum(scenario["sim_time"] for scenario in scenarios)
    wall_s = sum(scenario["wall_time"] for scenario in scenarios)
    return {
        "bare": sim_s / (cycles * step_wall),
        "speed": sim_s / wall_s,
        "of_bare": cycles * step_wall / wall_s,
        "cpu_of_bare": cycles * step_cpu / one.cpu_s,
        "two_bare": two_bare,
        "two_jobs": one.wall_s / two.wall_s,
        "peak_mb": one.peak_mb,
    }


def resident_mb(pid):
    pages = int(pathlib.Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / MB


def hour(build, robot, folder):
    """Resident memory every SAMPLE_S while an hour is simulated."""
    log = folder / "hour/to_and_fro_seed=1_/log.mcap"  # where jointrig puts this scenario's
    log.parent.mkdir(parents=True)
    log.symlink_to(os.devnull)
    samples = []
    done, (scenario,) = run(
        build, robot, folder / "hour", 3600.0, ["--set", "matrix.seed=[1]"],
        watch=lambda pid: samples.append(round(resident_mb(pid), 1)),
    )  # fmt: skip
    if not log.is_symlink():
        raise Problem(f"the log of the hour isn't at {log.name}, or doesn't go to {os.devnull}")
    tenth = max(1, len(samples) // 10)
    return {
        "sim_s": scenario["sim_time"],
        "wall_s": done.wall_s,
        "early_mb": samples[tenth],
        "late_mb": samples[-tenth],
        "peak_mb": done.peak_mb,
        "samples_mb": samples,
    }


def measure(options):
    build = options.build.resolve()
    report = {"load": [os.getloadavg()[0]], "cpus": os.cpu_count(), "robots": {}}
    with tempfile.TemporaryDirectory(dir=options.tmp) as name:
        folder = pathlib.Path(name)
        rounds = {robot: [] for robot in options.robots}
        for i in range(options.rounds):
            for robot in options.robots:
                print(f"round {i + 1} of {options.rounds}: {robot}", file=sys.stderr)
                rounds[robot].append(one_round(build, robot, folder))
        for robot, measured in rounds.items():
            medians = {key: statistics.median(m[key] for m in measured) for key in measured[0]}
            report["robots"][robot] = medians | {"rounds": measured}
        for robot in options.robots if options.hour else ():
            print(f"an hour of {robot}", file=sys.stderr)
            report["robots"][robot]["hour"] = hour(build, robot, folder / robot)
    report["load"].append(os.getloadavg()[0])
    return report


def main(arguments=None):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--build", type=pathlib.Path, default=HERE.parent / "build/release")
    parser.add_argument("--robots", nargs="+", choices=ROBOTS, default=list(ROBOTS))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--hour", action="store_true", help="simulate an hour of each robot too")
    parser.add_argument("--tmp", help="folder for logs, some 600 MB (default: the system's)")
    parser.add_argument("--out", type=pathlib.Path, help="write the figures here, for table.py")
    options = parser.parse_args(arguments)
    try:
        text = json.dumps(measure(options), indent=1)
        options.out.write_text(text, encoding="utf-8") if options.out else print(text)
    except (OSError, Problem) as problem:
        print(f"headless.py: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
