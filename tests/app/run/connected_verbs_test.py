"""`jointrig inspect`, `check` and `wiggle` with --connect, and run_scenario() of a connected robot.

    connected_verbs_test.py PATH_TO_THE_PROGRAM
"""

import asyncio
import concurrent.futures
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import jointrig
from jointrig import aio

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from background import Background  # noqa: E402

PROGRAM = str(pathlib.Path(sys.argv.pop(1)).absolute())
SWING = """\
schema: 1
scenario: swing
robot: franka
setup:
  - set_mode: {joints: all, mode: position}
steps:
  - move: {joints: {panda_joint1: TO rad}, timeout: 60 s}
  - {wait: 0.5 s, name: settled}
assert:
  at_end:
    - {expr: abs(panda_joint1.q - TO rad) < 0.01 rad, name: it has swung}
    - {expr: panda_joint1.q > AT_LEAST rad, name: far enough}
metrics:
  - {name: end, of: panda_joint1.q, from: settled, stat: final}
"""


def served(owner, *arguments):
    """The address of a robot that is served for a test or a class of tests."""
    process = Background(owner, [PROGRAM, "serve", *arguments, "--listen", "127.0.0.1:0"], text=True,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return process.stdout.readline().split('"')[1]


class OnAServedRobot(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.address = served(cls, "franka")

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def verb(self, *arguments, code=0, address=None):
        done = subprocess.run([PROGRAM, *arguments, "--connect", address or self.address], cwd=self.folder, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)
        self.assertEqual(done.returncode, code, done.stdout)
        return done.stdout

    def scenario(self, to, at_least=-9):
        file = self.folder / "swing.yaml"
        file.write_text(SWING.replace("TO", str(to)).replace("AT_LEAST", str(at_least)))
        return file

    # inspect ----------------------------------------------------------------------------------

    def test_inspect_tells_what_is_served_and_how(self):
        address = served(self, "franka", "--set", "joints.panda_joint1.velocity_max='1.25 rad/s'")
        said = self.verb("inspect", address=address)
        self.assertIn(f"franka, served at {address} by jointrig", said)
        self.assertIn("nobody holds the lease", said)
        [limits, *_] = [line.split() for line in said.splitlines() if line.startswith("panda_joint1 ")]
        self.assertEqual(limits[1], "hinge")
        self.assertIn("1.25", limits)  # as it is served, not as robot.yaml has it
        self.assertRegex(said, r"arm +panda_hand|arm +\S+ +where it is mounted")
        self.assertIn("panda_joint1, panda_joint2", said)
        with jointrig.connect(address, name="anna") as robot:
            self.assertRegex(self.verb("inspect", "franka", address=address), rf"anna\S* holds the lease")
            self.assertAlmostEqual(robot.joint_limits["v_max"][0], 1.25)
        self.assertIn("franka is served at", self.verb("inspect", "sawyer", address=address, code=2))

    def test_inspect_wants_a_model_or_an_address(self):
        done = subprocess.run([PROGRAM, "inspect"], text=True, capture_output=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("name a model, or give --connect HOST", done.stderr)

    # check ------------------------------------------------------------------------------------

    def check(self, *arguments, code=0, address=None):
        said = self.verb("check", "franka", "--out", "out", *arguments, code=code, address=address)
        results = json.loads((self.folder / "out/result.json").read_text())["scenarios"]
        return said, {one["scenario"]: one for one in results}

    def test_check_drives_judges_and_names_what_cannot_be_had(self):
        with jointrig.connect(self.address) as robot:  # it has to go to its start pose first
            robot.set_mode("all", "position")
            robot.move("panda_joint1", 0.3)
            robot.run(1.5)
            self.assertGreater(robot.q[0], 0.2)
        said, results = self.check("--only", "move,push,stop,guide", "--joints", "panda_joint1,panda_joint4")
        self.assertIn(f"2 of 8 joints, served at {self.address} on backend sim", said)
        self.assertEqual({name: one["outcome"] for name, one in results.items()},
                         {"move": "passed", "push": "skipped", "stop": "passed", "guide": "skipped"}, said)
        for kind in ("push", "guide"):
            self.assertRegex(said, rf"(?m)^.*{kind} .*over a connection nothing can")
        written = (self.folder / "out/move/check.yaml").read_text()
        self.assertIn("panda_joint1.q", written)
        self.assertNotIn("truth", written)
        self.assertTrue((self.folder / "out/report.html").exists())
        with jointrig.connect(self.address, watch=True) as robot:
            self.assertEqual(robot.holder, "")
            self.assertLess(abs(robot.q[0]), 0.02)  # where it started

    def test_check_fails_a_robot_whose_weight_is_not_the_models(self):
        """A third too heavy, it sinks in TORQUE, where gravity is compensated by the model."""
        address = served(self, "franka", "--set", "plant.mass_scale=1.33")
        said, results = self.check("--only", "torque", "--joints", "panda_joint2", code=1, address=address)
        self.assertEqual(results["torque"]["outcome"], "failed", said)
        failed = [one["name"] for one in results["torque"]["verdicts"] if one.get("status", one.get("outcome")) == "failed"]
        self.assertTrue(any("drift" in name for name in failed), results["torque"])

    def test_check_refuses_a_robot_that_is_served_otherwise_than_it_is_told(self):
        slower = "joints.panda_joint1.velocity_max=1.25 rad/s"
        address = served(self, "franka", "--set", slower)
        said = self.verb("check", "franka", "--out", "-", "--only", "move", code=2, address=address)
        self.assertIn("panda_joint1: v_max is 1.25 there and 2.175 here", said)
        self.check("--only", "move", "--joints", "panda_joint1", "--set", slower, address=address)

    def test_check_wants_full_speed(self):
        address = served(self, "franka")
        with jointrig.connect(address) as robot:
            robot.set_speed_override(0.5)
            robot.run(0.1)
        said = self.verb("check", "franka", "--out", "-", "--only", "hold", code=2, address=address)
        self.assertIn("franka is served with a speed override of 0.5, and a check judges motions at full speed", said)

    def test_check_goes_to_its_start_only_where_the_way_is_free(self):
        address = served(self, "franka")
        with jointrig.connect(address) as robot:
            robot.set_mode("all", "position")
            robot.move("panda_joint1", 1.7)
            robot.run(3)
            self.assertGreater(robot.q[0], 1.6)
            robot.set_obstacle("post", "box", [0.03, 0.03, 0.5], [0.2, 0.24, 0.5])  # at 0.88 rad
            robot.run(0.1)
        said, _ = self.check("--only", "hold", code=2, address=address)
        self.assertRegex(said, r"start of the check.*plan_collision.*post|post.*plan_collision")
        with jointrig.connect(address, watch=True) as robot:
            robot.run(0.1)
            self.assertGreater(robot.q[0], 1.6)  # nothing has moved

    def test_check_calibrates_a_joint_that_needs_it_once(self):
        needs_it = "joints.panda_joint1.board.needs_calibration=true"
        address = served(self, "franka", "--set", needs_it)
        only = ("--only", "hold,move", "--joints", "panda_joint1", "--set", needs_it)
        said, results = self.check(*only, address=address)
        self.assertEqual({one["outcome"] for one in results.values()}, {"passed"}, said)
        calibrates = {kind: "calibrate" in (self.folder / "out" / kind / "check.yaml").read_text() for kind in results}
        self.assertEqual(calibrates, {"hold": True, "move": False})
        self.check(*only, "--overwrite", address=address)
        self.assertNotIn("calibrate", (self.folder / "out/hold/check.yaml").read_text())

    def test_check_takes_the_robot_from_nobody(self):
        with jointrig.connect(self.address, name="anna"):
            said, results = self.check("--only", "hold", code=2)
            self.assertIn("anna", said)

    def test_check_leaves_a_robot_alone_that_somebody_stopped(self):
        address = served(self, "franka")
        process = Background(self, [PROGRAM, "check", "franka", "--connect", address, "--take-over", "--only", "hold,move,stop",
                                    "--out", str(self.folder / "out")], text=True, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT)
        with jointrig.connect(address, watch=True, name="ben") as robot:
            self.wait_for_holder(robot, "hold")
            robot.run(0.5)
            robot.stop()
            said, _ = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 3, said)  # a safety stop
            robot.run(0.2)
            self.assertEqual(robot.holder, "")
        results = {one["scenario"]: one for one in json.loads((self.folder / "out/result.json").read_text())["scenarios"]}
        self.assertNotIn(results["hold"]["outcome"], ("passed", "failed"), said)
        for kind in ("move", "stop"):
            self.assertEqual(results[kind]["outcome"], "could_not_run", said)
            self.assertRegex(results[kind]["reason"], "^not begun: the check ended in hold: ")

    def wait_for_holder(self, robot, of):
        for _ in range(400):
            if of in robot.holder:
                return
            robot.run(0.05)
        self.fail(f"nobody of {of} got the lease")

    # wiggle -----------------------------------------------------------------------------------

    def test_wiggle_finds_each_joint_well_and_one_that_weighs_more_not(self):
        said = self.verb("wiggle", "franka", "--joint", "panda_joint1", "--joint", "panda_joint4")
        rows = [line.split() for line in said.splitlines() if line.startswith("panda_joint")]
        self.assertEqual([(row[0], row[-1]) for row in rows], [("panda_joint1", "passed"), ("panda_joint4", "passed")], said)
        for row in rows:  # half a degree each way; nobody sees the physics
            self.assertAlmostEqual(float(row[1]), 1.0, delta=1e-3)
            self.assertAlmostEqual(float(row[3]), 1.0, delta=0.05)
            self.assertEqual(row[4], "-")
        with jointrig.connect(self.address, watch=True) as robot:
            self.assertEqual(robot.holder, "")
        heavy = served(self, "franka", "--set", "plant.mass_scale=2")
        said = self.verb("wiggle", "franka", "--joint", "panda_joint2", code=1, address=heavy)
        self.assertIn("torque", said)

    def test_wiggle_ends_when_somebody_takes_the_robot(self):
        address = served(self, "franka")
        process = Background(self, [PROGRAM, "wiggle", "franka", "--connect", address], text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        with jointrig.connect(address, watch=True, name="ben") as robot:
            self.wait_for_holder(robot, "wiggle@")
            robot.run(0.5)
            robot.take(by_force=True)
            said, _ = process.communicate(timeout=30)
        self.assertEqual(process.returncode, 2, said)
        self.assertRegex(said, r"ended from outside: ben\S* took the robot over")

    # Python -----------------------------------------------------------------------------------

    def test_a_connected_robot_runs_a_scenario_and_has_its_lease_again(self):
        with jointrig.connect(self.address, name="carl") as robot:
            result = robot.run_scenario(self.scenario(0.25), out=self.folder / "out")
            self.assertTrue(result.passed, result.reason)
            self.assertAlmostEqual(result.metrics["end"], 0.25, delta=0.01)
            self.assertTrue(robot.holds_lease)
            robot.update()
            self.assertAlmostEqual(float(robot.q[0]), 0.25, delta=0.01)
            robot.set_mode("all", "position")  # not refused
            log = jointrig.Log(self.folder / "out/swing/log.mcap")
            self.assertAlmostEqual(float(log["panda_joint1.q"][-1]), 0.25, delta=0.01)
            failed = robot.run_scenario(self.scenario(0.1, at_least=0.2))
            self.assertEqual([verdict.name for verdict in failed.failures], ["far enough"])
            self.assertRegex(failed.properties["served"], r" as remote\d+:scenario_swing@carl")
            with self.assertRaisesRegex(jointrig.InputError, "set it where it is served"):
                robot.run_scenario(self.scenario(0.1), settings={"robot.plant.seed": 3})
            self.assertTrue(robot.holds_lease)

    def test_an_async_robot_runs_a_scenario_and_ends_it_with_the_task(self):
        async def runs():
            async with aio.connect(self.address) as robot:
                result = await robot.run_scenario(self.scenario(-0.2))
                self.assertTrue(result.passed, result.reason)
                self.assertTrue(robot.holds_lease)
                task = asyncio.create_task(robot.run_scenario(self.scenario(-0.25).with_name("long.yaml")))
                (self.folder / "long.yaml").write_text(
                    "schema: 1\nscenario: long\nrobot: franka\nsteps:\n  - wait: 100 s\n")
                while "scenario_long" not in robot.holder:
                    await asyncio.sleep(0.02)
                task.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await task
                self.assertTrue(robot.holds_lease)
        asyncio.run(asyncio.wait_for(runs(), 60))

    def test_a_scenario_that_somebody_stopped_leaves_the_robot_to_him(self):
        (self.folder / "long.yaml").write_text("schema: 1\nscenario: long\nrobot: franka\nsteps:\n  - wait: 100 s\n")
        with jointrig.connect(self.address, name="carl") as robot, \
                jointrig.connect(self.address, watch=True, name="ben") as watcher, \
                concurrent.futures.ThreadPoolExecutor(1) as threads:
            running = threads.submit(robot.run_scenario, self.folder / "long.yaml")
            self.wait_for_holder(watcher, "scenario_long")
            watcher.stop()
            result = running.result(timeout=30)
            self.assertEqual(result.outcome, "safety_stop", result.reason)
            self.assertFalse(robot.holds_lease)

    def test_a_watcher_gets_no_lease_by_it(self):
        with jointrig.connect(self.address, watch=True) as robot:
            self.assertTrue(robot.run_scenario(self.scenario(0.05)).passed)
            self.assertFalse(robot.holds_lease)


if __name__ == "__main__":
    unittest.main()
