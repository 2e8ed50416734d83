#include "harness/config/yaml_edit.h"

#include <gtest/gtest.h>

namespace jointrig::harness {
namespace {

std::string edited(std::string_view text, std::vector<std::string> path, std::string value) {
  return edited_yaml(text, "robot.yaml", {{std::move(path), std::move(value)}});
}

TEST(YamlEdit, AValueIsPutInPlaceOfAValueAndEveryOtherByteStays) {
  EXPECT_EQ(edited("# a robot\n"
                   "schema: 1   # of the file\n"
                   "\n"
                   "joints:\n"
                   "  # the elbow is weak\n"
                   "  elbow:   {kp: 350 Nm/rad, kd: 7}   # tuned by hand\n"
                   "  wrist:\n"
                   "    kp:    12\t# soft\n"
                   "    kd: 1\n",
                   {"joints", "wrist", "kp"}, "20 Nm/rad"),
            "# a robot\n"
            "schema: 1   # of the file\n"
            "\n"
            "joints:\n"
            "  # the elbow is weak\n"
            "  elbow:   {kp: 350 Nm/rad, kd: 7}   # tuned by hand\n"
            "  wrist:\n"
            "    kp:    20 Nm/rad\t# soft\n"
            "    kd: 1\n");
}

TEST(YamlEdit, AValueWithSpacesInsideBracesIsReplacedAsAWhole) {
  EXPECT_EQ(edited("joints: {elbow: {kp: 350 Nm/rad , kd: 7}}\n", {"joints", "elbow", "kp"}, "1"),
            "joints: {elbow: {kp: 1 , kd: 7}}\n");
}

TEST(YamlEdit, QuotesGoWithTheValueTheyBelongTo) {
  EXPECT_EQ(edited("a: \"1 \\\" #\" # why\n", {"a"}, "2"), "a: 2 # why\n");
  EXPECT_EQ(edited("a: {b: 'it''s', c: 3}\n", {"a", "b"}, "2"), "a: {b: 2, c: 3}\n");
}

TEST(YamlEdit, ANewKeyJoinsTheOthersInsideBraces) {
  EXPECT_EQ(edited("joints:\n  elbow: {kp: 350}  # here\n  wrist: {kp: 12}\n",
                   {"joints", "elbow", "kd"}, "7"),
            "joints:\n  elbow: {kp: 350, kd: 7}  # here\n  wrist: {kp: 12}\n");
  EXPECT_EQ(edited("joints: {}\n", {"joints", "elbow", "kd"}, "7"), "joints: {elbow: {kd: 7}}\n");
  EXPECT_EQ(edited("a: {b: [1,\n  2], c: {d: 1}}\n", {"a", "e"}, "7"),
            "a: {b: [1,\n  2], c: {d: 1}, e: 7}\n");
}

TEST(YamlEdit, ANewKeyGetsALineBehindTheLastOfItsMapping) {
  EXPECT_EQ(edited("joints:\n"
                   "    elbow:\n"
                   "        kp: 350   # tuned\n"
                   "\n"
                   "# the rest\n"
                   "plant: {seed: 1}\n",
                   {"joints", "elbow", "kd"}, "7"),
            "joints:\n"
            "    elbow:\n"
            "        kp: 350   # tuned\n"
            "        kd: 7\n"
            "\n"
            "# the rest\n"
            "plant: {seed: 1}\n");
}

TEST(YamlEdit, AJointThatIsNotThereYetGetsALineOfItsOwn) {
  EXPECT_EQ(
      edited("joints:\n  elbow: {kp: 350}\nplant: {seed: 1}\n", {"joints", "wrist", "kp"}, "12"),
      "joints:\n  elbow: {kp: 350}\n  wrist: {kp: 12}\nplant: {seed: 1}\n");
}

TEST(YamlEdit, KeysThatAreMissingAltogetherAreAddedAtTheEnd) {
  EXPECT_EQ(
      edited("schema: 1\nparts:\n  arm: [elbow,\n    wrist]\n", {"joints", "elbow", "kp"}, "350"),
      "schema: 1\nparts:\n  arm: [elbow,\n    wrist]\njoints:\n  elbow: {kp: 350}\n");
  EXPECT_EQ(edited("schema: 1", {"joints", "elbow", "kp"}, "350"),
            "schema: 1\njoints:\n  elbow: {kp: 350}");
  EXPECT_EQ(edited("", {"joints", "elbow", "kp"}, "350"), "joints:\n  elbow: {kp: 350}\n");
}

TEST(YamlEdit, AnEmptyKeyIsFilled) {
  EXPECT_EQ(edited("joints:   # none yet\nplant: {seed: 1}\n", {"joints", "elbow", "kp"}, "350"),
            "joints:   # none yet\n  elbow: {kp: 350}\nplant: {seed: 1}\n");
  EXPECT_EQ(edited("name:  # to come\n", {"name"}, "elbow"), "name: elbow  # to come\n");
}

TEST(YamlEdit, LineEndsOfWindowsAndLettersOfAnyScriptStay) {
  EXPECT_EQ(edited("# Größe °\r\njoints:\r\n  \"ελ\": {kp: 350, 'ü': 2}\r\n",
                   {"joints", "ελ", "kp"}, "7"),
            "# Größe °\r\njoints:\r\n  \"ελ\": {kp: 7, 'ü': 2}\r\n");
  EXPECT_EQ(edited("joints:\r\n  elbow:\r\n    kp: 3\r\n", {"joints", "elbow", "kd"}, "7"),
            "joints:\r\n  elbow:\r\n    kp: 3\r\n    kd: 7\r\n");
}

TEST(YamlEdit, SeveralEditsAreCarriedOutInTurn) {
  EXPECT_EQ(edited_yaml("schema: 1\n", "robot.yaml",
                        {{{"joints", "elbow", "kp"}, "350"},
                         {{"joints", "elbow", "kd"}, "7"},
                         {{"joints", "wrist", "kp"}, "12"}}),
            "schema: 1\njoints:\n  elbow: {kp: 350, kd: 7}\n  wrist: {kp: 12}\n");
}

TEST(YamlEdit, AMergedKeyIsSetInItsOwnMappingAndNotWhereItWasWritten) {
  EXPECT_EQ(edited("strong: &strong {kp: 350, kd: 7}\n"
                   "joints:\n"
                   "  elbow: {<<: *strong, ki: 1}\n"
                   "  wrist: {<<: *strong}\n",
                   {"joints", "elbow", "kp"}, "100"),
            "strong: &strong {kp: 350, kd: 7}\n"
            "joints:\n"
            "  elbow: {<<: *strong, ki: 1, kp: 100}\n"
            "  wrist: {<<: *strong}\n");
}

TEST(YamlEdit, AnAliasIsRefusedWithItsPlace) {
  try {
    static_cast<void>(edited("strong: &strong {kp: 350}\njoints:\n  elbow: *strong\n",
                             {"joints", "elbow", "kp"}, "100"));
    FAIL();
  } catch (const FileError& error) {
    EXPECT_EQ(error.line(), 3);
    EXPECT_NE(error.sentence().find("alias"), std::string::npos);
  }
}

TEST(YamlEdit, AListOrAMappingInPlaceOfTheValueIsRefused) {
  EXPECT_THROW(static_cast<void>(edited("a: [1, 2]\n", {"a"}, "3")), FileError);
  EXPECT_THROW(static_cast<void>(edited("a: {b: 1}\n", {"a"}, "3")), FileError);
  EXPECT_THROW(static_cast<void>(edited("a: [1, 2]\n", {"a", "b"}, "3")), FileError);
  EXPECT_THROW(static_cast<void>(edited("a: word\n", {"a", "b"}, "3")), FileError);
}

TEST(YamlEdit, AnEditWithoutAKeyIsRefused) {
  EXPECT_THROW(static_cast<void>(edited("word\n", {}, "3")), FileError);
  EXPECT_THROW(static_cast<void>(edited("", {}, "3")), FileError);
}

TEST(YamlEdit, AValueOverSeveralLinesIsRefused) {
  EXPECT_THROW(static_cast<void>(edited("a: >-\n  some\n  words\nb: 1\n", {"a"}, "3")), FileError);
}

std::string with_item(std::string_view text) {
  return with_item_value(text, "a.yaml", {"steps", 1, "way", {"a: 1", "b:", "  - 2"}, "{a: 1}"});
}

TEST(YamlEdit, AValueInAListIsReplacedByLinesOrInBracketsAsItStood) {
  EXPECT_EQ(
      with_item("steps:\n  - wait: 1\n  - name: x\n    way:  # old\n      c: 3\n      d: [4,\n"
                "        5]  # end\n  - wait: 2\n"),
      "steps:\n  - wait: 1\n  - name: x\n    way:\n      a: 1\n      b:\n        - 2  # end\n"
      "  - wait: 2\n");
  EXPECT_EQ(with_item("steps: [{wait: 1}, {way: {c: 3, d: '}'}, name: x}]\n"),
            "steps: [{wait: 1}, {way: {a: 1}, name: x}]\n");
}

TEST(YamlEdit, AValueInAListThatStandsElsewhereIsRefused) {
  EXPECT_THROW(with_item("steps: [{wait: 1}, {wait: 2}]\n"), FileError);
  EXPECT_THROW(with_item("steps: [{wait: 1}]\n"), FileError);
  EXPECT_THROW(with_item("old: &old {c: 3}\nsteps: [{wait: 1}, {way: *old}]\n"), FileError);
  EXPECT_THROW(with_item("other: 1\n"), FileError);
}

TEST(LineDiff, ShowsWhatWentAndWhatCameWithALineAround) {
  EXPECT_EQ(line_diff("a\nb\nc\nd\ne\n", "a\nb\nC\nd\ne\nf\n"),
            "     2  b\n"
            "-    3  c\n"
            "+    3  C\n"
            "     4  d\n"
            "     5  e\n"
            "+    6  f\n");
  EXPECT_EQ(line_diff("a\n", "a\n"), "");
}

}  // namespace
}  // namespace jointrig::harness
