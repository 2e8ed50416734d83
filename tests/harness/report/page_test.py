"""The report as an HTML parser sees it: well-formed, self-contained, and free of what names carry."""

import json
import re
import subprocess
import sys
import tempfile
import unittest
from html.parser import HTMLParser
from pathlib import Path

VOID = {"meta", "input", "br", "link", "img", "hr"}
# The scripts of the page itself: data, plot library, figures, drawing when seen, page.
SCRIPTS = 5
HOSTILE = "</summary><script>alert('name')</script>&amp;\"quoted\""


class Page(HTMLParser):
    """Checks that tags nest and collects what the tests ask for."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open = []
        self.tags = []
        self.scripts = []
        self.text = []
        self.problems = []

    def handle_starttag(self, tag, attributes):
        names = [name for name, _ in attributes]
        if len(names) != len(set(names)):
            self.problems.append(f"{self.getpos()}: <{tag}> has an attribute twice")
        self.tags.append((tag, dict(attributes)))
        if tag == "script":
            self.scripts.append("")
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open[-1] != tag:
            self.problems.append(f"{self.getpos()}: </{tag}> within {self.open[-3:]}")
        else:
            self.open.pop()

    def handle_data(self, data):
        if self.open and self.open[-1] == "script":
            self.scripts[-1] += data
        else:
            self.text.append(data)


class ReportPage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "report.html"
            subprocess.run([sys.argv[1], str(path)], check=True)
            cls.source = path.read_text(encoding="utf-8")
        cls.page = Page()
        cls.page.feed(cls.source)
        cls.page.close()

    def test_tags_nest_and_close(self):
        self.assertEqual(self.page.problems, [])
        self.assertEqual(self.page.open, [])

    def test_ids_are_unique(self):
        ids = [a["id"] for _, a in self.page.tags if "id" in a]
        self.assertEqual(len(ids), len(set(ids)))
        self.assertIn("s1-failure", ids)

    def test_nothing_is_loaded_from_elsewhere(self):
        for tag, attributes in self.page.tags:
            self.assertNotIn(tag, {"link", "img", "iframe", "object", "embed", "base"})
            for name in ("src", "srcset", "data", "action", "poster", "background"):
                self.assertNotIn(name, attributes, f"<{tag}>")
            if "href" in attributes:
                self.assertRegex(attributes["href"], r"^\./[\w./%~-]*$")
        style = re.search(r"<style>(.*?)</style>", self.source, re.S).group(1)
        self.assertNotRegex(style, r"url\(|@import")

    def test_the_page_forbids_itself_the_network(self):
        policies = [a["content"] for _, a in self.page.tags
                    if a.get("http-equiv") == "Content-Security-Policy"]
        self.assertEqual(len(policies), 1)
        self.assertIn("default-src 'none'", policies[0])
        self.assertNotIn("http", policies[0])

    def test_the_plots_offer_no_upload(self):
        self.assertIn("showSendToCloud: false", self.page.scripts[2])
        self.assertIn('plotlyServerURL: ""', self.page.scripts[2])

    def test_no_handler_comes_in_by_an_attribute(self):
        for tag, attributes in self.page.tags:
            for name in attributes:
                self.assertFalse(name.startswith("on"), f"<{tag} {name}>")

    def test_names_are_text_and_nothing_else(self):
        self.assertEqual(len(self.page.scripts), SCRIPTS)
        # As text it is there, in full: name, reason, tags, note, verdicts, events, YAML, ...
        self.assertGreater("".join(self.page.text).count(HOSTILE), 20)

    def test_the_data_parse_and_carry_names_unchanged(self):
        data = json.loads(self.page.scripts[0])
        self.assertEqual(len(data), 4)
        self.assertEqual(data[2]["traces"][0]["name"], HOSTILE)
        self.assertEqual(data[2]["steps"][0]["label"], HOSTILE)
        self.assertEqual(list(data[2]["modes"]), [HOSTILE])
        self.assertNotIn("<", self.page.scripts[0])

    def test_every_figure_of_the_data_has_a_place(self):
        data = json.loads(self.page.scripts[0])
        ids = {a["id"] for tag, a in self.page.tags if tag == "figure"}
        wanted = {f"s{i}-{k}" for i, s in enumerate(data) for k in range(len(s["figures"]))}
        wanted |= {f"s{i}-failure" for i, s in enumerate(data)
                   if s["failure"] and s["failure"]["figure"]}
        self.assertEqual(ids, wanted)

    def test_a_verdict_is_a_word_beside_its_colour(self):
        text = " ".join("".join(self.page.text).split())
        for words in ("✓ passed", "✗ failed", "! warned", "– skipped"):
            self.assertIn(words, text)

    def test_tables_are_as_wide_as_their_heads(self):
        for table in re.findall(r"<table.*?</table>", self.source, re.S):
            columns = table.count("<th ")
            for row in re.findall(r"<tr[^>]*>(?:(?!</tr>).)*<td.*?</tr>", table, re.S):
                self.assertEqual(row.count("<td"), columns, row)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
