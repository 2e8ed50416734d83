// Frames of the calls for a tool, on an arm whose base is turned and tilted: MuJoCo says where the
// tool ends, and physics with which wrench it pushes.

#include "tests/app/robot/tilted_arm.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <tuple>
#include <vector>

#include "app/robot/robot.h"
#include "app/robot/robot_arm.h"
#include "app/robot/robot_core.h"
#include "tests/support/temp_model.h"

namespace jointrig {
namespace {

using Eigen::AngleAxisd;
using Eigen::Isometry3d;
using Eigen::Vector3d;
using testing::TiltedTruth;
using Values = std::vector<double>;

ToolPose as_pose(const Isometry3d& x) {
  const Eigen::Quaterniond q(x.linear());
  const Vector3d p = x.translation();
  return {{p.x(), p.y(), p.z()}, {q.w(), q.x(), q.y(), q.z()}};
}

Isometry3d as_placement(const ToolPose& pose) {
  Isometry3d x = Isometry3d::Identity();
  x.translation() = Vector3d(pose.position[0], pose.position[1], pose.position[2]);
  const auto& q = pose.orientation;
  x.linear() = Eigen::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix();
  return x;
}

/// From b to a, along the world's axes [rad].
Vector3d turn_of(const Isometry3d& a, const Isometry3d& b) {
  const AngleAxisd turn(Eigen::Matrix3d(a.linear() * b.linear().transpose()));
  return turn.angle() * turn.axis();
}

void expect_at(const Isometry3d& is, const Isometry3d& wanted, double most) {
  EXPECT_LT((is.translation() - wanted.translation()).norm(), most) << "m";
  EXPECT_LT(turn_of(is, wanted).norm(), most) << "rad";
}

/// A file of the robot beside a model.
class TiltedFile {
 public:
  explicit TiltedFile(const std::string& around = {}) : model_(testing::tilted_arm(around)) {
    model_.add("robot.yaml", testing::kTiltedRobot);
  }
  [[nodiscard]] const std::string& mjcf() const { return model_.path(); }
  [[nodiscard]] std::string yaml() const {
    return model_.path().substr(0, model_.path().rfind('/')) + "/robot.yaml";
  }

 private:
  odd::TempModel model_;
};

constexpr std::array kFrames{ToolFrame::kWorld, ToolFrame::kBase, ToolFrame::kTool};
using Case = std::tuple<const char*, ToolFrame>;

std::string case_name(const ::testing::TestParamInfo<Case>& place) {
  return std::string(std::get<0>(place.param)) + "_" +
         std::string(to_string(std::get<1>(place.param)));
}

class TiltedArm : public ::testing::TestWithParam<Case> {
 protected:
  TiltedArm()
      : truth(file.mjcf()),
        robot(file.yaml(), {.backend = std::get<0>(GetParam())}),
        arm(robot.arm("arm")) {
    robot.initialize();
    from = commanded();
  }
  [[nodiscard]] static ToolFrame frame() { return std::get<1>(GetParam()); }
  Isometry3d commanded() {
    truth.place(arm.commanded_position());
    return truth.tool();
  }
  Isometry3d sensed() {
    truth.place(arm.sensed_position());
    return truth.tool();
  }
  /// Where a displacement of the tool's frame brings it, in the world.
  [[nodiscard]] Isometry3d there() const {
    Isometry3d by = Isometry3d::Identity();
    by.translation() = Vector3d(0.04, -0.03, 0.05);
    by.linear() = AngleAxisd(0.25, Vector3d(1.0, 2.0, -1.0).normalized()).toRotationMatrix();
    return from * by;
  }
  /// The same as the call takes it.
  ToolPose told(const Isometry3d& goal) {
    truth.place(arm.commanded_position());
    return as_pose(truth.of(frame()).inverse() * goal);
  }
  /// Runs what was asked for to its end, which is to be `goal`.
  void expect_end_at(const Isometry3d& goal) {
    robot.wait();
    expect_at(commanded(), goal, 2e-5);
    for (int i = 0; i < 500; ++i) robot.step();
    expect_at(sensed(), goal, 4e-3);
  }

  TiltedFile file;
  TiltedTruth truth;
  Robot robot;
  RobotArm arm;
  Isometry3d from;
};
INSTANTIATE_TEST_SUITE_P(Robot, TiltedArm,
                         ::testing::Combine(::testing::Values("kinematic", "sim", "boards"),
                                            ::testing::ValuesIn(kFrames)),
                         case_name);

TEST_P(TiltedArm, ItsAxesAreThreeDifferentOnesAndItsPosesAreThoseOfMuJoCo) {
  const Isometry3d world = Isometry3d::Identity();
  EXPECT_GT(turn_of(truth.base(), world).norm(), 0.5);
  EXPECT_GT(turn_of(truth.tool(), world).norm(), 0.5);
  EXPECT_GT(turn_of(truth.tool(), truth.base()).norm(), 0.5);
  const Isometry3d of_frame =
      frame() == ToolFrame::kTool ? world : truth.of(frame()).inverse() * truth.tool();
  expect_at(as_placement(arm.commanded_tool_pose(frame())), of_frame, 1e-9);
  truth.place(arm.sensed_position());
  const Isometry3d seen =
      frame() == ToolFrame::kTool ? world : truth.of(frame()).inverse() * truth.tool();
  expect_at(as_placement(arm.sensed_tool_pose(frame())), seen, 1e-9);
}

TEST_P(TiltedArm, GoesToAPoseOfItsFrame) {
  arm.set_cartesian_position(told(there()), frame());
  expect_end_at(there());
  arm.move_cartesian(told(from), 0.5, frame());
  expect_end_at(from);
}

TEST_P(TiltedArm, GoesStraightToAPoseOfItsFrame) {
  arm.move_linear(told(there()), 1.0, frame());
  const Vector3d along = (there().translation() - from.translation()).normalized();
  double off = 0.0;
  do {
    robot.step();
    const Vector3d way = commanded().translation() - from.translation();
    off = std::max(off, (way - along * along.dot(way)).norm());
  } while (arm.is_moving());
  EXPECT_LT(off, 1e-4);
  expect_end_at(there());
}

TEST_P(TiltedArm, GoesStraightBehindAMotionToAPoseOfItsFrame) {
  // A pose at the tool is at the tool's goal.
  truth.place(arm.commanded_position());
  Values goal = arm.commanded_position();
  goal[0] += 0.3;
  truth.place(goal);
  const Isometry3d at_goal = truth.tool();
  const Isometry3d end = at_goal * (from.inverse() * there());
  const ToolPose asked = as_pose(truth.of(frame()).inverse() * end);
  arm.move_to(goal);
  arm.append_move_linear(asked, 1.0, frame());
  expect_end_at(end);
}

TEST_P(TiltedArm, FollowsWaypointsOfItsFrame) {
  if (frame() == ToolFrame::kTool) {  // ways along the tool's own axes
    const Vector3d by(0.04, -0.03, 0.05);
    ArmWaypoint only;
    only.by = {{by.x(), by.y(), by.z()}};
    ToolPathOptions at_tool;
    at_tool.frame = ToolFrame::kTool;
    arm.follow_tool({only}, at_tool);
    Isometry3d end = from;
    end.translation() += from.linear() * by;
    expect_end_at(end);
    return;
  }
  const ToolPose asked = told(there());
  ArmWaypoint first;
  first.position = asked.position;
  first.orientation = asked.orientation;
  ArmWaypoint second;
  second.by = {{0.0, 0.0, 0.03}};  // along the frame's axes
  ToolPathOptions options;
  options.frame = frame();
  arm.follow_tool({first, second}, options);
  truth.place(arm.commanded_position());
  Isometry3d end = there();
  end.translation() += truth.of(frame()).linear() * Vector3d(0.0, 0.0, 0.03);
  expect_end_at(end);
}

TEST_P(TiltedArm, FollowsATwistOfItsFrame) {
  const double time = 0.6;
  const Vector3d v(0.05, -0.03, 0.04);
  const Vector3d w(0.2, 0.1, -0.3);
  truth.place(arm.commanded_position());
  Eigen::Matrix3d axes = truth.of(frame()).linear();
  arm.set_cartesian_velocity({v.x(), v.y(), v.z(), 0.0, 0.0, 0.0}, time, frame());
  robot.wait();
  const Isometry3d gone = commanded();
  // Ramps up and down are alike: the way is v T, within the cycles of the start.
  EXPECT_LT((gone.translation() - from.translation() - axes * v * time).norm(), 1e-3);
  EXPECT_LT(turn_of(gone, from).norm(), 1e-4);

  truth.place(arm.commanded_position());
  axes = truth.of(frame()).linear();
  arm.set_cartesian_velocity({0.0, 0.0, 0.0, w.x(), w.y(), w.z()}, time, frame());
  robot.wait();
  const Isometry3d turned = commanded();
  EXPECT_LT((turned.translation() - gone.translation()).norm(), 1e-4);
  EXPECT_LT((turn_of(turned, gone) - axes * w * time).norm(), 3e-3);
}

TEST_P(TiltedArm, LeavesARotationFreeAboutAnAxisOfItsFrame) {
  // At the tool the frame of the goals is the base.
  const ToolFrame of_axis = frame() == ToolFrame::kTool ? ToolFrame::kBase : frame();
  truth.place(arm.commanded_position());
  const Vector3d axis = truth.of(of_axis).linear().col(2);
  Isometry3d goal = there();
  arm.set_cartesian_position(told(goal), frame(), FreeRotation::kZ);
  robot.wait();
  const Isometry3d end = commanded();
  EXPECT_LT((end.translation() - goal.translation()).norm(), 2e-5);
  const Vector3d left = turn_of(goal, end);
  EXPECT_GT(left.norm(), 1e-3) << "the joints went the shortest way, and that isn't the goal's";
  EXPECT_LT(left.cross(axis).norm(), 2e-5) << "what is left is a turn about the free axis";
}

// Wrenches ----------------------------------------------------------------------------------------

class TiltedForce : public ::testing::TestWithParam<Case> {
 protected:
  [[nodiscard]] static ToolFrame frame() { return std::get<1>(GetParam()); }
  [[nodiscard]] static RobotOptions options() { return {.backend = std::get<0>(GetParam())}; }
  static void run(RobotCore& core, double seconds) {
    const double end = to_seconds(core.now().time_ns) + seconds - 1e-9;
    while (to_seconds(core.now().time_ns) < end) {
      core.begin_step();
      core.end_step();
    }
  }
  /// Six numbers of the world along the axes of the frame.
  static Six told(const Isometry3d& axes, const Vector3d& force, const Vector3d& torque) {
    const Vector3d f = axes.linear().transpose() * force;
    const Vector3d m = axes.linear().transpose() * torque;
    return {f.x(), f.y(), f.z(), m.x(), m.y(), m.z()};
  }
  static Vector3d tip(RobotCore& core) {
    const sim::Pose pose = core.rig().plant()->site_pose(core.rig().plant()->site("tip"));
    return {pose.position[0], pose.position[1], pose.position[2]};
  }
};
INSTANTIATE_TEST_SUITE_P(Robot, TiltedForce,
                         ::testing::Combine(::testing::Values("sim", "boards"),
                                            ::testing::ValuesIn(kFrames)),
                         case_name);

// Against a wall without friction the tool rests where the contact carries all of the force.
TEST_P(TiltedForce, ATipThatPushesAWallPressesOnItWithItsForce) {
  const double force = 8.0;  // [N]
  const Vector3d into = Vector3d(0.5, -0.6, -0.62).normalized();
  Isometry3d start;
  Isometry3d axes;
  {
    const TiltedFile bare;
    TiltedTruth truth(bare.mjcf());
    truth.place(testing::tilted_start());
    start = truth.tool();
    axes = truth.of(frame());
  }
  // Its face is 3 mm before the ball.
  const Vector3d wall = start.translation() + (0.02 + 0.003 + 0.05) * into;
  const auto text = [](const Vector3d& v) {
    return std::to_string(v.x()) + " " + std::to_string(v.y()) + " " + std::to_string(v.z());
  };
  const TiltedFile file(
      "<geom name='wall' type='box' size='0.3 0.3 0.05' condim='1' contype='1' "
      "conaffinity='1' pos='" +
      text(wall) + "' zaxis='" + text(into) + "'/>");
  RobotCore core(file.yaml(), options());
  RobotArm arm(core, 0);
  arm.set_position(arm.commanded_position());
  run(core, 0.5);
  arm.set_cartesian_force(told(axes, force * into, Vector3d::Zero()), 10.0, frame());
  run(core, 3.0);
  const sim::Plant& plant = *core.rig().plant();
  const sim::Vector3 f = plant.contact_force(plant.body("hand"));
  const Vector3d pressed(f[0], f[1], f[2]);  // on the ball, by the wall
  EXPECT_LT((pressed + force * into).norm(), 0.02 * force)
      << pressed.transpose() << " in place of " << (-force * into).transpose();
}

// An equal and opposite wrench on the free tool leaves it at rest; without that it goes.
TEST_P(TiltedForce, AWrenchAgainstItsOwnLeavesTheToolAtRest) {
  const Vector3d force(6.0, -4.0, 5.0);   // [N]
  const Vector3d torque(0.3, 0.5, -0.4);  // [N·m]
  const TiltedFile file;
  TiltedTruth truth(file.mjcf());
  truth.place(testing::tilted_start());
  RobotCore core(file.yaml(), options());
  RobotArm arm(core, 0);
  arm.set_position(arm.commanded_position());
  run(core, 0.5);
  sim::Wrench against;
  against.body = core.rig().plant()->body("hand");
  against.at_centre = false;
  against.point = {0.1, 0.0, 0.02};  // the site
  against.force = {-force.x(), -force.y(), -force.z()};
  against.torque = {-torque.x(), -torque.y(), -torque.z()};
  ASSERT_TRUE(core.rig().plant()->apply(against));
  run(core, 1.5);  // carried by the stiff law
  truth.place(arm.sensed_position());
  arm.set_cartesian_force(told(truth.of(frame()), force, torque), 10.0, frame());
  run(core, 0.5);
  const Vector3d before = tip(core);
  run(core, 0.5);
  const double rests = (tip(core) - before).norm();
  core.rig().plant()->release(against.body);
  const Vector3d free = tip(core);
  run(core, 0.5);
  const double goes = (tip(core) - free).norm();
  EXPECT_GT(goes, 5e-3) << "it is free to go";
  EXPECT_LT(rests, 0.02 * goes);
}

}  // namespace
}  // namespace jointrig
