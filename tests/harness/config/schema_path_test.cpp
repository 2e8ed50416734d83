#include "harness/config/schema.h"
#include "tests/harness/config/support.h"

namespace jointrig::harness {
namespace {

YamlNode robot() {
  return parse_yaml(
      "schema: 1\nmodel: odd.xml\njoints:\n  r_elbow: {stiffness: 20}\n"
      "plant: {payloads: [{body: a, mass: 1}, {body: b, mass: 2}]}\n",
      "robot.yaml");
}
YamlNode with(const std::string& assignment) {
  return robot_schema().set_path(robot(), assignment);
}
std::string refusal_of_path(const std::string& assignment) {
  return error_of([&] { return with(assignment); });
}

TEST(SetPath, ReplacesAValueAndLeavesTheRest) {
  const YamlNode set = with("joints.r_elbow.stiffness=30 Nm/rad");
  EXPECT_EQ(set.at("joints").at("r_elbow").at("stiffness").text(), "30 Nm/rad");
  EXPECT_EQ(set.at("model").text(), "odd.xml");
  EXPECT_EQ(robot().at("joints").at("r_elbow").at("stiffness").number(), 20.0);
}

TEST(SetPath, MakesTheMappingsOnItsWay) {
  EXPECT_EQ(with("joints.lift.timeout.after=0.1")
                .at("joints")
                .at("lift")
                .at("timeout")
                .at("after")
                .number(),
            0.1);
  const YamlNode alone = robot_override_schema().set_path(YamlNode{}, "defaults.damping=1");
  EXPECT_EQ(alone.at("defaults").at("damping").number(), 1.0);
}

TEST(SetPath, ReachesIntoLists) {
  const YamlNode set = with("plant.payloads[1].mass=3 kg");
  EXPECT_EQ(set.at("plant").at("payloads").items()[1].at("mass").text(), "3 kg");
  EXPECT_EQ(set.at("plant").at("payloads").items()[0].at("mass").number(), 1.0);
}

TEST(SetPath, TakesNamesInQuotes) {
  const YamlNode set = with("joints.\"left.wrist\".kp=3");
  EXPECT_EQ(set.at("joints").at("left.wrist").at("kp").number(), 3.0);
}

TEST(SetPath, ReadsTheValueAsYaml) {
  EXPECT_EQ(with("parts.arm=[l_elbow, r_elbow]").at("parts").at("arm").items().size(), 2U);
  EXPECT_EQ(with("name=a=b").at("name").text(), "a=b");
}

TEST(SetPath, RefusesAPathThatTheSchemaDoesNotHave) {
  EXPECT_EQ(refusal_of_path("joints.r_elbow.stifness=30"),
            "--set joints.r_elbow.stifness=30: there is no \"stifness\" in joints.r_elbow; did you "
            "mean \"stiffness\"?");
  EXPECT_EQ(refusal_of_path("colour.x=1"), "--set colour.x=1: there is no \"colour\" in the file");
  EXPECT_EQ(refusal_of_path("joint.x=1"),
            "--set joint.x=1: there is no \"joint\" in the file; did you mean \"joints\"?");
  EXPECT_EQ(refusal_of_path("plant.payloads[2].mass=1"),
            "--set plant.payloads[2].mass=1: plant.payloads has no entry [2]; it has 2, counted "
            "from 0");
  EXPECT_EQ(refusal_of_path("plant[0]=1"), "--set plant[0]=1: plant is not a list");
  EXPECT_EQ(refusal_of_path("name.x=1"), "--set name.x=1: there is no \"x\" in name");
}

TEST(SetPath, TellsWhatTheUserWroteWithTheNameOfTheDocument) {
  EXPECT_EQ(error_of([] { return robot_override_schema().set_path(YamlNode{}, "x=3", "robot."); }),
            "--set robot.x=3: there is no \"x\" in the file");
}

TEST(SetPath, RefusesWhatIsNoPath) {
  for (const char* path : {"", ".", "a..b", "a[", "a[x]", "a[1", "a[-1]", "\"a", "a]b", "[0]"}) {
    SCOPED_TRACE(path);
    const std::string sentence =
        sentence_of([&] { return robot_schema().set_path(robot(), std::string(path) + "=1"); });
    EXPECT_TRUE(sentence == "this is not a path; write one as a.b[2].c" ||
                sentence.starts_with("there is no \""))
        << sentence;
  }
  EXPECT_EQ(refusal_of_path("name"), "--set name: expected path=value");
}

TEST(SetPath, RefusesAValueThatIsNotYaml) {
  EXPECT_EQ(refusal_of_path("name=[1"),
            "--set name=[1: this is not YAML: end of sequence flow not found");
}

TEST(SetPath, AWrongValueIsRefusedInTheWordsOfTheArgument) {
  EXPECT_EQ(error_of([] { return robot_schema().check(with("joints.r_elbow.stiffness=30 Nm")); }),
            "--set joints.r_elbow.stiffness=30 Nm: stiffness: expected an angular stiffness "
            "(Nm/rad) or a stiffness (N/m), got 30 Nm, a torque");
}

}  // namespace
}  // namespace jointrig::harness
