"""A robot of parts with different backends, from outside: `run` and `inspect` in the words of any other robot, the same
bits twice, what its log says, and what is refused. One is a UR5e as somebody else publishes it.

    python joined_program_test.py PROGRAM
"""

import importlib.util
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
FOUND = importlib.util.find_spec("robosuite")
UR5E = FOUND and pathlib.Path(FOUND.submodule_search_locations[0]) / "models/assets/robots/ur5e/robot.xml"

MOVE = """\
schema: 1
scenario: move
about: All joints hold, then two of them move; the arm doesn't give way under what hangs on it.
robot: robot.yaml
steps:
  - set_mode: {{joints: all, mode: position}}
  - wait: 0.3 s
  - move: {{joints: {{{first}: "each.q_ref + 0.2", {last}: "each.q_ref - 0.01"}}, timeout: 10 s}}
  - wait: 0.5 s
assert:
  always:
    - {{expr: "abs(each.q_err) < 0.02", joints: all}}
    - {{expr: "each.missed == 0", joints: all}}
  at_end:
    - {{expr: "abs(each.q_err) < 0.002", joints: all}}
"""

TIED = """\
<mujoco>
  <worldbody>
    <body><joint name="left" axis="0 1 0"/><geom size="0.05" pos="0.2 0 0"/></body>
    <body pos="0 1 0"><joint name="right" axis="0 1 0"/><geom size="0.05" pos="0.2 0 0"/></body>
  </worldbody>
  <equality><joint joint1="right" joint2="left"/></equality>
  <actuator><motor joint="left" ctrlrange="-20 20"/><motor joint="right" ctrlrange="-20 20"/></actuator>
</mujoco>
"""


class JoinedRobot(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="jointrig_joined_"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def write(self, name: str, text: str) -> str:
        (self.folder / name).write_text(text)
        return str(self.folder / name)

    def jointrig(self, *words: str, code: int = 0) -> str:
        done = subprocess.run([PROGRAM, *words], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=100, check=False)
        self.assertEqual(done.returncode, code, f"{words}\n{done.stdout}")
        return done.stdout

    def runs(self, robot: str, first: str, last: str, backend: str):
        self.write("robot.yaml", robot)
        scenario = self.write("move.yaml", MOVE.format(first=first, last=last))
        out = self.folder / "out"
        self.jointrig("run", scenario, "--repeat", "2", "--check-hash", "--logs", "all", "--overwrite", "--out", str(out))
        results = "".join(file.read_text() for file in out.rglob("*.json"))
        self.assertIn(f'"backend":"{backend}"', results.replace(": ", ":"))
        return out

    def test_a_robot_of_ours_moves_and_its_log_says_which_backend_each_joint_has(self):
        robot = f"""\
schema: 1
model: {pathlib.Path("models/franka/franka.xml").resolve()}
parts: {{arm: [panda_joint1, panda_joint2, panda_joint3, panda_joint4, panda_joint5, panda_joint6, panda_joint7],
         hand: [panda_finger_joint1]}}
joints:
  hand: {{backend: kinematic, cycle: 4 ms}}
"""
        out = self.runs(robot, "panda_joint2", "panda_finger_joint1", "sim+kinematic")
        log = next(out.rglob("*.mcap"))
        text = log.read_bytes()
        self.assertIn(b"kinematic: panda_finger_joint1", text)
        table = self.jointrig("inspect", str(self.folder / "robot.yaml"))
        self.assertRegex(table, r"mode +panda_joint1 and 6 more +panda_finger_joint1")
        self.assertRegex(table, r"backend +sim +kinematic, every 4 ms")
        self.assertRegex(table, r"\ntorque +native +no: it has no torque")
        self.assertRegex(table, r"call on sim\+kinematic")

    @unittest.skipIf(not UR5E, "the test set of Python packages is not installed")
    def test_a_published_arm_has_its_wrist_elsewhere(self):
        robot = f"""\
schema: 1
model: {UR5E}
parts: {{wrist: [wrist_2_joint, wrist_3_joint]}}
backend: BACKEND
joints:
  wrist: {{backend: kinematic}}
"""
        for backend in ("sim", "boards"):
            with self.subTest(backend):
                self.runs(robot.replace("BACKEND", backend), "elbow_joint", "wrist_3_joint", f"{backend}+kinematic")

    def refused(self, robot: str) -> str:
        return self.jointrig("inspect", self.write("robot.yaml", robot), code=2)

    def test_what_does_not_make_one_robot_is_refused_with_its_place(self):
        franka = f"schema: 1\nmodel: {pathlib.Path('models/franka/franka.xml').resolve()}\n"
        parts = "parts: {hand: [panda_finger_joint1], end: [panda_joint7, panda_finger_joint1]}\n"
        said = self.refused(franka + parts + "joints:\n  hand: {backend: kinematik}\n")
        self.assertRegex(said, r'robot.yaml:5:19: .*"kinematik".*did you mean "kinematic"')
        said = self.refused(franka + parts + "joints:\n  hand: {backend: hw}\n  end: {backend: kinematic}\n")
        self.assertRegex(said, r"robot.yaml:6:18: joint panda_finger_joint1 is on two backends: kinematic by part end, hw "
                               "by part hand")
        said = self.refused(franka + parts + "backend: hw\njoints:\n  hand: {backend: boards}\n")
        self.assertRegex(said, r"robot.yaml:6:19: joints on hw and on boards can't run together")
        said = self.refused(franka + parts + "joints:\n  hand: {backend: kinematic, cycle: 1.5 ms}\n")
        self.assertRegex(said, r"robot.yaml:5:37: the cycle of panda_finger_joint1, 1.5 ms, is no whole multiple of the "
                               "robot's period, 1 ms; take 1 ms or 2 ms")
        said = self.refused(franka + parts + "joints:\n  hand: {cycle: 2 ms}\n")
        self.assertRegex(said, r"robot.yaml:5:17: joints on sim share one physics")
        said = self.refused(franka + parts + "backend: hw\njoints:\n  hand: {cycle: 2 ms}\n")
        self.assertRegex(said, r"robot.yaml:6:17: panda_finger_joint1 is on backend hw, where its cycle is that of its bus")
        # A finger that follows has no backend: it isn't controlled.
        said = self.refused(franka + "joints:\n  panda_finger_joint2: {backend: kinematic}\n")
        self.assertRegex(said, r'there is no joint or part "panda_finger_joint2"')

    def test_joints_that_the_model_ties_stay_on_one_backend(self):
        self.write("tied.xml", TIED)
        robot = "schema: 1\nmodel: tied.xml\njoints:\n  right: {backend: kinematic}\n"
        self.assertRegex(self.refused(robot), "an equality of the model ties joint left to right, so both must be on one "
                                              "backend, not on sim and kinematic")
        scenario = self.write("move.yaml", MOVE.format(first="left", last="right"))
        said = self.jointrig("run", scenario, "--out", "-", code=2)
        self.assertIn("an equality of the model ties joint left to right", said)

    def test_a_backend_that_is_asked_for_is_the_whole_robots(self):
        self.write("robot.yaml", f"schema: 1\nmodel: {pathlib.Path('models/franka/franka.xml').resolve()}\n"
                                 "backend: sim\njoints:\n  panda_finger_joint1: {backend: hw}\n")
        scenario = self.write("move.yaml", MOVE.format(first="panda_joint2", last="panda_finger_joint1"))
        self.jointrig("run", scenario, "--backend", "kinematic", "--out", "-")
        said = self.jointrig("run", scenario, "--out", "-", code=2)
        self.assertIn("names no `buses`", said)


if __name__ == "__main__":
    unittest.main()
