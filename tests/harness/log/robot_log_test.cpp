#include "harness/log/robot_log.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <bit>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "harness/log/log_messages.h"
#include "harness/log/log_reader.h"
#include "harness/log/mcap/csv_export.h"
#include "tests/harness/log/synthetic_run.h"
#include "tests/support/alloc_guard.h"

namespace jointrig::harness {
namespace {

using std::chrono::hours;

class RobotLogTest : public testing::Test {
 protected:
  RobotLogTest()
      : folder_(std::filesystem::temp_directory_path() /
                ("jointrig_robot_log_" + std::to_string(::getpid()) + "_" +
                 testing::UnitTest::GetInstance()->current_test_info()->name())) {
    std::filesystem::create_directories(folder_);
  }
  ~RobotLogTest() override { std::filesystem::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

 private:
  std::filesystem::path folder_;
};

/// Everything that a run needs besides the log.
struct Fixture {
  explicit Fixture(std::size_t joints) : config(synthetic_robot(joints)), run(joints) {
    inbox.connect("panel");
  }
  RobotConfig config;
  EventRing events;
  CommandInbox inbox;
  SyntheticRun run;
};

/// Chunks then depend on the messages alone, not on how long the test took.
RobotLogOptions headless() {
  RobotLogOptions options;
  options.own_thread = false;
  options.file.chunk_age = hours(1);
  return options;
}

void run_cycles(Fixture& fixture, RobotLog& log, int cycles) {
  for (int i = 0; i < cycles; ++i) {
    fixture.run.step();
    if (i % 10 == 0) fixture.events.publish(fixture.run.event());
    log.push(fixture.run.snapshot(), fixture.run.state());
  }
}

std::string contents_of(const std::string& path) {
  std::ostringstream bytes;
  bytes << std::ifstream(path, std::ios::binary).rdbuf();
  return bytes.str();
}

/// Bit by bit, so that -0.0, denormals and NaN count.
bool equal_to_the_bit(const JointState& a, const JointState& b) {
  const auto same = [](double x, double y) {
    return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
  };
  return same(a.q, b.q) && same(a.v, b.v) && same(a.tau, b.tau) && same(a.current_A, b.current_A) &&
         same(a.temperature_C, b.temperature_C) && same(a.supply_V, b.supply_V) &&
         same(a.progress, b.progress) && same(a.fault_value, b.fault_value) &&
         same(a.fault_limit, b.fault_limit) && a.status == b.status && a.fault == b.fault &&
         a.missed == b.missed;
}

void expect_same(const RobotState& got, const RobotState& expected) {
  ASSERT_EQ(got.cycle, expected.cycle);
  ASSERT_EQ(got.time_ns, expected.time_ns);
  ASSERT_EQ(got.joints.size(), expected.joints.size());
  for (std::size_t i = 0; i < got.joints.size(); ++i) {
    EXPECT_TRUE(equal_to_the_bit(got.joints[i], expected.joints[i]))
        << "joint " << i << ", cycle " << got.cycle;
  }
  EXPECT_EQ(got.base, expected.base);
  EXPECT_EQ(got.force_torque, expected.force_torque);
  EXPECT_EQ(got.imus, expected.imus);
}

void expect_states(const std::string& file, const std::vector<RobotState>& expected) {
  std::size_t next = 0;
  LogReader(file).for_each_state([&](const RobotState& state) {
    if (next < expected.size()) expect_same(state, expected[next]);
    ++next;
    return true;
  });
  EXPECT_EQ(next, expected.size());
}

TEST_F(RobotLogTest, EveryStateThatEnteredTheLoopIsReadBackToTheBit) {
  constexpr int kCycles = 300;
  Fixture fixture(7);
  std::vector<RobotState> expected;
  {
    RobotLog log(path("a.mcap"), fixture.config, fixture.events, fixture.inbox, headless());
    for (int i = 0; i < kCycles; ++i) {
      fixture.run.step();
      fixture.run.float_base();
      fixture.run.add_sensors();
      if (i % 50 == 49) fixture.run.report_nan(static_cast<std::size_t>(i / 50));
      expected.push_back(fixture.run.state());
      log.push(fixture.run.snapshot(), fixture.run.state());
    }
    const RobotLogStatus status = log.close();
    EXPECT_TRUE(status.ok) << status.message;
    EXPECT_EQ(status.cycles, static_cast<std::uint64_t>(kCycles));
  }
  expect_states(path("a.mcap"), expected);
}

TEST_F(RobotLogTest, AQuantityOverTimeComesWithItsUnit) {
  Fixture fixture(2);
  std::vector<double> expected;
  std::vector<double> modes;
  {
    RobotLog log(path("a.mcap"), fixture.config, fixture.events, fixture.inbox, headless());
    for (int i = 0; i < 100; ++i) {
      fixture.run.step();
      log.push(fixture.run.snapshot(), fixture.run.state());
      expected.push_back(fixture.run.snapshot().joints[1].setpoint.tau);
      modes.push_back(static_cast<double>(fixture.run.snapshot().joints[1].mode));
    }
  }
  const Series tau = load_series(path("a.mcap"), "joint1", "tau_cmd");
  EXPECT_EQ(tau.value, expected);
  EXPECT_EQ(tau.unit, "N") << "the last joint slides";
  EXPECT_EQ(tau.time_ns[99], 99'000'000);
  EXPECT_EQ(load_series(path("a.mcap"), "joint1", "mode").value, modes);
  EXPECT_EQ(load_series(path("a.mcap"), "joint0", "q").unit, "rad");
  EXPECT_THROW(load_series(path("a.mcap"), "joint1", "tau_cdm"), LogFileError);
  EXPECT_THROW(load_series(path("a.mcap"), "elbow", "q"), LogFileError);
}

TEST_F(RobotLogTest, TwoEqualRunsGiveFilesThatAreEqualToTheByte) {
  for (const char* name : {"a.mcap", "b.mcap"}) {
    Fixture fixture(7);
    RobotLog log(path(name), fixture.config, fixture.events, fixture.inbox, headless());
    run_cycles(fixture, log, 5000);
  }
  const std::string a = contents_of(path("a.mcap"));
  EXPECT_GT(a.size(), 5'000'000u);
  EXPECT_TRUE(a == contents_of(path("b.mcap")));
}

// The truth of a made-up world: each value is its place plus a hundred times the cycle.
RobotLogOptions with_truth(std::uint64_t& cycle) {
  using Kind = LoggedTruth::Kind;
  RobotLogOptions options = headless();
  options.truth = {{Kind::kJoint, "/truth/joint0", false},
                   {Kind::kPoint, "/body/hand", false},
                   {Kind::kContact, "/contact/hand", false},
                   {Kind::kJoint, "/truth/joint1", true}};
  options.read_truth = [&cycle](std::span<double> values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = static_cast<double>(i) + 100.0 * static_cast<double>(cycle);
    }
    ++cycle;
  };
  return options;
}

TEST_F(RobotLogTest, TruthOfTheWorldIsLoggedEachCycleWithItsUnits) {
  Fixture fixture(2);
  std::uint64_t cycle = 0;
  {
    RobotLog log(path("a.mcap"), fixture.config, fixture.events, fixture.inbox, with_truth(cycle));
    run_cycles(fixture, log, 20);
  }
  std::ostringstream csv;
  export_csv(path("a.mcap"), {.select = {"/truth/*", "/body/*", "/contact/*"}}, csv);
  std::istringstream lines(csv.str());
  std::string line;
  std::getline(lines, line);
  const std::string header = line;
  for (const char* column :
       {"/truth/joint0.q [rad]", "/truth/joint0.tau [N·m]", "/body/hand.z [m]",
        "/contact/hand.force [N]", "/truth/joint1.q [m]", "/truth/joint1.tau [N]"}) {
    EXPECT_NE(header.find(column), std::string::npos) << column << " in " << header;
  }
  const auto column = [&header](const std::string& name) {
    return std::count(header.begin(), header.begin() + static_cast<long>(header.find(name)), ',');
  };
  const auto cell = [&line](long number) {
    std::istringstream cells(line);
    std::string text;
    for (long i = 0; i <= number; ++i) std::getline(cells, text, ',');
    return std::stod(text);
  };
  for (int row = 0; row < 20; ++row) {
    ASSERT_TRUE(std::getline(lines, line));
    EXPECT_EQ(cell(column("/truth/joint0.q")), 100.0 * row);
    EXPECT_EQ(cell(column("/truth/joint0.tau")), 100.0 * row + 2.0);
    EXPECT_EQ(cell(column("/body/hand.x")), 100.0 * row + 3.0);
    EXPECT_EQ(cell(column("/contact/hand.force")), 100.0 * row + 6.0);
    EXPECT_EQ(cell(column("/truth/joint1.v")), 100.0 * row + 8.0);
  }
}

TEST_F(RobotLogTest, StatesAreReadBackBesideTruth) {
  Fixture fixture(3);
  std::uint64_t cycle = 0;
  std::vector<RobotState> expected;
  {
    RobotLog log(path("a.mcap"), fixture.config, fixture.events, fixture.inbox, with_truth(cycle));
    for (int i = 0; i < 50; ++i) {
      fixture.run.step();
      if (i == 20) fixture.run.report_nan(1);
      expected.push_back(fixture.run.state());
      log.push(fixture.run.snapshot(), fixture.run.state());
    }
  }
  expect_states(path("a.mcap"), expected);
}

TEST_F(RobotLogTest, AHeadlessLoopHoweverFastLosesNothing) {
  constexpr int kCycles = 20'000;
  Fixture fixture(3);
  RobotLog log(path("a.mcap"), fixture.config, fixture.events, fixture.inbox, headless());
  run_cycles(fixture, log, kCycles);
  const RobotLogStatus status = log.close();
  EXPECT_EQ(status.cycles, static_cast<std::uint64_t>(kCycles));
  EXPECT_EQ(status.dropped_cycles + status.dropped_events, 0u);
  const LogReader reader(path("a.mcap"));
  const McapReader& file = reader.file();
  EXPECT_EQ(file.contents().message_counts.at(file.find("/loop")->id),
            static_cast<std::uint64_t>(kCycles));
  EXPECT_EQ(file.contents().message_counts.at(file.find("/event_data")->id),
            static_cast<std::uint64_t>(kCycles / 10));
}

TEST_F(RobotLogTest, AThreadOfItsOwnWritesTheSameFileToTheByte) {
  for (const bool own_thread : {false, true}) {
    Fixture fixture(7);
    std::uint64_t cycle = 0;
    RobotLogOptions options = with_truth(cycle);
    options.own_thread = own_thread;
    options.ring_cycles = 8192;  // nothing is dropped
    RobotLog log(path(own_thread ? "thread.mcap" : "loop.mcap"), fixture.config, fixture.events,
                 fixture.inbox, options);
    Move move;
    move.joints.set(2);
    move.values.push_back({0.5, -0.5});
    const Command command{.request = move};
    for (std::uint64_t i = 0; i < 2000; ++i) {
      fixture.run.step();
      fixture.run.float_base();
      fixture.run.add_sensors();
      if (i % 50 == 49) fixture.run.report_nan(3);
      if (i % 100 == 0) fixture.events.publish(fixture.run.event());
      if (i % 70 == 0) log.append(command, i, fixture.run.snapshot().time_ns);
      log.push(fixture.run.snapshot(), fixture.run.state());
    }
    ASSERT_EQ(log.close().dropped_cycles, 0u);
  }
  EXPECT_GT(contents_of(path("loop.mcap")).size(), 2'000'000u);
  EXPECT_TRUE(contents_of(path("loop.mcap")) == contents_of(path("thread.mcap")));
}

TEST_F(RobotLogTest, ASlowHeadlessLoopHasItsCyclesInTheFileWhenTheyHaveGrownOld) {
  Fixture fixture(1);
  RobotLogOptions options = headless();
  options.file.chunk_age = std::chrono::milliseconds(1);
  RobotLog log(path("a.mcap"), fixture.config, fixture.events, fixture.inbox, options);
  for (int i = 0; i < 8; ++i) {  // 64 cycles of one joint are far from filling a chunk
    run_cycles(fixture, log, 8);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_EQ(LogReader(path("a.mcap")).series("/loop", "cycle").value.size(), 64u);
}

TEST_F(RobotLogTest, InRealTimeWhatDoesNotFitIsCountedInTheStatusAndInTheLog) {
  constexpr std::uint64_t kCycles = 20'000;
  Fixture fixture(3);
  RobotLogOptions options = headless();
  options.own_thread = true;
  options.ring_cycles = 1;  // the smallest ring there is: 180 KB, some 100 cycles
  RobotLog log(path("a.mcap"), fixture.config, fixture.events, fixture.inbox, options);
  std::uint64_t refused = 0;
  for (std::uint64_t i = 0; i < kCycles; ++i) {
    fixture.run.step();
    if (!log.push(fixture.run.snapshot(), fixture.run.state())) ++refused;
  }
  while (log.status().cycles == 0) {
  }
  const RobotLogStatus status = log.close();
  EXPECT_GT(refused, 0u) << "a loop that never rests is faster than the writer";
  EXPECT_EQ(status.dropped_cycles, refused);
  EXPECT_EQ(status.cycles, kCycles - refused);
  const LogReader reader(path("a.mcap"));
  EXPECT_EQ(reader.series("/loop", "cycle").value.size(), kCycles - refused);
  bool told = false;
  for (const auto& record : reader.file().contents().metadata) {
    if (record.name != "log") continue;
    told = record.values.at("dropped_cycles") == std::to_string(refused);
  }
  EXPECT_TRUE(told);
}

TEST_F(RobotLogTest, TheLoopsSideAllocatesLocksAndWritesNothing) {
  JOINTRIG_NEEDS_REALTIME_GUARD();
  Fixture fixture(7);
  std::uint64_t cycle = 0;
  RobotLogOptions options = with_truth(cycle);
  options.own_thread = true;
  RobotLog log(path("a.mcap"), fixture.config, fixture.events, fixture.inbox, options);
  Move move;
  move.joints.set(1);
  move.values.push_back({1.0, 2.0});
  const Command command{.request = move};
  RealtimeGuard guard;
  for (std::uint64_t i = 0; i < 2000; ++i) {
    fixture.run.step();
    fixture.events.publish(fixture.run.event());
    log.append(command, i, 0);
    log.push(fixture.run.snapshot(), fixture.run.state());
  }
  EXPECT_EQ(guard.violations(), kNoViolations) << guard.report();
}

TEST_F(RobotLogTest, AFullDiskEndsTheLogWithASentenceAndNotTheRun) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  for (const bool own_thread : {false, true}) {
    Fixture fixture(7);
    RobotLogOptions options = headless();
    options.own_thread = own_thread;
    RobotLog log("/dev/full", fixture.config, fixture.events, fixture.inbox, options);
    run_cycles(fixture, log, 20'000);
    const RobotLogStatus status = log.close();
    EXPECT_FALSE(status.ok);
    EXPECT_NE(status.message.find("/dev/full"), std::string::npos) << status.message;
    EXPECT_NE(status.message.find("No space left on device"), std::string::npos) << status.message;
  }
}

TEST_F(RobotLogTest, ALoopThatFellSilentHasItsLastCyclesInTheFileAllTheSame) {
  Fixture fixture(1);
  RobotLogOptions options;
  options.file.chunk_age = std::chrono::milliseconds(20);
  RobotLog log(path("a.mcap"), fixture.config, fixture.events, fixture.inbox, options);
  run_cycles(fixture, log, 10);
  const auto written = [&] {
    const LogReader reader(path("a.mcap"));
    return reader.file().find("/loop") == nullptr ? 0
                                                  : reader.series("/loop", "cycle").value.size();
  };
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (written() < 10 && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  EXPECT_EQ(written(), 10u);
}

TEST_F(RobotLogTest, AFileThatCannotBeCreatedIsToldBeforeTheRun) {
  Fixture fixture(1);
  EXPECT_THROW(RobotLog(path("nowhere/a.mcap"), fixture.config, fixture.events, fixture.inbox),
               std::runtime_error);
}

TEST_F(RobotLogTest, ARobotThatIsBoltedDownHasNoBaseAndNoSensors) {
  Fixture fixture(1);
  {
    RobotLog log(path("a.mcap"), fixture.config, fixture.events, fixture.inbox, headless());
    run_cycles(fixture, log, 10);
  }
  const LogReader reader(path("a.mcap"));
  for (const char* topic : {"/base", "/ft/0", "/imu/0", "/raw/joint0"}) {
    EXPECT_EQ(reader.file().find(topic), nullptr) << topic;
  }
}

/// Text of a schema's constants: "PREFIX_WORD=value" for each member.
template <typename Enum, std::size_t kCount>
void expect_constants(const std::string& definition, const std::string& prefix,
                      const std::array<Enum, kCount>& all, bool bits = false) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::string word(to_string(all[i]));
    for (char& c : word) c = c == ' ' ? '_' : static_cast<char>(std::toupper(c));
    const std::size_t value = bits ? std::size_t{1} << i : i;
    const std::string line = "uint8 " + prefix + "_" + word + "=" + std::to_string(value) + "\n";
    EXPECT_NE(definition.find(line), std::string::npos) << line << definition;
  }
}

TEST(LogMessages, DefinitionsListEveryMemberOfEveryEnumeration) {
  const std::string joint = joint_message_schema(false).schema()->definition();
  expect_constants(joint, "MODE", kAllJointMode);
  expect_constants(joint, "INTERACTION", kAllInteractionMode);
  expect_constants(joint, "BOARD", kAllBoardStatus);
  expect_constants(joint, "DRIVE", kAllDriveMode);
  expect_constants(joint, "FAULT", kAllFaultCode);
  expect_constants(joint, "LIMIT", kAllLimit, /*bits=*/true);
  const std::string event = event_message_schema()->definition();
  expect_constants(event, "KIND", kAllEventKind);
  expect_constants(event, "COMMAND", kAllCommandKind);
  expect_constants(event, "REASON", kAllRejectReason);
  expect_constants(event, "QUANTITY", kAllQuantityKind);
  const std::string command = command_message_schema()->definition();
  expect_constants(command, "COMMAND", kAllCommandKind);
  expect_constants(command, "SET_MODE_MODE", kAllModeRequest);
  expect_constants(command, "SET_PARAMETER_PARAMETER", kAllJointParameter);
  expect_constants(command, "SET_FREE_AXES_FRAME", kAllToolFrame);
}

BoardMessage board_message(TimeStamp stamp, const JointSnapshot& joint) {
  BoardMessage message;
  fill(message, stamp, joint);
  return message;
}

TEST(LogMessages, ABoardMessageChangesWithAnyBitOfItButTheStamp) {
  JointSnapshot joint;
  const BoardMessage before = board_message({1, 2}, joint);
  EXPECT_TRUE(same_bits(before, board_message({3, 4}, joint)));
  joint.state.supply_V = -0.0;
  EXPECT_FALSE(same_bits(before, board_message({1, 2}, joint)));
  joint = {};
  joint.setpoint.request = BoardRequest::kCalibrate;
  EXPECT_FALSE(same_bits(before, board_message({1, 2}, joint)));
}

}  // namespace
}  // namespace jointrig::harness
