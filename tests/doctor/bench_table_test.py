"""bench/table.py on made-up reports: `python3 bench_table_test.py TABLE_PY`."""

import contextlib
import importlib.util
import io
import json
import pathlib
import sys
import tempfile
import unittest

spec = importlib.util.spec_from_file_location("table", sys.argv.pop(1))
table = importlib.util.module_from_spec(spec)
spec.loader.exec_module(table)

CONTEXT = {
    "date": "2024-05-06T07:08:09+00:00",
    "num_cpus": 2,
    "cpu": "Test CPU",
    "kernel": "Linux 6",
    "mujoco": "3.17.0",
}


def run(name, time, unit="ns", run_type="iteration", family=0):
    return {"name": name, "run_name": name, "run_type": run_type, "family_index": family,
            "real_time": 100 * time, "cpu_time": time, "time_unit": unit}


def report(*runs):
    return {"context": CONTEXT, "benchmarks": list(runs)}


class BenchTable(unittest.TestCase):
    def test_divides_by_mj_step_of_the_same_robot(self):
        text = table.table(report(
            run("arm/mj_step", 8000), run("arm/cycle", 2, "us"),
            run("hand/mj_step", 1000), run("hand/cycle", 2000)))
        self.assertIn("| arm | `cycle` | 2.00 µs | 0.25 |", text)
        self.assertIn("| hand | `cycle` | 2.00 µs | 2.00 |", text)
        self.assertIn("Test CPU, 2 cores, Linux 6, MuJoCo 3.17.0, 2024-05-06", text)

    def test_takes_the_median_of_the_repetitions_and_no_aggregate(self):
        text = table.table(report(
            run("arm/mj_step", 1000), run("arm/mj_step", 9000), run("arm/mj_step", 2000),
            run("arm/mj_step", 77777, run_type="aggregate")))
        self.assertIn("| arm | `mj_step` | 2.00 µs | 1.00 |", text)

    def test_keeps_the_order_of_registration_though_runs_are_interleaved(self):
        text = table.table(report(
            run("arm/cycle", 1, family=2), run("arm/mj_step", 1, family=0),
            run("arm/limits", 1, family=1), run("arm/mj_step", 1, family=0)))
        order = [line.split("`")[1] for line in text.splitlines() if line.startswith("| arm")]
        self.assertEqual(order, ["mj_step", "limits", "cycle"])

    def test_needs_something_to_divide_by(self):
        with self.assertRaisesRegex(table.Problem, "no arm/mj_step"):
            table.table(report(run("arm/cycle", 1000)))

    def test_passes_a_failed_measurement_on(self):
        failed = run("arm/mj_step", 0) | {"error_occurred": True, "error_message": "unstable"}
        with self.assertRaisesRegex(table.Problem, "unstable"):
            table.table(report(failed))

    def test_says_so_where_single_runs_are_missing(self):
        with self.assertRaisesRegex(table.Problem, "aggregates_only"):
            table.table(report(run("arm/mj_step", 1, run_type="aggregate")))


class IntoAFile(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.json = pathlib.Path(self.folder.name, "bench.json")
        self.readme = pathlib.Path(self.folder.name, "README.md")
        self.json.write_text(json.dumps(report(run("arm/mj_step", 1000))))

    def call(self):
        errors = io.StringIO()
        with contextlib.redirect_stderr(errors):
            code = table.main([str(self.json), "--into", str(self.readme)])
        return code, errors.getvalue()

    def test_replaces_what_stands_between_the_markers_and_nothing_else(self):
        self.readme.write_text(f"before\n{table.START}\nold\n{table.END}\nafter\n")
        self.assertEqual(self.call(), (0, ""))
        once = self.readme.read_text()
        self.assertTrue(once.startswith(f"before\n{table.START}\n| robot "))
        self.assertTrue(once.endswith(f"\n{table.END}\nafter\n"))
        self.assertNotIn("old", once)
        self.call()
        self.assertEqual(self.readme.read_text(), once)

    def test_leaves_a_file_without_markers_alone(self):
        self.readme.write_text("no markers")
        code, errors = self.call()
        self.assertEqual(code, 1)
        self.assertIn("bench:start", errors)
        self.assertEqual(self.readme.read_text(), "no markers")


if __name__ == "__main__":
    unittest.main()
