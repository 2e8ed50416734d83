"""The docs hold what they say: commands run, files in them are good, tables are the program's own.

    python docs_test.py PROGRAM
"""

import importlib.util
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap
import unittest

import documents

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from background import run_alone, run_with_rest  # noqa: E402

PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
ROOT = documents.ROOT
LINK = re.compile(r"\]\((?!https?:)(?P<file>[^)#\s]*)(?:#(?P<anchor>[^)\s]*))?\)")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)


def clone(folder: pathlib.Path) -> pathlib.Path:
    """A folder that looks like the clone's top to a reader's commands."""
    for name in ("models", "scenes", "scenarios"):
        (folder / name).symlink_to(ROOT / name)
    return folder


def steady(text: str) -> list[str]:
    """Lines without what differs from machine to machine, or as something is tuned: measured figures
    with a point or an exponent, and the spaces that line them up."""
    text = re.sub(r"\(\d+x\)", "(x)", text)
    text = re.sub(r"-?\d+\.\d+(e[+-]\d+)?", "#", text)
    text = re.sub(r"in \d+ of \d+ cycles", "in # of # cycles", text)
    return [re.sub(" +", " ", line).rstrip() for line in textwrap.dedent(text).strip("\n").splitlines()]


def matches(shown: list[str], printed: list[str]) -> bool:
    """Line by line; "..." stands for any number of lines."""
    if not shown:
        return not printed
    if shown[0].strip() == "...":
        return any(matches(shown[1:], printed[i:]) for i in range(len(printed) + 1))
    return bool(printed) and shown[0] == printed[0] and matches(shown[1:], printed[1:])


def anchors_of(page: pathlib.Path) -> set[str]:
    text = documents.FENCE.sub("", page.read_text())
    return {re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")
            for heading in HEADING.findall(text)}


def first_column(page: pathlib.Path, heading: str) -> set[str]:
    """The words in code style that begin the rows of the tables under a heading."""
    section = page.read_text().split(f"## {heading}\n", 1)[1]
    section = re.split(r"^#+ ", section, maxsplit=1, flags=re.MULTILINE)[0]
    words = set()
    for row in re.findall(r"^\| (`[^|]*`) \|", section, re.MULTILINE):
        words.update(re.findall(r"`([^`]+)`", row))
    return words


class Docs(unittest.TestCase):
    def follow(self, page: pathlib.Path):
        blocks = documents.blocks_of(page)
        environment = dict(os.environ, PATH=f"{pathlib.Path(PROGRAM).parent}:{os.environ['PATH']}")
        with tempfile.TemporaryDirectory() as folder:
            top = clone(pathlib.Path(folder))
            printed = ""
            for block in blocks:
                place = f"{page.relative_to(ROOT)}:{block.line}"
                if block.kind == "file":
                    (top / block.name).write_text(block.text)
                elif block.kind == "python":
                    done = run_alone([sys.executable, "-B", "-c", block.text], cwd=top, env=environment,
                                     stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300)
                    printed = done.stdout
                    self.assertEqual(done.returncode, 0, f"{place}:\n{printed}")
                elif block.kind == "output":
                    self.assertTrue(matches(steady(block.text), steady(printed)),
                                    f"{place}: the command before it prints\n{printed}")
                else:
                    for command, code in documents.commands_of(block):
                        # A program that it leaves behind belongs to the page.
                        done = run_with_rest(self, ["bash", "-c", command], cwd=top, env=environment,
                                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300)
                        printed = done.stdout
                        self.assertEqual(done.returncode, code, f"{place}: {command}\n{printed}")
        return blocks

    def test_commands_of_the_pages_do_what_they_say(self):
        for name, least in (("scenarios.md", 6), ("robots.md", 6), ("boards.md", 6),
                            ("collisions.md", 1), ("drives.md", 6), ("motion.md", 1), ("check.md", 6)):
            with self.subTest(page=name):
                blocks = self.follow(ROOT / "docs" / name)
                self.assertGreaterEqual(sum(len(documents.commands_of(b)) for b in blocks
                                            if b.kind == "run"), least)

    @unittest.skipUnless(os.environ.get("PYTHONPATH"), "built without the Python package")
    def test_programs_of_the_pages_run(self):
        for name, least in (("docs/python.md", 6), ("docs/remote.md", 2), ("docs/grippers.md", 1), ("README.md", 1)):
            with self.subTest(page=name):
                if "remote" in name and importlib.util.find_spec("jointrig._remote") is None:
                    continue  # built without gRPC
                blocks = self.follow(ROOT / name)
                self.assertGreaterEqual(sum(block.kind == "python" for block in blocks), least)

    def test_generated_sections_are_what_the_program_and_the_sources_say(self):
        met = set()
        for page in documents.PAGES:
            met.update(m["what"] for m in documents.GENERATED.finditer(page.read_text()))
            self.assertEqual(page.read_text(), documents.remade(page, PROGRAM),
                             f"{page.name}: run 'bash scripts/docs.sh tables'")
        self.assertTrue({"keys robot", "keys scenario", "fault types", "commands"} <= met)

    def test_links_lead_somewhere(self):
        for page in documents.PAGES:
            for match in LINK.finditer(documents.FENCE.sub("", page.read_text())):
                target = (page.parent / match["file"]) if match["file"] else page
                self.assertTrue(target.exists(), f"{page.name}: {match[0]}")
                if match["anchor"]:
                    self.assertIn(match["anchor"], anchors_of(target), f"{page.name}: {match[0]}")

    def test_every_signal_of_a_joint_is_told_and_none_else(self):
        source = (ROOT / "harness/runner/joint_signals.cpp").read_text()
        names = set(re.findall(r'^ +\{"([\w.]+)", "', source, re.MULTILINE))
        self.assertGreater(len(names), 40)
        self.assertEqual(first_column(ROOT / "docs/scenarios.md", "Signals of a joint"), names)

    def test_every_function_is_told_and_none_else(self):
        source = (ROOT / "harness/runner/arithmetic.cpp").read_text()
        names = set(re.findall(r'^ +\{"(\w+)", (?:\[|sign_of)', source, re.MULTILINE))
        names |= set(re.findall(r'"(\w+)"', re.search(r"kMoreArguments\{(.*?)\}", source)[1]))
        history = (ROOT / "harness/runner/history.cpp").read_text()
        names |= set(re.findall(r'"(\w+)"', re.search(r"kNames\{(.*?)\}", history)[1]))
        self.assertGreater(len(names), 20)
        told = {re.sub(r"\(.*", "", word)
                for word in first_column(ROOT / "docs/scenarios.md", "Functions")}
        self.assertEqual(told, names)

    def test_every_statistic_is_told_and_none_else(self):
        names = {entry[1] for entry in
                 documents.list_in("harness/runner/scenario.h", "JOINTRIG_STATISTICS")}
        self.assertEqual(first_column(ROOT / "docs/scenarios.md", "Metrics"), names)


if __name__ == "__main__":
    unittest.main()
