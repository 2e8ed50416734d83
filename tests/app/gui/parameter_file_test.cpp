#include "app/rig/parameter_file.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "app/rig/rig.h"
#include "app/rig/saved_parameters.h"
#include "control/exchange/robot_client.h"
#include "harness/config/whole_file.h"
#include "tests/app/gui/scratch.h"
#include "tests/support/full_disk.h"

namespace jointrig::app {
namespace {

constexpr const char* kRobot = R"(schema: 1
name: little
model: %MODEL%

# The arm alone.
parts:
  arm: [panda_joint1, panda_joint2]

# Tuned on a Monday.
joints:
  arm: {velocity_max: 2 rad/s}  # of both
  panda_joint1: {acceleration_max: 15 rad/s^2}   # brisk
)";

struct ParameterFileTest : ::testing::Test {
  ParameterFileTest() {
    std::string text = kRobot;
    const std::string model = std::filesystem::absolute("models/franka/franka.xml").string();
    text.replace(text.find("%MODEL%"), 7, model);
    path = scratch.write("robot.yaml", text);
    before = text;
    source = harness::find_robot(path);
    opened = load_robot(source).config;
  }
  [[nodiscard]] std::vector<ChangedParameter> one_change() const {
    return {{joint_named(opened, "panda_joint1"), JointParameter::kVelocityMax, 2.0, 1.25}};
  }
  std::string says() { return scratch.read("robot.yaml"); }

  testing::Scratch scratch;
  std::string path;
  std::string before;
  harness::RobotSource source;
  RobotConfig opened;
};

TEST_F(ParameterFileTest, ShowsTheDifferenceAndWritesNothing) {
  const ParameterFile file(source);
  const std::string difference = file.compare(opened, one_change());
  EXPECT_NE(difference.find("-   12    panda_joint1: {acceleration_max: 15 rad/s^2}   # brisk"),
            std::string::npos)
      << difference;
  EXPECT_NE(difference.find("+   12    panda_joint1: {acceleration_max: 15 rad/s^2, velocity_max: "
                            "1.25 rad/s}   # brisk"),
            std::string::npos)
      << difference;
  EXPECT_EQ(says(), before);
}

TEST_F(ParameterFileTest, OfATableWhatDiffersIsWrittenOnceAndThenAgainWhenItDiffersAgain) {
  SavedParameters saved(source, opened);
  ParameterTable now;
  for (const JointParameter one : kAllJointParameter) {
    for (const JointConfig& joint : opened.joints) {
      now[static_cast<std::size_t>(one)].push_back(value_of(joint, one));
    }
  }
  EXPECT_EQ(saved.save(now, /*only_compare=*/false), "");
  double& speed = now[static_cast<std::size_t>(JointParameter::kVelocityMax)][0];
  speed = 1.25;
  const std::string difference = saved.save(now, /*only_compare=*/true);
  EXPECT_EQ(difference, ParameterFile(source).compare(opened, one_change()));
  EXPECT_EQ(says(), before);
  EXPECT_EQ(saved.save(now, /*only_compare=*/false), difference);
  EXPECT_EQ(load_robot(harness::find_robot(path)).config.joints[0].limits.v_max, 1.25);
  EXPECT_EQ(saved.save(now, /*only_compare=*/false), "");
  speed = 2.0;  // as it was opened: the file has another one
  saved.save(now, /*only_compare=*/false);
  EXPECT_EQ(load_robot(harness::find_robot(path)).config.joints[0].limits.v_max, 2.0);
}

TEST_F(ParameterFileTest, WritesTheValueAndNothingElse) {
  ParameterFile file(source);
  file.write(opened, one_change());
  std::string expected = before;
  const std::string old = "{acceleration_max: 15 rad/s^2}";
  expected.replace(expected.find(old), old.size(),
                   "{acceleration_max: 15 rad/s^2, velocity_max: 1.25 rad/s}");
  EXPECT_EQ(says(), expected);
  EXPECT_FALSE(std::filesystem::exists(path + ".new"));
}

TEST_F(ParameterFileTest, AFullDiskLeavesTheFileAsItWasAndThereIsAnotherTry) {
  ParameterFile file(source);
  {
    const testing::FullDisk full;
    EXPECT_THROW(file.write(opened, one_change()), harness::WriteError);
  }
  EXPECT_EQ(says(), before);
  EXPECT_FALSE(std::filesystem::exists(path + ".new"));
  file.write(opened, one_change());
  EXPECT_NE(says(), before);
}

TEST_F(ParameterFileTest, ReadAgainTheRobotHasTheNewValuesToTheBit) {
  ParameterFile file(source);
  std::vector<ChangedParameter> changed;
  RobotConfig wanted = opened;
  for (const JointIndex joint : {JointIndex{0}, JointIndex{1}}) {
    for (const JointParameter parameter : kAllJointParameter) {
      // A joint has one of the two laws.
      if (joint == 0 ? is_servo_setting(parameter) : is_pid_gain(parameter)) continue;
      const double was = value_of(opened.joints[joint], parameter);
      const double now = (was == 0.0 ? 7.0 : was) * (0.9 + 0.01 / 3.0);
      field_of(wanted.joints[joint], parameter) = now;
      changed.push_back({joint, parameter, was, now});
    }
  }
  file.write(opened, changed);
  const RobotConfig read = load_robot(harness::find_robot(path)).config;
  for (const ChangedParameter& one : changed) {
    EXPECT_EQ(value_of(read.joints[one.joint], one.parameter), one.now) << to_string(one.parameter);
  }
  EXPECT_EQ(read.joints[2], opened.joints[2]);
}

TEST_F(ParameterFileTest, AFileThatSomebodyElseHasChangedIsLeftAlone) {
  ParameterFile file(source);
  const std::string theirs = before + "# mine\n";
  static_cast<void>(scratch.write("robot.yaml", theirs));
  EXPECT_THROW(static_cast<void>(file.compare(opened, one_change())), std::runtime_error);
  EXPECT_THROW(file.write(opened, one_change()), std::runtime_error);
  EXPECT_EQ(says(), theirs);
}

TEST_F(ParameterFileTest, WritesAgainAfterItsOwnWriting) {
  ParameterFile file(source);
  file.write(opened, one_change());
  std::vector<ChangedParameter> more = one_change();
  more[0].now = 1.5;
  file.write(opened, more);
  EXPECT_NE(says().find("velocity_max: 1.5 rad/s}"), std::string::npos) << says();
}

TEST_F(ParameterFileTest, AValueThatAScenarioOutranksIsNotWritten) {
  harness::RobotSource of_scenario = source;
  of_scenario.overrides.push_back(
      harness::parse_yaml("joints: {panda_joint1: {velocity_max: 1.0}}", "scenario.yaml"));
  const RobotConfig config = load_robot(of_scenario).config;
  ParameterFile file(of_scenario);
  EXPECT_THROW(file.write(config, one_change()), std::runtime_error);
  EXPECT_EQ(says(), before);
}

TEST_F(ParameterFileTest, ARobotWithoutAFileSaysSo) {
  ParameterFile file(harness::find_robot("models/franka/franka.xml"));
  EXPECT_EQ(file.path(), "");
  EXPECT_THROW(file.write(opened, one_change()), std::runtime_error);
}

TEST_F(ParameterFileTest, TheShippedRobotsTakeAChangeAndKeepTheirComments) {
  for (const char* name : {"franka", "icub_upper_body"}) {
    SCOPED_TRACE(name);
    const ParameterFile file(harness::find_robot(name));
    const RobotConfig config = load_robot(harness::find_robot(name)).config;
    const std::string difference =
        file.compare(config, {{0, JointParameter::kKp, config.joints[0].gains.kp, 10.0}});
    EXPECT_NE(difference.find("kp: 10 Nm/rad"), std::string::npos) << difference;
    EXPECT_LE(std::count(difference.begin(), difference.end(), '-'), 2) << difference;
  }
}

}  // namespace
}  // namespace jointrig::app
