// MuJoCo places the same frames from the same positions; a difference quotient is the witness of
// the Jacobian.

#include "control/planning/kinematic_tree.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "control/discovery/discovery.h"
#include "control/laws/tool_error.h"
#include "control/model/robot_model.h"
#include "control/planning/frame_kinematics.h"
#include "control/planning/placement.h"
#include "tests/control/discovery/published_models.h"
#include "tests/support/odd_arms.h"
#include "tests/support/temp_model.h"

namespace jointrig {
namespace {

/// A finger that follows another by a square law, a third that follows that one, on a wrist.
constexpr const char* kMimics = R"(
<mujoco>
  <compiler angle="radian"/>
  <default><geom type="sphere" size="0.02" mass="0.1"/></default>
  <worldbody>
    <body name="wrist" pos="0.1 0.2 0.3" euler="0.1 0.2 0.3">
      <joint name="wrist" axis="0 1 1"/><geom/>
      <body name="third" pos="0 0.1 0">
        <joint name="third" type="slide" axis="1 0 1" ref="0.05"/><geom/>
        <body name="second" pos="0 0.1 0"><joint name="second" axis="1 0 0" ref="0.2"/><geom/></body>
      </body>
      <body name="first" pos="0 0 0.1">
        <joint name="first" axis="0 1 0" range="-1 1"/><geom/>
      </body>
    </body>
  </worldbody>
  <equality>
    <joint joint1="third" joint2="second" polycoef="0.01 0.1 0 0 0"/>
    <joint joint1="second" joint2="first" polycoef="0.2 -2 0.5 0.1 0.05"/>
  </equality>
  <actuator><motor joint="first" ctrlrange="-1 1"/><motor joint="wrist" ctrlrange="-9 9"/></actuator>
</mujoco>)";

/// Sites and bodies with a name that no other has.
std::vector<std::string> frames_of(const RobotConfig& robot) {
  const Mjcf mjcf = load_mjcf(robot.model_path, robot.keyframe);
  const mjModel& m = *mjcf.as_written;
  std::vector<std::string> names;
  for (int i = 0; i < m.nsite; ++i) names.push_back(name_of(m, mjOBJ_SITE, i));
  for (int i = 0; i < m.nbody; ++i) names.push_back(name_of(m, mjOBJ_BODY, i));
  std::erase_if(names, [](const std::string& name) { return name.empty(); });
  return names;
}

class Positions {
 public:
  explicit Positions(const RobotConfig& robot) : robot_(robot), q(robot.joints.size()) {}

  void draw() {
    for (std::size_t i = 0; i < q.size(); ++i) {
      const JointLimits& limits = robot_.joints[i].limits;
      const double low = std::max(limits.q_min, -3.0);
      const double high = std::min(limits.q_max, 3.0);
      q[i] = std::uniform_real_distribution<double>(low, high)(random_);
    }
  }

  [[nodiscard]] RobotState state() const {
    RobotState state;
    state.joints.resize(q.size());
    for (std::size_t i = 0; i < q.size(); ++i) state.joints[i].q = q[i];
    return state;
  }

 private:
  const RobotConfig& robot_;
  std::mt19937_64 random_{7};

 public:
  std::vector<double> q;
};

double distance(const Placement& a, const FramePose& b) {
  return std::max((a.position - b.position).cwiseAbs().maxCoeff(),
                  (a.rotation - b.rotation).cwiseAbs().maxCoeff());
}

void expect_frames_where_mujoco_has_them(const RobotConfig& robot, int times = 20) {
  const KinematicTree tree(robot);
  RobotModel model(robot);
  const std::vector<std::string> names = frames_of(robot);
  std::vector<FramePair> pairs;
  for (const std::string& name : names) pairs.push_back({tree.find_frame(name), {}});
  FrameKinematics kinematics(tree, pairs, {});
  Positions positions(robot);
  ASSERT_FALSE(names.empty());
  for (int i = 0; i < times; ++i) {
    positions.draw();
    RobotState state = positions.state();
    state.base.position = {0.3, -0.2, 0.1 * i};
    state.base.orientation = {0.5, 0.5, -0.5, 0.5};
    Placement base;
    base.position = {0.3, -0.2, 0.1 * i};
    base.rotation = Eigen::Quaterniond(0.5, 0.5, -0.5, 0.5).toRotationMatrix();
    model.update(state);
    kinematics.set_base(base);
    kinematics.update(positions.q);
    for (std::size_t k = 0; k < names.size(); ++k) {
      ASSERT_LT(distance(kinematics.pose(k), model.pose(model.find_frame(names[k]))), 1e-12)
          << names[k];
    }
  }
}

TEST(KinematicTree, PlacesFramesWhereMuJoCoHasThem) {
  for (const char* path :
       {"models/franka/franka.xml", "models/sawyer/sawyer.xml",
        "models/icub_upper_body/icub_upper_body.xml", "tests/control/model/pendulum.xml"}) {
    SCOPED_TRACE(path);
    expect_frames_where_mujoco_has_them(discover(path).config);
  }
}

TEST(KinematicTree, PlacesFramesOfOddModels) {
  for (const char* xml : {odd::kThreeLinks, odd::kFloatingArm, odd::kFloatingArmAligned,
                          odd::kMenagerie, odd::kTwoPoints, odd::kSpringyChain, kMimics}) {
    const odd::TempModel file(xml);
    SCOPED_TRACE(xml);
    expect_frames_where_mujoco_has_them(discover(file.path()).config);
  }
}

TEST(KinematicTree, PlacesFramesOfAPinnedBase) {
  const odd::TempModel file(odd::kFloatingArm);
  const RobotConfig robot = discover(file.path(), {.keyframe = {}, .pin_base = true}).config;
  EXPECT_FALSE(KinematicTree(robot).floats());
  expect_frames_where_mujoco_has_them(robot);
}

TEST(KinematicTree, PlacesFramesOfPublishedRobots) {
  const std::filesystem::path folder = testing::package_folder("robosuite");
  if (folder.empty()) GTEST_SKIP() << "robosuite is not installed: scripts/test.sh does it";
  for (const char* name : {"panda", "ur5e", "baxter", "tiago", "spot_arm", "gr1", "kinova3"}) {
    SCOPED_TRACE(name);
    const auto path = folder / "models/assets/robots" / name / "robot.xml";
    expect_frames_where_mujoco_has_them(discover(path.string()).config, 3);
  }
}

TEST(KinematicTree, SuggestsTheNearestFrame) {
  const KinematicTree tree(discover("models/franka/franka.xml").config);
  try {
    (void)tree.find_frame("tool_center_point");
    FAIL() << "found a frame that isn't there";
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find("tool_centre_point"), std::string::npos)
        << error.what();
  }
}

TEST(KinematicTree, MountsAnArmOnTheBodyBeforeItsFirstJoint) {
  const RobotConfig robot = discover("models/franka/franka.xml").config;
  const KinematicTree tree(robot);
  RobotModel model(robot);
  Positions positions(robot);
  positions.draw();
  model.update(positions.state());
  for (JointIndex joint = 0; joint < robot.joints.size(); ++joint) {
    FrameKinematics mount(tree, {{tree.mount_of(joint), {}}}, {});
    mount.update(positions.q);
    EXPECT_LT(distance(mount.pose(0), model.pose(model.mount_of(joint))), 1e-12);
  }
}

/// The twist of a pair by a difference of its poses, along the reference's axes.
Vector6 difference(FrameKinematics& kinematics, std::size_t pair, std::vector<double> q,
                   JointIndex joint) {
  constexpr double kStep = 1e-6;
  q[joint] += kStep;
  kinematics.update(q);
  const Placement after = kinematics.pose(pair);
  q[joint] -= 2.0 * kStep;
  kinematics.update(q);
  const Placement before = kinematics.pose(pair);
  Vector6 twist;
  twist.head<3>() = (after.position - before.position) / (2.0 * kStep);
  twist.tail<3>() = rotation_vector(after.rotation * before.rotation.transpose()) / (2.0 * kStep);
  return twist;
}

void expect_jacobians_are_differences(const RobotConfig& robot, const char* one,
                                      const char* other) {
  const KinematicTree tree(robot);
  std::vector<JointIndex> joints;
  for (JointIndex joint = 0; joint < robot.joints.size(); ++joint) joints.push_back(joint);
  const TreeFrame a = tree.find_frame(one);
  const TreeFrame b = tree.find_frame(other);
  FrameKinematics kinematics(tree, {{a, {}}, {a, b}, {b, a}}, joints);
  FrameKinematics moved = kinematics;
  Positions positions(robot);
  for (int i = 0; i < 10; ++i) {
    positions.draw();
    kinematics.update(positions.q);
    kinematics.update_jacobians();
    for (std::size_t pair = 0; pair < 3; ++pair) {
      for (const JointIndex joint : joints) {
        const Vector6 expected = difference(moved, pair, positions.q, joint);
        ASSERT_LT((kinematics.column(pair, joint) - expected).cwiseAbs().maxCoeff(), 1e-8)
            << robot.joints[joint].name << ", pair " << pair;
      }
    }
  }
}

TEST(FrameKinematics, HasTheDifferenceQuotientAsItsJacobian) {
  expect_jacobians_are_differences(discover("models/franka/franka.xml").config, "tool_centre_point",
                                   "panda_leftfinger");
  expect_jacobians_are_differences(discover("models/icub_upper_body/icub_upper_body.xml").config,
                                   "l_hand", "r_hand");
  const odd::TempModel chain(odd::kSpringyChain);
  expect_jacobians_are_differences(discover(chain.path()).config, "tool", "compensated");
  const odd::TempModel mimics(kMimics);
  const RobotConfig fingers = discover(mimics.path()).config;
  ASSERT_EQ(fingers.joints.size(), 2U);
  expect_jacobians_are_differences(fingers, "second", "first");
  expect_jacobians_are_differences(fingers, "third", "wrist");
}

TEST(FrameKinematics, GivesOnePoseTheInverseOfTheOther) {
  const RobotConfig robot = discover("models/icub_upper_body/icub_upper_body.xml").config;
  const KinematicTree tree(robot);
  const TreeFrame left = tree.find_frame("l_hand");
  const TreeFrame right = tree.find_frame("r_hand");
  FrameKinematics kinematics(tree, {{left, right}, {right, left}, {left, {}}, {right, {}}}, {});
  Positions positions(robot);
  positions.draw();
  kinematics.update(positions.q);
  const Placement there_and_back = product(kinematics.pose(0), kinematics.pose(1));
  EXPECT_LT((there_and_back.rotation - Eigen::Matrix3d::Identity()).norm(), 1e-12);
  EXPECT_LT(there_and_back.position.norm(), 1e-12);
  const Placement by_the_world = product(inverse(kinematics.pose(3)), kinematics.pose(2));
  EXPECT_LT((by_the_world.position - kinematics.pose(0).position).norm(), 1e-12);
}

}  // namespace
}  // namespace jointrig
