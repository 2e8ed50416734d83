"""`jointrig sweep --engine ray` on a cluster of three nodes that `ray start` makes: the same results as in one process,
and no half case, whatever is killed.

    python ray_engine_test.py PROGRAM RAY_PYTHON

It runs in a network of its own (tests/remote/in_own_network.sh): Ray listens on every address.
"""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import campaign  # noqa: E402
import share  # noqa: E402

PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
PYTHON = pathlib.Path(sys.argv.pop(1)).absolute()
RAY = PYTHON.with_name("ray")
HEAD = "127.0.0.2:6399"
LONGER = ("--set", "parameters.time=150 s", "--set", "timeout={sim: 400 s}")  # long enough for all nodes to have work
LONG = ("--set", "parameters.time=50 s")  # some tenths of a second each


def children_of(process: int) -> list[int]:
    """With theirs."""
    parents = {}
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(stat.parent.name)] = int(stat.read_text().rsplit(")", 1)[1].split()[1])
        except OSError:
            continue  # it has just ended
    found = [process]
    for one in found:
        found += [child for child, parent in parents.items() if parent == one]
    return found[1:]


def command_of(process: int) -> str:
    try:
        return pathlib.Path(f"/proc/{process}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""


class Node:
    """A `ray start` that stays, with all that it has started."""

    def __init__(self, temp: str, number: int, **environment: str):
        self.address = f"127.0.0.{number}"
        place = ["--head", "--port=6399", f"--temp-dir={temp}", "--include-dashboard=false"] if number == 2 else [
            f"--address={HEAD}"]
        self.process = subprocess.Popen(
            [str(RAY), "start", "--block", *place, f"--node-ip-address={self.address}", "--num-cpus=1",
             "--object-store-memory=80000000", "--disable-usage-stats"], stdin=subprocess.DEVNULL,
            stdout=open(f"{temp}/node{number}.log", "w"), stderr=subprocess.STDOUT,
            # Ray's workers are nice to others, and on a busy machine get nothing.
            env={**os.environ, "TMPDIR": temp, "RAY_worker_niceness": "0", **environment})
        self.log = pathlib.Path(f"{temp}/node{number}.log")

    def is_up(self) -> bool:
        return "Ray runtime started" in self.log.read_text()

    def kill(self) -> None:
        for process in [*children_of(self.process.pid), self.process.pid]:
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                continue
        self.process.wait()


class OnRay(campaign.Campaign):
    program = PROGRAM

    @classmethod
    def setUpClass(cls):
        os.environ["JOINTRIG_PYTHON"] = str(PYTHON)
        os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
        cls.temp = tempfile.mkdtemp(prefix="ray")  # short: it has sockets in it
        cls.addClassCleanup(shutil.rmtree, cls.temp, ignore_errors=True)
        cls.nodes = []
        for number in (2, 3, 4):
            cls.start(number)

    @classmethod
    def start(cls, number: int, **environment: str) -> Node:
        node = Node(cls.temp, number, **environment)
        cls.addClassCleanup(node.kill)
        cls.nodes.append(node)
        campaign.Campaign().until(node.is_up)
        return node

    def on_ray(self, *arguments: str, code: int | None = None, **more):
        return self.sweep("loads.yaml", "--engine", "ray", "--address", HEAD, *arguments, code=code, **more)

    def begin_on_ray(self, arguments: tuple[str, ...] = LONG) -> subprocess.Popen:
        return self.begin("loads.yaml", *arguments, "--engine", "ray", "--address", HEAD)

    def test_nodes_without_the_files_give_the_same_results_as_one_process_and_no_case_runs_twice(self):
        # The nodes see an empty folder there; the sweep sees its files.
        place = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, place)
        hidden = ["unshare", "--map-root-user", "--mount", "sh", "-c",
                  f'mount --bind "{self.folder}" "{place}" && cd "{place}" && exec "$@"', "sh"]
        if subprocess.run([*hidden, "true"], capture_output=True).returncode != 0:
            self.skipTest("this system makes no mounts of one's own")
        noise = (f"{place}/loads.yaml", "--set", "robot.plant.encoder_noise=1e-5", "--seeds", "2")

        def sweep(*arguments: str):
            done = subprocess.run([*hidden, PROGRAM, "sweep", *noise, *arguments], capture_output=True, text=True,
                                  timeout=300)
            self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
            return done.stdout
        self.assertIn("44 cases, 44 to run", sweep("--engine", "ray", "--address", HEAD))
        self.assertEqual(len(self.names()), 44)
        sweep("--out", "local/out")
        self.assertEqual(campaign.rows(self.folder / "runs/sweep-loads/table.csv"),
                         campaign.rows(self.folder / "local/out/table.csv"))
        for name in self.done():
            here, there = (self.folder / f"{run}/cases/{name}" for run in ("local", "runs"))
            files = {str(path.relative_to(here)) for path in here.rglob("*")}
            self.assertEqual({str(path.relative_to(there)) for path in there.rglob("*")}, files, "the same files")
            self.assertEqual((here / "inputs.txt").read_bytes(), (there / "inputs.txt").read_bytes())
            self.assertNotIn(f"/jointrig-{os.getuid()}/", (there / "result.json").read_text(), "paths as they are here")
        self.assertIn("44 cases, 0 to run", sweep("--engine", "ray", "--address", HEAD))

    def test_an_optimiser_on_the_cluster_chooses_the_samples_that_it_chooses_in_one_process(self):
        campaign.write_search(self.folder)
        search = ("search.yaml", "--samples", "12", "--batch", "4")
        self.sweep(*search, "--engine", "ray", "--address", HEAD, "--out", "there/out", code=1)
        self.sweep(*search, "--out", "here/out", code=1)
        there, here = (campaign.rows(self.folder / f"{place}/out/table.csv") for place in ("there", "here"))
        self.assertEqual(len(there), 12)
        self.assertEqual(there, here)
        again = self.sweep(*search, "--engine", "ray", "--address", HEAD, "--out", "there/out", code=1)
        self.assertNotIn("scenarios took", again.stdout, "nothing was run")

    def test_killed_programs_workers_and_a_node_cost_no_case(self):
        extra = self.start(5)
        process = self.begin_on_ray(LONGER)
        for node in (extra, *self.nodes[:2]):  # each has work
            self.until(lambda: any("--worker" in command_of(one) for one in children_of(node.process.pid)))  # noqa: B023
        extra.kill()
        killed = []
        for node, kind in zip(self.nodes, ("--worker", "ray::Worker"), strict=False):
            for one in children_of(node.process.pid):
                if kind in command_of(one):
                    os.kill(one, signal.SIGKILL)
                    killed.append(kind)
        self.assertEqual(set(killed), {"--worker", "ray::Worker"})
        said, errors = process.communicate(timeout=300)
        self.assertEqual(process.returncode, 1, said + errors)
        self.assertRegex(said, r"a worker on node 127\.0\.0\.[25] .* is lost; its case runs again")
        self.assertEqual(len(self.names()), campaign.CASES, "whole cases alone, each once")
        self.check_against_local(*LONGER, "-j", "2")

    def test_a_killed_sweep_leaves_whole_cases_and_the_next_goes_on_even_without_ray(self):
        process = self.begin_on_ray()
        helpers = children_of(process.pid)
        process.kill()
        process.wait()
        self.until(lambda: not any("Cases of a sweep" in command_of(one) for one in helpers))
        done, before = self.done(), self.times()
        self.assertTrue(3 <= len(done) < campaign.CASES, done)
        again = self.sweep("loads.yaml", *LONG, code=1)
        self.assertIn(f"{campaign.CASES} cases, {campaign.CASES - len(done)} to run", again.stdout)
        self.assertEqual({name: self.times()[name] for name in done}, before)
        self.assertEqual(len(self.names()), campaign.CASES, "and no half case is left")

    def test_interrupted_it_ends_soon_and_the_next_goes_on(self):
        process = self.begin_on_ray()
        process.send_signal(signal.SIGINT)
        said, errors = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 130, said + errors)
        self.assertEqual(self.names(), self.done(), "no half case")
        left = campaign.CASES - len(self.done())
        self.assertIn(f"{left} not run", said)
        self.assertIn(f"{left} to run", self.on_ray(*LONG, code=1).stdout)

    def test_without_room_for_a_result_it_ends_with_a_sentence_and_later_goes_on(self):
        small = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, small)
        limited = ["unshare", "--map-root-user", "--mount", "sh", "-c",
                   f'mount -t tmpfs -o size=400k none "{small}" && "$@"; code=$?; ls -A "{small}/cases"; exit $code', "sh"]
        if subprocess.run([*limited, "mkdir", f"{small}/cases"], capture_output=True).returncode != 0:
            self.skipTest("this system makes no mounts of one's own")
        full = subprocess.run([*limited, PROGRAM, "sweep", "loads.yaml", "--engine", "ray", "--address", HEAD,
                               "--cases", f"{small}/cases"], cwd=self.folder, capture_output=True, text=True, timeout=300)
        self.assertEqual(full.returncode, 2, full.stdout + full.stderr)
        self.assertRegex(full.stderr, r"jointrig sweep: .*No space left on device")
        self.assertNotIn(".part-", full.stdout)

    def test_a_cluster_that_is_not_there_is_told(self):
        for address, words in (("127.0.0.2:6398", r"no Ray cluster answers at 127\.0\.0\.2:6398: Connection refused"),
                               ("here", '--address is host:port, .*; got "here"')):
            done = self.sweep("loads.yaml", "--engine", "ray", "--address", address, code=2)
            self.assertRegex(done.stderr, "jointrig sweep: " + words)


if __name__ == "__main__":
    if not RAY.exists():
        print(f"skipped: {RAY} is not there (bash scripts/setup.sh test)")
        sys.exit(77)
    share.main()
