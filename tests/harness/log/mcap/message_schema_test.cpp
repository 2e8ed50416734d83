#include "harness/log/mcap/message_schema.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "harness/log/mcap/message_values.h"
#include "harness/log/mcap/standard_messages.h"
#include "harness/log/mcap/struct_schema.h"

namespace jointrig::harness {
namespace {

using Fields = std::vector<MessageField>;

TEST(MessageSchema, WritesTheDefinitionThatRosToolsRead) {
  const MessageSchema schema(
      "pkg/msg/Thing",
      Fields{{.name = "stamp", .type = FieldType::kMessage, .message = time_schema()},
             {.name = "q", .unit = "rad", .comment = "measured"},
             {.name = "name", .type = FieldType::kString, .shape = FieldShape::kSequence},
             {.name = "wrench", .unit = "N", .shape = FieldShape::kArray, .count = 6},
             {.name = "on", .type = FieldType::kBool, .comment = "no unit"}},
      {{"OFF", FieldType::kUint8, 0}});
  EXPECT_EQ(schema.definition(),
            "uint8 OFF=0\n"
            "builtin_interfaces/Time stamp\n"
            "float64 q  # [rad] measured\n"
            "string[] name\n"
            "float64[6] wrench  # [N]\n"
            "bool on  # no unit\n"
            "==========================================================================="
            "=====\n"
            "MSG: builtin_interfaces/Time\n"
            "int32 sec\n"
            "uint32 nanosec\n");
}

TEST(MessageSchema, ReadsItsOwnDefinitionBack) {
  for (const SchemaPtr& schema : {joint_state_schema(), log_schema(), header_schema()}) {
    SCOPED_TRACE(schema->name());
    const SchemaPtr again = MessageSchema::parse(schema->name(), schema->definition());
    EXPECT_EQ(again->definition(), schema->definition());
    EXPECT_EQ(again->leaves().size(), schema->leaves().size());
  }
}

TEST(MessageSchema, UnfoldsNestedMessages) {
  const auto leaves = joint_state_schema()->leaves();
  ASSERT_EQ(leaves.size(), 7U);
  EXPECT_EQ(leaves[0].path, "header.stamp.sec");
  EXPECT_EQ(leaves[2].path, "header.frame_id");
  EXPECT_EQ(leaves[6].path, "effort");
}

TEST(MessageSchema, RefusesNamesThatRosToolsRefuse) {
  for (const char* name : {"", "Q", "1q", "q_", "q__dot", "q-dot", "q dot"}) {
    EXPECT_THROW(MessageSchema("pkg/msg/Thing", Fields{{.name = name}}), std::invalid_argument)
        << name;
  }
  for (const char* name : {"Thing", "pkg/Thing", "pkg/msg/thing", "pkg/msg/", "Pkg/msg/Thing"}) {
    EXPECT_THROW(MessageSchema(name, Fields{{.name = "q"}}), std::invalid_argument) << name;
  }
}

TEST(MessageSchema, RefusesWhatWouldSpoilItsText) {
  EXPECT_THROW(MessageSchema("p/msg/T", Fields{{.name = "q"}, {.name = "q"}}),
               std::invalid_argument);
  EXPECT_THROW(MessageSchema("p/msg/T", Fields{{.name = "q", .comment = "a\nfloat64 b"}}),
               std::invalid_argument);
  EXPECT_THROW(MessageSchema("p/msg/T", Fields{{.name = "q", .unit = "a]"}}),
               std::invalid_argument);
  EXPECT_THROW(MessageSchema("p/msg/T", Fields{}), std::invalid_argument);
  EXPECT_THROW(MessageSchema("p/msg/T", Fields{{.name = "q", .type = FieldType::kMessage}}),
               std::invalid_argument);
}

TEST(MessageSchema, SaysWhichLineOfADefinitionItDoesNotUnderstand) {
  const auto sentence = [](const char* text) -> std::string {
    try {
      MessageSchema::parse("pkg/msg/Thing", text);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(sentence("float64 q\nint32[<=3] few\n").find("int32[<=3] few"), std::string::npos);
  EXPECT_NE(sentence("word\n").find("word"), std::string::npos);
  EXPECT_NE(sentence("other/Thing thing\n").find("other/msg/Thing is used but not defined"),
            std::string::npos);
  EXPECT_NE(sentence("pkg/Thing again\n").find("nests too deep"), std::string::npos);
}

enum class Mode : std::uint8_t { kIdle = 0, kOn = 3 };

struct Tight {
  TimeStamp stamp;
  double q = 0;
  std::array<double, 3> force = {};
  float temperature = 0;
  Mode mode = Mode::kIdle;
  bool limited = false;
};

TEST(StructSchema, EncodesAsTheMembersOneByOne) {
  StructSchema<Tight> schema("pkg/msg/Tight");
  schema.field("stamp", &Tight::stamp).field("q", &Tight::q, "rad").field("force", &Tight::force);
  schema.field("temperature", &Tight::temperature).field("mode", &Tight::mode);
  schema.field("limited", &Tight::limited);
  const Tight sample{{5, 6}, -0.25, {1, 2, 3}, 36.5F, Mode::kOn, true};

  std::array<std::byte, 64> expected_bytes{};
  CdrWriter expected(expected_bytes);
  expected.put(std::int32_t{5});
  expected.put(std::uint32_t{6});
  expected.put(-0.25);
  expected.put_array(std::span<const double>(sample.force));
  expected.put(36.5F);
  expected.put(std::uint8_t{3});
  expected.put(true);

  std::array<std::byte, 64> encoded{};
  schema.encode(sample, encoded.data());
  ASSERT_EQ(schema.encoded_size(), expected.size());
  EXPECT_EQ(std::memcmp(encoded.data(), expected_bytes.data(), expected.size()), 0);
  EXPECT_NE(schema.schema()->definition().find("float64[3] force\n"), std::string::npos);
  EXPECT_NE(schema.schema()->definition().find("uint8 mode\n"), std::string::npos);
}

struct Holey {
  bool on = false;
  double q = 0;
  std::uint16_t limits = 0;
  double unused = 0;
  std::int64_t count = 0;
};

TEST(StructSchema, NeedsNoOrderAndKeepsPaddingOutOfTheFile) {
  StructSchema<Holey> schema("pkg/msg/Holey");
  schema.field("count", &Holey::count).field("on", &Holey::on).field("q", &Holey::q);
  schema.field("limits", &Holey::limits);

  // A sample whose padding and unused member hold rubbish.
  Holey sample;
  std::memset(static_cast<void*>(&sample), 0xEE, sizeof sample);
  sample.on = true;
  sample.q = 2.5;
  sample.limits = 9;
  sample.count = -4;

  std::array<std::byte, 64> expected_bytes{};
  CdrWriter expected(expected_bytes);
  expected.put(std::int64_t{-4});
  expected.put(true);
  expected.put(2.5);
  expected.put(std::uint16_t{9});

  std::array<std::byte, 64> encoded{};
  encoded.fill(std::byte{0xDD});
  schema.encode(sample, encoded.data());
  ASSERT_EQ(schema.encoded_size(), expected.size());
  EXPECT_EQ(std::memcmp(encoded.data(), expected_bytes.data(), expected.size()), 0);
  EXPECT_EQ(encoded.at(expected.size()), std::byte{0xDD});
}

TEST(SchemaEncoder, IsIncompleteWhenAFieldIsForgottenOrOfAnotherType) {
  const MessageSchema schema("p/msg/T", Fields{{.name = "a"}, {.name = "b"}});
  std::array<std::byte, 64> buffer{};
  SchemaEncoder forgot(schema, buffer);
  forgot.put(1.0);
  EXPECT_FALSE(forgot.complete());

  SchemaEncoder mistaken(schema, buffer);
  mistaken.put(1.0);
  mistaken.put(std::int32_t{1});
  EXPECT_FALSE(mistaken.complete());

  SchemaEncoder right(schema, buffer);
  right.put(1.0);
  right.put(2.0);
  EXPECT_TRUE(right.complete());
}

TEST(StandardMessages, FitIntoTheirBoundAndRefuseLess) {
  const std::vector<std::string> names(9, "a_joint_with_a_longer_name");
  const std::vector<double> values(9, 1.5);
  const JointStateView joints{to_stamp(1'500'000'000), "base", names, values, values, values};
  const LogView line{to_stamp(0), LogLevel::kError, "j1", "too hot", "a.yaml", "", 12};

  std::vector<std::byte> room(size_bound(joints));
  const std::size_t used = encode(joints, room).size();
  EXPECT_GT(used, 0U);
  EXPECT_TRUE(encode(joints, std::span(room).first(used - 1)).empty());

  std::vector<std::byte> log_room(size_bound(line));
  EXPECT_GT(encode(line, log_room).size(), 0U);
}

TEST(StandardMessages, StampsSplitSecondsAndNanoseconds) {
  EXPECT_EQ(to_stamp(12'000'000'034), (TimeStamp{12, 34}));
  EXPECT_EQ(to_stamp(999'999'999), (TimeStamp{0, 999'999'999}));
}

}  // namespace
}  // namespace jointrig::harness
