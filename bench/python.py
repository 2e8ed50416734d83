#!/usr/bin/env python3
"""Cost of a cycle from Python beyond the loop itself, in one process, in the same states.

    PYTHONPATH=build/release/python .deps/venv/bin/python bench/python.py [--rounds 400] [--out python.json]

In each round a robot goes through the same tenth of a second several times from one saved state, one way after the
other:

    loop        step(100): the loop in C++, entered once
    steps       100 times step()
    reading     the same, with a number read from a view in each
    streaming   the same, with a position for all joints streamed in each

Differences to `loop` are taken within a round; median and quartiles of the rounds are shown, in µs a cycle, of processor
time. The goal is 1 µs for `steps`. A pendulum shows it best: its loop is short, and the call costs the same for any robot.
"""

import argparse
import json
import pathlib
import statistics
import tempfile
import time

import jointrig

CYCLES = 100
GOAL_US = 1.0
PENDULUM = """<mujoco model="pendulum"><worldbody><body><joint name="hinge" axis="0 1 0" range="-90 90"/>
<geom size="0.02" fromto="0 0 0 0 0 -0.5" type="capsule"/></body></worldbody>
<actuator><motor joint="hinge" forcerange="-50 50"/></actuator></mujoco>"""


def loop(sim):
    sim.step(CYCLES)


def steps(sim):
    step = sim.step
    for _ in range(CYCLES):
        step()


def reading(sim):
    step, q = sim.step, sim.q
    for _ in range(CYCLES):
        step()
        q[0]


def streaming(sim):
    step, send, goal = sim.step, sim.stream_position, sim.q_ref.tolist()
    for _ in range(CYCLES):
        send("all", goal)
        step()


WAYS = (loop, steps, reading, streaming)


def us_a_cycle(sim, saved, way):
    sim.restore(saved)
    begin = time.thread_time()
    way(sim)
    return (time.thread_time() - begin) / CYCLES * 1e6


def measure(robot, rounds):
    """The robot's name, µs a cycle of the loop, and {way: [µs a cycle more than that, round by round]}."""
    sim = jointrig.Sim(robot)
    sim.set_mode("all", "position_direct")
    sim.step(100)
    saved = sim.save()
    for way in WAYS:
        us_a_cycle(sim, saved, way)
    taken = {way.__name__: [] for way in WAYS}
    for index in range(rounds):
        for way in WAYS[index % len(WAYS):] + WAYS[:index % len(WAYS)]:  # none always comes first
            taken[way.__name__].append(us_a_cycle(sim, saved, way))
    more = {name: [a - b for a, b in zip(times, taken["loop"])] for name, times in taken.items() if name != "loop"}
    return sim.name, statistics.median(taken["loop"]), more


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=400)
    parser.add_argument("--robot", action="append", help="as often as wanted; a pendulum and franka unless given")
    parser.add_argument("--out", type=pathlib.Path)
    options = parser.parse_args()
    figures = {}
    folder = tempfile.TemporaryDirectory()
    pendulum = pathlib.Path(folder.name, "pendulum.xml")
    pendulum.write_text(PENDULUM)
    for robot in options.robot or [pendulum, "franka"]:
        robot, own, more = measure(robot, options.rounds)
        figures[robot] = {"loop_us": own, "more_us": {}}
        print(f"{robot}: {own:.2f} µs a cycle in the loop")
        for way, differences in more.items():
            low, middle, high = statistics.quantiles(differences, n=4)
            figures[robot]["more_us"][way] = {"low": low, "median": middle, "high": high}
            goal = f", goal {GOAL_US:g}" if way == "steps" else ""
            print(f"  {way:10} {middle:+.2f} µs more ({low:+.2f} to {high:+.2f}{goal})")
    if options.out:
        options.out.write_text(json.dumps(figures, indent=2) + "\n")


if __name__ == "__main__":
    main()
