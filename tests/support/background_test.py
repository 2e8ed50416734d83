"""background.py: no program outlives the test that started it, wherever that fails."""

import os
import pathlib
import signal
import subprocess
import sys
import textwrap
import time
import unittest

from background import Background, run_alone, run_with_rest

SLEEPER = "['sleep', '600']"
# A test that fails between the start of its program and the use of it.
FAILING = """\
    import unittest
    from background import Background

    class Breaks(unittest.TestCase):
        def test_breaks(self):
            print(Background(self, SLEEPER).pid, flush=True)
            raise OSError("before its with statement")

        def test_later(self):
            input()

    class BreaksForAll(unittest.TestCase):
        @classmethod
        def setUpClass(cls):
            print(Background(cls, SLEEPER).pid, flush=True)
            raise OSError("in a class's set-up")

        def test_never(self):
            pass

    unittest.main()
    """
DYING = """\
    import unittest
    from background import Background
    print(Background(unittest.TestCase(), SLEEPER).pid, flush=True)
    input()
    """


def is_there(process):
    """Not as a zombie either."""
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def name_of(process):
    return pathlib.Path(f"/proc/{process}/comm").read_text().strip()


class ProgramsBesideATest(unittest.TestCase):
    def begin(self, script):
        return Background(self, [sys.executable, "-B", "-c", textwrap.dedent(script).replace("SLEEPER", SLEEPER)],
                          cwd=pathlib.Path(__file__).parent, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True)

    def assert_gone(self, process):
        end = time.monotonic() + 20
        while is_there(process) and time.monotonic() < end:
            time.sleep(0.02)
        gone = not is_there(process)
        if not gone:
            os.kill(process, signal.SIGKILL)
        self.assertTrue(gone, "it is left behind")

    def test_a_test_that_fails_before_it_uses_its_program_leaves_none_to_the_tests_after_it(self):
        tests = self.begin(FAILING)
        self.assert_gone(int(tests.stdout.readline()))  # while another test of the same process runs
        self.assertIsNone(tests.poll())
        tests.stdin.write("\n")
        tests.stdin.flush()
        self.assert_gone(int(tests.stdout.readline()))
        self.assertEqual(tests.wait(timeout=20), 1)

    def test_a_test_that_is_killed_takes_its_program_with_it_at_any_time(self):
        for begins in (False, True):
            with self.subTest(its_program_begins=begins):
                tests = self.begin(DYING)
                sleeper = int(tests.stdout.readline())
                end = time.monotonic() + 20
                while not begins and name_of(sleeper) != "sleep" and time.monotonic() < end:
                    time.sleep(0.01)
                self.assertTrue(is_there(sleeper))
                tests.kill()
                self.assert_gone(sleeper)

    def test_what_an_example_leaves_behind_is_ended(self):
        left = run_alone(["sh", "-c", "sleep 600 >/dev/null 2>&1 & echo $!; exit 3"], 20, stdout=subprocess.PIPE,
                         text=True)
        self.assertEqual(left.returncode, 3)
        self.assert_gone(int(left.stdout))

    def test_programs_that_a_command_left_behind_live_until_their_owner_ends(self):
        owner = unittest.TestCase()
        done = run_with_rest(owner, ["bash", "-c", "timeout 600 sleep 600 >/dev/null 2>&1 & echo $!"], timeout=30,
                             stdout=subprocess.PIPE, text=True)
        left = int(done.stdout)
        self.assertTrue(is_there(left))
        owner.doCleanups()
        for _ in range(500):
            if not is_there(left):
                break
            time.sleep(0.01)
        self.assertFalse(is_there(left))


if __name__ == "__main__":
    unittest.main()
