#include "harness/config/schema.h"

#include <stdexcept>

#include "tests/harness/config/support.h"

namespace jointrig::harness {
namespace {

constexpr const char* kSchema = R"({
  "type": "object", "additionalProperties": false, "required": ["name"],
  "properties": {
    "name": {"type": "string", "pattern": "^[a-z]+$"},
    "count": {"type": "integer", "minimum": 1, "maximum": 5},
    "speed": {"type": ["number", "string"], "x-unit": "rad/s|m/s", "exclusiveMinimum": 0},
    "share": {"type": ["number", "string"], "x-unit": "1", "maximum": 1},
    "open": {"type": ["number", "string"], "x-unit": "rad", "x-infinite": true},
    "on": {"type": "boolean"},
    "mode": {"type": "string", "enum": ["hold", "decelerate"]},
    "version": {"const": 1},
    "words": {"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 3,
              "uniqueItems": true},
    "wait": {"anyOf": [
      {"type": ["number", "string"], "x-unit": "s"},
      {"type": "object", "additionalProperties": false, "properties": {
        "until": {"type": "string"}, "timeout": {"type": ["number", "string"], "x-unit": "s"}}},
      {"type": "object", "additionalProperties": false, "properties": {
        "event": {"type": "string"}, "joint": {"type": "string"}}}]},
    "step": {"$ref": "#/definitions/step"}
  },
  "definitions": {"step": {
    "type": "object", "additionalProperties": false, "x-one-of": ["move", "stop"],
    "properties": {"move": {"type": "object", "additionalProperties": {"type": "number"}},
                   "stop": {"type": "boolean"}, "repeat": {"type": "array",
                   "items": {"$ref": "#/definitions/step"}}}}}
})";

const Schema& schema() {
  static const Schema kParsed(kSchema);
  return kParsed;
}

std::string schema_errors(const std::string& text) {
  return error_of([&] { return schema().check(parse_yaml(text, "f.yaml")); });
}
std::string schema_sentence(const std::string& keys) {
  return sentence_of([&] { return schema().check(parse_yaml("name: arm\n" + keys, "f.yaml")); });
}

TEST(Schema, TakesWhatFits) {
  EXPECT_EQ(
      schema_errors("{name: arm, count: 5, speed: 30 deg/s, share: 20 %, on: true, mode: hold,"
                    " version: 1, words: [a, b], wait: 2 s, step: {move: {r_elbow: 1}}}"),
      "");
  EXPECT_EQ(schema_errors("{name: arm, wait: {until: done, timeout: 200 ms}, open: .inf}"), "");
}

TEST(Schema, AnUnknownKeyGetsTheNearestOne) {
  EXPECT_EQ(schema_errors("name: arm\nstep:\n  mvoe: {r_elbow: 1}\n"),
            "f.yaml:3:3: unknown key \"mvoe\" in step; did you mean \"move\"?\n"
            "    mvoe: {r_elbow: 1}\n"
            "    ^");
  EXPECT_EQ(schema_sentence("colour: red"), "unknown key \"colour\"");
}

TEST(Schema, AMisspeltKeyIsNotCalledMissingAsWell) {
  EXPECT_EQ(schema_errors("nam: arm\n"),
            "f.yaml:1:1: unknown key \"nam\"; did you mean \"name\"?\n"
            "  nam: arm\n"
            "  ^");
}

TEST(Schema, AMissingKeyIsNamed) {
  EXPECT_EQ(schema_errors("count: 1\n"),
            "f.yaml:1:1: key \"name\" is missing\n"
            "  count: 1\n"
            "  ^");
}

TEST(Schema, AWrongTypeIsNamedWithWhatWasWanted) {
  EXPECT_EQ(sentence_of([] { return schema().check(parse_yaml("name: 3", "f.yaml")); }),
            "name: expected a string, got 3; put it in quotes");
  EXPECT_EQ(schema_sentence("on: yes"), "on: expected true or false, got \"yes\"");
  EXPECT_EQ(schema_sentence("step: 3"), "step: expected a mapping, got 3");
  EXPECT_EQ(schema_sentence("words: a"), "words: expected a list, got \"a\"");
  EXPECT_EQ(schema_sentence("words: [a, 2]"),
            "words[1]: expected a string, got 2; put it in quotes");
  EXPECT_EQ(schema_sentence("count: 1.5"), "count: expected a whole number, got 1.5");
  EXPECT_EQ(schema_sentence("step:"), "step: expected a mapping, got nothing");
  EXPECT_EQ(sentence_of([] { return schema().check(parse_yaml("[1]", "f.yaml")); }),
            "expected a mapping, got a list");
}

TEST(Schema, AValueOutOfRangeIsHeldAgainstItsLimit) {
  EXPECT_EQ(schema_sentence("count: 0"), "count: 0 is below the minimum, 1");
  EXPECT_EQ(schema_sentence("count: 6"), "count: 6 is above the maximum, 5");
  EXPECT_EQ(schema_sentence("speed: -3 deg/s"), "speed: -3 deg/s is not above 0 rad/s");
  EXPECT_EQ(schema_sentence("speed: 0 m/s"), "speed: 0 m/s is not above 0 m/s");
  EXPECT_EQ(schema_sentence("speed: 0"), "speed: 0 is not above 0");
  EXPECT_EQ(schema_sentence("share: 120 %"), "share: 120 % is above the maximum, 1");
}

TEST(Schema, OnlyWhatMayBeInfiniteIs) {
  EXPECT_EQ(schema_sentence("speed: .inf"), "speed: .inf is not a finite number");
  EXPECT_EQ(schema_sentence("speed: .nan"), "speed: .nan is not a finite number");
  EXPECT_EQ(schema_sentence("open: .nan"), "open: .nan is not a finite number");
  EXPECT_EQ(schema_sentence("open: -.inf"), "");
}

TEST(Schema, AUnitOfAnotherDimensionIsRefused) {
  EXPECT_EQ(
      schema_sentence("speed: 3 deg"),
      "speed: expected an angular speed (rad/s, deg/s) or a speed (m/s), got 3 deg, an angle");
}

TEST(Schema, AWordThatIsNotInTheListGetsTheNearest) {
  EXPECT_EQ(schema_sentence("mode: hald"),
            "mode: \"hald\" is not one of hold, decelerate; did you mean \"hold\"?");
  EXPECT_EQ(schema_sentence("version: 2"), "version: 2 is not 1");
}

TEST(Schema, AListOfAnotherLengthIsCounted) {
  EXPECT_EQ(schema_sentence("words: [a]"), "words: expected at least 2 values, got 1");
  EXPECT_EQ(schema_sentence("words: [a, b, c, d]"), "words: expected at most 3 values, got 4");
  EXPECT_EQ(schema_sentence("words: [a, b, a]"), "words: \"a\" is given twice");
}

TEST(Schema, OfAlternativesTheOneThatWasMeantIsExplained) {
  EXPECT_EQ(schema_sentence("wait: 2 m"), "wait: expected a time (s, ms), got 2 m, a length");
  EXPECT_EQ(schema_sentence("wait: {until: done, tiemout: 2 s}"),
            "unknown key \"tiemout\" in wait; did you mean \"timeout\"?");
  EXPECT_EQ(schema_sentence("wait: {event: fault, jiont: r_elbow}"),
            "unknown key \"jiont\" in wait; did you mean \"joint\"?");
  EXPECT_EQ(schema_sentence("wait: [1]"),
            "wait: expected a number with or without a unit, got a list");
}

TEST(Schema, ExactlyOneOfSomeKeys) {
  EXPECT_EQ(schema_sentence("step: {}"), "one of these keys is missing in step: move, stop");
  EXPECT_EQ(schema_sentence("step: {move: {}, stop: true}"),
            "only one of \"move\", \"stop\" can be given in step");
}

TEST(Schema, ReferencesMayComeBackToThemselves) {
  EXPECT_EQ(schema_sentence("step: {stop: true, repeat: [{stop: true, repeat: [{stpo: true}]}]}"),
            "unknown key \"stpo\" in repeat[0]; did you mean \"stop\"?");
}

TEST(Schema, WhatOnlyTheStandardsValidatorSeesIsShownAtItsPlace) {
  EXPECT_EQ(schema_errors("name: Arm7\n"),
            "f.yaml:1:7: name: Failed to match regex specified by 'pattern' constraint.\n"
            "  name: Arm7\n"
            "        ^");
}

TEST(Schema, TellsOfEverythingThatIsWrong) {
  const std::string text = schema_errors("name: arm\ncount: 9\nmode: hald\nspeed: fast\n");
  EXPECT_NE(text.find("f.yaml:2:8: count"), std::string::npos) << text;
  EXPECT_NE(text.find("f.yaml:3:7: mode"), std::string::npos) << text;
  EXPECT_NE(text.find("f.yaml:4:8: speed"), std::string::npos) << text;
}

TEST(Schema, ImportsOtherSchemas) {
  const Schema outer(R"({"type": "object", "properties": {
                         "inner": {"$ref": "inner.json#/definitions/step"}}})",
                     {{"inner.json", kSchema}});
  EXPECT_EQ(sentence_of([&] { return outer.check(parse_yaml("inner: {stpo: true}", "f.yaml")); }),
            "unknown key \"stpo\" in inner; did you mean \"stop\"?");
}

TEST(Schema, ASlipInASchemaIsFoundWhenItIsRead) {
  EXPECT_THROW(Schema(R"({"type": "object", "propperties": {}})"), std::logic_error);
  EXPECT_THROW(Schema(R"({"properties": {"a": {"minimun": 1}}})"), std::logic_error);
}

}  // namespace
}  // namespace jointrig::harness
