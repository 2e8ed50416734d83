"""The share of long tests that is run at each change: JOINTRIG_SHARE=K/N (docs/ci.md), of which JOINTRIG_TURN=J/M
leaves one part of M.
"""

import os
import sys
import unittest
import zlib


def share_of(names: list[str]) -> list[str]:
    """All of them without JOINTRIG_SHARE; else each name in just one of N shares."""
    share = os.environ.get("JOINTRIG_SHARE", "")
    if not share:
        return names
    number, count = (int(part) for part in share.split("/"))
    return [name for name in names if zlib.crc32(name.encode()) % count == number]


def turn_of(names: list[str]) -> list[str]:
    """The part of a share whose turn it is; all of share_of() without JOINTRIG_TURN."""
    share, turn = os.environ.get("JOINTRIG_SHARE", ""), os.environ.get("JOINTRIG_TURN", "")
    if not share or not turn:
        return share_of(names)
    shares = int(share.split("/")[1])
    number, count = (int(part) for part in turn.split("/"))
    return [name for name in share_of(names) if zlib.crc32(name.encode()) // shares % count == number]


def main() -> None:
    """unittest.main(), of a share of the tests."""
    every = unittest.defaultTestLoader.loadTestsFromModule(sys.modules["__main__"])
    tests = [test for test in flat(every) if not sys.argv[1:] or type(test).__name__ in sys.argv[1:]]
    names = share_of([test.id() for test in tests])
    chosen = unittest.TestSuite(test for test in tests if test.id() in names)
    print(f"{chosen.countTestCases()} of {len(tests)} tests")
    sys.exit(not unittest.TextTestRunner(verbosity=2).run(chosen).wasSuccessful())


def flat(suite: unittest.TestSuite):
    for each in suite:
        if isinstance(each, unittest.TestSuite):
            yield from flat(each)
        else:
            yield each
