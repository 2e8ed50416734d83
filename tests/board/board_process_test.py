"""`jointrig board` and `jointrig run --backend hw`, each a process of its own, over sockets on this machine.

    board_process_test.py PROGRAM FOLDER

Either side is killed in the middle of a motion, too.
"""

import json
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import unittest

PROGRAM, OUT = pathlib.Path(sys.argv.pop(1)).resolve(), pathlib.Path(sys.argv.pop(1)).resolve()
ROOT = pathlib.Path(__file__).resolve().parents[2]

MOVE = """schema: 1
scenario: {name}
robot: {robot}
about: The arm goes to and fro.
steps:
  - set_mode: {{joints: all, mode: position, interaction: stiff}}
  - home: {{pose: above_table, duration: 3 s}}
  - home: {{pose: home, duration: 3 s}}
  - expect: {{expr: abs(each.q_err) < 0.2 deg, joints: arm}}
"""


def free_ports(count: int, kind: int) -> list[int]:
    sockets = [socket.socket(socket.AF_INET, kind) for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def robot_on_free_ports(folder: pathlib.Path) -> tuple[pathlib.Path, int]:
    """The franka with ports that nobody else has: several of these tests may run at once."""
    text = (ROOT / "models/franka/robot.yaml").read_text()
    text = text.replace("model: franka.xml", f"model: {ROOT / 'models/franka/franka.xml'}")
    bench = free_ports(1, socket.SOCK_STREAM)[0]
    text = text.replace("127.0.0.1:20010", f"127.0.0.1:{bench}")
    udp = sorted(set(re.findall(r"\b200[12]\d\b", text)))
    for old, new in zip(udp, free_ports(len(udp), socket.SOCK_DGRAM)):
        text = text.replace(old, str(new))
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "robot.yaml"
    path.write_text(text)
    return path, bench


class BenchLine:
    """The line beside the buses, spoken by other people's JSON."""

    def __init__(self, port: int):
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=10)
        self._file = self._socket.makefile("rw")

    def ask(self, **request) -> dict:
        self._file.write(json.dumps(request) + "\n")
        self._file.flush()
        return json.loads(self._file.readline())

    def close(self):
        self._file.close()
        self._socket.close()


class TwoProcesses(unittest.TestCase):
    board_options: tuple[str, ...] = ()

    def setUp(self):
        self.folder = OUT / self.id().rsplit(".", 1)[1]
        shutil.rmtree(self.folder, ignore_errors=True)
        self.robot, self.port = robot_on_free_ports(self.folder)
        self.board = None

    def tearDown(self):
        if self.board is not None and self.board.poll() is None:
            self.board.terminate()
            self.board.wait(timeout=20)
        if self.board is not None:
            self.board.stdout.close()

    def start_board(self, *options: str):
        self.board = subprocess.Popen([PROGRAM, "board", self.robot, *options], cwd=ROOT,
                                      stdout=subprocess.PIPE, text=True)
        for line in self.board.stdout:
            if line.startswith("ready"):
                return
        self.fail("the virtual boards did not come up")

    def command(self, *what: str) -> list:
        return [PROGRAM, "run", *what, "--robot", self.robot, "--backend", "hw", "--no-report"]

    def run_scenarios(self, *what: str):
        out = self.folder / "run"
        done = subprocess.run([*self.command(*what), "--out", out], cwd=ROOT, text=True, check=False,
                              capture_output=True, timeout=300)
        results = json.loads((out / "result.json").read_text())["scenarios"]
        return done, results

    def moving(self) -> pathlib.Path:
        path = self.folder / "move.yaml"
        path.write_text(MOVE.format(name="to_and_fro", robot=self.robot))
        return path

    def start_moving(self) -> subprocess.Popen:
        run = subprocess.Popen([*self.command(self.moving()), "--out", self.folder / "run"], cwd=ROOT,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        log = self.folder / "run/to_and_fro/log.mcap"
        end = time.monotonic() + 30
        while not log.exists() and time.monotonic() < end and run.poll() is None:
            time.sleep(0.05)
        time.sleep(1.5)  # into the motion
        self.assertIsNone(run.poll(), "it has not ended yet")
        return run


class InLockstep(TwoProcesses):
    def test_scenarios_pass_as_in_simulation_and_twice_to_the_same_bits(self):
        self.start_board()
        done, results = self.run_scenarios("scenarios/joints/hold_under_gravity.yaml",
                                           "scenarios/faults/missed_cycles.yaml",
                                           "scenarios/streaming/resume.yaml", "--repeat", "2",
                                           "--check-hash")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertGreater(len(results), 10)
        self.assertTrue(all(result["backend"] == "hw" for result in results))
        self.assertNotIn("0000000000000000", [result["state_hash"] for result in results])

    def test_a_second_run_is_turned_away_while_the_first_has_the_bench(self):
        self.start_board()
        line = BenchLine(self.port)
        self.assertIn("token", line.ask(do="hello"))
        done, results = self.run_scenarios("scenarios/joints/mixed_mode.yaml")
        self.assertEqual(done.returncode, 2)
        self.assertIn("in use by another run", results[0]["reason"])
        line.close()
        done, _ = self.run_scenarios("scenarios/joints/mixed_mode.yaml")
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_a_robot_with_other_drives_is_not_put_on_the_bench(self):
        self.start_board()
        done, results = self.run_scenarios("scenarios/joints/mixed_mode.yaml", "--set",
                                           "robot.joints.panda_joint1.drive.node=9")
        self.assertEqual(done.returncode, 2)
        self.assertIn("other buses or drives", results[0]["reason"])

    def test_a_bench_understands_what_it_understands_and_refuses_the_rest(self):
        self.start_board()
        line = BenchLine(self.port)
        for request in ({}, {"do": 5}, {"do": "dance"}, {"do": "prepare"}, {"do": "reset", "robot": "{"},
                        {"do": "prepare", "fault": {"joint": "nobody", "type": "x", "value": None}}):
            self.assertIn("error", line.ask(**request), request)
        line._file.write("garbage\n")
        line._file.flush()
        self.assertIn("error", json.loads(line._file.readline()))
        line.close()
        self.assertIsNone(self.board.poll())

    def test_boards_that_are_killed_are_a_fault_of_every_joint_and_the_run_ends(self):
        self.start_board()
        run = self.start_moving()
        self.board.kill()
        said, _ = run.communicate(timeout=60)
        self.assertEqual(run.returncode, 3, said)
        result = json.loads((self.folder / "run/result.json").read_text())["scenarios"][0]
        self.assertIn(result["outcome"], ("safety_stop", "unexpected_fault"), said)
        self.assertIn("panda_joint", result["reason"])

    def test_a_run_that_is_killed_leaves_the_boards_ready_for_the_next(self):
        self.start_board()
        run = self.start_moving()
        run.send_signal(signal.SIGKILL)
        run.communicate(timeout=20)
        done, _ = self.run_scenarios("scenarios/joints/mixed_mode.yaml")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_nobody_listening_is_told_with_the_joints_that_do_not_answer(self):
        done, results = self.run_scenarios("scenarios/joints/mixed_mode.yaml")
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn("panda_joint1 (node 1) does not answer", results[0]["reason"])
        self.assertIn("nobody listens at", done.stdout)


class ServosInLockstep(TwoProcesses):
    """moteus servos in place of the drives of some joints: CAN FD, over UDP and over SLCAN adapters."""

    def put_servos(self, wires: range, over_slcan: bool):
        text = self.robot.read_text()
        for wire in wires:
            bus = re.search(rf'  wire{wire}: {{address: "(.*)"}}', text)
            address = bus[1]
            if over_slcan:
                address = f"slcan:{self.folder}/wire{wire}@1000000,data=5000000"
            text = text.replace(bus[0], f'  wire{wire}: {{address: "{address}", protocol: moteus}}')
        self.robot.write_text(text)

    def test_an_arm_of_servos_over_udp_does_its_scenarios_twice_to_the_same_bits(self):
        self.put_servos(range(1, 9), over_slcan=False)
        self.start_board()
        done, results = self.run_scenarios("scenarios/joints/hold_under_gravity.yaml",
                                           "scenarios/joints/mixed_mode.yaml",
                                           "scenarios/faults/missed_cycles.yaml",
                                           "scenarios/streaming/resume.yaml", "--repeat", "2",
                                           "--check-hash")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual({result["outcome"] for result in results}, {"passed"})
        self.assertTrue(all(result["backend"] == "hw" for result in results))

    def test_servos_on_slcan_adapters_and_drives_on_udp_make_one_arm(self):
        self.put_servos(range(1, 5), over_slcan=True)
        self.start_board()
        done, results = self.run_scenarios("scenarios/joints/mixed_mode.yaml",
                                           "scenarios/joints/torque_mode.yaml",
                                           "scenarios/streaming/resume.yaml")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual({result["outcome"] for result in results}, {"passed"})


class FreeRunning(TwoProcesses):
    """Against the clock, and on a machine that has other things to do: a cycle of 4 ms leaves it time."""

    def setUp(self):
        super().setUp()
        self.robot.write_text(self.robot.read_text() + "period: 4 ms\n")

    def truths(self, line: BenchLine, names: list[str]) -> list[float]:
        for name in names:
            self.assertIsNotNone(line.ask(do="find", truth=name)["number"], name)
        return line.ask(do="truths")["values"]

    def test_a_run_that_is_killed_leaves_no_motor_following_its_last_order(self):
        self.start_board("--free", "--drift", "100")
        run = self.start_moving()
        run.send_signal(signal.SIGKILL)
        run.communicate(timeout=20)
        time.sleep(0.5)
        line = BenchLine(self.port)
        torques = self.truths(line, [f"truth.panda_joint{i}.tau" for i in range(1, 8)])
        line.close()
        # 8250h after 20 periods without SYNC, and a drive in a fault is off.
        self.assertEqual(torques, [0.0] * 7)
        done, results = self.run_scenarios(str(self.moving()))
        self.assertEqual(results[0]["outcome"], "passed", done.stdout)

    def test_a_whole_scenario_passes_against_the_clock(self):
        self.start_board("--free")
        done, results = self.run_scenarios(str(self.moving()))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("realtime", results[0]["properties"])


if __name__ == "__main__":
    unittest.main()
