#include "app/gui/gui_robot.h"

#include <gtest/gtest.h>

#include "app/gui/scenario_stage.h"
#include "app/rig/rig.h"
#include "harness/runner/scenario_reader.h"
#include "tests/app/gui/scratch.h"

namespace jointrig::app {
namespace {

constexpr const char* kArm = R"(<mujoco>
  <worldbody>
    <body name="arm">
      <joint name="elbow" axis="0 1 0" range="-120 120"/>
      <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.02"/>
    </body>
  </worldbody>
  <actuator><motor name="elbow" joint="elbow" ctrlrange="-20 20"/></actuator>
  <keyframe>
    <key name="home" qpos="0.1"/>
    <key name="bent" qpos="0.7"/>
  </keyframe>
</mujoco>
)";

TEST(GuiRobot, StartsAtTheKeyframeThatWasChosen) {
  const testing::Scratch scratch;
  GuiRobot robot = robot_called(scratch.write("arm.xml", kArm));
  EXPECT_EQ(keyframes_of(robot), (std::vector<std::string>{"home", "bent"}));
  EXPECT_DOUBLE_EQ(config_of(robot).joints[0].q_start, 0.1);
  robot.keyframe = "bent";
  EXPECT_DOUBLE_EQ(config_of(robot).joints[0].q_start, 0.7);
  robot.keyframe = "straight";
  EXPECT_ANY_THROW(static_cast<void>(config_of(robot)));
}

TEST(GuiRobot, IsNamedInFilesByItsNameOrElseByItsPath) {
  const testing::Scratch scratch;
  EXPECT_EQ(word_for(robot_called("franka")), "franka");
  const std::string path = scratch.write("arm.xml", kArm);
  EXPECT_EQ(word_for(robot_called(path)), path);
}

TEST(GuiRobot, OfAScenarioHasWhatTheScenarioSets) {
  const testing::Scratch scratch;
  const auto scenarios = harness::read_scenarios(scratch.write(
      "slow.yaml",
      "schema: 1\nscenario: slow\nrobot: franka\nconfig: {joints: {panda_joint1: "
      "{velocity_max: 0.5}}}\nsteps:\n  - payload: {body: panda_hand, mass: 1 kg}\n"));
  const GuiRobot robot = robot_for(scenarios.front(), GuiRobot{}, true);
  EXPECT_EQ(config_of(robot).joints[0].limits.v_max, 0.5);
  EXPECT_EQ(plant_options_of(robot).payload_bodies, std::vector<std::string>{"panda_hand"});
  EXPECT_EQ(word_for(robot), "franka");
  EXPECT_TRUE(robot.runs);
}

TEST(GuiRobot, ThatStandsTakesAScenarioWithoutSettingsThoughItsStackKnowsMoreThanItsFile) {
  const testing::Scratch scratch;
  GuiRobot opened = robot_called("franka");
  opened.backend = BackendKind::kKinematic;  // not as its file says
  RigOptions options;
  options.backend = opened.backend;
  Rig rig(config_of(opened), options);
  const RobotConfig& running = rig.stack().config();
  ASSERT_FALSE(running.avoidance->shapes.bodies.empty());
  const auto scenario = [&](const std::string& settings) {
    return harness::read_scenarios(
               scratch.write("plain.yaml", "schema: 1\nscenario: plain\nrobot: franka\n" +
                                               settings + "steps:\n  - wait: 1 s\n"))
        .front();
  };
  EXPECT_EQ(why_not_as_it_stands(scenario(""), opened, running, true), "");
  EXPECT_NE(why_not_as_it_stands(scenario("config: {collision_avoidance: {margin: 2 cm}}\n"),
                                 opened, running, true),
            "");
}

constexpr const char* kSlow =
    "schema: 1\nscenario: slow\nrobot: franka\nparameters: {far: 1 rad}\nconfig: {joints: "
    "{panda_joint1: {velocity_max: 0.5}}, plant: {seed: 1}}\nsteps:\n  - move: {joints: "
    "{panda_joint1: \"${far}\"}}\n";

TEST(GuiRobot, OfAScenarioTakesWhatACommandLineSetsAsARunDoes) {
  const testing::Scratch scratch;
  GuiOptions options;
  options.what = scratch.write("slow.yaml", kSlow);
  options.settings = {"parameters.far=2 rad", "robot.plant.mass_scale=1.25",
                      "robot.joints.panda_joint1.velocity_max=0.75"};
  options.seed = 9;
  const GuiRobot robot = robot_of(options);
  ASSERT_NE(robot.scenario, nullptr);
  EXPECT_FALSE(robot.runs);
  EXPECT_EQ(steps_of(*robot.scenario).front().label, "move panda_joint1 to 2 rad");
  // And as it is opened again, by Run of the page Scenario.
  for (const GuiRobot& opened : {robot, robot_for(*robot.scenario, robot, true)}) {
    const RobotConfig config = config_of(opened);
    EXPECT_EQ(config.plant.mass_scale, 1.25);
    EXPECT_EQ(config.plant.seed, 9U);
    EXPECT_EQ(config.joints[0].limits.v_max, 0.75);
  }
  options.settings = {"robot.plant.mass_scal=1.25"};
  EXPECT_ANY_THROW(static_cast<void>(robot_of(options)));
  options.settings = {"parameters.near=2 rad"};
  EXPECT_ANY_THROW(static_cast<void>(robot_of(options)));
}

TEST(GuiRobot, OfAScenarioMayBeAnother) {
  const testing::Scratch scratch;
  GuiOptions options;
  options.what = scratch.write("still.yaml",
                               "schema: 1\nscenario: still\nrobot: franka\nsteps:\n"
                               "  - wait: 1 s\n");
  options.robot = scratch.write("arm.xml", kArm);
  EXPECT_EQ(config_of(robot_of(options)).joints[0].name, "elbow");
  options.what = "franka";
  EXPECT_ANY_THROW(static_cast<void>(robot_of(options)));
}

TEST(GuiRobot, StandsInTheSceneOfTheCommandLineAndSoDoesThatOfAScenario) {
  const testing::Scratch scratch;
  const auto scene_of = [](const GuiOptions& options) {
    return std::filesystem::path(config_of(robot_of(options)).scene_path).filename();
  };
  GuiOptions options;
  options.what = "franka";
  options.scene = "high_table";
  EXPECT_EQ(scene_of(options), "high_table.xml");
  options.what = scratch.write("slow.yaml", kSlow);
  EXPECT_EQ(scene_of(options), "high_table.xml");
  options.scene = "hihg_table";
  EXPECT_ANY_THROW(static_cast<void>(scene_of(options)));
}

TEST(GuiRobot, OfAFileTakesWhatACommandLineSets) {
  const testing::Scratch scratch;
  GuiOptions options;
  options.what = scratch.write("arm.xml", kArm);
  options.settings = {"plant.mass_scale=1.25"};
  options.seed = 9;
  const GuiRobot robot = robot_of(options);
  EXPECT_EQ(robot.scenario, nullptr);
  EXPECT_EQ(config_of(robot).plant.mass_scale, 1.25);
  EXPECT_EQ(config_of(robot).plant.seed, 9U);
}

/// A sequence that was recorded on it is saved with that.
TEST(GuiRobot, TheWordForARobotWhoseFilesAreElsewhereIsItsName) {
  GuiRobot elsewhere;
  elsewhere.source.name = "franka";
  EXPECT_EQ(word_for(elsewhere), "franka");
  elsewhere.source.name = "of nobody here";
  EXPECT_EQ(word_for(elsewhere), "of nobody here");
}

}  // namespace
}  // namespace jointrig::app
