"""bench/peers/whole_body_peers.py without its peer: `python3 whole_body_peers_test.py ROOT`."""

import contextlib
import io
import math
import pathlib
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
import xml.etree.ElementTree

import numpy

ROOT = pathlib.Path(sys.argv.pop(1))
sys.path.insert(0, str(ROOT / "bench" / "peers"))
import placo_icub as icub  # noqa: E402
import tsid_talos as talos  # noqa: E402
import whole_body_peers as peers  # noqa: E402
import whole_body_states as states  # noqa: E402

HOME = [0.1, -0.2, 0.9, 0.8, 0.0, 0.6, 0.0, *[0.0] * 6, 0.3, -0.4, *[0.0] * 2]  # of two joints


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
            for got, want in zip(icub.angles_of(rotation), wanted):
                self.assertAlmostEqual(got, want, places=12)

    def test_angles_of_an_upright_pitch_are_its_rotation_all_the_same(self):
        rotation = product(turn(2, 0.4), product(turn(1, math.pi / 2), turn(0, 0.9)))
        roll, pitch, yaw = icub.angles_of(rotation)
        again = product(turn(2, yaw), product(turn(1, pitch), turn(0, roll)))
        for row, wanted in zip(again, rotation):
            for got, want in zip(row, wanted):
                self.assertAlmostEqual(got, want, places=9)

    def test_the_bare_icub_has_neither_damping_nor_armature_and_all_else(self):
        text = (ROOT / "models/icub/icub.xml").read_text()
        before = xml.etree.ElementTree.fromstring(text).iter()
        after = xml.etree.ElementTree.fromstring(icub.bare(text)).iter()
        stripped = 0
        for old, new in zip(before, after, strict=True):
            kept = {key: value for key, value in old.attrib.items() if key not in ("damping", "armature")}
            stripped += len(old.attrib) - len(kept)
            self.assertEqual((new.tag, new.attrib), (old.tag, kept))
        self.assertGreater(stripped, 0)

    def test_the_table_has_both_with_their_tails_and_the_quotient(self):
        said = io.StringIO()
        own = {"p50": 50.0, "p99": 60.0, "least_p50": 40.0, "least_p99": 44.0}
        other = {"p50": 125.0, "p99": 250.0, "least_p50": 100.0, "least_p99": 150.0}
        with contextlib.redirect_stdout(said):
            peers.table(icub, {"rows": {"at random": {"jointrig": own, "placo": other}}})
        self.assertIn("| jointrig | at random | 50 µs | 60 µs | 1.20 | 1.10 | 1.5 | 0.40 | 0.61 |", said.getvalue())
        self.assertIn("| placo | at random | 125 µs | 250 µs | 2.00 | 1.50 |  | 1 |  |", said.getvalue())

    def test_a_state_takes_the_median_of_its_turns_and_beside_it_the_fastest(self):
        quiet, loaded = [10.0, 11.0, 90.0], [20.0, 80.0, 95.0]
        self.assertEqual(peers.shares([quiet] * 99 + [loaded]),
                         {"p50": 11.0, "p99": 80.0, "least_p50": 10.0, "least_p99": 20.0})  # fmt: skip

    def test_shares_are_of_the_sorted_times(self):
        times = [float(i) for i in reversed(range(100))]
        self.assertEqual((peers.share(times, 0.5), peers.share(times, 0.99)), (50.0, 99.0))

    def test_torques_that_are_apart_are_no_table(self):
        peers.require_agreement({"rows": {}, "apart": 0.9e-6})
        with self.assertRaisesRegex(SystemExit, "2e-06 of the largest"):
            peers.require_agreement({"rows": {}, "apart": 2e-6})

    def measured(self, theirs, violation):
        """One state of two torques, 1 and -2 of ours."""
        ours, other = unittest.mock.Mock(), unittest.mock.Mock()
        ours.solve.side_effect = lambda batch: iter([(30.0, True, 0.0, [1.0, -2.0])])
        other.solve.return_value = (60.0, True, numpy.array(theirs))
        other.violation.return_value = violation
        return peers.measure(ours, other, [None])

    def test_torques_are_apart_by_the_largest_difference_over_the_largest_torque(self):
        own, its, apart, violated = self.measured([1.5, -4.0], 0.0)
        self.assertEqual((own.tolist(), its.tolist()), ([[30.0] * peers.TURNS], [[60.0] * peers.TURNS]))
        self.assertEqual((apart, violated), (0.5, {}))

    def test_a_solution_that_violates_its_constraints_is_counted_and_is_no_measure(self):
        self.assertEqual(self.measured([1.5, -4.0], 4e-3)[2:], (0.0, {0: 4e-3}))
        self.assertEqual(self.measured([1.0, -2.0], 4e-3)[2:], (0.0, {}))
        self.assertEqual(peers.without(talos, []), "")
        self.assertEqual(peers.without(talos, [2e-3, 4e-3]),
                         ", without 2 in which TSID ends with a constraint violated by up to 0.004 N")  # fmt: skip

    def test_coordinates_for_pinocchio_turn_the_base_s_velocity_into_its_frame_and_joints_to_their_places(self):
        half = math.sqrt(0.5)  # the base is turned by a quarter about z: the world's x is its -y
        state = [1.0, 2.0, 3.0, half, 0.0, 0.0, half, 4.0, 0.0, 0.0, 5.0, 6.0, 7.0, 0.1, 0.2, 0.3, 0.4]
        q, v = states.coordinates(state, [8, 7], [7, 6])
        numpy.testing.assert_allclose(q, [1.0, 2.0, 3.0, 0.0, 0.0, half, half, 0.2, 0.1], atol=1e-15)
        numpy.testing.assert_allclose(v, [0.0, -4.0, 0.0, 5.0, 6.0, 7.0, 0.4, 0.3], atol=1e-15)

    def test_velocities_of_the_motion_are_the_change_of_its_poses(self):
        before, at, after = list(states.along_a_motion(numpy.array(HOME), 3, 6))
        rate = (after - before) / (2.0 * states.CYCLE)
        self.assertLess(numpy.abs(rate[:3] - at[7:10]).max(), 1e-6)
        self.assertLess(numpy.abs(rate[13:15] - at[15:17]).max(), 1e-6)
        # The base turns as q' = q (0, ω) / 2, its ω in its own frame.
        self.assertLess(numpy.abs(rate[3:7] - states.product(at[3:7], numpy.array([0.0, *at[10:13]])) / 2.0).max(), 1e-6)
        self.assertGreater(numpy.abs(at[7:13]).min(), 1e-4)
        self.assertAlmostEqual(numpy.linalg.norm(at[3:7]), 1.0, places=12)

    def test_states_spread_as_far_as_they_are_told(self):
        for states_of in (states.at_random, states.along_a_motion):
            near, far = (numpy.array(list(states_of(numpy.array(HOME), 6_000, reach))) - HOME for reach in (1, 6))
            for place, size in ((slice(0, 3), 0.001), (slice(13, 15), 0.005)):
                self.assertLess(abs(near[:, place].std() / size - 1.0), 0.1)
                self.assertLess(abs(far[:, place].std() / (6.0 * size) - 1.0), 0.1)

    def test_talos_loses_shapes_and_friction_of_joints_and_nothing_else(self):
        text = ("<robot><link name='a'><visual/><inertial/></link><link name='b'><collision/></link><joint name='j'>"
                "<parent link='b'/><child link='a'/><axis/><dynamics/></joint></robot>")  # fmt: skip
        bare = xml.etree.ElementTree.tostring(talos.bare(text)).decode()
        self.assertEqual(bare, '<robot><link name="a"><inertial /></link><link name="b" /><joint name="j">'
                         '<parent link="b" /><child link="a" /><axis /></joint></robot>')  # fmt: skip
        base = talos.afloat(talos.bare(text)).find("joint[@type='floating']")
        self.assertEqual((base.find("parent").get("link"), base.find("child").get("link")), ("world", "b"))

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
