"""Sources that clang-tidy reads at each change: one file of N with paths, and each change at least once."""

import importlib.util
import pathlib
import tempfile
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
spec = importlib.util.spec_from_file_location("tidy_units", ROOT / "scripts/tidy_units.py")
tidy_units = importlib.util.module_from_spec(spec)
spec.loader.exec_module(tidy_units)

FILES = {
    "types.h": "",
    "loop.h": '#include "types.h"\n',
    "loop.cpp": '#include "loop.h"\n#include "clock.h"\n',
    "clock.h": "#include <ctime>\n",
    "view.cpp": '#include "loop.h"\n',
    "plot.cpp": '#include "clock.h"\n',
    "bus.cpp": '  #include "not_at_the_start_of_its_line.h"\n#include "types.h"\n',
    "alone.cpp": "",
}
GROUPS = [["loop.cpp"], ["view.cpp", "plot.cpp"], ["bus.cpp"], ["alone.cpp"]]


class SourcesToRead(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        for name, text in FILES.items():
            (pathlib.Path(folder.name) / name).write_text(text)
        root = mock.patch.object(tidy_units, "ROOT", pathlib.Path(folder.name))
        root.start()
        self.addCleanup(root.stop)
        self.units = [tidy_units.Unit(pathlib.Path(group[0]), {}, 1, True, group) for group in GROUPS]

    def expect(self, followed: set[int], changed: set[str] | None, read: dict[int, list[str]]):
        self.assertEqual(tidy_units.to_read(self.units, followed, changed), read)

    def test_nothing_more_is_read_where_nothing_changed(self):
        self.expect({1}, set(), {})

    def test_a_changed_source_is_read_without_the_others_of_its_group(self):
        self.expect({3}, {"plot.cpp"}, {1: ["plot.cpp"]})

    def test_a_changed_source_is_not_read_twice(self):
        self.expect({3}, {"alone.cpp"}, {})

    def test_a_changed_header_is_read_once_by_the_source_that_reads_least(self):
        self.expect({3}, {"types.h"}, {2: ["bus.cpp"]})
        self.expect({3}, {"clock.h", "loop.h"}, {1: ["view.cpp", "plot.cpp"]})

    def test_a_changed_header_that_is_read_anyway_adds_nothing(self):
        self.expect({3}, {"view.cpp", "types.h", "loop.h"}, {1: ["view.cpp"]})
        self.expect({0}, {"types.h", "loop.h", "clock.h"}, {})

    def test_all_is_read_where_the_changes_are_unknown(self):
        self.expect({1}, None, {0: ["loop.cpp"], 2: ["bus.cpp"], 3: ["alone.cpp"]})

    def test_files_that_are_gone_or_no_code_add_nothing(self):
        self.expect({1}, {"gone.cpp", "gone.h", "README.md"}, {})


if __name__ == "__main__":
    unittest.main()
