#include "app/gui/session_file.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <thread>

#include "app/gui/motion_planner.h"
#include "app/gui/session_expectations.h"
#include "app/rig/rig.h"
#include "app/run/scenario_job.h"
#include "control/exchange/robot_client.h"
#include "harness/runner/scenario_reader.h"
#include "tests/app/gui/scratch.h"
#include "tests/support/requests.h"

namespace jointrig::app {
namespace {

/// A person at a robot that steps when told: what is asked in which cycle.
struct SessionFileTest : ::testing::Test {
  SessionFileTest() {
    rig.start();
    client.watch([this](const Command& command) { session.sent(command); });
  }
  void run_to(std::uint64_t cycle) {
    while (rig.stack().snapshot().cycle < cycle) {
      rig.loop().step();
      for (Event event; events.next(event);) {
        if (event.sender != client.sender()) continue;
        const bool taken = event.kind == EventKind::kAccepted;
        if (taken || event.kind == EventKind::kRejected) {
          session.answered(event.number, taken, event.time_ns);
        }
      }
    }
  }
  /// Starts the record and ends in cycle 300.
  void record_the_arm_in_position() {
    session.start(rig.stack().snapshot());
    run_to(50);
    client.set_mode(arm, ModeRequest::kPosition);
    run_to(300);
  }
  [[nodiscard]] double q(std::size_t joint) { return rig.stack().snapshot().joints[joint].state.q; }
  /// Runs the recorded session headless; where the joints are so many seconds after it began has to
  /// be where they are here.
  void expect_the_same(double seconds) {
    std::string text = to_scenario(session, config, "again", "franka");
    text += "  - wait: {until: time >= " + harness::yaml_number(seconds) + ", timeout: 100 s}\n";
    text += "assert:\n  at_end:\n";
    for (std::size_t i = 0; i < config.joints.size(); ++i) {
      text += "    - {expr: abs(" + config.joints[i].name + ".q - " + harness::yaml_number(q(i)) +
              ") < 1e-9}\n";
    }
    const auto scenarios = harness::read_scenarios(scratch.write("again.yaml", text));
    const harness::Result result = run_scenario(scenarios.front(), JobOptions{}).result;
    EXPECT_EQ(result.outcome, harness::Outcome::kPassed) << result.reason << "\n" << text;
  }

  RobotConfig config = load_robot(harness::find_robot("franka")).config;
  Rig rig{config, {}};
  RobotClient client{rig.stack().config(), rig.stack().inbox(), "panel"};
  EventRing::Reader events{rig.stack().events()};
  gui::SessionRecorder session;
  testing::Scratch scratch;
  JointSet arm = joints_named(config, "arm");
  JointSet elbow = joints_named(config, "panda_joint4");
};

TEST_F(SessionFileTest, ModesMovesAndStopsComeBackInTheirCycles) {
  session.start(rig.stack().snapshot());
  run_to(120);
  client.set_mode(arm, ModeRequest::kPosition);
  run_to(400);
  client.move(elbow, -1.9, 0.8);
  run_to(700);
  client.stop(elbow);  // in full motion
  run_to(1100);
  client.set_interaction(arm, InteractionMode::kCompliant);
  run_to(1200);
  client.set_impedance(elbow, 80.0, 10.0);
  run_to(1300);
  client.timed_move(elbow, -2.2, 1.0);
  run_to(2000);
  session.stop();
  expect_the_same(2.0);
}

/// A session with one move of the elbow, and its record.
struct SessionWithRecord : SessionFileTest {
  SessionWithRecord() : history(config, 10.0) {
    session.start(rig.stack().snapshot());
    go_to(50);
    client.set_mode(arm, ModeRequest::kPosition);
    go_to(400);
    client.move(elbow, -1.9, 0.8);
    go_to(2500);
    session.stop();
  }
  void go_to(std::uint64_t cycle) {
    for (std::uint64_t next = rig.stack().snapshot().cycle + 1; next <= cycle; ++next) {
      run_to(next);
      history.push(rig.stack().snapshot());
    }
  }
  [[nodiscard]] std::string text() {
    return to_scenario(session, config, "again", "franka") +
           proposed_expectations(session, config, history, rig.stack().snapshot().time_ns);
  }
  [[nodiscard]] harness::Outcome outcome_of(const std::string& text) {
    const auto scenarios = harness::read_scenarios(scratch.write("again.yaml", text));
    return run_scenario(scenarios.front(), JobOptions{}).result.outcome;
  }
  gui::History history;
};

TEST_F(SessionWithRecord, ProposesWhatItCameTo) {
  const std::string all = text();
  // -1.9 rad is -108.9°.
  EXPECT_NE(all.find("abs(panda_joint4.q + 108.9 deg) < 1 deg"), std::string::npos) << all;
  EXPECT_NE(all.find("panda_joint4 settles"), std::string::npos);
  EXPECT_EQ(all.find("panda_joint1 settles"), std::string::npos) << "it stood still";
  EXPECT_EQ(outcome_of(all), harness::Outcome::kPassed) << all;
}

TEST_F(SessionWithRecord, AnotherRunOfItFailsThem) {
  std::string changed = text();
  const std::size_t at = changed.find("-1.9");
  ASSERT_NE(at, std::string::npos) << changed;
  changed.replace(at, 4, "-1.8");
  EXPECT_EQ(outcome_of(changed), harness::Outcome::kFailed) << changed;
}

TEST_F(SessionWithRecord, OfARecordInWhichNothingMovedNothingIsProposed) {
  gui::History late(config, 10.0);
  for (int i = 0; i < 400; ++i) {
    run_to(rig.stack().snapshot().cycle + 1);
    late.push(rig.stack().snapshot());
  }
  EXPECT_EQ(proposed_expectations(session, config, late, rig.stack().snapshot().time_ns), "");
}

TEST_F(SessionFileTest, StreamsComeBackSampleBySample) {
  record_the_arm_in_position();
  client.set_mode(elbow, ModeRequest::kVelocity);
  for (std::uint64_t i = 0; i < 40; ++i) {
    run_to(400 + 16 * i);
    client.send<StreamVelocity>({{joint_named(config, "panda_joint4"), {0.01 * double(i)}}});
  }
  run_to(1300);  // it falls silent: the timeout strikes
  client.set_mode(elbow, ModeRequest::kPositionDirect);
  const double from = rig.stack().snapshot().joints[3].reference.q;
  for (std::uint64_t i = 0; i < 30; ++i) {
    run_to(1400 + 16 * i);
    client.send<StreamPosition>(
        {{joint_named(config, "panda_joint4"), {from + 0.005 * double(i)}}});
  }
  run_to(2500);
  session.stop();
  expect_the_same(2.5);
}

TEST_F(SessionFileTest, TrajectoriesComeBackBesideSamplesOfOtherJoints) {
  record_the_arm_in_position();
  client.set_mode(elbow | joints_named(config, "panda_joint7"), ModeRequest::kPositionDirect);
  const double from = rig.stack().snapshot().joints[3].reference.q;
  const double other = rig.stack().snapshot().joints[6].reference.q;
  for (std::uint64_t i = 0; i < 40; ++i) {
    run_to(400 + 16 * i);
    const double t = 0.016 * double(i);
    client.send<StreamTrajectory>(
        {{joint_named(config, "panda_joint4"), {from + 0.2 * t * t, 0.4 * t, 0.4}}});
    client.send<StreamPosition>(
        {{joint_named(config, "panda_joint7"), {other + 0.002 * double(i)}}});
  }
  run_to(2500);
  session.stop();
  expect_the_same(2.5);
}

/// The goal, so far from it: a target of a tool.
ToolTargetFields beside(const ToolPose& goal, double x, double y, double z) {
  const auto& p = goal.position;
  return {0, {p[0] + x, p[1] + y, p[2] + z}, goal.orientation};
}

TEST_F(SessionFileTest, WhatIsAskedOfAnArmComesBackInItsCycles) {
  record_the_arm_in_position();
  client.set_mode(arm, ModeRequest::kCartesian);
  run_to(400);
  const ToolPose start = rig.stack().snapshot().arms[0].goal;
  client.post(testing::arm_request(CommandKind::kSetToolStiffness, {900, 700, 500, 25, 20, 15}));
  run_to(410);
  client.post(testing::arm_request(CommandKind::kSetToolDamping, {1.2}));
  run_to(420);
  client.post(SetArmTerm{0, ArmTerm::kFriction, true});
  run_to(430);
  client.post(SetToolTarget{beside(start, 0.05, 0.1, -0.05)});
  run_to(700);
  client.post(SetPayload{0, 0.5, {0.0, 0.01, 0.02}, {0.01, 0.02, 0.02, 0.0, 0.001, 0.0}});
  run_to(900);
  client.send<SetPosture>({{joint_named(config, "panda_joint1"), {0.3}},
                           {joint_named(config, "panda_joint3"), {-0.2}}});
  for (std::uint64_t i = 0; i < 20; ++i) {
    run_to(1100 + 16 * i);
    client.post(StreamToolTarget{beside(start, 0.05, 0.1 - 0.001 * double(i), -0.05)});
  }
  run_to(2500);  // silent since 1.4 s: the arm holds
  EXPECT_TRUE(rig.stack().snapshot().arms[0].timed_out);
  session.stop();
  expect_the_same(2.5);
}

TEST_F(SessionFileTest, InteractionControlAndTheCuffComeBackInTheirCycles) {
  record_the_arm_in_position();
  client.set_mode(arm, ModeRequest::kCartesian);
  run_to(400);
  SetInteractionControl interaction;
  interaction.arm = 0;
  interaction.axes[2] = InteractionAxis::kForceWithMotionLimit;
  for (std::size_t i = 0; i < 6; ++i) interaction.stiffness[i] = i < 3 ? 500.0 : 20.0;
  interaction.force[2] = -2.0;
  client.post(interaction);
  run_to(800);
  interaction = {};
  interaction.arm = 0;
  interaction.active = false;
  client.post(interaction);
  run_to(820);
  client.post(SetToolInertia{0, {2, 2, 2, 0.1, 0.1, 0.1}});
  run_to(1200);
  client.post(SetFreeAxes{0, {true, true, true, false, false, false}, ToolFrame::kBase});
  run_to(1210);
  client.post(SetCuff{0, 0.5});
  run_to(2200);
  session.stop();
  expect_the_same(2.2);
}

TEST_F(SessionFileTest, WhatWasSuppressedIsSuppressedInTheSameCycles) {
  const auto suppress = [this](const JointSet& joints, Suppressible what) {
    client.post(Suppress{joints, what});
  };
  const JointSet wrist = joints_named(config, "panda_joint6");
  record_the_arm_in_position();
  client.set_mode(wrist, ModeRequest::kTorque);
  run_to(400);
  // By the frames of a window: each message in the first that is a tenth of a second on.
  for (std::uint64_t i = 0; i < 4; ++i) {
    run_to(400 + 112 * i);
    suppress(wrist, Suppressible::kGravityCompensation);
  }
  run_to(1100);  // it fell, and was caught
  client.set_mode(wrist, ModeRequest::kPosition);
  run_to(1300);
  for (std::uint64_t i = 0; i < 9; ++i) {
    run_to(1300 + 100 * i);
    suppress(arm, Suppressible::kCuff);
    if (i == 4) {
      run_to(1720);  // another command between two of them
      client.move(elbow, -1.9, 0.8);
    }
  }
  run_to(2300);
  suppress(wrist, Suppressible::kGravityCompensation);  // a single one
  run_to(2900);
  session.stop();
  const std::string text = to_scenario(session, config, "again", "franka");
  std::size_t streams = 0;
  for (std::size_t at = text.find("suppress:"); at != std::string::npos;
       at = text.find("suppress:", at + 1)) {
    ++streams;
  }
  EXPECT_EQ(streams, 4U) << "four messages are a step, nine with a move between them two\n" << text;
  expect_the_same(2.9);
}

TEST_F(SessionFileTest, RecordingFromTheMiddleBringsTheArmToTheGainsItHad) {
  client.set_mode(arm, ModeRequest::kPosition);
  run_to(100);
  client.set_mode(arm, ModeRequest::kCartesian);
  run_to(200);
  client.post(testing::arm_request(CommandKind::kSetToolStiffness, {300, 300, 300, 10, 10, 10}));
  client.post(testing::arm_request(CommandKind::kSetToolDamping, {1.0}));
  client.post(SetArmTerm{0, ArmTerm::kCoriolis, false});
  client.post(SetPayload{0, 0.25, {0.0, 0.0, 0.01}, {0.01, 0.02, 0.02, 0.0, 0.0, 0.0}});
  client.post(SetTool{0, {0.0, 0.0, 0.1}});
  run_to(300);
  session.start(rig.stack().snapshot());
  run_to(310);
  client.post(SetToolTarget{beside(rig.stack().snapshot().arms[0].goal, 0.02, 0.0, 0.0)});
  run_to(1000);
  session.stop();
  const std::string text = to_scenario(session, config, "soft", "franka") +
                           "  - wait: 1 s\n  - expect: [arm.runs, arm.payload == 0.25, "
                           "panda_joint4.tau_coriolis == 0]\n";
  for (const char* step :
       {"stiffness: [300, 300, 300, 10, 10, 10]", "damping_ratio: 1}", "terms: {coriolis: false}",
        "payload: {mass: 0.25, centre: [0, 0, 0.01], inertia: [0.01, 0.02, 0.02, 0, 0, 0]}",
        "tool: {position: [0, 0, 0.1], orientation: [1, 0, 0, 0]}", "mode: cartesian}"}) {
    EXPECT_NE(text.find(step), std::string::npos) << step << " is missing in\n" << text;
  }
  const auto scenarios = harness::read_scenarios(scratch.write("soft.yaml", text));
  const harness::Result result = run_scenario(scenarios.front(), JobOptions{}).result;
  EXPECT_EQ(result.outcome, harness::Outcome::kPassed) << result.reason << "\n" << text;
}

TEST_F(SessionFileTest, RecordingFromTheMiddleBeginsWhereTheRobotWas) {
  client.set_mode(arm, ModeRequest::kPosition);
  run_to(100);
  client.move(elbow, -1.9, 0.8);
  run_to(2500);
  session.start(rig.stack().snapshot());
  client.move(elbow, -2.1, 0.8);
  run_to(4000);
  session.stop();
  const std::string text = to_scenario(session, config, "later", "franka") +
                           "  - wait: 1.5 s\nassert:\n  at_end:\n    - {expr: abs(panda_joint4.q "
                           "+ 2.1) < 0.2 deg}\n";
  EXPECT_NE(text.find("setup:"), std::string::npos);
  EXPECT_NE(text.find("panda_joint4: -1.9"), std::string::npos) << text;
  const auto scenarios = harness::read_scenarios(scratch.write("later.yaml", text));
  const harness::Result result = run_scenario(scenarios.front(), JobOptions{}).result;
  EXPECT_EQ(result.outcome, harness::Outcome::kPassed) << result.reason << "\n" << text;
}

TEST_F(SessionFileTest, AMotionThroughWaypointsIsATrajectoryAgain) {
  client.set_mode(arm, ModeRequest::kPosition);
  run_to(300);
  session.start(rig.stack().snapshot());
  run_to(310);
  gui::SentMotion motion;
  motion.list.speed = motion.list.acceleration = 0.5;
  for (const double q : {-1.9, -2.2}) {
    gui::MotionWaypoint& waypoint = motion.list.waypoints.emplace_back();
    waypoint.q.resize(config.joints.size());
    waypoint.q[joint_named(config, "panda_joint4")] = q;
  }
  MotionPlanner planner(rig.stack());
  planner.ask(motion.list, rig.stack().config(), rig.stack().snapshot(), false);
  std::optional<gui::MotionAnswer> answer;
  while (!(answer = planner.take())) std::this_thread::yield();
  ASSERT_TRUE(answer->has_passed()) << answer->refusal;
  motion.number = client.post(*planner.hand_over());
  run_to(4000);
  session.stop();
  EXPECT_NEAR(q(joint_named(config, "panda_joint4")), -2.2, 1e-2);
  const std::string text = to_scenario(session, config, "again", "franka", {motion}) +
                           "  - wait: 4 s\nassert:\n  at_end:\n    - {expr: abs(panda_joint4.q + "
                           "2.2) < 0.5 deg}\n  never: [{event: plan_broken}]\n";
  EXPECT_NE(text.find("trajectory: {"), std::string::npos) << text;
  const auto scenarios = harness::read_scenarios(scratch.write("again.yaml", text));
  const harness::Result result = run_scenario(scenarios.front(), JobOptions{}).result;
  EXPECT_EQ(result.outcome, harness::Outcome::kPassed) << result.reason << "\n" << text;
}

TEST_F(SessionFileTest, AParameterThatWasChangedIsChangedAgain) {
  client.set_mode(arm, ModeRequest::kPosition);
  run_to(100);
  session.start(rig.stack().snapshot());
  run_to(110);
  client.set_parameter(elbow, JointParameter::kVelocityMax, 0.25);
  run_to(120);
  client.move(elbow, -1.9, 2.0);
  run_to(2500);
  session.stop();
  const std::string text =
      to_scenario(session, config, "tuned", "franka") +
      "  - wait: 2.4 s\nassert:\n  always:\n    - {expr: abs(panda_joint4.v_ref) < 0.2501 rad/s}\n";
  EXPECT_NE(
      text.find("set_parameter: {joints: panda_joint4, parameter: velocity_max, value: 0.25}"),
      std::string::npos)
      << text;
  const auto scenarios = harness::read_scenarios(scratch.write("tuned.yaml", text));
  const harness::Result result = run_scenario(scenarios.front(), JobOptions{}).result;
  EXPECT_EQ(result.outcome, harness::Outcome::kPassed) << result.reason << "\n" << text;
}

}  // namespace
}  // namespace jointrig::app
