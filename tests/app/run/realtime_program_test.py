"""`jointrig run --realtime` as a user meets it: verdicts, sentences, and what a signal leaves."""

import ctypes
import json
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from mcap.exceptions import McapError
from mcap.reader import NonSeekingReader, make_reader

PROGRAM = str(pathlib.Path(sys.argv.pop(1)).absolute())

PUSHED = """\
schema: 1
scenario: pushed
robot: franka
steps:
  - set_mode: {joints: [all], mode: position, interaction: compliant}
  - wait: 0.3 s
  - force: {body: panda_link7, force: [0, 30, 0], for: 300 ms}
  - name: it gives way
    wait: {until: abs(truth.panda_joint1.q - panda_joint1.q_ref) > 1 mrad, timeout: 1 s}
  - wait: 1 s
  - set_mode: {joints: panda_joint7, mode: velocity}
  - stream: {velocity: {panda_joint7: 0.2}, for: 0.3 s}
assert:
  always:
    - {expr: abs(each.tau_cmd) <= each.tau_max, name: torque within its limit}
  at_end:
    - {expr: panda_joint7.q_ref > 30 mrad, name: joint 7 has turned}
metrics:
  - {name: sway, of: abs(panda_joint1.q_err), stat: max, max: 0.5}
"""

REPLACED = """\
schema: 1
scenario: replaced
robot: franka
steps:
  - set_mode: {joints: [all], mode: position}
  - wait: 0.3 s
  - trajectory: {arm: arm, waypoints: [{by: [0, 20 cm, 0]}, {by: [0, 0, -10 cm]}, {by: [0, -40 cm, 0]}], wait: false}
  - wait: 0.5 s
  - name: another way, from where the arm is
    trajectory: {arm: arm, replace: true, waypoints: [{by: [0, 10 cm, 0]}, {by: [0, 0, 10 cm]}]}
assert:
  at_end:
    - {expr: abs(panda_joint1.v) < 1 mrad/s, name: it rests}
"""

HOLD = """\
schema: 1
scenario: hold
robot: franka
steps:
  - set_mode: {joints: [all], mode: position}
  - wait: 100 s
"""


LIBC = ctypes.CDLL(None)
PR_CAPBSET_DROP = 24  # linux/prctl.h
CAP_IPC_LOCK, CAP_SYS_NICE = 14, 23  # linux/capability.h


def without_permission():
    """In the child: no real-time scheduling, little memory to lock, whoever runs the test."""
    resource.setrlimit(resource.RLIMIT_RTPRIO, (0, 0))
    resource.setrlimit(resource.RLIMIT_MEMLOCK, (65536, 65536))
    for capability in (CAP_IPC_LOCK, CAP_SYS_NICE):
        LIBC.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)


class RealtimeProgram(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.out = self.folder / "out"

    def command(self, text: str, *arguments: str):
        file = self.folder / "case.yaml"
        file.write_text(text)
        return [PROGRAM, "run", str(file), "--no-report", "--overwrite", "--out", str(self.out), *arguments]

    def run_text(self, text: str, *arguments: str, **options):
        return subprocess.run(self.command(text, *arguments), capture_output=True, text=True,
                              timeout=120, check=False, **options)

    def run_judged(self, text: str, *arguments: str, **options):
        """Runs it again where a machine that is busy with other things kept it from judging."""
        for _ in range(5):
            done = self.run_text(text, *arguments, **options)
            if "could not judge" not in done.stdout:
                break
        return done

    def result(self):
        return json.loads((self.out / "result.json").read_text())["scenarios"][0]

    def interrupted(self, which: signal.Signals):
        """Starts a run, sends it a signal when its log is on the disk; gives its exit code."""
        log = self.out / "hold/log.mcap"
        with subprocess.Popen(self.command(HOLD, "--realtime"), stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as program:
            give_up = time.monotonic() + 60
            while not log.exists() or log.stat().st_size < 1_000_000:  # a second, or more
                self.assertIsNone(program.poll(), "it ended by itself")
                self.assertLess(time.monotonic(), give_up)
                time.sleep(0.05)
            program.send_signal(which)
            program.communicate(timeout=60)
            return program.returncode, log

    def test_it_comes_to_the_verdicts_of_a_headless_run(self):
        verdicts = []
        for arguments in ([], ["--realtime"], ["--realtime", "--spin", "200"]):
            done = self.run_judged(PUSHED, *arguments)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            verdicts.append([(v["name"], v["status"]) for v in self.result()["verdicts"]])
            self.assertEqual(self.result()["cycles_missed"], 0)
        self.assertGreater(len(verdicts[0]), 8)
        self.assertEqual(verdicts[0], verdicts[1])
        self.assertEqual(verdicts[0], verdicts[2])

    def test_a_trajectory_and_its_replacement_are_planned_beside_judging(self):
        done = self.run_judged(REPLACED, "--realtime")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(self.result()["cycles_missed"], 0)

    def test_it_takes_as_long_as_the_robot_does(self):
        done = self.run_judged(HOLD.replace("100 s", "1 s"), "--realtime", "--rtf", "0.5")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertGreater(self.result()["sim_time"], 1.0)
        self.assertGreater(self.result()["wall_time"], 2.0)

    def test_a_failure_is_one_in_real_time_too(self):
        text = HOLD.replace("100 s", "0.2 s") + (
            "assert:\n  always:\n    - expr: panda_joint1.q > 1 rad\n")
        done = self.run_judged(text, "--realtime")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)

    def test_without_permission_it_runs_and_says_what_it_lacks(self):
        done = self.run_judged(HOLD.replace("100 s", "0.2 s"), "--realtime",
                               preexec_fn=without_permission)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("SCHED_FIFO is not permitted", done.stdout)
        self.assertIn("memory not locked", done.stdout)
        self.assertIn("prlimit", done.stdout)
        self.assertIn("SCHED_FIFO is not permitted", self.result()["properties"]["realtime"])

    def test_ctrl_c_and_kill_end_it_with_a_whole_log_and_130(self):
        for which in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(signal=which.name):
                code, log = self.interrupted(which)
                self.assertEqual(code, 130)
                with log.open("rb") as stream:
                    reader = make_reader(stream)
                    self.assertIsNotNone(reader.get_summary(), "it has its index")
                    cycles = sum(1 for _ in reader.iter_messages(topics=["/loop"]))
                self.assertGreater(cycles, 300)
                self.assertEqual(self.result()["reason"], "interrupted")
                log.unlink()

    def test_after_kill_9_the_log_can_be_read_up_to_the_last_second(self):
        code, log = self.interrupted(signal.SIGKILL)
        self.assertEqual(code, -signal.SIGKILL)
        cycles = 0
        with log.open("rb") as stream:
            try:
                messages = NonSeekingReader(stream).iter_messages(log_time_order=False)
                for _, channel, _ in messages:
                    cycles += channel.topic == "/loop"
            except McapError:
                pass  # it has no end
        self.assertGreater(cycles, 300)
        whole = self.folder / "whole.mcap"
        done = subprocess.run([PROGRAM, "recover", str(log), str(whole)], capture_output=True,
                              text=True, timeout=60, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        with whole.open("rb") as stream:
            recovered = sum(1 for _ in make_reader(stream).iter_messages(topics=["/loop"]))
        self.assertEqual(recovered, cycles)

    def test_options_that_do_not_go_together_are_refused_with_a_sentence(self):
        cases = {
            ("--realtime", "--check-hash"): "no two runs in real time are equal",
            ("--realtime", "--backend", "boards"): "have a time of their own",
            ("--realtime", "--jobs", "2"): "one scenario at a time",
            ("--spin", "100"): "add --realtime",
            ("--rtf", "2"): "add --realtime",
            ("--core", "0"): "add --realtime",
        }
        for arguments, sentence in cases.items():
            with self.subTest(arguments=arguments):
                done = self.run_text(HOLD, *arguments)
                self.assertEqual(done.returncode, 2)
                self.assertIn(sentence, done.stderr)
                self.assertFalse(self.out.exists())


unittest.main(verbosity=1)
