"""Shares of what takes long: together they are all of it, and nothing is in two of them."""

import os
import pathlib
import subprocess
import sys
import unittest

from share import share_of, turn_of

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SHARES = [f"{number}/4" for number in range(4)]


def with_share(share: str, *command: str) -> str:
    environment = {**os.environ, "JOINTRIG_SHARE": share}
    if not share:
        del environment["JOINTRIG_SHARE"]
    return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout


class Shares(unittest.TestCase):
    def setUp(self):
        self.before = dict(os.environ)
        for name in ("JOINTRIG_SHARE", "JOINTRIG_TURN"):
            os.environ.pop(name, None)

    def tearDown(self):
        os.environ.clear()
        os.environ.update(self.before)

    def test_each_name_is_in_just_one_share_and_without_shares_all_are_there(self):
        names = [f"case {number}" for number in range(200)]
        self.assertEqual(share_of(names), names)
        seen = []
        for share in SHARES:
            os.environ["JOINTRIG_SHARE"] = share
            seen += share_of(names)
        self.assertEqual(sorted(seen), sorted(names))

    def test_the_turns_of_all_shares_are_all_of_it_and_without_turns_a_share_is_whole(self):
        names = [f"case {number}" for number in range(400)]
        self.assertEqual(turn_of(names), names)
        seen = []
        for share in SHARES:
            os.environ["JOINTRIG_SHARE"] = share
            os.environ.pop("JOINTRIG_TURN", None)
            self.assertEqual(turn_of(names), share_of(names))
            for turn in SHARES:
                os.environ["JOINTRIG_TURN"] = turn
                self.assertTrue(8 < len(turn_of(names)) < 50)
                seen += turn_of(names)
        self.assertEqual(sorted(seen), sorted(names))

    def test_a_scenario_is_run_twice_in_just_one_share_and_once_in_the_others(self):
        script = str(ROOT / "tests/scenarios/scenario_test.sh")
        files = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "scenarios").rglob("*.yaml"))
        counts = {share: 0 for share in SHARES}
        for file in files[:60]:
            twice = [share for share in SHARES
                     if "--check-hash" in with_share(share, "bash", script, "echo", file, "out", "true")]
            self.assertEqual(len(twice), 1, file)
            counts[twice[0]] += 1
            self.assertIn("--repeat 2 --check-hash", with_share("", "bash", script, "echo", file, "out", "true"))
        self.assertTrue(all(count > 5 for count in counts.values()), counts)

    def test_a_test_of_one_piece_runs_in_just_one_share_and_is_skipped_in_the_others(self):
        script = str(HERE / "in_its_share.sh")
        for name in ("wiggle_program_test", "scenarios_alone_and_side_by_side"):
            codes = []
            for share in SHARES:
                done = subprocess.run(["bash", script, name, "sh", "-c", "echo it ran; exit 3"],
                                      env={**os.environ, "JOINTRIG_SHARE": share}, capture_output=True, text=True)
                self.assertEqual(done.returncode == 3, done.stdout == "it ran\n", done.stdout + done.stderr)
                codes.append(done.returncode)
            self.assertEqual(sorted(codes), [3, 77, 77, 77], name)
            self.assertEqual(with_share("", "bash", script, name, "echo", "it ran"), "it ran\n")

    def test_a_test_program_is_told_its_shard(self):
        script = str(HERE / "sharded.sh")
        self.assertIn("GTEST_SHARD_INDEX=2\n", with_share("2/4", "bash", script, "env"))
        self.assertIn("GTEST_TOTAL_SHARDS=4\n", with_share("2/4", "bash", script, "env"))
        self.assertNotIn("GTEST_", with_share("", "bash", script, "env"))


if __name__ == "__main__":
    sys.exit(unittest.main())
