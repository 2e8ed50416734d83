#include "control/model/mjcf.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "tests/support/odd_arms.h"

namespace jointrig {
namespace {

std::string message_of(const std::string& xml) {
  try {
    parse_mjcf(xml, "arm.xml");
  } catch (const ModelError& error) {
    return error.what();
  }
  return "(no error)";
}

TEST(Mjcf, NamesWhatHasNoName) {
  const Mjcf mjcf = parse_mjcf(odd::kThreeLinks, "arm.xml");

  EXPECT_EQ(mjcf.named, std::vector<std::string>{"joint_2"});
  EXPECT_EQ(name_of(*mjcf.as_written, mjOBJ_JOINT, 2), "joint_2");
}

TEST(Mjcf, StartsAtHomeUnlessAskedOtherwise) {
  EXPECT_EQ(parse_mjcf(odd::kThreeLinks, "arm.xml").start.keyframe, "home");
  const Mjcf bent = parse_mjcf(odd::kThreeLinks, "arm.xml", "bent");
  EXPECT_EQ(bent.start.q.at("elbow"), std::vector<double>{-1.2});
  EXPECT_EQ(bent.start.ctrl.at("shoulder_drive"), std::vector<double>{0.3});
}

TEST(Mjcf, StartsAtTheFirstKeyframeWithoutHomeAndAtQpos0WithoutAny) {
  const std::string body =
      "<worldbody><body><joint name='a' ref='0.25'/><geom size='.1'/></body>"
      "</worldbody>";
  const std::string keys = "<keyframe><key name='x' qpos='1'/><key qpos='2'/></keyframe>";

  EXPECT_EQ(parse_mjcf("<mujoco>" + body + keys + "</mujoco>", "").start.q.at("a")[0], 1.0);
  const double qpos0 = parse_mjcf("<mujoco>" + body + "</mujoco>", "").start.q.at("a")[0];
  EXPECT_NEAR(qpos0, 0.25 * M_PI / 180.0, 1e-12);
}

TEST(Mjcf, RefusesAKeyframeThatIsNotThere) {
  try {
    parse_mjcf(odd::kThreeLinks, "arm.xml", "hone");
    FAIL() << "taken";
  } catch (const ModelError& error) {
    EXPECT_STREQ(error.what(), "arm.xml: there is no keyframe \"hone\"; did you mean \"home\"?");
  }
}

TEST(Mjcf, SaysInOneSentenceWhatMujocoRefuses) {
  EXPECT_EQ(
      message_of("<mujoco>\n<worldbody>\n<body><joint namo='a'/></body></worldbody></mujoco>"),
      "arm.xml: unrecognized attribute: 'namo' (element 'joint', line 3)");
  EXPECT_EQ(message_of("<mujoco>\n<worldbody><body name='b'><joint/></body></worldbody></mujoco>"),
            "arm.xml: mass and inertia of moving bodies must be larger than mjMINVAL (element name "
            "'b', line 2)");
  EXPECT_EQ(message_of("<mujoco>").find('\n'), std::string::npos);
}

TEST(Mjcf, SaysOfAPartOfAModelThatAnotherFileIncludesIt) {
  EXPECT_EQ(message_of("<mujocoinclude><body name='b'/></mujocoinclude>"),
            "arm.xml: Unrecognized XML model type: 'mujocoinclude': it is a part of a model, name "
            "the file that includes it");
  EXPECT_EQ(message_of("<config/>"),
            "arm.xml: Unrecognized XML model type: 'config': a model begins with <mujoco> (MJCF) "
            "or <robot> (URDF)");
}

TEST(Mjcf, NamesAFileThatIsMissing) {
  EXPECT_THROW(
      {
        try {
          load_mjcf("no/such/arm.xml");
        } catch (const ModelError& error) {
          EXPECT_STREQ(error.what(), "no/such/arm.xml: no such file");
          throw;
        }
      },
      ModelError);
}

TEST(Mjcf, CollectsWarningsAndWritesNoLogFile) {
  std::filesystem::remove("MUJOCO_LOG.TXT");  // of somebody else
  std::vector<std::string> warnings;
  load_mjcf("tests/control/model/pendulum.xml");
  {
    const CollectWarnings collect(warnings);
    mju_warning("something odd");
  }
  mju_warning("nobody listens");

  EXPECT_EQ(warnings, std::vector<std::string>{"something odd"});
  EXPECT_FALSE(std::filesystem::exists("MUJOCO_LOG.TXT"));
}

double inertia_of(const mjModel& model, const NamedState& at, const char* joint) {
  const DataPtr data = make_data(model, "");
  apply(at, model, *data);
  mj_forward(&model, data.get());
  std::vector<double> dense(static_cast<std::size_t>(model.nv * model.nv));
  mj_fullM(&model, data.get(), dense.data());
  const int dof = model.jnt_dofadr[mj_name2id(&model, mjOBJ_JOINT, joint)];
  return dense[static_cast<std::size_t>(dof * (model.nv + 1))];
}

TEST(Mjcf, RemovingAnActuatorKeepsTheMassItAddsAndTheStateOfTheOthers) {
  Mjcf mjcf = parse_mjcf(odd::kThreeLinks, "arm.xml");
  const double before = inertia_of(*mjcf.as_written, mjcf.start, "elbow");

  remove_joint_actuators(mjcf, {"elbow"});
  const ModelPtr model = compile(mjcf);
  const DataPtr data = make_data(*model, "");
  apply(mjcf.start, *model, *data);

  ASSERT_EQ(model->nactuator, 2);
  EXPECT_EQ(mj_name2id(model.get(), mjOBJ_ACTUATOR, "elbow_motor"), -1);
  EXPECT_EQ(data->ctrl[mj_name2id(model.get(), mjOBJ_ACTUATOR, "wrist_servo")], 2.0);
  EXPECT_EQ(data->ctrl[mj_name2id(model.get(), mjOBJ_ACTUATOR, "shoulder_drive")], 3.0);
  EXPECT_EQ(model->nsensor, 1) << "the sensor of the removed actuator goes with it";
  EXPECT_NEAR(inertia_of(*model, mjcf.start, "elbow"), before, 1e-12);
}

TEST(Mjcf, AFrictionlessSwingLosesAsMuchSpeedWithTheActuatorAsWithoutIt) {
  Mjcf mjcf = parse_mjcf(odd::kThreeLinks, "arm.xml");
  const auto elbow_speed_after_a_step = [&](const mjModel& model) {
    const DataPtr data = make_data(model, "");
    apply(mjcf.start, model, *data);
    mju_zero(data->ctrl, static_cast<int>(model.nu));
    const int joint = mj_name2id(&model, mjOBJ_JOINT, "elbow");
    data->qvel[model.jnt_dofadr[joint]] = 2.0;
    mj_step(&model, data.get());
    return data->qvel[model.jnt_dofadr[joint]];
  };
  const double before = elbow_speed_after_a_step(*mjcf.as_written);

  remove_joint_actuators(mjcf, {"elbow"});

  EXPECT_NEAR(elbow_speed_after_a_step(*compile(mjcf)), before, 1e-12);
}

TEST(Mjcf, PinsABaseWhereTheStartHasIt) {
  Mjcf mjcf = parse_mjcf(odd::kFloatingArm, "arm.xml");

  EXPECT_EQ(pin_base(mjcf), std::vector<std::string>{"base"});
  const ModelPtr model = compile(mjcf);
  const DataPtr data = make_data(*model, "");
  apply(mjcf.start, *model, *data);
  mj_kinematics(model.get(), data.get());

  ASSERT_EQ(model->njnt, 2) << "the cup stays free, the arm keeps its joint";
  const int base = mj_name2id(model.get(), mjOBJ_BODY, "base");
  EXPECT_NEAR(data->xpos[3 * base + 0], 0.5, 1e-9);
  EXPECT_NEAR(data->xpos[3 * base + 1], -0.25, 1e-9);
  EXPECT_NEAR(data->xpos[3 * base + 2], 1.5, 1e-9);
  // A quarter turn about z, given in the keyframe, on a base that is written turned and in a frame.
  EXPECT_NEAR(data->xmat[9 * base + 3], 1.0, 1e-9);
  const int arm = mj_name2id(model.get(), mjOBJ_JOINT, "arm");
  EXPECT_EQ(data->qpos[model->jnt_qposadr[arm]], 0.3);
}

TEST(Mjcf, PinsAWalkerThatFloatsInAPlaneWhereTheStartHasIt) {
  const std::string walker = R"(<mujoco><worldbody>
    <body name="trunk" pos="0 0 1"><joint name="x" type="slide" axis="1 0 0"/>
      <joint name="z" type="slide" axis="0 0 1" ref="1"/><joint name="pitch" axis="0 1 0"/>
      <geom size="0.1"/>
      <body pos="0 0 -0.2"><joint name="hip" axis="0 1 0"/><geom size="0.05"/>
        <site name="foot" pos="0 0 -0.3"/></body></body>
    <body name="cart"><joint name="rail" type="slide"/><geom size="0.1"/>
      <body><joint name="pole" axis="0 1 0"/><geom size="0.1" pos="0 0 1"/></body></body>
    </worldbody><actuator><motor joint="hip"/><motor joint="rail"/></actuator>
    <keyframe><key qpos="0.3 1.2 0.4 -0.5 0.1 0.2"/></keyframe></mujoco>)";
  Mjcf mjcf = parse_mjcf(walker, "walker.xml");
  const DataPtr floating = make_data(*mjcf.as_written, "");
  apply(mjcf.start, *mjcf.as_written, *floating);
  mj_kinematics(mjcf.as_written.get(), floating.get());

  EXPECT_EQ(pin_base(mjcf), std::vector<std::string>{"trunk"}) << "the cart is driven";
  const ModelPtr model = compile(mjcf);
  const DataPtr pinned = make_data(*model, "");
  apply(mjcf.start, *model, *pinned);
  mj_kinematics(model.get(), pinned.get());

  EXPECT_EQ(model->njnt, 3);
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(pinned->site_xpos[i], floating->site_xpos[i], 1e-9);
  }
  // By hand: 0.3 and 1.2 - 1 + 1, then 0.2 down the trunk at 0.4 rad and 0.3 on at -0.1 rad.
  EXPECT_NEAR(pinned->site_xpos[0], 0.3 - 0.2 * std::sin(0.4) - 0.3 * std::sin(-0.1), 1e-9);
  EXPECT_NEAR(pinned->site_xpos[2], 1.2 - 0.2 * std::cos(0.4) - 0.3 * std::cos(0.1), 1e-9);
}

TEST(Mjcf, PinningMovesNoBodyEvenIfTheBaseFrameIsMovedToTheCentreOfMass) {
  Mjcf mjcf = parse_mjcf(odd::kFloatingArmAligned, "arm.xml");
  const DataPtr floating = make_data(*mjcf.as_written, "");
  apply(mjcf.start, *mjcf.as_written, *floating);
  mj_kinematics(mjcf.as_written.get(), floating.get());
  pin_base(mjcf);
  const ModelPtr model = compile(mjcf);
  const DataPtr pinned = make_data(*model, "");
  apply(mjcf.start, *model, *pinned);
  mj_kinematics(model.get(), pinned.get());

  const int tip = mj_name2id(model.get(), mjOBJ_SITE, "tip");
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(pinned->site_xpos[3 * tip + i], floating->site_xpos[3 * tip + i], 1e-9);
  }
}

}  // namespace
}  // namespace jointrig
