"""jointrig.gym: Gymnasium's own check, determinism, threads, and what an action means."""

import unittest
import warnings

import gymnasium
import jointrig
import numpy as np
from gymnasium.utils.env_checker import check_env
from jointrig.gym import ReachEnv, ThreadedVectorEnv


class Reach(unittest.TestCase):
    def test_gymnasium_checks_it_with_every_kind_of_action(self):
        for action in ("velocity", "position", "torque"):
            with self.subTest(action), warnings.catch_warnings():
                warnings.filterwarnings("ignore", ".*observation space (minimum|maximum) value is.*")
                warnings.filterwarnings("ignore", ".*not within the observation space.*", append=True)
                check_env(ReachEnv("franka", "arm", action), skip_render_check=True)

    def test_it_is_registered(self):
        env = gymnasium.make("jointrig.gym:jointrig/Reach-v0", joints="arm", seconds=0.1)
        env.reset(seed=1)
        ends = [env.step(env.action_space.sample())[3] for _ in range(5)]
        self.assertEqual(ends, [False] * 4 + [True])

    def test_one_as_velocity_moves_a_joint_at_that_share_of_its_most(self):
        env = ReachEnv("franka", "panda_joint1", "velocity", speed=0.4)
        env.reset(seed=1)
        for _ in range(25):
            observation, *_ = env.step([1.0])
        most = env.sim.joint_limits["v_max"][0]
        self.assertAlmostEqual(observation[1], 0.4 * most, delta=0.01 * most)

    def test_a_policy_that_goes_straight_reaches_the_goal(self):
        env = ReachEnv("franka", "arm", "velocity", near=0.01, seconds=20.0)
        observation, _ = env.reset(seed=3, options={"goal": [0.4, -0.3, 0.2, -1.8, 0.1, 1.9, 0.5]})
        rewards = []
        for _ in range(1000):
            observation, reward, ended, cut, info = env.step(np.clip(3.0 * observation[14:], -1.0, 1.0))
            rewards.append(reward)
            if ended or cut:
                break
        self.assertTrue(info["is_success"], info)
        self.assertGreater(rewards[-1], -0.01)
        self.assertLess(rewards[0], -0.05)

    def test_equal_seeds_and_actions_give_equal_bits_after_any_past(self):
        def episode(env, seed):
            env.action_space.seed(5)
            first, _ = env.reset(seed=seed)
            return np.concatenate([first] + [env.step(env.action_space.sample())[0] for _ in range(20)])

        env, other = ReachEnv("franka", "arm"), ReachEnv("franka", "arm")
        once = episode(env, 7)
        self.assertFalse(np.array_equal(episode(env, 8), once))
        np.testing.assert_array_equal(episode(env, 7), once)
        np.testing.assert_array_equal(episode(other, 7), once)

    def test_a_fault_ends_an_episode_and_is_told(self):
        env = ReachEnv("franka", "arm")
        env.reset(seed=1)
        env.sim.inject_fault("over_current", "panda_joint4")
        for _ in range(5):
            *_, ended, _, info = env.step(np.zeros(7))
        self.assertTrue(ended)
        self.assertEqual(info["fault"], "over_current")
        env.reset(seed=1)
        self.assertEqual(env.sim.faults, {})

    def test_bad_input_is_one_sentence(self):
        with self.assertRaisesRegex(jointrig.InputError, 'action "speed" is none of velocity, torque, position'):
            ReachEnv("franka", action="speed")
        with self.assertRaisesRegex(jointrig.InputError, "the goal has 2 values, and the robot 7 joints here"):
            ReachEnv("franka", "arm").reset(options={"goal": [0.0, 0.1]})


class Threads(unittest.TestCase):
    def test_side_by_side_gives_what_one_after_the_other_gives(self):
        count = 4
        envs = ThreadedVectorEnv([lambda: ReachEnv("franka", "arm", seconds=0.2)] * count, threads=3)
        alone = [ReachEnv("franka", "arm", seconds=0.2) for _ in range(count)]
        observations, _ = envs.reset(seed=10)
        for index, env in enumerate(alone):
            np.testing.assert_array_equal(observations[index], env.reset(seed=10 + index)[0])
        envs.action_space.seed(2)
        ended = [False] * count
        for _ in range(25):  # over two ends of ten steps each
            actions = envs.action_space.sample()
            observations, rewards, ends, cuts, infos = envs.step(actions)
            for index, env in enumerate(alone):
                if ended[index]:
                    expected = (env.reset()[0], 0.0, False, False)
                else:
                    expected = env.step(actions[index])[:4]
                np.testing.assert_array_equal(observations[index], expected[0])
                self.assertEqual((rewards[index], ends[index], cuts[index]), expected[1:])
                ended[index] = expected[2] or expected[3]
        self.assertEqual(observations.shape, envs.observation_space.shape)
        envs.close()
        self.assertTrue(all(env.sim.closed for env in envs.envs))


if __name__ == "__main__":
    unittest.main()
