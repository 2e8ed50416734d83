"""bench/peers/qp_peers.py without its peers: `python3 qp_peers_test.py ROOT BUILD`."""

import contextlib
import io
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest

import numpy

BUILD = pathlib.Path(sys.argv.pop(2))
ROOT = pathlib.Path(sys.argv.pop(1))
sys.path.insert(0, str(ROOT / "bench" / "peers"))
import qp_peers as peers  # noqa: E402


def programs_in(path):
    """H, g, low, high, A, row_low, row_high and the solution of each."""
    data = path.read_bytes()
    n, m, count = struct.unpack_from("<3i", data)
    numbers = numpy.frombuffer(data, "<f8", offset=12)
    sizes = [n * n, n, n, n, m * n, m, m, n]
    assert numbers.size == count * sum(sizes)
    for program in numbers.reshape(count, -1):
        parts = numpy.split(program, numpy.cumsum(sizes)[:-1])
        parts[0], parts[4] = parts[0].reshape(n, n), parts[4].reshape(m, n)
        yield parts


class QpPeers(unittest.TestCase):
    def test_a_program_takes_the_median_of_its_turns_and_shares_are_over_programs(self):
        quiet, loaded = [10.0, 5.0, 1e-9, 1e-8, 0.0], [30.0, 9.0, 1e-9, 1e-8, 2e-9]
        turns = [[quiet] * 99 + [loaded], [loaded] * 100, [quiet] * 99 + [loaded]]
        row = peers.row_of(turns)
        self.assertEqual(row, {"cold": (10.0, 30.0), "warm": (5.0, 9.0), "apart": 1e-8, "violated": 2e-9})

    def test_the_table_says_where_there_is_no_warm_start_and_where_nothing_was_solved(self):
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            peers.table({("a", "at random"): {"cold": (1.6, 2.0), "apart": float("inf"), "violated": 1e-3},
                         ("jointrig", "at random"): {"cold": (80.0, 145.0), "warm": (21.0, 50.0)}})  # fmt: skip
        self.assertIn("| a | at random | 2 µs | 2 µs | none |  | not solved | 1e-03 |", said.getvalue())
        self.assertIn("| jointrig | at random | 80 µs | 145 µs | 21 µs | 50 µs |  |  |", said.getvalue())

    def test_an_exact_solver_that_is_apart_ends_it_and_an_iterative_one_does_not(self):
        peers.require_agreement("daqp", {"apart": 0.9e-6})
        peers.require_agreement("proxsuite-1e-6", {"apart": 20.0})
        with self.assertRaisesRegex(SystemExit, "daqp: .*2e-06"):
            peers.require_agreement("daqp", {"apart": 2e-6})

    def test_the_written_programs_have_the_written_solutions(self):
        # Stationary along every direction that no active constraint blocks, and no constraint violated.
        for kind in peers.KINDS:
            with tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder) / "programs"
                done = subprocess.run([str(BUILD / "bench" / "wholebody_programs"), kind, "20", str(path)], check=True,
                                      cwd=ROOT, stdout=subprocess.PIPE, text=True)  # fmt: skip
                self.assertEqual(len(done.stdout.splitlines()), 20)
                programs = list(programs_in(path))
            self.assertEqual(len(programs), 20)
            for hessian, gradient, low, high, rows, row_low, row_high, x in programs:
                numpy.testing.assert_allclose(hessian, hessian.T, atol=1e-9)
                normals, ends, sides = [], [], []
                for normal, value, least, most in [*zip(numpy.eye(x.size), x, low, high), *zip(rows, rows @ x, row_low, row_high)]:
                    self.assertGreater(value, least - 1e-7)
                    self.assertLess(value, most + 1e-7)
                    if min(value - least, most - value) < 1e-7:
                        normals.append(normal)
                        ends.append(least == most)
                        sides.append(1.0 if value - least < most - value else -1.0)
                force = hessian @ x + gradient
                pull, *_ = numpy.linalg.lstsq(numpy.array(normals).T, force, rcond=None)
                self.assertLess(numpy.abs(numpy.array(normals).T @ pull - force).max(), 1e-4 * max(1.0, numpy.abs(force).max()))
                for multiplier, is_equality, side in zip(pull, ends, sides):
                    self.assertTrue(is_equality or side * multiplier > -1e-6)


if __name__ == "__main__":
    unittest.main()
