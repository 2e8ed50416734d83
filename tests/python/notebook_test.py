"""The tutorial runs from top to bottom, and its outputs are those that stand in it.

    notebook_test.py PATH_TO_THE_PROGRAM
"""

import importlib.util
import json
import os
import pathlib
import struct
import sys
import tempfile
import unittest
from base64 import b64decode

import nbformat

PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve()
ROOT = pathlib.Path(__file__).resolve().parents[2]
TUTORIAL = ROOT / "examples/tutorial/tutorial.ipynb"
AGAIN = "if that is meant: python scripts/notebook.py examples/tutorial/tutorial.ipynb"
MOST_BYTES = 400_000  # a choice: a forge shows it at once

_spec = importlib.util.spec_from_file_location("notebook", ROOT / "scripts/notebook.py")
notebook = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(notebook)


def told(cell):
    """The parts of a cell's outputs that are the same in each run: texts, and the size of pictures within a tenth."""
    return [(output["output_type"], "".join(output.get("text", output.get("data", {}).get("text/plain", []))))
            for output in cell["outputs"]]


def sizes(cell):
    pictures = [output["data"]["image/png"] for output in cell["outputs"] if "image/png" in output.get("data", {})]
    return [struct.unpack(">II", b64decode(picture)[16:24]) for picture in pictures]


class Tutorial(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)

    def test_it_is_a_notebook_that_a_forge_shows(self):
        nbformat.validate(json.loads(TUTORIAL.read_text()))
        self.assertLess(TUTORIAL.stat().st_size, MOST_BYTES)

    def test_each_cell_gives_what_stands_below_it(self):
        os.environ["PATH"] = f"{PROGRAM.parent}:{os.environ['PATH']}"
        before = json.loads(TUTORIAL.read_text())
        after = notebook.executed(before)
        pictures = 0
        for one, other in zip(before["cells"], after["cells"], strict=True):
            if one["cell_type"] != "code":
                continue
            source = "".join(one["source"])
            self.assertEqual(told(one), told(other), f"{source}\n{AGAIN}")
            for (width, height), (now_width, now_height) in zip(sizes(one), sizes(other), strict=True):
                pictures += 1
                self.assertAlmostEqual(now_width / width, 1.0, delta=0.1, msg=source)
                self.assertAlmostEqual(now_height / height, 1.0, delta=0.1, msg=source)
        self.assertEqual(pictures, 2)
        self.assertTrue({"first.mcap", "reach.yaml", "runs"} <= set(os.listdir()))

    def test_a_cell_that_raises_is_told_with_its_source(self):
        broken = {"cells": [{"cell_type": "code", "source": ["1 + 1\n"]},
                            {"cell_type": "code", "source": ["nothing_here"]}]}
        with self.assertRaisesRegex(notebook.CellFailed, "cell 2:\nnothing_here"):
            notebook.executed(broken)


if __name__ == "__main__":
    unittest.main()
