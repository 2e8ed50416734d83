"""Sim.obstacle(): solid things that appear in the world while a robot runs."""

import pathlib
import tempfile
import unittest

import jointrig
import numpy as np

# A ball of 5 cm on a slide along x that no gravity acts on.
SLIDE = """<mujoco>
  <option gravity="0 0 0"/>
  <worldbody><body name="ball"><joint name="slide" type="slide" axis="1 0 0" range="-1 1" damping="5"/>
    <geom name="ball" type="sphere" size="0.05" mass="1"/></body></worldbody>
  <actuator><motor joint="slide" ctrlrange="-20 20"/></actuator>
</mujoco>
"""
BLOCK = {"block": {"shape": "box", "size": [0.05, 0.2, 0.2]}, "post": {"shape": "cylinder", "size": [0.05, 0.2]},
         "stone": {"shape": "sphere", "size": 0.05}}


class InTheWay(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.model = str(pathlib.Path(folder.name, "slide.xml"))
        pathlib.Path(self.model).write_text(SLIDE)

    def pushed(self, sim, seconds, force=5.0):
        for _ in range(round(seconds / 0.05)):
            sim.torque("slide", force)
            sim.run(0.05)

    def in_torque(self, **options):
        sim = jointrig.Sim(self.model, collision_detection={"on": False}, **options)
        sim.set_mode("slide", "torque")
        sim.run(0.1)
        return sim

    def test_a_ball_that_is_pushed_rests_at_it_with_the_force_of_the_push(self):
        for name in BLOCK:
            with self.subTest(name):
                sim = self.in_torque(obstacles=BLOCK)
                self.assertEqual(sim.truth(f"contact.{name}.force"), 0.0)
                there = sim.obstacle(name, [0.3, 0.0, 0.0])
                self.pushed(sim, 2.0)
                # Its middle less the two halves; the contact gives way by some tenths of a millimetre.
                self.assertAlmostEqual(sim.q[0], 0.3 - 0.05 - 0.05, delta=2e-3)
                self.assertAlmostEqual(sim.truth(f"contact.{name}.force"), 5.0, delta=0.05)
                there.end()
                self.pushed(sim, 0.3)
                self.assertGreater(sim.q[0], 0.25)
                self.assertEqual(sim.truth(f"contact.{name}.force"), 0.0)

    def test_one_that_is_turned_stands_as_it_is_turned(self):
        sim = self.in_torque(obstacles=BLOCK)
        quarter = np.sqrt(0.5)
        sim.obstacle("block", [0.4, 0.0, 0.0], [quarter, 0.0, 0.0, quarter])  # about z: 0.2 m along x
        self.pushed(sim, 2.0)
        self.assertAlmostEqual(sim.q[0], 0.4 - 0.2 - 0.05, delta=2e-3)

    def test_it_is_gone_where_a_with_is_left_and_comes_back_with_a_state(self):
        sim = self.in_torque(obstacles=BLOCK)
        with sim.obstacle("block", [0.3, 0.0, 0.0]):
            self.pushed(sim, 1.0)
            saved = sim.save()
        self.pushed(sim, 0.5)
        self.assertGreater(sim.q[0], 0.25)
        sim.restore(saved)
        self.pushed(sim, 0.5)
        self.assertAlmostEqual(sim.q[0], 0.2, delta=2e-3)

    def test_what_was_placed_is_written_as_a_step(self):
        sim = jointrig.Sim("franka", obstacles={"block": BLOCK["block"]})
        sim.record()
        sim.set_mode("arm", "position")
        sim.run(0.3)
        block = sim.obstacle("block", sim.arms["arm"].position + [0.15, 0.0, 0.0])
        sim.run(0.1)
        sim.move("panda_joint4", -1.7, speed=0.5)
        sim.run(1.0)
        block.end()
        sim.run(0.2)
        with tempfile.TemporaryDirectory() as folder:
            path = sim.write_scenario(pathlib.Path(folder, "block.yaml"))
            self.assertIn("shape: box", pathlib.Path(path).read_text())
            self.assertEqual(jointrig.run_scenario(path).state_hash, sim.state_hash())

    def test_what_makes_no_sense_is_told_in_a_sentence(self):
        sim = jointrig.Sim(self.model, obstacles=BLOCK)
        calls = {
            "none of this Sim's obstacles (block, post, stone)": lambda: sim.obstacle("blok", [0, 0, 0]),
            "three finite numbers": lambda: sim.obstacle("block", [0, np.nan, 0]),
            "quaternion": lambda: sim.obstacle("block", [0, 0, 0], [0, 0, 0, 2]),
            "box, sphere, cylinder": lambda: jointrig.Sim(self.model, obstacles={"a": {"shape": "cone", "size": 1.0}}),
            "a box has 3, above 0": lambda: jointrig.Sim(self.model, obstacles={"a": {"shape": "box", "size": [1, 0, 1]}}),
            "a sphere has 1": lambda: jointrig.Sim(self.model, obstacles={"a": {"shape": "sphere", "size": [1, 1]}}),
            "its shape and its size": lambda: jointrig.Sim(self.model, obstacles={"a": [1, 1, 1]}),
            "ball": lambda: jointrig.Sim(self.model, obstacles={"ball": BLOCK["stone"]}),
        }
        for said, call in calls.items():
            with self.subTest(said), self.assertRaises(jointrig.InputError) as raised:
                call()
            self.assertIn(said, str(raised.exception))

    def test_a_robot_without_physics_has_no_place_for_it(self):
        with self.assertRaises(RuntimeError) as raised:
            jointrig.Sim(self.model, backend="kinematic", obstacles=BLOCK).obstacle("block", [0, 0, 0])
        self.assertIn("no physics", str(raised.exception))


if __name__ == "__main__":
    unittest.main()
