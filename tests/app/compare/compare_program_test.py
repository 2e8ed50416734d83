"""Two runs compared, in words and on a page."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from own_folder import SCENARIO, OwnFolder  # noqa: E402


class Comparison(OwnFolder):
    def test_two_runs_are_compared_in_outcome_figures_and_curves(self):
        self.write("first", "second")
        self.jointrig("run", ".", "--no-report", "--out", "a")
        self.assertIn("0 of 2 scenarios changed", self.jointrig("compare", "a", "a"))
        self.write("second", least=10)
        (self.folder / "scenarios/first.yaml").write_text(
            SCENARIO.replace("NAME", "first").replace("LEAST", "0").replace("2 deg", "3 deg"))
        self.write("third")
        self.jointrig("run", "scenarios", "--no-report", "--out", "b", code=1)

        said = self.jointrig("compare", "a", "b", code=1)

        self.assertRegex(said, r"way: 0\.05\d* rad, was 0\.03\d* rad")
        self.assertIn("failed, was passed", said)
        self.assertIn("is in the second run only: passed", said)
        self.assertIn("3 of 3 scenarios changed", said)
        page = (self.folder / "b/compare.html").read_text()
        self.assertIn("panda_joint1.q", page)
        self.assertIn("Plotly.newPlot", page)
        self.assertIn("no result.json", self.jointrig("compare", "a", "nowhere", code=2))


if __name__ == "__main__":
    unittest.main()
