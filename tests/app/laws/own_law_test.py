"""Laws of one's own through the program: the example's scenario, in physics and on boards, on our Franka and on a UR5e
as somebody else publishes it, and laws that can't be run.

own_law_test.py JOINTRIG SOURCE_TREE FOLDER_OF_LIBRARIES
"""

import importlib.util
import pathlib
import re
import subprocess
import sys
import tempfile

PROGRAM, SOURCE, LAWS = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
EXAMPLE = SOURCE / "examples/own_law/impedance.yaml"
SHORT = """
schema: 1
scenario: naughty
robot: franka
config:
  laws:
    naughty: {{library: {library}, joints: {joints}, parameters: {{way: {way}}}}}
steps:
  - set_mode: {{joints: all, mode: position}}
  - set_mode: {{joints: arm, mode: torque}}
  - wait: 0.5 s
{more}
"""
FOUND = importlib.util.find_spec("robosuite")
UR5E = FOUND and pathlib.Path(FOUND.submodule_search_locations[0]) / "models/assets/robots/ur5e/robot.xml"
UR5E_FILE = """\
schema: 1
model: {model}
parts: {{arm: [shoulder_pan_joint, shoulder_lift_joint, elbow_joint, wrist_1_joint, wrist_2_joint, wrist_3_joint]}}
joints:
  shoulder_lift_joint: {{start: -1.4}}
  elbow_joint: {{start: 1.9}}
  wrist_1_joint: {{start: -2.0}}
  wrist_2_joint: {{start: -1.5708}}
"""
failures = []


def check(what, is_so, about=""):
    print(("passed: " if is_so else "FAILED: ") + what)
    if not is_so:
        failures.append(what)
        print(about)


def run(*arguments):
    return subprocess.run([PROGRAM, "run", *map(str, arguments)], capture_output=True, text=True, timeout=60)


def written(folder, library="naughty_law.so", joints="[arm]", way=0, more=""):
    path = pathlib.Path(folder) / "scenario.yaml"
    library = LAWS / library
    path.write_text(SHORT.format(library=library, joints=joints, way=way, more=more))
    return path


with tempfile.TemporaryDirectory() as folder:
    out = pathlib.Path(folder) / "out"
    done = run(EXAMPLE, "--set", f"robot.laws.impedance.library={LAWS}/example_law.so", "--out", out)
    said = done.stdout + done.stderr
    check("the example's scenario passes", done.returncode == 0, said)
    logs = list(out.rglob("*.mcap"))
    check("its run is logged", len(logs) == 1, said)
    if logs:
        from mcap.reader import make_reader

        with open(logs[0], "rb") as stream:
            summary = make_reader(stream).get_summary()
        channels = {c.topic: summary.schemas[c.schema_id] for c in summary.channels.values()}
        schema = channels["/law/impedance"].data.decode()
        names = {line.split()[1] for line in schema.splitlines() if len(line.split()) > 1}
        check("the log has its signals and parameters by name",
              {"state", "took_us", "error_x", "offset_y", "stiffness"} <= names, schema)

    cases = [
        ("a library that isn't there is named with file and line", {"library": "nowhere.so"},
         ["scenario.yaml:7", 'law "naughty"', "there is no library", "nowhere.so"]),
        ("a library without a law is refused", {"library": "library_without_law.so"}, ["no symbol jointrig_user_law"]),
        ("one of another version is refused", {"library": "law_of_other_version.so"}, ["version 2", "version 1"]),
        ("a law that throws at the start is refused with its words", {"joints": "[panda_joint1, panda_joint2]"},
         ["two joints are not to my taste"]),
        ("a joint that isn't there is named", {"joints": "[panda_joint9]"}, ["panda_joint9", "did you mean"]),
        ("a value beyond its range is refused", {"way": 9}, ['"way" is 9', "outside of 0 to 5"]),
        ("a step that names no law of the robot is refused", {"more": "  - set_law: {law: nauhty, on: false}"},
         ["nauhty", 'did you mean "naughty"']),
        ("a step that names no parameter is refused", {"more": "  - set_law: {law: naughty, parameters: {wai: 1}}"},
         ["wai", 'did you mean "way"']),
    ]
    for name, how, words in cases:
        done = run(written(folder, **how), "--out", "-")
        said = done.stdout + done.stderr
        check(name, done.returncode != 0 and all(word in said for word in words), said)

    for way, words in [(1, "it threw an exception"), (2, "its torque is not_finite"), (3, "it overran: it took")]:
        done = run(written(folder, way=way), "--out", "-")
        said = done.stdout + done.stderr
        check(f"a run whose law fails ({words}) fails, and says so by name",
              done.returncode != 0 and "law naughty" in said and words in said, said)
        word = ["threw", "not_finite", "overran"][way - 1]
        more = f"  - expect: law.naughty.state == failed\nassert: {{always: [{{no_fault_except: [law_failed.naughty.{word}]}}]}}"
        done = run(written(folder, way=way, more=more), "--out", "-")
        check(f"a scenario may allow that ({word})", done.returncode == 0, done.stdout + done.stderr)

    done = run(written(folder, way=4), "--out", "-")
    said = done.stdout + done.stderr
    check("a law that never returns ends the program, by name",
          done.returncode == 70 and 'law "naughty" has not returned for 2 s' in said, said)

    done = run(EXAMPLE, "--set", f"robot.laws.impedance.library={LAWS}/example_law.so", "--out", "-",
               "--repeat", 2, "--check-hash")
    check("two runs are equal to the bit", done.returncode == 0, done.stdout + done.stderr)

    # The same law, scenario and numbers where each joint is a drive on a bus.
    done = run(EXAMPLE, "--set", f"robot.laws.impedance.library={LAWS}/example_law.so", "--out", "-",
               "--backend", "boards")
    check("the example's scenario passes on boards", done.returncode == 0 and "skipped" not in done.stdout,
          done.stdout + done.stderr)
    if UR5E:
        (pathlib.Path(folder) / "ur5e.yaml").write_text(UR5E_FILE.format(model=UR5E))
        text = EXAMPLE.read_text().replace("robot: franka", "robot: ur5e.yaml").replace("panda_hand", "right_hand")
        text = re.sub(r"library: \S+", f"library: {LAWS}/example_law_of_ur5e.so", text)
        text = re.sub(r"  - home: .*\n", "", text)
        scenario = pathlib.Path(folder) / "ur5e_law.yaml"
        scenario.write_text(text)
        for backend in ("sim", "boards"):
            done = run(scenario, "--out", "-", "--backend", backend)
            check(f"a published UR5e passes it on {backend}", done.returncode == 0 and "skipped" not in done.stdout,
                  done.stdout + done.stderr)

sys.exit(1 if failures else 0)
