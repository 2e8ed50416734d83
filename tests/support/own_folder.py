"""Scenarios that a test writes into a folder of its own, and the program run there.

    class Runs(OwnFolder):
        def test_...: self.write("first"); self.jointrig("run", "first")
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())

# They lie below ./scenarios alone, so that few files are read.
SCENARIO = """\
schema: 1
scenario: NAME
about: About NAME.
tags: [quick, TAG]
robot: franka
steps:
  - set_mode: {joints: all, mode: position}
  - move: {joints: {panda_joint1: 2 deg}, duration: 0.5 s}
metrics:
  - {name: way, of: panda_joint1.q, stat: max}
assert:
  at_end:
    - {expr: panda_joint1.q > LEAST deg}
"""


class OwnFolder(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="jointrig_own_"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def jointrig(self, *words: str, code: int | None = 0, cwd: pathlib.Path | None = None) -> str:
        done = subprocess.run([PROGRAM, *map(str, words)], cwd=cwd or self.folder, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120, check=False)
        if code is not None:
            self.assertEqual(done.returncode, code, f"{words}\n{done.stdout}")
        return done.stdout

    def write(self, *names: str, least: float = 0, tag: str = "own"):
        (self.folder / "scenarios").mkdir(exist_ok=True)
        for name in names:
            text = SCENARIO.replace("NAME", name).replace("LEAST", str(least)).replace("TAG", tag)
            (self.folder / "scenarios" / f"{name}.yaml").write_text(text)
