"""jointrig.Sim against the program: the same commands give the same bits, sentences and values.

    sim_test.py PATH_TO_THE_PROGRAM
"""

import inspect
import json
import math
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import threading
import unittest

import jointrig
import numpy as np
from jointrig import _core
from mcap_ros2.reader import read_ros2_messages

PROGRAM = sys.argv.pop(1)
DEFINITIONS = {command["number"]: command for command in _core.command_definitions()}


def own_values(definition, numbers):
    """The command's own fields as a Python call gives them: words in words, lists as lists."""
    for field in definition["fields"]:
        taken = numbers if field["is_list"] else [numbers.pop(0) for _ in range(field["count"])]
        words = [field["words"][int(number)] for number in taken] if field["words"] else list(taken)
        yield field["name"], words[0] if field["count"] == 1 else words
        if field["is_list"]:
            numbers.clear()


def call(sim, command):
    """Sends a command of a log by its method."""
    definition = DEFINITIONS[command.kind]
    own = list(command.numbers)
    arguments, values = {}, definition["value_fields"]
    if values:
        count = len(command.joints) * len(values)
        own, each = own[:len(own) - count], np.reshape(own[len(own) - count:], (-1, len(values)))
        arguments = {field["name"]: each[:, i] for i, field in enumerate(values)}
    arguments.update(own_values(definition, own))
    if definition["target"] == "joints":
        arguments["joints"] = [sim.joints[index] for index in command.joints]
    if definition["target"] == "arm":
        arguments["arm"] = sim.arm_names[command.arm]
    getattr(sim, definition["name"])(**arguments)


class OneScenario(unittest.TestCase):
    """The commands of a scenario's log, sent by Python in the same cycles."""

    def run_program(self, scenario, folder):
        done = subprocess.run([PROGRAM, "run", scenario, "--out", folder], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        [result] = json.loads(pathlib.Path(folder, "result.json").read_text())["scenarios"]
        return result, next(pathlib.Path(folder).glob("*/log.mcap"))

    def replay(self, scenario, robot):
        with tempfile.TemporaryDirectory() as folder:
            result, log = self.run_program(scenario, folder + "/run")
            commands = [message.ros_msg for message in read_ros2_messages(log, topics=["/commands"])]
            last = max(message.ros_msg.cycle for message in read_ros2_messages(log, topics=["/loop"]))
        self.assertGreater(len(commands), 1)
        sim = jointrig.Sim(robot)
        for command in commands:
            sim.step(command.cycle - 1 - sim.cycle)  # to the cycle before the one that takes it
            call(sim, command)
        sim.step(last - sim.cycle)
        self.assertEqual(sim.state_hash(), result["state_hash"])

    def test_goals_reach_the_same_state(self):
        self.replay("scenarios/joints/retarget.yaml", "franka")

    def test_two_kinds_of_motion_at_once_reach_the_same_state(self):
        self.replay("scenarios/joints/mixed_mode.yaml", "franka")

    def test_streamed_positions_reach_the_same_state(self):
        self.replay("scenarios/streaming/resume.yaml", "franka")

    def test_targets_of_joints_reach_the_same_state(self):
        self.replay("scenarios/motion/targets_replaced.yaml", "sawyer")

    def test_targets_of_a_tool_reach_the_same_state(self):
        self.replay("scenarios/cartesian/cartesian_targets.yaml", "franka")

    def test_torques_on_another_robot_reach_the_same_state(self):
        self.replay("scenarios/sawyer/sawyer_torque.yaml", "sawyer")


class Commands(unittest.TestCase):
    def test_every_command_of_the_definition_is_a_method_with_its_fields(self):
        self.assertGreaterEqual(len(DEFINITIONS), 30)
        for definition in DEFINITIONS.values():
            if definition["name"] == "follow_plan":
                continue  # its method makes the plan: trajectory()
            with self.subTest(definition["name"]):
                method = getattr(jointrig.Sim, definition["name"])
                parameters = [name for name in inspect.signature(method).parameters if name != "self"]
                target = {"joints": ["joints"], "arm": ["arm"], "robot": []}[definition["target"]]
                fields = [field["name"] for field in definition["fields"] + definition["value_fields"]]
                self.assertEqual(sorted(parameters), sorted(target + fields))

    def test_a_docstring_tells_units_words_and_modes(self):
        self.assertIn("speed: 0 to v_max; 0: half of it [rad/s; m/s of a slide]", jointrig.Sim.move.__doc__)
        self.assertIn("Taken in position, mixed.", jointrig.Sim.move.__doc__)
        self.assertIn("interaction: one of stiff, compliant", jointrig.Sim.set_interaction.__doc__)
        self.assertIn("position: within the arm's length of its shoulder [m]; 3 values",
                      jointrig.Sim.set_tool_target.__doc__)

    def test_a_sample_of_a_trajectory_wants_position_velocity_and_acceleration(self):
        sim = jointrig.Sim("franka")
        sim.set_mode("panda_joint1", "position_direct")
        sim.step()
        for given in ({"position": 0.0}, {"position": 0.0, "velocity": 0.0}, {"position": 0.0, "acceleration": 0.0}):
            with self.assertRaisesRegex(TypeError, "missing.*(velocity|acceleration)"):
                sim.stream_trajectory("panda_joint1", **given)
        sim.stream_trajectory("panda_joint1", sim.q_ref[0], 0.0, 0.0)
        sim.step()

    def test_values_go_to_the_joints_in_the_order_of_their_names(self):
        sim = jointrig.Sim("franka")
        sim.set_mode("arm", "position")
        sim.step()
        sim.move(["panda_joint3", "panda_joint1"], [0.1, -0.2])
        sim.run(2.0)
        np.testing.assert_allclose(sim.q_ref[sim.index(["panda_joint1", "panda_joint3"])], [-0.2, 0.1], atol=1e-9)


class BadInput(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.sim = jointrig.Sim("franka")

    def says(self, sentence, call, *arguments, error=jointrig.InputError, **more):
        with self.assertRaises(error) as raised:
            call(*arguments, **more)
        self.assertEqual(str(raised.exception).splitlines()[0], sentence)

    def test_a_wrong_name_gets_the_nearest_one(self):
        sim = self.sim
        self.says('no joint or part "panda_jont1"; did you mean "panda_joint1"?', sim.move, "panda_jont1", 0.1)
        self.says('set_mode: mode has no word "postion"; did you mean "position"?', sim.set_mode, "arm", "postion")
        self.says('set_tool_target: the robot has no arm "amr"; did you mean "arm"?', sim.set_tool_target, "amr", [0, 0, 0])
        self.says('there is no robot "frnka"; did you mean "franka"?', jointrig.Sim, "frnka")
        self.says('no backend "smi"; did you mean "sim"?', jointrig.Sim, "franka", backend="smi")
        self.says('settings:2:2: unknown key "sceen"; did you mean "scene"?', jointrig.Sim, "franka", sceen="x")
        self.says('no fault "encoder_freez"; did you mean "encoder_freeze"?', sim.inject_fault, "encoder_freez",
                  "panda_joint1")
        self.says('no true signal "truth.panda_joint1.p"; did you mean "truth.panda_joint1.q"?', sim.truth,
                  "truth.panda_joint1.p")

    def test_a_gripper_goes_by_its_name(self):
        sim = jointrig.Sim("franka")
        hand = sim.grippers["hand"]
        sim.set_mode("all", "position")
        sim.run(0.2)
        sim.move_gripper("hand", 0.03)
        sim.run(3.0)
        self.assertAlmostEqual(hand.width, 0.03, delta=1e-3)
        self.assertEqual(hand.state, "idle")
        sim.grasp("hand", force=20.0)
        sim.step(10)
        self.assertEqual((hand.state, hand.asked), ("grasping", 20.0))
        sim.run(4.0)
        self.assertEqual((hand.state, hand.asked), ("missed", 0.0))
        self.says('no gripper "hnad"; did you mean "hand"?', sim.open_gripper, "hnad")

    def test_an_obstacle_is_told_of_moved_and_removed(self):
        sim = jointrig.Sim("franka", backend="kinematic")
        sim.set_mode("all", "position")
        sim.step(5)
        sim.set_obstacle("ball", "sphere", 0.1, [0.25, 0.4, 0.6], velocity=[0.0, -0.2, 0.0], moves_for=0.5)
        sim.run(0.25)
        ball = sim.obstacles["ball"]
        self.assertEqual((ball["shape"], ball["size"]), ("sphere", (0.1,)))
        self.assertAlmostEqual(ball["position"][1], 0.35, delta=1e-3)
        sim.run(1.0)
        self.assertAlmostEqual(sim.obstacles["ball"]["position"][1], 0.3, delta=1e-9)
        sim.move("panda_joint1", 1.2)
        sim.run(3.0)
        self.assertLess(sim.q[0], 0.8, "it has stopped before the ball")
        sim.remove_obstacle("ball")
        sim.step()
        self.assertEqual(sim.obstacles, {})
        sim.move("panda_joint1", 1.2)
        sim.run(3.0)
        self.assertAlmostEqual(sim.q[0], 1.2, delta=1e-6)
        sim.remove_obstacle("ball")
        with self.assertRaisesRegex(jointrig.Refused, "obstacle ball: rejected remove_obstacle"):
            sim.step()
        self.says("set_obstacle: name is 'a name of too many letters': give a text of 1 to 16 characters",
                  sim.set_obstacle, "a name of too many letters", "box", [1, 1, 1], [0, 0, 5])

    def test_the_controller_is_told_how_bodies_fall(self):
        sim = jointrig.Sim("franka")
        sim.step()
        self.assertEqual(sim.gravity, (0.0, 0.0, -9.81))
        sim.set_gravity([9.81, 0.0, 0.0])
        sim.run(0.251)
        np.testing.assert_allclose(sim.gravity, (4.905, 0.0, -4.905), atol=0.03)
        sim.run(0.26)
        self.assertEqual(sim.gravity, (9.81, 0.0, 0.0))
        sim.set_gravity([9.81, 0.0, 20.0])
        with self.assertRaisesRegex(jointrig.Refused, "give a vector of at most 20 m/s²"):
            sim.step()

    def test_a_target_is_in_the_base_or_in_the_world(self):
        sim = jointrig.Sim("franka")
        sim.set_mode("arm", "cartesian")
        sim.run(0.3)
        place = sim.arms["arm"].position + [0.0, 0.0, -0.03]
        for frame in ("base", "world"):  # the Franka's base stands at the world's origin
            sim.set_tool_target("arm", place, sim.arms["arm"].orientation, frame)
            sim.run(2.0)
            np.testing.assert_allclose(sim.arms["arm"].position, place, atol=2e-3)

    def test_a_wrong_number_of_values_is_told(self):
        self.says("move: goal has 2 values, and 7 joints are named: give one for all, or one each",
                  self.sim.move, "arm", [0.1, 0.2])
        self.says("set_tool_target: position takes 3 values, and 2 are given", self.sim.set_tool_target, "arm", [1, 2])
        self.says("move: joint panda_joint2 is named twice", self.sim.move, ["arm", "panda_joint2"], 0.1)
        self.says("move: goal is 'far': give a number", self.sim.move, "arm", "far")

    def test_the_loop_refuses_with_the_sentence_of_a_scenario(self):
        sim = jointrig.Sim("franka")
        sim.set_mode("arm", "position")
        sim.step()
        sim.move("panda_joint1", math.nan)
        cycle = sim.cycle
        self.says("panda_joint1: rejected move (not_finite): its goal is nan; send finite numbers [python #2]",
                  sim.step, 100, error=jointrig.Refused)
        self.assertEqual(sim.cycle, cycle + 1)  # the others of the hundred are not run
        sim.torque("panda_joint2", 1.0)
        with self.assertRaises(jointrig.Refused) as raised:
            sim.step()
        self.assertEqual((raised.exception.reason, raised.exception.command), ("wrong_mode", "torque"))
        sim.step()  # a refusal is raised once

    def test_a_full_inbox_is_told(self):
        sim = jointrig.Sim("franka")
        for _ in range(256):
            sim.stop()
        self.says("256 commands wait already, and a cycle takes 32 of them: call step()", sim.stop, error=RuntimeError)

    def test_a_sim_is_not_for_real_drives(self):
        self.says("a Sim has a time of its own, and backend hw has the clock's: choose sim, kinematic or boards",
                  jointrig.Sim, "franka", backend="hw")


def names_of_signals():
    """Signals of a joint that a scenario reads."""
    source = pathlib.Path(__file__).resolve().parents[2] / "harness/runner/joint_signals.cpp"
    return set(re.findall(r'^ +\{"([\w.]+)", "', source.read_text(), re.MULTILINE))


class Names(unittest.TestCase):
    def test_every_signal_of_a_joint_that_a_scenario_reads_is_read_here_and_the_other_way_round(self):
        sim = jointrig.Sim("franka")
        sim.set_mode("arm", "position")
        sim.run(0.1)
        sim.trajectory("panda_joint1", [[0.1]])
        sim.step()
        [plan] = sim.plans
        of_a_plan = {f"plan_{name}" for name in plan if name != "joints"}
        of_limits = {{"tau_rate_max": "tau_rate"}.get(name, name) for name in sim.joint_limits} - {"soft_margin"}
        of_bits = {f"{kind}.{word}" for kind in ("limited", "limit_cycles") for word in jointrig.LIMITS}
        arrays = {name for name, value in vars(sim).items()
                  if isinstance(value, np.ndarray) and value.shape[:1] == (len(sim.joints),)}
        properties = {name for name, value in vars(jointrig.State).items() if isinstance(value, property)}
        self.assertEqual(properties, {"q_err", "v_err", "limited", "modes", "faults"})
        self.assertTrue({"extrapolated", "limits", "limit_cycles"} <= arrays)  # here alone, and by their bits
        views = arrays - {"extrapolated", "limits", "limit_cycles"} | {"q_err", "v_err", "limited"}
        views = {{"duty_cmd": "duty", "board_status": "status"}.get(name, name) for name in views}
        self.assertGreater(len(views), 40)
        self.assertEqual(views | of_a_plan | of_limits | of_bits, names_of_signals())
        np.testing.assert_array_equal(sim.q_err, sim.q_ref - sim.q)

    def test_each_of_them_has_a_type(self):
        sim = jointrig.Sim("franka")
        for name, value in vars(sim).items():
            if isinstance(value, np.ndarray):
                self.assertIn(name, jointrig.State.__annotations__)

    def test_cycles_of_a_limit_are_counted_where_its_bit_is_set(self):
        sim = jointrig.Sim("franka")
        sim.set_mode("arm", "position_direct")
        sim.run(0.1)
        before, counted = sim.limit_cycles.copy(), np.zeros(sim.limit_cycles.shape, np.int64)
        self.assertEqual(before.shape, (len(sim.joints), len(jointrig.LIMITS)))
        goal = sim.q_ref[0] + 0.2
        for _ in range(300):
            sim.stream_position("panda_joint1", goal)
            sim.step()
            counted += sim.limits[:, None] >> np.arange(len(jointrig.LIMITS)) & 1
        self.assertGreater(counted[0].sum(), 5)
        np.testing.assert_array_equal(sim.limit_cycles - before, counted)

    def test_a_law_and_its_parameters_go_by_their_names(self):
        sim = jointrig.Sim("icub", pin_base=False, scene="empty_floor")
        sim.step()
        self.assertEqual(list(sim.laws), ["whole_body"])
        before = sim.laws["whole_body"]["parameters"]
        names = list(before)
        self.assertIn("fall_direction", sim.laws["whole_body"]["signals"])
        sim.set_law_parameter("whole_body", "com_y", 0.04)
        sim.set_law_parameter(0, names.index("com_x"), 0.02)
        sim.step()
        now = sim.laws["whole_body"]["parameters"]
        self.assertNotEqual((before["com_x"], before["com_y"]), (0.02, 0.04))
        self.assertEqual(now, {**before, "com_x": 0.02, "com_y": 0.04})
        sim.switch_law("whole_body", False)
        sim.step()
        self.assertEqual(sim.laws["whole_body"]["state"], "off")
        for call, words in ((lambda: sim.switch_law("whole_bodi", True), "did you mean \"whole_body\""),
                            (lambda: sim.set_law_parameter("whole_body", "no such", 1.0), 'has no "no such"')):
            with self.assertRaises(jointrig.InputError) as raised:
                call()
            self.assertIn(words, str(raised.exception))
        franka = jointrig.Sim("franka")
        self.assertEqual(franka.laws, {})
        with self.assertRaisesRegex(jointrig.InputError, "there is none"):
            franka.switch_law("whole_body", True)


class State(unittest.TestCase):
    def test_views_are_read_only_and_show_the_next_cycle(self):
        sim = jointrig.Sim("franka")
        q, before = sim.q, sim.q.copy()
        with self.assertRaises(ValueError):
            q[0] = 1.0
        sim.set_mode("arm", "position")
        sim.step()
        sim.move("panda_joint1", 0.3)
        sim.run(2.0)
        self.assertIs(sim.q, q)
        self.assertAlmostEqual(q[0], 0.3, delta=1e-3)
        self.assertEqual(before[0], 0.0)

    def test_views_have_the_names_and_values_of_the_log(self):
        with tempfile.TemporaryDirectory() as folder:
            sim = jointrig.Sim("franka", log=folder + "/run.mcap")
            sim.set_mode("arm", "position")
            sim.move("panda_joint2", -0.5)
            sim.run(0.2)
            joints = sim.joints
            sim.close()
            for index, joint in enumerate(joints):
                *_, last = read_ros2_messages(folder + "/run.mcap", topics=[f"/j/{joint}"])
                for field in last.ros_msg.__slots__:
                    if field in ("stamp", "error"):
                        continue
                    self.assertEqual(getattr(sim, field)[index], getattr(last.ros_msg, field), field)

    def test_events_tell_what_happened_once(self):
        sim = jointrig.Sim("franka")
        sim.events()
        sim.set_mode("panda_joint1", "position")
        sim.step()
        kinds = [(event.kind, event.joint, event.mode) for event in sim.events()]
        self.assertIn(("mode", "panda_joint1", "position"), kinds)
        self.assertEqual(sim.events(), [])
        self.assertEqual(sim.modes[:2], ("position", "idle"))

    def test_a_fault_stops_its_joint_and_is_read(self):
        sim = jointrig.Sim("franka")
        sim.set_mode("arm", "position")
        sim.step()
        self.assertEqual(sim.faults, {})
        with sim.inject_fault("over_current", "panda_joint4"):
            sim.run(0.1)
        self.assertEqual(sim.faults, {"panda_joint4": "over_current"})
        self.assertEqual(sim.modes[3], "hw_fault")

    def test_a_push_bends_a_compliant_joint_by_torque_over_stiffness(self):
        sim = jointrig.Sim("franka", collision_detection={"on": False})
        sim.set_mode("arm", "position")
        sim.set_interaction("arm", "compliant")
        sim.set_impedance("arm", 100.0, 20.0)
        sim.run(0.5)
        before = sim.q[0]
        with sim.push(joint="panda_joint1", along=5.0):
            sim.run(2.0)
            # dry friction keeps up to 0.158 N·m of it
            self.assertAlmostEqual(sim.q[0] - before, 0.05, delta=0.0025)

    def test_a_push_on_the_tool_is_the_external_wrench_that_its_arm_tells(self):
        sim = jointrig.Sim("franka")
        sim.set_mode("arm", "position")
        sim.set_protection("collision_detection", False)
        sim.run(0.5)
        arm = sim.arms["arm"]
        rest = arm.external.copy()  # what dry friction holds
        with sim.push("panda_hand", force=[0, 0, -10.0]):
            sim.run(0.5)  # fifteen time constants of the observer
        self.assertTrue(arm.knows_external[0])
        # Dry friction, up to 0.158 N·m in a joint 0.3 m away, takes its part of it.
        np.testing.assert_allclose((arm.external - rest)[:3], [0, 0, -10.0], atol=0.6)
        w, x, y, z = arm.orientation
        turn = np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                         [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                         [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])
        np.testing.assert_allclose(turn @ arm.external_tool[:3], arm.external[:3], atol=1e-9)
        self.assertEqual(arm.sensor, "good")  # behind the wrist: no friction between
        np.testing.assert_allclose(arm.sensed[:3], [0, 0, -10.0], atol=0.05)

    def test_an_arm_tells_its_terms_its_payload_and_its_damping(self):
        sim = jointrig.Sim("franka")
        arm = sim.arms["arm"]
        self.assertEqual(arm.terms, ("posture", "gravity", "coriolis", "limits"))
        sim.set_mode("arm", "cartesian")
        sim.set_payload("arm", 0.5, [0.0, 0.0, 0.1])
        sim.set_arm_term("arm", "posture", False)
        sim.step(1)
        self.assertEqual(arm.terms, ("gravity", "coriolis", "limits"))
        self.assertEqual((arm.payload_mass[0], *arm.payload_centre), (0.5, 0.0, 0.0, 0.1))
        self.assertEqual(arm.damping_ratio[0], 0.7)
        self.assertEqual(arm.guide, "off")

    def test_a_restored_state_goes_on_with_the_same_bits(self):
        sim, other = jointrig.Sim("franka"), jointrig.Sim("franka")
        sim.set_mode("arm", "position")
        sim.step()
        sim.move("panda_joint2", 0.2)
        sim.run(0.3)
        saved, q = sim.save(), sim.q.copy()
        sim.run(0.5)
        there = sim.state_hash()
        for again in (sim, other):
            again.restore(saved)
            np.testing.assert_array_equal(again.q, q)
            self.assertEqual(again.cycle, saved.cycle)
            again.run(0.5)
            self.assertEqual(again.state_hash(), there)
        other.move("panda_joint2", 0.3)  # its number is above those of the first one's
        other.step()

    def test_a_restored_state_knows_what_acted_in_it(self):
        sim = jointrig.Sim("franka", payload_bodies=["panda_hand"])
        first = sim.payload("panda_hand", 1.0)
        sim.step(10)
        saved = sim.save()
        second = sim.payload("panda_hand", 2.0)
        sim.step(100)
        both = sim.state_hash()
        first.end()
        second.end()
        sim.restore(saved)
        second.begin()  # beside the first one, which acts again
        sim.step(100)
        self.assertEqual(sim.state_hash(), both)

    def test_commands_that_wait_are_no_part_of_a_state(self):
        sim = jointrig.Sim("franka")
        saved = sim.save()
        sim.set_mode("arm", "position")
        sim.restore(saved)
        sim.step()
        self.assertEqual(set(sim.modes), {"idle"})

    def test_a_state_of_another_robot_is_refused(self):
        saved = jointrig.Sim("franka").save()
        with self.assertRaisesRegex(jointrig.InputError, "another robot, of other settings"):
            jointrig.Sim("franka", {"plant": {"seed": 7}}).restore(saved)
        with self.assertRaisesRegex(jointrig.InputError, "another robot, of other settings"):
            jointrig.Sim("franka", backend="kinematic").restore(saved)
        with self.assertRaisesRegex(RuntimeError, "backend hw can't be saved"):
            jointrig.Sim("franka", backend="boards").save()

    def test_a_robot_of_parts_with_different_backends_is_one_robot(self):
        settings = {"joints": {"hand": {"backend": "kinematic", "cycle": "4 ms"}}}
        sim, other = jointrig.Sim("franka", settings), jointrig.Sim("franka", settings)
        self.assertEqual(sim.backend, "sim+kinematic")
        sim.set_mode("all", "position")
        sim.run(0.2)
        sim.move(["panda_joint2", "panda_finger_joint1"], [0.2, 0.01])
        sim.run(0.3)
        saved = sim.save()
        sim.run(3.0)
        np.testing.assert_allclose(sim.q[[1, 7]], [0.2, 0.01], atol=1e-3)
        self.assertAlmostEqual(sim.truth("truth.panda_finger_joint1.q"), sim.q[7], delta=1e-6)
        there = sim.state_hash()
        other.restore(saved)
        other.run(3.0)
        self.assertEqual(other.state_hash(), there)
        with self.assertRaisesRegex(jointrig.Refused, "unsupported"):  # the arm takes torque, the hand none
            sim.set_mode("panda_finger_joint1", "torque")
            sim.step()


class Ends(unittest.TestCase):
    def test_after_close_calls_are_refused_and_views_keep_the_last_cycle(self):
        with jointrig.Sim("franka") as sim:
            sim.step(10)
            q = sim.q
        self.assertTrue(sim.closed)
        sim.close()
        for call in (sim.step, sim.events, sim.save, sim.state_hash, lambda: sim.joints):
            with self.assertRaisesRegex(jointrig.Closed, "this Sim is closed: make a new one"):
                call()
        del sim
        self.assertAlmostEqual(q[3], -2.356, delta=1e-2)

    def test_ctrl_c_ends_a_long_step(self):
        script = "import jointrig\nsim = jointrig.Sim('franka')\nprint('begun', flush=True)\nsim.run(1e6)\n"
        run = subprocess.Popen([sys.executable, "-B", "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               text=True)
        self.assertEqual(run.stdout.readline(), "begun\n")
        run.send_signal(signal.SIGINT)
        _, told = run.communicate(timeout=60)
        self.assertIn("KeyboardInterrupt", told)

    def test_a_second_thread_is_refused_while_the_first_one_steps(self):
        sim = jointrig.Sim("franka")
        begun, busy = threading.Event(), []

        def step():
            begun.set()
            sim.run(2.0)

        thread = threading.Thread(target=step)
        thread.start()
        begun.wait()
        while thread.is_alive() and not busy:
            try:
                sim.state_hash()
            except jointrig.Busy as error:
                busy.append(str(error))
        thread.join()
        self.assertEqual(busy, ["this Sim is stepping in another thread: one thread at a time"])

    def test_sims_in_threads_run_side_by_side_to_the_same_bits(self):
        def drive(hashes):
            sim = jointrig.Sim("franka")
            sim.set_mode("arm", "position")
            sim.step()
            sim.move("arm", 0.0 * sim.q[:7] + [0.1, -0.5, 0.1, -2.0, 0.0, 1.6, 0.7])
            sim.run(1.0)
            hashes.append(sim.state_hash())

        alone, together = [], []
        drive(alone)
        threads = [threading.Thread(target=drive, args=(together,)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(together, alone * 4)


if __name__ == "__main__":
    unittest.main()
