"""Requests to a Sim are written as a scenario, whose run has the same bits."""

import os
import pathlib
import random
import tempfile
import unittest

import jointrig


class Recording(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.top = pathlib.Path(folder.name)
        self.file = self.top / "again.yaml"

    def run_again(self, sim, **keys):
        """The written scenario's result, which has to have the hash of this Sim."""
        sim.write_scenario(self.file, **keys)
        result = jointrig.run_scenario(self.file)
        self.assertTrue(result.passed, f"{result.reason}\n{self.file.read_text()}")
        self.assertEqual(result.state_hash, sim.state_hash(), self.file.read_text())
        return result

    def test_commands_of_every_kind_give_the_same_bits(self):
        sim = jointrig.Sim("franka", joints={"panda_joint4": {"bandwidth": 4}}, seed=3)
        sim.record()
        sim.step(7)
        sim.set_mode("arm", "position")
        sim.run(0.3)
        sim.move("panda_joint4", -1.6, speed=1.0)
        sim.run(0.4)
        sim.set_speed_override(0.9)
        sim.run(0.4)
        sim.set_mode("arm", "position_direct")
        sim.run(0.1)
        for _ in range(20):
            sim.stream_position(["panda_joint2", "panda_joint1"], [sim.q_ref[1] - 3e-4, sim.q_ref[0] + 5e-4])
            sim.step(5)
        sim.set_mode("arm", "cartesian")
        sim.run(0.2)
        sim.set_tool_target("arm", sim.arms["arm"].position + [0.0, 0.0, -0.05], sim.arms["arm"].orientation)
        sim.run(0.5)
        self.run_again(sim)
        self.assertIn("seed: 3", self.file.read_text())

    def test_commands_of_one_cycle_are_a_cycle_apart_and_later_ones_keep_theirs(self):
        sim = jointrig.Sim("franka", backend="kinematic")
        sim.record()
        for joint in sim.parts["arm"]:
            sim.set_mode(joint, "position")
        sim.run(0.3)
        sim.move("panda_joint4", -1.6)
        sim.run(0.5)  # on the way: a cycle later it would be elsewhere
        self.assertGreater(abs(sim.v_ref[3]), 0.1)
        sim.write_scenario(self.file, metrics=[{"name": "end", "of": "panda_joint4.q_ref", "stat": "final"}])
        self.assertEqual(jointrig.run_scenario(self.file).metrics["end"], sim.q_ref[3], self.file.read_text())

    def test_trajectories_are_trajectories_again(self):
        sim = jointrig.Sim("franka")
        sim.record()
        sim.set_mode("all", "position")
        sim.run(0.3)
        joints = ["panda_joint2", "panda_joint1"]
        sim.trajectory(joints, [[0.1, 0.2], [-0.1, 0.3]], speed=[0.5, 0.4], acceleration=0.6, goal_tolerance=0.01)
        sim.run(0.4)
        sim.trajectory(joints, [[0.1, 0.1]], path_tolerance=[0.2, 0.3], settling_time=0.5,  # on the way
                       max_acceleration=[4.0, 0.0])
        sim.run(1.5)
        sim.trajectory(joints, [[0.2, 0.2], [0.1, 0.0]], times=[1.0, 2.0], velocities=[[0.0, 0.1], [0.0, 0.0]],
                       execution="velocity", waypoint_tolerance=[[0.1, 0.0], [0.0, 0.0]])
        sim.run(2.5)
        sim.trajectory(joints, [[0.15, 0.1], [0.1, 0.1]], times=[1.0, 2.0], rounds_corners=True)
        sim.run(2.5)
        sim.trajectory(joints, [[0.15, 0.1]], times=[1.0], velocities=[[0.1, 0.0]], brakes_behind=True)
        sim.run(1.5)
        sim.set_gravity([0.5, 0.0, -9.7])
        sim.run(0.7)
        sim.tool_trajectory("arm", [{"by": [0, 0.1, 0]}, {"by": [0, 0, -0.05], "turn": [0, 0, 0.2], "linear_speed": 0.1}],
                            frame="tool", corner_distance=0.02, check_collisions=False, free_rotation="tool_z")
        sim.run(2.0)
        sim.set_mode("arm", "cartesian")
        sim.run(0.5)
        sim.tool_trajectory("arm", [{"by": [0, -0.05, 0]},
                                    {"by": [0, 0.05, 0], "interaction": {"stiffness": [100.0, 300, 300, 20, 20, 20]}}])
        sim.run(1.0)
        self.run_again(sim)
        self.assertEqual(self.file.read_text().count("trajectory: {"), 7)
        self.assertEqual(self.file.read_text().count("interaction: {axes"), 1)
        self.assertIn("free_rotation: tool_z", self.file.read_text())

    def test_nothing_done_for_a_time_is_a_wait(self):
        sim = jointrig.Sim("franka")
        sim.record()
        sim.step(250)
        self.run_again(sim)

    def test_a_refused_command_is_no_step(self):
        sim = jointrig.Sim("franka")
        sim.record()
        with self.assertRaises(jointrig.Refused):
            sim.move("panda_joint4", -1.6)
            sim.step()
        sim.set_mode("arm", "position")
        sim.run(0.2)
        self.run_again(sim)
        self.assertNotIn("move:", self.file.read_text())

    def test_recorded_from_the_middle_it_begins_where_the_joints_were(self):
        sim = jointrig.Sim("franka")
        sim.set_mode("all", "position")
        sim.run(0.3)
        sim.move("panda_joint4", -1.9)
        sim.run(1.5)
        sim.record()
        sim.move("panda_joint4", -2.1)
        sim.run(1.5)
        sim.write_scenario(self.file, asserts={"at_end": [{"expr": "abs(panda_joint4.q + 2.1) < 0.2 deg"}]})
        self.assertIn("panda_joint4: -1.9", self.file.read_text())
        self.assertTrue(jointrig.run_scenario(self.file).passed)

    def test_asserts_metrics_and_keys_are_those_of_a_scenario_file(self):
        sim = jointrig.Sim("franka", scene="table")
        sim.record()
        sim.set_mode("arm", "position")
        sim.run(0.2)
        result = self.run_again(sim, tags=["mine"], about="a \"quoted\" purpose",
                                asserts={"always": [{"expr": "abs(panda_joint4.q_err) < 5 mrad", "name": "follows"}]},
                                metrics=[{"name": "end", "of": "panda_joint4.q", "stat": "final"}])
        self.assertAlmostEqual(result.metrics["end"], sim.q[3], places=12)
        self.assertIn("follows", [verdict.name for verdict in result.verdicts])
        with self.assertRaisesRegex(jointrig.InputError, r"metrcs.*did you mean \"?metrics"):
            sim.write_scenario(self.file, overwrite=True, metrcs=[])

    def test_a_robot_file_is_named_from_where_the_scenario_lies(self):
        robot = self.top / "robots" / "arm.yaml"
        robot.parent.mkdir()
        robot.write_text(f"schema: 1\nmodel: {self.model()}\n")
        sim = jointrig.Sim(robot)
        sim.record()
        sim.step(20)
        self.run_again(sim)
        self.assertIn("robot: robots/arm.yaml", self.file.read_text().replace('"', ""))

    def model(self):
        model = self.top / "robots" / "arm.xml"
        model.write_text('<mujoco><worldbody><body><joint name="lift" type="slide" axis="1 0 0" range="-1 1"/>'
                         '<geom size="0.1" mass="1"/></body></worldbody><actuator><motor joint="lift" '
                         'ctrlrange="-30 30"/></actuator></mujoco>')
        return model.name

    def test_faults_pushes_and_payloads_are_steps(self):
        sim = jointrig.Sim("franka", payload_bodies=["panda_hand"])
        sim.record()
        sim.set_mode("arm", "position")
        sim.step(1)
        sim.set_protection("collision_detection", False)
        sim.run(0.3)
        push = sim.push("panda_hand", force=[0, 0, -15.0], point=[0, 0, 0.01])
        sim.step(40)
        sim.move("panda_joint2", 0.2)
        sim.step(1)
        with sim.push(joint="panda_joint4", along=2.5):
            load = sim.payload("panda_hand", 0.3, centre=[0.01, 0, 0.05])
            sim.run(0.2)
        push.end()
        push.begin()
        push.begin()  # without any effect
        sim.run(0.1)
        push.end()
        noise = sim.inject_fault("encoder_noise", "panda_joint1", value=1e-5)
        sim.run(0.1)
        noise.end()
        load.end()  # a run ends what acts still, before its hash
        sim.run(0.1)
        self.run_again(sim)
        text = self.file.read_text()
        self.assertEqual(text.count("force: {"), 3, text)
        self.assertEqual(text.count("end: "), 5, text)

    def test_what_acts_at_the_begin_of_a_record_acts_from_its_begin(self):
        sim = jointrig.Sim("franka")
        push = sim.push("panda_hand", force=[0, 5.0, 0])
        sim.record()
        sim.run(0.1)
        push.end()
        sim.write_scenario(self.file)
        steps = self.file.read_text().split("steps:")[1]
        self.assertRegex(steps, r"^\n  - .*force: \{body: panda_hand, force: \[0, 5, 0\]")
        self.assertIn("end: disturbance-1", steps)

    def test_values_of_each_joint_are_one_step(self):
        sim = jointrig.Sim("franka")
        sim.record()
        sim.set_mode("arm", "position")
        sim.run(0.2)
        joints = ["panda_joint1", "panda_joint2", "panda_joint4"]
        sim.set_impedance(joints, [100.0, 200.0, 300.0], [5.0, 6.0, 7.0])
        sim.step(1)
        sim.set_parameter(joints, "velocity_max", [0.5, 0.6, 0.7])
        sim.step(1)
        sim.set_joint_target(joints, goal=[0.1, 0.1, -2.0], velocity=[0, 0, 0], speed=[0.3, 0.2, 0.1], acceleration=[1, 2, 3],
                             jerk=[0, 0, 20.0])
        sim.run(0.3)
        sim.move(joints, [0.2, 0.2, -1.9], speed=[0.1, 0.3, 0.5])
        sim.run(0.3)
        self.run_again(sim)
        text = self.file.read_text()
        self.assertIn("acceleration: {panda_joint1: 1, panda_joint2: 2, panda_joint4: 3}", text)
        self.assertIn("jerk: {panda_joint4: 20}", text)
        self.assertEqual(text.count("set_impedance"), 1)

    def test_what_a_scenario_cannot_repeat_is_told(self):
        sim = jointrig.Sim("franka")
        with self.assertRaisesRegex(jointrig.InputError, r"nothing was recorded: call record\(\)"):
            sim.write_scenario(self.file)
        saved = sim.save()
        sim.record()
        sim.step(5)
        sim.write_scenario(self.file)
        sim.restore(saved)
        with self.assertRaisesRegex(jointrig.Error, "a state that was restored"):
            sim.write_scenario(self.file, overwrite=True)
        slow = jointrig.Sim("franka", speed=0.5)
        slow.record()
        with self.assertRaisesRegex(jointrig.InputError, "speed=0.5"):
            slow.write_scenario(self.file, overwrite=True)

    def test_a_file_that_is_there_stays(self):
        self.file.write_text("mine")
        sim = jointrig.Sim("franka")
        sim.record()
        sim.step(5)
        with self.assertRaisesRegex(jointrig.InputError, "is there already"):
            sim.write_scenario(self.file)
        self.assertEqual(self.file.read_text(), "mine")
        with self.assertRaisesRegex(jointrig.InputError, r"let it end in \.yaml"):
            sim.write_scenario(self.top / "again.txt")
        sim.write_scenario(self.file, overwrite=True)
        self.assertNotEqual(self.file.read_text(), "mine")

    def test_more_commands_than_a_scenario_takes_are_told(self):
        sim = jointrig.Sim("franka", backend="kinematic")
        sim.record()
        for _ in range(20_000 // 16 + 1):
            for _ in range(16):
                sim.set_speed_override(1.0)
            sim.step()
        with self.assertRaisesRegex(jointrig.Error, "more than 20000 commands"):
            sim.write_scenario(self.file)
        self.assertFalse(os.path.exists(self.file))


class RandomScript:
    """Commands, pushes and noise in any order, some of which are refused."""

    MODES = ("position", "position", "position_direct", "velocity", "mixed", "torque")

    def __init__(self, seed, robot):
        self.chance = random.Random(seed)
        self.sim = jointrig.Sim(robot, seed=seed)
        self.pushes = []
        self.refused = self.taken = 0

    def run(self, requests):
        self.sim.record()
        self.sim.set_mode("all", "position")
        self.sim.step(self.chance.randrange(1, 100))
        for _ in range(requests):
            try:
                self.request()
                self.sim.step()
                self.taken += 1
            except jointrig.Refused:
                self.refused += 1
            self.sim.step(self.chance.randrange(1, 80))
        while self.pushes:
            self.pushes.pop().end()
        self.sim.step(50)
        return self.sim

    def some_joints(self):
        """In any order."""
        return self.chance.sample(self.sim.joints, self.chance.randrange(1, 4))

    def torques(self, joints):
        """A few hundredths of what the motors have."""
        return [self.chance.uniform(-0.03, 0.03) * float(self.sim.joint_limits["tau_max"][self.sim.index(joint)][0])
                for joint in joints]

    def near(self, joints, most):
        """References that many rad or m at most from those that are."""
        return [float(self.sim.q_ref[self.sim.index(joint)][0]) + self.chance.uniform(-most, most) for joint in joints]

    def request(self):
        sim, chance, joints = self.sim, self.chance, self.some_joints()
        what = chance.randrange(11)
        if what == 0:
            sim.set_mode(joints, chance.choice(self.MODES))
        elif what == 1:
            sim.move(joints, self.near(joints, 0.4), speed=chance.uniform(0.2, 1.0))
        elif what == 2:
            sim.stream_position(joints, self.near(joints, 1e-3))
        elif what == 3:
            sim.velocity(joints, [chance.uniform(-0.3, 0.3) for _ in joints])
        elif what == 4:
            sim.torque(joints, self.torques(joints))
        elif what == 5:
            sim.set_interaction(joints, chance.choice(("stiff", "compliant")))
        elif what == 6:
            sim.set_impedance(joints, chance.uniform(20.0, 200.0), chance.uniform(2.0, 12.0))
        elif what == 7:
            sim.set_parameter(joints, "acceleration_max", [chance.uniform(0.5, 2.0) for _ in joints])
        elif what == 8:
            sim.stop(joints)
        elif what == 9:
            sim.set_speed_override(chance.uniform(0.3, 1.0))
        elif self.pushes and chance.random() < 0.5:
            self.pushes.pop(chance.randrange(len(self.pushes))).end()
        else:
            self.pushes.append(sim.push(joint=joints[0], along=self.torques(joints)[0]))


class AnyScript(unittest.TestCase):
    def test_the_hash_after_a_script_of_any_commands_is_that_of_its_scenario(self):
        taken = refused = compared = seed = 0
        with tempfile.TemporaryDirectory() as folder:
            while compared < 20 and seed < 60:
                seed += 1
                script = RandomScript(seed, "icub_upper_body" if seed % 8 == 0 else "franka")
                sim = script.run(requests=30)
                if sim.faults:  # a joint got too fast: a run ends there
                    continue
                file = pathlib.Path(folder, f"script{seed}.yaml")
                sim.write_scenario(file)
                result = jointrig.run_scenario(file)
                self.assertTrue(result.passed, f"seed {seed}: {result.reason}\n{file.read_text()}")
                self.assertEqual(result.state_hash, sim.state_hash(), f"seed {seed}:\n{file.read_text()}")
                compared, taken, refused = compared + 1, taken + script.taken, refused + script.refused
        self.assertEqual(compared, 20)
        self.assertGreater(taken, 200)
        self.assertGreater(refused, 50)


class Surface(unittest.TestCase):
    def test_a_sim_is_a_state_that_takes_commands(self):
        sim = jointrig.Sim("franka")
        self.assertIsInstance(sim, jointrig.State)
        self.assertIsInstance(sim, jointrig.Commands)
        self.assertNotIsInstance(jointrig.Log, jointrig.State)
        self.assertNotIsInstance(object(), jointrig.State)


if __name__ == "__main__":
    unittest.main()
