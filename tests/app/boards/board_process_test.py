"""`jointrig board` and `jointrig run --backend hw`, each a process of its own, over sockets on this machine.

    board_process_test.py PROGRAM FOLDER

Either side is killed in the middle of a motion, too.
"""

import contextlib
import json
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import tty
import unittest
from random import Random

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import share  # noqa: E402
from free_ports import free_ports  # noqa: E402
from steadiness import kept_to_time  # noqa: E402

PATIENCE = 60  # s; waited for only where something is broken
PROGRAM, OUT = pathlib.Path(sys.argv.pop(1)).resolve(), pathlib.Path(sys.argv.pop(1)).resolve()
ROOT = pathlib.Path(__file__).resolve().parents[3]

MOVE = """schema: 1
scenario: {name}
robot: {robot}
about: The arm goes to and fro.
timeout: {{sim: 1000 s}}
steps:
  - set_mode: {{joints: all, mode: position, interaction: stiff}}
{motion}  - expect: {{expr: abs(each.q_err) < 0.2 deg, joints: arm}}
"""
TO_AND_FRO = "  - home: {pose: above_table, duration: 3 s}\n  - home: {pose: home, duration: 3 s}\n"


def robot_on_free_ports(folder: pathlib.Path) -> tuple[pathlib.Path, int]:
    """The franka with ports that nobody else has: several of these tests may run at once."""
    text = (ROOT / "models/franka/robot.yaml").read_text()
    text = text.replace("model: franka.xml", f"model: {ROOT / 'models/franka/franka.xml'}")
    side_line = free_ports(1, socket.SOCK_STREAM)[0]
    text = text.replace("127.0.0.1:20010", f"127.0.0.1:{side_line}")
    udp = sorted(set(re.findall(r"\b200[12]\d\b", text)))
    for old, new in zip(udp, free_ports(len(udp), socket.SOCK_DGRAM)):
        text = text.replace(old, str(new))
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "robot.yaml"
    path.write_text(text)
    return path, side_line


class SideLine:
    """The line beside the buses, spoken by other people's JSON."""

    def __init__(self, port: int):
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
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
    robot_on_free_ports = staticmethod(robot_on_free_ports)

    def setUp(self):
        self.folder = OUT / self.id().rsplit(".", 1)[1]
        shutil.rmtree(self.folder, ignore_errors=True)
        self.robot, self.port = self.robot_on_free_ports(self.folder)
        self.board = None

    def tearDown(self):
        if self.board is not None and self.board.poll() is None:
            self.board.terminate()
            self.board.wait(timeout=PATIENCE)
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
        return [PROGRAM, "run", *what, "--robot", self.robot, "--backend", "hw", "--no-report", "--overwrite"]

    def run_scenarios(self, *what: str):
        out = self.folder / "run"
        done = subprocess.run([*self.command(*what), "--out", out], cwd=ROOT, text=True, check=False,
                              capture_output=True, timeout=300)
        results = json.loads((out / "result.json").read_text())["scenarios"]
        return done, results

    def truths(self, line: SideLine, names: list[str]) -> list[float]:
        for name in names:
            self.assertIsNotNone(line.ask(do="find", truth=name)["number"], name)
        return line.ask(do="truths")["values"]

    def put_on(self, wire: str, address: str):
        old, new = rf'{wire}: \{{address: "[^"]*"\}}', f'{wire}: {{address: "{address}"}}'
        text, count = re.subn(old, new, self.robot.read_text())
        self.assertEqual(count, 1)
        self.robot.write_text(text)

    def moving(self, times: int = 1) -> pathlib.Path:
        path = self.folder / "move.yaml"
        path.write_text(MOVE.format(name="to_and_fro", robot=self.robot, motion=times * TO_AND_FRO))
        return path

    def start_moving(self) -> subprocess.Popen:
        """A run in the middle of a motion that goes on for longer than anybody looks."""
        run = subprocess.Popen([*self.command(self.moving(times=100)), "--out", self.folder / "run"], cwd=ROOT,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        log = self.folder / "run/to_and_fro/log.mcap"
        end = time.monotonic() + PATIENCE
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
                                           "scenarios/zero_g/zero_g_cuff.yaml",
                                           "scenarios/zero_g/zero_g_cuff_lost.yaml",
                                           "scenarios/streaming/resume.yaml", "--repeat", "2",
                                           "--check-hash")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertGreater(len(results), 10)
        self.assertTrue(all(result["backend"] == "hw" for result in results))
        self.assertNotIn("0000000000000000", [result["state_hash"] for result in results])

    def test_a_second_run_is_turned_away_while_the_first_has_the_boards(self):
        self.start_board()
        line = SideLine(self.port)
        self.assertIn("token", line.ask(do="hello"))
        done, results = self.run_scenarios("scenarios/joints/mixed_mode.yaml")
        self.assertEqual(done.returncode, 2)
        self.assertIn("in use by another run", results[0]["reason"])
        line.close()
        done, _ = self.run_scenarios("scenarios/joints/mixed_mode.yaml")
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_a_robot_with_other_drives_is_refused_by_the_boards(self):
        self.start_board()
        done, results = self.run_scenarios("scenarios/joints/mixed_mode.yaml", "--set",
                                           "robot.joints.panda_joint1.drive.node=9")
        self.assertEqual(done.returncode, 2)
        self.assertIn("other buses or drives", results[0]["reason"])

    def test_the_side_line_answers_its_own_requests_and_refuses_the_rest(self):
        self.start_board()
        line = SideLine(self.port)
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
        said, _ = run.communicate(timeout=PATIENCE)
        self.assertEqual(run.returncode, 3, said)
        result = json.loads((self.folder / "run/result.json").read_text())["scenarios"][0]
        self.assertIn(result["outcome"], ("safety_stop", "unexpected_fault"), said)
        self.assertRegex(result["reason"], r"panda_\w+: fault board_lost", "whichever is missed first")

    def test_a_run_that_is_killed_leaves_the_boards_ready_for_the_next(self):
        self.start_board()
        run = self.start_moving()
        run.send_signal(signal.SIGKILL)
        run.communicate(timeout=PATIENCE)
        done, _ = self.run_scenarios("scenarios/joints/mixed_mode.yaml")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_nobody_listening_is_told_with_the_joints_that_do_not_answer(self):
        done, results = self.run_scenarios("scenarios/joints/mixed_mode.yaml")
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn("panda_joint1 (node 1) does not answer", results[0]["reason"])
        self.assertIn("no program listens at", done.stdout)


class BadLine(threading.Thread):
    """Between an adapter and its host, on ptys: of the states that come now and then one is cut or swallowed by
    rubbish, and rubbish comes between lines."""

    def __init__(self, adapter: pathlib.Path):
        super().__init__(daemon=True)
        self.adapter = os.open(adapter, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        tty.setraw(self.adapter)
        self.host, self._kept_open = pty.openpty()
        tty.setraw(self._kept_open)
        adapter.unlink()
        adapter.symlink_to(os.ttyname(self._kept_open))
        self.states = 0
        self.hurt = 0
        self._ended = threading.Event()

    def run(self):
        rest = b""
        while not self._ended.is_set():
            for fd in select.select([self.adapter, self.host], [], [], 0.1)[0]:
                some = os.read(fd, 4096)
                if fd == self.host:
                    os.write(self.adapter, some)
                    continue
                *lines, rest = (rest + some).split(b"\r")
                os.write(self.host, b"".join(self.hurt_line(line) for line in lines))

    def hurt_line(self, line: bytes) -> bytes:
        whole = line + b"\r"
        if not line.startswith(b"t18"):
            return whole
        self.states += 1
        kind = self.states % 400
        if self.states < 600 or kind not in (0, 100, 200, 300):
            return whole
        self.hurt += 1
        return {
            0: line[:9],  # half a line, and no CR: it takes the next one with it
            100: b"t99\x80\xff!\r" + whole,
            200: line[:5] + b"\a\a" + line[5:] + b"\r",
            300: 300 * b"t1" + b"\r",
        }[kind]

    def end(self):
        self._ended.set()
        self.join()
        for fd in (self.adapter, self.host, self._kept_open):
            os.close(fd)


class OnABadLine(TwoProcesses):
    def test_f23_rubbish_on_a_serial_line_is_stepped_over_and_the_motion_goes_on(self):
        adapter = self.folder / "adapter"
        self.put_on("wire4", f"slcan:{adapter}@1000000")
        self.start_board()
        line = BadLine(adapter)
        line.start()
        done, results = self.run_scenarios(str(self.moving()))
        line.end()
        self.assertEqual(results[0]["outcome"], "passed", done.stdout + done.stderr)
        self.assertGreater(line.hurt, 10)
        told = [event["sentence"] for event in results[0]["events"] if event["joint"] == "panda_joint4"]
        self.assertTrue(any("line_garbage" in sentence for sentence in told), told)
        self.assertTrue(any("link_stale" in sentence for sentence in told), told)
        self.assertFalse(any(event["kind"] == "fault" for event in results[0]["events"]))


class UnderRubbish(TwoProcesses):
    FAVOURITES = b"tTrRdDbBsezZOCSV\r\a\n<> 0189AFaf" + b"send frame open rawmode CANNELLONIv1"

    def rubbish(self, random: Random) -> bytes:
        letters = bytes(random.choice(self.FAVOURITES) for _ in range(random.randrange(60)))
        return letters + random.randbytes(random.randrange(40)) + random.choice((b"", b"\r", b" >", b"\a"))

    def test_rubbish_on_every_kind_of_bus_moves_nothing_and_the_next_run_passes(self):
        adapter = self.folder / "adapter"
        cannelloni, socketcand = free_ports(2, socket.SOCK_STREAM)
        self.put_on("wire2", f"slcan:{adapter}@1000000")
        self.put_on("wire3", f"cannelloni-tcp:127.0.0.1:{cannelloni}")
        self.put_on("wire4", f"socketcand:127.0.0.1:{socketcand}/can0")
        # A board takes datagrams of one sender alone: here rubbish comes from the host's port.
        wire1 = re.search(r'wire1: \{address: "cannelloni-udp:[^:]*:(\d+):(\d+)"', self.robot.read_text())
        board, host = map(int, wire1.groups())
        self.start_board()
        names = [f"truth.panda_joint{i}.{what}" for i in range(1, 8) for what in ("q", "tau")]
        line = SideLine(self.port)
        before = self.truths(line, names)

        random = Random(7)
        said = 0
        for _ in range(40):
            serial = os.open(adapter, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
            tty.setraw(serial)
            with contextlib.ExitStack() as open_now:
                udp = open_now.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
                udp.bind(("127.0.0.1", host))
                udp.connect(("127.0.0.1", board))
                streams = [open_now.enter_context(socket.create_connection(("127.0.0.1", port), timeout=PATIENCE))
                           for port in (cannelloni, socketcand)]
                for _ in range(25):
                    with contextlib.suppress(BlockingIOError):
                        os.write(serial, self.rubbish(random))
                    for each in (udp, *streams):
                        with contextlib.suppress(OSError):  # whoever breaks the rules loses its connection
                            each.send(self.rubbish(random))
                            said += 1
            os.close(serial)
        self.assertGreater(said, 1000)
        self.assertIsNone(self.board.poll(), "the boards are alive")
        self.assertEqual(line.ask(do="truths")["values"], before)
        line.close()
        done, results = self.run_scenarios("scenarios/joints/mixed_mode.yaml")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


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
                                           "scenarios/zero_g/zero_g_cuff.yaml",
                                           "scenarios/zero_g/zero_g_cuff_lost.yaml",
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


def three_makes_on_free_ports(folder: pathlib.Path) -> tuple[pathlib.Path, int]:
    """models/three_makes with ports and devices that nobody else has."""
    path = ROOT / "models/three_makes"
    text = (path / "robot.yaml").read_text()
    text = text.replace("model: three_makes.xml", f"model: {path / 'three_makes.xml'}")
    side_line = free_ports(1, socket.SOCK_STREAM)[0]
    board, host = free_ports(2, socket.SOCK_DGRAM)
    for old, new in (("127.0.0.1:20090", f"127.0.0.1:{side_line}"), ("20091:20092", f"{board}:{host}"),
                     ("three_makes.can", f"{folder}/can"), ("three_makes.line", f"{folder}/line")):
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "robot.yaml").write_text(text)
    return folder / "robot.yaml", side_line


class DrivesOfThreeMakes(TwoProcesses):
    """The robot of models/three_makes, by its robot.yaml alone: a CiA 402 drive with a fixed mapping on an SLCAN
    adapter, a moteus servo on CAN FD over UDP, a Dynamixel servo on a serial line."""

    robot_on_free_ports = staticmethod(three_makes_on_free_ports)

    def expect_passes(self, *names: str):
        self.start_board()
        done, results = self.run_scenarios(*(f"scenarios/three_makes/three_makes_{name}.yaml" for name in names))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual({result["outcome"] for result in results}, {"passed"})
        self.assertEqual({result["backend"] for result in results}, {"hw"})

    def test_hold_and_torque(self):
        self.expect_passes("hold", "torque")

    def test_fall_and_limits(self):
        self.expect_passes("caught", "limits")

    def test_paths(self):
        self.expect_passes("minimum_jerk", "mixed")

    def test_velocities(self):
        self.expect_passes("velocity")

    def test_a_drive_of_a_fixed_mapping_that_is_to_be_mapped_anew_is_refused_with_the_key_that_helps(self):
        self.start_board("--own-drives")
        done, results = self.run_scenarios("scenarios/three_makes/three_makes_velocity.yaml", "--set",
                                           "robot.joints.shoulder.drive.remaps_pdos=true")
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertRegex(results[0]["reason"], r"shoulder: node 9, 1[48]0[0-7]h:1.*`remaps_pdos: false`")


# Tests in real time need a machine that keeps to it: after 3 cycles without a state a joint holds.
CYCLE = 0.004  # [s]
MOST = 3 * CYCLE


class FreeRunning(TwoProcesses):
    """Against the clock, and on a machine that has other things to do: a cycle of 4 ms leaves it time."""

    def setUp(self):
        super().setUp()
        # Above 2 ms the drives close the position loop, and are told the joint's weight.
        text = self.robot.read_text().replace("life_counter: true", "life_counter: true, feed_forward: true")
        self.robot.write_text(f"{text}period: {CYCLE} s\n")

    @kept_to_time(MOST)
    def test_a_run_that_is_killed_leaves_no_motor_following_its_last_order(self):
        self.start_board("--free", "--drift", "100")
        run = self.start_moving()
        run.send_signal(signal.SIGKILL)
        run.communicate(timeout=PATIENCE)
        # 8250h after 20 periods without SYNC, and a drive in a fault is off.
        self.expect_motors_off()
        done, results = self.run_scenarios(str(self.moving()))
        self.assertEqual(results[0]["outcome"], "passed", done.stdout)

    def expect_motors_off(self):
        """Soon, and from then on."""
        line = SideLine(self.port)
        names, off = [f"truth.panda_joint{i}.tau" for i in range(1, 8)], [0.0] * 7
        end = time.monotonic() + PATIENCE
        torques = self.truths(line, names)
        while torques != off and time.monotonic() < end:
            time.sleep(0.01)
            torques = line.ask(do="truths")["values"]
        for _ in range(20):
            self.assertEqual(line.ask(do="truths")["values"], off)
            time.sleep(0.01)
        line.close()

    def expect_stopped_by_faults(self, run: subprocess.Popen, codes: tuple[str, ...]):
        said, _ = run.communicate(timeout=PATIENCE)
        self.assertEqual(run.returncode, 3, said)
        result = json.loads((self.folder / "run/result.json").read_text())["scenarios"][0]
        self.assertEqual((result["outcome"], result["exit_code"]), ("safety_stop", 3), said)
        self.assertRegex(result["reason"], rf"panda_\w+: fault ({'|'.join(codes)})")
        faulted = {event["joint"] for event in result["events"] if event["kind"] == "fault"}
        self.assertLessEqual({f"panda_joint{i}" for i in range(1, 8)}, faulted, "every joint of the arm")

    @kept_to_time(MOST)
    def test_f2_a_run_that_stood_still_for_a_second_finds_its_drives_in_a_fault_and_moves_nothing(self):
        self.start_board("--free")
        run = self.start_moving()
        run.send_signal(signal.SIGSTOP)
        time.sleep(1.0)
        run.send_signal(signal.SIGCONT)
        self.expect_stopped_by_faults(run, ("command_lost", "board_lost"))
        self.expect_motors_off()
        done, results = self.run_scenarios(str(self.moving()))
        self.assertEqual(results[0]["outcome"], "passed", done.stdout)

    @kept_to_time(MOST)
    def test_boards_that_stood_still_for_a_second_are_lost_and_stay_off_when_they_go_on(self):
        self.start_board("--free")
        run = self.start_moving()
        self.board.send_signal(signal.SIGSTOP)
        time.sleep(1.0)
        self.board.send_signal(signal.SIGCONT)
        self.expect_stopped_by_faults(run, ("board_lost",))
        self.expect_motors_off()
        done, results = self.run_scenarios(str(self.moving()))
        self.assertEqual(results[0]["outcome"], "passed", done.stdout)

    @kept_to_time(MOST)
    def test_a_whole_scenario_passes_against_the_clock(self):
        self.start_board("--free")
        done, results = self.run_scenarios(str(self.moving()))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("realtime", results[0]["properties"])


if __name__ == "__main__":
    share.main()
