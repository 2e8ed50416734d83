"""bench/into.py on made-up pages, and bench/run.sh's parts: `python3 bench_into_test.py ROOT`."""

import contextlib
import datetime
import importlib.util
import io
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop(1))
spec = importlib.util.spec_from_file_location("into", ROOT / "bench" / "into.py")
into = importlib.util.module_from_spec(spec)
spec.loader.exec_module(into)

PAGE = "before\n<!-- bench:a:start -->\nold\n<!-- bench:a:end -->\nafter\n"
TABLE = "some words\n| x | y |\n| --- | --- |\n| 1 | 2 |\nmore words\n"
TARGETS = {
    "plan_of_one_joint_ns": 1500,
    "7 joints": {"step_ns": 700, "replaced_ns": 9100, "moves_ns": 120},
    "arm": {"cycle_ns": 20000, "cycle_with_targets_ns": 45000},
}


class Into(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.page = self.folder / "page.md"
        self.page.write_text(PAGE)

    def put(self, name, file, text):
        (self.folder / file).write_text(text)
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            code = into.main([str(self.page), name, str(self.folder / file)])
        return code, said.getvalue()

    def test_the_table_alone_stands_between_the_markers_with_date_and_machine(self):
        self.assertEqual(self.put("a", "a.txt", TABLE), (0, ""))
        page = self.page.read_text()
        self.assertTrue(page.startswith("before\n<!-- bench:a:start -->\n"))
        self.assertTrue(page.endswith("\n| x | y |\n| --- | --- |\n| 1 | 2 |\n<!-- bench:a:end -->\nafter\n"))
        self.assertNotIn("words", page)
        self.assertNotIn("old", page)
        self.assertIn(into.measured_on().split(", load")[0], page)

    def test_targets_become_a_table_in_microseconds(self):
        self.assertEqual(self.put("a", "a.json", json.dumps(TARGETS)), (0, ""))
        page = self.page.read_text()
        self.assertIn("| references of 7 joints | 0.70 µs | 9.10 µs | 0.12 µs |", page)
        self.assertIn("| step of arm, kinematic | 20.00 µs | 45.00 µs |  |", page)
        self.assertIn("| planning one joint's profile |  | 1.50 µs |  |", page)

    def test_what_cant_be_put_there_is_a_sentence_and_the_page_stays(self):
        for name, text, word in (("b", TABLE, "bench:b:start"), ("a", "no table", "no table")):
            code, said = self.put(name, "a.txt", text)
            self.assertEqual(code, 1)
            self.assertIn(word, said)
            self.assertEqual(self.page.read_text(), PAGE)

    def test_the_sentence_names_day_machine_and_load(self):
        self.assertEqual(
            into.measured_on(datetime.date(2026, 11, 7), "Test CPU", 1, 0.25),
            "7 Nov 2026, Test CPU, 1 core, load 0.2 over the last five minutes:",
        )


class Parts(unittest.TestCase):
    def test_each_table_of_a_page_has_a_part_that_makes_it(self):
        script = (ROOT / "bench" / "run.sh").read_text()
        made = set(re.findall(r"bench/into\.py (\S+) (\S+)", script))
        there = {
            (str(page.relative_to(ROOT)), name)
            for page in (ROOT / "docs").rglob("*.md")
            for name in re.findall(r"<!-- bench:(\S+):start -->", page.read_text())
        }
        self.assertEqual(made, there)

    def test_each_part_that_is_listed_is_there_and_another_is_refused_by_name(self):
        script = (ROOT / "bench" / "run.sh").read_text()
        listed = subprocess.run(["bash", str(ROOT / "bench/run.sh"), "--list"], capture_output=True, text=True)
        self.assertEqual(listed.returncode, 0)
        names = [line.split()[0] for line in listed.stdout.splitlines()]
        self.assertGreater(len(names), 10)
        for name in names:
            self.assertIn(f"\n{name}() {{", script)
        refused = subprocess.run(["bash", str(ROOT / "bench/run.sh"), "nothing"], capture_output=True, text=True)
        self.assertEqual(refused.returncode, 2)
        self.assertIn('no part "nothing"', refused.stderr)

    def test_each_program_of_the_folder_is_run_or_named_as_left_out(self):
        known = (ROOT / "bench" / "run.sh").read_text() + (ROOT / "bench" / "README.md").read_text()
        for file in [*(ROOT / "bench").glob("*_bench.cpp"), *(ROOT / "bench").glob("*.py"),
                     *(ROOT / "bench" / "peers").glob("*_*.py")]:
            if file.name in ("cycle_bench.cpp", "floor_bench.cpp", "simulation_bench.cpp"):
                continue  # of jointrig_bench
            name = {"bus_bench": "boards.py", "remote_bench": "remote.py"}.get(file.stem, file.name.removesuffix(".cpp"))
            self.assertIn(name, known, file)


if __name__ == "__main__":
    unittest.main()
