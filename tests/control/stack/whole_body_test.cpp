// The whole-body controller in the stack: the iCub on its feet. scenarios/whole_body has the rest.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "app/rig/rig.h"
#include "control/exchange/robot_client.h"
#include "control/stack/config_error.h"
#include "tests/support/alloc_guard.h"

namespace jointrig {
namespace {

RobotConfig icub() {
  RobotConfig config = app::load_robot(harness::find_robot("icub")).config;
  config.pin_base = false;
  config.scene_path = "scenes/empty_floor.xml";
  return config;
}

/// The iCub on a floor, held in mode position.
struct Icub {
  explicit Icub(const RobotConfig& config = icub())
      : rig(config, {}),
        client(rig.stack().config(), rig.stack().inbox(), "test"),
        all(client.select("all")),
        reader(rig.stack().events()) {
    rig.start();
    run(1);
    client.set_mode(all, ModeRequest::kPosition);
    run(300);
  }

  void run(int cycles) {
    for (int i = 0; i < cycles; ++i) rig.loop().step();
  }
  const LawSnapshot& law() { return rig.stack().snapshot().laws[0]; }
  /// Events of a kind since the last call.
  std::vector<Event> events(EventKind kind) {
    std::vector<Event> found;
    for (Event e; reader.next(e);) {
      if (e.kind == kind) found.push_back(e);
    }
    return found;
  }

  app::Rig rig;
  RobotClient client;
  JointSet all;
  EventRing::Reader reader;
};

std::string refusal(const RobotConfig& config, BackendKind backend = BackendKind::kSim) {
  try {
    app::RigOptions options;
    options.backend = backend;
    app::Rig rig(config, options);
    rig.start();
  } catch (const ConfigError& e) {
    return e.what();
  }
  return "";
}

TEST(WholeBody, IsRefusedWithOneSentenceWhereItCanNotBe) {
  EXPECT_EQ(refusal(icub()), "");
  EXPECT_NE(refusal(icub(), BackendKind::kKinematic).find("backend kinematic gives none"),
            std::string::npos);

  RobotConfig no_feet = icub();
  no_feet.whole_body->feet.clear();
  EXPECT_NE(refusal(no_feet).find("it has no feet"), std::string::npos);
  RobotConfig no_frame = icub();
  no_frame.whole_body->feet[0].frame = "l_soul";
  EXPECT_NE(refusal(no_frame).find("l_sole"), std::string::npos) << refusal(no_frame);
  RobotConfig no_weight = icub();
  no_weight.whole_body->force_weight = 0.0;
  EXPECT_NE(refusal(no_weight).find("force_weight"), std::string::npos);
  RobotConfig pinned = no_feet;
  pinned.pin_base = true;
  EXPECT_EQ(refusal(pinned), "") << "a pinned base needs no controller";
}

TEST(WholeBody, WaitsUntilEveryJointIsInModeTorque) {
  Icub robot;
  EXPECT_EQ(robot.law().state, LawState::kWaits);
  JointSet most = robot.all;
  most.reset(5);
  robot.client.set_mode(most, ModeRequest::kTorque);
  robot.run(5);
  EXPECT_EQ(robot.law().state, LawState::kWaits);
  robot.client.set_mode(robot.all, ModeRequest::kTorque);
  robot.run(5);
  EXPECT_EQ(robot.law().state, LawState::kRuns);
}

/// Bounded to one iteration, the solver never comes to an end.
TEST(WholeBody, TellsThatItHasNoSolutionAfterItsHoldTimeAndDamps) {
  RobotConfig config = icub();
  config.whole_body->iterations = 1;
  Icub robot(config);
  robot.client.set_mode(robot.all, ModeRequest::kTorque);
  int ran = 0;
  for (int i = 0; i < 20; ++i) {
    robot.run(1);
    ran += robot.law().state == LawState::kRuns ? 1 : 0;
  }
  EXPECT_EQ(ran, 5) << "5 ms of the last torques";
  const std::vector<Event> failures = robot.events(EventKind::kLawFailed);
  ASSERT_EQ(failures.size(), 1U);
  EXPECT_EQ(static_cast<LawFailure>(failures[0].detail), LawFailure::kNoSolution);
  EXPECT_EQ(failures[0].law, 0);
  EXPECT_EQ(failures[0].limit, config.whole_body->hold_time);

  // Once blended in, what each joint gets is damping alone.
  robot.run(300);
  const Stack& stack = robot.rig.stack();
  for (std::size_t i = 0; i < config.joints.size(); ++i) {
    const JointSnapshot& joint = stack.snapshot().joints[i];
    ASSERT_EQ(joint.mode, JointMode::kTorque);
    const double power = (joint.effort.laws + joint.effort.gravity) * joint.state.v;
    EXPECT_LE(power, 0.0) << config.joints[i].name;
  }
}

/// The centre of mass is sent over the edge of the soles.
TEST(WholeBody, AllocatesLocksThrowsAndPrintsNothingWhileItStandsFallsAndIsDamped) {
  JOINTRIG_NEEDS_REALTIME_GUARD();
  Icub robot;
  robot.client.set_mode(robot.all, ModeRequest::kTorque);
  robot.run(500);
  robot.client.set_law_parameter(kWholeBodyLaw, "com_x", 0.3);
  EXPECT_EQ(robot.law().state, LawState::kRuns);
  RealtimeGuard guard;
  robot.run(6000);
  const ViolationCounts counts = guard.violations();
  EXPECT_EQ(counts, kNoViolations) << guard.report();
  EXPECT_EQ(robot.law().state, LawState::kFailed);
  const std::vector<Event> failures = robot.events(EventKind::kLawFailed);
  ASSERT_EQ(failures.size(), 1U);
  const auto why = static_cast<LawFailure>(failures[0].detail);
  EXPECT_TRUE(why == LawFailure::kFell || why == LawFailure::kTipped);
}

}  // namespace
}  // namespace jointrig
