#!/usr/bin/env python3
"""Others' solvers beside the core of whole-body control, on standing robots in the same states.

    bench/peers/whole_body_peers.py --build build/release                 prints its tables, some two minutes
    bench/peers/whole_body_peers.py --build build/release --states 500    fewer states
    bench/peers/whole_body_peers.py --robot talos                         one robot: icub, talos

iCub beside placo 0.10.2, Talos beside TSID 1.7.1, both from PyPI. The first call makes an environment of its own for each
under the build directory; nothing of it is used elsewhere. Before anything is measured both must agree on the robot's mass.

Tasks, gains and weights of both are the same: centre of mass, orientation of the torso, posture, both soles at rest, squares
of the soles' wrenches, with placo squares and limits of torques, with TSID friction pyramids and the largest force of a sole.
States are at random about a pose, moving; and consecutive cycles of a motion about it, as a loop has them. Talos has them
six times as far as well: there constraints are active in half of the states. A batch of ours
is followed by the same one of the other's, all states in nine turns, so that the machine's load falls on both. The median of
a state's nine times is its time, and the 99th percentile is over states; the same of a state's fastest turn tells what is
left of the tail without the machine's load. A time is the thread's own, of the whole computation: model, program, solution;
of the others it is taken from Python, around calls of C++. Torques that are apart by more than 1e-6 of the largest one end
it with a sentence, unless the other's solution violates its own constraints by more than 1 mN there: these are counted.
"""

import argparse
import itertools
import json
import pathlib
import statistics
import subprocess
import sys

import placo_icub
import tsid_talos
from environments import environment
from whole_body_states import along_a_motion, at_random, numbers

PEERS = {peer.ROBOT: peer for peer in (placo_icub, tsid_talos)}
STATES = {"at random": at_random, "in a motion": along_a_motion}
BATCH, TURNS, AGREE, TAIL = 500, 9, 1e-6, 1.5
VIOLATED = 1e-3  # N: a solution that leaves its constraints so far is none



def share(times, of):
    return sorted(times)[min(len(times) - 1, int(of * len(times)))]


class Ours:
    """wholebody_states as a process of its own."""

    def __init__(self, build, robot, path):
        command = [str(build / "bench" / "wholebody_states"), robot, str(path)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.head = json.loads(self.process.stdout.readline())

    def want(self, state):
        self.process.stdin.write(numbers(state) + "\n")

    def solve(self, states):
        """Time [us], whether it was solved, iterations and torques of each state."""
        self.process.stdin.write(f"{len(states)}\n" + "".join(numbers(state) + "\n" for state in states))
        self.process.stdin.flush()
        for _ in states:
            took, solved, iterations, *torques = map(float, self.process.stdout.readline().split())
            yield took, solved == 1, iterations, torques

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def measure(ours, other, states):
    """Each state's times of ours, the other's [states, turns], how far torques are apart at most; and by how much the other
    violates constraints in states where that is why they are apart: numbers of these states, and violations [N]."""
    import numpy as np

    own, its = np.zeros((len(states), TURNS)), np.zeros((len(states), TURNS))
    apart, violated = 0.0, {}
    for turn in range(TURNS):
        for first in range(0, len(states), BATCH):
            batch = states[first : first + BATCH]
            for i, (own[i, turn], solved, _, torques) in enumerate(ours.solve(batch), first):
                its[i, turn], success, theirs = other.solve(states[i])
                if not (solved and success):
                    sys.exit(f"no solution: of ours {solved}, of the other's {success}")
                difference = np.abs(np.array(torques) - theirs).max() / np.abs(theirs).max()
                if difference > AGREE and (by := other.violation(states[i])) > VIOLATED:
                    violated[i] = by
                else:
                    apart = max(apart, difference)
    return own, its, apart, violated


def shares(times):
    medians, fastest = ([of(turns) for turns in times] for of in (statistics.median, min))
    return {"p50": share(medians, 0.5), "p99": share(medians, 0.99),
            "least_p50": share(fastest, 0.5), "least_p99": share(fastest, 0.99)}  # fmt: skip


def compare(build, robot, count):
    import numpy as np

    peer = PEERS[robot]
    path = peer.model_file(build / "peers" / peer.NAME.lower())
    ours = Ours(build, robot, path)
    home = np.array(peer.home(ours.head))
    ours.want(home)
    other = peer.Solver(path, ours.head, home)
    if abs(other.mass - ours.head["mass"]) > 1e-9:
        sys.exit(f"{peer.NAME}'s robot weighs {other.mass} kg, ours {ours.head['mass']}: this is another robot")
    rows, furthest, violations = {}, 0.0, []
    for reach, (which, states_of) in itertools.product(peer.REACHES, STATES.items()):
        own, its, apart, violated = measure(ours, other, list(states_of(home, count, reach)))
        furthest = max(furthest, apart)
        violations += violated.values()
        name = which if reach == 1 else f"{which}, {reach} times as far"
        rows[name] = {"jointrig": shares(own.tolist()), peer.NAME: shares(its.tolist())}
    ours.end()
    print(json.dumps({"rows": rows, "apart": furthest, "violations": violations}))


def require_agreement(result):
    if not result["apart"] <= AGREE:
        sys.exit(f"torques are {result['apart']:.3g} of the largest one apart, {AGREE} is allowed: {result}")


def without(peer, violations):
    if not violations:
        return ""
    return (f", without {len(violations)} in which {peer.NAME} ends with a constraint violated by up to "
            f"{max(violations):.1g} N")  # fmt: skip


def table(peer, result):
    print(f"| {peer.TITLE} | states | median | p99 | p99 over median | the same of the fastest turns | goal "
          f"| median of {peer.NAME}'s | goal |")  # fmt: skip
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for which, row in result["rows"].items():
        for name, times in row.items():
            p50, p99 = times["p50"], times["p99"]
            least = times["least_p99"] / times["least_p50"]
            cells = [name, which, f"{p50:.0f} µs", f"{p99:.0f} µs", f"{p99 / p50:.2f}", f"{least:.2f}"]
            is_ours = name == "jointrig"
            cells += [f"{TAIL}", f"{p50 / row[peer.NAME]['p50']:.2f}", f"{peer.GOAL}"] if is_ours else ["", "1", ""]
            print(f"| {' | '.join(cells)} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/release"))
    parser.add_argument("--states", type=int, default=5_000)
    parser.add_argument("--robot", choices=PEERS, action="append")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    robots = arguments.robot or list(PEERS)
    if arguments.inside:
        compare(arguments.build, robots[0], arguments.states)
        return
    for robot in robots:
        peer = PEERS[robot]
        python = environment(arguments.build, peer.NAME.lower(), peer.PINS)
        done = subprocess.run([str(python), __file__, "--inside", "--build", str(arguments.build), "--robot", robot,
                               "--states", str(arguments.states)], check=True, stdout=subprocess.PIPE, text=True)  # fmt: skip
        result = json.loads(done.stdout.splitlines()[-1])
        require_agreement(result)
        print(f"Torques of both are the same to {result['apart']:.1g} of the largest one, "
              f"in {arguments.states} states of each kind{without(peer, result['violations'])}.\n")  # fmt: skip
        table(peer, result)
        print()


if __name__ == "__main__":
    main()
