"""Every scenario step and every action of the panel has its call in Python, and every call its step; or it is named here
with the reason why it has none.
"""

import functools
import json
import pathlib
import re
import unittest

import jointrig
from jointrig import _core, aio, remote

ROOT = pathlib.Path(__file__).resolve().parents[2]

# By step, its calls: methods of a Sim unless another class is named.
STEPS = {
    "set_mode": ["set_mode", "set_interaction", "set_impedance"],
    "set_interaction": ["set_interaction", "set_impedance"],
    "set_impedance": ["set_impedance"],
    "set_parameter": ["set_parameter", "parameters"],
    "move": ["move", "timed_move"],
    "home": ["move", "timed_move", "poses"],
    "target": ["set_joint_target"],
    "trajectory": ["trajectory", "tool_trajectory"],
    "move_tool": ["set_tool_target"],
    "drive_tool": ["drive_tool"],
    "reach": ["reach"],
    "expect_unreachable": ["reach", "Unreachable"],
    "set_arm": ["set_tool_stiffness", "set_tool_damping", "set_arm_term", "tare_force_sensor", "set_force_filter",
                "set_payload", "set_tool", "set_tool_inertia", "set_posture", "set_interaction_control", "set_cuff",
                "set_free_axes"],
    "calibrate": ["calibrate"],
    "stop": ["stop"],
    "cancel": ["cancel"],
    "speed_override": ["set_speed_override"],
    "set_gravity": ["set_gravity", "gravity"],
    "set_protection": ["set_protection", "suppress"],
    "set_law": ["switch_law", "set_law_parameter"],
    "set_obstacle": ["set_obstacle", "obstacles"],
    "remove_obstacle": ["remove_obstacle"],
    "gripper": ["open_gripper", "close_gripper", "move_gripper", "grasp"],
    "message": ["hand_trajectory", "arm_trajectory", "chest_trajectory", "head_trajectory", "pelvis_orientation",
                "pelvis_height", "foot_trajectory", "foot_load_bearing", "hand_load_bearing", "go_home",
                "stop_all_trajectories", "footstep_list", "pause_walking", "neck_trajectory", "arm_desired_accelerations",
                "neck_desired_accelerations", "whole_body_trajectory", "pelvis_trajectory", "hand_configuration",
                "footstep"],
    "stream": ["stream_position", "stream_trajectory", "velocity", "torque", "duty", "stream_tool_target"],
    "wait": ["run", "step", "events", "plans"],
    "expect_rejected": ["Refused"],
    "inject_fault": ["inject_fault", "fault_types", "sensor_fault_types"],
    "force": ["push"],
    "payload": ["payload"],
    "obstacle": ["obstacle"],
    "end": ["Disturbance.end", "Disturbance.begin"],
    "expect": ["truth", "truth_names"],
}
STEPS_WITHOUT = {
    "name": "a report's word for a step; a script has its own lines",
    "stop_stream": "a script sends its samples itself: it ends a stream by sending no more",
    "parallel": "a script commands several joints before the step that takes all of it",
    "state_machine": "the script's own if and while",
    "repeat": "the script's own loops",
    "include": "the script's own functions and imports",
    "mark": "a script keeps what it read: sim.q.copy(), sim.time",
}
# Methods of a Sim that are no steps.
CALLS_WITHOUT = {
    "plan_trajectory": "moves nothing: the panel's Plan", "plan_tool_trajectory": "moves nothing: the panel's Plan",
    "record": "makes a scenario", "write_scenario": "makes a scenario",
    "save": "a run begins at its start", "restore": "a run begins at its start",
    "close": "a run ends by itself", "index": "steps go by names",
    "state_hash": "in a result",
    "save_parameters": "writes a file of a person's: a run leaves the robot's as it is",
}

ACTS = {
    "run": ["set_mode"], "idle": ["set_mode"], "force-idle": ["set_mode"], "home": ["move"], "calibrate": ["calibrate"],
    "change the interaction": ["set_interaction"], "change the impedance": ["set_impedance"], "move": ["move"],
}
ARM_ACTS = {
    "enter": ["set_mode"], "leave": ["set_mode"], "gain": ["set_tool_stiffness", "set_tool_damping"],
    "weigh": ["set_arm_term", "set_payload"], "move": ["set_tool_target", "set_posture"],
    "guide": ["set_cuff", "set_free_axes", "set_interaction_control"],
}
DESKS = {
    "sequence": ["move", "timed_move"],
    "motion": ["trajectory", "tool_trajectory", "plan_trajectory", "plan_tool_trajectory", "plans", "stop"],
    "scenario": ["run_scenario", "remote.Robot.run_scenario"],
    "parameters": ["set_parameter", "parameters", "save_parameters"],
    "laws": ["switch_law", "set_law_parameter", "laws"],
    "grippers": ["open_gripper", "close_gripper", "move_gripper", "grasp"],
    "body": STEPS["message"],
    "arms": ["set_tool_target", "set_tool_stiffness", "set_arm_term"],
    "guide": ["set_cuff", "set_free_axes", "set_interaction_control"],
    "suppress": ["suppress"],
    "recording": ["record", "write_scenario"],
    "reset": ["save", "restore"],
}
# Calls of a simulated world, and of a server.
WORLD = {"pause": ["step"], "step": ["step"], "inject": ["inject_fault"], "end_faults": ["Disturbance.end"]}
WORLD_WITHOUT = {"set_speed": "a script's time is its own: run() as fast as the machine can"}
SERVED = {"take": ["remote.Robot.take"], "release": ["remote.Robot.release"]}
SERVED_WITHOUT = {"stopped": "tells the server that stop() was sent, which a client's own stop() does",
                  "take_for_off": "a part of OFF: take(by_force=True), then set_mode"}


def found(name):
    places = {"remote": remote, "aio": aio}
    first, _, rest = name.partition(".")
    for begin in (places.get(first), getattr(jointrig, first, None)):
        if begin is not None:
            return functools.reduce(getattr, rest.split(".") if rest else [], begin)
    return getattr(jointrig.Sim, name)


def words_of(header, macro):
    """The words of an enumeration of the panel."""
    text = (ROOT / "gui/panel" / header).read_text()
    [body] = re.findall(rf"#define {macro}\(X\)((?:.*\\\n)*.*)\n", text)
    return set(re.findall(r'X\(k\w+, "([^"]+)"\)', body))


def calls_of(header):
    """Actions that a class of the panel offers a person: its virtual functions that change something."""
    text = (ROOT / "gui/panel" / header).read_text()
    return set(re.findall(r"virtual (?:void|std::string) (\w+)\([^)]*\)(?: = 0)?(?:;| \{)", text))


class EachHasItsOther(unittest.TestCase):
    def hold(self, there, here, without):
        self.assertGreater(len(there), 3)
        self.assertEqual(there, set(here) | set(without))
        self.assertFalse(set(here) & set(without))
        for name, calls in here.items():
            for call in calls:
                with self.subTest(name, call=call):
                    self.assertIsNotNone(found(call))
        for name, reason in without.items():
            self.assertGreater(len(reason.split()), 3, name)

    def test_each_step_has_its_call(self):
        schema = json.loads((ROOT / "harness/runner/scenario.schema.json").read_text())
        self.hold(set(schema["definitions"]["step"]["properties"]), STEPS, STEPS_WITHOUT)

    def test_each_command_has_its_step(self):
        commands = {one["name"] for one in _core.command_definitions()} - {"follow_plan"}  # a plan's ticket
        self.assertEqual(commands, {name for name in dir(jointrig.Commands) if not name.startswith("_")})
        self.assertEqual(commands - {call for calls in STEPS.values() for call in calls}, set())

    def test_each_method_has_its_step(self):
        methods = {name for name in dir(jointrig.Sim) if not name.startswith("_") and callable(getattr(jointrig.Sim, name))}
        steps = {call for calls in STEPS.values() for call in calls}
        self.assertEqual(methods - steps, set(CALLS_WITHOUT))

    def test_each_action_of_the_panel_has_its_call(self):
        self.hold(words_of("joint_acts.h", "JOINTRIG_PANEL_ACTS"), ACTS, {})
        self.hold(words_of("arm_desk.h", "JOINTRIG_ARM_ACTS"), ARM_ACTS, {})
        desks = re.findall(r"^  \w+Desk (\w+);", (ROOT / "gui/panel/desks.h").read_text(), re.MULTILINE)
        self.hold(set(desks), DESKS, {})
        self.hold(calls_of("simulation.h"), WORLD, WORLD_WITHOUT)
        self.hold(calls_of("served.h"), SERVED, SERVED_WITHOUT)

    def test_a_connection_has_what_needs_no_physics(self):
        """remote_test.py names what a Sim alone has; all else is there for threads and for tasks."""
        for calls in STEPS.values():
            for call in calls:
                if call in ("truth", "truth_names", "inject_fault", "fault_types", "sensor_fault_types", "push", "payload",
                            "obstacle") or "." in call or call[0].isupper():
                    continue
                with self.subTest(call):
                    self.assertTrue(hasattr(remote.Robot, call) and hasattr(aio.Robot, call))


if __name__ == "__main__":
    unittest.main()
