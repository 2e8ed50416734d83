"""Sentences begin with their subject: none opens with What, Which, Who, Whose, Whom or Of.

The reader knows pages, messages, `--help` texts, descriptions in schemas, `about:` of scenarios, and comments. A
question, which ends in "?", is allowed. Names of tests and of variables are no sentences.

`python3 words_test.py` from the top of the source tree; `python3 words_test.py FILE...` lists the sentences of files.
"""

import io
import pathlib
import re
import sys
import tempfile
import tokenize
import unittest

FOLDERS = (".ci", "app", "bench", "cmake", "control", "docs", "examples", "gui", "harness", "hw", "models", "python",
           "remote", "scenarios", "scenes", "scripts", "sim", "tests")
SUFFIXES = {".cpp", ".h", ".in", ".json", ".md", ".proto", ".py", ".sh", ".txt", ".cmake", ".yaml", ".yml", ".xml"}
BESIDE = {"tests/structure/words_test.py"}  # its own examples
OF_ALLOWED = ("control/model/", "control/wholebody/", "python/", "remote/")  # their sentences that open with Of still stand
OPENING = re.compile(
    r"(?<![\w`/<:\"'])(?:Of|(?:What|Which|Who|Whose|Whom)(?:ever)?)(?=(?:'s|'re)?[*_]* \S)")
END = re.compile(r"[.!?](?=[\s\"'`*_)\]<|]|$)")
CODE = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)
       |R"(?P<mark>[^(\s]*)\((?P<raw>.*?)\)(?P=mark)"
       |(?P<string>"(?:\\.|[^"\\\n])*")
       |'(?:\\.|[^'\\\n])+'
       |(?P<other>\d(?:[\w.]|'(?=\w))*|[^\s\d"'/R]+|\S)""",
    re.VERBOSE | re.DOTALL)
BULLET = re.compile(r"\s*(?:#+ |[-*+>] |\d+\. |<|\|)")

Piece = tuple[int, str]  # its line, and its text
Text = list[Piece]       # pieces that are read one after the other


def pieces(line: int, text: str) -> Text:
    return [(line + i, part.strip()) for i, part in enumerate(text.split("\n"))]


def texts_of_code(content: str, comments: bool = True) -> list[Text]:
    """Comments and literals of C++ and of protocol buffers; those that follow each other are one text."""
    texts: list[Text] = []
    last, last_line, line, counted = "", 0, 1, 0
    for match in CODE.finditer(content):
        line += content.count("\n", counted, match.start())
        counted = match.start()
        if match["comment"] and not comments:
            continue
        if match["comment"]:
            body = re.sub(r"^\s*(?:///?<?|/\*+|\*+/?)|\*/$", "", match[0], flags=re.MULTILINE)
            body = re.sub(r"@t?param \w+", "", body)
            # A comment behind code begins a text of its own.
            begins = last != "comment" or line != last_line + 1 or not body.strip()
            begin_of_line = content.rfind("\n", 0, match.start()) + 1
            kind = "note" if content[begin_of_line:match.start()].strip() else "comment"
        elif match["raw"] is not None:
            texts += [[piece] for piece in pieces(line, match["raw"])]
            last, begins, kind = "", True, ""
            continue
        elif match["string"]:
            body, begins, kind = match["string"][1:-1].replace("\\n", " "), last != "string", "string"
        else:
            last = ""
            continue
        if begins:
            texts.append([])
        texts[-1] += pieces(line, body)
        last, last_line = kind, line + match[0].count("\n")
    return texts


def texts_of_python(content: str) -> list[Text]:
    texts: list[Text] = []
    last, last_line = None, 0
    for token in tokenize.generate_tokens(io.StringIO(content).readline):
        if token.type == tokenize.COMMENT:
            if last != tokenize.COMMENT or token.start[0] != last_line + 1:
                texts.append([])
            texts[-1] += pieces(token.start[0], token.string.lstrip("#!:"))
        elif token.type == tokenize.STRING:
            if last != tokenize.STRING:
                texts.append([])
            body = re.sub(r"^\w*(\"\"\"|'''|\"|')|(\"\"\"|'''|\"|')$", "", token.string).replace("\\n", " ")
            for piece in pieces(token.start[0], body):
                if not piece[1]:
                    texts.append([])
                texts[-1].append(piece)
        elif token.type in (tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT):
            continue
        last, last_line = token.type, token.end[0]
    return texts


def texts_of_lines(content: str, hash_comments: bool) -> list[Text]:
    """Paragraphs: of pages, and of files whose comments begin with #."""
    texts: list[Text] = [[]]
    was_comment = False
    for number, line in enumerate(content.split("\n"), 1):
        comment = re.match(r"\s*#+ ?(.*)", line) if hash_comments else None
        body = comment[1] if comment else line.replace('"', " ") if hash_comments else line
        key = hash_comments and not comment and re.match(r"\s*(?:- )?[\w./ ]+:(?: |$)", line)
        if bool(comment) != was_comment or key or not body.strip() or BULLET.match(body):
            texts.append([])
        was_comment = bool(comment)
        if body.lstrip().startswith("|"):
            texts += [[(number, cell.strip())] for cell in body.split("|")]
            texts.append([])
        else:
            texts[-1].append((number, body.strip()))
            if not comment and BULLET.match(body) and body.startswith("#"):
                texts.append([])  # a heading
    return texts


def texts_of(name: str, content: str, comments: bool = True) -> list[Text]:
    suffix = pathlib.PurePath(name.removesuffix(".in")).suffix
    if suffix in (".cpp", ".h", ".proto"):
        return texts_of_code(content, comments)
    if suffix == ".py":
        return texts_of_python(content)
    if suffix == ".json":
        return [[(i, line.replace('"', " ").strip())] for i, line in enumerate(content.split("\n"), 1)]
    if name.endswith("CMakeLists.txt") and not comments:
        return []
    return texts_of_lines(content, hash_comments=suffix not in (".md", ".xml"))


def openings(text: Text) -> list[tuple[int, str]]:
    """Line and beginning of each sentence of a text that opens with such a word."""
    joined, starts = "", []
    for line, part in text:
        starts.append((len(joined), line))
        joined += part + " "
    found = []
    for match in OPENING.finditer(joined):
        end = END.search(joined, match.end())
        if end and end[0] == "?":
            continue
        line = [line for start, line in starts if start <= match.start()][-1]
        found.append((line, joined[match.start():match.start() + 60].strip()))
    return found


def is_allowed(name: str, sentence: str) -> bool:
    return name.startswith(OF_ALLOWED) and sentence.startswith("Of ")


def findings(name: str, content: str, comments: bool = True) -> list[str]:
    return [f"{name}:{line}: {sentence}"
            for text in texts_of(name, content, comments) for line, sentence in openings(text)
            if not is_allowed(name, sentence)]


def files(top: pathlib.Path = pathlib.Path()) -> list[str]:
    """Texts below the top of the source tree."""
    paths = [*top.glob("*"), *(path for folder in FOLDERS for path in (top / folder).rglob("*"))]
    return sorted(name for path in paths if path.is_file()
                  and (path.suffix in SUFFIXES or path.parent.name == ".ci")
                  and (name := path.relative_to(top).as_posix()) not in BESIDE)


class TheReader(unittest.TestCase):
    def lines(self, name: str, text: str, comments: bool = True) -> list[int]:
        return [int(found.split(":")[1]) for found in findings(name, text, comments)]

    def test_a_page_has_headings_paragraphs_lists_and_cells(self):
        text = ("# What it is\n\nThis is fine.\nSo is this. Which of\nthem isn't.\n\n"
                "- Who comes\n\n| a | What it has |\n")
        self.assertEqual(self.lines("a.md", text), [1, 4, 7, 9])

    def test_a_question_is_one_up_to_its_own_end(self):
        self.assertEqual(self.lines("a.md", "Who is it?\nWhat is 3.5 of\nthese?\n\nWhat is here. Is it?\n"), [5])

    def test_a_sentence_of_a_comment_goes_on_in_its_next_line(self):
        text = "/// It holds. What\n/// is sent is limited.\nint a;  // Whose it is\nint b;\n// Of which one counts.\n"
        self.assertEqual(self.lines("a.h", text), [1, 3, 5])

    def test_a_message_in_several_literals_is_one_text(self):
        text = ('f("Nothing moves. "\n  "What moves is told.", R"(One\nWhich is)");  // Fine.\n'
                'int WhatIsThis; g(\'"\', "Who ");')
        self.assertEqual(self.lines("a.cpp", text), [2, 3])

    def test_sentences_that_open_with_of_are_found(self):
        text = "/// Of kLink and kContact it is freed.\nint a;  ///< of the joint\nint b;  ///< Of the joint\nint Off;  // Off\n"
        self.assertEqual(self.lines("a.h", text), [1, 3])
        self.assertEqual(self.lines("a.md", "It is, of course. Of two\nthe last counts. Of course?\n\n| Of a grasp |\n"), [1, 4])
        self.assertEqual(self.lines("a.json", '{"description": "Of two the last."}'), [1])
        self.assertEqual(self.lines("a.py", '"""Of two the last."""\n'), [1])
        self.assertEqual(self.lines("remote/a.h", "/// Of two the last.\n/// What it is.\n"), [2])

    def test_words_within_a_sentence_and_in_code_are_left_alone(self):
        text = "It says what it does, of which we know: `What` and What's-it.\n\nWhatsoever.\n"
        self.assertEqual(self.lines("a.md", text), [])
        self.assertEqual(self.lines("a.h", "/// @tparam What  identifies it\nvoid What(Who who);\n"), [])

    def test_descriptions_of_scenarios_and_of_schemas_count(self):
        text = "about: >-\n  It moves. What\n  moves stops.\nexpect: [a]\nname: \"Who comes\"\n# Who knows.\n"
        self.assertEqual(self.lines("a.yaml", text), [2, 5, 6])
        self.assertEqual(self.lines("a.json", '{\n  "description": "What it has to be."}'), [2])

    def test_strings_and_comments_of_python_count(self):
        text = '"""Whose it is.\n\nWhat it has.\n"""\nx = f(\n    "Who comes")  # Which one\n'
        self.assertEqual(self.lines("a.py", text), [1, 3, 6, 6])

    def test_messages_can_be_read_without_the_comments(self):
        self.assertEqual(self.lines("a.cpp", "// What it is.\nf(\"What it is.\");\n", comments=False), [2])

    def test_files_are_those_with_texts(self):
        with tempfile.TemporaryDirectory() as folder:
            top = pathlib.Path(folder)
            for name in ("README.md", "docs/a.md", "docs/a.png", "build/b.md", ".ci/run"):
                (top / name).parent.mkdir(exist_ok=True)
                (top / name).write_text("")
            self.assertEqual(files(top), [".ci/run", "README.md", "docs/a.md"])


class TheTree(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.files = files()

    def test_sentences_begin_with_their_subject(self):
        self.assertGreater(len(self.files), 1000, "tests run from the top of the source tree")
        found = [each for name in self.files
                 for each in findings(name, pathlib.Path(name).read_text())]
        self.assertEqual(found, [], "name the subject first: 'The value that ...', 'Result of ...', 'Options of ...'")

    def test_only_folders_with_sentences_that_open_with_of_may_have_them(self):
        having = {folder for name in self.files for folder in OF_ALLOWED if name.startswith(folder)
                  for text in texts_of(name, pathlib.Path(name).read_text())
                  if any(sentence.startswith("Of ") for _, sentence in openings(text))}
        self.assertEqual(having, set(OF_ALLOWED), "take the folder that has none any more out of OF_ALLOWED")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        for listed in sys.argv[1:]:
            for each in findings(listed, pathlib.Path(listed).read_text()):
                print(each)
    else:
        unittest.main()
