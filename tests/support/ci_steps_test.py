"""The steps of .ci/run: what a budget does, what is said at the end, and the table in docs/ci.md."""

import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUDGETS = "# seconds\nquick 60\nslow 0\n"


class Steps(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.top = pathlib.Path(self.folder.name)
        (self.top / ".ci").mkdir()
        (self.top / "build/ci").mkdir(parents=True)
        (self.top / ".ci/budgets").write_text(BUDGETS)

    def run_steps(self, *lines: str) -> subprocess.CompletedProcess:
        script = "\n".join(["set -uo pipefail", f"source {ROOT}/.ci/steps.sh", *lines, "close_up"])
        return subprocess.run(["bash", "-c", script], cwd=self.top, capture_output=True, text=True, timeout=60)

    def test_steps_within_their_budgets_pass(self):
        done = self.run_steps('step quick "one" true', 'step quick "two" true')
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("2 passed, 0 failed", done.stdout)

    def test_a_step_over_its_budget_fails_and_says_by_how_much(self):
        done = self.run_steps('step slow "sleeps" sleep 1.1')
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, r"TOO SLOW +[12] s of +0 +slow +sleeps")
        self.assertRegex(done.stderr, r"the step 'slow' took [12] s and may take 0 s \(.ci/budgets\), 0 s on a machine that is "
                                       r"1.00 times as slow")
        self.assertIn("0 passed, 1 failed", done.stdout)

    def test_a_step_may_take_longer_on_a_machine_that_is_slow(self):
        (self.top / ".ci/budgets").write_text("brief 2\n")
        (self.top / ".ci/pace").write_text("echo 2.00\n")  # 4 s, and a fifth: seconds are counted whole
        done = self.run_steps('step brief "sleeps" sleep 3.1')
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"took [34] s, more than its 2 s; the machine is 2.00 times as slow as usual")
        (self.top / ".ci/pace").write_text("echo 1.10\n")
        self.assertEqual(self.run_steps('step brief "sleeps" sleep 3.1').returncode, 1)

    def test_a_step_has_a_fifth_more_since_two_samples_of_the_pace_err(self):
        (self.top / ".ci/budgets").write_text("long 50\n")
        (self.top / ".ci/pace").write_text("echo 1.10\n")  # 55 s, 66 s with a fifth
        for seconds, passes in ((60, True), (70, False)):
            done = self.run_steps(f"late() {{ SECONDS=$((SECONDS + {seconds})); }}", 'step long "is late" late')
            self.assertEqual(done.returncode == 0, passes, done.stdout + done.stderr)

    def test_a_slow_machine_buys_no_more_than_twice_the_time(self):
        for says, counts in (("9.00", "2.00"), ("0.50", "1.00"), ("", "1.00")):
            (self.top / ".ci/pace").write_text(f"echo {says}\n")
            self.assertIn(f"it is {counts}\n", self.run_steps('echo "it is $(pace)"', 'step quick "one" true').stdout)

    def test_the_pace_of_a_machine_is_a_number(self):
        done = subprocess.run(["bash", ROOT / ".ci/pace"], capture_output=True, text=True, timeout=300)
        self.assertRegex(done.stdout, r"^\d+\.\d\d\n$")
        self.assertGreater(float(done.stdout), 0.05)

    def test_a_step_without_a_budget_fails(self):
        done = self.run_steps('step other "unheard of" true')
        self.assertEqual(done.returncode, 1)
        self.assertIn("no line for the step 'other'", done.stderr)

    def test_a_failed_step_lets_the_others_run_and_is_named(self):
        (self.top / "build/release/Testing/Temporary").mkdir(parents=True)
        (self.top / "build/release/Testing/Temporary/LastTestsFailed.log").write_text("17:stack_test\n")
        done = self.run_steps('step quick "breaks" false', 'step quick "goes on" echo here')
        self.assertEqual(done.returncode, 1)
        self.assertIn("\nhere\n", done.stdout)
        self.assertRegex(done.stdout, r"FAILED +\d s of +60 +quick +breaks")
        self.assertTrue(done.stdout.endswith("failed in build/release: stack_test\n1 passed, 1 failed\n"))

    def test_every_step_of_the_run_has_a_budget_and_every_budget_a_step(self):
        run = (ROOT / ".ci/run").read_text()
        steps = {line.split()[1] for line in run.replace("if ! ", "").splitlines()
                 if line.strip().startswith("step ")}
        budgets = [line.split() for line in (ROOT / ".ci/budgets").read_text().splitlines()
                   if line and not line.startswith("#")]
        self.assertGreater(len(steps), 8)
        self.assertEqual(steps, {name for name, _ in budgets})
        self.assertTrue(all(int(seconds) > 0 for _, seconds in budgets))

    def test_a_setup_that_fails_ends_the_run(self):
        for name in ("run", "steps.sh"):
            (self.top / ".ci" / name).write_text((ROOT / ".ci" / name).read_text())
        (self.top / ".ci/budgets").write_text((ROOT / ".ci/budgets").read_text())
        (self.top / "scripts").mkdir()
        (self.top / "scripts/setup.sh").write_text("echo no network; exit 2\n")
        done = subprocess.run(["bash", ".ci/run"], cwd=self.top, capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 1)
        self.assertIn("0 passed, 1 failed", done.stdout)
        self.assertNotIn("##### lint", done.stdout)

    def test_the_run_refuses_what_it_does_not_know(self):
        done = subprocess.run(["bash", ROOT / ".ci/run", "--ful"], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 2)
        self.assertIn("'--ful' is no option", done.stderr)


class Table(unittest.TestCase):
    def make(self, steps: str, page: str) -> tuple[subprocess.CompletedProcess, str]:
        with tempfile.TemporaryDirectory() as folder:
            top = pathlib.Path(folder)
            (top / "steps.tsv").write_text(steps)
            (top / "ci.md").write_text(page)
            done = subprocess.run(["python3", ROOT / "scripts/ci_table.py", top / "steps.tsv", top / "ci.md"],
                                  capture_output=True, text=True, timeout=60)
            return done, (top / "ci.md").read_text()

    def test_it_has_a_row_for_each_step_and_their_sum_between_the_marks(self):
        done, page = self.make("lint\t5\t60\tformat\nbuild\t115\t300\teverything\n",
                               "before\n<!-- ci:start -->\nold\n<!-- ci:end -->\nafter\n")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(page.startswith("before\n<!-- ci:start -->\n| step | what | took | may take |\n"))
        self.assertTrue(page.endswith("<!-- ci:end -->\nafter\n"))
        self.assertNotIn("old", page)
        self.assertIn("| lint | format | 5 s | 60 s |\n| build | everything | 115 s | 300 s |\n"
                      "| all | | 120 s, 2.0 min | 360 s |\n", page)

    def test_without_a_run_the_page_stays_as_it_is(self):
        page = "<!-- ci:start -->\nold\n<!-- ci:end -->\n"
        done, after = self.make("", page)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("run .ci/run first", done.stderr)
        self.assertEqual(after, page)


if __name__ == "__main__":
    unittest.main()
