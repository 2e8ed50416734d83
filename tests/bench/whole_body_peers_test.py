"""bench/peers/whole_body_peers.py without its peer: `python3 whole_body_peers_test.py ROOT`."""

import contextlib
import io
import math
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

ROOT = pathlib.Path(sys.argv.pop(1))
sys.path.insert(0, str(ROOT / "bench" / "peers"))
import whole_body_peers as peers  # noqa: E402


def product(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(3)) for j in range(3)] for i in range(3)]


def turn(axis, angle):
    """About x, y or z."""
    c, s = math.cos(angle), math.sin(angle)
    i, j = [k for k in range(3) if k != axis]
    if axis == 1:
        s = -s
    matrix = [[float(r == k) for k in range(3)] for r in range(3)]
    matrix[i][i], matrix[i][j], matrix[j][i], matrix[j][j] = c, -s, s, c
    return matrix


class WholeBodyPeers(unittest.TestCase):
    def test_angles_turn_about_x_then_y_then_z_as_urdf_has_it(self):
        for wanted in ((0.3, -1.1, 2.9), (-2.0, 0.7, -0.4), (0.0, 0.0, 0.0)):
            roll, pitch, yaw = wanted
            rotation = product(turn(2, yaw), product(turn(1, pitch), turn(0, roll)))
            for got, want in zip(peers.angles_of(rotation), wanted):
                self.assertAlmostEqual(got, want, places=12)

    def test_angles_of_an_upright_pitch_are_its_rotation_all_the_same(self):
        rotation = product(turn(2, 0.4), product(turn(1, math.pi / 2), turn(0, 0.9)))
        roll, pitch, yaw = peers.angles_of(rotation)
        again = product(turn(2, yaw), product(turn(1, pitch), turn(0, roll)))
        for row, wanted in zip(again, rotation):
            for got, want in zip(row, wanted):
                self.assertAlmostEqual(got, want, places=9)

    def test_the_bare_icub_has_neither_damping_nor_armature_and_all_else(self):
        text = (ROOT / "models/icub/icub.xml").read_text()
        before = xml.etree.ElementTree.fromstring(text).iter()
        after = xml.etree.ElementTree.fromstring(peers.bare(text)).iter()
        stripped = 0
        for old, new in zip(before, after, strict=True):
            kept = {key: value for key, value in old.attrib.items() if key not in ("damping", "armature")}
            stripped += len(old.attrib) - len(kept)
            self.assertEqual((new.tag, new.attrib), (old.tag, kept))
        self.assertGreater(stripped, 0)

    def test_the_table_has_both_with_their_tails_and_the_quotient(self):
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            peers.table({"jointrig": {"p50": 50.0, "p99": 60.0}, "placo": {"p50": 125.0, "p99": 250.0}})
        self.assertIn("| jointrig | 50 µs | 60 µs | 1.20 | 1.5 | 0.40 | 0.61 |", said.getvalue())
        self.assertIn("| placo | 125 µs | 250 µs | 2.00 |  | 1 |  |", said.getvalue())

    def test_shares_are_of_the_sorted_times(self):
        times = [float(i) for i in reversed(range(100))]
        self.assertEqual((peers.share(times, 0.5), peers.share(times, 0.99)), (50.0, 99.0))

    def test_torques_that_are_apart_are_no_table(self):
        result = {"jointrig": {"p50": 1.0, "p99": 1.0}, "placo": {"p50": 1.0, "p99": 1.0}}
        peers.require_agreement({**result, "apart": 0.9e-6})
        with self.assertRaisesRegex(SystemExit, "2e-06 of the largest"):
            peers.require_agreement({**result, "apart": 2e-6})

    def test_a_folder_that_is_no_build_is_told_and_nothing_is_installed_there(self):
        with tempfile.TemporaryDirectory() as folder:
            missing = pathlib.Path(folder, "missing")
            with self.assertRaisesRegex(SystemExit, "missing: there is no build"):
                peers.environment(missing, "whole_body", [])
            self.assertFalse(missing.exists())

    def test_help_tells_the_command(self):
        done = subprocess.run([sys.executable, peers.__file__, "--help"], capture_output=True, text=True, check=True)
        self.assertIn("whole_body_peers.py --build build/release", done.stdout)


if __name__ == "__main__":
    unittest.main()
