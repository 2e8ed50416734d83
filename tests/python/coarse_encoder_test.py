"""Arms with coarse encoders stand still: robosuite's, with no line of configuration but the encoder's step."""

import importlib.util
import pathlib
import unittest

import jointrig
import numpy as np

ROBOTS = pathlib.Path(importlib.util.find_spec("robosuite").submodule_search_locations[0]) / "models/assets/robots"
BITS = {12: 2 * np.pi / 4096, 14: 2 * np.pi / 16384}


class CoarseEncoders(unittest.TestCase):
    def held(self, robot, step, **keys):
        sim = jointrig.Sim(ROBOTS / robot / "robot.xml", defaults={"board": {"encoder_step": step}}, **keys)
        sim.set_mode("all", "position")
        sim.run(1.0)
        return sim

    def test_a_held_arm_moves_by_no_more_than_two_steps_of_its_encoders(self):
        for robot in ("baxter", "sawyer", "ur5e", "spot_arm"):
            for bits, step in BITS.items():
                for mass in (1.0, 1.2):
                    with self.subTest(robot=robot, bits=bits, mass=mass):
                        sim = self.held(robot, step, plant={"mass_scale": mass})
                        low, high = sim.q.copy(), sim.q.copy()
                        for _ in range(1500):
                            sim.step()
                            low, high = np.minimum(low, sim.q), np.maximum(high, sim.q)
                        self.assertLess(np.max(high - low), 2.5 * step, sim.joints[int(np.argmax(high - low))])

    def test_a_move_arrives_and_does_not_overshoot(self):
        for bits, step in BITS.items():
            with self.subTest(bits=bits):
                sim = self.held("ur5e", step)
                joint = sim.joints[1]
                start = sim.q[1]
                sim.move(joint, start + 0.2, speed=0.5)
                most = 0.0
                for _ in range(2000):
                    sim.step()
                    most = max(most, sim.q[1] - start - 0.2)
                self.assertLess(most, 0.05 * 0.2)
                self.assertLess(abs(sim.q[1] - start - 0.2), 2.5 * step)

    def test_the_position_that_is_told_is_the_reading_in_whole_steps(self):
        sim = self.held("ur5e", BITS[12])
        sim.move(sim.joints[1], sim.q[1] + 0.1, speed=0.5)
        for _ in range(200):
            sim.step()
            steps = sim.q / BITS[12]
            np.testing.assert_allclose(steps, np.round(steps), atol=1e-6)

    def test_a_run_goes_on_from_a_saved_state_to_the_bit(self):
        sim = self.held("sawyer", BITS[14])
        saved = sim.save()
        sim.run(0.3)
        once = (sim.q.copy(), sim.v.copy(), sim.tau_cmd.copy())
        sim.restore(saved)
        sim.run(0.3)
        for a, b in zip(once, (sim.q, sim.v, sim.tau_cmd)):
            np.testing.assert_array_equal(a, b)


if __name__ == "__main__":
    unittest.main()
