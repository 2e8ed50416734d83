#include "harness/log/mcap/csv_export.h"

#include <unistd.h>

#include <sstream>

#include "tests/harness/log/mcap/log_fixture.h"

namespace jointrig::harness {
namespace {

class CsvExportTest : public LogTest {
 protected:
  std::string csv(const CsvOptions& options = {}) {
    std::ostringstream out;
    report_ = export_csv(path("log.mcap"), options, out);
    return out.str();
  }

  std::string sentence(const CsvOptions& options) {
    try {
      csv(options);
    } catch (const LogFileError& error) {
      return error.what();
    }
    return "";
  }

  CsvReport report_;
};

TEST_F(CsvExportTest, HasARowForEachTimeAndEmptyCellsWhereAChannelIsSilent) {
  McapWriter log(path("log.mcap"));
  const auto a = log.add_channel("/a", number_schema());
  const auto b = log.add_channel("/b", number_schema());
  log.write(a, 0, Number{0.1});
  log.write(b, 0, Number{-2});
  log.write(a, 1'000'000, Number{1e-300});
  log.write(b, 12'000'000'001, Number{3});
  log.close();
  EXPECT_EQ(csv(),
            "time [s],/a.value [rad],/b.value [rad]\n"
            "0.000000000,0.1,-2\n"
            "0.001000000,1e-300,\n"
            "12.000000001,,3\n");
  EXPECT_EQ(report_.rows, 3U);
  EXPECT_EQ(report_.columns, 3U);
  EXPECT_FALSE(report_.log_was_cut);
}

TEST_F(CsvExportTest, OrdersByTimeAndGivesTwoRowsToTwoMessagesOfOneTime) {
  McapWriter log(path("log.mcap"));
  const auto a = log.add_channel("/a", number_schema());
  const auto b = log.add_channel("/b", number_schema());
  for (const std::int64_t t : {2, 2, 1}) log.write(a, t, Number{static_cast<double>(t)});
  log.flush();
  log.write(b, 1, Number{7});
  log.close();
  EXPECT_EQ(csv(),
            "time [s],/a.value [rad],/b.value [rad]\n"
            "0.000000001,1,7\n"
            "0.000000002,2,\n"
            "0.000000002,2,\n");
}

TEST_F(CsvExportTest, QuotesTextAndJoinsTheHalvesOfAStamp) {
  McapWriter log(path("log.mcap"));
  const auto events = log.add_channel<LogView>("/events");
  log.write(events, 5, LogView{{3, 40}, LogLevel::kWarn, "a,b", "he said \"no\"", "", "f", 9});
  log.close();
  EXPECT_EQ(csv(),
            "time [s],/events.stamp [s],/events.level,/events.name,/events.msg,/events.file,"
            "/events.function,/events.line\n"
            "0.000000005,3.000000040,30,\"a,b\",\"he said \"\"no\"\"\",,f,9\n");
}

TEST_F(CsvExportTest, SelectsFieldsTopicsAndTimes) {
  McapWriter log(path("log.mcap"));
  JointSignals signals;
  for (const char* topic : {"/j/elbow", "/j/wrist", "/other"}) {
    const auto channel = log.add_channel(topic, joint_sample_schema());
    for (int i = 0; i < 10; ++i) log.write(channel, i * 1'000'000, signals.at(i, 0));
  }
  log.close();
  CsvOptions options;
  options.select = {"/j/*.q", "/other.stamp"};
  options.from_ns = 3'000'000;
  options.to_ns = 4'000'000;
  const std::string table = csv(options);
  EXPECT_EQ(table.substr(0, table.find('\n')),
            "time [s],/j/elbow.q [rad],/j/wrist.q [rad],/other.stamp [s]");
  EXPECT_EQ(report_.rows, 2U);

  options.select = {"/j/wrist"};
  csv(options);
  EXPECT_EQ(report_.columns, 1 + joint_sample_schema().schema()->leaves().size() - 1);
}

TEST_F(CsvExportTest, SpreadsSequencesOverAsManyColumnsAsTheLongestNeeds) {
  const std::vector<std::string> names = {"a", "b"};
  const std::vector<double> two = {1, 2};
  const std::vector<double> three = {1, 2, 3};
  McapWriter log(path("log.mcap"));
  const auto joints = log.add_channel<JointStateView>("/joint_states");
  log.write(joints, 1, JointStateView{{}, "", names, two, {}, {}});
  log.flush();
  EXPECT_EQ(csv({.select = {"/joint_states.position", "/joint_states.name"}}),
            "time [s],/joint_states.name[0],/joint_states.name[1],/joint_states.position[0],"
            "/joint_states.position[1]\n"
            "0.000000001,a,b,1,2\n");
  EXPECT_TRUE(report_.log_was_cut);  // not closed yet

  log.write(joints, 2, JointStateView{{}, "", names, three, {}, {}});
  log.write(joints, 3, JointStateView{{}, "", {}, {}, {}, {}});
  log.close();
  EXPECT_EQ(csv({.select = {"/joint_states.position"}}),
            "time [s],/joint_states.position[0],/joint_states.position[1],"
            "/joint_states.position[2]\n"
            "0.000000001,1,2,\n"
            "0.000000002,1,2,3\n"
            "0.000000003,,,\n");
  EXPECT_EQ(csv({.select = {"/joint_states.position"}, .to_ns = 1}),
            "time [s],/joint_states.position[0],/joint_states.position[1]\n"
            "0.000000001,1,2\n");
}

TEST_F(CsvExportTest, NamesTheTopicsWhenNothingMatches) {
  write_small_log(path("log.mcap"), Compression::kLz4);
  EXPECT_NE(sentence({.select = {"/a", "/elbo.q"}})
                .find("matches '/elbo.q'; its topics are /a, /b, /events"),
            std::string::npos);
  EXPECT_NE(sentence({.select = {"/a.speed"}}).find("'/a.speed'"), std::string::npos);
}

TEST_F(CsvExportTest, SaysWhichMessageIsShorterThanItsSchema) {
  std::array<std::byte, 64> buffer{};
  CdrWriter half(std::span<std::byte>(buffer.data(), 8));
  half.put(1.0F);
  McapWriter numbers(path("log.mcap"));
  const auto a = numbers.add_channel("/a", number_schema());
  numbers.write(a.id, 7, half.bytes());
  numbers.close();
  EXPECT_NE(sentence({}).find("'/a'"), std::string::npos);
  EXPECT_NE(sentence({}).find("at 7 ns is shorter"), std::string::npos);

  CdrWriter endless(buffer);  // a header, then four thousand million names
  endless.put(std::uint64_t{0});
  endless.put(std::string_view("base"));
  endless.put(std::uint32_t{0xFFFFFFFF});
  McapWriter joints(path("log.mcap"));
  const auto b = joints.add_channel<JointStateView>("/b");
  joints.write(b.id, 8, endless.bytes());
  joints.close();
  EXPECT_NE(sentence({}).find("at 8 ns is shorter"), std::string::npos);
}

TEST_F(CsvExportTest, SaysWhenTheTableCannotBeWritten) {
  write_small_log(path("log.mcap"), Compression::kLz4);
  EXPECT_THROW(export_csv(path("log.mcap"), {}, path("no/such.csv")), LogFileError);
  EXPECT_THROW(export_csv(path("log.mcap"), {}, std::string("/dev/full")), LogFileError);
}

}  // namespace
}  // namespace jointrig::harness
