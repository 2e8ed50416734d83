"""`jointrig sweep` on a carriage that a motor lifts: which loads it holds is known by hand.

    python sweep_program_test.py PROGRAM
"""

import csv
import json
import os
import pathlib
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import share  # noqa: E402
from carriage import CARRIAGE  # noqa: E402

PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())

# The motor's 30 N hold (30 / 9.81 - 2) kg = 1.058 kg beside the carriage's own 2 kg.
MOST_LOAD = 30 / 9.81 - 2

# A load that is too much sinks to the stop at -0.5 m.
SCENARIO = """\
schema: 1
scenario: lift
robot: carriage.xml
parameters: {load: 0.5 kg, time: 2 s}
setup:
  - set_mode: {joints: lift, mode: position}
  - payload: {body: carriage, mass: "${load}"}
steps:
  - wait: "${time}"
assert:
  at_end:
    - {expr: "abs(lift.q_err) < 20 mm", name: it holds}
metrics:
  - {name: sag, of: lift.q_err, stat: peak}
"""

SWEEP = """\
schema: 1
sweep: loads
scenario: lift.yaml
vary:
  parameters.load: {from: 0.5 kg, to: 1.5 kg, count: 11}
  robot.plant.mass_scale: [0.9, 1]
"""


class Sweep(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        (self.folder / "carriage.xml").write_text(CARRIAGE)
        (self.folder / "lift.yaml").write_text(SCENARIO)
        (self.folder / "loads.yaml").write_text(SWEEP)
        self.cases = self.folder / "runs/cases"

    def command(self, *arguments: str) -> list[str]:
        return [PROGRAM, "sweep", *arguments]

    def sweep(self, *arguments: str, code: int | None = None, **more):
        done = subprocess.run(self.command(*arguments), cwd=self.folder, capture_output=True, text=True,
                              timeout=120, **more)
        if code is not None:
            self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def table(self, name: str = "loads") -> list[dict[str, str]]:
        with open(self.folder / f"runs/sweep-{name}/table.csv", newline="") as file:
            return list(csv.DictReader(file))

    def folders(self) -> set[str]:
        return {path.name for path in self.cases.iterdir()}

    def refused(self, words: str, *arguments: str):
        done = self.sweep(*arguments, code=2)
        self.assertEqual(done.stdout, "")
        self.assertRegex(done.stderr, words)
        self.assertFalse((self.folder / "runs/sweep-loads").exists(), "nothing was begun")

    def test_a_grid_passes_up_to_the_load_that_the_motor_carries(self):
        done = self.sweep("loads.yaml", code=1)
        self.assertIn("loads: 22 cases, 22 to run", done.stdout)
        rows = self.table()
        self.assertEqual(len(rows), 22)
        for row in rows:
            load, scale = float(row["parameters.load [kg]"]), float(row["robot.plant.mass_scale"])
            carries = load < 30 / 9.81 - 2 * scale
            with self.subTest(load=load, scale=scale):
                self.assertEqual(row["outcome"], "passed" if carries else "failed")
                self.assertEqual(float(row["margin"]) > 0, carries)
                self.assertEqual((row["margin_unit"], row["margin_of"]), ("m", "it holds"))
                self.assertEqual(float(row["sag [m]"]) > 0.02, not carries)
                kept = {path.name for path in (self.folder / row["folder"] / "lift").iterdir()}
                self.assertEqual("log.mcap" in kept, not carries, "logs of failed cases alone")
        loads = [row["parameters.load [kg]"] for row in rows[::2]]
        self.assertEqual(loads, ["0.5", "0.6", "0.7", "0.8", "0.9", "1", "1.1", "1.2", "1.3", "1.4", "1.5"])

    def test_what_has_run_is_not_run_again_by_this_sweep_or_another(self):
        self.sweep("loads.yaml", code=1)
        before = {path: path.stat().st_mtime_ns for path in self.cases.iterdir()}
        first = self.table()
        again = self.sweep("loads.yaml", code=1)
        self.assertIn("loads: 22 cases, 0 to run", again.stdout)
        other = self.sweep("lift.yaml", "--vary", "parameters.load=0.5 kg,0.6 kg,0.61 kg",
                           "--vary", "robot.plant.mass_scale=1", code=0)
        self.assertIn("lift: 3 cases, 1 to run", other.stdout)
        self.assertEqual(self.table(), first)
        after = {path: path.stat().st_mtime_ns for path in self.cases.iterdir()}
        self.assertEqual({path: after[path] for path in before}, before)
        self.assertEqual(len(after), 23)

    def test_a_case_depends_on_every_file_that_it_is_made_of(self):
        one = ("lift.yaml", "--vary", "parameters.load=0.5 kg")
        self.sweep(*one, code=0)
        for file, old, new in (("carriage.xml", 'mass="2"', 'mass="2.1"'),
                               ("lift.yaml", "20 mm", "21 mm")):
            with self.subTest(file=file):
                self.assertIn("1 cases, 0 to run", self.sweep(*one, code=0).stdout)
                path = self.folder / file
                path.write_text(path.read_text().replace(old, new))
                self.assertIn("1 cases, 1 to run", self.sweep(*one, code=0).stdout)
        self.assertIn("1 to run", self.sweep(*one, "--seeds", "1", "--seed", "7", code=0).stdout)
        self.assertIn("1 to run", self.sweep(*one, "--set", "robot.delay_cycles=2", code=0).stdout)
        self.assertIn("0 to run", self.sweep(*one, "--set", "robot.delay_cycles=2", code=0).stdout)

    def test_side_by_side_by_shards_and_alone_a_case_has_the_same_bits(self):
        noise = ("--set", "robot.plant.encoder_noise=1e-5", "--seeds", "2", "--seed", "5")
        self.sweep("loads.yaml", *noise, "--out", "a/out", "-j", "1", code=1)
        self.sweep("loads.yaml", *noise, "--out", "b/out", "-j", "2", code=1)
        for number in ("1/3", "2/3", "3/3"):
            self.sweep("loads.yaml", *noise, "--out", "c/out", "--shard", number)
        self.assertFalse((self.folder / "c/out/table.csv").exists(), "a shard makes no table")
        done = self.sweep("loads.yaml", *noise, "--out", "c/out", code=1)
        self.assertIn("44 cases, 0 to run", done.stdout)

        def rows(name: str):
            with open(self.folder / name / "out/table.csv", newline="") as file:
                return [{**row, "folder": pathlib.Path(row["folder"]).name} for row in csv.DictReader(file)]
        self.assertEqual(rows("a"), rows("b"))
        self.assertEqual(rows("a"), rows("c"))
        hashes = [row["state_hash"] for row in rows("a")]
        self.assertEqual(len(set(hashes)), 44, "each seed has noise of its own")

        listed = self.sweep("loads.yaml", *noise, "--out", "a/out", "--list", code=0).stdout.splitlines()
        for row, line in list(zip(rows("a"), listed, strict=True))[::7]:
            command = shlex.split(line.split(maxsplit=2)[2])
            self.assertEqual(command[:2], ["jointrig", "run"])
            out = self.folder / "alone" / row["folder"]
            subprocess.run([PROGRAM, *command[1:], "--out", str(out)], cwd=self.folder, capture_output=True)
            alone = json.loads((out / "result.json").read_text())["scenarios"][0]
            self.assertEqual(alone["state_hash"], row["state_hash"], line)

    def test_two_shards_at_once_share_a_folder_and_run_each_case_once(self):
        shards = [subprocess.Popen(self.command("loads.yaml", "--shard", f"{i}/2"), cwd=self.folder,
                                   stdout=subprocess.PIPE, text=True) for i in (1, 2)]
        said = [shard.communicate(timeout=120)[0] for shard in shards]
        self.assertTrue(all("loads: 22 cases, 11 to run" in text for text in said), said)
        self.assertEqual(len(self.folders()), 22)
        self.assertIn("22 cases, 0 to run", self.sweep("loads.yaml", code=1).stdout)

    def test_two_processes_with_the_same_cases_do_not_disturb_each_other(self):
        both = [subprocess.Popen(self.command("loads.yaml", "--out", f"runs/{name}"), cwd=self.folder,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for name in "ab"]
        said = [one.communicate(timeout=120) for one in both]
        self.assertEqual([one.returncode for one in both], [1, 1], said)
        self.assertEqual(len(self.folders()), 22)
        tables = [(self.folder / f"runs/{name}/table.csv").read_text() for name in "ab"]
        self.assertEqual(tables[0], tables[1])

    def begin(self) -> subprocess.Popen:
        """A sweep of long cases, some of which are done."""
        process = subprocess.Popen(self.command("loads.yaml", "--set", "parameters.time=40 s"), cwd=self.folder,
                                   stdout=subprocess.DEVNULL)
        self.addCleanup(process.kill)
        end = time.monotonic() + 60
        while time.monotonic() < end and len(self.done()) < 3:
            time.sleep(0.01)
        return process

    def done(self) -> set[str]:
        return {name for name in self.folders() if not name.startswith(".")} if self.cases.exists() else set()

    def test_killed_it_goes_on_where_it_was(self):
        process = self.begin()
        while True:  # until it stands still within a case
            process.send_signal(signal.SIGSTOP)
            os.waitpid(process.pid, os.WUNTRACED)
            if any(name.startswith(".part-") for name in self.folders()):
                break
            process.send_signal(signal.SIGCONT)
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        process.wait()
        done = self.done()
        self.assertTrue(3 <= len(done) < 22, done)
        before = {name: (self.cases / name / "result.json").stat().st_mtime_ns for name in done}
        self.assertTrue(any(name.startswith(".part-") for name in self.folders()), "half a case is left")
        again = self.sweep("loads.yaml", "--set", "parameters.time=40 s", code=1)
        self.assertIn(f"22 cases, {22 - len(done)} to run", again.stdout)
        self.assertEqual(len(self.folders()), 22, "and nothing is left of the half one")
        self.assertEqual({name: (self.cases / name / "result.json").stat().st_mtime_ns for name in done}, before)
        self.assertEqual(len(self.table()), 22)

    def test_interrupted_it_says_what_is_left_and_goes_on(self):
        process = self.begin()
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=30), 130)
        self.assertEqual(self.folders(), self.done(), "no half case")
        not_run = [row for row in self.table() if row["outcome"] == "not_run"]
        self.assertEqual(len(not_run), 22 - len(self.done()))
        again = self.sweep("loads.yaml", "--set", "parameters.time=40 s", code=1)
        self.assertIn(f"22 cases, {len(not_run)} to run", again.stdout)

    def test_without_room_for_a_log_it_ends_with_a_sentence_and_later_goes_on(self):
        def little_room():
            resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))
        full = self.sweep("loads.yaml", code=2, preexec_fn=little_room)
        self.assertRegex(full.stderr, r"jointrig sweep: .*log\.mcap.*File too large")
        self.assertEqual(self.folders(), self.done(), "no half case")
        self.assertTrue(1 <= len(self.done()) < 22)
        self.assertIn(f"{22 - len(self.done())} to run", self.sweep("loads.yaml", code=1).stdout)

    def test_without_room_for_table_or_page_it_says_so_and_the_cases_are_kept(self):
        self.sweep("loads.yaml", code=1)
        out = self.folder / "runs/sweep-loads"
        for room, file in ((100, "table.csv"), (20_000, "report.html")):
            with self.subTest(file=file):
                shutil.rmtree(out)
                full = self.sweep("loads.yaml", code=2,
                                  preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, room)))
                self.assertRegex(full.stderr, rf"jointrig sweep: .*{file}.*File too large")
                self.assertFalse((out / file).exists(), "no half file")
        self.assertIn("22 cases, 0 to run", self.sweep("loads.yaml", code=1).stdout)
        self.assertTrue((out / "table.csv").exists() and (out / "report.html").exists())

    def test_an_array_of_slurm_that_could_not_be_found_again_is_not_left_at_work(self):
        for command, text in (("sbatch", "echo 77"), ("scancel", f'echo "$@" >> "{self.folder}/cancelled"')):
            (self.folder / command).write_text(f"#!/bin/sh\n{text}\n")
            (self.folder / command).chmod(0o755)
        words = {"env": dict(os.environ, PATH=f"{self.folder}:{os.environ['PATH']}")}

        full = self.sweep("loads.yaml", "--engine", "slurm", code=2,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)), **words)
        self.assertRegex(full.stderr, r"jointrig sweep: .*slurm\.sh.*File too large")
        self.assertFalse((self.folder / "cancelled").exists(), "nothing was submitted")

        (self.folder / "runs/sweep-loads/slurm.job/x").mkdir(parents=True)
        full = self.sweep("loads.yaml", "--engine", "slurm", code=2, **words)
        self.assertRegex(full.stderr, r"jointrig sweep: .*slurm\.job")
        self.assertEqual((self.folder / "cancelled").read_text(), "77\n")

    def test_a_latin_hypercube_has_one_sample_in_each_share_of_each_range(self):
        arguments = ("lift.yaml", "--vary", "parameters.load=0.2 kg..0.7 kg", "--vary",
                     "robot.plant.mass_scale=0.8..1.2", "--method", "latin_hypercube", "--samples", "25")
        self.sweep(*arguments, "-j", "2", code=0)
        rows = self.table("lift")
        for key, low, high in (("parameters.load [kg]", 0.2, 0.7), ("robot.plant.mass_scale", 0.8, 1.2)):
            shares = sorted(int((float(row[key]) - low) / (high - low) * 25) for row in rows)
            self.assertEqual(shares, list(range(25)), key)
        other = self.sweep(*arguments, "--seed", "2", code=0)
        self.assertIn("25 cases, 25 to run", other.stdout)

    def test_more_random_samples_begin_with_the_same_ones(self):
        few = ("lift.yaml", "--vary", "parameters.load=0.2 kg..0.7 kg", "--method", "random", "--samples")
        self.sweep(*few, "5", code=0)
        first = self.table("lift")
        self.assertIn("8 cases, 3 to run", self.sweep(*few, "8", code=0).stdout)
        self.assertEqual(self.table("lift")[:5], first)
        self.assertTrue(all(0.2 <= float(row["parameters.load [kg]"]) <= 0.7 for row in first))

    def test_wrong_files_get_one_sentence_with_place_and_nearest_word(self):
        for old, new, words in (
                ("to: 1.5", "too: 1.5", r'loads\.yaml:5:35: unknown key "too" .*did you mean "to"'),
                ("parameters.load", "parameters.lod", r'loads\.yaml:5:3: .*no parameter "lod"; did you mean "load"'),
                ("mass_scale", "mas_scale", r'loads\.yaml:6:3: .*"mas_scale".*did you mean "mass_scale"'),
                ("1.5 kg", "1.5 m", r"loads\.yaml:5:39: both ends have one unit: from is in kg, to in m"),
                (", count: 11", "", r'loads\.yaml:5:3: a grid needs the count of "parameters.load"'),
                ("lift.yaml", "lit.yaml", r'loads\.yaml:3:11: there is no file "lit.yaml"'),
                ("[0.9, 1]", "[0.9, heavy]", r'loads\.yaml:6:3: .*expected a number.*got "heavy"'),
                ("[0.9, 1]", "[]", r"loads\.yaml:6:27: ")):
            with self.subTest(new=new):
                (self.folder / "loads.yaml").write_text(SWEEP.replace(old, new))
                self.refused(words, "loads.yaml")

    def test_wrong_arguments_get_one_sentence(self):
        load = ("--vary", "parameters.load=1 kg")
        for words, *arguments in (
                ("nothing varies", "lift.yaml"),
                ("expected path=values", "lift.yaml", "--vary", "parameters.load"),
                ("--vary goes with a scenario", "loads.yaml", *load),
                ("--shard is a share such as 2/5", "lift.yaml", *load, "--shard", "3/2"),
                ("needs the number of samples", "lift.yaml", *load, "--method", "random"),
                ("samples are of method random", "lift.yaml", *load, "--samples", "3"),
                ('there is no file "left.yaml"', "left.yaml", *load)):
            with self.subTest(words=words):
                self.refused(words, *arguments)

    def page(self, name: str = "loads") -> tuple[str, dict]:
        text = (self.folder / f"runs/sweep-{name}/report.html").read_text()
        found = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
        return text, json.loads(found[1])

    def test_the_boundary_lies_between_neighbours_about_the_load_that_the_motor_carries(self):
        self.sweep("lift.yaml", "--vary", "parameters.load=0.5 kg..1.5 kg:11", code=1)
        text, data = self.page("lift")
        self.assertIn("parameters.load = 1.05 kg: it passes at 1 kg and not at 1.1 kg", text)
        self.assertLess(abs(1.05 - MOST_LOAD), 0.05)
        self.assertEqual([b["along"] for b in data["boundaries"]], [0])
        self.sweep("loads.yaml", code=1)
        _, data = self.page()
        along_load = {b["at"][1]: b["at"][0] for b in data["boundaries"] if b["along"] == 0}
        self.assertEqual(set(along_load), {0.9, 1})
        for scale, load in along_load.items():
            self.assertLess(abs(load - (30 / 9.81 - 2 * scale)), 0.05)

    def test_the_page_has_every_case_the_worst_and_a_command_for_each_that_failed(self):
        self.sweep("loads.yaml", "--seeds", "2", code=1)
        text, data = self.page()
        rows = self.table()
        failed = [row for row in rows if row["outcome"] == "failed"]
        self.assertFalse(re.search(r'<(script|link|img)[^>]*(src|href)="', text), "it loads nothing")
        self.assertIn(f"loads: {len(rows) - len(failed)} of {len(rows)} cases passed", text)
        self.assertEqual(data["outcome"].count(0), len(failed))
        self.assertEqual(data["commands"], ["jointrig run", "jointrig gui"])
        for row, (values, outcome, _, why, words) in zip(failed, data["failed"], strict=True):
            self.assertEqual(words, "lift.yaml "
                             f"--set 'parameters.load={row['parameters.load [kg]']} kg' --set "
                             f"robot.plant.mass_scale={row['robot.plant.mass_scale']} --seed {row['seed']}")
            self.assertIn(f"seed {row['seed']}", values)
            self.assertEqual((outcome, why), ("failed", row["reason"]))
        worst = min(rows, key=lambda row: float(row["margin"]))
        self.assertRegex(text, f"Worst case</h2>\n<p>parameters.load={worst['parameters.load [kg]']} kg")
        self.assertRegex(text, "<pre>jointrig run lift.yaml --set .*\njointrig gui lift.yaml --set .*\n</pre>")

    def test_words_are_values_too(self):
        (self.folder / "lift.yaml").write_text(SCENARIO.replace("mode: position}", 'mode: "${mode}"}').replace(
            "load: 0.5 kg,", "load: 0.5 kg, mode: position,"))
        self.sweep("lift.yaml", "--vary", "parameters.mode=position,idle", code=1)
        self.assertEqual([row["outcome"] for row in self.table("lift")], ["passed", "failed"])
        _, data = self.page("lift")
        self.assertEqual(data["axes"][0]["labels"], ["position", "idle"])
        self.assertEqual(data["boundaries"], [])

    def test_a_column_is_a_metric_or_the_margin_of_a_condition(self):
        self.sweep("lift.yaml", "--vary", "parameters.load=0.5 kg,0.6 kg", "--measure", "it holds", code=0)
        for row in self.table("lift"):
            self.assertEqual(row["it holds [m]"], row["margin"])
            self.assertNotIn("sag [m]", row)

    def test_a_column_of_nothing_gets_the_nearest_name_after_the_table_is_written(self):
        done = self.sweep("lift.yaml", "--vary", "parameters.load=0.5 kg,0.6 kg", "--measure", "sga", code=2)
        self.assertIn('no metric and no condition of the scenario is called "sga"; did you mean "sag"?', done.stderr)
        self.assertEqual([row["outcome"] for row in self.table("lift")], ["passed", "passed"])

    def test_a_sweep_is_no_scenario_of_its_folder(self):
        listed = subprocess.run([PROGRAM, "run", str(self.folder), "--list"], capture_output=True, text=True)
        self.assertIn("1 scenarios", listed.stdout, listed.stderr)


if __name__ == "__main__":
    share.main()
