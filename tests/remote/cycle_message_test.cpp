#include "remote/cycle_message.h"

#include <gtest/gtest.h>

#include <memory>

#include "remote/robot.pb.h"

namespace jointrig::remote {
namespace {

constexpr TimeNs kMs = 1'000'000;

RobotConfig robot_with(std::size_t joints, std::size_t arms, std::size_t laws) {
  RobotConfig robot;
  robot.period_ns = kMs;
  robot.joints.resize(joints);
  robot.arms.resize(arms);
  robot.laws.resize(laws);
  return robot;
}

/// A loop with a tap, its server's end and its client's.
class CycleMessages : public ::testing::Test {
 protected:
  explicit CycleMessages(const RobotConfig& robot = robot_with(2, 1, 1))
      : robot_(robot),
        tap_(robot_),
        source_(std::make_unique<CycleSource>(robot_, events_, inbox_)),
        reader_(robot_) {}

  void open() { ASSERT_TRUE(tap_.open(*snapshot_)); }

  void cycle(std::uint64_t number) {
    snapshot_->cycle = number;
    snapshot_->joints.resize(robot_.joints.size());
    snapshot_->arms.resize(robot_.arms.size());
    snapshot_->laws.resize(robot_.laws.size());
    snapshot_->law_signals.resize(signal_count(robot_.laws));
    snapshot_->joints[1].state.q = 0.5 * static_cast<double>(number);
    snapshot_->joints[1].repulsion = 3.0;  // a number that a state message doesn't have
    snapshot_->arms[0].tool.position[2] = 0.25;
    tap_.push(*snapshot_);
  }
  void event(std::uint64_t cycle, std::uint16_t sender) {
    Event event;
    event.cycle = cycle;
    event.sender = sender;
    event.gripper = 3;  // likewise
    events_.publish(event);
  }
  /// All that the server has goes to the client.
  void send() {
    v1::Cycles message;
    while (source_->fill(tap_, message)) ASSERT_TRUE(reader_.take(message));
  }

  RobotConfig robot_;
  CycleTap tap_;
  EventRing events_;
  CommandInbox inbox_;
  std::unique_ptr<CycleSource> source_;
  CycleReader reader_;
  std::unique_ptr<Snapshot> snapshot_ = std::make_unique<Snapshot>();
  std::unique_ptr<Snapshot> read_ = std::make_unique<Snapshot>();
  std::vector<Event> heard_;
};

TEST_F(CycleMessages, BringEveryCycleInItsOrderWithAllOfItsNumbers) {
  open();
  for (std::uint64_t i = 1; i <= 30; ++i) cycle(i);
  send();
  for (std::uint64_t i = 1; i <= 30; ++i) {
    ASSERT_TRUE(reader_.next(*read_, heard_));
    EXPECT_EQ(read_->cycle, i);
    ASSERT_EQ(read_->joints.size(), 2U);
    EXPECT_EQ(read_->joints[1].state.q, 0.5 * static_cast<double>(i));
    EXPECT_EQ(read_->joints[1].repulsion, 3.0);
    ASSERT_EQ(read_->arms.size(), 1U);
    EXPECT_EQ(read_->arms[0].tool.position[2], 0.25);
    EXPECT_EQ(read_->laws.size(), 1U);
  }
  EXPECT_FALSE(reader_.next(*read_, heard_));
  EXPECT_EQ(reader_.missed_cycles(), 0U);
}

TEST_F(CycleMessages, BringEachEventWithItsCycleAndTheNameOfItsSender) {
  const std::uint16_t anna = inbox_.connect("anna");
  open();
  event(1, anna);
  cycle(1);
  cycle(2);
  event(3, 0);
  event(4, anna);
  cycle(3);
  send();
  ASSERT_TRUE(reader_.next(*read_, heard_));
  ASSERT_EQ(heard_.size(), 1U);
  EXPECT_EQ(heard_[0].gripper, 3U);
  EXPECT_EQ(reader_.sender(heard_[0].sender), "anna");
  ASSERT_TRUE(reader_.next(*read_, heard_));
  EXPECT_TRUE(heard_.empty());
  ASSERT_TRUE(reader_.next(*read_, heard_));
  ASSERT_EQ(heard_.size(), 1U);  // that of cycle 4 waits for its cycle
  EXPECT_EQ(heard_[0].cycle, 3U);
  EXPECT_EQ(reader_.sender(77), "");
  cycle(4);
  send();
  ASSERT_TRUE(reader_.next(*read_, heard_));
  EXPECT_EQ(heard_.size(), 1U);
}

TEST_F(CycleMessages, CountWhatTheServersRingHadNoRoomFor) {
  open();
  const std::uint64_t more = 1024 + 10;  // a ring of a second, rounded up to a power of two
  for (std::uint64_t i = 1; i <= more; ++i) cycle(i);
  send();
  std::uint64_t came = 0;
  while (reader_.next(*read_, heard_)) ++came;
  EXPECT_EQ(came, 1024U);
  EXPECT_EQ(reader_.missed_cycles(), more - came);
}

TEST_F(CycleMessages, CountWhatTheClientWasTooSlowFor) {
  open();
  for (std::uint64_t i = 1; i <= CycleReader::kMost + 7; ++i) {
    cycle(i);
    if (i % 500 == 0) send();
  }
  send();
  EXPECT_EQ(reader_.missed_cycles(), 7U);
  ASSERT_TRUE(reader_.next(*read_, heard_));
  EXPECT_EQ(read_->cycle, 8U);
}

TEST_F(CycleMessages, HaveOneFollowerWhoGetsNothingOfTheOneBefore) {
  cycle(1);  // nobody follows
  open();
  EXPECT_FALSE(tap_.open(*read_));
  cycle(2);
  tap_.close();
  cycle(3);
  open();
  cycle(4);
  send();
  ASSERT_TRUE(reader_.next(*read_, heard_));
  EXPECT_EQ(read_->cycle, 4U);
  EXPECT_FALSE(reader_.next(*read_, heard_));
}

TEST_F(CycleMessages, OfAnotherBuildOrRobotAreRefused) {
  v1::CycleRequest request;
  write_layout(robot_, request);
  EXPECT_TRUE(is_our_layout(robot_, request));
  EXPECT_FALSE(is_our_layout(robot_with(3, 1, 1), request));
  EXPECT_FALSE(is_our_layout(robot_with(2, 0, 1), request));
  request.set_event_bytes(request.event_bytes() + 8);
  EXPECT_FALSE(is_our_layout(robot_, request));
}

TEST_F(CycleMessages, ThatNoServerSendsAreNoCycles) {
  v1::Cycles message;
  message.set_snapshots("short");
  EXPECT_FALSE(reader_.take(message));
  message.clear_snapshots();
  message.set_events("short");
  EXPECT_FALSE(reader_.take(message));
  message.clear_events();
  // As long as a cycle, with sizes beyond what the robot has.
  message.set_snapshots(std::string(8 * snapshot_words(robot_).size(), '\x7f'));
  EXPECT_TRUE(reader_.take(message));
  EXPECT_FALSE(reader_.next(*read_, heard_));
  EXPECT_EQ(reader_.missed_cycles(), 1U);
}

}  // namespace
}  // namespace jointrig::remote
