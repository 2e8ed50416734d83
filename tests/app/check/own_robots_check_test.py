"""Each robot that comes with jointrig passes every kind of the check: one kind of one robot is a test.

    python own_robots_check_test.py PROGRAM
"""

import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).parents[3]
sys.path.insert(0, str(ROOT / "tests"))
from support.share import main  # noqa: E402

PROGRAM = sys.argv.pop(1)

ROBOTS = sorted(robot.parent.name for robot in ROOT.glob("models/*/robot.yaml"))
# Its file has no arm with a tool, and one of its drives takes positions and velocities alone.
NOT_APPLICABLE = {"three_makes": {"torque", "openloop", "guide", "cartesian"}}


def kinds() -> list[str]:
    """All that the program's help names, so that none is forgotten."""
    done = subprocess.run([PROGRAM, "check", "--help"], capture_output=True, text=True, timeout=60, check=True)
    listed = done.stdout.split("Kinds, and what has to hold in each")[1]
    return re.findall(r"^  (\w+) +[A-Z]", listed, re.MULTILINE)


KINDS = kinds()


class OwnRobots(unittest.TestCase):
    def test_there_are_robots_and_kinds(self):
        self.assertGreaterEqual(len(ROBOTS), 5)
        self.assertGreaterEqual(len(KINDS), 14)
        self.assertLessEqual(set(NOT_APPLICABLE), set(ROBOTS))

    def passes(self, robot: str, kind: str):
        done = subprocess.run([PROGRAM, "check", f"models/{robot}", "--only", kind, "--out", "-"], cwd=ROOT,
                              capture_output=True, text=True, timeout=600)
        said = done.stdout + done.stderr
        if kind in NOT_APPLICABLE.get(robot, ()):
            self.assertEqual(done.returncode, 77, said)
            self.assertRegex(said, rf"(?m)^n/a +{kind} ")
        else:
            self.assertEqual(done.returncode, 0, said)
            self.assertRegex(said, rf"(?m)^PASS +{kind} ")


def case(robot: str, kind: str):
    return lambda self: self.passes(robot, kind)


for each_robot in ROBOTS:
    for each_kind in KINDS:
        setattr(OwnRobots, f"test_{each_robot}_{each_kind}", case(each_robot, each_kind))


if __name__ == "__main__":
    main()
