"""A sweep whose result is known by hand, in a folder of its own: for tests of engines."""

import csv
import pathlib
import shutil
import subprocess
import tempfile
import time
import unittest

# The motor's 30 N hold (30 / 9.81 - 2) kg = 1.058 kg beside the carriage's own 2 kg. The carriage is made of three
# files; a load that is too much sinks to the stop at -0.5 m.
CARRIAGE = """\
<mujoco>
  <compiler meshdir="parts"/>
  <include file="parts/motor.xml"/>
  <asset><mesh name="brick" file="brick.obj"/></asset>
  <worldbody>
    <body name="carriage" pos="0 0 1">
      <joint name="lift" type="slide" axis="0 0 1" range="-0.5 0.5" damping="20" armature="1"/>
      <geom type="mesh" mesh="brick" mass="2"/>
    </body>
  </worldbody>
</mujoco>
"""
MOTOR = '<mujoco><actuator><motor joint="lift" ctrlrange="-30 30"/></actuator></mujoco>\n'
BRICK = "".join(f"v {x} {y} {z}\n" for x in (-0.05, 0.05) for y in (-0.05, 0.05) for z in (-0.05, 0.05)) + "".join(
    f"f {a} {b} {c}\n" for a, b, c in ((1, 2, 4), (1, 4, 3), (5, 8, 6), (5, 7, 8), (1, 6, 2), (1, 5, 6), (3, 4, 8),
                                       (3, 8, 7), (1, 3, 7), (1, 7, 5), (2, 8, 4), (2, 6, 8)))
SCENARIO = """\
schema: 1
scenario: lift
robot: lifter
parameters: {load: 0.5 kg, time: 2 s}
setup:
  - set_mode: {joints: lift, mode: position}
  - payload: {body: carriage, mass: "${load}"}
steps:
  - wait: "${time}"
assert:
  at_end:
    - {expr: "abs(lift.q_err) < 20 mm", name: it holds}
metrics:
  - {name: sag, of: lift.q_err, stat: peak}
"""
SWEEP = """\
schema: 1
sweep: loads
scenario: lift.yaml
vary:
  parameters.load: {from: 0.5 kg, to: 1.5 kg, count: 11}
  robot.plant.mass_scale: [0.9, 1]
"""
CASES = 22
# The lifted weight is the objective, so that the best sample is the most that the motor holds.
SEARCH = """\
schema: 1
sweep: search
scenario: lift.yaml
vary:
  parameters.load: {from: 0.5 kg, to: 1.5 kg}
method: optimise
objective: most
direction: maximise
samples: 30
"""


def write(folder: pathlib.Path) -> None:
    robot = folder / "models/lifter"
    (robot / "parts").mkdir(parents=True)
    (robot / "robot.yaml").write_text("schema: 1\nmodel: carriage.xml\n")
    (robot / "carriage.xml").write_text(CARRIAGE)
    (robot / "parts/motor.xml").write_text(MOTOR)
    (robot / "parts/brick.obj").write_text(BRICK)
    (folder / "lift.yaml").write_text(SCENARIO)
    (folder / "loads.yaml").write_text(SWEEP)


def write_search(folder: pathlib.Path) -> None:
    scenario = SCENARIO.replace("  - {name: sag", "  - {name: most, of: lift.tau, stat: mean}\n  - {name: sag")
    (folder / "lift.yaml").write_text(scenario)
    (folder / "search.yaml").write_text(SEARCH)


def rows(table: pathlib.Path) -> list[dict[str, str]]:
    """Those of a table, without the place of the folder."""
    with open(table, newline="") as file:
        return [{**row, "folder": pathlib.Path(row["folder"]).name} for row in csv.DictReader(file)]


class Campaign(unittest.TestCase):
    program = ""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        write(self.folder)
        self.cases = self.folder / "runs/cases"

    def sweep(self, *arguments: str, code: int | None = None, **more):
        done = subprocess.run([self.program, "sweep", *arguments], **{"cwd": self.folder, **more}, capture_output=True,
                              text=True, timeout=300)
        if code is not None:
            self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def begin(self, *arguments: str, least: int = 3) -> subprocess.Popen:
        """A sweep of which some cases are done."""
        process = subprocess.Popen([self.program, "sweep", *arguments], cwd=self.folder, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)

        def end():
            process.kill()
            process.communicate()
        self.addCleanup(end)
        self.until(lambda: len(self.done()) >= least or process.poll() is not None)
        return process

    def until(self, condition, seconds: float = 180) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end and not condition():
            time.sleep(0.02)
        self.assertTrue(condition())

    def names(self) -> set[str]:
        return {path.name for path in self.cases.iterdir()} if self.cases.exists() else set()

    def done(self) -> set[str]:
        return {name for name in self.names() if not name.startswith(".")}

    def times(self) -> dict[str, int]:
        return {name: (self.cases / name / "result.json").stat().st_mtime_ns for name in self.done()}

    def check_against_local(self, *arguments: str, out: str = "runs/sweep-loads") -> None:
        """The table is that of a run in one process."""
        self.sweep("loads.yaml", *arguments, "--out", "local/out", code=1)
        self.assertEqual(rows(self.folder / out / "table.csv"), rows(self.folder / "local/out/table.csv"))
