#include "harness/config/yaml_document.h"

#include <cmath>
#include <fstream>
#include <limits>

#include "tests/harness/config/support.h"

namespace jointrig::harness {
namespace {

YamlNode parse(const std::string& text) { return parse_yaml(text, "f.yaml"); }
std::string error_in(const std::string& text) {
  return error_of([&] { return parse(text); });
}

TEST(YamlDocument, KnowsWhereEveryNodeWasWritten) {
  const YamlNode root = parse("a: 1\nlist:\n  - x\n  - {k: v}\n");

  EXPECT_EQ(root.at("a").spot().line, 1);
  EXPECT_EQ(root.at("a").spot().column, 4);
  EXPECT_EQ(root.key_spot("list").line, 2);
  EXPECT_EQ(root.key_spot("list").column, 1);
  const YamlNode& value = root.at("list").items()[1].at("k");
  EXPECT_EQ(value.spot().line, 4);
  EXPECT_EQ(value.spot().column, 9);
  EXPECT_EQ(value.spot().source->name, "f.yaml");
}

TEST(YamlDocument, GivesPlainScalarsTheTypesOfTheCoreSchema) {
  using Kind = YamlNode::Kind;
  const std::pair<const char*, Kind> cases[] = {
      {"~", Kind::kNull},        {"null", Kind::kNull},         {"true", Kind::kBoolean},
      {"False", Kind::kBoolean}, {"yes", Kind::kString},        {"off", Kind::kString},
      {"12", Kind::kNumber},     {"-1.5e-3", Kind::kNumber},    {".5", Kind::kNumber},
      {"+3.", Kind::kNumber},    {".inf", Kind::kNumber},       {"-.INF", Kind::kNumber},
      {".nan", Kind::kNumber},   {"60 deg", Kind::kString},     {"1e", Kind::kString},
      {"0x1F", Kind::kNumber},   {"1.2.3", Kind::kString},      {"'12'", Kind::kString},
      {"\"\"", Kind::kString},   {"!!str true", Kind::kString}, {"[]", Kind::kSequence},
      {"{}", Kind::kMapping}};
  for (const auto& [text, kind] : cases) {
    SCOPED_TRACE(text);
    EXPECT_EQ(parse("k: " + std::string(text)).at("k").kind(), kind);
  }
}

TEST(YamlDocument, ReadsNumbersToTheBit) {
  EXPECT_EQ(parse("0.1").number(), 0.1);
  EXPECT_EQ(parse("-2.5e3").number(), -2500.0);
  EXPECT_EQ(parse("-.inf").number(), -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(parse(".nan").number()));
  EXPECT_TRUE(std::signbit(parse("-0.0").number()));
  EXPECT_EQ(parse("9223372036854775807").integer(), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(parse("1e3").integer(), 1000);
}

TEST(YamlDocument, WritesNumbersThatReadBackToTheBit) {
  for (const double value : {0.1, 1.0 / 3.0, 5e-324, 1.7976931348623157e308, -0.0, 1e22}) {
    const double back = parse(yaml_number(value)).number();
    EXPECT_EQ(back, value);
    EXPECT_EQ(std::signbit(back), std::signbit(value));
  }
  EXPECT_EQ(yaml_number(-std::numeric_limits<double>::infinity()), "-.inf");
}

TEST(YamlDocument, WritesStringsThatReadBack) {
  for (const std::string text : {"r_elbow", "yes", "12", "", "a: b", "\"\\", "tab\tline\n", "true",
                                 "models/x.xml", "-dash", "# no comment", "Grüße", " spaced "}) {
    SCOPED_TRACE(text);
    const YamlNode back = parse("k: " + yaml_string(text)).at("k");
    EXPECT_EQ(back.text(), text);
  }
}

TEST(YamlDocument, ResolvesAnchorsAndMerges) {
  const YamlNode root =
      parse("base: &b {kp: 1, kd: 2}\nmore: &m {kd: 3, ki: 4}\nuse: {<<: [*b, *m], kp: 5}\n");

  const YamlNode& use = root.at("use");
  EXPECT_EQ(use.at("kp").number(), 5.0);  // its own
  EXPECT_EQ(use.at("kd").number(), 2.0);  // of the first that has it
  EXPECT_EQ(use.at("ki").number(), 4.0);
  EXPECT_EQ(use.at("kd").spot().line, 1);  // where it was written
  EXPECT_EQ(use.entries().size(), 3U);
}

TEST(YamlDocument, RefusesAKeyThatIsGivenTwice) {
  EXPECT_EQ(error_in("a: 1\nb: 2\na: 3\n"),
            "f.yaml:3:1: key \"a\" is given twice; first in line 1\n"
            "  a: 3\n"
            "  ^");
}

TEST(YamlDocument, RefusesWhatIsNotYaml) {
  EXPECT_EQ(error_in("a: [1, 2\nb: 3\n"),
            "f.yaml:2:2: this is not YAML: end of sequence flow not found\n"
            "  b: 3\n"
            "   ^");
}

TEST(YamlDocument, RefusesASecondDocument) {
  EXPECT_EQ(sentence_of([] { return parse("a: 1\n---\nb: 1\n"); }),
            "a second document begins here; one file holds one");
}

TEST(YamlDocument, RefusesAnUnknownTag) {
  EXPECT_EQ(error_in("a: !secret x\n"),
            "f.yaml:1:4: the tag \"!secret\" is not known here; leave it out\n"
            "  a: !secret x\n"
            "     ^");
}

TEST(YamlDocument, RefusesAKeyThatIsNoWord) {
  EXPECT_EQ(sentence_of([] { return parse("[1]: 2\n"); }), "a key must be a word, got a list");
}

TEST(YamlDocument, RefusesAnAliasInsideItsOwnAnchor) {
  EXPECT_EQ(sentence_of([] { return parse("a: &x [*x]\n"); }), "an alias inside its own anchor");
}

TEST(YamlDocument, RefusesToMergeWhatIsNoMapping) {
  EXPECT_EQ(sentence_of([] { return parse("a: {<<: 3}\n"); }), "<< takes a mapping, got 3");
}

TEST(YamlDocument, RefusesAliasesThatMultiply) {
  std::string text = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n";
  for (int i = 1; i < 10; ++i) {
    const std::string last = "*a" + std::to_string(i - 1);
    std::string items = last;
    for (int k = 1; k < 10; ++k) items += "," + last;
    text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + items + "]\n";
  }
  EXPECT_EQ(sentence_of([&] { return parse(text); }), "more than 200000 values");
}

TEST(YamlDocument, RefusesEndlessNesting) {
  EXPECT_EQ(sentence_of([] { return parse(std::string(150, '[') + std::string(150, ']')); }),
            "nested deeper than 100 levels");
  std::string chain = "a0: &a0 [x]\n";  // each anchor wraps the one before
  for (int i = 1; i < 150; ++i) {
    const std::string number = std::to_string(i);
    chain += "a" + number + ": &a" + number + " [*a" + std::to_string(i - 1) + "]\n";
  }
  EXPECT_EQ(sentence_of([&] { return parse(chain); }), "nested deeper than 100 levels");
}

TEST(YamlDocument, SaysWhatAValueIsWhereAnotherTypeWasWanted) {
  const YamlNode root = parse("{n: 3, s: fast, b: true, l: [1], f: 1.5, big: 1e999}");
  EXPECT_EQ(sentence_of([&] { return root.at("n").text(); }),
            "expected a string, got 3; put it in quotes");
  EXPECT_EQ(sentence_of([&] { return root.at("l").text(); }), "expected a string, got a list");
  EXPECT_EQ(sentence_of([&] { return root.at("s").number(); }), "expected a number, got \"fast\"");
  EXPECT_EQ(sentence_of([&] { return root.at("s").boolean(); }),
            "expected true or false, got \"fast\"");
  EXPECT_EQ(sentence_of([&] { return root.at("f").integer(); }),
            "expected a whole number, got 1.5");
  EXPECT_EQ(sentence_of([&] { return root.at("s").items(); }), "expected a list, got \"fast\"");
  EXPECT_EQ(sentence_of([&] { return root.at("b").entries(); }), "expected a mapping, got true");
  EXPECT_EQ(sentence_of([&] { return root.at("none"); }), "key \"none\" is missing");
  EXPECT_EQ(sentence_of([&] { return root.at("big").number(); }),
            "the number 1e999 is out of range");
}

TEST(YamlDocument, AnEmptyFileIsNothing) {
  EXPECT_TRUE(parse("").is_null());
  EXPECT_TRUE(parse("# a comment\n").is_null());
  EXPECT_EQ(parse("").spot().line, 1);
}

TEST(YamlDocument, SaysWhichFileCannotBeRead) {
  EXPECT_EQ(error_of([] { return load_yaml("no/such.yaml"); }),
            "no/such.yaml: there is no such file");
  EXPECT_EQ(error_of([] { return load_yaml("tests"); }), "tests: this is not a file");
}

TEST(YamlDocument, PutsTheCaretUnderTheCharacterNotTheByte) {
  EXPECT_EQ(error_in("größe: !x 1\n"),
            "f.yaml:1:8: the tag \"!x\" is not known here; leave it out\n"
            "  größe: !x 1\n"
            "         ^");
}

TEST(YamlDocument, ShowsTheNeighbourhoodOfALongLine) {
  const std::string text =
      error_in("{" + std::string(500, ' ') + "a: !x 1" + std::string(500, ' ') + "}\n");
  const std::size_t line = text.find('\n') + 1;
  const std::size_t caret = text.find('\n', line) + 1;
  EXPECT_LE(caret - line, 103U);
  EXPECT_EQ(text.substr(line + text.substr(caret).find('^'), 2), "!x");
}

TEST(YamlDocument, MergesMappingsAndReplacesTheRest) {
  const YamlNode base = parse("{a: {x: 1, y: 2}, l: [1, 2], k: 1}");
  const YamlNode over = parse_yaml("{a: {y: 3, z: 4}, l: [9], k: ~}", "over.yaml");

  const YamlNode both = merged(base, over);

  EXPECT_EQ(both.at("a").at("x").number(), 1.0);
  EXPECT_EQ(both.at("a").at("y").number(), 3.0);
  EXPECT_EQ(both.at("a").at("z").number(), 4.0);
  EXPECT_EQ(both.at("l").items().size(), 1U);
  EXPECT_EQ(both.at("k").number(), 1.0);  // null changes nothing
  EXPECT_EQ(both.at("a").at("y").spot().source->name, "over.yaml");
  EXPECT_EQ(base.at("a").at("y").number(), 2.0);  // as it was
}

TEST(YamlDocument, PathsAreRelativeToTheFileThatNamesThem) {
  const YamlNode in_folder = parse_yaml("p: ../b/m.xml", "models/a/robot.yaml");
  EXPECT_EQ(path_beside(in_folder.at("p")), "models/b/m.xml");
  EXPECT_EQ(path_beside(parse("p: m.xml").at("p")), "m.xml");
  EXPECT_EQ(path_beside(parse("p: /m.xml").at("p")), "/m.xml");
  EXPECT_EQ(path_beside(parse_yaml_argument("m.xml", "--set model=m.xml")), "m.xml");
}

TEST(Problems, AreToldInTheOrderOfTheFileTenAtMost) {
  const YamlNode root = parse("a: 1\nb: 2\n");
  Problems problems;
  for (int i = 0; i < 11; ++i) problems.add(root.at("b").spot(), "late " + std::to_string(i));
  problems.add(root.at("a").spot(), "early");

  const std::string text = error_of([&] { return problems.throw_if_any(); });

  EXPECT_TRUE(text.starts_with("f.yaml:1:4: early\n")) << text;
  EXPECT_TRUE(text.ends_with("(and 2 more)")) << text;
}

}  // namespace
}  // namespace jointrig::harness
