"""jointrig.run_scenario and run_scenarios against `jointrig run`.

    scenarios_test.py PATH_TO_THE_PROGRAM
"""

import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import jointrig

PROGRAM = sys.argv.pop(1)
TOO_STRICT = """\
schema: 1
scenario: too_strict
about: a joint that moves by 0.2 rad is told to have moved by 0.3
robot: franka
setup:
  - set_mode: {joints: all, mode: position}
steps:
  - move: {joints: {panda_joint1: 0.2 rad}, timeout: 5 s}
assert:
  at_end:
    - {expr: panda_joint1.q > 0.3 rad, name: it moves far}
metrics:
  - {name: way, of: panda_joint1.q, stat: final}
"""


class Scenarios(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.top = pathlib.Path(self.folder.name)

    def write(self, text, name="too_strict.yaml"):
        (self.top / name).write_text(text)
        return self.top / name

    def test_a_result_is_that_of_the_program(self):
        subprocess.run([PROGRAM, "run", "scenarios/joints/retarget.yaml", "--out", self.top / "run"], check=True,
                       capture_output=True)
        [told] = json.loads((self.top / "run/result.json").read_text())["scenarios"]
        result = jointrig.run_scenario("scenarios/joints/retarget.yaml")
        self.assertTrue(result.passed)
        for field in ("scenario", "about", "tags", "backend", "outcome", "exit_code", "reason", "sim_time",
                      "state_hash"):
            self.assertEqual(getattr(result, field), told[field], field)
        self.assertEqual([verdict.name for verdict in result.verdicts], [one["name"] for one in told["verdicts"]])
        self.assertEqual(result.log_path, "")

    def test_a_failure_tells_expected_and_got(self):
        result = jointrig.run_scenario(self.write(TOO_STRICT))
        self.assertEqual((result.outcome, result.passed, result.exit_code), ("failed", False, 1))
        [failure] = result.failures
        self.assertEqual((failure.kind, failure.name, failure.status), ("at_end", "it moves far", "failed"))
        self.assertIn("panda_joint1.q > 0.3 rad", failure.expected)
        self.assertRegex(failure.got, r"panda_joint1.q = 0\.(199|200)")
        self.assertIn("too_strict.yaml:11", failure.place)
        self.assertAlmostEqual(result.metrics["way"], 0.2, delta=1e-3)

    def test_settings_change_the_scenario_and_its_robot(self):
        file = self.write(TOO_STRICT)
        result = jointrig.run_scenario(file, settings={"assert.at_end[0].expr": "panda_joint1.q > 0.1 rad",
                                                       "robot.plant.seed": 7})
        self.assertTrue(result.passed, result.reason)
        self.assertEqual(result.properties["seed"], "7")

    def test_results_side_by_side_are_those_of_one_after_the_other(self):
        def hashes(**how):
            return [(result.scenario, result.state_hash)
                    for result in jointrig.run_scenarios("scenarios/streaming", **how)]

        alone = hashes()
        self.assertGreater(len(alone), 3)
        self.assertEqual(hashes(jobs=3), alone)

    def test_out_gets_what_jointrig_run_leaves(self):
        [result] = jointrig.run_scenarios([self.write(TOO_STRICT)], out=self.top / "out")
        for name in ("junit.xml", "result.json", "report.html", "too_strict/log.mcap", "too_strict/effective.yaml"):
            self.assertTrue((self.top / "out" / name).stat().st_size > 0, name)
        log = jointrig.Log(result.log_path)
        self.assertAlmostEqual(log["panda_joint1.q"][-1], 0.2, delta=1e-3)

    def test_bad_input_is_one_sentence(self):
        for call, sentence in (
                (lambda: jointrig.run_scenario("scenarios/strem"), 'strem'),
                (lambda: jointrig.run_scenario("scenarios/streaming"), r"scenarios/streaming has \d+ scenarios: "
                                                                       r"run_scenarios\(\) runs them all"),
                (lambda: jointrig.run_scenario(self.write(TOO_STRICT), backend="sym"), 'did you mean "sim"'),
                (lambda: jointrig.run_scenarios(self.write(TOO_STRICT), jobs=0), "jobs: at least 1"),
                (lambda: jointrig.run_scenario(self.write(TOO_STRICT.replace("robot:", "robto:"))),
                 r'too_strict.yaml:4:1: unknown key "robto"; did you mean "robot"')):
            with self.assertRaisesRegex(jointrig.InputError, sentence):
                call()

    def test_ctrl_c_ends_runs(self):
        script = "import jointrig\nprint('begun', flush=True)\njointrig.run_scenarios('scenarios', jobs=2)\n"
        run = subprocess.Popen([sys.executable, "-B", "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               text=True)
        self.assertEqual(run.stdout.readline(), "begun\n")
        time.sleep(1.0)  # anywhere in the runs, or while they are read
        run.send_signal(signal.SIGINT)
        _, told = run.communicate(timeout=60)
        self.assertIn("KeyboardInterrupt", told)

    def test_other_threads_of_python_run_meanwhile(self):
        counted, done = [0], threading.Event()

        def count():
            while not done.is_set():
                counted[0] += 1
                time.sleep(0.001)

        thread = threading.Thread(target=count)
        thread.start()
        jointrig.run_scenario("scenarios/joints/retarget.yaml")
        done.set()
        thread.join()
        self.assertGreater(counted[0], 3)


if __name__ == "__main__":
    unittest.main()
