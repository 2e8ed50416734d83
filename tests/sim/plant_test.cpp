#include "sim/plant.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/sim/odd_robot.h"

namespace jointrig::sim {
namespace {

constexpr double kG = 9.81;

void run(Plant& plant, int cycles) {
  for (int i = 0; i < cycles; ++i) ASSERT_TRUE(plant.step()) << plant.breakdown();
}

TEST(Plant, StartsInItsKeyframeAndReplacesTheActuatorsOfControlledJoints) {
  const TemporaryFile file(kArm);
  Plant plant(arm_robot(file));
  EXPECT_EQ(plant.joint(0).q, -0.4);  // elbow first, as the configuration has it
  EXPECT_EQ(plant.joint(1).q, 0.3);
  EXPECT_EQ(plant.model().nactuator, 2);
  EXPECT_EQ(plant.model().nsensor, 5);  // sensors of joints and sites stay
}

TEST(Plant, AMotorGivesItsTorqueAsItIs) {
  const TemporaryFile file(kSlider);
  Plant plant(slider_robot(file));
  plant.set_torque(0, 2 * kG + 3.0);
  run(plant, 1000);
  EXPECT_NEAR(plant.joint(0).v, 3.0 / 2.0, 1e-9);  // (F - m g) t / m
}

TEST(Plant, FallsFreelyKeepingItsEnergy) {
  const TemporaryFile file(kSlider);
  Plant plant(slider_robot(file));
  run(plant, 500);
  const JointTruth joint = plant.joint(0);
  EXPECT_NEAR(joint.v, -kG * 0.5, 1e-9);
  // Euler's method with the new velocity falls g t dt / 2 further than g t² / 2.
  EXPECT_NEAR(joint.q, -0.5 * kG * 0.25 - 0.5 * kG * 0.5 * 0.001, 1e-9);
  EXPECT_NEAR(plant.site_pose(plant.site("top")).position[2], 1.1 + joint.q, 1e-12);
}

TEST(Plant, AWeightOfAPendulumNeedsItsStaticTorque) {
  const TemporaryFile file(kArm);
  RobotConfig robot = arm_robot(file);
  robot.joints[0].q_start = 0.0;
  robot.joints[1].q_start = 0.0;  // stretched out, horizontal
  robot.plant.payloads = {{"tool", 0.8, {0.05, 0, 0}}};
  Plant plant(robot);
  const double elbow = kG * (1.5 * 0.15 + 0.5 * 0.3 + 0.8 * 0.35);
  const double shoulder = kG * (3 * 0.2 + 1.5 * 0.55 + 0.5 * 0.7 + 0.8 * 0.75);
  plant.set_torque(0, -elbow);  // +y turns the link down
  plant.set_torque(1, -shoulder);
  run(plant, 100);
  EXPECT_NEAR(plant.joint(0).q, 0.0, 1e-9);
  EXPECT_NEAR(plant.joint(1).q, 0.0, 1e-9);
}

/// A bar of three links, the third folded back over the first; the middle one keeps them apart in
/// the tree, so that MuJoCo looks for contacts between them.
std::string folded_bar(double gap) {
  return "<mujoco><option gravity='0 0 0'/><worldbody>"
         "<body name='first'><joint name='a' axis='0 0 1'/><geom size='0.05' mass='1'/>"
         "<body name='second'><joint name='b' axis='0 0 1'/>"
         "<geom size='0.01' pos='0 1 0' mass='1'/>"
         "<body pos='" +
         std::to_string(0.1 + gap) +
         " 0 0'><joint name='c' axis='0 0 1' pos='0 -1 0'/><geom size='0.05' mass='1'/></body>"
         "</body></body></worldbody></mujoco>";
}

RobotConfig robot_of(const TemporaryFile& file) {
  RobotConfig robot;
  robot.model_path = file.path();
  robot.joints.resize(1);
  robot.joints[0].name = "c";
  return robot;
}

TEST(Plant, LinksThatStartInsideEachOtherDoNotPushApartUnlessAskedTo) {
  const TemporaryFile file(folded_bar(-0.02));
  RobotConfig robot = robot_of(file);
  Plant plant(robot);
  run(plant, 100);
  EXPECT_EQ(plant.joint(0).q, 0.0);

  robot.plant.keep_overlaps = true;
  Plant pushed(robot);
  run(pushed, 100);
  EXPECT_GT(std::abs(pushed.joint(0).q), 0.01);
}

// The arm of the SO-100 as published starts 0.3 mm inside its base, and rubbed there with 8 N·m.
TEST(Plant, LinksThatStartThreeTenthsOfAMillimetreInsideEachOtherDoNotRub) {
  const TemporaryFile file(folded_bar(-0.0003));
  RobotConfig robot = robot_of(file);
  Plant plant(robot);
  ASSERT_TRUE(plant.step());
  EXPECT_TRUE(plant.contacts().empty());

  robot.plant.keep_overlaps = true;
  Plant pushed(robot);
  ASSERT_TRUE(pushed.step());
  EXPECT_FALSE(pushed.contacts().empty());
}

TEST(Plant, LinksThatStartApartMeetAsEver) {
  const TemporaryFile file(folded_bar(0.02));
  Plant plant(robot_of(file));
  plant.set_torque(0, 1.0);  // a metre away from the sphere: it goes towards the first link
  run(plant, 1000);
  Plant other(robot_of(file));
  other.set_torque(0, 1.0);
  bool met = false;
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(other.step());
    met = met || !other.contacts().empty();
  }
  EXPECT_TRUE(met);
}

TEST(Plant, ABaseThatIsBoltedDownDoesNotPushItsNeighbours) {
  const TemporaryFile file(
      "<mujoco><option gravity='0 0 0'/><worldbody><body name='base'><freejoint/>"
      "<geom size='0.1' mass='1'/><body><joint name='c' axis='0 0 1'/>"
      "<geom size='0.1' pos='0.05 0.02 0' mass='1'/></body></body></worldbody></mujoco>");
  RobotConfig robot = robot_of(file);
  robot.plant.keep_overlaps = true;
  Plant floating(robot);
  run(floating, 50);
  ASSERT_EQ(floating.joint(0).v, 0.0) << "MuJoCo leaves parent and child alone";

  robot.pin_base = true;
  Plant bolted(robot);
  run(bolted, 50);
  EXPECT_EQ(bolted.joint(0).v, 0.0);
}

TEST(Plant, ALinkThatTouchesTheFixedBaseItIsMountedOnDoesNotRubOnIt) {
  // A ball that turns on top of a drum and touches it, by less than what counts between other
  // links.
  const TemporaryFile file(
      "<mujoco><option gravity='0 0 -9.81'/><worldbody><body name='base'>"
      "<geom type='cylinder' size='0.1 0.1'/><body pos='0 0 0.19991'><joint name='c' axis='0 0 1'/>"
      "<geom size='0.1' pos='0.03 0 0' mass='1'/></body></body></worldbody></mujoco>");
  RobotConfig robot = robot_of(file);
  const double inertia = 0.4 * 0.1 * 0.1 + 0.03 * 0.03;  // kg·m², of a ball of 1 kg
  const auto speed_after_a_push = [&] {
    Plant plant(robot);
    plant.set_torque(0, 0.01);
    run(plant, 200);
    return plant.joint(0).v / (0.01 / inertia * 0.2);
  };
  EXPECT_NEAR(speed_after_a_push(), 1.0, 1e-6);
  robot.plant.keep_overlaps = true;
  EXPECT_LT(speed_after_a_push(), 0.9);
}

TEST(Plant, TakesAPayloadWhileItRuns) {
  const TemporaryFile file(kSlider);
  PlantOptions options;
  options.payload_bodies = {"carriage"};
  Plant plant(slider_robot(file), options);
  plant.set_torque(0, 2 * kG);
  run(plant, 100);
  EXPECT_NEAR(plant.joint(0).v, 0.0, 1e-12);
  plant.set_payload("carriage", 3.0, {0.2, 0, 0});
  EXPECT_NEAR(plant.subtree_mass(plant.body("carriage")), 5.0, 1e-12);
  run(plant, 100);
  EXPECT_NEAR(plant.joint(0).v, -3 * kG / 5 * 0.1, 1e-9);
  plant.set_payload("carriage", 0.0, {});
  const double v = plant.joint(0).v;
  run(plant, 100);
  EXPECT_NEAR(plant.joint(0).v, v, 1e-9);
  EXPECT_THROW(plant.set_payload("top", 1.0, {}), ModelError);
}

TEST(Plant, APayloadTurnsWithItsBody) {
  const TemporaryFile file(kArm);
  RobotConfig robot = arm_robot(file);
  robot.joints[1].board.friction = 0.0;
  robot.joints[1].board.viscous = 0.0;
  PlantOptions options;
  options.payload_bodies = {"upper"};
  Plant plant(robot, options);
  const int dof = plant.model().jnt_dofadr[mj_name2id(&plant.model(), mjOBJ_JOINT, "shoulder")];
  const auto inertia = [&] { return plant.data().M[plant.model().M_rowadr[dof]]; };
  const double before = inertia();
  plant.set_payload("upper", 2.0, {0.3, 0, 0.4});
  EXPECT_NEAR(inertia() - before, 2.0 * 0.25, 1e-9);  // m r²
}

TEST(Plant, ALoadHasTheInertiaThatItIsGivenAboutItsCentre) {
  const TemporaryFile file(kArm);
  PlantOptions options;
  options.payload_bodies = {"upper"};
  Plant plant(arm_robot(file), options);
  const int dof = plant.model().jnt_dofadr[mj_name2id(&plant.model(), mjOBJ_JOINT, "shoulder")];
  const auto inertia = [&] { return plant.data().M[plant.model().M_rowadr[dof]]; };
  const double before = inertia();
  plant.set_payload("upper", 2.0, {0.3, 0, 0.4}, {0.03, 0.05, 0.04, 0.01, 0.0, -0.01});
  EXPECT_NEAR(inertia() - before, 2.0 * 0.25 + 0.05, 1e-9) << "it turns about y: m r² + Iyy";
  // A rod along the diagonal of x and y: half of its moment counts about each of them.
  plant.set_payload("upper", 1.0, {0, 0, 0}, {0.06, 0.06, 0.12, -0.06, 0.0, 0.0});
  EXPECT_NEAR(inertia() - before, 0.06, 1e-9);
  plant.set_payload("upper", 0.0, {});
  EXPECT_NEAR(inertia(), before, 1e-12);
}

TEST(Plant, DiffersFromTheModelAsConfigured) {
  const TemporaryFile file(kArm);
  RobotConfig robot = arm_robot(file);
  const Plant same(robot);
  robot.plant.mass_scale = 1.2;
  robot.plant.friction_scale = 3.0;
  robot.joints[0].board.armature = 0.5;
  robot.joints[1].board.friction = 0.7;
  const Plant other(robot);
  const double mass = 3 + 1.5 + 0.5;
  EXPECT_NEAR(same.subtree_mass(same.body("upper")), mass, 1e-12);
  EXPECT_NEAR(other.subtree_mass(other.body("upper")), 1.2 * mass, 1e-12);
  const auto dof = [&](const char* joint) {
    return other.model().jnt_dofadr[mj_name2id(&other.model(), mjOBJ_JOINT, joint)];
  };
  EXPECT_NEAR(other.model().dof_armature[dof("elbow")], 0.5, 1e-12);
  EXPECT_NEAR(other.model().dof_frictionloss[dof("elbow")], 3 * 0.1, 1e-12);
  EXPECT_NEAR(other.model().dof_frictionloss[dof("shoulder")], 3 * 0.7, 1e-12);
  EXPECT_NEAR(other.model().dof_damping[dof("shoulder")], 3 * 0.4, 1e-12);
}

TEST(Plant, FrictionHoldsWhatIsLighterAndLetsGoOfWhatIsHeavier) {
  const TemporaryFile file(kSlider);
  Plant plant(slider_robot(file));
  plant.set_added_friction(0, 2 * kG * 1.1);
  run(plant, 300);
  EXPECT_NEAR(plant.joint(0).q, 0.0, 0.01);  // MuJoCo's friction creeps; a fall is 0.44 m
  plant.set_added_friction(0, 2 * kG * 0.5);
  run(plant, 300);
  EXPECT_NEAR(plant.joint(0).v, -0.5 * kG * 0.3, 0.02 * kG);
}

TEST(Plant, AWrenchActsFromItsStartUntilItsEnd) {
  const TemporaryFile file(kSlider);
  Plant plant(slider_robot(file));
  plant.set_torque(0, 2 * kG);
  Wrench push;
  push.body = plant.body("carriage");
  push.force = {5, 0, 4};  // the slide takes the first
  push.start_ns = 100'000'000;
  push.end_ns = 350'000'000;
  ASSERT_TRUE(plant.apply(push));
  run(plant, 100);
  EXPECT_NEAR(plant.joint(0).v, 0.0, 1e-12);
  run(plant, 1);
  EXPECT_NEAR(plant.joint(0).v, 4.0 / 2 * 0.001, 1e-12);
  run(plant, 899);
  EXPECT_NEAR(plant.joint(0).v, 4.0 / 2 * 0.25, 1e-9);
}

TEST(Plant, ATorqueOnAJointActsOnThisJointAlone) {
  const TemporaryFile file(kArm);
  const auto accelerations = [&](double on_elbow) {
    Plant plant(arm_robot(file));
    Wrench wrench;
    wrench.joint = 0;  // the elbow, as the configuration has it
    wrench.along = on_elbow;
    wrench.end_ns = 2'000'000;
    plant.apply(wrench);
    run(plant, 1);
    EXPECT_EQ(plant.data().qfrc_applied[1], on_elbow);  // second in the MJCF
    EXPECT_EQ(plant.data().qfrc_applied[0], 0.0);
    EXPECT_EQ(plant.data().xfrc_applied[6], 0.0);
    const double v = plant.joint(0).v;
    run(plant, 2);
    EXPECT_EQ(plant.data().qfrc_applied[1], 0.0) << "it ends with its time";
    return v;
  };
  // A motor's torque of the same size does the same.
  Plant driven(arm_robot(file));
  driven.set_torque(0, 0.7);
  run(driven, 1);
  EXPECT_NEAR(accelerations(0.7), driven.joint(0).v, 1e-12);
}

TEST(Plant, AForceAtAPointTurnsAsItsLeverSays) {
  const TemporaryFile file(kArm);
  RobotConfig robot = arm_robot(file);
  robot.joints[0].q_start = 0.0;
  robot.joints[1].q_start = 0.0;
  Plant plant(robot);
  const double elbow = kG * (1.5 * 0.15 + 0.5 * 0.3);
  const double shoulder = kG * (3 * 0.2 + 1.5 * 0.55 + 0.5 * 0.7);
  Wrench pull;
  pull.body = plant.body("tool");
  pull.force = {0, 0, -10};
  pull.point = {0.1, 0, 0};
  pull.at_centre = false;
  plant.apply(pull);
  plant.set_torque(0, -elbow - 10 * 0.4);
  plant.set_torque(1, -shoulder - 10 * 0.8);
  run(plant, 100);
  EXPECT_NEAR(plant.joint(0).q, 0.0, 1e-9);
  EXPECT_NEAR(plant.joint(1).q, 0.0, 1e-9);
  plant.release(pull.body);
  run(plant, 100);
  EXPECT_LT(plant.joint(0).q, -1e-3);  // now it rises
}

TEST(Plant, AForceInTheBodysFrameTurnsWithIt) {
  const TemporaryFile file(kArm);
  RobotConfig robot = arm_robot(file);
  robot.joints[0].q_start = 0.0;
  robot.joints[1].q_start = 0.5 * std::acos(-1.0);  // straight down: the tool's x is -z
  Plant in_body(robot);
  Plant in_world(robot);
  Wrench push;
  push.body = in_body.body("tool");
  push.in_body_frame = true;
  push.force = {0, 0, 7};
  push.torque = {3, 0.5, 0};
  in_body.apply(push);
  push.in_body_frame = false;
  push.force = {7, 0, 0};
  push.torque = {0, 0.5, -3};
  in_world.apply(push);
  run(in_body, 1);
  run(in_world, 1);
  EXPECT_GT(std::abs(in_body.joint(0).v), 1e-3);
  EXPECT_NEAR(in_body.joint(0).v, in_world.joint(0).v, 1e-12);
  EXPECT_NEAR(in_body.joint(1).v, in_world.joint(1).v, 1e-12);
}

TEST(Plant, AContactCarriesTheWeight) {
  const TemporaryFile robot_file(kSlider);
  const TemporaryFile scene(R"(<mujoco><worldbody>
      <geom name="floor" type="plane" size="3 3 0.1"/>
      <body name="crate" pos="1 0 0.11"><freejoint/>
        <geom type="box" size="0.1 0.1 0.1" mass="4"/></body>
    </worldbody></mujoco>)",
                            "scene.xml");
  RobotConfig robot = slider_robot(robot_file);
  robot.scene_path = scene.path();
  Plant plant(robot);
  run(plant, 2000);
  const Vector3 force = plant.contact_force(plant.body("crate"));
  EXPECT_NEAR(force[2], 4 * kG, 1e-3);
  EXPECT_NEAR(force[0], 0.0, 1e-3);
  const Vector3 on_world = plant.contact_force(plant.body("world"), plant.body("crate"));
  EXPECT_NEAR(on_world[2], -4 * kG, 1e-3);
  EXPECT_EQ(plant.contact_force(plant.body("crate"), plant.body("carriage"))[2], 0.0);
}

TEST(Plant, WhatIsAddedTakesNothingFromTheFilesDefaults) {
  const TemporaryFile file(kArm);
  PlantOptions options;
  options.obstacles = {{"ball", ObstacleShape::kSphere, {0.1, 0, 0}, 0.6}};
  const Plant plant(arm_robot(file), options);
  const mjModel& m = plant.model();
  for (int a = 0; a < m.nactuator; ++a) {
    EXPECT_EQ(m.actuator_gear[6 * a], 1.0);
    EXPECT_EQ(m.actuator_forcelimited[a], 0);
    EXPECT_EQ(m.actuator_dyntype[a], mjDYN_NONE);
    EXPECT_EQ(m.actuator_armature[a], 0.0);
    EXPECT_EQ(m.actuator_damping[a], 0.0);
  }
  const int geom = m.body_geomadr[static_cast<int>(plant.body("ball"))];
  EXPECT_EQ(m.geom_margin[geom], 0.0);
  EXPECT_EQ(m.geom_matid[geom], -1);
  EXPECT_EQ(m.geom_friction[3 * geom], 0.6);
  EXPECT_EQ(m.geom_size[3 * geom], 0.05);
  const int shoulder = m.jnt_dofadr[mj_name2id(&m, mjOBJ_JOINT, "shoulder")];
  EXPECT_EQ(m.dof_armature[shoulder], 0.05);
  EXPECT_EQ(m.dof_damping[shoulder], 0.4);
}

TEST(Plant, AnObstacleHasANameOfItsOwn) {
  const TemporaryFile file(kArm);
  PlantOptions options;
  const auto build = [&](const std::string& name) {
    options.obstacles = {{name, ObstacleShape::kSphere, {0.1, 0, 0}, 1.0}};
    const Plant plant(arm_robot(file), options);
  };
  EXPECT_NO_THROW(build("ball"));
  EXPECT_THROW(build("world"), ModelError);
  options.obstacles.clear();
  const Plant plant(arm_robot(file), options);
  const mjModel& m = plant.model();
  for (int b = 1; b < m.nbody; ++b) {
    const std::string body = m.names + m.name_bodyadr[b];
    if (body.empty()) continue;
    EXPECT_THROW(build(body), ModelError) << body;
  }
}

TEST(Plant, AnObstacleIsThereOnlyWhilePlaced) {
  const TemporaryFile robot_file(R"(<mujoco><worldbody>
      <body name="carriage" pos="0 0 1"><joint name="lift" type="slide" axis="0 0 1"/>
        <geom type="sphere" size="0.1" mass="2" contype="4" conaffinity="2"/></body>
    </worldbody></mujoco>)");
  PlantOptions options;
  options.obstacles = {{"ball", ObstacleShape::kSphere, {0.1, 0, 0}, 1.0},
                       {"block", ObstacleShape::kBox, {0.5, 0.5, 0.2}, 1.0}};
  Plant plant(slider_robot(robot_file), options);
  EXPECT_GT(plant.body_pose(plant.body("block")).position[2], 100.0);
  plant.place(plant.obstacle("block"), {{0, 0, 0.75}, {1, 0, 0, 0}});
  run(plant, 3000);
  EXPECT_NEAR(plant.joint(0).q, 0.85 + 0.1 - 1.0, 2e-3);  // it lies on the block's top
  EXPECT_NEAR(plant.contact_force(plant.body("carriage"), plant.body("block"))[2], 2 * kG, 0.02);
  plant.park(plant.obstacle("block"));
  run(plant, 100);
  EXPECT_NEAR(plant.joint(0).v, -kG * 0.1, 0.01);
}

TEST(Plant, ReadsTheSensorsOfTheModelInPairs) {
  const TemporaryFile file(kArm);
  RobotConfig robot = arm_robot(file);
  robot.joints[0].q_start = 0.0;
  robot.joints[1].q_start = 0.0;
  Plant plant(robot);
  plant.set_torque(0, -kG * (1.5 * 0.15 + 0.5 * 0.3));
  plant.set_torque(1, -kG * (3 * 0.2 + 1.5 * 0.55 + 0.5 * 0.7));
  run(plant, 10);
  RobotState state;
  plant.read_sensors(state);
  ASSERT_EQ(state.force_torque.size(), 1U);
  ASSERT_EQ(state.imus.size(), 1U);
  EXPECT_EQ(plant.force_torque_sites(), std::vector<std::string>{"tip"});
  EXPECT_EQ(plant.imu_sites(), std::vector<std::string>{"tip"});
  EXPECT_NEAR(state.force_torque[0].force[2], 0.5 * kG, 1e-6);  // what carries the tool
  EXPECT_NEAR(state.imus[0].acceleration[2], kG, 1e-6);         // gravity included
}

TEST(Plant, SensorsMeanSomethingFromTheFirstCycle) {
  const TemporaryFile file(kArm);
  RobotConfig robot = arm_robot(file);
  robot.joints[0].q_start = 0.0;
  robot.joints[1].q_start = 0.5 * std::acos(-1.0);  // it hangs straight down, at rest
  const Plant plant(robot);
  RobotState state;
  plant.read_sensors(state);
  EXPECT_NEAR(state.imus[0].acceleration[0], -kG, 1e-6);
  EXPECT_NEAR(state.force_torque[0].force[0], -0.5 * kG, 1e-6);
}

TEST(Plant, ASceneStartsAsItsOwnKeyframeSays) {
  // The robot's joint and the scene's have no name: both would be called joint_0.
  const TemporaryFile file(R"(<mujoco><worldbody><body name="carriage">
      <joint type="slide"/><geom size="0.1" mass="2" contype="0" conaffinity="0"/></body>
      </worldbody><keyframe><key name="home" qpos="0.25"/></keyframe></mujoco>)");
  const TemporaryFile scene(R"(<mujoco><worldbody><body name="door">
      <joint/><geom size="0.1" contype="0" conaffinity="0"/></body></worldbody>
      <keyframe><key name="home" qpos="0.6"/></keyframe></mujoco>)",
                            "scene.xml");
  RobotConfig robot = slider_robot(file);
  robot.joints[0].name = "joint_0";
  robot.joints[0].q_start = 0.25;
  robot.scene_path = scene.path();
  const Plant plant(robot);
  EXPECT_EQ(plant.joint(0).q, 0.25);
  const double half = std::cos(0.3);  // the door is turned by 0.6 rad about z
  EXPECT_NEAR(plant.body_pose(plant.body("door")).orientation[0], half, 1e-12);
}

TEST(Plant, ReportsTheBaseOfARobotThatFloats) {
  const std::string floating = R"(<mujoco><worldbody>
      <body name="hull" pos="0 0 2"><freejoint/>
        <geom type="box" size="0.2 0.2 0.2" mass="5"/>
        <body pos="0.2 0 0"><joint name="lift" axis="1 0 0"/>
          <geom type="sphere" size="0.05" mass="0.1"/></body></body>
    </worldbody>
    <keyframe><key qpos="0 0 2 0.70710678 0.70710678 0 0 0"/></keyframe></mujoco>)";
  const TemporaryFile file(floating);
  RobotConfig robot = slider_robot(file);
  Plant plant(robot);
  run(plant, 100);
  EXPECT_NEAR(plant.base().linear_velocity[2], -kG * 0.1, 1e-9);
  EXPECT_NEAR(plant.base().position[2], 2 - 0.5 * kG * 0.01 - 0.5 * kG * 0.1 * 0.001, 1e-9);
  Wrench spin;
  spin.body = plant.body("hull");
  spin.torque = {0, 0, 0.5};
  spin.end_ns = 200'000'000;
  plant.apply(spin);
  run(plant, 100);
  const double inertia = 5 * (0.16 + 0.16) / 12 + 0.1 * 0.2 * 0.2;  // its hand included
  // The hull lies on its side (a quarter turn about x): what is z of the world is its y.
  EXPECT_NEAR(plant.base().angular_velocity[1], 0.5 * 0.1 / inertia, 0.02);
  EXPECT_NEAR(plant.base().orientation[1], std::sqrt(0.5), 0.01);

  robot.pin_base = true;
  Plant pinned(robot);
  run(pinned, 100);
  EXPECT_EQ(pinned.base(), BaseState{});
  EXPECT_NEAR(pinned.body_pose(pinned.body("hull")).position[2], 2.0, 1e-12);
}

TEST(Plant, KeepsTheFinerTimestepOfAModel) {
  const std::string fine = std::string(kSlider).replace(std::string(kSlider).find("<option"), 7,
                                                        "<option timestep=\"0.0004\"");
  const TemporaryFile file(fine);
  Plant plant(slider_robot(file));
  EXPECT_NEAR(plant.model().opt.timestep, 0.001 / 3, 1e-15);  // 2.5 rounded up
  run(plant, 300);
  EXPECT_NEAR(plant.joint(0).v, -kG * 0.3, 1e-9);
}

TEST(Plant, ARungeKuttaModelKeepsItsIntegrator) {
  const std::string model = std::string(kSlider).replace(std::string(kSlider).find("<option"), 7,
                                                         "<option integrator=\"RK4\"");
  const TemporaryFile file(model);
  Plant plant(slider_robot(file));
  run(plant, 500);
  EXPECT_NEAR(plant.joint(0).q, -0.5 * kG * 0.25, 1e-9);  // exact for a parabola
  EXPECT_NEAR(plant.site_pose(plant.site("top")).position[2], 1.1 + plant.joint(0).q, 1e-12);
}

TEST(Plant, ASavedStateGoesOnToTheSameBits) {
  const TemporaryFile robot_file(kArm);
  const TemporaryFile scene(R"(<mujoco><worldbody><geom type="plane" size="3 3 0.1" pos="0 0 0.6"/>
      <body pos="0.6 0 0.75"><freejoint/><geom type="box" size="0.1 0.1 0.05" mass="1"/></body>
      </worldbody></mujoco>)",
                            "scene.xml");
  RobotConfig robot = arm_robot(robot_file);
  robot.scene_path = scene.path();
  PlantOptions options;
  options.payload_bodies = {"tool"};
  const auto hash = [](const Plant& plant) {
    StateHash h;
    plant.add_to(h);
    return h.value();
  };
  Plant plant(robot, options);
  Wrench pull;
  pull.body = plant.body("tool");
  pull.force = {0, 3, -5};
  pull.end_ns = 900'000'000;
  plant.apply(pull);
  run(plant, 400);  // it has fallen onto the box
  EXPECT_GT(plant.contacts().size(), 0U);
  plant.set_payload("tool", 0.3, {0, 0, 0.05});
  const PlantState saved = plant.save();
  RobotState then;
  plant.read_sensors(then);
  run(plant, 700);
  Plant other(robot, options);
  run(other, 50);
  other.restore(saved);
  RobotState restored;
  other.read_sensors(restored);
  EXPECT_EQ(restored.force_torque, then.force_torque);
  EXPECT_EQ(restored.imus, then.imus);
  EXPECT_NE(hash(other), hash(plant));
  run(other, 700);
  EXPECT_EQ(hash(other), hash(plant));
  RobotState a;
  RobotState b;
  plant.read_sensors(a);
  other.read_sensors(b);
  EXPECT_EQ(a.force_torque, b.force_torque);
}

TEST(Plant, ResetStartsAnewToTheSameBits) {
  const TemporaryFile file(kArm);
  RobotConfig robot = arm_robot(file);
  PlantOptions options;
  options.payload_bodies = {"tool"};
  Plant fresh(robot, options);
  Plant used(robot, options);
  used.set_payload("tool", 1.0, {});
  used.set_added_friction(0, 1.0);
  run(used, 100);
  used.set_torque(0, 0.0);
  used.reset();
  run(fresh, 200);
  run(used, 200);
  EXPECT_EQ(fresh.joint(0).q, used.joint(0).q);
  EXPECT_EQ(fresh.joint(1).v, used.joint(1).v);
}

TEST(Plant, SaysWhatIsWrongWithNamesAndFiles) {
  const TemporaryFile file(kArm);
  const auto sentence_of_building = [](const RobotConfig& robot, const PlantOptions& options = {}) {
    try {
      const Plant plant(robot, options);
    } catch (const ModelError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  RobotConfig robot = arm_robot(file);
  robot.joints[0].name = "elbo";
  EXPECT_EQ(sentence_of_building(robot),
            file.path() + ": there is no joint \"elbo\"; did you mean \"elbow\"?");
  robot = arm_robot(file);
  robot.plant.payloads = {{"tol", 1.0, {0, 0, 0}}};
  EXPECT_EQ(sentence_of_building(robot),
            file.path() + ": there is no body \"tol\" to carry a payload; did you mean \"tool\"?");
  robot = arm_robot(file);
  robot.scene_path = "no_such_scene.xml";
  EXPECT_EQ(sentence_of_building(robot), "no_such_scene.xml: no such file");
  const TemporaryFile clash(R"(<mujoco><worldbody><body name="tool"/></worldbody></mujoco>)");
  robot.scene_path = clash.path();
  EXPECT_EQ(sentence_of_building(robot), file.path() +
                                             ": repeated name 'tool' in body; robot and "
                                             "scene " +
                                             clash.path() + " don't fit together");
  robot = arm_robot(file);
  const Plant plant(robot);
  try {
    (void)plant.body("toll");
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_STREQ(error.what(), "there is no body \"toll\"; did you mean \"tool\"?");
  }
}

TEST(Plant, EndsWithAReasonWhenThePhysicsBreaksDown) {
  const TemporaryFile file(R"(<mujoco><worldbody><body><joint name="lift" type="slide"/>
      <geom size="0.1"/></body></worldbody></mujoco>)");
  Plant plant(slider_robot(file));
  plant.set_torque(0, 9e9);
  bool alive = true;
  for (int i = 0; i < 5000 && alive; ++i) alive = plant.step();
  EXPECT_FALSE(alive);
  EXPECT_NE(plant.breakdown().find("the physics broke down"), std::string_view::npos);
  EXPECT_FALSE(plant.step());
  EXPECT_FALSE(std::abs(plant.joint(0).q) < 1.0) << "it started anew";
  EXPECT_FALSE(std::filesystem::exists("MUJOCO_LOG.TXT"));
}

TEST(Plant, EndsWithAReasonWhereAForceWouldNotAct) {
  const TemporaryFile file(kSlider);
  Plant plant(slider_robot(file));
  const PlantState before = plant.save();
  Wrench wrench;
  wrench.joint = 0;
  wrench.along = 1.0;
  for (std::size_t i = 0; i < kMaxWrenches; ++i) EXPECT_TRUE(plant.apply(wrench));
  run(plant, 1000);
  EXPECT_NEAR(plant.joint(0).v, 32.0 / 2.0 - kG, 1e-9);  // each of them acts: (Σ F - m g) t / m
  EXPECT_FALSE(plant.apply(wrench));
  EXPECT_FALSE(plant.step());
  EXPECT_EQ(plant.breakdown(), "more than 32 forces are to act at once, and one of them does not");
  plant.restore(before);
  EXPECT_TRUE(plant.step());
}

}  // namespace
}  // namespace jointrig::sim
