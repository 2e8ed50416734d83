#!/usr/bin/env python3
"""Klampt's RobotInterfaceCompleter beside ours: what completion costs a cycle, at 7 and 41 joints.

    bench/peers/klampt_completer.py --build build/release          prints its table, under a minute

The first call makes an environment of its own under the build directory, with klampt 0.10.1.post1 from PyPI; nothing
of it is used elsewhere. Its completer stands on a base that has what it needs at least: sensedPosition, setPosition
and controlRate, which cost next to nothing. Ours is jointrig::Robot on backend
kinematic, where the stack makes velocities of positions, too (bench/completion_bench.cpp). A cycle is begin_step, the command, end_step; from ours the
loop's own step is taken away, from theirs the base's calls. `set_position` is native: in one row the loop gets the same
samples by its inbox, in another it holds, so that all it does with samples counts as ours, too. The command is for all joints, so many as the table says:
7 of the Franka's arm, 41 of the iCub's upper body. Both are measured twice, by turns.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import time
import warnings

from environments import environment

PINS = ["klampt==0.10.1.post1", "numpy==2.4.6"]
JOINTS = {"franka": 7, "icub": 41}
CYCLES = 10_000
GOAL = 20  # times cheaper


def completed(joints):
    """A base of so many joints that takes positions alone, and its completer."""
    from klampt.control.robotinterface import RobotInterfaceBase
    from klampt.control.robotinterfaceutils import RobotInterfaceCompleter

    class Base(RobotInterfaceBase):
        def __init__(self):
            RobotInterfaceBase.__init__(self, name="base")
            self.q = [0.0] * joints

        def initialize(self):
            return True

        def numJoints(self, part=None):
            return joints

        def controlRate(self):
            return 1000.0

        def sensedPosition(self):
            return self.q

        def setPosition(self, q):
            self.q = q

    base = Base()
    robot = RobotInterfaceCompleter(base)
    if not robot.initialize():
        sys.exit("klampt's completer was not initialized")
    return base, robot


def cost(joints, command, begin=None):
    """Median time of a cycle less that of the base's calls [us], and where the first joint ended."""
    base, robot = completed(joints)
    times, own = [], []
    for cycle in range(CYCLES):
        started = time.perf_counter_ns()
        robot.beginStep()
        if cycle == 10 and begin:
            begin(robot)
        command(robot, cycle)
        robot.endStep()
        times.append(time.perf_counter_ns() - started)
        started = time.perf_counter_ns()
        base.controlRate(), base.sensedPosition(), base.setPosition(base.q)
        own.append(time.perf_counter_ns() - started)
    return 1e-3 * (statistics.median(times) - statistics.median(own)), base.q[0]


def measure():
    """As completion_bench prints it."""
    warnings.simplefilter("ignore")
    results = {}
    for name, joints in JOINTS.items():
        ramp = [[1e-7 * cycle] * joints for cycle in range(CYCLES)]
        speeds = [[0.01] * joints, [-0.01] * joints]
        nothing, _ = cost(joints, lambda robot, cycle: None)
        position, at = cost(joints, lambda robot, cycle: robot.setPosition(ramp[cycle]))
        went(at, 1e-7 * (CYCLES - 1), "setPosition")
        velocity, at = cost(joints, lambda robot, cycle: robot.setVelocity(speeds[cycle // 100 % 2]))
        went(at, 0.0, "setVelocity")
        end = 1e-3 * CYCLES
        linear, at = cost(joints, lambda robot, cycle: None, lambda robot: robot.setPiecewiseLinear(
            [0.5 * end, 2.0 * end], [[0.1] * joints, [0.4] * joints]))  # fmt: skip
        went(at, 0.2, "setPiecewiseLinear")
        results[name] = {"nothing_us": nothing, "native_us": position, "position_us": position,
                         "velocity_us": velocity, "linear_us": linear}  # fmt: skip
    print(json.dumps(results))


def went(at, wanted, call):
    """A measured call has to work."""
    if abs(at - wanted) > 2e-3:
        sys.exit(f"klampt's {call} brought the first joint to {at:.4f} in place of {wanted:.4f}")


def table(ours, theirs):
    calls = {"nothing_us": "no command", "native_us": "`set_position` in each cycle",
             "position_us": "the same over a loop that holds",
             "velocity_us": "`set_velocity` in each cycle, emulated", "linear_us": "`set_piecewise_linear` followed"}  # fmt: skip
    print("| joints | completion of a cycle | klampt | jointrig | times cheaper | goal |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name, joints in JOINTS.items():
        for key, words in calls.items():
            other, own = (statistics.median(run[name][key] for run in runs) for runs in (theirs, ours))
            print(f"| {joints} | {words} | {other:.1f} µs | {own:.2f} µs | {other / own:.0f} | {GOAL} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/release"))
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.inside:
        measure()
        return
    python = environment(arguments.build, "klampt", PINS)

    def result(*command):
        done = subprocess.run(list(map(str, command)), check=True, stdout=subprocess.PIPE, text=True)
        return json.loads(done.stdout[done.stdout.index("{"):])

    ours, theirs = [], []
    for _ in range(2):
        ours.append(result(arguments.build / "bench" / "completion_bench"))
        theirs.append(result(python, __file__, "--inside"))
    table(ours, theirs)


if __name__ == "__main__":
    main()
