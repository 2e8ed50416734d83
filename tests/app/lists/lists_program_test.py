"""Robots and scenarios by name, pattern and outcome, from any folder; files to start from."""

import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from own_folder import PROGRAM, OwnFolder  # noqa: E402

BARE = "<mujoco><worldbody><body><joint name='a'/><geom size='.1'/></body></worldbody></mujoco>"
URDF = """\
<robot name="two">
  <link name="base"/>
  <link name="upper"><inertial><mass value="2"/><origin xyz="0 0 0.15"/>
    <inertia ixx="0.02" iyy="0.02" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="shoulder-1" type="continuous">
    <parent link="base"/><child link="upper"/><axis xyz="0 1 0"/><limit effort="40" velocity="2"/>
  </joint>
</robot>
"""


class Lists(OwnFolder):
    # Names

    def test_what_is_in_the_clone_is_found_from_any_folder(self):
        said = self.jointrig("list", "robots")
        self.assertIn("franka", said)
        self.assertIn("icub_upper_body", said)
        self.assertIn("table", self.jointrig("list", "scenes"))
        self.assertIn("joints controlled", self.jointrig("inspect", "franka"))
        self.assertIn("minimum_jerk", self.jointrig("run", "minimum_jerk", "--list"))

    def test_scenarios_are_listed_with_what_they_are_about_and_their_tags(self):
        self.write("first", "second")
        said = self.jointrig("list", "scenarios")
        self.assertIn("first", said)
        self.assertIn("About second.  #quick #own", said)
        self.assertEqual(self.jointrig("list", "scenarios", "f*", "--names"), "first\n")
        self.assertEqual(self.jointrig("list", "tags", "--names"), "own\nquick\n")
        self.assertIn("nothing here is called zzz*", self.jointrig("list", "zzz*", code=1))

    def test_a_file_that_cannot_be_read_does_not_hide_the_others(self):
        self.write("first")
        (self.folder / "scenarios/bad.yaml").write_text("scenario: bad\nschema: 1\n")
        said = self.jointrig("list", "scenarios")
        self.assertIn("first", said)
        self.assertIn("bad.yaml", said)

    def test_patterns_choose_by_name_and_by_tag(self):
        self.write("push_up", "push_down")
        self.write("pull", tag="heavy")
        self.assertIn("2 scenarios", self.jointrig("run", "push*", "--list"))
        self.assertIn("1 scenarios", self.jointrig("run", "p?ll", "--list"))
        self.assertIn("1 scenarios", self.jointrig("run", "hea*", "--list"))
        self.assertIn("no scenario has a name or tag like", self.jointrig("run", "zz*", "--list", code=2))
        self.assertIn("name scenario files", self.jointrig("run", code=2))

    # Runs

    def test_a_folder_with_runs_in_it_runs_twice(self):
        self.write("first")
        for _ in range(2):
            self.assertIn("1 passed", self.jointrig("run", ".", "--no-report"))
        self.assertEqual(len(list((self.folder / "runs").iterdir())), 2, "in folders of their own")

    def test_results_are_never_overwritten_unless_asked_for(self):
        self.write("first")
        self.jointrig("run", "first", "--no-report", "--out", "out")
        before = (self.folder / "out/result.json").read_bytes()
        said = self.jointrig("run", "first", "--no-report", "--out", "out", code=2)
        self.assertIn("has the results of an earlier run; give another folder, or --overwrite", said)
        self.assertEqual((self.folder / "out/result.json").read_bytes(), before)
        self.jointrig("run", "first", "--no-report", "--out", "out", "--overwrite")
        (self.folder / "out/result.json").unlink()  # as after a kill
        (self.folder / "out/junit.xml").unlink()
        self.jointrig("run", "first", "--no-report", "--out", "out", code=2)
        (self.folder / "out/first/log.mcap").unlink()  # as with --logs failed
        self.jointrig("run", "first", "--no-report", "--out", "out", code=2)

    def test_only_the_logs_of_what_failed_are_kept_if_asked_for(self):
        self.write("good")
        self.write("bad", least=10)
        logs = lambda: sorted(str(log.relative_to(self.folder)) for log in self.folder.rglob("*.mcap"))  # noqa: E731
        self.jointrig("run", ".", "--no-report", "--logs", "failed", "--out", "few", code=1)
        self.assertEqual(logs(), ["few/bad/log.mcap"])
        results = json.loads((self.folder / "few/result.json").read_text())["scenarios"]
        self.assertEqual({each["scenario"]: "log" in each["properties"] for each in results},
                         {"good": False, "bad": True}, "no result names a log that isn't there")
        self.jointrig("run", ".", "--no-report", "--out", "all", code=1)
        self.assertEqual(logs(), ["all/bad/log.mcap", "all/good/log.mcap", "few/bad/log.mcap"])

    def test_what_failed_last_runs_again_alone(self):
        self.assertIn("no run below runs/", self.jointrig("run", "--last-failed", code=2))
        self.write("good")
        self.write("bad", "worse", least=10)
        self.jointrig("run", ".", "--no-report", code=1)
        self.assertIn("2 failed", self.jointrig("run", "--last-failed", "--no-report", code=1))
        self.assertIn("1 failed", self.jointrig("run", "bad", "--last-failed", "--no-report", code=1))
        self.write("bad")
        self.assertIn("1 passed", self.jointrig("run", "--last-failed", "--no-report", "--out", "runs/fine"))
        self.assertIn("has passed", self.jointrig("run", "--last-failed"))
        self.jointrig("run", "--failed-in", "nowhere", code=2)

    # Files to start from

    def test_a_new_scenario_passes_at_once_on_every_robot(self):
        (self.folder / "two.urdf").write_text(URDF)
        for robot in ("franka", "icub_upper_body", "sawyer"):
            with self.subTest(robot=robot):
                self.assertIn("jointrig run", self.jointrig("new", "scenario", f"on_{robot}", "--robot", robot))
                self.assertIn("1 passed", self.jointrig("run", f"on_{robot}.yaml", "--out", "-"))
        self.jointrig("new", "scenario", "own", "--robot", "two.urdf")
        self.assertIn("1 passed", self.jointrig("run", "own.yaml", "--out", "-"))

    def test_a_new_scenario_is_refused_where_it_would_not_work(self):
        (self.folder / "bare.xml").write_text(BARE)
        self.assertIn("--motors", self.jointrig("new", "scenario", "a", "--robot", "bare.xml", code=2))
        self.assertIn("letters, digits", self.jointrig("new", "scenario", "a b", code=2))
        self.jointrig("new", "scenario", "a")
        self.assertIn("exists already", self.jointrig("new", "scenario", "a", code=2))

    # Completion

    def test_an_option_with_bounds_takes_no_number_that_is_beyond_or_is_none(self):
        verbs = [words[0] for line in self.jointrig("--help").split("Subcommands:")[1].splitlines()
                 if (words := line.split()) and line.startswith("  ") and not line.startswith("   ")]
        self.assertIn("wiggle", verbs)
        tried = 0
        for verb in verbs:
            for option, most in re.findall(r"(--[a-z-]+) FLOAT:FLOAT in \[\S+ - (\S+?)\]", self.jointrig(verb, "--help")):
                for value in ("nan", "inf", f"{2 * float(most):g}", "one"):
                    with self.subTest(verb=verb, option=option, value=value):
                        said = self.jointrig(verb, option, value, code=None)
                        self.assertIn(f"{option}: Value {value} not in range", said)
                        tried += 1
        self.assertGreater(tried, 4 * 10)

    def complete(self, *words: str) -> list[str]:
        """Words that bash offers for the last word."""
        script = ('source <(jointrig completion bash); COMP_WORDS=(jointrig "$@"); COMP_CWORD=$#; _jointrig; '
                  'printf "%s\\n" "${COMPREPLY[@]}"')
        done = subprocess.run(["bash", "-c", script, "bash", *words], cwd=self.folder, text=True,
                              capture_output=True, timeout=60, check=True,
                              env=os.environ | {"PATH": f"{pathlib.Path(PROGRAM).parent}:{os.environ['PATH']}"})
        return done.stdout.split()

    def test_bash_completes_verbs_options_names_and_files(self):
        self.write("first")
        (self.folder / "file.yaml").write_text("")
        self.assertEqual(self.complete("insp"), ["inspect"])
        self.assertEqual(self.complete("run", "--last"), ["--last-failed"])
        self.assertEqual(self.complete("run", "fi"), ["first", "file.yaml"])
        self.assertEqual(self.complete("run", "--robot", "fra"), ["franka"])
        self.assertEqual(self.complete("run", "--backend", "kin"), ["kinematic"])
        self.assertEqual(self.complete("new", "sc"), ["scenario", "scenarios"])
        self.assertEqual(self.complete("list", "rob"), ["robots"])


if __name__ == "__main__":
    unittest.main()
