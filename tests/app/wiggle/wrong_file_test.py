"""`jointrig wiggle` finds what a robot.yaml has wrong of its drives, on virtual boards that keep their own.

    wrong_file_test.py PROGRAM
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from free_ports import free_ports  # noqa: E402
from small_robot import write_small_robot  # noqa: E402

PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())


class WrongFiles(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.kept = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.kept.name)
        cls.port, side_line = free_ports(2)
        cls.more = f"virtual_boards: 127.0.0.1:{side_line}\n"
        cls.write("true.yaml")
        cls.board = subprocess.Popen([PROGRAM, "board", "true.yaml", "--own-drives"], cwd=cls.folder,
                                     stdout=subprocess.PIPE, text=True)
        for line in cls.board.stdout:
            if "ready" in line:
                break

    @classmethod
    def tearDownClass(cls):
        cls.board.terminate()
        cls.board.wait(timeout=60)
        cls.board.stdout.close()
        cls.kept.cleanup()

    @classmethod
    def write(cls, name, **wrong):
        """The elbow bears its link: weight is the witness of a torque."""
        write_small_robot(cls.folder, name, cls.port, more=cls.more, **wrong)
        model = cls.folder / "two_joints.xml"
        model.write_text(model.read_text().replace('"elbow" axis="0 0 1"',
                                                     '"elbow" axis="0 1 0" armature="0.1"'))

    def wiggle(self, **wrong):
        self.write("wrong.yaml", **wrong)
        done = subprocess.run([PROGRAM, "wiggle", "wrong.yaml", "--backend", "hw", "--joint", "elbow",
                               "--angle", "2"],
                              cwd=self.folder, env=os.environ | {"XDG_STATE_HOME": str(self.folder / "state")},
                              text=True, capture_output=True, timeout=300, check=False)
        return done.returncode, done.stdout + done.stderr

    def found(self, word, **wrong):
        code, text = self.wiggle(**wrong)
        self.assertEqual(code, 1, text)
        self.assertRegex(text, rf"(?m)^.*elbow.*\b{word}\b", text)

    def test_a_file_that_is_right_passes(self):
        code, text = self.wiggle()
        self.assertEqual(code, 0, text)
        self.assertTrue(re.search("1 of 2 joints passed", text), text)

    def test_a_wrong_direction_is_found(self):
        self.found("sign", of_elbow=", reversed: true")

    def test_a_wrong_gear_is_found(self):
        self.found("scale", gear=80)

    def test_a_wrong_rated_torque_is_found(self):
        self.found("torque", of_elbow=", rated_torque: 1 Nm")


if __name__ == "__main__":
    unittest.main()
