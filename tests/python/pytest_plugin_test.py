"""pytest with the plug-in, as a user runs it: scenarios as tests."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import textwrap
import unittest
import xml.etree.ElementTree as xml

STRICT = """\
    schema: 1
    scenario: strict
    about: a joint that moves by 0.2 rad is told to have moved further
    robot: franka
    tags: [slow-moves]
    matrix:
      - {far: 0.1 rad}
      - {far: 0.3 rad}
    setup:
      - set_mode: {joints: all, mode: position}
    steps:
      - move: {joints: {panda_joint1: 0.2 rad}, timeout: 5 s}
    assert:
      at_end:
        - {expr: "panda_joint1.q > ${far}", name: it moves far}
"""
SKIPPED = """\
    schema: 1
    scenario: needs_torque
    about: a backend without dynamics lacks it
    robot: franka
    requires: [torque]
    steps:
      - wait: 1 ms
"""
BROKEN = "schema: 1\nscenario: broken\nabout: an unknown key\nrobto: franka\n"


class Plugin(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.top = pathlib.Path(self.folder.name)

    def write(self, name, text):
        (self.top / name).write_text(textwrap.dedent(text))

    def pytest(self, *options):
        # An installed package announces its plug-in by itself; here -p does.
        return subprocess.run([sys.executable, "-B", "-m", "pytest", "-p", "jointrig_tools.pytest_plugin", "-p",
                               "no:cacheprovider", str(self.top), *options], capture_output=True, text=True,
                              env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"})

    def test_each_variation_is_a_test_and_a_failure_shows_expected_got_and_plots(self):
        self.write("strict.yaml", STRICT)
        done = self.pytest("--jointrig", "--jointrig-out", str(self.top / "out"), "--junit-xml", str(self.top / "j.xml"))
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("1 failed, 1 passed", done.stdout)
        self.assertIn("strict[far=0.3rad]: failed", done.stdout)
        self.assertRegex(done.stdout, r"strict\.yaml:15:\d+: it moves far")
        self.assertRegex(done.stdout, r"expected  at the end panda_joint1\.q > 0\.3 rad")
        self.assertRegex(done.stdout, r"got       panda_joint1\.q = 0\.\d+")
        # In CI pytest repeats a failure, whole, in its summary.
        [plots] = {line.split("plots:")[1].strip() for line in done.stdout.splitlines() if line.startswith("plots:")}
        [log] = {line.split("log:")[1].strip() for line in done.stdout.splitlines() if line.startswith("log:")}
        self.assertTrue(pathlib.Path(plots).exists() and pathlib.Path(log).exists())
        properties = xml.parse(self.top / "j.xml").findall(".//property[@name='state_hash']")
        self.assertEqual(len(properties), 2)

    def test_without_a_folder_plots_and_log_of_a_failure_alone_are_kept_where_pytest_keeps_its_own(self):
        self.write("strict.yaml", STRICT)
        folder = tempfile.TemporaryDirectory()  # elsewhere: each run leaves its scenario
        self.addCleanup(folder.cleanup)
        temporary = pathlib.Path(folder.name, "temporary")
        done = self.pytest("--jointrig", "--basetemp", str(temporary))
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        [plots] = {line.split("plots:")[1].strip() for line in done.stdout.splitlines() if line.startswith("plots:")}
        [log] = {line.split("log:")[1].strip() for line in done.stdout.splitlines() if line.startswith("log:")}
        self.assertTrue(pathlib.Path(plots).exists() and pathlib.Path(log).exists())
        self.assertEqual({file.parent for file in temporary.rglob("report.html")}, {pathlib.Path(plots).parent})
        self.assertTrue(plots.startswith(str(temporary)), plots)
        self.assertEqual(len(list(temporary.rglob("*.mcap"))), 1)
        # No folder for temporary files at all: still a path that is there.
        done = self.pytest("--jointrig", "-p", "no:tmpdir", "-k", "0.3rad")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        [plots] = {line.split("plots:")[1].strip() for line in done.stdout.splitlines() if line.startswith("plots:")}
        self.addCleanup(shutil.rmtree, pathlib.Path(plots).parent)
        self.assertTrue(pathlib.Path(plots).exists())

    def test_names_and_tags_choose(self):
        self.write("strict.yaml", STRICT)
        self.assertIn("1 passed, 1 deselected", self.pytest("--jointrig", "-k", "0.1rad").stdout)
        self.assertIn("2 deselected", self.pytest("--jointrig", "-m", "not slow_moves").stdout)
        done = self.pytest("--jointrig", "-k", "0.3rad", "--jointrig-set", "assert.at_end[0].expr=panda_joint1.q > ${far} - 0.2")
        self.assertIn("1 passed", done.stdout)

    def test_what_is_missing_skips_and_what_is_wrong_is_told(self):
        self.write("skipped.yaml", SKIPPED)
        self.assertIn("1 skipped", self.pytest("--jointrig", "--jointrig-backend", "kinematic").stdout)
        self.write("broken.yaml", BROKEN)
        done = self.pytest("--jointrig")
        self.assertEqual(done.returncode, 2)
        self.assertIn('broken.yaml:4:1: unknown key "robto"; did you mean "robot"?', done.stdout)

    def test_other_files_and_other_runs_are_left_alone(self):
        self.write("other.yaml", "a: 1\n")
        self.write("strict.yaml", STRICT)
        self.write("test_other.py", "def test_it():\n    pass\n")
        self.assertIn("1 passed", self.pytest().stdout)
        self.assertIn("3 tests collected", self.pytest("--jointrig", "--collect-only", "-q").stdout)


if __name__ == "__main__":
    unittest.main()
