/// Laws of one's own that are linked: what they are told, what becomes of their torque, what
/// becomes of a law that fails. tests/app/run/law_library_test.cpp loads them.

#include <gtest/gtest.h>
#include <time.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "control/core/user_law.h"
#include "control/stack/law_declaration.h"
#include "harness/log/event_text.h"
#include "tests/control/stack/franka_in_physics.h"
#include "tests/support/alloc_guard.h"

namespace jointrig {
namespace {

constexpr std::size_t kArm = 7;

/// tau = −k (q − q0) − d v, with every question to the model asked, too.
class Spring final : public UserLaw {
 public:
  void declare(LawDeclaration& d) override {
    stiffness_ = d.parameter("stiffness", 20.0, 0.0, 200.0, "N·m/rad");
    damping_ = d.parameter("damping", 4.0, 0.0, 40.0, "N·m·s/rad");
    bias_ = d.parameter("bias", 0.0, -1e3, 1e3, "N·m");
    stretch_ = d.signal("stretch", "rad");
    runs_ = d.signal("runs", "");
    frame_ = d.frame("panda_hand");
    d.memory(kArm + 1);
  }
  void torque(LawCycle& c) override {
    if (c.starts) {
      for (std::size_t i = 0; i < c.joints; ++i) c.memory[i] = c.q[i];
    }
    c.memory[kArm] += 1.0;
    c.model->mass_matrix(inertia_);
    c.model->coriolis(vector_);
    c.model->gravity(vector_);
    c.model->external_torque(vector_);
    c.model->pose(frame_, vector_, inertia_);
    c.model->jacobian(frame_, jacobian_);
    c.signal[stretch_] = c.q[3] - c.memory[3];
    c.signal[runs_] = c.memory[kArm];
    for (std::size_t i = 0; i < c.joints; ++i) {
      c.tau[i] = -c.parameter[stiffness_] * (c.q[i] - c.memory[i]) -
                 c.parameter[damping_] * c.v[i] + c.parameter[bias_];
    }
  }

 private:
  std::size_t stiffness_ = 0, damping_ = 0, bias_ = 0, stretch_ = 0, runs_ = 0, frame_ = 0;
  double inertia_[kArm * kArm], vector_[kArm], jacobian_[6 * kArm];
};

/// Fails in its hundredth cycle, in one of several ways.
enum class Way { kThrows, kNan, kInfinite, kSlow, kSlowOnce };
template <Way way>
class Failing final : public UserLaw {
 public:
  void declare(LawDeclaration& /*d*/) override {}
  void torque(LawCycle& c) override {
    if (++cycles_ < 100) return;
    if (way == Way::kThrows) throw std::runtime_error("no more");
    if (way == Way::kNan) c.tau[2] = std::numeric_limits<double>::quiet_NaN();
    if (way == Way::kInfinite) c.tau[4] = -std::numeric_limits<double>::infinity();
    if (way == Way::kSlow || (way == Way::kSlowOnce && cycles_ % 10 == 0)) {
      timespec now{};
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
      const double until =
          static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec) + 300e-6;
      do {
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
      } while (static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec) < until);
    }
  }

 private:
  int cycles_ = 0;
};

template <typename Law>
RobotConfig franka_with() {
  RobotConfig config = app::load_robot(harness::find_robot("franka")).config;
  config.avoidance->on = config.detection->on = false;
  LawConfig law;
  law.name = "mine";
  for (JointIndex i = 0; i < kArm; ++i) law.joints.push_back(i);
  law.maker = maker_of<Law>();
  config.laws.push_back(law);
  return config;
}

struct Robot : testing::FrankaInPhysics {
  explicit Robot(const RobotConfig& config)
      : FrankaInPhysics(config), reader(rig.stack().events()) {}
  void mode(ModeRequest mode) {
    JointSet arm;
    for (std::size_t i = 0; i < kArm; ++i) arm.set(i);
    client.set_mode(arm, mode);
  }
  [[nodiscard]] const LawSnapshot& law() { return now().laws[0]; }
  /// The next event of that kind since the last call.
  std::optional<Event> next(EventKind kind) {
    Event event;
    while (reader.next(event)) {
      if (event.kind == kind) return event;
    }
    return {};
  }
  EventRing::Reader reader;
};

TEST(UserLaw, AddsItsTorqueOnceAllItsJointsAreInItsModeAndNotBefore) {
  Robot robot(franka_with<Spring>());
  EXPECT_EQ(robot.law().state, LawState::kWaits);
  EXPECT_EQ(robot.now().joints[3].effort.laws, 0.0);
  JointSet six;
  for (std::size_t i = 0; i + 1 < kArm; ++i) six.set(i);
  robot.client.set_mode(six, ModeRequest::kTorque);
  robot.run(50);
  EXPECT_EQ(robot.law().state, LawState::kWaits);

  robot.mode(ModeRequest::kTorque);
  robot.client.set_law_parameter("mine", "bias", 1.5);
  robot.run(300);

  EXPECT_EQ(robot.law().state, LawState::kRuns);
  const JointSnapshot& elbow = robot.now().joints[3];
  EXPECT_NEAR(elbow.effort.laws, -20.0 * robot.now().law_signals[0] - 4.0 * elbow.state.v + 1.5,
              1e-12);
  // Nothing else but gravity acts in mode torque: what is sent is the sum.
  EXPECT_NEAR(elbow.setpoint.tau, elbow.effort.gravity + elbow.effort.laws, 1e-9);
}

TEST(UserLaw, HoldsAnArmThatIsPushedAsItsSpringSays) {
  Robot robot(franka_with<Spring>());
  robot.mode(ModeRequest::kTorque);
  robot.client.set_law_parameter("mine", "bias", 2.0);
  robot.client.set_law_parameter("mine", "stiffness", 40.0);
  robot.run(6000);
  // bias = k stretch, less what friction carries.
  EXPECT_NEAR(robot.now().law_signals[0], 2.0 / 40.0, 0.02);
  EXPECT_GT(robot.now().law_signals[0], 0.02);
}

TEST(UserLaw, ComesInAndGoesOutWithoutAStep) {
  RobotConfig config = franka_with<Spring>();
  config.laws[0].given = {{"bias", 5.0, ""}, {"stiffness", 0.0, ""}};
  Robot robot(config);
  robot.mode(ModeRequest::kTorque);
  // 5 N·m over 0.1 s are 0.05 N·m a cycle; the rest is what velocity and gravity add.
  EXPECT_LT(robot.hardest_step(100), 0.3);
  EXPECT_NEAR(robot.now().joints[6].effort.laws + 4.0 * robot.now().joints[6].state.v, 5.0, 0.1);
  robot.client.switch_law("mine", false);
  EXPECT_LT(robot.hardest_step(100), 0.3);
  robot.run(5);
  EXPECT_EQ(robot.now().joints[6].effort.laws, 0.0);
  EXPECT_EQ(robot.law().state, LawState::kOff);
}

TEST(UserLaw, IsLimitedLastAsEveryLaw) {
  RobotConfig config = franka_with<Spring>();
  config.laws[0].given = {{"bias", 1000.0, ""}};
  Robot robot(config);
  robot.mode(ModeRequest::kTorque);
  bool acted = false;
  for (int n = 0; n < 60; ++n) {
    robot.run(1);
    for (std::size_t i = 0; i < kArm; ++i) {
      const JointSnapshot& joint = robot.now().joints[i];
      EXPECT_LE(std::abs(joint.setpoint.tau), config.joints[i].limits.tau_max + 1e-9);
      acted = acted || joint.limits.has(Limit::kTorque);
    }
  }
  EXPECT_TRUE(acted);
}

TEST(UserLaw, MemoryIsSavedAndRestoredWithTheStack) {
  Robot robot(franka_with<Spring>());
  robot.mode(ModeRequest::kTorque);
  robot.run(20);
  const Stack::State saved = robot.rig.stack().state();
  const double runs = robot.now().law_signals[1];
  robot.run(30);
  EXPECT_EQ(robot.now().law_signals[1], runs + 30.0);
  robot.rig.stack().restore(saved);
  robot.run(1);
  EXPECT_EQ(robot.now().law_signals[1], runs + 1.0);
}

TEST(UserLaw, RefusesParametersBeyondTheirRangeAndNamesTheRobotLacks) {
  Robot robot(franka_with<Spring>());
  const auto refused = [&](const Request& request) {
    robot.client.post(request);
    robot.run(1);
    return robot.next(EventKind::kRejected);
  };
  std::optional<Event> event = refused(SetLawParameter{0, 0, 200.5});
  ASSERT_TRUE(event);
  EXPECT_EQ(event->reason, RejectReason::kOutOfRange);
  EXPECT_EQ(event->limit, 200.0);
  EXPECT_EQ(refused(SetLawParameter{0, 0, -0.1})->limit, 0.0);
  EXPECT_EQ(refused(SetLawParameter{0, 0, std::nan("")})->reason, RejectReason::kNotFinite);
  EXPECT_EQ(refused(SetLawParameter{0, 3, 1.0})->reason, RejectReason::kUnknownLaw);
  EXPECT_EQ(refused(SwitchLaw{1, true})->reason, RejectReason::kUnknownLaw);
  EXPECT_EQ(robot.law().parameters[0], 20.0);
  EXPECT_THROW(robot.client.set_law_parameter("mine", "stifness", 1.0), UnknownName);
  EXPECT_THROW(robot.client.switch_law("yours", true), UnknownName);
}

template <Way way>
void expect_shut_out(LawFailure why, JointIndex joint) {
  SCOPED_TRACE(to_string(why));
  Robot robot(franka_with<Failing<way>>());
  robot.mode(ModeRequest::kTorque);
  robot.run(150);

  const std::optional<Event> event = robot.next(EventKind::kLawFailed);
  ASSERT_TRUE(event);
  EXPECT_EQ(event->law, 0);
  EXPECT_EQ(event->detail, static_cast<std::uint8_t>(why));
  EXPECT_EQ(event->joint, joint);
  EXPECT_NE(harness::sentence(*event, robot.rig.stack().config()).find("law mine"),
            std::string::npos);
  EXPECT_FALSE(robot.next(EventKind::kLawFailed)) << "it is told once";
  EXPECT_EQ(robot.law().state, LawState::kFailed);

  // Its joints hold, and say why.
  const double held_at = robot.now().joints[3].state.q;
  robot.run(1000);
  EXPECT_NEAR(robot.now().joints[3].state.q, held_at, 2e-3);
  EXPECT_LT(std::abs(robot.now().joints[3].state.v), 1e-2);
  JointSet elbow;
  elbow.set(3);
  robot.client.post(StreamTorque{elbow, PerJoint<StreamTorque::Value>(1)});
  robot.run(1);
  bool told = false;
  while (const auto answer = robot.next(EventKind::kRejected)) {
    told = told || answer->reason == RejectReason::kLawFailed;
  }
  EXPECT_TRUE(told);

  // On again, and a mode: the way out.
  robot.client.switch_law("mine", true);
  robot.mode(ModeRequest::kPosition);
  robot.run(100);
  EXPECT_EQ(robot.law().state, LawState::kWaits);
}

TEST(UserLaw, ThatThrowsIsShutOutAndItsJointsHold) {
  expect_shut_out<Way::kThrows>(LawFailure::kThrew, 0);
}
TEST(UserLaw, ThatGivesNoNumberIsShutOutAndItsJointsHold) {
  expect_shut_out<Way::kNan>(LawFailure::kNotFinite, 2);
  expect_shut_out<Way::kInfinite>(LawFailure::kNotFinite, 4);
}
TEST(UserLaw, ThatExceedsItsBudgetIsShutOutAndItsJointsHold) {
  expect_shut_out<Way::kSlow>(LawFailure::kOverran, 0);
}

/// Waits without the processor, 10 ms in each cycle.
class Sleepy final : public UserLaw {
 public:
  void declare(LawDeclaration& /*d*/) override {}
  void torque(LawCycle& /*c*/) override {
    const timespec nap{0, 10'000'000};
    nanosleep(&nap, nullptr);
  }
};

/// Says that a clock paces the cycles, and never waits.
class HastyPacer final : public sim::Pacer {
 public:
  void start() noexcept override {}
  std::int64_t wait_until(TimeNs /*robot_time*/) noexcept override { return 0; }
};

TEST(UserLaw, ThatWaitsIsLateOnAClockAndNowhereElse) {
  RobotConfig config = franka_with<Sleepy>();
  config.laws[0].budget = 5e-3;  // far above the processor's time for a call that waits
  HastyPacer pacer;
  for (sim::Pacer* one : {static_cast<sim::Pacer*>(nullptr), static_cast<sim::Pacer*>(&pacer)}) {
    app::RigOptions options;
    options.pacer = one;
    app::Rig rig(config, options);
    rig.start();
    RobotClient client(rig.stack().config(), rig.stack().inbox(), "test");
    rig.loop().step();
    client.set_mode(client.select("arm"), ModeRequest::kTorque);
    for (int i = 0; i < 30; ++i) rig.loop().step();
    EXPECT_EQ(rig.stack().snapshot().laws[0].state,
              one == nullptr ? LawState::kRuns : LawState::kFailed);
  }
}

TEST(UserLaw, AddsToTheTermsOfAnArmInModeCartesian) {
  RobotConfig config = franka_with<Spring>();
  config.laws[0].modes = {ControlMode::kCartesian};
  config.laws[0].given = {{"bias", 1.0, ""}, {"stiffness", 0.0, ""}, {"damping", 0.0, ""}};
  Robot robot(config);
  robot.mode(ModeRequest::kTorque);
  robot.run(50);
  EXPECT_EQ(robot.law().state, LawState::kWaits);
  robot.mode(ModeRequest::kCartesian);
  robot.run(400);
  EXPECT_EQ(robot.law().state, LawState::kRuns);
  for (std::size_t i = 0; i < kArm; ++i) {
    double terms = 0.0;
    for (const auto& term : robot.arm().tau) terms += term[i];
    EXPECT_NEAR(robot.now().joints[i].setpoint.tau, terms + 1.0, 1e-9) << "joint " << i;
  }
}

TEST(UserLaw, ThatIsLateOnceIsLeftAlone) {
  Robot robot(franka_with<Failing<Way::kSlowOnce>>());
  robot.mode(ModeRequest::kTorque);
  robot.run(400);
  EXPECT_EQ(robot.law().state, LawState::kRuns);
}

TEST(UserLaw, AllocatesLocksAndPrintsNothingOnOurSide) {
  JOINTRIG_NEEDS_REALTIME_GUARD();
  Robot robot(franka_with<Spring>());
  robot.mode(ModeRequest::kTorque);
  robot.client.set_law_parameter("mine", "bias", 1.0);
  RealtimeGuard guard;
  robot.run(300);
  EXPECT_EQ(guard.violations(), kNoViolations) << guard.report();
  EXPECT_EQ(robot.law().state, LawState::kRuns);
}

TEST(UserLaw, WithoutOneTheRobotIsTheSameToTheBit) {
  RobotConfig with = franka_with<Spring>();
  RobotConfig without = with;
  without.laws.clear();
  with.laws[0].on = false;
  Robot a(with);
  Robot b(without);
  for (Robot* robot : {&a, &b}) {
    robot->mode(ModeRequest::kTorque);
    robot->run(300);
  }
  EXPECT_EQ(a.rig.hash(), b.rig.hash());
}

struct Refused {
  const char* words;
  void (*spoil)(RobotConfig&);
};

/// Declares what the test tells it to.
class Odd final : public UserLaw {
 public:
  void declare(LawDeclaration& d) override { says(d); }
  void torque(LawCycle& /*c*/) override {}
  static inline void (*says)(LawDeclaration&) = nullptr;
};

TEST(UserLaw, IsRefusedByNameWithASentenceWhereItsConfigurationIsWrong) {
  const RobotConfig good = franka_with<Spring>();
  const std::vector<Refused> cases{
      {"claims no joint", [](RobotConfig& c) { c.laws[0].joints.clear(); }},
      {"twice", [](RobotConfig& c) { c.laws[0].joints.push_back(0); }},
      {"joint number 9", [](RobotConfig& c) { c.laws[0].joints.push_back(9); }},
      {"two laws of that name", [](RobotConfig& c) { c.laws.push_back(c.laws[0]); }},
      {"mode position", [](RobotConfig& c) { c.laws[0].modes = {ControlMode::kPosition}; }},
      {"no mode", [](RobotConfig& c) { c.laws[0].modes = {}; }},
      {"budget", [](RobotConfig& c) { c.laws[0].budget = 0.0; }},
      {"nothing makes it", [](RobotConfig& c) { c.laws[0].maker.reset(); }},
      {"did you mean \"stiffness\"",
       [](RobotConfig& c) {
         c.laws[0].given = {{"stifness", 1.0, ""}};
       }},
      {"outside of 0 to 200",
       [](RobotConfig& c) {
         c.laws[0].given = {{"stiffness", 201.0, ""}};
       }},
      {"lower-case", [](RobotConfig& c) { c.laws[0].name = "my law"; }},
      {"no more",
       [](RobotConfig& c) {
         c.laws[0].maker = std::make_shared<const UserLawMaker>(
             []() -> std::shared_ptr<UserLaw> { throw std::runtime_error("no more"); });
       }},
      {"made no object",
       [](RobotConfig& c) {
         c.laws[0].maker =
             std::make_shared<const UserLawMaker>([] { return std::shared_ptr<UserLaw>(); });
       }},
      {"no std::exception",
       [](RobotConfig& c) {
         c.laws[0].maker = maker_of<Odd>();
         Odd::says = [](LawDeclaration&) { throw 1; };
       }},
      {"panda_hnd",
       [](RobotConfig& c) {
         c.laws[0].maker = maker_of<Odd>();
         Odd::says = [](LawDeclaration& d) { d.frame("panda_hnd"); };
       }},
      {"\"a\" twice",
       [](RobotConfig& c) {
         c.laws[0].maker = maker_of<Odd>();
         Odd::says = [](LawDeclaration& d) {
           d.signal("a", "");
           d.parameter("a", 0.0, 0.0, 1.0, "");
         };
       }},
      {"starts at 2",
       [](RobotConfig& c) {
         c.laws[0].maker = maker_of<Odd>();
         Odd::says = [](LawDeclaration& d) { d.parameter("a", 2.0, 0.0, 1.0, ""); };
       }},
      {"more than 32 signals",
       [](RobotConfig& c) {
         c.laws[0].maker = maker_of<Odd>();
         Odd::says = [](LawDeclaration& d) {
           for (int i = 0; i < 33; ++i) d.signal(("s" + std::to_string(i)).c_str(), "");
         };
       }},
      {"as every law's own",
       [](RobotConfig& c) {
         c.laws[0].maker = maker_of<Odd>();
         Odd::says = [](LawDeclaration& d) { d.signal("state", ""); };
       }},
      {"memory",
       [](RobotConfig& c) {
         c.laws[0].maker = maker_of<Odd>();
         Odd::says = [](LawDeclaration& d) { d.memory(1U << 20U); };
       }},
  };
  for (const Refused& one : cases) {
    SCOPED_TRACE(one.words);
    RobotConfig config = good;
    one.spoil(config);
    try {
      const app::Rig rig(config, {});
      ADD_FAILURE() << "it was taken";
    } catch (const ConfigError& e) {
      EXPECT_NE(std::string(e.what()).find(one.words), std::string::npos) << e.what();
      EXPECT_NE(std::string(e.what()).find("law \""), std::string::npos) << e.what();
    }
  }
}

}  // namespace
}  // namespace jointrig
