#!/usr/bin/env python3
"""Cycles a second of an environment with the whole stack inside, beside bare steps of the same physics.

    PYTHONPATH=build/release/python .deps/venv/bin/python bench/gym.py [--rounds 9] [--threads 2]

    rollout   mujoco.rollout of the robot's model alone, one thread: physics without boards, stack and limits
    env       ReachEnv, random actions of 20 cycles each
    threaded  ThreadedVectorEnv of eight of them

They take turns, round by round; ratios are taken within a round, their median is shown.
"""

import argparse
import pathlib
import statistics
import time

import mujoco
import numpy as np
from jointrig.gym import ReachEnv, ThreadedVectorEnv
from mujoco import rollout

CYCLES, STEPS, ENVS = 20, 100, 8
MODEL = pathlib.Path(__file__).resolve().parents[1] / "models/franka/franka.xml"


class Rollout:
    def __init__(self):
        self.model = mujoco.MjModel.from_xml_path(str(MODEL))
        self.model.opt.timestep = 1e-3
        self.data = mujoco.MjData(self.model)
        mujoco.mj_resetDataKeyframe(self.model, self.data, 0)
        spec = mujoco.mjtState.mjSTATE_FULLPHYSICS
        self.state = np.empty(mujoco.mj_stateSize(self.model, spec))
        mujoco.mj_getState(self.model, self.data, self.state, spec)
        self.control = np.tile(self.data.ctrl, (1, CYCLES * STEPS, 1))

    def cycles_a_second(self):
        begin = time.perf_counter()
        rollout.rollout(self.model, self.data, self.state[np.newaxis], self.control)
        return CYCLES * STEPS / (time.perf_counter() - begin)


def of_steps(env, count):
    env.reset(seed=1)
    actions = [env.action_space.sample() for _ in range(STEPS)]
    begin = time.perf_counter()
    for action in actions:
        env.step(action)
    return CYCLES * STEPS * count / (time.perf_counter() - begin)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    bare, env = Rollout(), ReachEnv("franka", "arm", cycles=CYCLES, seconds=1e6)
    envs = ThreadedVectorEnv([lambda: ReachEnv("franka", "arm", cycles=CYCLES, seconds=1e6)] * ENVS, options.threads)
    taken = {"rollout": [], "env": [], "threaded": []}
    for _ in range(options.rounds):
        taken["rollout"].append(bare.cycles_a_second())
        taken["env"].append(of_steps(env, 1))
        taken["threaded"].append(of_steps(envs, ENVS))
    for name, figures in taken.items():
        ratio = statistics.median(own / base for own, base in zip(figures, taken["rollout"]))
        print(f"{name:9} {statistics.median(figures):9.0f} cycles a second, {ratio:.2f} of rollout")
    envs.close()


if __name__ == "__main__":
    main()
