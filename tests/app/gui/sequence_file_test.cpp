#include "app/gui/sequence_file.h"

#include <gtest/gtest.h>

#include <numbers>

#include "app/rig/rig.h"
#include "app/run/scenario_job.h"
#include "control/exchange/robot_client.h"
#include "harness/runner/scenario_reader.h"
#include "tests/app/gui/scratch.h"

namespace jointrig::app {
namespace {

constexpr double kDegree = std::numbers::pi / 180.0;

struct SequenceFileTest : ::testing::Test {
  RobotConfig config = load_robot(harness::find_robot("franka")).config;
  testing::Scratch scratch;

  /// Bends the elbow in two steps, the second timed; opens the hand.
  [[nodiscard]] gui::Sequence wave() const {
    gui::Sequence sequence;
    sequence.name = "wave";
    gui::SequencePose pose{.name = "half: way", .q = {}, .speed = 0.5};
    pose.q.resize(config.joints.size());
    const JointIndex elbow = joint_named(config, "panda_joint4");
    const JointIndex finger = joint_named(config, "panda_finger_joint1");
    pose.q[elbow] = -110.25 * kDegree;
    pose.q[finger] = 0.02;
    pose.hold = 0.3;
    sequence.poses.push_back(pose);
    pose.name = "bent";
    pose.q[elbow] = -90.0 * kDegree;
    pose.q[finger].reset();
    pose.timed = true;
    pose.time = 1.5;
    pose.hold = 0.0;
    sequence.poses.push_back(pose);
    return sequence;
  }
};

TEST_F(SequenceFileTest, WhatIsSavedIsOpenedAgainTheSame) {
  const std::string file = scratch.write("wave.yaml", to_scenario(wave(), config, "franka"));
  const gui::Sequence read = read_sequence(file, config);
  EXPECT_EQ(read.name, "wave");
  ASSERT_EQ(read.poses.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    const gui::SequencePose was = wave().poses[i];
    const gui::SequencePose& is = read.poses[i];
    EXPECT_EQ(is.name, was.name);
    EXPECT_EQ(is.timed, was.timed);
    EXPECT_EQ(is.hold, was.hold);
    EXPECT_EQ(was.timed ? is.time : is.speed, was.timed ? was.time : was.speed);
    for (std::size_t joint = 0; joint < config.joints.size(); ++joint) {
      ASSERT_EQ(is.q[joint].has_value(), was.q[joint].has_value());
      EXPECT_NEAR(is.q[joint].value_or(0.0), was.q[joint].value_or(0.0), 1e-12);
    }
  }
}

TEST_F(SequenceFileTest, RunHeadlessItPassesAndTheRobotGetsThere) {
  const std::string file = scratch.write(
      "wave.yaml", to_scenario(wave(), config, "franka") +
                       "assert:\n  at_end:\n    - {expr: abs(panda_joint4.q + 90 deg) < 0.5 deg}\n"
                       "    - {expr: abs(panda_finger_joint1.q - 20 mm) < 1 mm}\n");
  const JobResult job = run_scenario(harness::read_scenarios(file).front(), JobOptions{});
  EXPECT_EQ(job.result.outcome, harness::Outcome::kPassed) << job.result.reason;
  // 0.3 s of hold and 1.5 s of the timed way are in it.
  EXPECT_GT(job.result.sim_time, 1.8);
}

TEST_F(SequenceFileTest, ATimedFirstPoseFarFromTheStartRunsToo) {
  gui::Sequence sequence = wave();
  sequence.poses.erase(sequence.poses.begin());
  sequence.poses[0].time = 0.2;  // from the start it takes longer: the set-up goes there first
  const std::string file = scratch.write("timed.yaml", to_scenario(sequence, config, "franka"));
  const JobResult job = run_scenario(harness::read_scenarios(file).front(), JobOptions{});
  EXPECT_EQ(job.result.outcome, harness::Outcome::kPassed) << job.result.reason;
}

TEST_F(SequenceFileTest, PosesOfOneNameAreToldApartInTheFile) {
  gui::Sequence sequence = wave();
  sequence.poses[1].name = sequence.poses[0].name;
  const std::string file = scratch.write("twice.yaml", to_scenario(sequence, config, "franka"));
  const gui::Sequence read = read_sequence(file, config);
  EXPECT_EQ(read.poses[0].name, "half: way");
  EXPECT_EQ(read.poses[1].name, "half: way (2)");
}

TEST_F(SequenceFileTest, AHandWrittenScenarioOfMovesAndWaitsIsOpened) {
  const std::string file = scratch.write("hand.yaml", R"(schema: 1
scenario: by_hand
robot: franka
setup:
  - set_mode: {joints: arm, mode: position}
steps:
  - move: {joints: {panda_joint1: 0.5, panda_joint2: 10 deg}, speed: 1.0875 rad/s}
  - wait: 200 ms
  - wait: 100 ms
  - {name: ready, home: {pose: home}}
)");
  const gui::Sequence read = read_sequence(file, config);
  ASSERT_EQ(read.poses.size(), 2U);
  EXPECT_EQ(read.poses[0].name, "pose 1");
  EXPECT_DOUBLE_EQ(read.poses[0].q[0].value(), 0.5);
  EXPECT_NEAR(read.poses[0].q[1].value(), 10.0 * kDegree, 1e-12);
  EXPECT_FALSE(read.poses[0].q[2].has_value());
  EXPECT_DOUBLE_EQ(read.poses[0].speed, 0.5);  // of 2.175 rad/s
  EXPECT_NEAR(read.poses[0].hold, 0.3, 1e-12);
  EXPECT_EQ(read.poses[1].name, "ready");
  EXPECT_DOUBLE_EQ(read.poses[1].q[3].value(), -2.356194);
}

TEST_F(SequenceFileTest, AStepOfAnotherKindIsRefusedWithItsPlace) {
  const std::string file = scratch.write("other.yaml", R"(schema: 1
scenario: other
robot: franka
steps:
  - move: {joints: {panda_joint1: 0.5}}
  - force: {body: panda_hand, force: [0, 0, -40 N], for: 1 s}
)");
  try {
    static_cast<void>(read_sequence(file, config));
    FAIL() << "a force is no pose";
  } catch (const harness::FileError& error) {
    EXPECT_EQ(error.line(), 6);
    EXPECT_NE(error.sentence().find("Scenario tab"), std::string::npos);
  }
}

TEST_F(SequenceFileTest, AJointThatTheRobotHasNotIsRefusedWithTheNearest) {
  const std::string file = scratch.write("typo.yaml",
                                         "schema: 1\nscenario: typo\nrobot: franka\nsteps:\n  - "
                                         "move: {joints: {panda_jiont1: 0.5}}\n");
  try {
    static_cast<void>(read_sequence(file, config));
    FAIL();
  } catch (const harness::FileError& error) {
    EXPECT_NE(error.sentence().find("panda_joint1"), std::string::npos) << error.sentence();
  }
}

}  // namespace
}  // namespace jointrig::app
