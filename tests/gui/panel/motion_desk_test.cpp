/// Waypoints, their plan and their run, on joints that can be worked out by hand.

#include "gui/panel/motion_desk.h"

#include <chrono>
#include <thread>

#include "app/gui/motion_planner.h"
#include "app/rig/rig.h"
#include "tests/gui/panel/rig_with_panel.h"

namespace jointrig::gui {
namespace {

struct MotionDeskTest : ::testing::Test {
  MotionDeskTest() { desk.attach(&planner); }
  ~MotionDeskTest() override { desk.attach(nullptr); }

  static MotionWaypoint point(std::optional<double> q0, std::optional<double> q1) {
    MotionWaypoint waypoint;
    waypoint.q = {q0, q1, std::nullopt};
    return waypoint;
  }
  /// Two waypoints for two of three joints, everything in POSITION, as fast as may be.
  void make_ready() {
    desk.table.list.waypoints = {point(0.6, 0.0), point(0.0, -0.4)};
    desk.table.list.speed = desk.table.list.acceleration = 1.0;
    t.arm_and_run();
  }
  /// Lets the planner's thread come to an end; the robot stands meanwhile.
  void wait_for_plan() {
    for (int i = 0; i < 5000 && desk.state() == MotionState::kPlanning; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      t.show();
    }
    ASSERT_NE(desk.state(), MotionState::kPlanning);
  }
  void plan() {
    desk.plan();
    wait_for_plan();
  }
  void run_it() {
    plan();
    desk.run();
    t.frame();
  }
  [[nodiscard]] double reference(std::size_t i) const { return t.rig.joint(i).reference.q; }
  int plans_sent() {
    int sent = 0;
    for (const Command& command : t.commands()) sent += testing::is<FollowPlan>(command);
    return sent;
  }

  testing::RigWithPanel t;
  MotionDesk& desk = t.desks.motion;
  MotionTable& table = t.desks.motion.table;
  app::MotionPlanner planner{t.rig.stack};
};

// The table -------------------------------------------------------------------------------------

TEST_F(MotionDeskTest, RecordsWhereTheJointsAreAndSendsNothing) {
  t.rig.robot.joint[1].q = 0.5;
  t.panel.set_access(Access::kArmed);
  t.frame();
  t.commands();
  table.record();
  table.record();
  ASSERT_EQ(table.list.waypoints.size(), 2U);
  EXPECT_EQ(table.selected, 1U);
  EXPECT_NEAR(table.list.waypoints[0].q[1].value(), 0.5, 1e-4);
  EXPECT_EQ(joints_of(table.list, t.panel.config()).count(), 3U);
  table.selected = 0;
  table.duplicate();
  table.shift(1);
  table.remove();
  table.record_again();
  EXPECT_EQ(table.list.waypoints.size(), 2U);
  t.frames(3);
  EXPECT_EQ(t.commands().size(), 0U);
}

TEST_F(MotionDeskTest, RecordsThePartThatIsShownAndReplacesTheJointsThatAWaypointHas) {
  RobotConfig config = testing::ideal_config(3);
  config.parts = {{"arm", {0, 2}}};
  testing::RigWithPanel of_part(config);
  MotionTable& its = of_part.desks.motion.table;
  of_part.panel.part = 0;
  EXPECT_EQ(its.kind_text(), "joints of arm");
  its.record();
  EXPECT_FALSE(its.list.waypoints[0].q[1].has_value());
  of_part.panel.part = -1;
  of_part.rig.robot.joint[0].q = 0.25;
  of_part.frame();
  its.list.waypoints[0].label = "mine";
  its.record_again();
  EXPECT_NEAR(its.list.waypoints[0].q[0].value(), 0.25, 1e-4);
  EXPECT_FALSE(its.list.waypoints[0].q[1].has_value());
  EXPECT_EQ(its.list.waypoints[0].label, "mine");
}

TEST_F(MotionDeskTest, WaypointsAreReorderedWithinTheTable) {
  table.list.waypoints = {point(0.1, 0), point(0.2, 0), point(0.3, 0)};
  table.selected = 0;
  table.shift(-1);
  EXPECT_EQ(table.selected, 0U);
  table.shift(1);
  EXPECT_EQ(table.selected, 1U);
  EXPECT_EQ(table.list.waypoints[0].q[0], 0.2);
  table.selected = 2;
  table.shift(1);
  EXPECT_EQ(table.list.waypoints[2].q[0], 0.3);
  table.remove();
  EXPECT_EQ(table.selected, 1U);
}

TEST_F(MotionDeskTest, TakesNumbersWithUnitsAndRefusesWhatMakesNoSense) {
  table.list.waypoints = {point(0.1, 0)};
  EXPECT_EQ(table.type_position(0, 1, "-20 deg"), "");
  EXPECT_NEAR(table.list.waypoints[0].q[1].value(), -0.349066, 1e-6);
  EXPECT_EQ(table.type_own_share(0, &MotionWaypoint::speed, "40 %"), "");
  EXPECT_DOUBLE_EQ(table.list.waypoints[0].speed.value(), 0.4);
  EXPECT_EQ(table.type_own_share(0, &MotionWaypoint::speed, ""), "");
  EXPECT_FALSE(table.list.waypoints[0].speed.has_value());
  EXPECT_EQ(table.type_speed("55"), "");
  EXPECT_EQ(table.type_acceleration("10 %"), "");
  EXPECT_EQ(table.type_tolerance(&MotionList::goal_tolerance, false, "0.5 deg"), "");
  EXPECT_NEAR(table.list.goal_tolerance[0].value(), 0.0087266, 1e-7);
  const MotionList before = table.list;
  EXPECT_NE(table.type_position(0, 0, "20 Nm"), "");
  EXPECT_NE(table.type_own_share(0, &MotionWaypoint::speed, "130 %"), "");
  EXPECT_NE(table.type_speed("0"), "");
  EXPECT_NE(table.type_tolerance(&MotionList::goal_tolerance, false, "-1"), "");
  EXPECT_NE(table.type_own_tolerance(0, false, "-1"), "");
  EXPECT_EQ(table.list, before);
}

TEST_F(MotionDeskTest, TimesRiseAndStayInTheirRows) {
  table.list.waypoints = {point(0.1, 0), point(0.2, 0)};
  EXPECT_EQ(table.type_time(0, "1 s"), "") << "a list without times keeps none";
  EXPECT_FALSE(table.list.is_timed());
  table.list.waypoints[0].time = 1.0;
  table.list.waypoints[1].time = 3.0;
  EXPECT_EQ(table.type_time(0, "500 ms"), "");
  EXPECT_DOUBLE_EQ(table.list.waypoints[0].time.value(), 0.5);
  EXPECT_NE(table.type_time(0, "3"), "");
  EXPECT_NE(table.type_time(1, "0.5"), "");
  EXPECT_NE(table.type_time(0, "0"), "");
  EXPECT_NE(table.type_time(0, "later"), "");
  table.selected = 0;
  table.shift(1);
  EXPECT_EQ(table.list.waypoints[0].q[0], 0.2);
  EXPECT_DOUBLE_EQ(table.list.waypoints[0].time.value(), 0.5);
  table.selected = 0;
  table.record();
  EXPECT_DOUBLE_EQ(table.list.waypoints[1].time.value(), 1.75);
  table.selected = 2;
  table.duplicate();
  EXPECT_DOUBLE_EQ(table.list.waypoints[3].time.value(), 3.0 + MotionTable::kStep);
}

TEST_F(MotionDeskTest, TolerancesOfTheirOwnAreToldAndReplacedByOneForAll) {
  table.list.waypoints = {point(0.1, 0)};
  constexpr auto kPath = &MotionList::path_tolerance;
  EXPECT_EQ(table.tolerance_text(kPath, false), "–");
  table.list.path_tolerance = {0.1, 0.2, 0.3};
  EXPECT_EQ(table.tolerance_text(kPath, false), "several");
  EXPECT_EQ(table.type_tolerance(kPath, false, "several"), "");
  EXPECT_EQ(table.list.path_tolerance[1], 0.2);
  EXPECT_EQ(table.type_tolerance(kPath, false, "0.1 rad"), "");
  EXPECT_EQ(table.tolerance_text(kPath, false), "5.7 °");
  EXPECT_EQ(table.type_settling("250 ms"), "");
  EXPECT_DOUBLE_EQ(table.list.settling_time, 0.25);
  EXPECT_NE(table.type_settling("-1"), "");
  EXPECT_EQ(table.type_timeout("90"), "");
  EXPECT_EQ(table.list.timeout, 90.0);
  EXPECT_EQ(table.type_timeout("–"), "");
  EXPECT_FALSE(table.list.timeout.has_value());
}

TEST_F(MotionDeskTest, ARelativePoseIsTypedAsOneAndAPoseOfTheFileIsForgottenWhereAJointIsTyped) {
  table.list.arm = 0;
  table.list.waypoints.resize(1);
  MotionWaypoint& waypoint = table.list.waypoints[0];
  waypoint.tool = MotionPose{{}, {{0.1, 0.0, 0.0}}, {}, {}, {}};
  EXPECT_EQ(table.type_tool(0, 2, "5 cm"), "");
  EXPECT_EQ(table.type_tool(0, 3, "90 deg"), "");
  EXPECT_FALSE(waypoint.tool->position || waypoint.tool->orientation);
  EXPECT_EQ(waypoint.tool->by.value(), (std::array{0.1, 0.0, 0.05}));
  EXPECT_NEAR(waypoint.tool->turn.value()[0], 1.570796, 1e-6);
  EXPECT_NEAR(shown_numbers(*waypoint.tool)[3], 1.570796, 1e-6);
  table.list.frame = ToolFrame::kWorld;
  EXPECT_NE(table.why_not_record(), "");
  table.list.frame = ToolFrame::kBase;
  table.list.endpoint = "tip";
  EXPECT_NE(table.why_not_record().find("tip"), std::string::npos);

  table.list = {};
  table.list.waypoints = {point(0.1, 0)};
  table.list.waypoints[0].pose = "home";
  EXPECT_EQ(table.type_position(0, 0, "0.2 rad"), "");
  EXPECT_EQ(table.list.waypoints[0].pose, "");
}

TEST_F(MotionDeskTest, AWaypointHasAnAccelerationAndTolerancesOfItsOwn) {
  table.list.waypoints = {point(0.1, 0), point(0.2, 0)};
  EXPECT_EQ(table.type_own_share(1, &MotionWaypoint::acceleration, "20 %"), "");
  EXPECT_EQ(table.list.waypoints[1].acceleration, 0.2);
  EXPECT_EQ(table.own_tolerance_text(1, false), "–");
  EXPECT_EQ(table.type_own_tolerance(1, false, "0.1 rad"), "");
  EXPECT_EQ(table.list.waypoints[1].tolerance[1], 0.1);
  EXPECT_EQ(table.own_tolerance_text(1, false), "5.7 °");
  EXPECT_EQ(table.own_tolerance_text(0, false), "–");
  table.list.waypoints[1].tolerance[1] = 0.2;
  EXPECT_EQ(table.own_tolerance_text(1, false), "several");
  EXPECT_EQ(table.type_own_tolerance(1, false, "–"), "");
  EXPECT_FALSE(table.list.waypoints[1].tolerance[0].has_value());
}

/// A list of poses of an arm's tool.
struct ToolTable : ::testing::Test {
  static RobotConfig franka() {
    RobotConfig config = app::load_robot(harness::find_robot("franka")).config;
    ArmConfig& arm = config.arms.at(0);
    arm.speed_max = 0.25;
    arm.acceleration_max = 1.0;
    arm.rotation_speed_max = 1.0;
    arm.rotation_acceleration_max = 4.0;
    return config;
  }
  ToolTable() {
    table.list.arm = 0;
    table.list.waypoints.resize(1);
    table.list.waypoints[0].tool = MotionPose::at({});
  }
  testing::RigWithPanel t{franka()};
  MotionTable& table = t.desks.motion.table;
};

TEST_F(ToolTable, BoundsOfTheToolAreTypedForAllWaypointsAndForOne) {
  using namespace tool_bounds;
  EXPECT_EQ(table.type_bound(kCorner, "2 cm"), "");
  EXPECT_EQ(table.type_bound(kSpeed, "100"), "");
  EXPECT_EQ(table.type_bound(kAcceleration, "0.5 m/s²"), "");
  EXPECT_EQ(table.type_bound(kTurning, "0.5 rad/s"), "");
  EXPECT_EQ(table.type_bound(kTurningAcceleration, "2 rad/s^2"), "");
  EXPECT_EQ(table.list.bounds, (MotionBounds{0.1, 0.5, 0.5, 2.0, 0.02}));
  EXPECT_EQ(table.list.waypoints[0].tool->own, MotionBounds{});
  EXPECT_EQ(table.type_own_bound(0, kSpeed, "50 mm/s"), "");
  EXPECT_EQ(table.type_own_bound(0, kCorner, "0"), "");
  EXPECT_EQ(table.list.waypoints[0].tool->own.linear_speed, 0.05);
  EXPECT_EQ(table.list.waypoints[0].tool->own.corner_distance, 0.0);
  EXPECT_EQ(table.type_own_bound(0, kSpeed, "–"), "");
  EXPECT_FALSE(table.list.waypoints[0].tool->own.linear_speed);
}

TEST_F(ToolTable, ABoundBeyondTheArmsOwnIsRefusedWithIt) {
  using namespace tool_bounds;
  const MotionList before = table.list;
  EXPECT_EQ(table.type_bound(kSpeed, "300 mm/s"), "the tool of arm may have up to 250.0 mm/s");
  EXPECT_EQ(table.type_bound(kAcceleration, "2 m/s^2"),
            "the tool of arm may have up to 1000.0 mm/s²");
  EXPECT_EQ(table.type_own_bound(0, kTurning, "90 deg/s"),
            "the tool of arm may have up to 57.3 °/s");
  EXPECT_NE(table.type_bound(kTurningAcceleration, "0"), "");
  EXPECT_NE(table.type_bound(kCorner, "-1 cm"), "");
  EXPECT_NE(table.type_own_bound(0, kCorner, "1 kg"), "");
  EXPECT_EQ(table.list, before);
}

TEST_F(MotionDeskTest, WhatHasNoFieldIsSaid) {
  MotionList list;
  list.frame = ToolFrame::kWorld;
  list.endpoint = "tip";
  list.interaction.emplace();
  list.interaction->axes[5] = InteractionAxis::kForce;
  std::string all;
  for (const std::string& line : said_beside(list)) all += line + "\n";
  EXPECT_EQ(all,
            "frame world\nendpoint tip\ninteraction control: x impedance, y impedance, z "
            "impedance, rx impedance, ry impedance, rz force\n");
  MotionWaypoint waypoint = point(0.1, 0);
  waypoint.pose = "home";
  waypoint.a_max = {1.0};
  all.clear();
  for (const std::string& line : said_beside(waypoint, t.panel.config())) all += line + "\n";
  EXPECT_EQ(all, "pose home\naccelerates by up to joint1 57.3 °/s²\n");
  EXPECT_TRUE(said_beside(MotionList{}).empty());
}

// Planning --------------------------------------------------------------------------------------

TEST_F(MotionDeskTest, PlansInAnyAccessAndSendsNothing) {
  make_ready();
  t.panel.set_access(Access::kObserve);
  t.frames(2);
  t.commands();
  EXPECT_EQ(desk.state(), MotionState::kUnplanned);
  plan();
  EXPECT_EQ(desk.state(), MotionState::kPassed) << desk.status_text();
  ASSERT_NE(desk.answer(), nullptr);
  ASSERT_EQ(desk.answer()->times.size(), 2U);
  EXPECT_DOUBLE_EQ(desk.answer()->times[1], desk.answer()->duration);
  // 0.6 rad from rest and back to rest can't be faster than 0.6 / v_max.
  EXPECT_GT(desk.answer()->duration, 0.6 / t.panel.config().joints[0].limits.v_max);
  EXPECT_EQ(t.commands().size(), 0U);
}

TEST_F(MotionDeskTest, ARefusalIsInThePlannersWordsWithTheRow) {
  make_ready();
  table.list.waypoints.push_back(point(2.49, 0.0));  // beyond its soft limit
  plan();
  EXPECT_EQ(desk.state(), MotionState::kRefused);
  EXPECT_EQ(desk.refused_row(), 2U);
  EXPECT_EQ(table.selected, 2U);
  EXPECT_NE(desk.status_text().find("on the way to waypoint 3, and the soft limit is"),
            std::string::npos)
      << desk.status_text();
  // 2.49 rad, in the unit of the page.
  EXPECT_NE(desk.status_text().find("it comes to 143 °"), std::string::npos) << desk.status_text();
  EXPECT_NE(desk.status_text().find("joint1"), std::string::npos);
  t.commands();
  desk.run();
  t.frames(2);
  EXPECT_EQ(t.commands().size(), 0U);
  EXPECT_NE(t.panel.notice().find("the motion is refused"), std::string::npos);
}

TEST_F(MotionDeskTest, AChangedListWantsAPlanOfItsOwn) {
  make_ready();
  plan();
  table.list.waypoints[0].label = "another word";
  ASSERT_EQ(desk.state(), MotionState::kPassed);
  table.type_position(0, 0, "10 deg");
  EXPECT_EQ(desk.state(), MotionState::kUnplanned);
  t.commands();
  desk.run();
  EXPECT_EQ(t.commands().size(), 0U);
  EXPECT_NE(t.panel.notice().find("have changed"), std::string::npos) << t.panel.notice();
}

TEST_F(MotionDeskTest, APlanOfARobotThatHasMovedSinceIsNotRun) {
  make_ready();
  plan();
  t.rig.client.move(JointSet{}.set(0), 0.2, 2.0);
  t.frames(60);
  t.commands();
  desk.run();
  EXPECT_EQ(t.commands().size(), 0U);
  EXPECT_NE(t.panel.notice().find("isn't where the plan begins"), std::string::npos)
      << t.panel.notice();
}

TEST_F(MotionDeskTest, PlansNothingWithoutAWaypointOrWhileAJointMoves) {
  t.arm_and_run();
  EXPECT_EQ(desk.why_not_plan(), "record a waypoint first");
  make_ready();
  t.rig.client.move(JointSet{}.set(1), 0.5, 0.5);
  t.frames(2);
  EXPECT_EQ(desk.why_not_plan(), "joint2 moves, and a plan begins at rest");
  t.frames(200);
  EXPECT_EQ(desk.why_not_plan(), "");
}

TEST_F(MotionDeskTest, ACancelledPlanIsNotRun) {
  make_ready();
  desk.plan();
  desk.cancel();
  t.frames(5);
  EXPECT_EQ(desk.state(), MotionState::kUnplanned);
  t.commands();
  desk.run();
  EXPECT_EQ(t.commands().size(), 0U);
}

// Running ---------------------------------------------------------------------------------------

TEST_F(MotionDeskTest, TakesTheJointsThroughAllWaypointsAndSaysSo) {
  make_ready();
  run_it();
  ASSERT_TRUE(desk.running()) << t.panel.notice();
  EXPECT_EQ(desk.running_row(), 0U);
  EXPECT_NE(desk.status_text().find("on the way to waypoint 1 of 2"), std::string::npos)
      << desk.status_text();
  double most = 0.0;
  for (int i = 0; i < 400 && desk.running(); ++i) {
    t.frame();
    most = std::max(most, reference(0));
  }
  EXPECT_FALSE(desk.running());
  EXPECT_NEAR(most, 0.6, 1e-2);
  EXPECT_NEAR(reference(0), 0.0, 1e-9);
  EXPECT_NEAR(reference(1), -0.4, 1e-9);
  EXPECT_EQ(reference(2), 0.0);
  EXPECT_EQ(desk.state(), MotionState::kUsed);
  EXPECT_EQ(desk.status_text(), "plan");  // the event's sentence, of the rig's own
}

TEST_F(MotionDeskTest, InteractionControlOfItsOwnIsSentJustBeforeIt) {
  make_ready();
  desk.table.list.interaction.emplace();
  desk.table.list.interaction->arm = 0;
  plan();
  t.commands();
  desk.run();
  t.frame();
  const std::vector<Command> sent = t.commands();
  ASSERT_EQ(sent.size(), 2U);
  EXPECT_TRUE(testing::is<SetInteractionControl>(sent[0]));
  EXPECT_TRUE(testing::is<FollowPlan>(sent[1]));
}

TEST_F(MotionDeskTest, RunsOnlyInArmed) {
  make_ready();
  plan();
  for (const Access access : {Access::kObserve, Access::kControl}) {
    t.panel.set_access(access);
    t.commands();
    desk.run();
    t.frames(3);
    EXPECT_FALSE(desk.running());
    EXPECT_EQ(t.commands().size(), 0U);
    EXPECT_NE(t.panel.notice().find("not ARMED"), std::string::npos);
  }
  t.panel.set_access(Access::kArmed);
  t.commands();
  desk.run();
  t.frame();
  EXPECT_TRUE(desk.running());
  EXPECT_EQ(plans_sent(), 1);
}

TEST_F(MotionDeskTest, DoesNotRunWhereAJointIsNotInPosition) {
  make_ready();
  t.rig.client.set_mode(JointSet{}.set(1), ModeRequest::kTorque);
  t.frames(3);
  plan();
  ASSERT_EQ(desk.state(), MotionState::kPassed) << desk.status_text();
  t.commands();
  desk.run();
  EXPECT_EQ(t.commands().size(), 0U);
  EXPECT_EQ(t.panel.notice(),
            "joint2 is in torque: a motion is followed in position, or by all joints of an arm in "
            "cartesian");
}

TEST_F(MotionDeskTest, ARunPlanIsPlannedAgainBeforeItRunsAgain) {
  make_ready();
  run_it();
  t.frames(400);
  ASSERT_FALSE(desk.running());
  EXPECT_NE(desk.why_not_run(), "");
  run_it();
  EXPECT_TRUE(desk.running()) << t.panel.notice();
}

TEST_F(MotionDeskTest, TheSpeedOverrideActsOnIt) {
  make_ready();
  plan();
  const MotionAnswer* const answer = desk.answer();
  ASSERT_NE(answer, nullptr);
  const double duration = answer->duration;
  t.override_speed(0.5);
  t.commands();
  desk.run();
  t.frame();
  double took = 0.0;
  while (desk.running() && took < 60.0) {
    t.frame();
    took += 0.016;
  }
  EXPECT_NEAR(took, 2.0 * duration, 0.15);
}

TEST_F(MotionDeskTest, WhatPassesWhileItRunsGoesOnWithoutAStop) {
  make_ready();
  table.list.waypoints = {point(1.5, 0.0)};
  table.list.speed = 0.25;
  run_it();
  t.frames(40);
  ASSERT_TRUE(desk.running());
  const double speed = t.rig.joint(0).reference.v;
  ASSERT_GT(speed, 0.3);
  ASSERT_TRUE(desk.can_replace());
  table.list.waypoints = {point(2.0, std::nullopt)};
  EXPECT_FALSE(desk.can_replace()) << "it leaves a joint out";
  EXPECT_EQ(desk.why_not_plan(),
            "it is followed, and only what moves all its joints goes on from it before it stands");
  table.list.waypoints = {point(2.0, 0.0)};
  plan();
  double slowest = speed;
  for (int i = 0; i < 80; ++i) {
    t.frame();
    slowest = std::min(slowest, t.rig.joint(0).reference.v);
  }
  EXPECT_GT(slowest, 0.9 * speed);
  EXPECT_TRUE(desk.running());
  EXPECT_EQ(desk.running_row(), 0U);
  for (int i = 0; i < 600 && desk.running(); ++i) t.frame();
  EXPECT_NEAR(reference(0), 2.0, 1e-9);
}

TEST_F(MotionDeskTest, WhatPassesWhileItRunsMayMoveOneMoreJointThatRests) {
  make_ready();
  table.list.waypoints = {point(1.5, std::nullopt)};
  table.list.speed = 0.25;
  run_it();
  t.frames(40);
  const double speed = t.rig.joint(0).reference.v;
  ASSERT_GT(speed, 0.3);
  table.list.waypoints = {point(2.0, 0.5)};
  ASSERT_TRUE(desk.can_replace());
  t.rig.client.move(JointSet().set(1), 0.1);
  t.frames(2);
  EXPECT_EQ(desk.why_not_plan(), "joint2 moves, and joins the others at rest");
  t.frames(40);
  ASSERT_EQ(desk.why_not_plan(), "");
  plan();
  double slowest = speed;
  for (int i = 0; i < 60; ++i) {
    t.frame();
    slowest = std::min(slowest, t.rig.joint(0).reference.v);
  }
  EXPECT_GT(slowest, 0.9 * speed);
  EXPECT_GT(t.rig.joint(1).reference.v, 0.0);
  for (int i = 0; i < 600 && desk.running(); ++i) t.frame();
  EXPECT_NEAR(reference(0), 2.0, 1e-9);
  EXPECT_NEAR(reference(1), 0.5, 1e-9);
}

TEST_F(MotionDeskTest, WhatIsRefusedWhileItRunsLeavesTheOldOneGoing) {
  make_ready();
  table.list.waypoints = {point(1.5, 0.0)};
  table.list.speed = 0.25;
  run_it();
  t.frames(20);
  table.list.waypoints = {point(2.6, 0.0)};
  plan();
  EXPECT_EQ(desk.state(), MotionState::kRefused);
  EXPECT_TRUE(desk.running());
  for (int i = 0; i < 600 && desk.running(); ++i) t.frame();
  EXPECT_NEAR(reference(0), 1.5, 1e-9);
}

/// Everything that has to end it, each in the midst of a way.
struct MotionEnding : MotionDeskTest {
  void play() {
    make_ready();
    table.list.waypoints = {point(2.0, -0.5), point(-1.5, 0.5)};
    run_it();
    t.frames(30);
    ASSERT_TRUE(desk.running());
    ASSERT_GT(std::abs(t.rig.joint(0).reference.v), 1.0);
    t.commands();
  }
  /// At rest within twice the time that the bounds leave for it, and for good.
  void expect_ended() {
    const JointLimits& limits = t.panel.config().joints[0].limits;
    const int frames = 2 + static_cast<int>(2.0 * limits.v_max / limits.a_max / 0.016);
    t.frames(2);
    EXPECT_FALSE(desk.running());
    t.frames(frames);
    for (std::size_t i = 0; i < 2; ++i) {
      SCOPED_TRACE(i);
      EXPECT_FALSE(t.rig.joint(i).moving);
      if (t.rig.joint(i).mode != JointMode::kPosition) continue;
      EXPECT_EQ(t.rig.joint(i).reference.v, 0.0);
    }
    EXPECT_TRUE(t.rig.stack.snapshot().plans.empty());
    t.commands();
    t.frames(100);
    EXPECT_EQ(plans_sent(), 0);
    EXPECT_FALSE(t.rig.joint(0).moving);
  }
};

TEST_F(MotionEnding, Stop) {
  play();
  t.panel.stop_all();
  expect_ended();
  EXPECT_EQ(t.rig.joint(0).mode, JointMode::kPosition);
}
TEST_F(MotionEnding, ItsOwnStop) {
  play();
  desk.stop();
  expect_ended();
}
TEST_F(MotionEnding, Off) {
  play();
  t.panel.off_all();
  t.frames(1);
  EXPECT_EQ(t.rig.joint(0).mode, JointMode::kIdle);
  EXPECT_FALSE(t.rig.joint(0).moving) << "a motor that is off goes to no goal";
  expect_ended();
}
TEST_F(MotionEnding, TheEndOfArmed) {
  play();
  t.panel.set_access(Access::kControl);
  expect_ended();
}
TEST_F(MotionEnding, AFaultOfOneOfItsJoints) {
  play();
  t.break_joint(1);
  expect_ended();
}
TEST_F(MotionEnding, AnotherModeOfOneOfItsJoints) {
  play();
  t.rig.client.set_mode(JointSet{}.set(0), ModeRequest::kTorque);
  t.frames(1);
  expect_ended();
}
TEST_F(MotionEnding, SomebodyElseWhoStopsAJoint) {
  play();
  t.rig.client.stop(JointSet{}.set(1));
  t.frames(40);
  expect_ended();
}
TEST_F(MotionEnding, AnotherFileOpened) {
  play();
  desk.opened({});
  expect_ended();
}

TEST_F(MotionDeskTest, StopForgetsAPlanThatWouldGoOnFromTheRun) {
  make_ready();
  table.list.waypoints = {point(2.0, 0.0)};
  table.list.speed = 0.25;
  run_it();
  t.frames(20);
  table.list.waypoints = {point(1.0, 0.0)};
  desk.plan();
  t.panel.stop_all();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  t.commands();
  t.frames(100);
  EXPECT_EQ(plans_sent(), 0);
  EXPECT_FALSE(t.rig.joint(0).moving);
}

TEST_F(MotionDeskTest, KeepsArmedAsLongAsItRunsAndNoLonger) {
  make_ready();
  table.list.waypoints = {point(2.0, 0.0)};
  t.override_speed(0.01);
  run_it();
  for (int i = 0; i < 100; ++i) {
    t.now += 1.0;
    t.frame();
  }
  EXPECT_TRUE(desk.running());
  EXPECT_EQ(t.panel.access(), Access::kArmed);
  desk.stop();
  t.now += AccessGuard::kArmedFor + 1.0;
  t.frame();
  EXPECT_EQ(t.panel.access(), Access::kControl);
}

}  // namespace
}  // namespace jointrig::gui
