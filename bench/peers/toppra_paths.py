#!/usr/bin/env python3
"""TOPP-RA of PyPI beside the trajectory planner, on the same random paths of 7 joints.

    bench/peers/toppra_paths.py --build build/release

The first call makes an environment of its own under the build directory, with toppra 0.6.10 from PyPI; nothing of it
is used elsewhere. Both get the same spline: cubic and natural at both ends, over the chords' lengths in units of the
joints' largest speeds. toppra is given 1000 points of grid at least, and its own solver (seidel). For each number
of waypoints the table has the time to plan (median of the paths), and the ratio of the durations: ours is longer where
toppra's bounds hold on its grid alone, and ours in between, too.
"""

import argparse
import pathlib
import random
import statistics
import subprocess
import time

from environments import environment

PINS = ["toppra==0.6.10", "numpy==2.4.6", "scipy==1.17.1"]
JOINTS = 7
V = [2.175, 2.175, 2.175, 2.175, 2.61, 2.61, 2.61]
A = [15.0, 7.5, 10.0, 12.5, 15.0, 20.0, 20.0]


def random_paths(points, paths, seed):
    source = random.Random(seed)
    return [[[source.uniform(-1.5, 1.5) for _ in range(JOINTS)] for _ in range(points)] for _ in range(paths)]


def ours(build, paths):
    lines = [" ".join(map(str, [JOINTS, len(path), *V, *A, *(q for point in path for q in point)])) for path in paths]
    answer = subprocess.run([str(build / "bench" / "plan_paths")], input="\n".join(lines), text=True, check=True,
                            stdout=subprocess.PIPE).stdout
    return [tuple(map(float, line.split())) for line in answer.splitlines()]


def theirs(path):
    """Duration and milliseconds; run in the environment."""
    import numpy
    import toppra
    import toppra.algorithm
    import toppra.constraint
    points = numpy.array(path)
    chords = numpy.linalg.norm(numpy.diff(points, axis=0) / numpy.array(V), axis=1)
    knots = numpy.concatenate([[0.0], numpy.cumsum(chords)])
    began = time.perf_counter()
    spline = toppra.SplineInterpolator(knots, points, bc_type="natural")
    bounds = [toppra.constraint.JointVelocityConstraint(numpy.array([[-v, v] for v in V])),
              toppra.constraint.JointAccelerationConstraint(numpy.array([[-a, a] for a in A]))]
    inner = max(1000 // (len(path) - 1), 10)
    grid = numpy.unique(numpy.concatenate([numpy.linspace(a, b, inner + 1) for a, b in zip(knots, knots[1:])]))
    timing = toppra.algorithm.TOPPRA(bounds, spline, gridpoints=grid, solver_wrapper="seidel",
                                     parametrizer="ParametrizeConstAccel")
    trajectory = timing.compute_trajectory(0, 0)
    return trajectory.duration, 1e3 * (time.perf_counter() - began)


def compare(build, seed):
    import toppra
    toppra.setup_logging("ERROR")
    print("| waypoints | paths | ours [ms] | toppra [ms] | duration, ours / toppra |")
    print("| --- | --- | --- | --- | --- |")
    for points, count in ((5, 50), (50, 20), (500, 5)):
        paths = random_paths(points, count, seed)
        mine = ours(build, paths)
        other = [theirs(path) for path in paths]
        ratio = [m[0] / o[0] for m, o in zip(mine, other)]
        print(f"| {points} | {count} | {statistics.median(m[1] for m in mine):.2f} "
              f"| {statistics.median(o[1] for o in other):.1f} "
              f"| {statistics.mean(ratio):.4f} ({min(ratio):.4f} to {max(ratio):.4f}) |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/release"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.inside:
        compare(arguments.build, arguments.seed)
        return
    python = environment(arguments.build, "toppra", PINS)
    subprocess.run([str(python), __file__, "--inside", "--build", str(arguments.build), "--seed", str(arguments.seed)],
                   check=True)


if __name__ == "__main__":
    main()
