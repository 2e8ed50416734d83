"""`jointrig sweep` with method optimise: Optuna finds what a closed form tells, the same for one seed.

    python optimiser_test.py PROGRAM OPTUNA_PYTHON
"""

import csv
import json
import os
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import campaign  # noqa: E402
import share  # noqa: E402

PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
PYTHON = pathlib.Path(sys.argv.pop(1)).absolute()

class Search(campaign.Campaign):
    program = PROGRAM

    def setUp(self):
        super().setUp()
        os.environ["JOINTRIG_PYTHON"] = str(PYTHON)
        campaign.write_search(self.folder)

    def search(self, *arguments: str, code: int = 1, **more):
        return self.sweep("search.yaml", *arguments, code=code, **more)

    def loads(self, out: str) -> list[str]:
        with open(self.folder / out / "table.csv", newline="") as file:
            return [row["parameters.load [kg]"] for row in csv.DictReader(file)]

    def test_the_best_sample_is_near_the_most_that_the_motor_carries_and_is_shown_with_its_command(self):
        done = self.search()
        found = re.search(r"best    most = .*, sample (\d+) of 30\n        (jointrig run .*'parameters.load=(.*) kg')", done.stdout)
        self.assertTrue(found, done.stdout)
        most = 30 / 9.81 - 2
        self.assertTrue(0.9 * most < float(found[3]) < most + 0.03, found[3])  # a few N of friction or sag allowed
        self.assertEqual(self.loads("runs/sweep-search")[int(found[1]) - 1], found[3])
        page = (self.folder / "runs/sweep-search/report.html").read_text()
        self.assertIn("<h2>Best sample</h2>", page)
        self.assertIn(f"parameters.load={found[3]} kg", page.split("<h2>Best sample</h2>")[1].split("</section>")[0])
        data = json.loads(re.search(r'id="data">(.*?)</script>', page, re.DOTALL)[1])["search"]
        self.assertEqual(len(data["values"]), 30)
        best = max(value for value, passed in zip(data["values"], data["passed"], strict=True) if passed)
        self.assertEqual(data["values"][int(found[1]) - 1], best)

    def test_a_seed_and_a_batch_give_the_same_samples_with_any_number_of_jobs_and_nothing_runs_twice(self):
        self.search("--samples", "12", "--batch", "4", "-j", "2", "--out", "a/out")
        self.search("--samples", "12", "--batch", "4", "-j", "1", "--out", "b/out")
        self.assertEqual(campaign.rows(self.folder / "a/out/table.csv"), campaign.rows(self.folder / "b/out/table.csv"))
        self.search("--samples", "12", "--batch", "4", "--seed", "2", "--out", "c/out")
        self.assertNotEqual(self.loads("a/out"), self.loads("c/out"))
        before = {path: path.stat().st_mtime_ns for path in (self.folder / "a/cases").iterdir()}
        again = self.search("--samples", "12", "--batch", "4", "--out", "a/out")
        self.assertNotIn("scenarios took", again.stdout, "nothing was run")
        more = self.search("--samples", "16", "--batch", "4", "--out", "a/out")
        self.assertIn("16", more.stdout)
        self.assertEqual(self.loads("a/out")[:12], self.loads("b/out"), "more samples begin with the same ones")
        after = {path: path.stat().st_mtime_ns for path in (self.folder / "a/cases").iterdir()}
        self.assertEqual({path: after[path] for path in before}, before)

    def test_later_samples_crowd_about_the_best(self):
        self.search()
        loads = [float(load) for load in self.loads("runs/sweep-search")]
        most = 30 / 9.81 - 2
        first, last = loads[:10], loads[-10:]
        self.assertLess(sum(abs(load - most) for load in last), sum(abs(load - most) for load in first))

    def test_wrong_searches_get_one_sentence(self):
        for words, *arguments in (
                ('no metric and no condition of the scenario is called "mots"; did you mean "most"', "--objective", "mots",
                 "--samples", "2"),
                ("depend on each other's results", "--shard", "1/2"),
                ("depend on each other's results", "--engine", "slurm")):
            with self.subTest(words=words):
                self.assertIn(words, self.search(*arguments, code=2).stderr)
        (self.folder / "search.yaml").write_text(campaign.SEARCH.replace("objective: most\n", ""))
        self.assertIn("needs an objective", self.search(code=2).stderr)

    def test_without_optuna_a_sentence_tells_how_to_install_it(self):
        bare = self.folder / "python"
        bare.write_text(f'#!/bin/sh\nexec "{PYTHON}" -I -S "$@"\n')  # without its packages
        bare.chmod(0o755)
        done = self.search(code=2, env={**os.environ, "JOINTRIG_PYTHON": str(bare)})
        self.assertRegex(done.stderr, r"needs the Python package optuna, which .* has not: 'pip install optuna==5\.0\.0'")
        done = self.sweep("loads.yaml", "--engine", "ray", code=2, env={**os.environ, "JOINTRIG_PYTHON": str(bare)})
        self.assertRegex(done.stderr, r"needs the Python package ray, which .* has not: 'pip install ray==2\.60\.0'")
        done = self.sweep("loads.yaml", "--engine", "ray", code=2, env={**os.environ, "JOINTRIG_PYTHON": "/nowhere"})
        self.assertRegex(done.stderr, r"can't start /nowhere .*JOINTRIG_PYTHON names the Python to use")


if __name__ == "__main__":
    if not PYTHON.exists():
        print(f"skipped: {PYTHON} is not there (bash scripts/setup.sh test)")
        sys.exit(77)
    share.main()
