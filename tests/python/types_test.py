"""The types of the package: mypy reads them as a user's editor does, and the programs of pages and examples with them.

    types_test.py
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import textwrap
import unittest

import jointrig

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGE = pathlib.Path(jointrig.__file__).parent
TOOLS = PACKAGE.with_name("jointrig_tools")
sys.path.insert(0, str(ROOT / "tests/docs"))
import documents  # noqa: E402

PAGES = ("README.md", "docs/python.md", "docs/remote.md", "docs/grippers.md")
WRONG = """\
    import jointrig
    sim = jointrig.Sim("franka")
    sim.set_mode("arm", "positoin")
    sim.move("panda_joint1")
    sim.moove("panda_joint1", 0.3)
    print(sim.q + "m")
    """


class Types(unittest.TestCase):
    """One run of mypy: it takes most of its time with numpy's types."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.programs = [cls.write(f"{pathlib.Path(page).stem}_{block.line}.py", block.text)
                        for page in PAGES for block in documents.blocks_of(ROOT / page) if block.kind == "python"]
        cells = json.loads((ROOT / "examples/tutorial/tutorial.ipynb").read_text())["cells"]
        code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
        cls.programs.append(cls.write("tutorial.py", "\n".join(code)))
        cls.programs += map(str, sorted((ROOT / "examples").rglob("*.py")))
        cls.wrong = cls.write("wrong.py", textwrap.dedent(WRONG))
        package = sorted(map(str, [*PACKAGE.glob("*.py"), *PACKAGE.glob("*.pyi"), *TOOLS.glob("*.py")]))
        # union-attr: the pages read a process's stdout without a look whether it is None.
        done = subprocess.run([sys.executable, "-m", "mypy", "--cache-dir", os.devnull, "--no-error-summary", "--strict-equality",
                               "--ignore-missing-imports", "--check-untyped-defs", "--disable-error-code=union-attr",
                               "--scripts-are-modules", *package, *cls.programs, cls.wrong],
                              cwd=cls.folder, text=True, capture_output=True, timeout=280,
                              env={**os.environ, "MYPYPATH": str(PACKAGE.parent)})
        assert done.returncode in (0, 1), done.stdout + done.stderr
        cls.errors = [line for line in done.stdout.splitlines() if ": error: " in line]

    @classmethod
    def write(cls, name, text):
        (cls.folder / name).write_text(text)
        return name

    def test_the_package_and_the_programs_of_pages_and_examples_agree_with_the_types(self):
        self.assertGreater(len(self.programs), 15)
        self.assertEqual([line for line in self.errors if not line.startswith(self.wrong)], [])

    def test_what_is_wrong_is_seen(self):
        self.assertEqual([int(line.split(":")[1]) for line in self.errors if line.startswith(self.wrong)], [3, 4, 5, 6])


if __name__ == "__main__":
    unittest.main()
