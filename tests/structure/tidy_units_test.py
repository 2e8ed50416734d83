"""Files that clang-tidy reads at each change: one file of N with paths, and each change at least once."""

import importlib.util
import pathlib
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
spec = importlib.util.spec_from_file_location("tidy_units", ROOT / "scripts/tidy_units.py")
tidy_units = importlib.util.module_from_spec(spec)
spec.loader.exec_module(tidy_units)


def unit(size: int, *reads: str) -> "tidy_units.Unit":
    return tidy_units.Unit(pathlib.Path(reads[0] if reads else "unbuilt.cpp"), {}, size, True, set(reads))


UNITS = [
    unit(900, "loop.cpp", "types.h", "loop.h"),
    unit(500, "gui.cpp", "types.h", "loop.h"),
    unit(100, "bus.cpp", "types.h"),
    unit(50, "alone.cpp"),
]


class WhatIsRead(unittest.TestCase):
    def test_nothing_more_is_read_where_nothing_changed(self):
        self.assertEqual(tidy_units.without_paths(UNITS, {1}, set()), set())

    def test_a_changed_source_is_read(self):
        self.assertEqual(tidy_units.without_paths(UNITS, {1}, {"alone.cpp"}), {3})

    def test_a_changed_source_is_not_read_twice(self):
        self.assertEqual(tidy_units.without_paths(UNITS, {3}, {"alone.cpp"}), set())

    def test_a_changed_header_is_read_once_by_the_smallest_file_that_includes_it(self):
        self.assertEqual(tidy_units.without_paths(UNITS, {3}, {"types.h"}), {2})

    def test_a_changed_header_that_is_read_anyway_adds_nothing(self):
        self.assertEqual(tidy_units.without_paths(UNITS, {3}, {"gui.cpp", "types.h", "loop.h"}), {1})

    def test_all_is_read_where_the_changes_are_unknown(self):
        self.assertEqual(tidy_units.without_paths(UNITS, {1}, None), {0, 2, 3})

    def test_all_is_read_where_a_file_was_not_built(self):
        self.assertEqual(tidy_units.without_paths([*UNITS, unit(1)], {1}, {"alone.cpp"}), {0, 2, 3, 4})

    def test_files_that_are_gone_or_no_code_add_nothing(self):
        self.assertEqual(tidy_units.without_paths(UNITS, {1}, {"gone.cpp", "gone.h", "README.md"}), set())


class WhatAnObjectReads(unittest.TestCase):
    """The build's deps name files from the top of the system, or, as ccache has it, from the build's folder."""

    def reads(self, *lines: str) -> set[str]:
        text = "\n".join(["loop.cpp.o: #deps 3, deps mtime 1 (VALID)", *(f"    {line}" for line in lines), ""])
        with mock.patch.object(tidy_units.subprocess, "run", return_value=mock.Mock(stdout=text)):
            return tidy_units.read_by_object(ROOT / "build/release")["loop.cpp.o"]

    def test_a_file_of_the_project_is_named_from_its_top(self):
        self.assertEqual(self.reads(f"{ROOT}/control/loop.h"), {"control/loop.h"})
        self.assertEqual(self.reads("../../control/loop.h"), {"control/loop.h"})
        self.assertEqual(self.reads("gen/words.h"), {"build/release/gen/words.h"})

    def test_what_is_not_the_projects_is_left_out(self):
        self.assertEqual(self.reads("/usr/include/stdio.h", "../../../other/loop.h"), set())


if __name__ == "__main__":
    unittest.main()
