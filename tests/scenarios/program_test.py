"""The program as a user meets it: exit codes, one clear sentence for bad input, files written."""

import json
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

PROGRAM = sys.argv.pop(1)

HOLD = """\
schema: 1
scenario: hold
about: holds
robot: franka
steps:
  - set_mode: {joints: [all], mode: position}
  - wait: 0.2 s
"""

TWO_JOINTS = """\
<mujoco>
  <worldbody>
    <body pos="0 0 0.6">
      <joint name="shoulder" axis="0 1 0" range="-170 170" damping="0.5" armature="0.2"/>
      <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03" mass="2"/>
      <body pos="0.3 0 0">
        <joint name="elbow" axis="0 -1 0" range="-150 150" damping="0.3" armature="0.05"/>
        <geom type="capsule" fromto="0 0 0 0.25 0 0" size="0.025" mass="1"/>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor joint="shoulder" ctrlrange="-40 40"/>
    <motor joint="elbow" ctrlrange="-12 12"/>
  </actuator>
</mujoco>
"""


def jointrig(*arguments: str, timeout: float = 120):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=timeout)


class Program(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def run_text(self, text: str, *arguments: str):
        file = self.folder / "case.yaml"
        file.write_text(text)
        return jointrig("run", str(file), "--no-report", "--overwrite", "--out", str(self.folder / "out"),
                        *arguments)

    def test_a_scenario_that_holds_passes_with_0(self):
        done = self.run_text(HOLD)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("1 passed", done.stdout)
        self.assertTrue((self.folder / "out/hold/log.mcap").stat().st_size > 1000)
        self.assertTrue((self.folder / "out/hold/effective.yaml").exists())

    def test_an_expectation_that_fails_gives_1_with_expected_and_got(self):
        done = self.run_text(HOLD + "assert:\n  at_end:\n    - expr: panda_joint1.q > 1 rad\n")
        self.assertEqual(done.returncode, 1)
        self.assertIn("expected", done.stdout)
        self.assertIn("got", done.stdout)
        junit = ElementTree.parse(self.folder / "out/junit.xml")
        self.assertEqual(len(junit.findall(".//failure")), 1)
        self.assertEqual(len(junit.findall(".//error")), 0)

    def test_an_unexpected_fault_gives_3_and_names_it(self):
        done = self.run_text(
            HOLD + "faults:\n  - {at: 0.1 s, joint: panda_joint2, type: over_current, for: 0.05 s}\n")
        self.assertEqual(done.returncode, 3, done.stdout)
        self.assertIn("panda_joint2", done.stdout)
        self.assertIn("current", done.stdout)

    def test_a_condition_that_never_comes_gives_1_or_4(self):
        done = self.run_text(
            HOLD + "  - wait: {until: panda_joint1.q > 1 rad, timeout: 60 s}\ntimeout: {sim: 0.5 s}\n")
        self.assertEqual(done.returncode, 4, done.stdout)

    def test_something_required_and_missing_gives_77(self):
        done = self.run_text(HOLD + "requires: [force_torque]\n", "--backend", "kinematic")
        self.assertEqual(done.returncode, 77, done.stdout)

    def test_an_expected_failure_passes(self):
        done = self.run_text(
            HOLD + "xfail: joint 1 stays at 0\nassert:\n  at_end:\n    - expr: panda_joint1.q > 1 rad\n")
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_bad_input_is_one_sentence_with_file_and_line_and_2(self):
        cases = {
            HOLD.replace("set_mode", "set_mod"): 'case.yaml:6:5: ',
            HOLD.replace("0.2 s", "0.2 parsec"): "case.yaml:7:11: ",
            HOLD.replace("robot: franka", "robot: frank"): '"franka"',
            HOLD.replace("[all]", "[panda_joint9]"): "did you mean",
            HOLD.replace("schema: 1", "schema: 99"): "case.yaml:1",
            "just text": "case.yaml:1",
            "": "case.yaml",
            HOLD + "assert:\n  always:\n    - expr: panda_joint1.qq > 0\n": "case.yaml:10",
        }
        for text, expected in cases.items():
            with self.subTest(expected=expected):
                done = self.run_text(text)
                said = done.stdout + done.stderr
                self.assertEqual(done.returncode, 2, said)
                self.assertIn(expected, said)
                self.assertNotIn("terminate", said)

    def test_a_fault_of_a_force_sensor_names_what_is_wrong_and_where(self):
        steps = "  - inject_fault: {fault}\nassert:\n  always:\n    - {expr: 'true'}\n"
        cases = {
            "{type: stale}": 'one of these keys is missing in inject_fault: joint, arm',
            "{joint: panda_joint1, arm: arm, type: stale}": 'only one of "joint", "arm" can be given',
            "{arm: amr, type: stale}": 'case.yaml:8:25: there is no arm "amr"; did you mean "arm"?',
            "{arm: arm, type: frosen}": 'case.yaml:8:36: no fault "frosen" of a sensor; did you mean "frozen"?',
            "{arm: arm, type: stale, value: 3}": 'case.yaml:8:50: the fault "stale" takes no value',
            "{arm: arm, type: motor_off}": "of a sensor",
            "{joint: panda_joint1, type: frozen}": 'no fault "frozen"',
        }
        for fault, expected in cases.items():
            with self.subTest(fault=fault):
                done = self.run_text(HOLD + steps.replace("{fault}", fault), "--dry-run")
                said = done.stdout + done.stderr
                self.assertEqual(done.returncode, 2, said)
                self.assertIn(expected, said)

    def test_a_goal_for_a_tool_is_refused_where_the_robot_has_no_arm(self):
        (self.folder / "arm.xml").write_text(TWO_JOINTS)
        text = HOLD.replace("robot: franka", "robot: arm.xml")
        for goal in ("move_tool: {arm: leg, by: [0.05, 0, 0]}",
                     "stream_tool: {arm: leg, position: [0.3, 0, 0], orientation: [1, 0, 0, 0]}",
                     "set_arm: {arm: leg, interaction: {}}"):
            for reason, code, sentence in (
                    ("unknown_arm", 0, ""),
                    ("wrong_mode", 2, 'the robot has no arm "leg": its file has no `arms`')):
                with self.subTest(goal=goal, reason=reason):
                    done = self.run_text(text + f"  - expect_rejected: {{command: {{{goal}}}, reason: {reason}}}\n")
                    self.assertEqual(done.returncode, code, done.stdout + done.stderr)
                    self.assertIn(sentence, done.stdout)

    def test_an_error_of_all_variations_of_a_file_is_told_once_with_their_number(self):
        matrix = "matrix: {mode: [position, velocity, mixed], twice: [1, 2]}\n"
        steps = "  - set_mode: {joints: panda_joint9, mode: '${mode}'}\n  - wait: ${twice} s\n"
        (self.folder / "one.yaml").write_text(HOLD.replace("steps:", matrix + "steps:") + steps)
        (self.folder / "two.yaml").write_text(HOLD.replace("scenario: hold", "scenario: rest"))
        done = jointrig("run", str(self.folder), "--out", "-", "-j", "2")
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertIn("ERROR hold: all 6 variations\n", done.stdout)
        self.assertEqual(done.stdout.count("panda_joint9"), 2, done.stdout)  # sentence and line
        self.assertIn("1 passed, 6 could not run", done.stdout)

    def test_many_families_that_do_not_fit_a_robot_give_one_error_each(self):
        (self.folder / "arm.xml").write_text(TWO_JOINTS)
        done = jointrig("run", "scenarios/joints", "--robot", str(self.folder / "arm.xml"), "--out", "-")
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        families = len(list(pathlib.Path("scenarios/joints").glob("*.yaml")))
        # Some name their joints in a matrix, and have an error for each.
        self.assertLess(done.stdout.count("ERROR "), 1.5 * families, done.stdout)
        self.assertLess(len(done.stdout.splitlines()), 8 * families, done.stdout)
        self.assertIn("jointrig check", done.stdout)  # what to do instead

    def test_what_is_the_same_in_each_run_of_a_robot_is_told_once(self):
        # A loop that swings is such a remark; four runs of two scenarios on two threads.
        swings = HOLD.replace("robot: franka", "robot: franka\nconfig: {joints: {panda_joint1: {kp: 9000, ki: 0, kd: 900}}}")
        for name in ("one", "two", "three", "four"):
            text = swings.replace("scenario: hold", f"scenario: {name}").replace("joints: [all]", "joints: [panda_joint4]")
            (self.folder / f"{name}.yaml").write_text(text)
        done = jointrig("run", str(self.folder), "--jobs", "2", "--repeat", "2",
                        "--no-report", "--overwrite", "--out", str(self.folder / "out"))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("4 passed", done.stdout)
        self.assertEqual(done.stdout.count("its loop (stiff, by kp, ki and kd,) swings up"), 1, done.stdout)
        self.assertIn("franka: joint panda_joint1: its loop", done.stdout)

    def test_the_old_word_of_backend_boards_is_taken_and_told_and_a_file_is_told_the_new_one(self):
        done = self.run_text(HOLD, "--backend", "bench")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("backend bench is now called boards", done.stderr)
        robot = self.folder / "robot.yaml"
        robot.write_text(f"schema: 1\nmodel: {pathlib.Path('models/franka/franka.xml').resolve()}\nbackend: bench\n")
        done = jointrig("inspect", str(robot))
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn('robot.yaml:3:10: backend: "bench" is now called boards', done.stderr)

    def test_words_that_name_nothing_give_2(self):
        for words in (["run", "no/such/file.yaml"], ["run", "smok"], ["inspect", "frnka"],
                      ["inspect", "README.md"], ["export", "none.mcap", str(self.folder / "x.csv")], ["nonsense"],
                      ["run"], ["run", "smoke", "--jobs", "0"], ["run", "smoke", "--set", "x"],
                      ["run", "smoke", "--set", "robot.plant.mas_scale=2"]):
            with self.subTest(words=words):
                done = jointrig(*words)
                self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
                self.assertTrue((done.stderr + done.stdout).strip())

    def test_a_robot_that_cannot_be_read_ends_the_run_before_it_begins(self):
        cases = {
            (HOLD.replace("franka", "frnka"),): r"case\.yaml:4:8: there is no robot \"frnka\"; did you mean \"franka\"\?",
            (HOLD + "scene: tabel\n",): r"case\.yaml:8:8: there is no scene \"tabel\"; did you mean \"table\"\?",
            (HOLD + "config: {joints: {panda_jont1: {kp: 3}}}\n",):
                r"case\.yaml:8:19: there is no joint or part \"panda_jont1\"; did you mean \"panda_joint1\"\?",
            (HOLD, "--robot", "sawer"): "there is no robot \"sawer\"; did you mean \"sawyer\"\\?",
            (HOLD, "--robot", "no.yaml"): "there is no robot.yaml, MJCF or URDF at \"no.yaml\"",
            (HOLD, "--set", "robot.plnt.seed=2"): "--set robot.plnt.seed=2: there is no \"plnt\".*\"plant\"",
        }
        for (text, *words), expected in cases.items():
            for more in ([], ["--dry-run"]):
                with self.subTest(words=words, more=more, expected=expected):
                    done = self.run_text(text, *words, *more)
                    self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
                    self.assertRegex(done.stderr, "^jointrig run: [^\n]*" + expected)
                    self.assertEqual(done.stdout, "")
                    self.assertFalse((self.folder / "out").exists())

    def test_settings_for_joints_that_another_robot_lacks_are_the_error_of_their_scenario_alone(self):
        (self.folder / "arm.xml").write_text(TWO_JOINTS)
        (self.folder / "case_own.yaml").write_text(
            HOLD.replace("hold", "own") + "config: {joints: {panda_joint4: {bandwidth: 4 Hz}}}\n")
        (self.folder / "case_any.yaml").write_text(
            "schema: 1\nscenario: any\nrobot: franka\nsteps:\n  - set_mode: {joints: all, mode: position}\n  - wait: 0.1 s\n")
        done = jointrig("run", str(self.folder / "case_own.yaml"), str(self.folder / "case_any.yaml"),
                        "--robot", str(self.folder / "arm.xml"), "--out", str(self.folder / "out"))
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"PASS +any")
        self.assertIn('there is no joint or part "panda_joint4"', done.stdout)
        self.assertIn("1 passed, 1 could not run", done.stdout)

    def test_one_mistake_in_a_robot_is_told_once_for_all_its_scenarios(self):
        (self.folder / "robot.yaml").write_text("schema: 1\nmodel: no.xml\n")
        for name in ("a", "b"):
            text = HOLD.replace("franka", "robot.yaml").replace("hold", name) + "config: {plant: {seed: 2}}\n"
            (self.folder / f"case_{name}.yaml").write_text(text)
        done = jointrig("run", str(self.folder), "--out", str(self.folder / "out"))
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertEqual(done.stderr.count("robot.yaml:2:8: there is no file"), 1, done.stderr)

    def test_words_that_fit_no_verb_get_one_sentence_and_not_the_whole_help(self):
        cases = {
            ("rum", "smoke"): 'there is no verb "rum" (did you mean "run"?)',
            ("--jobs", "2"): 'there is no option "--jobs"',
            ("run", "smoke", "--jobs", "0"): "--jobs: Value 0 not in range 1 to 64",
            ("run", "smoke", "--nope"): 'jointrig run: there is no option "--nope"; `jointrig run --help`',
            ("check", "ur5e", "--output", "x"): 'there is no option "--output" (did you mean "--out"?)',
            ("run", "smoke", "--realtimme"): 'there is no option "--realtimme" (did you mean "--realtime"?)',
            ("doctor", "twice"): "not expected: twice",
            ("run", "smoke", "--seed", "-4"): "--seed: Value -4 not in range",
            ("run",): "name scenario files, folders, names or tags",
        }
        for words, expected in cases.items():
            with self.subTest(words=words):
                done = jointrig(*words)
                self.assertEqual(done.returncode, 2)
                self.assertIn(expected, done.stderr)
                self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)

    def test_a_time_that_no_clock_can_count_is_refused(self):
        done = self.run_text(HOLD.replace("0.2 s", "1e300 s"))
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn("case.yaml:7:11: wait: 1e300 s is longer than 1e9 s", done.stderr)

    def test_more_numbers_than_a_command_holds_are_refused_where_they_stand(self):
        text = HOLD + "  - set_arm: {arm: arm, stiffness: [" + ", ".join(["1"] * 50) + "]}\n"
        done = self.run_text(text)
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertRegex(done.stdout, r"case.yaml:\d+:\d+: set_tool_stiffness takes at most 36 numbers, got 50")

    def test_each_scenario_has_a_folder_of_its_own_below_the_one_asked_for(self):
        for name, folder in (("..", "_."), ("report.html", "report.html_"), ("gr\u00f6\u00dfe", "gr\u00f6\u00dfe"),
                             ("a/b c", "a_b_c")):
            with self.subTest(name=name):
                done = self.run_text(HOLD.replace("scenario: hold", f'scenario: "{name}"'))
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                self.assertTrue((self.folder / "out" / folder / "log.mcap").exists())
        self.assertFalse((self.folder / "log.mcap").exists())
        done = self.run_text(HOLD.replace("scenario: hold", "scenario: " + "g" * 300))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_two_scenarios_never_write_to_one_folder(self):
        for name in ("a b", "a_b"):
            (self.folder / f"{name}.yaml").write_text(HOLD.replace("scenario: hold", f"scenario: {name}"))
        done = jointrig("run", str(self.folder), "--out", str(self.folder / "out"))
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn("would write to one folder, a_b", done.stderr)
        self.assertFalse((self.folder / "out").exists())

    def test_what_passed_and_could_not_be_written_gives_2_and_still_its_verdict(self):
        (self.folder / "taken").mkdir()
        done = self.run_text(HOLD, "--junit", str(self.folder / "taken"))
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn("1 passed", done.stdout)
        self.assertIn("taken: Is a directory", done.stderr)
        self.assertTrue((self.folder / "out/result.json").exists())

    @unittest.skipUnless(pathlib.Path("/dev/full").exists(), "there is no /dev/full here")
    def test_a_log_on_a_full_disk_keeps_the_verdict_and_gives_2(self):
        (self.folder / "out/hold").mkdir(parents=True)
        (self.folder / "out/hold/log.mcap").symlink_to("/dev/full")
        done = self.run_text(HOLD)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertIn("No space left", done.stdout + done.stderr)

    def with_room(self, room: int, *words: str):
        """With files that may have so many bytes; the system's answer to more is a signal that ends a program."""
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
            resource.setrlimit(resource.RLIMIT_FSIZE, (room, resource.RLIM_INFINITY))
        return subprocess.run([str(pathlib.Path(PROGRAM).absolute()), *words], cwd=self.folder, capture_output=True,
                              text=True, timeout=120, preexec_fn=limit)

    def run_with_room(self, room: int):
        file = self.folder / "case.yaml"
        file.write_text(HOLD)
        return self.with_room(room, "run", str(file), "--out", str(self.folder / "out"))

    def test_no_verb_that_writes_a_file_is_ended_by_a_full_disk(self):
        self.run_text(HOLD)
        (self.folder / "out").rename(self.folder / "before")
        self.run_text(HOLD.replace("0.2 s", "0.3 s"))
        cases = (
            ("new", "scenario", "reach", "--robot", "franka"),
            ("inspect", "franka", "--write", str(self.folder / "robot.yaml")),
            ("compare", str(self.folder / "before"), str(self.folder / "out")),
            ("check", "franka", "--only", "openloop", "--joints", "panda_joint7", "--out", str(self.folder / "check")),
        )
        for words in cases:
            with self.subTest(verb=words[0]):
                done = self.with_room(0, *words)
                self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
                self.assertIn("File too large; make room there", done.stdout + done.stderr)

    def test_a_disk_that_fills_up_while_it_runs_keeps_the_verdict_and_gives_2(self):
        done = self.run_with_room(200_000)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertIn("1 passed", done.stdout)
        self.assertIn("the log of hold is incomplete", done.stderr)
        self.assertIn("report.html: File too large; make room there, then try again", done.stderr)
        self.assertIn("log.mcap failed after", done.stdout + done.stderr)
        self.assertGreater((self.folder / "out/hold/log.mcap").stat().st_size, 10_000)
        json.loads((self.folder / "out/result.json").read_text())
        self.assertFalse((self.folder / "out/report.html").exists())
        self.assertEqual(list((self.folder / "out").glob("*.new")), [])

    def test_a_disk_that_is_full_from_the_beginning_is_a_sentence_and_2(self):
        done = self.run_with_room(0)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertIn("effective.yaml: File too large; make room there", done.stdout + done.stderr)

    @unittest.skipUnless(subprocess.run(["unshare", "-rm", "true"], capture_output=True).returncode == 0,
                         "no name space with mounts of its own here")
    def test_a_disk_that_is_really_full_gives_its_own_reason(self):
        (self.folder / "case.yaml").write_text(HOLD)
        (self.folder / "small").mkdir()
        done = subprocess.run(
            ["unshare", "-rm", "sh", "-c", 'mount -t tmpfs -o size=300k none "$0/small" && '
             '{ "$1" run "$0/case.yaml" --out "$0/small/out"; code=$?; ls "$0/small/out"; exit $code; }',
             str(self.folder), PROGRAM], capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertIn("1 passed", done.stdout)
        self.assertIn("report.html: No space left on device; make room there, then try again",
                      done.stderr)
        self.assertNotIn(".new", done.stdout)

    def test_a_reader_that_goes_away_ends_no_run(self):
        file = self.folder / "case.yaml"
        file.write_text(HOLD)
        program = subprocess.Popen(
            [PROGRAM, "run", str(file), "--no-report", "--overwrite", "--out", str(self.folder / "out")],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            preexec_fn=lambda: signal.signal(signal.SIGPIPE, signal.SIG_DFL))
        program.stdout.close()
        self.assertEqual(program.wait(120), 0)
        self.assertTrue((self.folder / "out/result.json").exists())

    def test_an_export_without_a_table_lists_what_can_be_selected(self):
        self.run_text(HOLD)
        log = str(self.folder / "out/hold/log.mcap")
        done = jointrig("export", log)
        self.assertEqual(done.returncode, 0, done.stderr)
        listed = done.stdout
        self.assertRegex(listed.splitlines()[0], r"log\.mcap: \d+ channels, \d+ messages from 0\.000 s to 0\.\d+ s$")
        self.assertRegex(listed, r"/j/panda_joint1 \(\d+\) /j/panda_joint2")
        # Each field that is listed can be selected.
        block = listed[listed.index("/j/panda_joint1 ("):].split("fields:\n")[1].split("\n\n")[0]
        fields = [word for word in block.split() if not word.startswith("[")]
        self.assertIn("q_ref", fields)
        for field in fields:
            name = field.split("[")[0]
            csv = self.folder / "x.csv"
            done = jointrig("export", log, str(csv), "--select", f"/j/panda_joint1.{name}")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(f"/j/panda_joint1.{name}", csv.read_text().splitlines()[0])

    def test_a_table_holds_the_span_of_time_that_is_asked_for(self):
        self.run_text(HOLD)
        csv = self.folder / "x.csv"
        done = jointrig("export", str(self.folder / "out/hold/log.mcap"), str(csv), "--select", "/j/panda_joint1.q",
                        "--from", "0.05", "--to", "0.1")
        self.assertEqual(done.returncode, 0, done.stderr)
        times = [float(row.split(",")[0]) for row in csv.read_text().splitlines()[1:]]
        self.assertEqual(times, [round(0.05 + 0.001 * i, 3) for i in range(51)])

    def test_a_whole_log_becomes_a_table_commands_of_any_length_included(self):
        self.run_text(HOLD)
        table = self.folder / "all.csv"
        done = jointrig("export", str(self.folder / "out/hold/log.mcap"), str(table))
        self.assertEqual(done.returncode, 0, done.stderr)
        header, *rows = table.read_text().splitlines()
        self.assertIn("/j/panda_joint1.q [rad]", header)
        self.assertIn("/commands.", header)
        self.assertGreater(len(rows), 200)

    def test_equal_runs_have_equal_hashes_and_a_seed_makes_another_noise(self):
        noisy = HOLD + "config: {plant: {encoder_noise: 1.0e-5}}\n"
        hashes = []
        for seed in ("1", "1", "2"):
            done = self.run_text(noisy, "--seed", seed, "--repeat", "2", "--check-hash")
            self.assertEqual(done.returncode, 0, done.stdout)
            result = json.loads((self.folder / "out/result.json").read_text())
            hashes.append(result["scenarios"][0]["state_hash"])
        self.assertEqual(hashes[0], hashes[1])
        self.assertNotEqual(hashes[1], hashes[2])

    def test_settings_reach_scenario_and_robot(self):
        done = self.run_text(HOLD, "--set", "robot.joints.panda_joint1.stiffness=33",
                             "--set", "steps[1].wait=0.3 s")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("0.3", (self.folder / "out/hold/effective.yaml").read_text())

    def test_kinematic_runs_what_needs_no_torque(self):
        done = self.run_text(HOLD, "--backend", "kinematic")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_list_and_dry_run_run_nothing(self):
        for flag in ("--list", "--dry-run"):
            done = self.run_text(HOLD, flag)
            self.assertEqual(done.returncode, 0)
            self.assertFalse((self.folder / "out").exists())

    def test_a_dry_run_binds_to_the_robot_and_tells_every_place(self):
        wrong = {
            "- set_mode: {joints: arn, mode: position}": 'no joint or part "arn"; did you mean "arm"?',
            "- move: {joints: {panda_joint4: 3 Nm}}": "expected an angle (rad, deg), got 3 Nm",
            "- home: {pose: hom}": 'no pose "hom"; did you mean "home"?',
            "- expect: panda_joint4.qq > 0": 'no signal "panda_joint4.qq"',
            "- expect: truth.panda_joint4.x > 0": 'did you mean "truth.panda_joint4.q"?',
            "- expect: panda_joint4.tau < 3 deg": "a torque (Nm) is compared with an angle",
            "- force: {body: panda_hnd, force: [0, 0, 1]}": 'did you mean "panda_hand"?',
            "- force: {body: panda_hnd, torque: [0, 0, 1]}": 'did you mean "panda_hand"?',
            "- payload: {body: panda_hnd, mass: 1 kg}": 'did you mean "panda_hand"?',
            "- inject_fault: {joint: panda_joint4, type: encoder_freez}": '"encoder_freeze"?',
            "- inject_fault: {joint: panda_joint4, type: torque_sensor_offset, value: 3 deg}":
                "expected a torque (Nm), got 3 deg, an angle",
            "- wait: {event: fault.panda_joint4.encoder_frozn}": '"encoder_frozen"?',
            "- inject_fault: {joint: panda_joint4, type: gain_loss, value: 3}": "between 0 and 1",
            "- inject_fault: {joint: panda_joint4, type: missed_cycles, value: -2}":
                "a whole number from 1 on",
            "- obstacle: {name: panda_hand, shape: sphere, size: [1 cm], position: [1, 0, 0]}":
                "there is a body of that name",
        }
        head = "schema: 1\nscenario: wrong\nrobot: franka\nsteps:\n"
        done = self.run_text(head + "".join(f"  {step}\n" for step in list(wrong)[:9]), "--dry-run")
        self.assertEqual(done.returncode, 2, done.stdout)
        lines = done.stdout.splitlines()
        for number, (step, words) in enumerate(list(wrong.items())[:9]):
            told = [line for line in lines if f".yaml:{5 + number}:" in line]
            self.assertEqual(len(told), 1, step + "\n" + done.stdout)
            self.assertIn(words, told[0])
        for step, words in list(wrong.items())[9:]:
            done = self.run_text(head + f"  {step}\n", "--dry-run")
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertRegex(done.stdout, r"\.yaml:5:\d+: ")
            self.assertIn(words, done.stdout)
        self.assertFalse((self.folder / "out").exists())

    def test_a_dry_run_says_what_would_be_skipped(self):
        done = self.run_text(HOLD + "requires: [force_torque]\n", "--dry-run", "--backend", "kinematic")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("SKIP", done.stdout)
        self.assertIn("force/torque sensor", done.stdout)

    def test_inspect_gives_1_where_it_finds_an_error_until_the_file_cures_it(self):
        (self.folder / "arm.xml").write_text(
            '<mujoco><worldbody><body><joint name="a" axis="0 1 0"/>'
            '<inertial pos="0.5 0 0" mass="2" diaginertia="0.1 0.1 0.1"/></body></worldbody>'
            '<actuator><motor joint="a" ctrlrange="-9 9"/></actuator></mujoco>')
        weak = jointrig("inspect", str(self.folder / "arm.xml"))
        self.assertEqual(weak.returncode, 1)
        self.assertIn("it takes 9.81 N·m, tau_max is 9 N·m", weak.stdout)

        file = self.folder / "robot.yaml"
        file.write_text("schema: 1\nmodel: arm.xml\njoints:\n  a: {torque_max: 15 Nm, kp: 5}\n")
        cured = jointrig("inspect", str(file))
        self.assertEqual(cured.returncode, 0, cured.stdout)
        self.assertRegex(cured.stdout, "15 N·m +robot file")

    def test_giving_one_gain_leaves_the_others_lowered_to_the_torque_rate(self):
        (self.folder / "slide.xml").write_text(
            '<mujoco><worldbody><body><joint name="a" type="slide" axis="1 0 0"/>'
            '<geom size="0.1" mass="50"/></body></worldbody>'
            '<actuator><motor joint="a" ctrlrange="-9 9"/></actuator></mujoco>')
        file = self.folder / "robot.yaml"
        file.write_text("schema: 1\nmodel: slide.xml\njoints:\n  a: {kp: 77}\n")
        row = next(line.split() for line in jointrig("inspect", str(file)).stdout.splitlines()
                   if line.startswith("a ") and " 77 " in line)
        # The motor that is taken: 5 ms * 9 N / 0.25 m/s = 0.18 kg.
        # By 450 N/s and half of 0.25 m/s: w = sqrt(1.5 * 450 / (2 * 50.18 * 0.125)) = 7.335 1/s.
        self.assertEqual((row[1], row[2]), ("50.2", "77"))
        self.assertAlmostEqual(float(row[4]), 2 * 50.18 * 7.335, delta=1)

    def test_inspect_tells_and_writes_a_file_that_loads(self):
        arm = self.folder / "arm.xml"
        arm.write_text("""<mujoco><worldbody><body><joint name="j" axis="0 1 0"/>
            <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03"/></body></worldbody>
            <actuator><motor joint="j" ctrlrange="-20 20"/></actuator></mujoco>""")
        done = jointrig("inspect", str(arm), "--write", str(self.folder / "robot.yaml"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("j", done.stdout)
        again = jointrig("inspect", str(self.folder / "robot.yaml"))
        self.assertEqual(again.returncode, 0, again.stdout + again.stderr)
        done = self.run_text(HOLD, "--robot", str(arm))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_an_export_that_fails_leaves_no_file(self):
        csv = self.folder / "x.csv"
        self.assertEqual(jointrig("export", "README.md", str(csv)).returncode, 2)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_help_teaches(self):
        done = jointrig("run", "--help")
        self.assertEqual(done.returncode, 0)
        for word in ("Exit code", "--check-hash", "jointrig run scenarios/demo"):
            self.assertIn(word, done.stdout)

    def test_truth_that_a_scenario_speaks_of_is_in_its_log(self):
        self.run_text(HOLD + "config: {plant: {encoder_noise: 1.0e-5}}\n"
                      "assert:\n  always:\n"
                      "    - {expr: abs(truth.each.v) < 3, joints: [panda_joint1, panda_joint2]}\n"
                      "    - {expr: contact.panda_hand.force < 1 N and body.panda_hand.z > 0.2}\n")
        csv = self.folder / "log.csv"
        log = str(self.folder / "out/hold/log.mcap")
        done = jointrig("export", log, str(csv), "--select", "/truth/*", "--select", "/body/*",
                        "--select", "/contact/*", "--select", "/j/panda_joint1.q")
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = csv.read_text().splitlines()
        columns = lines[0].split(",")
        for column in ("/truth/panda_joint1.q [rad]", "/truth/panda_joint2.tau [N·m]",
                       "/body/panda_hand.z [m]", "/contact/panda_hand.force [N]"):
            self.assertIn(column, columns)
        self.assertFalse([column for column in columns if "joint3" in column])
        rows = [dict(zip(columns, line.split(","))) for line in lines[1:]]
        self.assertGreater(len(rows), 190)
        error = [float(row["/j/panda_joint1.q [rad]"]) - float(row["/truth/panda_joint1.q [rad]"])
                 for row in rows]
        rms = (sum(e * e for e in error) / len(error)) ** 0.5
        # The truth of the cycle whose measurement stands beside it: they differ by the noise alone.
        self.assertTrue(0.8e-5 < rms < 1.2e-5, rms)

    def test_what_is_wrong_with_several_files_is_told_at_once(self):
        (self.folder / "a.yaml").write_text(HOLD.replace("wait:", "wate:"))
        (self.folder / "b.yaml").write_text(HOLD.replace("mode:", "mod:"))
        done = jointrig("run", str(self.folder), "--dry-run")
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, r"a\.yaml:7:\d+: .*\"wate\"")
        self.assertRegex(done.stderr, r"b\.yaml:6:\d+: .*\"set_mode\"")

    def test_two_scenarios_of_one_name_are_refused(self):
        for file in ("a.yaml", "b.yaml"):
            (self.folder / file).write_text(HOLD)
        done = jointrig("run", str(self.folder), "--dry-run")
        self.assertEqual(done.returncode, 2)
        self.assertIn('b.yaml and', done.stderr)
        self.assertIn('both call a scenario "hold"', done.stderr)

    def test_two_files_of_one_name_are_refused_though_their_variations_differ(self):
        for file, key in (("a.yaml", "mass"), ("b.yaml", "friction")):
            (self.folder / file).write_text(HOLD.replace("0.2 s", f"${{{key}}} s") +
                                            f"matrix: {{{key}: [0.1, 0.2]}}\n")
        done = jointrig("run", str(self.folder), "--dry-run")
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn('both call a scenario "hold"', done.stderr)

    def test_no_two_files_of_the_project_share_a_name(self):
        done = jointrig("run", "scenarios", "--list")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_export_writes_units(self):
        self.run_text(HOLD)
        csv = self.folder / "log.csv"
        done = jointrig("export", str(self.folder / "out/hold/log.mcap"), str(csv),
                        "--select", "/j/panda_joint1.q")
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = csv.read_text().splitlines()
        self.assertIn("[rad]", lines[0])
        self.assertGreater(len(lines), 200)


unittest.main(verbosity=1)
