#include "control/discovery/inspection.h"

#include <gtest/gtest.h>

#include <sstream>

#include "control/discovery/text_table.h"
#include "tests/support/odd_arms.h"
#include "tests/support/temp_model.h"

namespace jointrig {
namespace {

Discovery discovered(const std::string& xml) {
  const odd::TempModel file(xml);
  Discovery found = discover(file.path());
  found.config.model_path = "robot.xml";
  return found;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Inspection, ListsJointsWithUnitsAndWhereTheirNumbersComeFrom) {
  const std::string text = describe(discovered(odd::kThreeLinks));
  const std::vector<std::string> lines = lines_of(text);

  EXPECT_EQ(lines[0], "three links, from robot.xml");
  EXPECT_EQ(lines[1], "3 joints controlled, 1 ms a cycle; starts at keyframe \"home\"");
  EXPECT_TRUE(contains(text, "shoulder  hinge  -28.6..166.2 deg"));
  EXPECT_TRUE(contains(text, "80 N·m  force range x gear 50"));
  EXPECT_TRUE(contains(text, "shoulder_drive (motor)"));
  for (const std::string& line : lines) EXPECT_LE(line.size(), 110U) << line;
}

TEST(Inspection, PutsWhatIsWrongFirst) {
  const std::string text = describe(discovered(odd::kMenagerie));

  EXPECT_LT(text.find("Warnings"), text.find("Notes"));
  EXPECT_TRUE(
      contains(text, "\n  joints tendon_a, tendon_b: not controlled: driven over a tendon"));
}

TEST(Inspection, WritesAFileToStartFrom) {
  const std::string text = starting_robot_yaml(discovered(odd::kThreeLinks), "three.xml");

  EXPECT_TRUE(contains(text, "schema: 1\nname: \"three links\"\nmodel: three.xml\n"));
  EXPECT_TRUE(contains(text, "keyframe: home\n"));
  EXPECT_TRUE(contains(text, "  home:\n    shoulder: 5.7296 deg\n    elbow: -11.4592 deg\n"));
  EXPECT_TRUE(contains(text, "#   shoulder: {torque_max: 80 Nm, velocity_max: 2 rad/s"));
}

TEST(Inspection, EstimatesAreWrittenOutToBeChecked) {
  const std::string text = starting_robot_yaml(
      discovered("<mujoco><worldbody><body><joint name='yes'/><geom size='0.1'/></body>"
                 "</worldbody><actuator><position joint='yes'/></actuator></mujoco>"),
      "a robot.xml");

  EXPECT_TRUE(contains(text, "model: \"a robot.xml\"\n"));
  EXPECT_TRUE(contains(text, "joints:\n  \"yes\": {torque_max: "));
  EXPECT_TRUE(contains(text, "# an estimate"));
}

TEST(TextTable, LinesUpCharactersRatherThanBytes) {
  EXPECT_EQ(table({{"a", "b"}, {"N·m", "1"}, {"x", "22"}}, {false, true}),
            "a     b\nN·m   1\nx    22\n");
}

TEST(TextTable, WrapsWithAHangingIndent) {
  EXPECT_EQ(wrapped("  one two three four", 10, 4), "  one two\n    three\n    four\n");
}

}  // namespace
}  // namespace jointrig
