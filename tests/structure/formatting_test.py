"""Numbers come into texts by fmt::format: no std::to_string and no snprintf in the product.

One way to write a sentence with numbers, checked when it is compiled. std::to_string writes 0.2 as 0.200000.

`python3 formatting_test.py` from the top of the source tree.
"""

import pathlib
import re
import unittest

FOLDERS = ("app", "bench", "control", "gui", "harness", "hw", "python", "remote", "sim")
SUFFIXES = {".cpp", ".h", ".in"}
LEFT = {
    # They run in the cycle, where no file formats (layers_test), and speak before its start alone.
    "control/joint/joint_control.cpp",
    "control/stack/grippers.cpp",
    "control/stack/protections.cpp",
    "sim/plant.cpp",
    # Not rewritten yet.
    "control/wholebody/core.cpp",
    "control/wholebody/managers.cpp",
    "gui/view/body_messages.cpp",
    "gui/view/joint_area.cpp",
    "gui/view/joint_box.cpp",
    "gui/view/plot_view.cpp",
    "gui/view/strip.cpp",
    "python/recording.cpp",
    "python/result_binding.cpp",
    "python/session.cpp",
    "remote/ros2_diagnostics.cpp",
    "remote/seats.h",
}
OTHER_WAYS = re.compile(r"std::to_(?:w?string)\b|\bv?sn?printf\b")
NO_CODE = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"", re.DOTALL)


def findings(name: str, content: str) -> list[str]:
    """File and line of each text that is made in another way."""
    code = NO_CODE.sub(lambda match: "\n" * match[0].count("\n"), content)
    return [f"{name}:{number}: {found[0]}" for number, line in enumerate(code.split("\n"), 1)
            for found in OTHER_WAYS.finditer(line)]


class TheReader(unittest.TestCase):
    def test_calls_are_found_and_comments_and_texts_are_not(self):
        text = ('a = std::to_string(1);\n// std::to_string\n/* snprintf\n*/ std::snprintf(b, 2, "x");\n'
                'fmt::format("std::to_string {}", to_string(kind));\nusing std::to_string;\nprintf("%s", a);\n')
        self.assertEqual(findings("a.cpp", text), ["a.cpp:1: std::to_string", "a.cpp:4: snprintf", "a.cpp:6: std::to_string"])


class TheTree(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.found = {}
        cls.files = 0
        for folder in FOLDERS:
            for path in pathlib.Path(folder).rglob("*"):
                if path.suffix in SUFFIXES and path.is_file():
                    cls.files += 1
                    if found := findings(path.as_posix(), path.read_text()):
                        cls.found[path.as_posix()] = found

    def test_numbers_become_text_by_fmt(self):
        self.assertGreater(self.files, 800, "tests run from the top of the source tree")
        new = [each for name, found in self.found.items() if name not in LEFT for each in found]
        self.assertEqual(new, [], 'write fmt::format("... {} ...", number), with <fmt/core.h> and fmt::fmt')

    def test_the_list_of_what_is_left_has_no_clean_file(self):
        self.assertEqual(LEFT - set(self.found), set(), "take them out of LEFT")


if __name__ == "__main__":
    unittest.main()
