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


HEADLESS = {
    "load": [0.125, 1.5],
    "robots": {
        "arm": {"bare": 100.0, "speed": 65.0, "of_bare": 0.652, "cpu_of_bare": 0.55,
                "two_bare": 1.943, "two_jobs": 1.876, "peak_mb": 31.4},
        "hand": {"bare": 20.0, "speed": 12.0, "of_bare": 0.6, "cpu_of_bare": 0.5,
                 "two_bare": 2.0, "two_jobs": 1.8, "peak_mb": 64.0},
    },
}  # fmt: skip
HOUR = {"early_mb": 20.04, "late_mb": 20.5, "peak_mb": 31.0}

DOCTOR = {
    "period_ns": 1000000,
    "seconds": 10.0,
    "measurements": [
        {"name": "bare", "skipped": 3, "late": {"p50_ns": 950, "p99_ns": 43776}},
        {"name": "loop", "skipped": 0, "late": {"p50_ns": 25000, "p99_ns": 1500000},
         "cycle": {"p50_ns": 20000, "p99_ns": 56000}},
    ],
}  # fmt: skip

BOARDS = {
    "load": [0.25, 1.5],
    "wire_us": 460,
    "floor": {"slcan": {"p50": 37.4, "p99": 50, "max": 900}, "udp": {"p50": 20, "p99": 40, "max": 800}},
    "trip": {"slcan": {"p50": 700, "p99": 800, "max": 900}, "udp": {"p50": 600, "p99": 650, "max": 700}},
    "cycle": {"7": {"p50": 811, "p99": 1000, "max": 2000}},
    "driver": {"p50": 6.125, "p99": 8, "max": 99},
    "loop": {"seconds": 60.001, "fifo": 0, "late": {"p50": 50, "p99": 90, "max": 1000},
             "cycle": {"p50": 20, "p99": 60, "max": 700}, "cycles": 59998, "overruns": 2, "skipped": 3,
             "incomplete": 4, "lost_joints": 0, "share": 0.304, "boards_share": 0.806},
}  # fmt: skip


class CycleTable(unittest.TestCase):
    def test_divides_by_mj_step_of_the_same_robot(self):
        text = table.cycle_table(report(
            run("arm/mj_step", 8000), run("arm/cycle", 2, "us"),
            run("hand/mj_step", 1000), run("hand/cycle", 2000)))
        self.assertIn("| of a cycle | arm | of `mj_step` | hand | of `mj_step` |", text)
        self.assertIn("| `cycle` | 2.00 µs | 0.25 | 2.00 µs | 2.00 |", text)

    def test_shows_the_spread_of_single_cycles_by_itself(self):
        spread = [{**run("arm_cartesian/cycle_spread", 9000), "p50_ns": p50, "p99_ns": p99}
                  for p50, p99 in ((5000, 9000), (4000, 8000), (4000, 7000))]  # fmt: skip
        measured = report(run("arm_cartesian/mj_step", 8000), *spread)
        self.assertIn("| arm_cartesian | 4.00 µs | 8.00 µs | 2.00 | at most 2 |",
                      table.spread_table(measured))
        self.assertNotIn("spread", table.cycle_table(measured))
        self.assertIsNone(table.spread_table(report(run("arm/mj_step", 8000))))

    def test_takes_the_least_of_the_repetitions_and_no_aggregate(self):
        text = table.cycle_table(report(
            run("arm/mj_step", 3000), run("arm/mj_step", 9000), run("arm/mj_step", 2000),
            run("arm/mj_step", 7, run_type="aggregate")))
        self.assertIn("| `mj_step` | 2.00 µs | 1.00 |", text)

    def test_keeps_the_order_of_registration_though_runs_are_interleaved(self):
        text = table.cycle_table(report(
            run("arm/cycle", 1, family=2), run("arm/mj_step", 1, family=0),
            run("arm/limits", 1, family=1), run("arm/mj_step", 1, family=0)))
        order = [line.split("`")[1] for line in text.splitlines() if line.startswith("| `")]
        self.assertEqual(order, ["mj_step", "limits", "cycle"])

    def test_names_a_measurement_without_its_number_of_iterations(self):
        text = table.cycle_table(report(
            run("arm/mj_step", 1000), run("arm/recorder/iterations:20000", 500)))
        self.assertIn("| `recorder` | 0.50 µs | 0.50 |", text)

    def test_leaves_a_cell_empty_where_a_robot_was_not_measured(self):
        text = table.cycle_table(report(
            run("arm/mj_step", 1000), run("arm/cycle", 500), run("hand/mj_step", 2000)))
        self.assertIn("| `cycle` | 0.50 µs | 0.50 |  |  |", text)

    def test_needs_something_to_divide_by(self):
        with self.assertRaisesRegex(table.Problem, "no arm/mj_step"):
            table.cycle_table(report(run("arm/cycle", 1000)))

    def test_passes_a_failed_measurement_on(self):
        failed = run("arm/mj_step", 0) | {"error_occurred": True, "error_message": "unstable"}
        with self.assertRaisesRegex(table.Problem, "unstable"):
            table.cycle_table(report(failed))

    def test_says_so_where_single_runs_are_missing(self):
        with self.assertRaisesRegex(table.Problem, "aggregates_only"):
            table.cycle_table(report(run("arm/mj_step", 1, run_type="aggregate")))


class OtherTables(unittest.TestCase):
    def test_set_headless_figures_beside_their_goals(self):
        text = table.headless_table(HEADLESS)
        self.assertIn("| headless | arm | hand | goal |", text)
        self.assertIn("| the second over the first | 0.65 | 0.60 | at least 0.7 |", text)
        self.assertIn("| two bare loops at once, as fast as one | 1.94 × | 2.00 × |  |", text)
        self.assertIn("as with one | 1.88 × | 1.80 × |  |", text)
        self.assertIn("| the last over the one before | 0.97 | 0.90 | at least 0.97 |", text)
        self.assertIn("| resident memory, peak | 31 MB | 64 MB | under 100 MB |", text)
        self.assertNotIn("hour", text)

    def test_tell_of_an_hour_where_every_robot_had_one(self):
        robots = {name: figures | {"hour": HOUR} for name, figures in HEADLESS["robots"].items()}
        text = table.headless_table({"robots": robots})
        self.assertIn("| 20.0, 20.5, 31.0 MB | 20.0, 20.5, 31.0 MB | flat |", text)
        del robots["hand"]["hour"]
        self.assertNotIn("hour", table.headless_table({"robots": robots}))

    def test_write_durations_in_the_unit_that_reads_best(self):
        text = table.real_time_table(DOCTOR)
        self.assertIn("| 1 kHz for 10 s each |", text)
        self.assertIn("| bare | 950 ns | 43.8 µs |  |  | 3 |", text)
        self.assertIn("| loop | 25 µs | 1.5 ms | 20 µs | 56 µs | 0 |", text)

    def test_show_the_way_to_the_boards_beside_its_floor_and_its_bounds(self):
        text = table.boards_table(BOARDS)
        self.assertIn("| one frame there and back, SLCAN on a pty | 37 µs | 50 µs | 900 µs |  |", text)
        self.assertIn("| command → board → state of one joint, UDP | 600 µs | 650 µs | 700 µs | 460 µs of it", text)
        self.assertIn("| the same on a Sawyer | about 7200 µs |", text)
        self.assertIn("| whole cycle of 7 joints, each on a wire of its own, UDP | 811 µs |", text)
        self.assertIn("| driver of 7 joints without the wire | 6.12 µs | 8.00 µs | 99.00 µs | at most 15 µs |", text)
        self.assertIn("with ordinary scheduling: 59998 cycles, 2 overruns, 3 periods skipped, 4 cycles", text)
        self.assertIn("took 30 % of a core", text)
        self.assertIn("wires) 81 %. Load 0.2 before and 1.5 after.", text)
        BOARDS["loop"]["fifo"] = 80
        self.assertIn("with SCHED_FIFO 80:", table.boards_table(BOARDS))

    def test_end_with_the_machine_its_load_and_the_command_but_no_date(self):
        last = table.tables(report(run("arm/mj_step", 1000)), HEADLESS).splitlines()[-1]
        self.assertIn("Test CPU, 2 cores, Linux 6, MuJoCo 3.17.0", last)
        self.assertIn("load 0.1 before and 1.5 after", last)
        self.assertIn("`bash bench/run.sh readme`", last)
        self.assertNotIn("2024", last)


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
        self.assertTrue(once.startswith(f"before\n{table.START}\n| of a cycle "))
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
