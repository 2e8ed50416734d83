#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/harness/config/support.h"

namespace jointrig::harness {
namespace {

namespace fs = std::filesystem;

// A folder with models/odd, models/even, scenes/table.xml, scenarios/topic and a bare arm.xml.
class FindRobot : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    root_ = fs::temp_directory_path() / ("jointrig_find_robot_" + std::string(test->name()));
    fs::remove_all(root_);
    write("models/odd/robot.yaml", "schema: 1\nmodel: odd.xml\nscene: table\nkeyframe: up\n");
    write("models/odd/odd.xml", "<mujoco/>");
    write("models/even/robot.yaml", "schema: 1\nname: level\nmodel: even.xml\n");
    write("models/even/even.xml", "<mujoco/>");
    write("scenes/table.xml", "<mujoco/>");
    write("scenarios/topic/a.yaml", "robot: odd\n");
    write("arm.xml", "<mujoco/>");
    unsetenv("JOINTRIG_MODELS");  // NOLINT(concurrency-mt-unsafe): one thread
  }
  void TearDown() override {
    unsetenv("JOINTRIG_MODELS");  // NOLINT(concurrency-mt-unsafe): one thread
    fs::remove_all(root_);
  }
  void write(const std::string& path, const std::string& text) const {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }
  [[nodiscard]] RobotSource find(const std::string& name) const {
    return find_robot(name, {root_ / "scenarios/topic"});
  }
  [[nodiscard]] std::string path(const std::string& name) const { return (root_ / name).string(); }

  fs::path root_;
};

TEST_F(FindRobot, ByNameInModelsAboveTheScenario) {
  const RobotSource robot = find("odd");
  EXPECT_EQ(robot.name, "odd");
  EXPECT_EQ(robot.model_path, path("models/odd/odd.xml"));
  EXPECT_EQ(find("even").name, "level");
}

TEST_F(FindRobot, ByPathOfAFileAFolderOrAModel) {
  EXPECT_EQ(find(path("models/even/robot.yaml")).name, "level");
  EXPECT_EQ(find(path("models/even")).name, "level");
  EXPECT_EQ(find("../../models/even/robot.yaml").name, "level");  // relative to the scenario
  const RobotSource bare = find("../../arm.xml");
  EXPECT_EQ(bare.name, "arm");
  EXPECT_EQ(bare.model_path, path("arm.xml"));
  EXPECT_TRUE(bare.file.is_null());
}

TEST_F(FindRobot, ByNameInTheFoldersOfTheEnvironment) {
  write("elsewhere/third/robot.yaml", "schema: 1\nmodel: third.xml\n");
  write("elsewhere/third/third.xml", "<mujoco/>");
  const std::string list = "/no/such/folder:" + path("elsewhere");
  setenv("JOINTRIG_MODELS", list.c_str(), 1);  // NOLINT(concurrency-mt-unsafe): one thread
  EXPECT_EQ(find("third").model_path, path("elsewhere/third/third.xml"));
}

TEST_F(FindRobot, ByANodeOfAScenario) {
  const YamlNode scenario = load_yaml(root_ / "scenarios/topic/a.yaml");
  EXPECT_EQ(find_robot(scenario.at("robot")).name, "odd");

  write("scenarios/topic/b.yaml", "robot: odt\n");
  const YamlNode wrong = load_yaml(root_ / "scenarios/topic/b.yaml");
  EXPECT_EQ(error_of([&] { return find_robot(wrong.at("robot")); }),
            path("scenarios/topic/b.yaml") +
                ":1:8: there is no robot \"odt\"; did you mean \"odd\"?\n"
                "  robot: odt\n"
                "         ^");
}

TEST_F(FindRobot, SaysWhatThereIs) {
  EXPECT_EQ(error_of([&] { return find("evn"); }),
            "there is no robot \"evn\"; did you mean \"even\"?");
  // The project's own models are above the working directory of the tests.
  EXPECT_TRUE(sentence_of([&] {
                static_cast<void>(find("humanoid"));
              }).starts_with("there is no robot \"humanoid\"; there is even, odd"));
  EXPECT_EQ(sentence_of([&] { return find("../no.xml"); }),
            "there is no robot.yaml, MJCF or URDF at \"../no.xml\"");
}

TEST_F(FindRobot, ARobotWithoutItsModelIsRefusedAtTheKey) {
  write("models/even/robot.yaml", "schema: 1\nmodel: evn.xml\n");
  EXPECT_EQ(error_of([&] { return find("even"); }), path("models/even/robot.yaml") +
                                                        ":2:8: there is no file \"" +
                                                        path("models/even/evn.xml") +
                                                        "\"\n"
                                                        "  model: evn.xml\n"
                                                        "         ^");
}

TEST_F(FindRobot, BasicsAreKnownBeforeTheModelIsRead) {
  RobotSource robot = find("odd");
  robot.overrides.push_back(parse_yaml("{period: 2 ms, plant: {seed: 5}}", "a.yaml"));
  robot.overrides.push_back(robot_override_schema().set_path(YamlNode{}, "keyframe=down"));
  const RobotConfig basics = robot_basics(robot);
  EXPECT_EQ(basics.name, "odd");
  EXPECT_EQ(basics.model_path, path("models/odd/odd.xml"));
  EXPECT_EQ(basics.scene_path, path("scenes/table.xml"));
  EXPECT_EQ(basics.keyframe, "down");
  EXPECT_EQ(basics.period_ns, 2'000'000);
  EXPECT_EQ(basics.plant.seed, 5U);
}

TEST_F(FindRobot, LaysFileAndOverridesOnWhatWasDiscovered) {
  write("models/odd/robot.yaml",
        "schema: 1\nmodel: odd.xml\ndefaults: {stiffness: 1, damping: 1}\n");
  RobotSource source = find("odd");
  source.overrides.push_back(parse_yaml("{joints: {r_elbow: {stiffness: 2}}}", "a.yaml"));
  source.overrides.push_back(
      robot_override_schema().set_path(YamlNode{}, "joints.r_elbow.stiffness=3"));
  RobotConfig robot = a_robot();
  configure(source, robot);
  EXPECT_EQ(robot.joints[0].gains.stiffness, 1.0);
  EXPECT_EQ(robot.joints[2].gains.stiffness, 3.0);
  EXPECT_EQ(robot.joints[2].gains.damping, 1.0);
}

TEST_F(FindRobot, AnUnknownSceneGetsTheNearest) {
  RobotSource robot = find("odd");
  robot.overrides.push_back(parse_yaml("scene: tabel", path("scenarios/topic/a.yaml")));
  EXPECT_EQ(sentence_of([&] { return robot_basics(robot); }),
            "there is no scene \"tabel\"; did you mean \"table\"?");
}

}  // namespace
}  // namespace jointrig::harness
