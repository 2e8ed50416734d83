"""Gymnasium environments with the whole stack inside: limits, delays, safety and faults as on the robot.

    import gymnasium
    env = gymnasium.make("jointrig.gym:jointrig/Reach-v0", robot="franka")

Needs gymnasium: `pip install jointrig[gym]`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Optional, Union

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from .errors import InputError, Refused
from .sim import Sim

Array = npt.NDArray[np.float64]
# The request of an action of 1, and the mode that takes it.
ACTIONS: dict[str, Any] = {"velocity": "velocity", "torque": "torque", "position": "position_direct"}


class ReachEnv(gymnasium.Env):
    """Joints of a robot reach a random goal.

    action: -1 to 1 for each joint, held for `cycles` cycles of the loop
        velocity: times `speed` times the joint's largest velocity
        position: a step of the reference by as much as that velocity goes in this time
        torque: times the joint's largest torque; the stack adds what gravity takes
    observation: q, v, then goal minus q [rad or m, rad/s or m/s]
    reward: minus the distance to the goal, as root mean square over the joints' ranges
    terminated: at the goal, and slow (info "is_success"); a fault (info "fault"); a refused command (info "refused")
    truncated: after `seconds` of the robot's time

    The task is another one where reward() or is_there() is overridden.
    """

    metadata = {"render_modes": []}

    def __init__(self, robot: str = "franka", joints: Union[str, Sequence[str]] = "all", action: str = "velocity", *,
                 cycles: int = 20, seconds: float = 5.0, speed: float = 0.5, near: float = 0.02,
                 render_mode: Optional[str] = None, **settings: Any) -> None:
        """robot, settings: as for Sim. near: distance that counts as there, as the reward has it."""
        if action not in ACTIONS:
            raise InputError(f"action \"{action}\" is none of {', '.join(ACTIONS)}")
        if cycles < 1:
            raise InputError(f"an action can't last {cycles} cycles: at least one")
        self.render_mode = render_mode
        self.sim = Sim(robot, **settings)
        self._index = self.sim.index(joints)
        self._joints = [self.sim.joints[index] for index in self._index]
        limits = {name: values[self._index] for name, values in self.sim.joint_limits.items()}
        self._low, self._high = _reachable(limits, self.sim.q[self._index])
        self._action, self._cycles, self._near = action, cycles, near
        self._most = round(seconds / (cycles * self.sim.period))
        self._scale = {"velocity": speed * limits["v_max"], "torque": limits["tau_max"],
                       "position": speed * limits["v_max"] * cycles * self.sim.period}[action]
        self.sim.set_mode(self._joints, ACTIONS[action])
        self.sim.step()
        self._begin = self.sim.save()
        self._goal = self.sim.q[self._index].copy()
        self._steps = 0
        count = len(self._joints)
        self.action_space = gymnasium.spaces.Box(-1.0, 1.0, (count,), np.float32)
        self.observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (3 * count,), np.float64)

    def reset(self, *, seed: Optional[int] = None, options: Optional[dict[str, Any]] = None) -> tuple[Array, dict]:
        """options: {"goal": positions} in place of a random one."""
        super().reset(seed=seed)
        self.sim.restore(self._begin)
        self._steps = 0
        goal = (options or {}).get("goal")
        self._goal = self.np_random.uniform(self._low, self._high) if goal is None else np.array(goal, float)
        if self._goal.shape != self._low.shape:
            raise InputError(f"the goal has {self._goal.size} values, and the robot {self._low.size} joints here")
        return self._observation(), {}

    def step(self, action: npt.ArrayLike) -> tuple[Array, float, bool, bool, dict]:
        info: dict[str, Any] = {}
        self._steps += 1
        values = np.clip(np.asarray(action, float), -1.0, 1.0) * self._scale
        try:
            self._send(values)
            self.sim.step(self._cycles)
        except Refused as refused:
            info["refused"] = str(refused)
        if self.sim.fault.any():
            info["fault"] = next(iter(self.sim.faults.values()))
        there = self.is_there()
        info["is_success"] = there
        broken = "refused" in info or "fault" in info
        return self._observation(), self.reward(), there or broken, self._steps >= self._most, info

    def reward(self) -> float:
        return -self.distance()

    def is_there(self) -> bool:
        slow = np.abs(self.sim.v[self._index]).max() < 0.1
        return bool(slow and self.distance() < self._near)

    def distance(self) -> float:
        """Root mean square over the joints' ranges."""
        way = (self._goal - self.sim.q[self._index]) / (self._high - self._low)
        return float(np.sqrt(np.mean(way * way)))

    def close(self) -> None:
        self.sim.close()

    def _send(self, values: Array) -> None:
        if self._action == "velocity":
            self.sim.velocity(self._joints, values)
        elif self._action == "torque":
            self.sim.torque(self._joints, values)
        else:
            self.sim.stream_position(self._joints, self.sim.q_ref[self._index] + values)

    def _observation(self) -> Array:
        q = self.sim.q[self._index]
        return np.concatenate([q, self.sim.v[self._index], self._goal - q])


class ThreadedVectorEnv(gymnasium.vector.VectorEnv):
    """Environments side by side in threads: a step of a Sim lets the others run.

        envs = ThreadedVectorEnv([lambda: ReachEnv("franka")] * 8, threads=4)

    An environment that ended is reset by the next step, which ignores its action (AutoresetMode.NEXT_STEP).
    """

    metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(self, makers: Sequence[Callable[[], gymnasium.Env]], threads: Optional[int] = None) -> None:
        """threads: as many as environments unless given"""
        if not makers:
            raise InputError("ThreadedVectorEnv: give at least one environment")
        self.num_envs = len(makers)
        self._pool = ThreadPoolExecutor(threads or self.num_envs, "jointrig")
        self.envs = list(self._pool.map(lambda make: make(), makers))
        self.single_observation_space = self.envs[0].observation_space
        self.single_action_space = self.envs[0].action_space
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._ended = np.zeros(self.num_envs, bool)

    def reset(self, *, seed: Union[int, Sequence[Optional[int]], None] = None,
              options: Optional[dict[str, Any]] = None) -> tuple[Array, dict]:
        """seed: one for each, or a number that counts up from the first to the last"""
        if seed is None or isinstance(seed, (int, np.integer)):
            seeds = [None if seed is None else int(seed) + index for index in range(self.num_envs)]
        else:
            seeds = list(seed)
        self._ended[:] = False
        done = list(self._pool.map(lambda env, own: env.reset(seed=own, options=options), self.envs, seeds))
        return np.stack([observation for observation, _ in done]), self._infos([info for _, info in done])

    def step(self, actions: npt.ArrayLike) -> tuple[Array, Array, npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict]:
        done = list(self._pool.map(self._step, range(self.num_envs), np.asarray(actions)))
        observations, rewards, terminated, truncated, infos = zip(*done)
        ends, cuts = np.array(terminated, bool), np.array(truncated, bool)
        self._ended = ends | cuts
        return np.stack(observations), np.array(rewards, float), ends, cuts, self._infos(infos)

    def close_extras(self, **_: Any) -> None:
        for env in self.envs:
            env.close()
        self._pool.shutdown()

    def _step(self, index: int, action: Any) -> tuple:
        if self._ended[index]:
            observation, info = self.envs[index].reset()
            return observation, 0.0, False, False, info
        return self.envs[index].step(action)

    def _infos(self, infos: Sequence[dict]) -> dict:
        together: dict[str, Any] = {}
        for index, info in enumerate(infos):
            together = self._add_info(together, info, index)
        return together


def _reachable(limits: dict[str, Array], around: Array) -> tuple[Array, Array]:
    """Goals of a joint without a range are within half a turn of where it begins."""
    low, high = limits["q_min"] + limits["soft_margin"], limits["q_max"] - limits["soft_margin"]
    return np.where(np.isfinite(low), low, around - np.pi), np.where(np.isfinite(high), high, around + np.pi)


gymnasium.register("jointrig/Reach-v0", entry_point="jointrig.gym:ReachEnv")
