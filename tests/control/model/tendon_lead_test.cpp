#include "control/model/tendon_lead.h"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string>

#include "control/model/mjcf.h"

namespace jointrig {
namespace {

/// Three slides: "b" goes twice as far as "a" and back, from 0.01; "c" follows "b" by half.
std::string hand(const std::string& equality, const std::string& tendon,
                 const std::string& actuator) {
  return R"(<mujoco><option gravity="0 0 0"/><worldbody>
    <body><joint name="a" type="slide" axis="1 0 0"/><geom size="0.01" mass="0.2"/></body>
    <body pos="0 1 0"><joint name="b" type="slide" axis="1 0 0" ref="0.02"/>
      <geom size="0.01" mass="0.1"/></body>
    <body pos="0 2 0"><joint name="c" axis="0 0 1"/><geom size="0.01" mass="0.3"/></body>
    </worldbody><equality>)" +
         equality + "</equality><tendon>" + tendon + "</tendon><actuator>" + actuator +
         "</actuator></mujoco>";
}

const std::string kTied =
    "<joint joint1='b' joint2='a' polycoef='0.01 -2 0 0 0'/>"
    "<joint joint1='c' joint2='b' polycoef='0 0.5 0 0 0'/>";
const std::string kSplit =
    "<fixed name='split'><joint joint='c' coef='0.7'/><joint joint='b' coef='-0.25'/>"
    "<joint joint='a' coef='0.5'/></fixed>";
constexpr double kSlope = 0.7 * (0.5 * -2.0) - 0.25 * -2.0 + 0.5;

ModelPtr untouched(const std::string& xml) {
  std::array<char, 500> error{};
  const SpecPtr spec(mj_parseXMLString(xml.c_str(), nullptr, error.data(), error.size()));
  EXPECT_NE(spec, nullptr) << error.data();
  return ModelPtr(mj_compile(spec.get(), nullptr));
}

/// Work of the actuator per speed of "a", in the state where b and c follow it.
double work(const mjModel& m, double q, double v, double control) {
  const DataPtr data = make_data(m, "hand.xml");
  const auto put = [&](const char* joint, double at, double speed) {
    const int id = mj_name2id(&m, mjOBJ_JOINT, joint);
    data->qpos[m.jnt_qposadr[id]] = at;
    data->qvel[m.jnt_dofadr[id]] = speed;
  };
  const double b = 0.02 + 0.01 - 2.0 * q;  // of its place in qpos0
  put("a", q, v);
  put("b", b, -2.0 * v);
  put("c", 0.5 * (b - 0.02), -v);
  data->ctrl[0] = control;
  mj_forward(&m, data.get());
  return data->qfrc_actuator[0] - 2.0 * data->qfrc_actuator[1] - data->qfrc_actuator[2];
}

void expect_same_work(const std::string& actuator) {
  SCOPED_TRACE(actuator);
  const std::string xml = hand(kTied, kSplit, actuator);
  const ModelPtr before = untouched(xml);
  const Mjcf after = parse_mjcf(xml, "hand.xml");
  ASSERT_EQ(after.led.size(), 1U);
  EXPECT_EQ(after.led[0].leader, "a");
  EXPECT_EQ(after.led[0].tendon, "split");
  EXPECT_EQ(after.led[0].joints, (std::vector<std::string>{"c", "b", "a"}));
  EXPECT_NEAR(after.led[0].slope, kSlope, 1e-15);
  EXPECT_EQ(after.as_written->actuator_trntype[0], mjTRN_JOINT);
  std::mt19937 random(1);
  std::uniform_real_distribution<double> any(-1.0, 1.0);
  for (int i = 0; i < 50; ++i) {
    const double q = 0.1 * any(random);
    const double v = any(random);
    const double control = 3.0 * any(random);
    const double there = work(*before, q, v, control);
    ASSERT_NEAR(work(*after.as_written, q, v, control), there, 1e-12 * (1.0 + std::abs(there)));
  }
}

TEST(TendonLead, TheLeaderDoesTheWorkOfTheTendonInEveryState) {
  expect_same_work("<motor name='m' tendon='split' gear='3'/>");
  expect_same_work("<motor name='m' tendon='split' gear='-3' forcerange='-1 1'/>");
  expect_same_work("<position name='m' tendon='split' gear='2' kp='40' kv='3'/>");
  expect_same_work(
      "<general name='m' tendon='split' gear='2' ctrlrange='0 2' forcerange='-5 5' "
      "gainprm='0.4 0 0' biastype='affine' biasprm='0.1 -90 -8'/>");
  expect_same_work(
      "<general name='m' tendon='split' gaintype='affine' gainprm='2 30 1' biastype='affine' "
      "biasprm='0 -9 0'/>");
}

TEST(TendonLead, ATendonOfOneJointIsAGear) {
  const Mjcf mjcf = parse_mjcf(hand("", "<fixed name='rope'><joint joint='b' coef='2'/></fixed>",
                                    "<motor name='m' tendon='rope' gear='5'/>"),
                               "hand.xml");
  ASSERT_EQ(mjcf.led.size(), 1U);
  EXPECT_EQ(mjcf.led[0].leader, "b");
  EXPECT_EQ(mjcf.as_written->actuator_gear[0], 10.0);
}

TEST(TendonLead, AJointBesideTheTendonMayLead) {
  const Mjcf mjcf = parse_mjcf(
      hand("<joint joint1='b' joint2='a' polycoef='0 2 0 0 0'/>"
           "<joint joint1='c' joint2='a' polycoef='0 3 0 0 0'/>",
           "<fixed name='two'><joint joint='b' coef='1'/><joint joint='c' coef='1'/></fixed>",
           "<motor name='m' tendon='two'/>"),
      "hand.xml");
  ASSERT_EQ(mjcf.led.size(), 1U);
  // "b" would lead "c" as well, over "a"; the model lets both follow "a".
  EXPECT_EQ(mjcf.led[0].leader, "a");
  EXPECT_EQ(mjcf.led[0].slope, 5.0);
}

TEST(TendonLead, WhatFollowsNoOneJointStaysOnItsTendon) {
  const auto stays = [](const std::string& equality, const std::string& actuator,
                        const std::string& tendon = kSplit) {
    const Mjcf mjcf = parse_mjcf(hand(equality, tendon, actuator), "hand.xml");
    return mjcf.led.empty() && mjcf.as_written->actuator_trntype[0] == mjTRN_TENDON;
  };
  const std::string motor = "<motor name='m' tendon='split'/>";
  EXPECT_FALSE(stays(kTied, motor));
  EXPECT_TRUE(stays("", motor)) << "nothing ties them";
  EXPECT_TRUE(stays("<joint joint1='b' joint2='a'/>", motor)) << "c is loose";
  EXPECT_TRUE(
      stays("<joint joint1='b' joint2='a'/><joint joint1='c' joint2='b' active='false'/>", motor));
  EXPECT_TRUE(
      stays("<joint joint1='b' joint2='a'/><joint joint1='c' joint2='b' "
            "polycoef='0 1 0.5 0 0'/>",
            motor))
      << "a slope that changes";
  EXPECT_TRUE(stays("<joint joint1='b' joint2='a'/><joint joint1='c'/>", motor)) << "c is held";
  EXPECT_TRUE(stays("<joint joint1='b' joint2='a'/>", motor,
                    "<fixed name='split'><joint joint='a' coef='1'/><joint joint='b' coef='-1'/>"
                    "</fixed>"))
      << "its length stays the same";
  EXPECT_TRUE(stays(kTied, "<muscle name='m' tendon='split' lengthrange='0 1'/>"));
}

TEST(TendonLead, AnArmatureOfTheActuatorGoesToTheLeaderBySlopeAndGear) {
  const std::string xml = hand(kTied, kSplit,
                               "<motor name='m' tendon='split' gear='3' "
                               "armature='0.1' damping='0.2'/>");
  Mjcf mjcf = parse_mjcf(xml, "hand.xml");
  remove_joint_actuators(mjcf, {"a"});
  const ModelPtr m = compile(mjcf);
  ASSERT_EQ(m->nactuator, 0);
  const int a = m->jnt_dofadr[mj_name2id(m.get(), mjOBJ_JOINT, "a")];
  EXPECT_NEAR(m->dof_armature[a], 0.1 * 9.0 * kSlope * kSlope, 1e-12);
  EXPECT_NEAR(m->dof_damping[a], 0.2 * 9.0 * kSlope * kSlope, 1e-12);
}

/// Three joints with lopsided ranges, of which the second shortens the tendon.
std::string loose(const std::string& more, const std::string& equality = "") {
  return R"(<mujoco><compiler angle="radian"/><option gravity="0 0 0"/><worldbody>
    <body><joint name="a" axis="0 0 1" range="-1 2"/><geom size="0.01" mass="0.2"/></body>
    <body pos="0 1 0"><joint name="b" type="slide" axis="1 0 0" range="0.5 0.75" ref="0.6"/>
      <geom size="0.01" mass="0.1"/></body>
    <body pos="0 2 0"><joint name="c" axis="0 0 1" range="-0.1 0.3"/>
      <geom size="0.01" mass="0.3"/></body>
    <body pos="0 3 0"><joint name="d" axis="0 0 1"/><geom size="0.01" mass="0.3"/></body>
    </worldbody><equality>)" +
         equality + R"(</equality><tendon>
    <fixed name="three"><joint joint="a" coef="0.5"/><joint joint="b" coef="-2"/>
      <joint joint="c" coef="3"/></fixed>
    <fixed name="free"><joint joint="d" coef="2"/></fixed></tendon><actuator>
    <motor tendon="three"/>)" +
         more + "</actuator></mujoco>";
}

TEST(TendonLead, TheTiesThatItOffersTakeATendonFromItsShortestToItsLongest) {
  std::string ties;
  for (const std::string& tie : tendon_ties(*untouched(loose("")))) ties += tie;
  const std::string xml = loose("", ties);
  const Mjcf tied = parse_mjcf(xml, "hand.xml");
  ASSERT_EQ(tied.led.size(), 1U);
  EXPECT_EQ(tied.led[0].leader, "a");
  const ModelPtr m = untouched(xml);
  const auto length_at = [&](double leader) {
    const std::array<double, 3> coefficients{0.5, -2.0, 3.0};
    double length = coefficients[0] * leader;
    for (int e = 0; e < m->neq; ++e) {
      const int follower = m->eq_obj1id[e];
      const mjtNum* line = m->eq_data + static_cast<std::size_t>(mjNEQDATA * e);
      const double q = m->qpos0[follower] + line[0] + line[1] * (leader - m->qpos0[0]);
      length += coefficients[static_cast<std::size_t>(follower)] * q;
    }
    return length;
  };
  EXPECT_NEAR(length_at(-1.0), 0.5 * -1.0 - 2.0 * 0.75 + 3.0 * -0.1, 1e-5);
  EXPECT_NEAR(length_at(2.0), 0.5 * 2.0 - 2.0 * 0.5 + 3.0 * 0.3, 1e-5);
}

TEST(TendonLead, NoTieIsOfferedForAJointThatSomethingElseMoves) {
  const auto count = [](const std::string& more, const std::string& equality = "") {
    return tendon_ties(*untouched(loose(more, equality))).size();
  };
  EXPECT_EQ(count(""), 2U);
  EXPECT_EQ(count("<motor joint='d'/>"), 2U) << "of no such tendon";
  EXPECT_EQ(count("<motor joint='b'/>"), 0U) << "an actuator of its own";
  EXPECT_EQ(count("<motor tendon='three'/>"), 0U) << "two actuators pull at once";
  EXPECT_EQ(count("", "<joint joint1='c' joint2='d'/>"), 0U) << "it follows another";
  EXPECT_EQ(count("", "<joint joint1='d' joint2='c'/>"), 0U) << "another follows it";
}

}  // namespace
}  // namespace jointrig
