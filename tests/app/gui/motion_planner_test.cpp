/// Plans of a real arm for the panel: their lines in the world, and where they are refused.

#include "app/gui/motion_planner.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <numbers>
#include <thread>

#include "app/rig/rig.h"
#include "control/exchange/robot_client.h"
#include "gui/panel/tool_angles.h"

namespace jointrig::app {
namespace {

struct MotionPlannerTest : ::testing::Test {
  static constexpr double kDegree = std::numbers::pi / 180.0;

  static RigOptions kinematic() {
    RigOptions options;
    options.backend = BackendKind::kKinematic;
    return options;
  }
  MotionPlannerTest() {
    rig.start();
    client.set_mode(client.select("all"), ModeRequest::kPosition);
    run(300);
  }
  void run(int cycles) {
    for (int i = 0; i < cycles; ++i) rig.loop().step();
  }
  [[nodiscard]] const Snapshot& now() { return rig.stack().snapshot(); }
  [[nodiscard]] const RobotConfig& config() { return rig.stack().config(); }

  [[nodiscard]] gui::MotionWaypoint joints(
      const std::vector<std::pair<const char*, double>>& degrees) {
    gui::MotionWaypoint waypoint;
    waypoint.q.resize(config().joints.size());
    for (const auto& [name, q] : degrees) waypoint.q[joint_named(config(), name)] = q * kDegree;
    return waypoint;
  }
  gui::MotionAnswer plan(const gui::MotionList& list, bool goes_on = false) {
    planner.ask(list, config(), now(), goes_on);
    for (int i = 0; i < 60'000; ++i) {
      if (auto answer = planner.take()) return *answer;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    ADD_FAILURE() << "no answer within a minute";
    return {};
  }
  /// Follows the plan that has passed, to its end.
  void follow() {
    const auto command = planner.hand_over();
    ASSERT_TRUE(command.has_value());
    client.post(*command);
    run(5);
    ASSERT_EQ(now().plans.size(), 1U);
    for (int i = 0; i < 30'000 && !now().plans.empty(); ++i) run(1);
  }
  static double apart(const std::array<double, 3>& a, const std::array<double, 3>& b) {
    return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
  }

  Rig rig{load_robot(harness::find_robot("franka")).config, kinematic()};
  RobotClient client{rig.stack().config(), rig.stack().inbox(), "test"};
  MotionPlanner planner{rig.stack()};
};

TEST_F(MotionPlannerTest, TheLineIsTheWayOfTheTool) {
  gui::MotionList list;
  list.waypoints = {joints({{"panda_joint1", 30.0}, {"panda_joint4", -110.0}}),
                    joints({{"panda_joint1", -10.0}})};
  const gui::MotionAnswer answer = plan(list);
  ASSERT_TRUE(answer.has_passed()) << answer.refusal;
  ASSERT_EQ(answer.lines.size(), 1U);
  const gui::MotionLine& line = answer.lines[0];
  EXPECT_EQ(line.name, config().arms[0].name);
  ASSERT_EQ(line.waypoints.size(), 2U);
  // The arm's base is the world's here: the stack's own tool pose is the witness.
  const std::array<double, 3> start = now().arms[0].tool.position;
  EXPECT_LT(apart(line.points.front(), start), 1e-3);
  follow();
  EXPECT_LT(apart(line.points.back(), now().arms[0].tool.position), 1e-3);
  EXPECT_LT(apart(line.waypoints[1], line.points.back()), 1e-9);
  EXPECT_GT(apart(line.waypoints[0], start), 0.1);
}

TEST_F(MotionPlannerTest, APathOfTheToolIsStraight) {
  const gui::ToolNumbers here = gui::as_numbers(now().arms[0].tool);
  gui::MotionList list;
  list.arm = 0;
  list.waypoints.resize(1);
  gui::ToolNumbers to = here;
  to[1] += 0.2;
  list.waypoints[0].tool = gui::MotionPose::at(gui::as_pose(to));
  const gui::MotionAnswer answer = plan(list);
  ASSERT_TRUE(answer.has_passed()) << answer.refusal;
  for (const auto& point : answer.lines.at(0).points) {
    EXPECT_NEAR(point[0], here[0], 1e-4);
    EXPECT_NEAR(point[2], here[2], 1e-4);
  }
  EXPECT_NEAR(answer.lines[0].points.back()[1], here[1] + 0.2, 1e-4);
}

TEST_F(MotionPlannerTest, ACollisionIsToldWithBodiesPlaceAndPose) {
  gui::MotionList list;
  // Free, then the hand goes through the arm's own base.
  list.waypoints = {
      joints({{"panda_joint1", 10.0}}),
      joints({{"panda_joint2", 60.0}, {"panda_joint4", -170.0}, {"panda_joint6", 5.0}})};
  const gui::MotionAnswer answer = plan(list);
  ASSERT_FALSE(answer.has_passed());
  ASSERT_EQ(answer.waypoint, 2U);
  ASSERT_NE(answer.refusal.find("two bodies come as near as"), std::string::npos) << answer.refusal;
  EXPECT_NE(answer.refusal.find(answer.meets), std::string::npos) << answer.refusal;
  EXPECT_GT(answer.meets_at, answer.times[0]);
  EXPECT_LT(answer.meets_at, answer.times[1]);
  ASSERT_EQ(answer.meets_q.size(), config().joints.size());
  const JointIndex elbow = joint_named(config(), "panda_joint4");
  EXPECT_LT(answer.meets_q[elbow], now().joints[elbow].reference.q);
  EXPECT_GT(answer.meets_q[elbow], -170.0 * kDegree);
  EXPECT_FALSE(answer.lines.empty()) << "what is refused is shown, too";
  EXPECT_FALSE(planner.hand_over().has_value());
  list.checks_collisions = false;
  EXPECT_TRUE(plan(list).has_passed());
}

TEST_F(MotionPlannerTest, APoseOutOfReachIsRefusedAndItsWaypointsAreShown) {
  gui::MotionList list;
  list.arm = 0;
  gui::ToolNumbers far = gui::as_numbers(now().arms[0].tool);
  far[0] = 2.0;
  list.waypoints.resize(1);
  list.waypoints[0].label = "too far";
  list.waypoints[0].tool = gui::MotionPose::at(gui::as_pose(far));
  const gui::MotionAnswer answer = plan(list);
  ASSERT_FALSE(answer.has_passed());
  EXPECT_EQ(answer.waypoint, 1U);
  EXPECT_NE(answer.refusal.find("no joint positions bring the tool"), std::string::npos)
      << answer.refusal;
  EXPECT_NE(answer.refusal.find("too far"), std::string::npos) << answer.refusal;
  ASSERT_EQ(answer.lines.size(), 1U);
  ASSERT_EQ(answer.lines[0].waypoints.size(), 1U);
  EXPECT_NEAR(answer.lines[0].waypoints[0][0], 2.0, 1e-9);
}

TEST_F(MotionPlannerTest, WaypointsAreMarkedBeforeTheyArePlanned) {
  gui::MotionList of_tool;
  of_tool.arm = 0;
  of_tool.waypoints.resize(1);
  of_tool.waypoints[0].tool = gui::MotionPose::at(now().arms[0].tool);
  gui::MotionList of_joints;
  of_joints.waypoints = {joints({{"panda_joint1", 0.0}}), joints({{"panda_joint1", 90.0}})};
  for (const gui::MotionList& list : {of_tool, of_joints}) {
    planner.ask_marks(list, config(), now());
    std::optional<std::vector<gui::MotionLine>> marks;
    for (int i = 0; i < 60'000 && !(marks = planner.take_marks()); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    ASSERT_TRUE(marks.has_value());
    ASSERT_EQ(marks->size(), 1U);
    ASSERT_EQ(marks->front().waypoints.size(), list.waypoints.size());
    EXPECT_LT(apart(marks->front().waypoints[0], now().arms[0].tool.position), 1e-3);
    EXPECT_TRUE(marks->front().points.empty());
    if (list.is_of_tool()) continue;
    // A quarter turn about the vertical axis of the base.
    const auto& at = marks->front().waypoints;
    EXPECT_NEAR(at[1][0], -at[0][1], 1e-3);
    EXPECT_NEAR(at[1][1], at[0][0], 1e-3);
  }
}

TEST_F(MotionPlannerTest, PosesThatAreRelativeAreMarkedAndPlannedFromWhereTheToolIs) {
  const std::array<double, 3> here = now().arms[0].tool.position;
  gui::MotionList list;
  list.arm = 0;
  list.waypoints.resize(3);
  list.waypoints[0].tool = gui::MotionPose{{}, {{0.0, 0.15, 0.0}}, {}, {}, {}};
  list.waypoints[1].tool = gui::MotionPose{{}, {}, {}, {{0.0, 0.0, 0.2}}, {}};
  list.waypoints[2].tool = gui::MotionPose{{}, {{0.0, 0.0, -0.05}}, {}, {}, {}};
  // The hand points down: its own z is the base's, turned over.
  for (const double up : {1.0, -1.0}) {
    list.frame = up > 0.0 ? ToolFrame::kBase : ToolFrame::kTool;
    SCOPED_TRACE(to_string(list.frame));
    const double aside = up > 0.0 ? 0.15 : 0.0;
    if (up < 0.0) list.waypoints[0].tool->by.reset();
    if (up < 0.0) list.waypoints[0].tool->turn = std::array<double, 3>{0.0, 0.0, -0.2};
    planner.ask_marks(list, config(), now());
    std::optional<std::vector<gui::MotionLine>> marks;
    for (int i = 0; i < 60'000 && !(marks = planner.take_marks()); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    const gui::MotionAnswer answer = plan(list);
    ASSERT_TRUE(answer.has_passed()) << answer.refusal;
    for (const auto& points : {marks.value().at(0).waypoints, answer.lines.at(0).waypoints}) {
      ASSERT_EQ(points.size(), 3U);
      for (std::size_t n = 0; n < 3; ++n) {
        const double down = n == 2 ? -0.05 * up : 0.0;
        EXPECT_LT(apart(points[n], {here[0], here[1] + aside, here[2] + down}), 2e-3) << n;
      }
    }
  }
}

TEST_F(MotionPlannerTest, AnEndpointThatIsNotThereIsRefusedByItsName) {
  gui::MotionList list;
  list.arm = 0;
  list.endpoint = "panda_hnad";
  list.waypoints.resize(1);
  list.waypoints[0].tool = gui::MotionPose{{}, {{0.0, 0.1, 0.0}}, {}, {}, {}};
  const gui::MotionAnswer answer = plan(list);
  EXPECT_FALSE(answer.has_passed());
  EXPECT_EQ(answer.waypoint, 1U);
  EXPECT_NE(answer.refusal.find("no site or body \"panda_hnad\"; did you mean \"panda_hand\"?"),
            std::string::npos)
      << answer.refusal;
}

TEST_F(MotionPlannerTest, WaypointsWithTimesArePassedThen) {
  gui::MotionList list;
  list.waypoints = {joints({{"panda_joint1", 10.0}}), joints({{"panda_joint1", 25.0}})};
  list.waypoints[0].time = 1.25;
  list.waypoints[1].time = 3.0;
  const gui::MotionAnswer answer = plan(list);
  ASSERT_TRUE(answer.has_passed()) << answer.refusal;
  EXPECT_EQ(answer.times, (std::vector<double>{1.25, 3.0}));
  follow();
  EXPECT_NEAR(now().joints[joint_named(config(), "panda_joint1")].reference.q, 25.0 * kDegree,
              1e-9);
  list.waypoints[1].time = 1.26;  // 15 degrees in a hundredth of a second
  EXPECT_FALSE(plan(list).has_passed());
}

TEST_F(MotionPlannerTest, WithoutArmsTheLastJointsOfTheChainsAreShown) {
  RobotConfig bare = config();
  bare.arms.clear();
  Rig other(bare, kinematic());
  other.start();
  for (int i = 0; i < 10; ++i) other.loop().step();
  MotionPlanner its(other.stack());
  gui::MotionList list;
  list.waypoints = {joints({{"panda_joint1", 30.0}})};
  its.ask(list, other.stack().config(), other.stack().snapshot(), false);
  std::optional<gui::MotionAnswer> answer;
  while (!(answer = its.take())) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  ASSERT_TRUE(answer->has_passed()) << answer->refusal;
  EXPECT_GE(answer->lines.size(), 1U);
  EXPECT_LE(answer->lines.size(), 4U);
}

}  // namespace
}  // namespace jointrig::app
