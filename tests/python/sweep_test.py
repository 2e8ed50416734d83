"""jointrig.sweep() against what the physics of a weight on a motor asks for.

    sweep_test.py PATH_TO_THE_PROGRAM
"""

import math
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import jointrig
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from carriage import CARRIAGE  # noqa: E402

PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve()
LIFT = """\
schema: 1
scenario: lift
robot: carriage.xml
parameters: {load: 0.5 kg}
setup:
  - set_mode: {joints: lift, mode: position}
  - payload: {body: carriage, mass: "${load}"}
steps:
  - wait: 1 s
assert:
  at_end:
    - {expr: "abs(lift.q_err) < 20 mm", name: it holds}
metrics:
  - {name: sag, of: lift.q_err, stat: peak}
"""


class Sweeps(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)
        pathlib.Path("carriage.xml").write_text(CARRIAGE)
        pathlib.Path("lift.yaml").write_text(LIFT)
        os.environ["JOINTRIG_PROGRAM"] = str(PROGRAM)

    def test_the_motor_carries_what_its_newtons_carry(self):
        most = 30.0 / 9.81 - 2.0  # [kg] beside the carriage itself
        loads = [0.6, 0.8, 1.0, 1.1, 1.3]
        swept = jointrig.sweep("lift.yaml", vary={"parameters.load": [f"{load} kg" for load in loads]})
        self.assertEqual(len(swept), 5)
        np.testing.assert_allclose(swept["parameters.load"], loads)
        self.assertEqual([case["outcome"] == "passed" for case in swept.cases], [load < most for load in loads])
        self.assertEqual(swept.best("sag")["parameters.load"], 0.6)
        self.assertEqual(swept.best("sag", maximise=True)["parameters.load"], 1.0)
        self.assertEqual(swept.units["parameters.load"], "kg")
        self.assertEqual(swept.units["sag"], "m")
        self.assertTrue(pathlib.Path(swept.report).exists())
        self.assertEqual(swept.to_pandas().shape[0], 5)
        self.assertEqual(repr(swept), "<Sweep runs/sweep-lift/table.csv: 3 of 5 passed>")

    def test_a_case_is_the_run_of_its_values(self):
        swept = jointrig.sweep("lift.yaml", vary={"robot.plant.mass_scale": "0.9..1.1:2"},
                               settings={"parameters.load": "0.7 kg"}, seeds=2, out="runs/here", jobs=2)
        self.assertEqual([case["seed"] for case in swept.cases], [1, 2, 1, 2])
        self.assertTrue(swept.table.startswith("runs/here"))
        case = swept.cases[1]
        alone = jointrig.run_scenario("lift.yaml", seed=2, settings={"robot.plant.mass_scale": 0.9,
                                                                     "parameters.load": "0.7 kg"})
        self.assertEqual(case["state_hash"], alone.state_hash)
        self.assertTrue(math.isclose(case["sag"], alone.metrics["sag"], rel_tol=1e-8))

    def test_bad_input_is_told_in_the_programs_words(self):
        with self.assertRaisesRegex(jointrig.InputError, "^nothing varies"):
            jointrig.sweep("lift.yaml")
        with self.assertRaisesRegex(jointrig.InputError, "there is no file \"lif.yaml\""):
            jointrig.sweep("lif.yaml", vary={"parameters.load": [1]})
        swept = jointrig.sweep("lift.yaml", vary={"parameters.load": ["2 kg"]})
        with self.assertRaisesRegex(jointrig.InputError, "sagg.*did you mean.*sag"):
            swept["sagg"]
        with self.assertRaisesRegex(jointrig.Error, "no case passed"):
            swept.best("sag")

    def test_without_a_program_it_says_where_it_looked(self):
        code = ("import os, jointrig\n"
                "os.environ.pop('JOINTRIG_PROGRAM'); os.environ['PATH'] = '/nowhere'\n"
                "try:\n    jointrig.sweep('lift.yaml', vary={'parameters.load': [1]})\n"
                "except jointrig.Error as error:\n    print(error)\n")
        done = subprocess.run([sys.executable, "-B", "-c", code], capture_output=True, text=True)
        self.assertIn("sweep() runs the program jointrig, and that is not on the PATH", done.stdout, done.stderr)


if __name__ == "__main__":
    unittest.main()
