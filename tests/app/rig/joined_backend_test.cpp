// The port of several backends joined, on ideal ones.

#include "app/rig/joined_backend.h"

#include <gtest/gtest.h>

#include <map>
#include <stdexcept>

#include "tests/support/alloc_guard.h"

namespace jointrig::app {
namespace {

constexpr TimeNs kMillisecond = 1'000'000;

/// Joints are where they were told to be, from the next cycle on; positions are kept by name.
class IdealPart final : public Backend {
 public:
  IdealPart(const std::vector<std::string>& names, TimeNs period) {
    description_.name = "ideal";
    description_.period_ns = period;
    for (const std::string& name : names) description_.joints.emplace_back().joint = name;
    told_.joints.resize(names.size());
  }

  [[nodiscard]] const BackendDescription& description() const noexcept override {
    return description_;
  }
  void start() override {
    if (!start_error.empty()) throw std::runtime_error(start_error);
    is_on = true;
  }
  Tick wait() noexcept override {
    if (waits == ends_after) return kRunIsOver;
    ++waits;
    return {.is_due = true, .late_ns = late_ns};
  }
  void read(RobotState& state) noexcept override {
    ++reads;
    state.cycle = waits - 1 + skipped;
    state.time_ns = static_cast<TimeNs>(state.cycle) * description_.period_ns;
    for (std::size_t i = 0; i < told_.joints.size(); ++i) {
      state.joints[i] = {};
      state.joints[i].q = told_.joints[i].q;
      state.joints[i].v = told_.joints[i].v;
    }
    for (std::size_t i = 0; i < description_.force_torque_sites.size(); ++i) {
      state.force_torque.resize(i + 1);
      state.force_torque[i].force[0] = force;
    }
    state.base.position[2] = height;
  }
  void write(const RobotCommand& command) noexcept override {
    ++writes;
    told_ = command;
  }
  std::optional<BoardNotice> next_notice() noexcept override {
    if (notices == 0) return std::nullopt;
    --notices;
    return BoardNotice{.kind = Notice::kBoardBack, .joint = static_cast<JointIndex>(notices)};
  }
  void stop() noexcept override { is_on = false; }

  BackendDescription description_;
  std::string start_error;
  bool is_on = false;
  std::uint64_t waits = 0, reads = 0, writes = 0;
  std::uint64_t ends_after = ~0ULL;
  std::uint64_t skipped = 0;
  std::optional<std::int64_t> late_ns;
  std::size_t notices = 0;
  double force = 0.0;
  double height = 0.0;

 private:
  RobotCommand told_;
};

class Followers final : public LedJoints {
 public:
  void lead(std::size_t joint, const JointState& sample) noexcept override {
    at_[joint] = sample.q;
    ++count_[joint];
  }
  std::array<double, 4> at_{};
  std::array<int, 4> count_{};
};

/// A robot of four joints: an arm has 2 and 0, in this order, and its physics also 3; a hand that
/// is served every third cycle has 3 and 1.
struct Robot {
  Robot() {
    parts = {{.name = "arm", .backend = &arm, .joints = {2, 0, kNoJoint}, .led = &led},
             {.name = "hand", .backend = &hand, .joints = {3, 1}}};
    command.joints.resize(4);
    state.joints.resize(4);
  }
  JoinedBackend& make() {
    joined.emplace(kMillisecond, 4, parts);
    joined->start();
    return *joined;
  }
  bool cycle() {
    if (!joined->wait().is_due) return false;
    joined->read(state);
    joined->write(command);
    return true;
  }
  void tell(double q0, double q1, double q2, double q3) {
    const std::array<double, 4> q{q0, q1, q2, q3};
    for (std::size_t i = 0; i < 4; ++i) command.joints[i].q = q[i];
  }
  IdealPart arm{{"elbow", "pan", "led"}, kMillisecond};
  IdealPart hand{{"thumb", "finger"}, 3 * kMillisecond};
  Followers led;
  std::vector<JoinedPart> parts;
  std::optional<JoinedBackend> joined;
  RobotCommand command;
  RobotState state;
};

TEST(JoinedBackend, DescribesTheJointsInTheRobotsOrderEachByItsOwnPart) {
  Robot robot;
  robot.arm.description_.joints[1].senses_torque = true;
  const BackendDescription& its = robot.make().description();
  ASSERT_EQ(its.joints.size(), 4U);
  EXPECT_EQ(its.joints[0].joint, "pan");
  EXPECT_EQ(its.joints[1].joint, "finger");
  EXPECT_EQ(its.joints[2].joint, "elbow");
  EXPECT_EQ(its.joints[3].joint, "thumb");
  EXPECT_TRUE(its.joints[0].senses_torque);
  EXPECT_FALSE(its.joints[3].senses_torque);
  EXPECT_EQ(its.name, "arm+hand");
  EXPECT_EQ(its.period_ns, kMillisecond);
  EXPECT_EQ(its.joints[0].cycle_ns, 0);
  EXPECT_EQ(its.joints[1].cycle_ns, 3 * kMillisecond);
}

TEST(JoinedBackend, EachPartGetsTheCommandsOfItsOwnJoints) {
  Robot robot;
  robot.make();
  for (int i = 0; i < 3; ++i) {
    robot.tell(0.1, 0.2, 0.3, 0.4);
    robot.cycle();
  }
  robot.cycle();  // the hand's second
  EXPECT_EQ(robot.state.joints[0].q, 0.1);
  EXPECT_EQ(robot.state.joints[1].q, 0.2);
  EXPECT_EQ(robot.state.joints[2].q, 0.3);
  EXPECT_EQ(robot.state.joints[3].q, 0.4);
}

TEST(JoinedBackend, ASlowPartIsReadInTheFirstOfItsCyclesAndToldTheNewestInTheLast) {
  Robot robot;
  robot.make();
  for (int i = 0; i < 7; ++i) {
    robot.command.joints[1].q = i;
    robot.command.joints[0].q = i;
    robot.cycle();
    SCOPED_TRACE(i);
    EXPECT_EQ(robot.hand.reads, static_cast<std::uint64_t>(i / 3 + 1));
    EXPECT_EQ(robot.hand.writes, static_cast<std::uint64_t>((i + 1) / 3));
    EXPECT_EQ(robot.arm.writes, static_cast<std::uint64_t>(i + 1));
    EXPECT_EQ(robot.state.joints[0].q, i == 0 ? 0 : i - 1);
    // Told 2 in cycle 2 and 5 in cycle 5.
    EXPECT_EQ(robot.state.joints[1].q, i < 3 ? 0 : i < 6 ? 2 : 5);
    EXPECT_EQ(robot.state.joints[1].extrapolated, i % 3 != 0);
    EXPECT_EQ(robot.state.joints[1].missed, 0U);
    EXPECT_FALSE(robot.state.joints[0].extrapolated);
  }
}

TEST(JoinedBackend, BetweenItsSamplesAJointGoesOnWithItsVelocity) {
  Robot robot;
  robot.make();
  robot.command.joints[1].v = 2.0;
  for (int i = 0; i < 3; ++i) robot.cycle();
  for (int i = 0; i < 3; ++i) {
    robot.cycle();
    EXPECT_NEAR(robot.state.joints[1].q, 0.002 * i, 1e-15);
  }
}

TEST(JoinedBackend, PhysicsIsToldInEachCycleWhereTheJointsOfOthersAre) {
  Robot robot;
  robot.make();
  robot.tell(1.0, 2.0, 3.0, 4.0);
  for (int i = 0; i < 4; ++i) robot.cycle();
  EXPECT_EQ(robot.led.count_, (std::array{0, 4, 0, 4}));
  EXPECT_EQ(robot.led.at_[1], 2.0);
  EXPECT_EQ(robot.led.at_[3], 4.0);
}

TEST(JoinedBackend, TheClockIsThatOfThePartWhichKeepsTime) {
  Robot robot;
  robot.parts[0].keeps_time = true;
  robot.arm.late_ns = 42;
  robot.make();
  robot.arm.skipped = 7;  // its host stood still for so many periods
  const Tick tick = robot.joined->wait();
  EXPECT_EQ(tick.late_ns, 42);
  robot.joined->read(robot.state);
  EXPECT_EQ(robot.state.cycle, 7U);
  EXPECT_EQ(robot.state.time_ns, 7 * kMillisecond);
  EXPECT_EQ(robot.hand.waits, 1U);  // it stood still, too: one period a cycle
}

TEST(JoinedBackend, TheEndOfThePartThatKeepsTimeIsTheRuns) {
  Robot robot;
  robot.parts[0].keeps_time = true;
  robot.arm.ends_after = 2;
  robot.make();
  EXPECT_TRUE(robot.cycle() && robot.cycle());
  EXPECT_FALSE(robot.cycle());
  EXPECT_EQ(robot.joined->ended_by(), 0U);
}

TEST(JoinedBackend, APartThatEndsBesideItHasLostItsJoints) {
  Robot robot;
  robot.parts[0].keeps_time = true;
  robot.hand.ends_after = 1;
  robot.make();
  robot.tell(0.0, 0.5, 0.0, 0.0);
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(robot.cycle());
  // In cycles 3, 6 and 9 no sample came.
  EXPECT_EQ(robot.state.joints[1].missed, 3U);
  EXPECT_EQ(robot.state.joints[3].missed, 3U);
  EXPECT_EQ(robot.state.joints[0].missed, 0U);
  EXPECT_EQ(robot.hand.reads, 1U);
}

TEST(JoinedBackend, WithoutAPartThatKeepsTimeTheEndOfAnyIsTheRuns) {
  Robot robot;
  robot.hand.ends_after = 1;
  robot.make();
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(robot.cycle());
  EXPECT_FALSE(robot.cycle());
  EXPECT_EQ(robot.joined->ended_by(), 1U);
}

TEST(JoinedBackend, StopReachesEveryPart) {
  Robot robot;
  robot.make();
  EXPECT_TRUE(robot.arm.is_on && robot.hand.is_on);
  robot.joined->stop();
  EXPECT_FALSE(robot.arm.is_on || robot.hand.is_on);
}

std::string message_of(Robot& robot) {
  try {
    robot.make();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

TEST(JoinedBackend, APartThatDoesNotStartIsNamedAndTheOthersAreStopped) {
  Robot robot;
  robot.parts[1].keeps_time = true;
  robot.hand.description_.period_ns = kMillisecond;
  robot.hand.start_error = "bus left: no answer";
  EXPECT_EQ(message_of(robot), "hand: bus left: no answer");
  EXPECT_FALSE(robot.arm.is_on);
}

TEST(JoinedBackend, PartsThatDoNotMakeOneRobotAreRefused) {
  Robot two_clocks;
  two_clocks.parts[0].keeps_time = two_clocks.parts[1].keeps_time = true;
  two_clocks.hand.description_.period_ns = kMillisecond;
  EXPECT_EQ(message_of(two_clocks), "arm and hand both keep time: a robot has one clock");

  Robot shared;
  shared.parts[1].joints = {3, 0};
  EXPECT_EQ(message_of(shared), "joint finger is on two backends, one of them hand");

  Robot missing;
  missing.parts[1].joints = {3, kNoJoint};
  EXPECT_EQ(message_of(missing), "joint 1 of the robot is on no backend");

  Robot uneven;
  uneven.hand.description_.period_ns = 1'500'000;
  EXPECT_EQ(message_of(uneven),
            "the cycle of hand, 1500 us, is no whole multiple of the robot's period, 1000 us");

  Robot slow_clock;
  slow_clock.parts[1].keeps_time = true;
  EXPECT_NE(message_of(slow_clock), "");
}

TEST(JoinedBackend, ASensorThatTwoPartsHaveIsThatOfTheFirst) {
  Robot robot;
  robot.arm.description_.force_torque_sites = {"wrist"};
  robot.hand.description_.force_torque_sites = {"wrist", "palm"};
  robot.arm.force = 1.0;
  robot.hand.force = 2.0;
  robot.make();
  EXPECT_EQ(robot.joined->description().force_torque_sites,
            (std::vector<std::string>{"wrist", "palm"}));
  robot.cycle();
  ASSERT_EQ(robot.state.force_torque.size(), 2U);
  EXPECT_EQ(robot.state.force_torque[0].force[0], 1.0);
  EXPECT_EQ(robot.state.force_torque[1].force[0], 2.0);
}

TEST(JoinedBackend, TheBaseIsThatOfThePartWhichHasOne) {
  Robot robot;
  robot.hand.description_.gives_base = true;
  robot.hand.height = 0.7;
  robot.make();
  robot.cycle();
  EXPECT_TRUE(robot.joined->description().gives_base);
  EXPECT_EQ(robot.state.base.position[2], 0.7);
}

TEST(JoinedBackend, NoticesAreOfTheRobotsJointsAndOfAPartsOwnAlone) {
  Robot robot;
  robot.arm.notices = 3;  // of its joints 2, which another drives, 1 and 0
  robot.make();
  std::vector<JointIndex> told;
  while (const auto notice = robot.joined->next_notice()) told.push_back(notice->joint);
  EXPECT_EQ(told, (std::vector<JointIndex>{0, 2}));
}

TEST(JoinedBackend, GoesOnFromASavedStateInTheMidstOfASlowPartsCycle) {
  Robot robot;
  robot.make();
  robot.command.joints[1].v = 2.0;
  for (int i = 0; i < 5; ++i) robot.cycle();  // cycle 4: 1 ms after the hand's second
  const JoinedBackend::State saved = robot.joined->save();
  robot.cycle();
  const double next = robot.state.joints[1].q;
  robot.cycle();
  robot.joined->restore(saved);
  robot.cycle();
  EXPECT_EQ(robot.state.cycle, 5U);
  EXPECT_EQ(robot.state.joints[1].q, next);
}

TEST(JoinedBackend, ACycleAllocatesLocksAndThrowsNothing) {
  JOINTRIG_NEEDS_REALTIME_GUARD();
  Robot robot;
  robot.make();
  robot.cycle();
  RealtimeGuard guard;
  for (int i = 0; i < 1000; ++i) {
    robot.cycle();
    (void)robot.joined->next_notice();
  }
  const ViolationCounts seen = guard.violations();
  EXPECT_EQ(seen, kNoViolations) << guard.report();
}

}  // namespace
}  // namespace jointrig::app
