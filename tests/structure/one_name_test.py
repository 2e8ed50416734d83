"""Each folder has its namespace, and no two files define a class, struct, union or enumeration of one qualified name.

Two such definitions in one program are undefined behaviour, and neither compiler nor linker says so. This reads the
tree as it is, without a compiler: scopes by their braces, heads by their words. Names in an anonymous namespace or in
a function belong to one file and are left out; a nested class counts with the class around it.

`python3 one_name_test.py` from the top of the source tree.
"""

import collections
import pathlib
import re
import tempfile
import typing
import unittest

PRODUCT = ("app", "control", "gui", "harness", "hw", "python", "remote", "sim")
BESIDE = ("bench", "tests")  # linked with the product: may not define its names again

# Folder and its namespace, as in docs/architecture.md; the longest matching folder counts. Tests use the namespace of
# what they test.
NAMESPACES = {
    "app": "jointrig::app",
    "app/robot": "jointrig",  # jointrig::Robot, for programs of others
    "bench": "jointrig::bench",
    "control": "jointrig",  # the words of all: what is nested in it sees them without a qualifier
    "gui": "jointrig::gui",
    "harness": "jointrig::harness",
    "hw/can": "jointrig::can",
    "hw/canopen": "jointrig::canopen",
    "hw/cia402": "jointrig::cia402",
    "hw/driver": "jointrig::hw",
    "hw/moteus": "jointrig::moteus",
    "hw/dynamixel": "jointrig::dynamixel",
    "python": "jointrig::python",
    "remote": "jointrig::remote",
    "sim": "jointrig::sim",
}
# The JSON library looks for to_json in the namespace of the type; a class of CLI11 is declared in its own.
BESIDE_THEIR_OWN = {
    "app/cli_fwd.h": ("CLI",),
    "app/boards/side_line_messages.cpp": ("jointrig::harness", "jointrig::sim"),
    "app/boards/side_line_messages.h": ("jointrig::harness", "jointrig::sim"),
}

# Comments and literals first, so that nothing in them is taken for code.
TOKEN = re.compile(
    r"""(?P<skip>//[^\n]*|/\*.*?\*/
        |(?:u8|[uUL])?R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"
        |(?:u8|[uUL])?"(?:\\.|[^"\\\n])*"
        |\#(?:[^\n\\]|\\.|\\\n)*)
       |(?P<number>\d(?:[\w.]|'(?=\w)|(?<=[eEpP])[+-])*)
       |(?P<char>'(?:\\.|[^'\\\n])+')
       |(?P<word>[A-Za-z_]\w*)
       |(?P<sign>::|\[\[|\]\]|[{}();:<>,=\[\]&*~.|!?+\-/%^])""",
    re.VERBOSE | re.DOTALL)
KEYS = {"class", "struct", "union", "enum"}
ENUMERATION = "JOINTRIG_ENUM"  # control/core/enumeration.h


def tokens(text: str) -> list[str]:
    return [m[0] for m in TOKEN.finditer(text) if m["word"] or m["sign"]]


def without(head: list[str], word: str, left: str, right: str) -> list[str]:
    """The head without `word` and what is between the signs behind it."""
    kept, depth, begun = [], 0, False
    for token in head:
        if not begun and token == word:
            begun = True
        elif begun and (token == left or depth > 0):
            depth += (token == left) - (token == right)
            begun = depth > 0
        else:
            begun = False
            kept.append(token)
    return kept


def defined_by(head: list[str]) -> str | None:
    """The name that a head before `{` defines as a type; "" for a type without one; None: no type."""
    head = without(without(head, "template", "<", ">"), "alignas", "(", ")")
    while "[[" in head:
        begin = head.index("[[")
        head = head[:begin] + head[head.index("]]", begin) + 1:] if "]]" in head[begin:] else head[:begin]
    at = next((i for i, token in enumerate(head) if token in KEYS), None)
    if at is None or "(" in head[:at] or "=" in head:
        return None
    rest = head[at + 1:]
    if head[at] == "enum" and rest and rest[0] in ("class", "struct"):
        rest = rest[1:]
    name = []
    for token in rest:
        if token in ("final", ":"):
            break
        name.append(token)
    return None if "(" in name else "".join(name)


def types_in(text: str) -> set[str]:
    """Qualified names of the types that this text defines for all files."""
    found, scopes, head = set(), [], []  # a scope: its name, None in what belongs to this file alone

    def record(name: str) -> None:
        if None not in scopes:
            found.add("::".join([*(scope for scope in scopes if scope), name]))

    words = tokens(text)
    for i, token in enumerate(words):
        if token == "{":
            if "namespace" in head:
                scopes.append("".join(head[head.index("namespace") + 1:]) or None)
            else:
                name = defined_by(head)
                if name:
                    record(name)
                # `extern "C" {` holds names as if it were not there.
                scopes.append("" if head == ["extern"] else name or None)
            head = []
        elif token == "}":
            if scopes:
                scopes.pop()
            head = []
        elif token == ";" or (token == ":" and head in (["public"], ["private"], ["protected"])):
            head = []
        else:
            if token == ENUMERATION and words[i + 1] == "(":
                record(words[i + 2])
            head.append(token)
            if token == ")" and head[0] == ENUMERATION:
                head = []  # no semicolon follows
    return found


def namespaces_in(text: str) -> set[str]:
    """Qualified names of the namespaces that this text opens; anonymous ones are left out."""
    found, scopes, head = set(), [], []
    for token in tokens(text):
        if token == "{":
            named = "namespace" in head
            scopes.append("".join(head[head.index("namespace") + 1:]) if named else "")
            if named and scopes[-1]:
                found.add("::".join(scope for scope in scopes if scope))
            head = []
        elif token == "}":
            if scopes:
                scopes.pop()
            head = []
        elif token == ";":
            head = []
        else:
            head.append(token)
    return found


def longest_above(name: str, between: str, names: typing.Iterable[str]) -> str | None:
    """The longest of `names` that is `name` or stands above it."""
    return max((n for n in names if (name + between).startswith(n + between)), key=len, default=None)


def strangers(path: pathlib.PurePath, text: str) -> list[str]:
    """Namespaces that the file at `path` opens although they belong to another folder, or to none."""
    folder = longest_above(path.parent.as_posix(), "/", NAMESPACES)
    own = {NAMESPACES.get(folder), *BESIDE_THEIR_OWN.get(path.as_posix(), ())} - {None}
    return sorted(name for name in namespaces_in(text)
                  if (longest_above(name, "::", NAMESPACES.values()) or name) not in own)


def definitions(folders: tuple[str, ...]) -> dict[str, list[str]]:
    where = collections.defaultdict(list)
    for folder in folders:
        for path in sorted(pathlib.Path(folder).rglob("*.*")):
            if path.suffix in (".h", ".cpp"):
                for name in types_in(path.read_text()):
                    where[name].append(path.as_posix())
    return where


class TheReader(unittest.TestCase):
    def test_names_carry_their_namespaces_and_the_class_around_them(self):
        text = """namespace a::b { class C final : public D<E> { struct F {}; enum class G : int { kOne }; };
                  template <class T, int N> struct H { T t[N]; }; struct alignas(64) I {}; class Later; }
                  struct a::b::C::J { int x{}; };"""
        self.assertEqual(types_in(text), {"a::b::C", "a::b::C::F", "a::b::C::G", "a::b::H", "a::b::I", "a::b::C::J"})

    def test_what_belongs_to_one_file_is_left_out(self):
        text = """namespace a { namespace { struct B {}; } void f() { struct C {}; auto g = [] { enum D { kE }; }; }
                  struct F* h(struct G g) { return {}; } int i = 1'000'000; char j = '{'; }"""
        self.assertEqual(types_in(text), set())

    def test_comments_literals_and_macros_hide_nothing_and_add_nothing(self):
        text = """// struct A {
                  /* class B { */ const char* c = "{ struct D {"; const char* r = R"x(struct E { )" )x";
                  #define MAKE(X) struct X { \\
                    int i; };
                  namespace n { JOINTRIG_ENUM(F, LIST) struct G { void f() const { if (x < 1) {} } int h; }; }
                  struct I {};"""
        self.assertEqual(types_in(text), {"n::F", "n::G", "I"})

    def test_a_specialisation_is_a_definition_of_its_own(self):
        self.assertEqual(types_in("template <> struct hash<A> {}; template <> struct hash<B> {};"),
                         {"hash<A>", "hash<B>"})


    def test_namespaces_are_told_in_full(self):
        text = """// namespace no {
                  namespace a::b { namespace { struct S {}; } namespace c { void f() { if (x) {} } } }
                  namespace fs = std::filesystem; using namespace d; namespace e { enum F { kG }; }"""
        self.assertEqual(namespaces_in(text), {"a::b", "a::b::c", "e"})


class TheFolders(unittest.TestCase):
    def strangers(self, path: str, text: str) -> list[str]:
        return strangers(pathlib.PurePosixPath(path), text)

    def test_a_folder_opens_its_own_namespace_and_what_is_nested_in_it(self):
        self.assertEqual(self.strangers("gui/view/a.h", "namespace jointrig::gui { namespace detail {} }"), [])
        self.assertEqual(self.strangers("control/core/a.h", "namespace jointrig { namespace { int i; } }"), [])

    def test_the_namespace_of_another_folder_is_told(self):
        self.assertEqual(self.strangers("gui/view/a.h", "namespace jointrig { class C; }"), ["jointrig"])
        self.assertEqual(self.strangers("control/core/a.h", "namespace jointrig { namespace sim { class C; } }"),
                         ["jointrig::sim"])
        self.assertEqual(self.strangers("hw/can/a.h", "namespace jointrig::canopen {}"), ["jointrig::canopen"])

    def test_so_is_a_namespace_or_a_folder_that_nobody_knows(self):
        self.assertEqual(self.strangers("app/a.cpp", "namespace application {}"), ["application"])
        self.assertEqual(self.strangers("hw/new/a.cpp", "namespace jointrig::hw {}"), ["jointrig::hw"])


class TheSearch(unittest.TestCase):
    def test_a_name_in_two_files_is_told_with_both(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("one.h", "other.cpp"):
                pathlib.Path(folder, name).write_text("namespace n { struct Twice {}; }")
            pathlib.Path(folder, "third.h").write_text("namespace m { struct Twice {}; }")
            found = definitions((folder,))
        self.assertEqual([pathlib.Path(path).name for path in found["n::Twice"]], ["one.h", "other.cpp"])
        self.assertEqual(len(found["m::Twice"]), 1)


class TheTree(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.product = definitions(PRODUCT)

    def test_each_type_of_the_product_is_defined_in_one_file(self):
        self.assertGreater(len(self.product), 500, "tests run from the top of the source tree")
        twice = {name: files for name, files in self.product.items() if len(files) > 1}
        self.assertEqual(twice, {}, "undefined behaviour: give each its own name or namespace")

    def test_each_file_opens_the_namespace_of_its_folder(self):
        found = {path.as_posix(): wrong
                 for folder in {name.split("/")[0] for name in NAMESPACES}
                 for path in sorted(pathlib.Path(folder).rglob("*.*"))
                 if path.suffix in (".h", ".cpp") and (wrong := strangers(path, path.read_text()))}
        self.assertEqual(found, {}, "docs/architecture.md says which namespace a folder has")

    def test_neither_tests_nor_benchmarks_define_a_type_of_the_product_again(self):
        beside = definitions(BESIDE)
        again = {name: self.product[name] + files for name, files in beside.items() if name in self.product}
        self.assertEqual(again, {}, "undefined behaviour where both are linked: use an anonymous namespace")


if __name__ == "__main__":
    unittest.main()
