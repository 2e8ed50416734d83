// Every command that is recorded is a step that posts it again, or is told to be missing.

#include "app/gui/session_steps.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "app/gui/session_file.h"
#include "control/core/command_facts.h"
#include "control/core/command_numbers.h"
#include "harness/runner/runner.h"
#include "harness/runner/scenario_reader.h"

namespace jointrig::app {
namespace {

constexpr std::uint64_t kCommandCycle = 100;
constexpr std::uint64_t kMarkCycle = 150;
constexpr double kMark = 0.515625;  ///< a speed override that no random command has

JointConfig joint(const char* name, double v_max, bool slide) {
  JointConfig one;
  one.name = name;
  one.slide = slide;
  one.limits.v_max = v_max;
  return one;
}

/// A robot with all that a command can name, and names that files have to quote.
RobotConfig odd_robot() {
  RobotConfig config;
  config.name = "odd";
  config.joints = {joint("elbow", 3.1, false), joint("rail/z-1", 0.7, true),
                   joint("on", 1.3, false), joint("wrist, left", 2.9, false)};
  config.parts = {{"both", {0, 1}}};
  config.arms.resize(2);
  config.arms[0].name = "left: arm";
  config.arms[0].joints = {0, 3};
  config.arms[1].name = "right";
  config.arms[1].joints = {1, 2};
  config.laws.resize(2);
  config.laws[0].name = "spring";
  config.laws[0].parameters = {{"gain", "Nm/rad"}, {"no", ""}};
  config.laws[1].name = "off";
  config.laws[1].parameters = {{"speed of light", "furlong/fortnight"}, {"tilt", "rad"}};
  config.grippers.resize(2);
  config.grippers[0].name = "hand";
  config.grippers[0].joints.resize(1);
  config.grippers[0].joints[0].joint = 1;
  config.grippers[1].name = "2nd hand";
  config.grippers[1].joints.resize(1);
  config.grippers[1].joints[0].joint = 2;
  config.whole_body.emplace();
  config.whole_body->hands = {{"left", "a", {}, {}}, {"right paw", "b", {}, {}}};
  config.whole_body->feet.resize(2);
  config.whole_body->feet[0].name = "yes";
  config.whole_body->feet[1].name = "hind";
  return config;
}

/// Commands that no loop checks: a step has to carry whatever was accepted.
class Dice {
 public:
  explicit Dice(const RobotConfig& config) : config_(&config) {}

  Request request(CommandKind kind) {
    Request request = blank_request(kind);
    if (arm_of(request) != kNoArm || is_for_arm(kind))
      set_arm(request, index(config_->arms.size()));
    std::vector<double> numbers;
    for (const FieldInfo& field : fields_of(kind)) add(field, kind, numbers);
    const bool fits = numbers.empty() || fill_fields(request, numbers);
    EXPECT_TRUE(fits) << to_string(kind);
    add_joints(request, kind);
    return settled(request);
  }

  /// Without numbers that mean nothing: a step has no place for them.
  static Request settled(Request request) {
    if (auto* damping = std::get_if<SetToolDamping>(&request)) {
      if (!damping->damping.empty()) damping->ratio = 0.0;
    }
    if (auto* target = std::get_if<SetJointTarget>(&request)) {
      if (target->target == TargetKind::kVelocity) {
        for (SetJointTarget::Value& value : target->values) value.q = value.speed = 0.0;
      }
    }
    if (auto* told = std::get_if<SetObstacle>(&request)) {
      for (std::size_t i = size_count(told->shape); i < 3; ++i) told->size[i] = 0.0;
    }
    if (auto* control = std::get_if<SetInteractionControl>(&request)) {
      if (!control->active) {
        SetInteractionControl off;
        off.arm = control->arm;
        off.active = false;
        return off;
      }
      if (control->damping_source != DampingSource::kGiven) control->damping = {};
      if (control->damping_source != DampingSource::kRatio) control->damping_ratio = 0.0;
    }
    return request;
  }

 private:
  static bool is_for_arm(CommandKind kind) {
    bool is_it = false;
    with_command_type(kind, [&]<typename C>(std::type_identity<C>) { is_it = IsForArm<C>; });
    return is_it;
  }
  double number(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }
  std::uint8_t index(std::size_t count) { return static_cast<std::uint8_t>(engine_() % count); }
  bool flag() { return engine_() % 2 == 0; }

  double one(const FieldInfo& field) {
    if (field.range == Range::kSwitchedTerm) {
      ArmTerm term{};
      do {
        term = kAllArmTerm[index(kAllArmTerm.size())];
      } while (!is_switched(term));
      return static_cast<double>(term);
    }
    if (!field.words.empty()) return index(field.words.size());
    switch (field.range) {
      case Range::kFlag:
        return flag() ? 1.0 : 0.0;
      case Range::kHand:
        return index(config_->whole_body->hands.size());
      case Range::kFoot:
        return index(config_->whole_body->feet.size());
      case Range::kGripper:
        return index(config_->grippers.size());
      case Range::kLaw:
        return index(2);  // laws, and parameters of each
      case Range::kArmNumber:
        return index(config_->arms.size());
      case Range::kMessageId:
        return 1.0 + static_cast<double>(engine_() % 0xFFFF'FFFFU);
      case Range::kPreviousId:
        return static_cast<double>(engine_() % 0xFFFF'FFFFU);
      case Range::kSpeed:
      case Range::kAcceleration:
      case Range::kJerk:
      case Range::kGripperSpeed:
        return flag() ? 0.0 : number(0.1, 2.0);  // 0: the joint's own
      case Range::kGraspForce:
      case Range::kDuration:
      case Range::kObstacleSize:
      case Range::kObstacleTime:
      case Range::kGripperWidth:
      case Range::kPayload:
        return number(0.1, 2.0);
      default:
        return number(-2.0, 2.0);
    }
  }

  void add(const FieldInfo& field, CommandKind kind, std::vector<double>& numbers) {
    if (field.range == Range::kObstacleName) {
      const ObstacleName name = obstacle_name(flag() ? "no" : "crate: \"2\"");
      numbers.insert(numbers.end(), name.begin(), name.end());
      return;
    }
    std::size_t count = field.most;
    if (field.range == Range::kToolStiffness || field.range == Range::kToolDamping) {
      if (field.is_list) count = flag() ? 36 : 6;
      if (field.is_list && field.range == Range::kToolDamping && flag()) count = 0;
    } else if (field.is_list) {
      count = field.range == Range::kPostureStiffness && flag() ? 0 : 1 + engine_() % 8;
    }
    for (std::size_t i = 0; i < count; ++i) numbers.push_back(one(field));
    const bool has_parts = kind == CommandKind::kWholeBodyTrajectory && field.is_list;
    if (has_parts) numbers[field.place] = static_cast<double>(kMaxHands + index(2));
  }

  void add_joints(Request& request, CommandKind kind) {
    if (!names_joints(kind)) return;
    std::size_t count = 0;
    for (std::size_t i = 0; i < config_->joints.size(); ++i) {
      const bool is_last = i + 1 == config_->joints.size();
      if (!flag() && !(is_last && count == 0)) continue;
      std::vector<double> numbers;
      for (const FieldInfo& field : value_fields_of(kind)) numbers.push_back(one(field));
      EXPECT_TRUE(add_joint(request, static_cast<JointIndex>(i), numbers)) << to_string(kind);
      ++count;
    }
  }
  static bool names_joints(CommandKind kind) {
    bool does = false;
    with_command_type(kind, [&]<typename C>(std::type_identity<C>) { does = NamesJoints<C>; });
    return does;
  }

  const RobotConfig* config_;
  std::mt19937 engine_{20261126};
};

struct Posted {
  std::uint64_t cycle = 0;
  Request request;
};

/// A robot that accepts everything, and what it was asked in which cycle.
std::vector<Posted> run(const std::string& text, const RobotConfig& config) {
  std::vector<JointCapabilities> boards(config.joints.size());
  for (std::size_t i = 0; i < boards.size(); ++i) {
    boards[i].joint = config.joints[i].name;
    boards[i].drive_modes = {DriveMode::kOff,      DriveMode::kDuty,     DriveMode::kTorque,
                             DriveMode::kVelocity, DriveMode::kPosition, DriveMode::kImpedance};
  }
  CommandInbox inbox;
  Snapshot now;
  now.joints.resize(config.joints.size());
  now.arms.resize(config.arms.size());
  now.laws.resize(config.laws.size());
  now.grippers.resize(config.grippers.size());
  const auto scenarios =
      harness::read_scenarios(harness::parse_yaml(text, "again.yaml"), "again.yaml");
  harness::Runner runner(scenarios.front(), {.config = &config,
                                             .boards = &boards,
                                             .inbox = &inbox,
                                             .world = nullptr,
                                             .backend = "sim",
                                             .force_torque_sensors = 2});
  std::vector<Posted> posted;
  while (!runner.finished() && now.cycle < 10'000) {
    std::vector<Event> events;
    inbox.drain(32, [&](const Command& command) {
      posted.push_back({now.cycle, command.request});
      Event event;
      event.kind = EventKind::kAccepted;
      event.time_ns = now.time_ns;
      event.cycle = now.cycle;
      event.sender = command.sender;
      event.number = command.number;
      event.command = kind_of(command);
      events.push_back(event);
    });
    runner.on_cycle(now, events);
    ++now.cycle;
    now.time_ns += config.period_ns;
  }
  EXPECT_EQ(runner.result().outcome, harness::Outcome::kPassed) << runner.result().reason;
  return posted;
}

struct SessionStepsTest : ::testing::Test {
  void record(const Request& request, std::uint64_t cycle, std::uint64_t number) {
    Command command;
    command.request = request;
    command.number = number;
    session.sent(command);
    session.answered(number, true, static_cast<TimeNs>(cycle) * config.period_ns);
  }
  /// A command, then a mark: where that comes too early or too late, the command lost its time.
  std::string session_of(const Request& request) {
    Snapshot start;
    start.joints.resize(config.joints.size());
    session.start(start);
    record(request, kCommandCycle, 1);
    record(SetSpeedOverride{kMark}, kMarkCycle, 2);
    left_out.clear();
    return to_scenario(session, config, "again", "odd", {}, &left_out);
  }
  static void take_mark(std::vector<Posted>& posted) {
    ASSERT_FALSE(posted.empty());
    EXPECT_EQ(posted.back().request, Request(SetSpeedOverride{kMark}));
    EXPECT_EQ(posted.back().cycle, kMarkCycle);
    posted.pop_back();
  }

  RobotConfig config = odd_robot();
  gui::SessionRecorder session;
  std::vector<std::string> left_out;
};

/// A posture of two arms is two settings: put together again.
Request put_together(const std::vector<Posted>& posted) {
  SetPosture all;
  for (std::size_t i = 0; i < kMaxJoints; ++i) {
    for (const Posted& part : posted) {
      const auto& posture = std::get<SetPosture>(part.request);
      std::size_t place = 0;
      for (std::size_t k = 0; k < i; ++k) place += posture.joints.test(k) ? 1 : 0;
      if (!posture.joints.test(i)) continue;
      all.joints.set(i);
      all.values.push_back(posture.values[place]);
    }
  }
  return all;
}

TEST_F(SessionStepsTest, EveryCommandIsPostedAgainInItsCycleAndTheNextOneInIts) {
  constexpr int kDraws = 24;
  Dice dice(config);
  for (const CommandKind kind : kAllCommandKind) {
    if (kind == CommandKind::kFollowPlan) continue;  // below
    for (int draw = 0; draw < kDraws; ++draw) {
      const Request sent = dice.request(kind);
      const std::string text = session_of(sent);
      SCOPED_TRACE(std::string(to_string(kind)) + "\n" + text);
      EXPECT_TRUE(left_out.empty()) << left_out.front();
      std::vector<Posted> posted;
      ASSERT_NO_THROW(posted = run(text, config));
      take_mark(posted);
      ASSERT_FALSE(posted.empty()) << "it vanished";
      for (const Posted& one : posted) EXPECT_EQ(one.cycle, kCommandCycle);
      const bool is_posture = kind == CommandKind::kSetPosture;
      EXPECT_TRUE(is_posture || posted.size() == 1);
      const Request again =
          is_posture ? put_together(posted) : Dice::settled(posted.front().request);
      ASSERT_TRUE(again == sent) << "it is another";
    }
  }
}

TEST_F(SessionStepsTest, APlanThatIsNotKnownIsToldAndLeavesTheOthersTheirCycles) {
  FollowPlan plan;
  plan.joints.set(0);
  const std::string text = session_of(plan);
  ASSERT_EQ(left_out.size(), 1U);
  EXPECT_NE(left_out[0].find("follow_plan: its plan was made elsewhere"), std::string::npos);
  EXPECT_NE(text.find("  # left out: " + left_out[0]), std::string::npos) << text;
  std::vector<Posted> posted = run(text, config);
  take_mark(posted);
  EXPECT_TRUE(posted.empty());
}

TEST_F(SessionStepsTest, WhatTheRobotsFileDoesNotNameIsTold) {
  for (const Request& request : {Request(SwitchLaw{7, true}), Request(SetLawParameter{0, 9, 1.0}),
                                 Request(OpenGripper{5, 0.0}), Request(TareForceSensor{6}),
                                 Request(FootLoadBearing{.foot = 4, .id = 1})}) {
    const std::string text = session_of(request);
    SCOPED_TRACE(text);
    ASSERT_EQ(left_out.size(), 1U);
    EXPECT_EQ(left_out[0].find(to_string(kind_of(request))), 0U);
  }
}

TEST_F(SessionStepsTest, TwoSamplesForOneJointInOneCycleAreBothSent) {
  Snapshot start;
  start.joints.resize(config.joints.size());
  session.start(start);
  StreamVelocity sample;
  sample.joints.set(0);
  sample.values.push_back({0.25});
  record(sample, kCommandCycle, 1);
  sample.values[0].v = 0.5;
  record(sample, kCommandCycle, 2);
  record(SetSpeedOverride{kMark}, kMarkCycle, 3);
  std::vector<Posted> posted = run(to_scenario(session, config, "again", "odd"), config);
  take_mark(posted);
  ASSERT_EQ(posted.size(), 2U);
  EXPECT_EQ(posted[1].cycle, kCommandCycle + 1);
  EXPECT_EQ(std::get<StreamVelocity>(posted[1].request).values[0].v, 0.5);
}

}  // namespace
}  // namespace jointrig::app
