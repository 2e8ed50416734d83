/// ROS 2 without any DDS: bytes by hand, commands, options, diagnostics.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <numbers>
#include <stdexcept>

#include "remote/ros2_commands.h"
#include "remote/ros2_diagnostics.h"
#include "remote/ros2_messages.h"
#include "remote/ros2_options.h"
#include "remote/ros2_twist.h"

namespace jointrig::remote {
namespace {

std::vector<std::byte> bytes(std::initializer_list<int> values) {
  std::vector<std::byte> all;
  for (const int value : values) all.push_back(static_cast<std::byte>(value));
  return all;
}

std::vector<std::byte> copy(std::span<const std::byte> view) { return {view.begin(), view.end()}; }

/// Puts values as CORBA's CDR has them, independently of the encoder: each at a multiple of its
/// size, counted from behind the four bytes of the head.
struct ByHand {
  std::vector<std::byte> all = bytes({0, 1, 0, 0});

  template <typename T>
  ByHand& put(T value) {
    while ((all.size() - 4) % sizeof(T) != 0) all.push_back(std::byte{0});
    const auto raw = std::as_bytes(std::span(&value, 1));
    all.insert(all.end(), raw.begin(), raw.end());
    return *this;
  }
  ByHand& put(const char* text) {
    put(static_cast<std::uint32_t>(std::strlen(text) + 1));
    for (const char* c = text; *c != 0; ++c) put(*c);
    return put('\0');
  }
  ByHand& put(std::initializer_list<double> values) {
    put(static_cast<std::uint32_t>(values.size()));
    for (const double value : values) put(value);
    return *this;
  }
  ByHand& head(const char* frame = "") {
    return put(std::int32_t{1}).put(std::uint32_t{2}).put(frame);
  }
};

/// Three joints, whose order in a message is another one.
RobotConfig robot() {
  RobotConfig config;
  config.name = "odd";
  for (const char* name : {"waist", "elbow", "wrist"}) {
    JointConfig joint;
    joint.name = name;
    config.joints.push_back(joint);
  }
  return config;
}

std::string sentence_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return {};
}

TEST(Ros2Messages, ClockIsItsTwoNumbers) {
  CdrBuffer buffer;
  EXPECT_EQ(copy(encode_clock({5, 6}, buffer)), bytes({0, 1, 0, 0, 5, 0, 0, 0, 6, 0, 0, 0}));
}

TEST(Ros2Messages, WrenchHasForceBeforeTorque) {
  CdrBuffer buffer;
  ByHand expected;
  expected.head("tool");
  for (const double value : {1.0, 2.0, 3.0, 0.1, 0.2, 0.3}) expected.put(value);

  EXPECT_EQ(copy(encode_wrench({1, 2}, "tool", {1, 2, 3, 0.1, 0.2, 0.3}, buffer)), expected.all);
}

TEST(Ros2Messages, DiagnosticsOfAnySizeFit) {
  const std::string text(5000, 'x');
  const DiagnosticStatus status{
      DiagnosticStatus::Level::kError, "odd: elbow", text, "odd", {{"mode", "idle"}}};
  ByHand expected;
  expected.head().put(std::uint32_t{1}).put(std::uint8_t{2}).put("odd: elbow").put(text.c_str());
  expected.put("odd").put(std::uint32_t{1}).put("mode").put("idle");
  CdrBuffer buffer;

  EXPECT_EQ(copy(encode_diagnostics({1, 2}, {&status, 1}, buffer)), expected.all);
}

TEST(Ros2Messages, JointStatesOfAManyJointedRobotFit) {
  const std::vector<std::string> names(200, "a_joint_with_a_long_name");
  const std::vector<double> numbers(200, 0.5);
  CdrBuffer buffer;

  const auto cdr = encode_joint_state({{1, 2}, "", names, numbers, numbers, {}}, buffer);

  const JointStateMessage read = decode_joint_state(cdr);
  EXPECT_EQ(read.name, names);
  EXPECT_EQ(read.velocity, numbers);
  EXPECT_TRUE(read.effort.empty());
}

TEST(Ros2Messages, ATrajectoryIsReadWithTheTimesOfItsPoints) {
  ByHand given;
  given.head().put(std::uint32_t{1}).put("elbow").put(std::uint32_t{2});
  given.put({0.5}).put({}).put({}).put({}).put(std::int32_t{1}).put(std::uint32_t{500'000'000});
  given.put({0.7}).put({0.1}).put({0.2}).put({3.0}).put(std::int32_t{2}).put(std::uint32_t{0});

  const JointTrajectoryMessage read = decode_joint_trajectory(given.all);

  EXPECT_EQ(read.names, std::vector<std::string>{"elbow"});
  ASSERT_EQ(read.points.size(), 2U);
  EXPECT_EQ(read.points[0].time, 1.5);
  EXPECT_EQ(read.points[0].positions, std::vector<double>{0.5});
  EXPECT_EQ(read.points[1].accelerations, std::vector<double>{0.2});
}

TEST(Ros2Messages, BytesThatEndEarlyOrLieAboutTheirLengthEndInASentence) {
  ByHand states;
  states.head().put(std::uint32_t{1}).put("elbow").put({0.5}).put({}).put({});
  ByHand path;
  path.head().put(std::uint32_t{1}).put("elbow").put(std::uint32_t{1});
  path.put({0.5}).put({}).put({}).put({}).put(std::int32_t{1}).put(std::uint32_t{0});
  EXPECT_NO_THROW(static_cast<void>(decode_joint_state(states.all)));
  EXPECT_NO_THROW(static_cast<void>(decode_joint_trajectory(path.all)));

  for (std::size_t size = 0; size < states.all.size(); ++size) {
    EXPECT_THROW(static_cast<void>(decode_joint_state(std::span(states.all).first(size))),
                 std::invalid_argument);
  }
  for (std::size_t size = 0; size < path.all.size(); ++size) {
    EXPECT_THROW(static_cast<void>(decode_joint_trajectory(std::span(path.all).first(size))),
                 std::invalid_argument);
  }
  ByHand huge;
  huge.head().put(std::uint32_t{0xFFFFFFFF});
  EXPECT_THROW(static_cast<void>(decode_joint_state(huge.all)), std::invalid_argument);
}

TEST(Ros2Messages, ATwistHasItsFrameAndLinearBeforeAngular) {
  ByHand given;
  given.head("tool");
  for (const double value : {1.0, 2.0, 3.0, 0.1, 0.2, 0.3}) given.put(value);

  const TwistMessage read = decode_twist(given.all);

  EXPECT_EQ(read.frame, "tool");
  EXPECT_EQ(read.linear, (std::array<double, 3>{1.0, 2.0, 3.0}));
  EXPECT_EQ(read.angular, (std::array<double, 3>{0.1, 0.2, 0.3}));
  for (std::size_t size = 0; size < given.all.size(); ++size) {
    EXPECT_THROW(static_cast<void>(decode_twist(std::span(given.all).first(size))),
                 std::invalid_argument);
  }
}

/// An arm whose tool is a quarter turn about z away from its base, and a clock.
struct ATwist : ::testing::Test {
  ATwist() {
    now.arms.resize(1);
    now.arms[0].tool.position = now.arms[0].goal.position = {0.5, 0.0, 0.4};
    now.arms[0].tool.orientation = now.arms[0].goal.orientation = {kHalf, 0.0, 0.0, kHalf};
  }
  /// @param seconds  since the message before
  StreamToolTarget after(double seconds, const TwistMessage& message) {
    now.time_ns += to_ns(seconds);
    return steps.next(0, message, now);
  }
  static constexpr double kHalf = 0.70710678118654752;  // cos and sin of 45 degrees
  static RobotConfig with_arm() {
    RobotConfig config = robot();
    config.arms.resize(1);
    config.arms[0].name = "arm";
    config.arms[0].tool = "gripper";
    return config;
  }
  RobotConfig config = with_arm();
  Snapshot now;
  TwistSteps steps{config};
};

TEST_F(ATwist, MovesTheTargetByItsVelocityTimesTheTimeSinceTheMessageBefore) {
  const TwistMessage along_x{"", {0.1, 0.0, 0.0}, {}};

  EXPECT_EQ(after(0.0, along_x).position, now.arms[0].goal.position) << "the first one begins";
  EXPECT_NEAR(after(0.02, along_x).position[0], 0.502, 1e-12);
  EXPECT_NEAR(after(0.05, along_x).position[0], 0.507, 1e-12);
  EXPECT_EQ(after(0.05, {"", {}, {}}).position[1], 0.0);
}

TEST_F(ATwist, TurnsTheTargetAboutTheAxesOfTheBase) {
  const TwistMessage about_z{"base", {}, {0.0, 0.0, 0.9}};
  static_cast<void>(after(0.0, about_z));

  const StreamToolTarget turned = after(0.1, about_z);

  const double angle = 0.5 * (std::numbers::pi / 2 + 0.09);  // half of both turns about z
  EXPECT_NEAR(turned.orientation[0], std::cos(angle), 1e-12);
  EXPECT_NEAR(turned.orientation[3], std::sin(angle), 1e-12);
}

TEST_F(ATwist, OfTheToolsFrameGoesAlongTheToolsAxes) {
  const TwistMessage along_x{"gripper", {0.1, 0.0, 0.0}, {}};
  static_cast<void>(after(0.0, along_x));

  const StreamToolTarget moved = after(0.1, along_x);

  EXPECT_NEAR(moved.position[0], 0.5, 1e-12);
  EXPECT_NEAR(moved.position[1], 0.01, 1e-12) << "the tool's x is the base's y";
}

TEST_F(ATwist, AfterASilenceBeginsWhereTheTargetIs) {
  const TwistMessage along_x{"", {0.1, 0.0, 0.0}, {}};
  static_cast<void>(after(0.0, along_x));
  static_cast<void>(after(0.1, along_x));

  EXPECT_EQ(after(0.2, along_x).position[0], 0.5) << "the snapshot's goal, and no jump";
}

TEST_F(ATwist, RunsNoFurtherAheadOfTheToolThanItsLeash) {
  const TwistMessage up{"", {0.0, 0.0, 0.25}, {}};
  double highest = 0.0;
  for (int i = 0; i < 100; ++i) highest = std::max(highest, after(0.02, up).position[2]);

  EXPECT_GT(highest, 0.4 + 0.09);
  EXPECT_LE(highest, 0.4 + TwistSteps::kLeash);
  EXPECT_LT(after(0.02, {"", {0.0, 0.0, -0.25}, {}}).position[2], highest) << "back it goes";
}

TEST_F(ATwist, ThatCanBeNoCommandIsRefusedByName) {
  const auto refusal = [&](const TwistMessage& message) {
    return sentence_of([&] { static_cast<void>(after(0.02, message)); });
  };
  EXPECT_EQ(refusal({"", {0.0, 0.3, 0.0}, {}}),
            "twist of arm: its linear velocity is 0.3 m/s, and the arm takes 0.25 at most "
            "(robot.yaml)");
  EXPECT_EQ(refusal({"", {}, {std::nan(""), 0.0, 0.0}}),
            "twist of arm: its angular velocity is not finite");
  EXPECT_EQ(refusal({"world", {}, {}}),
            "twist of arm: no frame \"world\": give base or tool, or none for base");
}

TEST(Ros2Commands, NumbersGoToTheJointsOfTheirNames) {
  const auto request = command_of({{"wrist", "waist"}, {3.0, 1.0}, {9.0, 9.0}, {}}, robot());

  ASSERT_TRUE(request);
  const auto& stream = std::get<StreamPosition>(*request);
  EXPECT_TRUE(stream.joints.test(0));
  EXPECT_FALSE(stream.joints.test(1));
  EXPECT_TRUE(stream.joints.test(2));
  ASSERT_EQ(stream.values.size(), 2U);
  EXPECT_EQ(stream.values[0].q, 1.0);
  EXPECT_EQ(stream.values[1].q, 3.0);
}

TEST(Ros2Commands, VelocitiesCommandWhereTheyAreAlone) {
  const auto request = command_of({{"elbow"}, {}, {0.25}, {}}, robot());

  ASSERT_TRUE(request);
  EXPECT_EQ(std::get<StreamVelocity>(*request).values[0].v, 0.25);
}

TEST(Ros2Commands, AMessageWithoutJointsIsASignOfLife) { EXPECT_FALSE(command_of({}, robot())); }

TEST(Ros2Commands, WhatCanBeNoCommandIsRefusedByName) {
  const auto refusal = [](const JointStateMessage& message) {
    return sentence_of([&] { static_cast<void>(command_of(message, robot())); });
  };
  EXPECT_EQ(refusal({{"elbo"}, {1.0}, {}, {}}),
            "joint_commands: no joint \"elbo\"; did you mean \"elbow\"?");
  EXPECT_EQ(refusal({{"elbow", "elbow"}, {1.0, 1.0}, {}, {}}),
            "joint_commands: joint elbow is named twice");
  EXPECT_EQ(refusal({{"elbow"}, {1.0, 2.0}, {}, {}}),
            "joint_commands: position has 2 numbers, and 1 joints are named");
  EXPECT_EQ(refusal({{"elbow"}, {}, {}, {1.0}}),
            "joint_commands: it has neither positions nor velocities: give one for each joint");
}

TEST(Ros2Commands, ATrajectoryHasItsNumbersInTheOrderOfTheRobot) {
  const Trajectory trajectory =
      trajectory_of({{"wrist", "elbow"}, {{{3.0, 2.0}, {0.3, 0.2}, {}, 1.0}}}, robot());

  EXPECT_TRUE(trajectory.has_times);
  EXPECT_EQ(trajectory.waypoints[0].q, (std::vector<double>{2.0, 3.0}));
  EXPECT_EQ(trajectory.waypoints[0].v, (std::vector<double>{0.2, 0.3}));
  EXPECT_EQ(trajectory.waypoints[0].time, 1.0);
}

TEST(Ros2Commands, ATrajectoryWithHalfOfItsVelocitiesIsRefused) {
  const JointTrajectoryMessage message{{"elbow"}, {{{1.0}, {0.1}, {}, 1.0}, {{2.0}, {}, {}, 2.0}}};

  EXPECT_EQ(sentence_of([&] { static_cast<void>(trajectory_of(message, robot())); }),
            "joint_trajectory: 1 of 2 points have velocities: give them to all or to none");
}

TEST(Ros2Commands, AWrongModeIsNamedWithTheOneToAskFor) {
  Snapshot now;
  for (const JointMode mode : {JointMode::kPositionDirect, JointMode::kIdle, JointMode::kHwFault}) {
    JointSnapshot joint;
    joint.mode = mode;
    now.joints.push_back(joint);
  }
  JointSet waist;
  waist.set(0);
  EXPECT_EQ(wrong_mode(CommandKind::kStreamPosition, waist, robot(), now), "");

  JointSet elbow;
  elbow.set(1);
  EXPECT_EQ(wrong_mode(CommandKind::kStreamPosition, elbow, robot(), now),
            "elbow: the joint is in idle, which takes no stream_position: ask for position_direct "
            "first, by set_mode of jointrig.connect() or in the panel, and give the lease back");
  JointSet wrist;
  wrist.set(2);
  EXPECT_NE(wrong_mode(CommandKind::kStreamPosition, wrist, robot(), now).find("hw_fault"),
            std::string::npos);
}

TEST(Ros2Options, TopicsTakeTheNamespaceButThoseThatRosHasOnce) {
  const Ros2Options options =
      read_ros2_options("namespace=/left,rate=50,domain=7,wrench=/force/left", "9");

  EXPECT_EQ(options.domain, 7U);
  EXPECT_EQ(options.rate, 50.0);
  EXPECT_EQ(options.joint_states, "/left/joint_states");
  EXPECT_EQ(options.joint_commands, "/left/joint_commands");
  EXPECT_EQ(options.wrench, "/force/left");
  EXPECT_EQ(options.clock, "/clock");
  EXPECT_EQ(options.diagnostics, "/diagnostics");
  EXPECT_EQ(options.address, "127.0.0.1");
}

TEST(Ros2Options, TheDomainIsThatOfTheEnvironmentWhereNoneIsGiven) {
  EXPECT_EQ(read_ros2_options("", "9").domain, 9U);
  EXPECT_EQ(read_ros2_options("", "").domain, 0U);
}

TEST(Ros2Options, WhatCanNotBeIsRefusedInASentence) {
  const auto refusal = [](const char* text, const char* domain = "") {
    return sentence_of([&] { static_cast<void>(read_ros2_options(text, domain)); });
  };
  EXPECT_EQ(refusal("domain=233"), "--ros2 domain is \"233\": give a number from 0 to 232");
  EXPECT_EQ(refusal("", "x"), "ROS_DOMAIN_ID is \"x\": give a number from 0 to 232");
  EXPECT_EQ(refusal("domains=1"), "--ros2 knows no \"domains\"; did you mean \"domain\"?");
  EXPECT_EQ(refusal("domain"), "--ros2 has \"domain\": give KEY=VALUE, domain=5 say");
  EXPECT_EQ(refusal("rate=1,rate=2"), "--ros2 has rate twice");
  for (const char* name : {"left", "/", "/left/", "/a//b", "/a-b", "/1"}) {
    EXPECT_NE(refusal((std::string("namespace=") + name).c_str()), "") << name;
  }
  for (const char* address : {"robot", "1.2.3", "1.2.3.4.5", "1.2.3.256"}) {
    EXPECT_NE(refusal((std::string("unprotected=") + address).c_str()), "") << address;
  }
}

TEST(Ros2Diagnostics, AFaultIsAnErrorALimitAWarning) {
  Snapshot now;
  now.joints.resize(3);
  now.joints[0].mode = JointMode::kPosition;
  now.joints[1].mode = JointMode::kHwFault;
  now.joints[1].fault = {FaultCode::kOverCurrent, 12.0, 10.0, 5};
  now.joints[2].limits.add(Limit::kTorque);
  now.joints[2].limits.add(Limit::kVelocity);

  const auto all = diagnostics_of(robot(), now, {"anna", "a refusal", 3});

  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(all[0].level, DiagnosticStatus::Level::kOk);
  EXPECT_EQ(all[0].name, "odd: waist");
  EXPECT_EQ(all[0].message, "position");
  EXPECT_EQ(all[1].level, DiagnosticStatus::Level::kError);
  EXPECT_EQ(all[1].message,
            "the motor current is too high: 12 A (limit 10); force_idle is the way out");
  EXPECT_EQ(all[2].level, DiagnosticStatus::Level::kWarning);
  EXPECT_EQ(all[2].message, "limited by velocity, torque");
  EXPECT_EQ(all[3].name, "odd: commands");
  EXPECT_EQ(all[3].message, "a refusal");
  EXPECT_EQ(all[3].level, DiagnosticStatus::Level::kWarning);
}

}  // namespace
}  // namespace jointrig::remote
