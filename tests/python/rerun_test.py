"""jointrig.rerun: a served robot in Rerun, into a file and to a server of Rerun's, judged by Rerun's own reader.

    rerun_test.py PATH_TO_THE_PROGRAM RERUN_PYTHON

RERUN_PYTHON is of an environment with scripts/requirements-rerun.txt, in which the test goes on.
"""

import collections
import os
import pathlib
import re
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

PYTHON = sys.argv[2]
if not pathlib.Path(PYTHON).exists():
    print(f"skipped: {PYTHON} is not there (bash scripts/setup.sh test)")
    sys.exit(77)
if pathlib.Path(sys.prefix) != pathlib.Path(PYTHON).parents[1]:
    os.execv(PYTHON, [PYTHON, "-B", *sys.argv])
sys.argv.pop(2)
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))

import jointrig  # noqa: E402
import numpy as np  # noqa: E402
import rerun  # noqa: E402
import rerun_cli  # noqa: E402
from background import Background  # noqa: E402
from rerun.chunk import RrdReader  # noqa: E402
from served import Served  # noqa: E402

PATIENCE = 60.0  # [s] on a busy machine
JOINT = "panda_joint1"
FIELDS = ("q", "q_ref", "v", "tau", "tau_cmd")
VIEWER = pathlib.Path(rerun_cli.__file__).with_name("rerun")  # `rerun` on the PATH only starts it


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def series_of(file):
    """Rows of each entity in the order of time: times [ns], cycles, values or texts."""
    parts = collections.defaultdict(list)
    for chunk in RrdReader(file).stream().to_chunks():
        if chunk.is_static or "cycle" not in chunk.timeline_names:
            continue
        rows = chunk.to_record_batch()
        [value] = [name for name in rows.schema.names if name in ("Scalars:scalars", "TextLog:text")]
        values = rows.column(value).flatten().to_pylist()
        times = rows.column("time").cast("int64").to_pylist()
        parts[chunk.entity_path] += zip(times, rows.column("cycle").to_pylist(), values, strict=True)
    return {path: list(zip(*sorted(rows), strict=True)) for path, rows in parts.items()}


def until(is_so):
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end, "it didn't come"
        time.sleep(0.05)


class Relay(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def begin(self, served, *arguments, **process):
        return Background(self, [sys.executable, "-B", "-m", "jointrig.rerun", served.address, *arguments],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **process)

    def relay(self, served, *arguments):
        """One that has begun."""
        relay = self.begin(served, *arguments)
        self.assertIn("franka at", relay.stdout.readline())
        return relay

    def end(self, relay, code=0, interrupt=True):
        if interrupt:
            relay.send_signal(signal.SIGINT)
        said, errors = relay.communicate(timeout=PATIENCE)
        self.assertEqual(relay.returncode, code, said + errors)
        return said if code == 0 else errors

    def begin_viewer(self, file):
        """Rerun's server without a window, that writes what comes into a file."""
        port = free_port()
        viewer = Background(self, [VIEWER, "--save", file, "--port", port, "--bind", "127.0.0.1"],
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

        def listens():
            with socket.socket() as one:
                return one.connect_ex(("127.0.0.1", port)) == 0
        until(listens)
        return viewer, f"rerun+http://127.0.0.1:{port}/proxy"

    def move(self, robot, goal):
        robot.set_mode("arm", "position")
        robot.run(0.2)
        robot.move(JOINT, goal, speed=1.0)
        robot.run(1.5)
        self.assertAlmostEqual(robot.q[0], goal, places=2)

    def check_against_log(self, file, log, said):
        """Each value is the log's of that time, to the bit; each cycle is a row or counted."""
        series = series_of(file)
        log = jointrig.Log(log)
        rows = 0
        for joint in log.joints:
            for field in FIELDS:
                times, cycles, values = series[f"/j/{joint}/{field}"]
                known = dict(zip(np.rint(log.time(f"{joint}.{field}") * 1e9).astype(int).tolist(),
                                 log[f"{joint}.{field}"].tolist(), strict=True))
                self.assertEqual([known[time] for time in times], list(values))
                self.assertEqual(sorted(set(cycles)), list(cycles))
                rows = len(times)
        counted = [int(number) for number in re.findall(r"\d+", said.splitlines()[-1])]
        relayed, all_of_them, events, skipped = counted[:4]
        times, cycles, positions = series[f"/j/{JOINT}/q"]
        self.assertEqual((relayed, all_of_them), (rows, cycles[-1] - cycles[0] + 1))
        self.assertEqual(rows + skipped, all_of_them)
        self.assertGreater(rows, all_of_them / 20)  # a busy machine skips many
        self.assertGreater(max(positions) - min(positions), 0.29)
        sentences = list(series["/events"][2])
        self.assertEqual(len(sentences), events)
        logged = [sentence for _, sentence in log.events]
        self.assertEqual([sentence for sentence in sentences if sentence not in logged], [])
        self.assertTrue(any(JOINT in sentence and "goal" in sentence for sentence in sentences), sentences)

    def test_into_a_file_each_value_is_the_logs_at_its_time(self):
        log, file = self.folder / "served.mcap", self.folder / "run.rrd"
        served = Served(self, "franka", "--log", log)
        relay = self.relay(served, "--save", file)
        with served.connect() as robot:
            self.move(robot, 0.3)
        said = self.end(relay)
        served.end()
        self.check_against_log(file, log, said)

    def test_to_a_server_of_reruns_likewise(self):
        log, file = self.folder / "served.mcap", self.folder / "run.rrd"
        served = Served(self, "franka", "--log", log)
        viewer, url = self.begin_viewer(file)
        relay = self.relay(served, "--to", url)
        with served.connect() as robot:
            self.move(robot, 0.3)
        said = self.end(relay)
        viewer.send_signal(signal.SIGINT)
        viewer.wait(PATIENCE)
        served.end()
        self.check_against_log(file, log, said)

    def test_a_viewer_that_dies_ends_the_relay_and_neither_the_lease_nor_the_motion(self):
        served = Served(self, "franka")
        viewer, url = self.begin_viewer(self.folder / "run.rrd")
        relay = self.relay(served, "--to", url)
        with served.connect(name="holder") as robot:
            robot.set_mode("arm", "position")
            robot.run(0.2)
            epoch = robot.epoch
            robot.move(JOINT, 1.0, speed=0.5)
            robot.run(0.5)
            viewer.kill()
            robot.run(4.0)
            self.assertAlmostEqual(robot.q[0], 1.0, places=2)
            self.assertEqual((robot.holder, robot.epoch), ("holder", epoch))
            self.assertIn(url, self.end(relay, code=2, interrupt=False))

    def test_where_nobody_listens_it_says_so_and_does_not_wait_as_rerun_would(self):
        served = Served(self, "franka")
        url = f"rerun+http://127.0.0.1:{free_port()}/proxy"
        relay = self.begin(served, "--to", url)
        told = self.end(relay, code=2, interrupt=False)
        self.assertEqual(told.count("\n"), 1, told)
        self.assertRegex(told, rf"no Rerun viewer listens at {re.escape(url)} .*`rerun`.*--save")

    def test_what_can_not_be_is_told(self):
        served = Served(self, "franka")
        (self.folder / "there.rrd").write_text("mine")
        for arguments, words in ((["--to", "127.0.0.1:9876"], "no address of a Rerun viewer: rerun"),
                                 (["--save", self.folder / "there.rrd"], "is there already"),
                                 (["--save", self.folder / "new.rrd", "--fields", "q,taw"], '"taw" is no array.*tau')):
            relay = self.begin(served, *arguments)
            self.assertRegex(self.end(relay, code=2, interrupt=False), words)
        self.assertEqual((self.folder / "there.rrd").read_text(), "mine")

    def test_a_full_disk_ends_it_with_a_sentence(self):
        served, file = Served(self, "franka"), self.folder / "run.rrd"
        relay = self.begin(served, "--save", file, preexec_fn=lambda: resource.setrlimit(
            resource.RLIMIT_FSIZE, (100_000, 100_000)))
        self.assertRegex(self.end(relay, code=2, interrupt=False), rf"jointrig.rerun: {file} takes nothing more")

    def test_a_robot_that_goes_leaves_a_whole_file(self):
        log, file = self.folder / "served.mcap", self.folder / "run.rrd"
        served = Served(self, "franka", "--log", log)
        relay = self.relay(served, "--save", file, "--fields", "q")
        with served.connect(watch=True) as robot:
            robot.run(1.5)
        served.end()
        self.assertIn(served.address, self.end(relay, code=2, interrupt=False))
        times, _, values = series_of(file)[f"/j/{JOINT}/q"]
        self.assertGreater(len(times), 200)
        known = jointrig.Log(log)
        self.assertTrue(set(values) <= set(known[f"{JOINT}.q"].tolist()))


if __name__ == "__main__":
    assert rerun.__version__.startswith("0.41."), rerun.__version__
    unittest.main()
