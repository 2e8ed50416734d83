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

/// A robot of `hinges` hinges in a row, each turned a quarter against the one before it, on
/// `mount`.
std::string row_of_hinges(const std::string& prefix, int hinges, const std::string& end,
                          double apart = 0.2) {
  std::string bodies = end;
  for (int i = hinges; i-- > 0;) {
    bodies = "<body name='" + prefix + "link" + std::to_string(i) + "' pos='0 0 " +
             std::to_string(apart) + "'><joint name='" + prefix + "j" + std::to_string(i) +
             "' range='-2 2' axis='" + (i % 2 == 0 ? "0 0 1" : "0 1 0") + "'/><geom size='0.05'/>" +
             bodies + "</body>";
  }
  return bodies;
}

std::string with_motors(const std::string& bodies, const std::vector<std::string>& joints) {
  std::string motors;
  for (const std::string& joint : joints) {
    motors += "<motor joint='" + joint + "' ctrlrange='-50 50'/>";
  }
  return "<mujoco><compiler angle='radian'/><worldbody>" + bodies + "</worldbody><actuator>" +
         motors + "</actuator></mujoco>";
}

std::vector<std::string> row(const std::string& prefix, int count) {
  std::vector<std::string> names;
  for (int i = 0; i < count; ++i) names.push_back(prefix + "j" + std::to_string(i));
  return names;
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

TEST(Inspection, SpeaksOfSeveralJointsInThePlural) {
  const std::string two = describe(discovered(with_motors(row_of_hinges("", 2, ""), row("", 2))));
  EXPECT_TRUE(contains(two, "  joints j0, j1: state no motor inertia: taken as ")) << two;
  const std::string one = describe(discovered(with_motors(row_of_hinges("", 1, ""), row("", 1))));
  EXPECT_TRUE(contains(one, "  joint j0: states no motor inertia: taken as ")) << one;

  const std::string limp = describe(discovered(
      "<mujoco><worldbody><body><joint name='a'/><geom size='.1'/><body><joint name='b'/>"
      "<geom size='.1'/></body></body></worldbody><actuator><motor joint='a' ctrlrange='-9 9'/>"
      "<motor joint='b' ctrlrange='-9 9'/></actuator></mujoco>"));
  EXPECT_TRUE(contains(limp, "  joints a, b: have no range: positions are not limited")) << limp;
}

TEST(Inspection, NamesBodiesWithAnInertiaThatTheirMassCannotHave) {
  // √(I/m) of a ball of 50 mm is 32 mm; 1 kg·m² of 55 g lies 4.3 m away from its axis.
  const auto with_inertia = [](const std::string& moment) {
    std::string body =
        "<body name='servo'><joint name='a' range='-1 1' armature='.1'/>"
        "<geom size='.05'/><inertial pos='0 0 0' mass='.055' diaginertia='" +
        moment + " " + moment + " " + moment + "'/></body>";
    return describe(discovered("<mujoco><worldbody>" + body +
                               "</worldbody><actuator><motor joint='a' ctrlrange='-9 9'/>"
                               "</actuator></mujoco>"));
  };
  const std::string placeholder = with_inertia("1");
  EXPECT_TRUE(
      contains(placeholder, "  body servo: no such mass within a robot of this size can have"))
      << placeholder;
  EXPECT_FALSE(contains(with_inertia("5.5e-5"), "no such mass"));
  EXPECT_FALSE(contains(with_inertia("5e-3"), "no such mass")) << "of 0.1 that its motor feels";
}

TEST(Inspection, NamesJointsThatTheLimitsOfATendonTie) {
  const auto with_range = [](const std::string& range) {
    return describe(discovered(
        "<mujoco><worldbody><body><joint name='a' range='-57 57'/><geom size='.1'/><body>"
        "<joint name='b' range='-57 57'/><geom size='.1'/></body></body></worldbody><tendon>"
        "<fixed name='cord' limited='true' range='" +
        range +
        "'><joint joint='a' coef='1'/><joint joint='b' coef='-1'/></fixed></tendon><actuator>"
        "<motor joint='a' ctrlrange='-9 9'/><motor joint='b' ctrlrange='-9 9'/></actuator>"
        "</mujoco>"));
  };
  const std::string tied = with_range("-.01 .01");
  EXPECT_TRUE(contains(tied, "  joints a, b: tied by the limits of tendon \"cord\": ")) << tied;
  EXPECT_FALSE(contains(with_range("-1 1"), "tied by")) << "half of what they have";
}

TEST(Inspection, NamesAFollowerThatItsLeaderDrivesBeyondItsRange) {
  const auto with_factor = [](const std::string& factor) {
    return describe(discovered(
        "<mujoco><worldbody><body><joint name='proximal' range='0 60'/><geom size='.1'/><body>"
        "<joint name='distal' range='-45 0'/><geom size='.1'/></body></body></worldbody>"
        "<equality><joint joint1='distal' joint2='proximal' polycoef='0 " +
        factor +
        " 0 0 0'/></equality><actuator><motor joint='proximal' ctrlrange='-9 9'/></actuator>"
        "</mujoco>"));
  };
  EXPECT_TRUE(contains(with_factor(".75"),
                       "  joint distal: its range is -45 to 0 deg, and it follows \"proximal\" "
                       "from 0 to 45 deg: that joint is"))
      << with_factor(".75");
  EXPECT_FALSE(contains(with_factor("-.75"), "it follows"));
  EXPECT_FALSE(contains(with_factor("-.76"), "it follows")) << "rounded";
  EXPECT_TRUE(contains(with_factor("-1"), "from -60 to 0 deg"));
}

TEST(Inspection, SaysThatABodyNeverMeetsAnotherByItsMasks) {
  const auto chain = [](const std::string& masks) {
    std::string inner;
    for (const char* joint : {"c", "b", "a"}) {
      inner = "<body pos='.3 0 0'><joint name='" + std::string(joint) +
              "' range='-57 57'/><geom size='.1' " + masks + "/>" + inner + "</body>";
    }
    return describe(discovered("<mujoco><worldbody>" + inner +
                               "</worldbody><actuator><motor joint='a' ctrlrange='-9 9'/>"
                               "</actuator></mujoco>"));
  };
  const std::string never = "  model: no two of its bodies meet by their contype and conaffinity: ";
  EXPECT_TRUE(contains(chain("contype='1' conaffinity='0'"), never));
  EXPECT_FALSE(contains(chain(""), never));
  EXPECT_FALSE(contains(chain("contype='0' conaffinity='0'"), never)) << "drawn alone";
}

TEST(Inspection, TheNamelessJointOfAPinnedBaseIsNotTold) {
  const odd::TempModel file(
      "<mujoco><worldbody><body name='base'><freejoint/><geom size='.1'/><body><joint name='a' "
      "range='-1 1'/><geom size='.1'/></body></body></worldbody><actuator><motor name='a' "
      "joint='a' "
      "ctrlrange='-9 9'/></actuator></mujoco>");
  EXPECT_TRUE(contains(describe(discover(file.path())), "joint joint_0: has no name"));
  const std::string pinned = describe(discover(file.path(), {.keyframe = {}, .pin_base = true}));
  EXPECT_FALSE(contains(pinned, "has no name")) << pinned;
}

TEST(Inspection, WritesAFileToStartFrom) {
  const std::string text = starting_robot_yaml(discovered(odd::kThreeLinks), "");

  EXPECT_TRUE(contains(text, "schema: 1\nname: \"three links\"\nmodel: robot.xml\n"));
  EXPECT_TRUE(contains(text, "keyframe: home\n"));
  EXPECT_TRUE(contains(text, "  home:\n    shoulder: 5.7296 deg\n    elbow: -11.4592 deg\n"));
  EXPECT_TRUE(contains(text, "#   shoulder: {torque_max: 80 Nm, velocity_max: 2 rad/s"));
}

TEST(Inspection, EstimatesAreWrittenOutToBeChecked) {
  Discovery found = discovered(
      "<mujoco><worldbody><body><joint name='yes'/><geom size='0.1'/></body>"
      "</worldbody><actuator><position joint='yes'/></actuator></mujoco>");
  found.config.model_path = "a robot.xml";
  const std::string text = starting_robot_yaml(found, "");

  EXPECT_TRUE(contains(text, "model: \"a robot.xml\"\n"));
  EXPECT_TRUE(contains(text, "joints:\n  \"yes\": {torque_max: "));
  EXPECT_TRUE(contains(text, "# an estimate"));
}

TEST(GuessedArms, EndBeforeTheHandAndTakeTheOutermostFixedBodyAsTool) {
  std::vector<std::string> joints = row("", 6);
  joints.push_back("finger");
  const Discovery found = discovered(with_motors(
      row_of_hinges(
          "", 6,
          "<body name='flange' pos='0 0 .1'><geom size='.02'/><body name='end'>"
          "<geom size='.02'/><body name='f'><joint name='finger' type='slide' range='0 .1'/>"
          "<geom size='.01'/></body></body></body>"),
      joints));

  ASSERT_EQ(found.arms.size(), 1U);
  EXPECT_EQ(found.arms[0], (GuessedArm{"arm", {0, 1, 2, 3, 4, 5}, "flange"}));
  EXPECT_TRUE(contains(describe(found), "No arm is set up for Cartesian control; --write"));
  EXPECT_TRUE(contains(starting_robot_yaml(found, ""), "  arm: [j0, j1, j2, j3, j4, j5]\n"));
  EXPECT_TRUE(contains(starting_robot_yaml(found, ""), "arms:\n  arm: {part: arm, tool: flange}"));
  EXPECT_TRUE(contains(starting_robot_yaml(found, ""),
                       "\ncollision_avoidance: {on: true}\ncollision_detection: {on: true}\n"));
  EXPECT_TRUE(found.config.joints[6].is_of_hand);
  EXPECT_FALSE(found.config.joints[5].is_of_hand);
}

TEST(GuessedArms, TakeASiteThatIsCalledLikeATool) {
  const Discovery found = discovered(with_motors(
      row_of_hinges("", 5, "<site name='ft_sensor'/><site name='attachment_site'/>"), row("", 5)));

  ASSERT_EQ(found.arms.size(), 1U);
  EXPECT_EQ(found.arms[0].tool, "attachment_site");
}

TEST(GuessedArms, OfATorsoBeginBehindItAndHaveTheirSidesNames) {
  std::vector<std::string> joints{"torso"};
  for (const char* side : {"left_", "right_"}) {
    for (const std::string& joint : row(side, 6)) joints.push_back(joint);
  }
  const Discovery found = discovered(
      with_motors("<body name='t'><joint name='torso'/><geom size='.1'/>" +
                      row_of_hinges("left_", 6, "") + row_of_hinges("right_", 6, "") + "</body>",
                  joints));

  ASSERT_EQ(found.arms.size(), 2U);
  EXPECT_EQ(found.arms[0].name, "left") << "as the part of the same joints";
  EXPECT_EQ(found.arms[0].joints, (std::vector<JointIndex>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(found.arms[1].tool, "right_link5");
}

TEST(GuessedArms, TakeTheNamesOfPartsOfSomeOfTheirJointsAndTheirSidesPartsAreWhole) {
  std::vector<std::string> joints;
  std::string sides;
  for (const std::string side : {"left", "right"}) {
    std::string bodies = "<body name='jaw_" + side + "'><joint name='jaw_" + side +
                         "' range='0 1'/><geom size='.02'/></body><body name='" + side +
                         "_arm_camera'><geom size='.01'/></body>";
    const std::vector<std::string> names{"rotation_" + side, "pitch_" + side, "elbow_" + side,
                                         "wrist_pitch_" + side, "wrist_roll_" + side};
    for (std::size_t i = names.size(); i-- > 0;) {
      bodies = "<body name='" + names[i] + "_link' pos='0 0 .2'><joint name='" + names[i] +
               "' range='-2 2' axis='" + (i % 2 == 0 ? "0 0 1" : "0 1 0") +
               "'/><geom size='.05'/>" + bodies + "</body>";
    }
    joints.insert(joints.end(), names.begin(), names.end());
    joints.push_back("jaw_" + side);
    sides += "<body name='mount_" + side + "'><geom size='.05'/>" + bodies + "</body>";
  }
  const Discovery found = discovered(with_motors(sides, joints));

  ASSERT_EQ(found.arms.size(), 2U);
  EXPECT_EQ(found.arms[0], (GuessedArm{"left_arm", {0, 1, 2, 3, 4}, "wrist_roll_left_link"}))
      << "elbow and wrist alone are called like an arm's; a camera is no tool";
  EXPECT_EQ(found.arms[1], (GuessedArm{"right_arm", {6, 7, 8, 9, 10}, "wrist_roll_right_link"}));
  ASSERT_EQ(found.config.parts.size(), 2U);
  EXPECT_EQ(found.config.parts[0].name, "left") << "rotation, pitch and jaw are called so";
  EXPECT_EQ(found.config.parts[0].joints, (std::vector<JointIndex>{0, 1, 2, 3, 4, 5}));
}

TEST(GuessedArms, AreNeitherShortChainsNorLegsNorThumbs) {
  EXPECT_TRUE(discovered(with_motors(row_of_hinges("", 4, ""), row("", 4))).arms.empty());
  const auto five = [](double apart) {
    return discovered(with_motors(row_of_hinges("", 5, "", apart), row("", 5))).arms.size();
  };
  EXPECT_EQ(five(0.06), 0U) << "0.24 m from the first axis to the last";
  EXPECT_EQ(five(0.07), 1U);
  EXPECT_TRUE(discovered(with_motors(row_of_hinges("hip_", 6, ""), row("hip_", 6))).arms.empty());
}

TEST(Inspection, ListsArmsWithTheirToolsAndWritesThemAgain) {
  Discovery found = discovered(with_motors(row_of_hinges("", 5, ""), row("", 5)));
  found.config.parts.push_back({"reach", {0, 1, 2, 3, 4}});
  ArmConfig arm;
  arm.name = arm.part = "reach";
  arm.joints = {0, 1, 2, 3, 4};
  arm.tool = "link4";
  found.config.arms.push_back(arm);

  EXPECT_TRUE(contains(describe(found), "reach  link4  where it is mounted  5: j0 .. j4"));
  EXPECT_FALSE(contains(describe(found), "No arm is set up"));
  EXPECT_TRUE(
      contains(starting_robot_yaml(found, ""), "arms:\n  reach: {part: reach, tool: link4}\n"));
}

TEST(Inspection, SaysThatTheMotorsInertiaIsNotInTheModel) {
  const std::string text =
      starting_robot_yaml(discovered(with_motors(row_of_hinges("", 5, ""), row("", 5))), "");
  EXPECT_TRUE(contains(text, "# The model states no inertia of the motors"));
  EXPECT_TRUE(contains(text, "for 5 of 5"));
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
