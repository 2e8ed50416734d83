#include "control/discovery/discovery.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "control/discovery/default_limits.h"
#include "control/model/mjcf.h"
#include "tests/support/odd_arms.h"
#include "tests/support/temp_model.h"
#include "tests/support/urdf_arm.h"

namespace jointrig {
namespace {

Discovery discovered(const std::string& xml, const DiscoveryOptions& options = {}) {
  const odd::TempModel file(xml);
  return discover(file.path(), options);
}

std::vector<std::string> names(const RobotConfig& robot) {
  std::vector<std::string> all;
  for (const JointConfig& joint : robot.joints) all.push_back(joint.name);
  return all;
}

/// Findings on `name`, each with its severity, one per line.
std::string said_about(const Discovery& found, const std::string& name) {
  std::string text;
  for (const Remark& finding : found.findings) {
    if (std::find(finding.names.begin(), finding.names.end(), name) == finding.names.end())
      continue;
    text += std::string(to_string(finding.severity)) + ": " + finding.text + "\n";
  }
  return text;
}

bool says(const Discovery& found, Severity severity, const std::string& part) {
  return std::any_of(found.findings.begin(), found.findings.end(), [&](const Remark& finding) {
    return finding.severity == severity && finding.text.find(part) != std::string::npos;
  });
}

/// Inertia of the motor that is taken where the model states none.
double motor_of(const Discovery& found, std::size_t joint) {
  return plausible_armature(found.config.joints[joint].limits);
}

TEST(Discovery, ListsJointsInTheOrderOfTheModelNotOfTheActuators) {
  const Discovery found = discovered(odd::kThreeLinks);

  EXPECT_EQ(names(found.config), (std::vector<std::string>{"shoulder", "elbow", "joint_2"}));
  EXPECT_EQ(found.config.name, "three links");
  EXPECT_EQ(found.config.keyframe, "home");
  EXPECT_EQ(found.config.joints[1].q_start, -0.2);
  EXPECT_EQ(said_about(found, "joint_2"),
            "info: has no name in the file; this one is its place there\n"
            "info: has no range: positions are not limited\n"
            "info: states no motor inertia: taken as 0.0075, of its torque and speed; set board: "
            "{armature: ...} if it is known\n");
}

TEST(Discovery, TakesTorqueLimitsAfterTheGearAndTheSmallerSideOfLopsidedOnes) {
  const Discovery found = discovered(odd::kThreeLinks);

  EXPECT_DOUBLE_EQ(found.config.joints[0].limits.tau_max, 1.6 * 50.0);
  EXPECT_EQ(found.origins[0].tau_source, "force range x gear 50");
  EXPECT_NE(said_about(found, "shoulder").find("differ by direction"), std::string::npos);
  EXPECT_DOUBLE_EQ(found.config.joints[1].limits.tau_max, 4.0 * 5.0);
  EXPECT_EQ(found.origins[1].tau_source, "control range x gear 5");
  EXPECT_DOUBLE_EQ(found.config.joints[2].limits.tau_max, 3.0);
  EXPECT_EQ(found.origins[2].actuators, "wrist_servo (position servo)");
}

TEST(Discovery, TheJointsOwnForceRangeCountsWhereItIsLower) {
  const Discovery found = discovered(R"(
    <mujoco><worldbody><body><joint name="a" actuatorfrcrange="-3 5"/><geom size="0.1"/></body>
    </worldbody><actuator><motor joint="a" ctrlrange="-9 9"/></actuator></mujoco>)");

  EXPECT_DOUBLE_EQ(found.config.joints[0].limits.tau_max, 3.0);
  EXPECT_EQ(found.origins[0].tau_source, "joint's force range");
}

TEST(Discovery, EstimatesATorqueThatTheModelDoesNotGiveAndSaysSo) {
  const Discovery found = discovered(R"(
    <mujoco><worldbody><body><joint name="a" axis="0 1 0"/>
    <inertial pos="0.5 0 0" mass="2" diaginertia="0.1 0.1 0.1"/></body></worldbody>
    <actuator><position joint="a" kp="100"/></actuator></mujoco>)");

  // Weight at its lever, and ten times 10 rad/s² on the inertia, twice.
  EXPECT_NEAR(found.config.joints[0].limits.tau_max,
              2.0 * (2.0 * 9.81 * 0.5 + 100.0 * (0.1 + 2.0 * 0.25)), 1e-9);
  EXPECT_EQ(found.origins[0].tau_source, "estimate");
  EXPECT_TRUE(says(found, Severity::kWarning, "tau_max is an estimate"));
}

TEST(Discovery, ATorqueLimitThatNoMotorOfTheRobotHasIsTakenAsNone) {
  const auto arm_with = [](const char* shoulder) {
    return discovered(fmt::format(R"(
      <mujoco><worldbody><body><joint name="a" axis="0 1 0"/>
      <inertial pos="0.5 0 0" mass="2" diaginertia="0.1 0.1 0.1"/>
      <body pos="0.6 0 0"><joint name="b" axis="1 0 0"/>
      <inertial pos="0 0 0" mass="1e-3" diaginertia="1e-5 1e-5 1e-5"/></body></body></worldbody>
      <actuator><motor joint="a" ctrlrange="-{0} {0}"/><motor joint="b" ctrlrange="-3 3"/></actuator>
      </mujoco>)",
                                  shoulder));
  };
  // Most torque that the shoulder needs: weight at its lever, ten times 10 rad/s² on the inertia,
  // twice.
  const double needed =
      2.0 * (9.81 * (2.0 * 0.5 + 1e-3 * 0.6) + 100.0 * (0.1 + 2.0 * 0.25 + 1e-3 * 0.36 + 1e-5));

  const Discovery found = arm_with("3e6");
  EXPECT_NEAR(found.config.joints[0].limits.tau_max, needed, 1e-6 * needed);
  EXPECT_EQ(found.origins[0].tau_source, kEstimate);
  EXPECT_NE(said_about(found, "a")
                .find("warning: its torque limit of 3e+06 N·m (control range) is "
                      "far more than a motor of this robot has"),
            std::string::npos)
      << said_about(found, "a");

  EXPECT_EQ(found.config.joints[1].limits.tau_max, 3.0)
      << "a strong wrist of little inertia is no error: the robot has stronger joints";
  EXPECT_EQ(arm_with("40000").config.joints[0].limits.tau_max, 40000.0) << "below 300 times";
  EXPECT_LT(arm_with("45000").config.joints[0].limits.tau_max, 200.0) << "above";
}

/// A URDF that stands upright: a hinge about the vertical, one that lifts 4 kg at 0.5 m, and a roll
/// axis behind it.
/// @param effort  of the first two hinges
/// @param roll    effort of the third
std::string upright(const char* effort, const char* roll) {
  const auto link = [](const char* name, const char* mass, const char* at) {
    return fmt::format(
        "<link name='{}'><inertial><mass value='{}'/><origin xyz='0 0 {}'/><inertia ixx='.01' "
        "iyy='.01' izz='.01' ixy='0' ixz='0' iyz='0'/></inertial></link>",
        name, mass, at);
  };
  const auto joint = [](const char* name, const char* parent, const char* child, const char* axis,
                        const char* value) {
    return fmt::format(
        "<joint name='{}' type='revolute'><parent link='{}'/><child link='{}'/><axis xyz='{}'/>"
        "<limit lower='-2' upper='2' effort='{}' velocity='2'/></joint>",
        name, parent, child, axis, value);
  };
  return "<robot name='upright'><link name='base'/>" + link("a", "1", "0") + link("b", "4", ".5") +
         link("c", "1e-3", "0") + joint("turn", "base", "a", "0 0 1", effort) +
         joint("lift", "a", "b", "0 1 0", effort) + joint("roll", "b", "c", "0 0 1", roll) +
         "</robot>";
}

TEST(Discovery, AnEffortThatCannotCarryTheArmStandsForNoneAtAllJointsThatHaveIt) {
  // Laid down, `lift` holds 9.81 * 4 * 0.5 = 19.6 N·m: at 90 deg, which 200 poses come close to.
  const Discovery found = discovered(upright("6", "0.3"));

  for (const std::size_t joint : {0U, 1U}) {
    SCOPED_TRACE(found.config.joints[joint].name);
    EXPECT_EQ(found.origins[joint].tau_source, kEstimate);
    EXPECT_GT(found.config.joints[joint].limits.tau_max, 19.62);
    EXPECT_NE(
        said_about(found, found.config.joints[joint].name)
            .find("warning: its torque limit of 6 N·m (URDF's effort) can't be a motor's: the "
                  "weight of lift, which has the same limit, takes 19.6 N·m in some poses"),
        std::string::npos)
        << said_about(found, found.config.joints[joint].name);
  }
  EXPECT_EQ(found.config.joints[2].limits.tau_max, 0.3) << "a limit of its own stays";
}

TEST(Discovery, AnEffortThatIsLittleButCouldBeAMotorsStays) {
  EXPECT_EQ(discovered(upright("7", "7")).config.joints[1].limits.tau_max, 7.0)
      << "19.6 N·m of weight are less than three times as much";
  EXPECT_EQ(discovered(upright("6", "6")).config.joints[2].limits.tau_max,
            0.1 * discovered(upright("6", "6")).config.joints[1].limits.tau_max)
      << "the same number counts for none at the roll axis, too, which needs more";
}

TEST(Discovery, AMotorOfAnMjcfMayBeTooWeakForItsArmOnPurpose) {
  const Discovery found = discovered(R"(
    <mujoco><worldbody><body><joint name="swing" axis="0 1 0"/>
    <inertial pos="0 0 -0.5" mass="4" diaginertia="0.1 0.1 0.1"/></body></worldbody>
    <actuator><motor joint="swing" ctrlrange="-2 2"/></actuator></mujoco>)");

  EXPECT_EQ(found.config.joints[0].limits.tau_max, 2.0);
}

TEST(Discovery, TheEstimateOfABareFlangeIsATenthOfTheHingeThatCarriesIt) {
  const Discovery found = discovered(upright("0", "0"));
  const double lift = found.config.joints[1].limits.tau_max;

  EXPECT_GT(lift, 2.0 * 19.6);
  EXPECT_DOUBLE_EQ(found.config.joints[2].limits.tau_max, 0.1 * lift);
  EXPECT_EQ(found.origins[2].tau_source, kEstimate);
}

TEST(Discovery, TheEstimateOfAFingerIsItsOwnHoweverStrongTheWristIs) {
  std::string hand = upright("0", "0");
  std::string finger = hand.substr(hand.find("<joint name='roll'"));
  finger.resize(finger.find("</robot>"));
  finger.replace(finger.find("roll"), 4, "thumb");
  finger.replace(finger.find("'c'"), 3, "'d'");
  hand.insert(hand.find("</robot>"),
              "<link name='d'><inertial><mass value='1e-3'/><inertia ixx='.01' iyy='.01' izz='.01' "
              "ixy='0' ixz='0' iyz='0'/></inertial></link>" +
                  finger);
  const Discovery found = discovered(hand);

  ASSERT_EQ(found.config.joints.size(), 4U);
  // Twice ten times 10 rad/s² on 0.01 kg·m².
  EXPECT_NEAR(found.config.joints[2].limits.tau_max, 2.0, 0.1);
  EXPECT_NEAR(found.config.joints[3].limits.tau_max, 2.0, 0.1);
}

TEST(Discovery, TheInertiaIsWhatTheMotorFeels) {
  const Discovery found = discovered(odd::kTwoPoints);

  // At q = 0 in closed form: with h = m1 l1² + m2 l1², a = m2 l2², b = m2 l1 l2,
  // M = [h + a + 2b, a + b; a + b, a], det = h a - b².
  const double h = 0.5 + 0.25;
  const double a = 0.16;
  const double b = 0.2;
  const double determinant = h * a - b * b;
  EXPECT_NEAR(found.origins[0].inertia_start, determinant / a, 1e-6);
  EXPECT_NEAR(found.origins[1].inertia_start, determinant / (h + a + 2.0 * b), 1e-6);
}

TEST(Discovery, GainsAreMadeForNoMoreThanTwiceTheLightestPose) {
  const Discovery found = discovered(odd::kTwoPoints);

  // With the second joint at q, 1/(M⁻¹)₁₁ = h - b² cos²q / a: from h - b²/a at q = 0 up to h. The
  // start is the lightest pose; half of all poses have cos²q below 1/2.
  const double lightest = 0.75 - 0.04 / 0.16;
  const double median = 0.75 - 0.02 / 0.16;
  ASSERT_LT(median, 2.0 * lightest);
  EXPECT_NEAR(found.config.joints[0].gains.inertia, lightest + motor_of(found, 0), 1e-6)
      << "typical enough";

  // 1/(M⁻¹)₂₂ = a - (a + b cos q)² / (h + a + 2 b cos q): at q = 0.
  const double start = 0.16 - 0.36 * 0.36 / (0.75 + 0.16 + 0.4);
  double lowest = start;
  for (double q = 0.0; q < 3.15; q += 0.001) {
    const double c = 0.2 * std::cos(q);
    lowest = std::min(lowest, 0.16 - (0.16 + c) * (0.16 + c) / (0.91 + 2.0 * c));
  }
  ASSERT_LT(2.0 * start, 0.16 - 0.16 * 0.16 / 0.91) << "the start is light: q = pi/2 is the median";
  EXPECT_NEAR(found.config.joints[1].gains.inertia, 2.0 * lowest + motor_of(found, 1), 1e-3);
}

TEST(Discovery, SaysThatBodiesStartInsideEachOther) {
  const Discovery found = discovered(R"(
    <mujoco><worldbody><body name="one"><joint name="a"/><geom size="0.1"/></body>
    <body name="other" pos="0.15 0 0"><joint/><geom size="0.1"/></body></worldbody>
    <actuator><motor joint="a" ctrlrange="-9 9"/></actuator></mujoco>)");

  EXPECT_TRUE(says(found, Severity::kWarning,
                   "inside each other, which push apart: \"one\" and \"other\""));
}

TEST(Discovery, SaysWhichLinksStartInsideEachOtherAndThatTheirContactsAreLeftOut) {
  const Discovery found = discovered(R"(
    <mujoco><worldbody><body name="one"><joint name="a"/><geom size="0.1"/>
    <body pos="0 0 1"><joint/><geom size="0.1"/>
    <body name="three" pos="0.15 0 -1"><joint/><geom size="0.1"/></body></body></body></worldbody>
    <actuator><motor joint="a" ctrlrange="-9 9"/></actuator></mujoco>)");

  EXPECT_TRUE(says(found, Severity::kWarning,
                   "their contacts are left out (plant.keep_overlaps keeps them): \"one\" and "
                   "\"three\" (50 mm)"));
}

TEST(Discovery, AMotorFeelsItsFollowerOverTheSlope) {
  const Discovery found = discovered(R"(
    <mujoco><option gravity="0 0 0"/><worldbody>
    <body><joint name="f" type="slide"/><geom size="0.1" mass="3" contype="0"/></body>
    <body><joint name="l" type="slide"/><geom size="0.1" mass="2" contype="0"/></body></worldbody>
    <equality><joint joint1="f" joint2="l" polycoef="0 -4 0 0 0"/></equality>
    <actuator><motor joint="l" ctrlrange="-9 9"/></actuator></mujoco>)");

  EXPECT_NEAR(found.config.joints[0].gains.inertia, 2.0 + 4.0 * 4.0 * 3.0 + motor_of(found, 0),
              1e-9);
}

TEST(Discovery, AMotorFeelsTheFrictionOfItsFollowersOverTheirSlopes) {
  const Discovery found = discovered(R"(
    <mujoco><option gravity="0 0 0"/><worldbody>
    <body><joint name="f" type="slide" frictionloss="0.3" damping="0.5"/>
    <geom size="0.1" mass="3" contype="0"/></body>
    <body><joint name="g" type="slide" frictionloss="0.2"/>
    <geom size="0.1" mass="3" contype="0"/></body>
    <body><joint name="l" type="slide" frictionloss="0.1" damping="0.25"/>
    <geom size="0.1" mass="2" contype="0"/></body></worldbody>
    <equality><joint joint1="f" joint2="l" polycoef="0 -4 0 0 0"/>
    <joint joint1="g" joint2="f" polycoef="0 0.5 0 0 0"/></equality>
    <actuator><motor joint="l" ctrlrange="-9 9"/></actuator></mujoco>)");

  const JointGains& gains = found.config.joints[0].gains;
  EXPECT_NEAR(gains.friction, 0.1 + 4.0 * 0.3 + 2.0 * 0.2, 1e-12);
  EXPECT_NEAR(gains.viscous, 0.25 + 16.0 * 0.5, 1e-12);
}

TEST(Discovery, AMotorWhoseInertiaIsStatedGetsTheSpeedOfItsFirstFiveMilliseconds) {
  const auto with_armature = [](const std::string& armature) {
    return discovered(
               "<mujoco><option gravity='0 0 0'/><worldbody><body><joint name='j' armature='" +
               armature +
               "'/><inertial pos='0 0 0' mass='1' diaginertia='.005 .005 .005'/></body>"
               "</worldbody><actuator><motor joint='j' ctrlrange='-9 9'/></actuator></mujoco>")
        .config.joints[0];
  };

  EXPECT_NEAR(with_armature("0.01").limits.v_max, 0.005 * 9.0 / 0.015, 1e-9);
  EXPECT_EQ(with_armature("0.1").limits.v_max, 2.0);
  const JointConfig unknown = with_armature("0");
  EXPECT_EQ(unknown.limits.v_max, 2.0) << "the motor that is taken then suits this speed";
  EXPECT_NEAR(*unknown.board.armature, 0.005 * 9.0 / 2.0, 1e-12);
}

TEST(Discovery, ASpeedThatFrictionDoesNotLetTheMotorReachIsTold) {
  const auto with_damping = [](const std::string& damping) {
    return discovered(
        "<mujoco><worldbody><body><joint name='j' axis='0 0 1' damping='" + damping +
        "' frictionloss='2' armature='0.1'/><geom type='sphere' size='0.1' mass='1'/></body>"
        "</worldbody><actuator><motor joint='j' ctrlrange='-50 50'/></actuator></mujoco>");
  };
  // 50 N·m less 2 of dry friction: 48 / 350 = 0.137 rad/s.
  EXPECT_TRUE(says(with_damping("350"), Severity::kWarning,
                   "its own friction lets the motor's 50 N·m turn it with at most 0.14 rad/s, and "
                   "velocity_max is "));
  const double v_max = with_damping("1").config.joints[0].limits.v_max;
  EXPECT_FALSE(says(with_damping(std::to_string(47.9 / v_max)), Severity::kWarning, "friction"));
  EXPECT_TRUE(says(with_damping(std::to_string(48.1 / v_max)), Severity::kWarning, "friction"));
}

TEST(Discovery, AMotorFeelsALinkageThatClosesOnItself) {
  // A parallelogram: crank and rocker of 0.5 kg and 0.3 m, the coupler a 1 kg bar that translates.
  const std::string bar =
      "<geom type='capsule' size='0.01' fromto='0 0 0 0 0 0.3' mass='0.5' "
      "contype='0'/>";
  const Discovery found = discovered(
      "<mujoco><option gravity='0 0 0'/><worldbody>"
      "<body name='crank'><joint name='crank' axis='0 1 0'/>" +
      bar +
      "<body name='coupler' pos='0 0 0.3'><joint name='pivot' axis='0 1 0'/>"
      "<inertial pos='0.2 0 0' mass='1' diaginertia='0.01 0.01 0.01'/></body></body>"
      "<body name='rocker' pos='0.4 0 0'><joint name='rocker' axis='0 1 0'/>" +
      bar +
      "</body>"
      "</worldbody><equality><connect body1='coupler' body2='rocker' anchor='0.4 0 0'/></equality>"
      "<actuator><motor joint='crank' ctrlrange='-9 9'/></actuator></mujoco>");
  const Discovery open = discovered(
      "<mujoco><option gravity='0 0 0'/><worldbody><body><joint name='crank' axis='0 1 0'/>" + bar +
      "</body></worldbody><actuator><motor joint='crank' ctrlrange='-9 9'/></actuator></mujoco>");

  // Crank and rocker turn alike; the coupler moves with the crank's end.
  const double one_bar = open.config.joints[0].gains.inertia - motor_of(open, 0);
  EXPECT_NEAR(found.config.joints[0].gains.inertia,
              2.0 * one_bar + 1.0 * 0.3 * 0.3 + motor_of(found, 0), 1e-6);
}

TEST(Discovery, NamesEachJointThatIsNotControlledAndWhy) {
  const Discovery found = discovered(odd::kMenagerie);

  EXPECT_EQ(names(found.config), (std::vector<std::string>{"leader", "twice"}));
  const auto is = [&](const std::string& joint, const std::string& text) {
    EXPECT_EQ(said_about(found, joint), text + "\n");
  };
  is("floating", "info: not controlled: the base floats; pin_base bolts it down where it starts");
  is("passive", "info: not controlled: no actuator drives it");
  is("damped", "info: not controlled: its only actuator is a damper");
  is("ball", "info: not controlled: a ball joint without an actuator");
  is("tendon_a", "warning: not controlled: driven over a tendon by actuator \"pull\"");
  is("tendon_b", "warning: not controlled: driven over a tendon by actuator \"pull\"");
  is("follower", "info: not controlled: follows joint \"leader\" by a joint equality");
  is("follower_of_follower",
     "info: not controlled: follows joint \"follower\" by a joint equality");
  is("pull",
     "info: stays as it is (acts on tendon \"string\" of joints tendon_a, tendon_b): its control "
     "is "
     "kept at 0; to drive them, tie them to one by joint equalities in the model, or give each an "
     "actuator of its own there");
}

TEST(Discovery, SeveralActuatorsOfAJointBecomeOneMotorAsStrongAsTheStrongest) {
  const Discovery found = discovered(odd::kMenagerie);

  EXPECT_EQ(found.config.joints[1].name, "twice");
  EXPECT_DOUBLE_EQ(found.config.joints[1].limits.tau_max, 6.0);
  EXPECT_EQ(found.origins[1].actuators, "twice_kp (position servo), twice_kv (velocity servo)");
  EXPECT_NE(said_about(found, "twice").find("several actuators drive it"), std::string::npos);
}

TEST(Discovery, MovesAStartInsideItsRange) {
  const Discovery found = discovered(odd::kMenagerie);

  const JointConfig& joint = found.config.joints[1];
  EXPECT_NEAR(joint.q_start, 0.207, 1e-12) << "qpos0 is 0, the range 0.2..0.9, its margin 0.007";
  EXPECT_NE(said_about(found, "twice").find("warning: starts at 0, outside its range 0.2..0.9"),
            std::string::npos);
}

TEST(Discovery, SaysThatTheTimeStepIsLongerThanACycle) {
  EXPECT_TRUE(says(discovered(odd::kMenagerie), Severity::kInfo, "its time step of 4 ms"));
  DiscoveryOptions slow;
  slow.period_ns = 4'000'000;
  EXPECT_FALSE(says(discovered(odd::kMenagerie, slow), Severity::kInfo, "its time step"));
}

TEST(Discovery, SaysThatAMotorIsTooWeakForTheStart) {
  const Discovery found = discovered(R"(
    <mujoco><worldbody><body><joint name="a" axis="0 1 0"/>
    <inertial pos="0.5 0 0" mass="2" diaginertia="0.1 0.1 0.1"/></body></worldbody>
    <actuator><motor joint="a" ctrlrange="-9 9"/></actuator></mujoco>)");

  EXPECT_TRUE(says(found, Severity::kError,
                   "too weak to hold the start pose: it takes 9.81 N·m, tau_max is 9 N·m"));
}

TEST(Discovery, SaysThatTwoMotorsWorkOnEachOther) {
  const Discovery found = discovered(R"(
    <mujoco><worldbody>
    <body><joint name="a" type="slide"/><geom size="0.1" contype="0"/></body>
    <body><joint name="b" type="slide"/><geom size="0.1" contype="0"/></body></worldbody>
    <equality><joint joint1="a" joint2="b"/></equality>
    <actuator><motor joint="a" ctrlrange="-9 9"/><motor joint="b" ctrlrange="-9 9"/></actuator>
    </mujoco>)");

  EXPECT_EQ(found.config.joints.size(), 2U);
  EXPECT_NE(said_about(found, "a").find("tied by a joint equality to \"b\""), std::string::npos);
}

TEST(Discovery, AModelWithoutMotorsIsNoCrashButAnError) {
  const Discovery found = discovered("<mujoco/>");

  EXPECT_TRUE(found.config.joints.empty());
  EXPECT_TRUE(says(found, Severity::kError, "no joint can be controlled"));
}

TEST(Discovery, FollowsIncludes) {
  odd::TempModel file("<mujoco><include file='parts.xml'/></mujoco>");
  file.add("parts.xml", odd::kTwoPoints);

  EXPECT_EQ(discover(file.path()).config.joints.size(), 2U);
}

TEST(Discovery, KeepsTheFirstJointsOfARobotThatHasTooMany) {
  std::string bodies;
  std::string motors;
  for (int i = 0; i < static_cast<int>(kMaxJoints) + 2; ++i) {
    const std::string name = "j" + std::to_string(i);
    bodies += "<body><joint name='" + name + "'/><geom size='0.1' contype='0'/></body>";
    motors += "<motor joint='" + name + "' ctrlrange='-1 1'/>";
  }
  const Discovery found = discovered("<mujoco><worldbody>" + bodies + "</worldbody><actuator>" +
                                     motors + "</actuator></mujoco>");

  EXPECT_EQ(found.config.joints.size(), kMaxJoints);
  EXPECT_EQ(said_about(found, "j129"),
            "error: not controlled: jointrig controls at most 128 joints\n");
}

TEST(Discovery, MakesPosesOfKeyframes) {
  const Discovery found = discovered(odd::kThreeLinks, {.keyframe = "bent"});

  ASSERT_EQ(found.config.poses.size(), 2U);
  EXPECT_EQ(found.config.poses[0].name, "bent");
  EXPECT_EQ(found.config.poses[1].name, "home");
  EXPECT_EQ(found.config.poses[0].q[1], -1.2);
  EXPECT_EQ(found.config.joints[1].q_start, -1.2);
}

TEST(Discovery, GuessesPartsFromNamesThatMakeThemObvious) {
  const auto robot = [](const std::vector<std::string>& joints) {
    std::string bodies;
    std::string motors;
    for (const std::string& name : joints) {
      bodies += "<body><joint name='" + name + "'/><geom size='0.1' contype='0'/></body>";
      motors += "<motor joint='" + name + "' ctrlrange='-1 1'/>";
    }
    return discovered("<mujoco><worldbody>" + bodies + "</worldbody><actuator>" + motors +
                      "</actuator></mujoco>")
        .config;
  };
  const RobotConfig legs =
      robot({"left_hip_yaw", "left_knee", "right_hip_yaw", "right_knee", "torso_pitch", "waist"});
  ASSERT_EQ(legs.parts.size(), 3U);
  EXPECT_EQ(legs.parts[0].name, "left_leg");
  EXPECT_EQ(legs.parts[0].joints, (std::vector<JointIndex>{0, 1}));
  EXPECT_EQ(legs.parts[1].name, "right_leg");
  EXPECT_EQ(legs.parts[2].name, "torso");

  const RobotConfig nao = robot({"LShoulderPitch", "LElbowYaw", "RShoulderPitch", "RElbowYaw"});
  ASSERT_EQ(nao.parts.size(), 2U);
  EXPECT_EQ(nao.parts[1].name, "right_arm");

  EXPECT_TRUE(robot({"joint1", "joint2", "roll_l"}).parts.empty());
}

TEST(Discovery, AJointWhoseStopsPushBeforeThemStartsAndMovesWhereTheyPushNothing) {
  const odd::TempFolder folder;
  const std::string path = folder.write(
      "finger.xml",
      "<mujoco><compiler angle='radian'/><worldbody><body><joint name='a' range='0 1.5' "
      "limited='true' margin='.01' axis='0 0 1'/><geom size='.1'/></body></worldbody>"
      "<actuator><motor joint='a'/></actuator></mujoco>");
  const Discovery found = discover(path);

  const JointConfig& joint = found.config.joints.at(0);
  EXPECT_EQ(joint.limits.q_min, 0.01);
  EXPECT_EQ(joint.limits.q_max, 1.49);
  EXPECT_EQ(joint.q_start, 0.01) << "the model starts at 0, against its stop";
  EXPECT_NE(said_about(found, "a").find("its stops push from 0.01 rad before them"),
            std::string::npos);

  const Mjcf mjcf = load_mjcf(path);
  const ModelPtr& model = mjcf.as_written;
  const DataPtr data = make_data(*model, path);
  const auto push_at = [&](double q) {
    data->qpos[0] = q;
    mj_forward(model.get(), data.get());
    return data->qfrc_constraint[0];
  };
  EXPECT_EQ(push_at(joint.q_start), 0.0);
  EXPECT_GT(push_at(joint.q_start - 1e-3), 0.0);
}

TEST(Discovery, SaysHowAModelWithoutActuatorsGetsMotors) {
  const odd::TempFolder folder;
  const Discovery found = discover(folder.write(
      "arm.xml",
      "<mujoco><worldbody><body><joint name='a'/><geom size='.1'/></body></worldbody></mujoco>"));

  EXPECT_TRUE(found.config.joints.empty());
  EXPECT_TRUE(says(found, Severity::kError, "none is driven directly by an actuator; --motors"));
}

TEST(Discovery, GivesMotorsToJointsThatNothingMovesWithTheLimitsOfTheUrdf) {
  const odd::TempFolder folder;
  const Discovery found = discover(folder.write("arm.urdf", odd::urdf_text("", "")));

  ASSERT_EQ(names(found.config), (std::vector<std::string>{"shoulder", "elbow"}));
  const JointLimits& shoulder = found.config.joints[0].limits;
  EXPECT_EQ(shoulder.tau_max, 30.0);
  EXPECT_EQ(found.origins[0].tau_source, "URDF's effort");
  EXPECT_EQ(shoulder.v_max, 1.5);
  EXPECT_EQ(found.origins[1].tau_source, kEstimate) << "effort 0 is no limit";
  EXPECT_EQ(found.config.joints[1].limits.v_max, 2.0);
  EXPECT_TRUE(found.config.motors);
  EXPECT_NE(said_about(found, "grip").find("follows joint \"elbow\""), std::string::npos);
}

TEST(Discovery, SaysThatASpeedLimitOfTheUrdfIsNone) {
  const odd::TempFolder folder;
  std::string text = odd::urdf_text("", "");
  text.replace(text.find("velocity='1.5'"), 14, "velocity='999'");
  const Discovery found = discover(folder.write("arm.urdf", text));

  EXPECT_EQ(found.config.joints[0].limits.v_max, 2.0);
  EXPECT_NE(said_about(found, "shoulder")
                .find("info: its speed limit of 999 rad/s is more than a motor reaches: taken as "
                      "none given, 2 rad/s; set velocity_max"),
            std::string::npos);
}

TEST(Discovery, GivesNoMotorToWhatAnActuatorMovesOverATendonOrABaseFloatsOn) {
  const Discovery found = discovered(odd::kMenagerie, {.motors = true});
  EXPECT_EQ(said_about(found, "tendon_a"), said_about(discovered(odd::kMenagerie), "tendon_a"));
}

/// An arm of six hinges with links of `mass` each.
std::string chain(double mass) {
  std::string open;
  std::string close;
  for (int i = 0; i < 6; ++i) {
    open += "<body name='link" + std::to_string(i) + "' pos='0 0 0.3'><joint name='j" +
            std::to_string(i) + "' axis='" + (i % 2 == 0 ? "0 0 1" : "0 1 0") +
            "' range='-90 90'/><geom type='capsule' size='0.05' " +
            "fromto='0 0 0 0 0 0.25' contype='0' conaffinity='0' mass='" + std::to_string(mass) +
            "'/>";
    close += "</body>";
  }
  return "<mujoco><worldbody>" + open + close + "</worldbody></mujoco>";
}

TEST(Discovery, AnArmOfTonsFeelsAHandByAShareOfItsWeight) {
  const Discovery light = discovered(chain(3.0), {.motors = true});
  ASSERT_EQ(light.arms.size(), 1U);
  EXPECT_DOUBLE_EQ(light.config.detection->hand_force_max, 100.0);
  EXPECT_DOUBLE_EQ(light.config.detection->hand_torque_max, 20.0);
  // 6 x 500 kg: 5 % of 29430 N; the torque in the same proportion.
  const Discovery heavy = discovered(chain(500.0), {.motors = true});
  EXPECT_NEAR(heavy.config.detection->hand_force_max, 0.05 * 6 * 500 * 9.81, 1e-9);
  EXPECT_NEAR(heavy.config.detection->hand_torque_max, 0.05 * 6 * 500 * 9.81 / 5.0, 1e-9);
}

}  // namespace
}  // namespace jointrig
