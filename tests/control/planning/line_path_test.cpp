#include "control/planning/line_path.h"

#include <gtest/gtest.h>

#include <cmath>

#include "app/rig/robot_loading.h"
#include "control/discovery/discovery.h"
#include "control/laws/tool_error.h"
#include "control/model/robot_model.h"
#include "control/planning/arm_tasks.h"
#include "harness/config/robot_file.h"
#include "tests/control/planning/two_links.h"
#include "tests/support/temp_model.h"

namespace jointrig {
namespace {

constexpr double kDegree = M_PI / 180.0;

/// The Franka arm, and where its tool is by MuJoCo.
struct Franka {
  Franka()
      : robot(app::load_robot(harness::find_robot("franka")).config),
        tree(robot),
        model(robot),
        start(start_positions(robot)),
        task(tool_task(tree, robot.arms[0])) {}

  Placement tool(const std::vector<double>& q) {
    RobotState state;
    state.joints.resize(q.size());
    for (std::size_t i = 0; i < q.size(); ++i) state.joints[i].q = q[i];
    model.update(state);
    const FramePose pose = model.pose(model.find_frame(robot.arms[0].tool));
    return {pose.position, pose.rotation};
  }

  std::vector<double> with(const std::vector<double>& knot) const {
    std::vector<double> q = start;
    for (std::size_t k = 0; k < knot.size(); ++k) q[robot.arms[0].joints[k]] = knot[k];
    return q;
  }

  LineResult go(const Placement& goal, const LineOptions& options = {}) {
    const std::vector<JointIndex>& joints = robot.arms[0].joints;
    LinePath path(tree, task, joints, soft_ranges(robot, joints), options);
    return path.plan(goal, start);
  }

  RobotConfig robot;
  KinematicTree tree;
  RobotModel model;
  std::vector<double> start;
  IkTask task;
};

/// How far a pose is from the line's at the same share, told by hand.
void expect_on_the_line(const Placement& at, const Placement& from, const Placement& to,
                        double share) {
  const Eigen::Vector3d place = (1.0 - share) * from.position + share * to.position;
  const Eigen::Quaterniond turn =
      Eigen::Quaterniond(from.rotation).slerp(share, Eigen::Quaterniond(to.rotation));
  ASSERT_LT((at.position - place).norm(), 1e-4);
  ASSERT_LT(rotation_vector(turn.toRotationMatrix().transpose() * at.rotation).norm(),
            0.01 * kDegree);
}

TEST(LinePath, KeepsTheToolOnTheLineAlsoBetweenItsKnots) {
  Franka arm;
  const Placement from = arm.tool(arm.start);
  Placement to = from;
  to.position += Eigen::Vector3d(0.1, 0.25, -0.15);
  to.rotation = from.rotation * rotation_of({0.3, -0.4, 0.6});

  const LineResult line = arm.go(to);

  ASSERT_EQ(line.problem, LineProblem::kNone);
  EXPECT_NEAR(line.length, std::sqrt(0.01 + 0.0625 + 0.0225), 1e-12);
  EXPECT_NEAR(line.angle, std::sqrt(0.09 + 0.16 + 0.36), 1e-9);
  ASSERT_EQ(line.knots.size(), line.shares.size());
  EXPECT_EQ(line.shares.front(), 0.0);
  EXPECT_EQ(line.shares.back(), 1.0);
  for (std::size_t i = 0; i + 1 < line.knots.size(); ++i) {
    for (int part = 0; part < 10; ++part) {
      const double share = 0.1 * part;
      std::vector<double> between;
      for (std::size_t k = 0; k < line.knots[i].size(); ++k) {
        between.push_back((1.0 - share) * line.knots[i][k] + share * line.knots[i + 1][k]);
      }
      expect_on_the_line(arm.tool(arm.with(between)), from, to,
                         line.shares[i] + share * (line.shares[i + 1] - line.shares[i]));
    }
  }
  expect_on_the_line(arm.tool(arm.with(line.knots.back())), from, to, 1.0);
}

TEST(LinePath, BeginsWhereTheArmIsAndNeverLeaps) {
  Franka arm;
  Placement to = arm.tool(arm.start);
  to.position += Eigen::Vector3d(0.0, -0.3, 0.1);
  const LineResult line = arm.go(to);
  ASSERT_EQ(line.problem, LineProblem::kNone);
  for (std::size_t k = 0; k < line.knots[0].size(); ++k) {
    EXPECT_NEAR(line.knots[0][k], arm.start[arm.robot.arms[0].joints[k]], 1e-9);
    for (std::size_t i = 0; i + 1 < line.knots.size(); ++i) {
      EXPECT_LT(std::abs(line.knots[i + 1][k] - line.knots[i][k]), 0.3);
    }
  }
}

TEST(LinePath, LaysSamplesMoreDenselyWhereTheLineAsksForIt) {
  Franka arm;
  Placement to = arm.tool(arm.start);
  to.position += Eigen::Vector3d(0.05, 0.25, -0.1);
  LineOptions coarse;
  coarse.step = 0.2;
  coarse.deviation = 1e-3;
  LineOptions fine = coarse;
  fine.deviation = 1e-5;
  const LineResult rough = arm.go(to, coarse);
  const LineResult exact = arm.go(to, fine);
  ASSERT_EQ(rough.problem, LineProblem::kNone);
  ASSERT_EQ(exact.problem, LineProblem::kNone);
  EXPECT_GT(exact.knots.size(), rough.knots.size());
  EXPECT_LE(exact.deviation, 1e-5);
  LineOptions never = fine;
  never.densest = 0;
  const LineResult refused = arm.go(to, never);
  EXPECT_EQ(refused.problem, LineProblem::kOffTheLine);
  EXPECT_GT(refused.value, 1e-5);
}

TEST(LinePath, RefusesWhatIsNoNumber) {
  Franka arm;
  Placement to = arm.tool(arm.start);
  to.position.x() = std::nan("");
  EXPECT_EQ(arm.go(to).problem, LineProblem::kNotFinite);
}

/// Along x from where two links are, by hand.
struct TwoLinks {
  TwoLinks() : file(testing::kTwoLinks), robot(discover(file.path()).config), tree(robot) {}

  LineResult go(double from, double to, const LineOptions& options = {}) const {
    const std::array<double, 2> q = testing::by_hand(from, 0.0, 1.0);
    LinePath path(tree, {{tree.find_frame("tip"), {}}, testing::kInThePlane}, {0, 1},
                  {{-3.0, 3.0}, {-2.5, 2.5}}, options);
    Placement goal;
    goal.position.x() = to;
    return path.plan(goal, {q[0], q[1]});
  }

  odd::TempModel file;
  RobotConfig robot;
  KinematicTree tree;
};

/// Smaller singular value of two links' Jacobian: det J = l1 l2 sin(elbow), |J|² = σ1² + σ2².
double smaller_singular_value(double x) {
  const double elbow = testing::by_hand(x, 0.0, 1.0)[1];
  const double product = 0.4 * 0.3 * std::sin(elbow);
  const double sum = x * x + 0.3 * 0.3;  // of the squares of both columns
  return std::sqrt(0.5 * (sum - std::sqrt(sum * sum - 4.0 * product * product)));
}

TEST(LinePath, IsRefusedAtTheSampleWhereTheArmStretches) {
  TwoLinks arm;
  LineOptions dense;  // the elbow stretches within its last tenths of a millimetre
  dense.step = 7e-5;
  const LineResult line = arm.go(0.69, 0.72, dense);
  ASSERT_EQ(line.problem, LineProblem::kSingular);
  const double there = 0.69 + line.distance;
  EXPECT_NEAR(line.value, smaller_singular_value(there), 1e-4 * line.limit);
  EXPECT_LT(line.value, line.limit);
  const double before = 0.69 + line.shares.back() * line.length;
  EXPECT_GE(smaller_singular_value(before), line.limit);
  EXPECT_EQ(line.knots.size(), line.sample);
}

TEST(LinePath, EndsWhereTheLinksEnd) {
  TwoLinks arm;
  LineOptions blind;
  blind.singular_value = 0.0;
  blind.jump = 10.0;
  const LineResult line = arm.go(0.5, 0.745, blind);
  ASSERT_EQ(line.problem, LineProblem::kOutOfReach);
  // 0.7 m is reached by no sample but the stretched arm's own.
  EXPECT_GT(0.5 + line.distance, 0.7);
  EXPECT_LE(0.5 + line.shares.back() * line.length, 0.7);
  EXPECT_NEAR(line.value, 0.5 + line.distance - 0.7, 1e-5);
}

TEST(LinePath, NamesTheJointThatEndsIt) {
  TwoLinks arm;
  const double nearest = std::sqrt(0.16 + 0.09 + 2.0 * 0.4 * 0.3 * std::cos(2.5));
  const LineResult line = arm.go(0.5, 0.15);
  ASSERT_EQ(line.problem, LineProblem::kJointLimits);
  EXPECT_EQ(line.joint, 1);
  EXPECT_NEAR(line.limit, 2.5, 1e-12);
  EXPECT_GT(line.value, 2.5);
  EXPECT_LT(0.5 - line.distance, nearest);
  EXPECT_GE(0.5 - line.shares.back() * line.length, nearest - 1e-6);
}

TEST(LinePath, IsRefusedWhereAJointWouldHaveToJump) {
  // A centimetre along the line takes the elbow more than what counts as a jump here.
  TwoLinks arm;
  LineOptions options;
  options.jump = 0.02;
  options.densest = 0;
  const LineResult line = arm.go(0.5, 0.6, options);
  ASSERT_EQ(line.problem, LineProblem::kJump);
  EXPECT_GT(line.value, 0.02);
  const double now = 0.5 + line.distance;
  const double before = 0.5 + line.shares.back() * line.length;
  const auto joint = static_cast<std::size_t>(line.joint);
  EXPECT_NEAR(
      line.value,
      std::abs(testing::by_hand(now, 0.0, 1.0)[joint] - testing::by_hand(before, 0.0, 1.0)[joint]),
      1e-5);
}

}  // namespace
}  // namespace jointrig
