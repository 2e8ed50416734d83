/// Messages of commands against the commands' definitions.

#include "remote/command_message.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "control/core/command_facts.h"
#include "control/core/command_numbers.h"
#include "remote/reach_message.h"
#include "remote/robot.pb.h"
#include "remote/trajectory.h"

namespace jointrig::remote {
namespace {

RobotConfig two_armed() {
  RobotConfig robot;
  for (const char* name : {"waist", "l_elbow", "r_elbow", "r_wrist"}) {
    robot.joints.emplace_back().name = name;
  }
  robot.parts.push_back({"right", {3, 2}});  // not in the order of the robot
  for (const char* name : {"left_arm", "right_arm"}) robot.arms.emplace_back().name = name;
  return robot;
}

/// A command of a kind in which every number is another one.
Request filled(CommandKind kind, std::size_t list_size) {
  Request request = blank_request(kind);
  double next = 0.0;
  const auto value_of = [&](const FieldInfo& info) {
    next += 1.0;
    if (!info.words.empty()) {
      return static_cast<double>(static_cast<std::size_t>(next) % info.words.size());
    }
    return info.range == Range::kFlag ? static_cast<double>(static_cast<int>(next) % 2) : next;
  };
  std::vector<double> own;
  for (const FieldInfo& info : fields_of(kind)) {
    const std::size_t count = info.is_list ? std::min(list_size, info.most) : info.most;
    for (std::size_t i = 0; i < count; ++i) own.push_back(value_of(info));
  }
  EXPECT_TRUE(fill_fields(request, own));
  set_arm(request, 1);
  for (const JointIndex joint : {JointIndex{1}, JointIndex{3}}) {
    std::vector<double> numbers;
    for (const FieldInfo& info : value_fields_of(kind)) numbers.push_back(value_of(info));
    add_joint(request, joint, numbers);
  }
  return request;
}

TEST(CommandMessage, EveryKindComesBackAsItWent) {
  const RobotConfig robot = two_armed();
  for (const CommandKind kind : kAllCommandKind) {
    for (const std::size_t list_size : {0U, 6U, 36U}) {
      SCOPED_TRACE(std::string(to_string(kind)));
      const Request request = filled(kind, list_size);
      v1::Command message;
      write_command(request, robot, message);
      std::string bytes;  // over the wire
      ASSERT_TRUE(message.SerializeToString(&bytes));
      v1::Command received;
      ASSERT_TRUE(received.ParseFromString(bytes));
      EXPECT_TRUE(read_command(received, robot) == request) << message.DebugString();
    }
  }
}

TEST(CommandMessage, AGripperGoesByItsNameOrItsNumber) {
  RobotConfig robot = two_armed();
  robot.grippers.resize(2);
  robot.grippers[1].name = "claw";
  v1::Command message;
  write_command(Grasp{.gripper = 1, .force = 20.0}, robot, message);
  EXPECT_EQ(message.fields(0).words(0), "claw");
  EXPECT_EQ(std::get<Grasp>(read_command(message, robot)), (Grasp{.gripper = 1, .force = 20.0}));
  message.mutable_fields(0)->clear_words();
  message.mutable_fields(0)->add_numbers(0.0);
  EXPECT_EQ(std::get<Grasp>(read_command(message, robot)).gripper, 0);
  message.mutable_fields(0)->clear_numbers();
  message.mutable_fields(0)->add_words("clwa");
  EXPECT_THROW(static_cast<void>(read_command(message, robot)), std::invalid_argument);
}

TEST(CommandMessage, AnObstacleGoesByItsName) {
  const RobotConfig robot = two_armed();
  v1::Command message;
  const SetObstacle crate{.name = obstacle_name("crate 2"), .size = {0.1, 0.2, 0.3}};
  write_command(crate, robot, message);
  EXPECT_EQ(message.fields(0).words(0), "crate 2");
  EXPECT_EQ(std::get<SetObstacle>(read_command(message, robot)), crate);
  message.mutable_fields(0)->set_words(0, "a name of too many letters");
  EXPECT_THROW(static_cast<void>(read_command(message, robot)), std::invalid_argument);
}

TEST(CommandMessage, ValuesBelongToTheJointsAsTheyAreNamed) {
  v1::Command message;
  message.set_kind("move");
  message.add_joints("right");  // the wrist, then the elbow
  message.add_joints("waist");
  v1::Field& goal = *message.add_fields();
  goal.set_name("goal");
  for (const double q : {0.3, 0.2, 0.1}) goal.add_numbers(q);
  v1::Field& speed = *message.add_fields();
  speed.set_name("speed");
  speed.add_numbers(1.5);  // for all

  const auto move = std::get<Move>(read_command(message, two_armed()));

  ASSERT_EQ(move.values.size(), 3U);
  EXPECT_EQ(move.values[0].q, 0.1);
  EXPECT_EQ(move.values[1].q, 0.2);
  EXPECT_EQ(move.values[2].q, 0.3);
  for (const Move::Value& value : move.values) EXPECT_EQ(value.speed, 1.5);
}

std::string refusal(const v1::Command& message) {
  try {
    static_cast<void>(read_command(message, two_armed()));
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "taken";
}

v1::Command move_of(std::initializer_list<const char*> joints, std::size_t goals) {
  v1::Command message;
  message.set_kind("move");
  for (const char* joint : joints) message.add_joints(joint);
  for (const char* name : {"goal", "speed"}) {
    v1::Field& field = *message.add_fields();
    field.set_name(name);
    for (std::size_t i = 0; i < goals; ++i) field.add_numbers(0.1);
  }
  return message;
}

TEST(CommandMessage, WhatIsWrongIsToldWithTheFieldAndTheNearestWord) {
  EXPECT_EQ(refusal(move_of({"waist"}, 1)), "taken");
  EXPECT_EQ(refusal(move_of({"wiast"}, 1)), "no joint or part \"wiast\"; did you mean \"waist\"?");
  EXPECT_EQ(refusal(move_of({"waist", "waist"}, 1)), "move: joint waist is named twice");
  EXPECT_EQ(refusal(move_of({}, 1)), "move: joints are missing: name at least one");
  EXPECT_EQ(refusal(move_of({"waist", "r_wrist"}, 3)),
            "move: goal has 3 values, and 2 joints are named: give one for all, or one each");
  v1::Command message = move_of({"waist"}, 1);
  message.set_kind("mvoe");
  EXPECT_EQ(refusal(message), "no command \"mvoe\"; did you mean \"move\"?");
  message = move_of({"waist"}, 1);
  message.mutable_fields(1)->set_name("sped");
  EXPECT_EQ(refusal(message), "move: no field \"sped\"; did you mean \"speed\"?");
  message.mutable_fields()->RemoveLast();
  EXPECT_EQ(refusal(message), "move: speed is missing");
  *message.add_fields() = message.fields(0);
  EXPECT_EQ(refusal(message), "move: goal is given twice");
}

TEST(CommandMessage, WordsAreNoNumbersAndNumbersNoWords) {
  v1::Command message;
  message.set_kind("set_mode");
  message.add_joints("all");
  v1::Field& mode = *message.add_fields();
  mode.set_name("mode");
  mode.add_words("postion");
  EXPECT_EQ(refusal(message), "set_mode: mode has no word \"postion\"; did you mean \"position\"?");
  mode.clear_words();
  mode.add_numbers(1.0);
  EXPECT_EQ(refusal(message), "set_mode: mode takes words, not numbers");
}

TEST(CommandMessage, AnArmIsNamedWhereTheCommandIsForOne) {
  v1::Command message;
  message.set_kind("tare_force_sensor");
  message.set_arm("left_amr");
  EXPECT_EQ(refusal(message),
            "tare_force_sensor: the robot has no arm \"left_amr\"; did you mean \"left_arm\"?");
  message = move_of({"waist"}, 1);
  message.set_arm("left_arm");
  EXPECT_EQ(refusal(message), "move: arm is given, and the command is for no arm");
}

TEST(CommandMessage, TheDescriptionHasEveryCommandWithEveryField) {
  v1::Description description;
  describe_commands(description);
  ASSERT_EQ(description.commands_size(), static_cast<int>(kAllCommandKind.size()));
  for (const CommandKind kind : kAllCommandKind) {
    const v1::CommandKind& command = description.commands(static_cast<int>(kind));
    EXPECT_EQ(command.name(), to_string(kind));
    EXPECT_EQ(command.fields_size(),
              static_cast<int>(fields_of(kind).size() + value_fields_of(kind).size()));
  }
  const v1::CommandKind& move = description.commands(static_cast<int>(CommandKind::kMove));
  EXPECT_EQ(move.fields(0).unit(), "rad");
  EXPECT_EQ(move.fields(0).unit_of_slide(), "m");
  EXPECT_EQ(move.target(), "joints");
}

TEST(TrajectoryMessage, ItComesBackAsItWent) {
  Trajectory trajectory;
  trajectory.joints.set(1).set(3);
  trajectory.waypoints.push_back({{0.1, 0.2}, 0.5, 0.25, 1.5, {1.0, 2.0}, {3.0, 4.0}});
  trajectory.waypoints.push_back({{0.3, 0.4}, 1.0, 1.0, 2.5, {0.0, 0.0}, {0.0, 0.0}});
  trajectory.has_times = true;
  trajectory.tolerances = {{0.01, 0.02}, {0.03, 0.04}};
  trajectory.waypoints[0].tolerance = {0.05, 0.06};
  trajectory.waypoints[1].a_max = {7.0, 8.0};
  trajectory.settling_time = 0.7;
  trajectory.execution = PlanExecution::kVelocity;
  trajectory.checks_collisions = false;
  trajectory.wants_report = true;
  trajectory.brakes_behind = true;
  v1::Trajectory message;
  write_trajectory(trajectory, two_armed(), message);
  const Trajectory back = read_trajectory(message, two_armed());
  EXPECT_TRUE(back.wants_report);
  EXPECT_EQ(back.joints, trajectory.joints);
  ASSERT_EQ(back.waypoints.size(), 2U);
  EXPECT_EQ(back.waypoints[0].q, trajectory.waypoints[0].q);
  EXPECT_EQ(back.waypoints[0].v, trajectory.waypoints[0].v);
  EXPECT_EQ(back.waypoints[0].a, trajectory.waypoints[0].a);
  EXPECT_EQ(back.waypoints[0].speed, 0.5);
  EXPECT_EQ(back.waypoints[0].acceleration, 0.25);
  EXPECT_EQ(back.waypoints[1].time, 2.5);
  EXPECT_EQ(back.waypoints[0].tolerance, trajectory.waypoints[0].tolerance);
  EXPECT_TRUE(back.waypoints[1].tolerance.empty());
  EXPECT_EQ(back.waypoints[1].a_max, trajectory.waypoints[1].a_max);
  EXPECT_EQ(back.execution, PlanExecution::kVelocity);
  EXPECT_EQ(back.tolerances[1].path, 0.03);
  EXPECT_EQ(back.tolerances[1].goal, 0.04);
  EXPECT_TRUE(back.has_times);
  EXPECT_TRUE(back.brakes_behind);
  EXPECT_FALSE(back.rounds_corners);
  EXPECT_FALSE(back.checks_collisions);
  EXPECT_EQ(back.settling_time, 0.7);
}

TEST(TrajectoryMessage, OptionsOfTimesComeBackAndAreRefusedWhereNothingWouldHeedThem) {
  Trajectory trajectory;
  trajectory.joints.set(1);
  trajectory.waypoints.push_back({.q = {0.1}, .time = 1.0});
  trajectory.has_times = trajectory.rounds_corners = true;
  v1::Trajectory message;
  write_trajectory(trajectory, two_armed(), message);
  EXPECT_TRUE(read_trajectory(message, two_armed()).rounds_corners);
  const auto refusal = [&](const v1::Trajectory& asked) -> std::string {
    try {
      static_cast<void>(read_trajectory(asked, two_armed()));
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return {};
  };
  v1::Trajectory both = message;
  both.set_brakes_behind(true);
  EXPECT_NE(refusal(both).find("leave out brakes_behind"), std::string::npos) << refusal(both);
  v1::Trajectory fastest = message;
  fastest.set_has_times(false);
  EXPECT_NE(refusal(fastest).find("give a time at each waypoint"), std::string::npos);
}

AskedReach both_hands() {
  AskedReach asked;
  asked.tools.push_back({.arm = 1,
                         .frame = ToolFrame::kWorld,
                         .position = {{0.1, 0.2, 0.3}},
                         .orientation = {{1.0, 0.0, 0.0, 0.0}},
                         .free_rotation = FreeRotation::kToolZ});
  asked.tools.push_back({.arm = 0, .by = {{0.4, 0.5, 0.6}}, .turn = {{0.7, 0.8, 0.9}}});
  asked.with.set(0).set(3);
  asked.posture = {{3, 1.5}, {0, -0.5}};
  return asked;
}

TEST(ReachMessage, ItComesBackAsItWent) {
  const AskedReach asked = both_hands();
  v1::ReachRequest message;
  write_reach(asked, two_armed(), message);
  const AskedReach back = read_reach(message, two_armed());
  ASSERT_EQ(back.tools.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(back.tools[i].arm, asked.tools[i].arm);
    EXPECT_EQ(back.tools[i].frame, asked.tools[i].frame);
    EXPECT_EQ(back.tools[i].free_rotation, asked.tools[i].free_rotation);
    EXPECT_EQ(back.tools[i].position, asked.tools[i].position);
    EXPECT_EQ(back.tools[i].by, asked.tools[i].by);
    EXPECT_EQ(back.tools[i].orientation, asked.tools[i].orientation);
    EXPECT_EQ(back.tools[i].turn, asked.tools[i].turn);
  }
  EXPECT_EQ(back.with, asked.with);
  ASSERT_EQ(back.posture.size(), 2U);
  EXPECT_EQ(back.posture[0].joint, 3U);
  EXPECT_EQ(back.posture[0].q, 1.5);
  EXPECT_EQ(back.posture[1].q, -0.5);
}

TEST(ReachMessage, AnAnswerComesBackAsItWentAndOfAnotherRobotWithoutItsJoints) {
  ReachAnswer answer{.refusal = "no joint positions bring the tool there",
                     .reason = "joint_limits",
                     .joints = {1, 3},
                     .q = {0.1, 0.2},
                     .rests = {{0.01, 0.02}, {0.03, 0.04}},
                     .joint = 3,
                     .value = 2.0,
                     .limit = 1.5};
  v1::ReachAnswer message;
  write_reach_answer(answer, two_armed(), message);
  EXPECT_EQ(read_reach_answer(message, two_armed()), answer);
  const ReachAnswer elsewhere = read_reach_answer(message, RobotConfig{});
  EXPECT_EQ(elsewhere.refusal, answer.refusal);
  EXPECT_TRUE(elsewhere.joints.empty());
  EXPECT_EQ(elsewhere.joint, kNoJoint);
  answer.joint = kNoJoint;
  answer.value = answer.limit = 0.0;
  v1::ReachAnswer without;
  write_reach_answer(answer, two_armed(), without);
  EXPECT_EQ(read_reach_answer(without, two_armed()), answer);
}

TEST(ReachMessage, WhatIsWrongIsRefusedInASentence) {
  const std::vector<std::pair<std::string, std::function<void(v1::ReachRequest&)>>> cases{
      {"no arm \"left_am\"", [](auto& m) { m.mutable_tools(0)->set_arm("left_am"); }},
      {"left_arm", [](auto& m) { m.mutable_tools(0)->set_arm("left_am"); }},
      {"frame is \"moon\"", [](auto& m) { m.mutable_tools(0)->set_frame("moon"); }},
      {"free_rotation is \"w\"", [](auto& m) { m.mutable_tools(0)->set_free_rotation("w"); }},
      {"position has 4 numbers", [](auto& m) { m.mutable_tools(0)->add_position(1.0); }},
      {"orientation has 5", [](auto& m) { m.mutable_tools(0)->add_orientation(1.0); }},
      {"turn has 4", [](auto& m) { m.mutable_tools(1)->add_turn(1.0); }},
      {"kne", [](auto& m) { m.add_with("kne"); }},
      {"\"kne\"", [](auto& m) { m.add_posture()->set_joint("kne"); }},
  };
  for (const auto& [said, spoil] : cases) {
    SCOPED_TRACE(said);
    v1::ReachRequest message;
    write_reach(both_hands(), two_armed(), message);
    spoil(message);
    try {
      static_cast<void>(read_reach(message, two_armed()));
      ADD_FAILURE() << "it was taken";
    } catch (const std::invalid_argument& error) {
      EXPECT_NE(std::string(error.what()).find(said), std::string::npos) << error.what();
    }
  }
}

TEST(TrajectoryMessage, AReportComesBackAsItWentAndOfAnotherRobotWithoutItsPath) {
  PlanReport report;
  report.refusal = "two bodies come too near";
  report.waypoint = 2;
  report.start = {0.1, 0.2};
  report.duration = 1.5;
  report.joints = {3, 1};
  report.times = {0.0, 1.5};
  report.q = {{0.2, 0.1}, {0.4, 0.3}};
  report.waypoint_times = {1.5};
  report.waypoint_q = {{0.4, 0.3}};
  report.meets = "hand and table";
  report.meets_at = 0.75;
  report.meets_q = {0.3, 0.2};
  v1::PlanReport message;
  write_report(report, two_armed(), message);
  EXPECT_TRUE(read_report(message, two_armed()) == report);
  RobotConfig other = two_armed();
  other.joints[3].name = "of another robot";
  const PlanReport theirs = read_report(message, other);
  EXPECT_EQ(theirs.refusal, report.refusal);
  EXPECT_TRUE(theirs.q.empty() && theirs.joints.empty() && theirs.meets.empty());
  message.mutable_path(0)->add_q(0.5);
  EXPECT_EQ(read_report(message, two_armed()).q, (std::vector<std::vector<double>>{{0.4, 0.3}}));
}

TEST(TrajectoryMessage, APathOfAToolComesBackAsItWent) {
  RobotConfig robot = two_armed();
  robot.arms[0].joints = {2, 3};
  Trajectory trajectory;
  for (const JointIndex joint : robot.arms[0].joints) trajectory.joints.set(joint);
  trajectory.goes_on = false;
  trajectory.nan_stays = true;
  AskedToolPath& tool = trajectory.tool.emplace();
  tool.frame = ToolFrame::kWorld;
  tool.endpoint = "palm";
  tool.free_rotation = FreeRotation::kToolX;
  ArmWaypoint& first = tool.waypoints.emplace_back();
  first.position = {{0.1, 0.2, 0.3}};
  first.turn = {{0.4, 0.5, 0.6}};
  first.linear_speed = 0.7;
  first.corner_distance = 0.01;
  first.posture.assign(robot.arms[0].joints.size(), 0.25);
  first.tolerance = {0.125, 0.0};
  ArmWaypoint& second = tool.waypoints.emplace_back();
  second.by = {{1.0, 2.0, 3.0}};
  second.orientation = {{0.0, 1.0, 0.0, 0.0}};
  second.rotational_acceleration = 5.0;
  second.speed_ratio = 0.5;
  second.acceleration_ratio = 0.25;
  SetInteractionControl& control = second.interaction.emplace();
  control.arm = 0;
  control.axes[2] = InteractionAxis::kForce;
  control.stiffness = {100.0, 200.0, 0.0, 10.0, 20.0, 30.0};
  control.force[2] = -4.0;
  v1::Trajectory message;
  write_trajectory(trajectory, robot, message);
  const Trajectory back = read_trajectory(message, robot);
  EXPECT_EQ(back.joints, trajectory.joints);
  EXPECT_FALSE(back.goes_on);
  EXPECT_TRUE(back.nan_stays);
  ASSERT_TRUE(back.tool.has_value());
  EXPECT_EQ(back.tool->arm, 0);
  EXPECT_EQ(back.tool->frame, ToolFrame::kWorld);
  EXPECT_EQ(back.tool->endpoint, "palm");
  EXPECT_EQ(back.tool->free_rotation, FreeRotation::kToolX);
  message.mutable_tool()->set_free_rotation("tool");
  EXPECT_THROW(static_cast<void>(read_trajectory(message, robot)), std::invalid_argument);
  message.mutable_tool()->clear_free_rotation();  // of a client that doesn't know it
  EXPECT_EQ(read_trajectory(message, robot).tool->free_rotation, FreeRotation::kNone);
  ASSERT_EQ(back.tool->waypoints.size(), 2U);
  const auto same = [](const ArmWaypoint& a, const ArmWaypoint& b) {
    return a.position == b.position && a.by == b.by && a.orientation == b.orientation &&
           a.turn == b.turn && a.corner_distance == b.corner_distance &&
           a.linear_speed == b.linear_speed && a.linear_acceleration == b.linear_acceleration &&
           a.rotational_speed == b.rotational_speed &&
           a.rotational_acceleration == b.rotational_acceleration && a.tolerance == b.tolerance &&
           a.speed_ratio == b.speed_ratio && a.acceleration_ratio == b.acceleration_ratio &&
           a.posture == b.posture && a.interaction == b.interaction;
  };
  EXPECT_TRUE(same(back.tool->waypoints[0], tool.waypoints[0]));
  EXPECT_TRUE(same(back.tool->waypoints[1], tool.waypoints[1]));
  message.mutable_tool()->mutable_waypoints(1)->mutable_interaction()->set_kind("stop");
  EXPECT_THROW(static_cast<void>(read_trajectory(message, robot)), std::invalid_argument);
}

TEST(TrajectoryMessage, APathOfAToolThatIsNoneIsRefusedInASentence) {
  RobotConfig robot = two_armed();
  robot.arms[0].joints = {2, 3};
  const auto refusal = [&](const std::function<void(v1::Trajectory&)>& spoil) -> std::string {
    v1::Trajectory message;
    for (const JointIndex joint : robot.arms[0].joints) {
      message.add_joints(robot.joints[joint].name);
    }
    message.mutable_tool()->set_arm(robot.arms[0].name);
    message.mutable_tool()->set_frame("base");
    v1::ToolWaypoint& to = *message.mutable_tool()->add_waypoints();
    for (const double by : {0.0, 0.0, 0.1}) to.add_by(by);
    spoil(message);
    try {
      static_cast<void>(read_trajectory(message, robot));
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return {};
  };
  const auto first = [](v1::Trajectory& m) { return m.mutable_tool()->mutable_waypoints(0); };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refusal([](auto&) {}), "");
  EXPECT_EQ(refusal([](auto& m) { m.mutable_tool()->set_arm("left_amr"); }),
            "trajectory: the robot has no arm \"left_amr\"; did you mean \"left_arm\"?");
  EXPECT_NE(refusal([](auto& m) { m.mutable_tool()->set_frame("moon"); }).find("base, world"),
            std::string::npos);
  EXPECT_NE(refusal([&](auto& m) { first(m)->add_by(1.0); }).find("by of a waypoint has 4"),
            std::string::npos);
  EXPECT_NE(refusal([&](auto& m) { first(m)->set_by(0, nan); }).find("finite"), std::string::npos);
  EXPECT_NE(refusal([&](auto& m) {
              for (int i = 0; i < 3; ++i) first(m)->add_position(0.0);
            }).find("give one of them"),
            std::string::npos);
  EXPECT_NE(refusal([&](auto& m) { first(m)->set_corner_distance(-1.0); }).find("corner distance"),
            std::string::npos);
  EXPECT_NE(refusal([&](auto& m) { first(m)->add_posture(1.0); }), "");
  EXPECT_NE(refusal([](auto& m) {
              v1::Waypoint& one = *m.add_waypoints();
              for (const double q : {0.1, 0.2}) one.add_q(q);
            }).find("one kind"),
            std::string::npos);
  EXPECT_NE(refusal([](auto& m) { m.mutable_tool()->clear_waypoints(); }).find("no waypoint"),
            std::string::npos);
  EXPECT_NE(refusal([](auto& m) {
              m.clear_joints();
              m.add_joints("waist");
            }),
            "");
}

TEST(TrajectoryMessage, NumbersAreInTheOrderOfTheNames) {
  v1::Trajectory message;
  message.add_joints("right");  // r_wrist, then r_elbow
  message.add_joints("waist");
  v1::Waypoint& to = *message.add_waypoints();
  for (const double q : {3.0, 2.0, 0.5}) to.add_q(q);
  for (const double path : {0.3, 0.2, 0.1}) message.add_tolerances()->set_path(path);
  const Trajectory trajectory = read_trajectory(message, two_armed());
  EXPECT_EQ(trajectory.waypoints[0].q, (std::vector<double>{0.5, 2.0, 3.0}));
  EXPECT_EQ(trajectory.tolerances[0].path, 0.1);
  EXPECT_EQ(trajectory.tolerances[2].path, 0.3);
}

TEST(TrajectoryMessage, WhatIsWrongIsRefusedInASentence) {
  const auto refusal = [](const std::function<void(v1::Trajectory&)>& spoil) -> std::string {
    v1::Trajectory message;
    message.add_joints("waist");
    message.add_waypoints()->add_q(0.1);
    message.add_tolerances()->set_path(0.1);
    spoil(message);
    try {
      static_cast<void>(read_trajectory(message, two_armed()));
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return {};
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refusal([](auto&) {}), "");
  EXPECT_NE(refusal([](auto& m) { m.clear_joints(); }).find("name at least one"),
            std::string::npos);
  EXPECT_NE(refusal([](auto& m) { m.add_joints("waist"); }).find("named twice"), std::string::npos);
  EXPECT_NE(refusal([](auto& m) { m.set_joints(0, "leg"); }), "");
  EXPECT_NE(refusal([](auto& m) { m.clear_waypoints(); }).find("no waypoint"), std::string::npos);
  EXPECT_NE(refusal([](auto& m) { m.add_waypoints(); }).find("q of a waypoint has 0 numbers"),
            std::string::npos);
  EXPECT_NE(refusal([](auto& m) {
              m.mutable_waypoints(0)->mutable_v()->Resize(2, 0.0);
            }).find("v of a waypoint has 2 numbers"),
            std::string::npos);
  EXPECT_NE(refusal([](auto& m) { m.add_tolerances(); }).find("2 tolerances"), std::string::npos);
  EXPECT_EQ(refusal([](auto& m) { m.set_execution("position"); }), "");
  EXPECT_NE(refusal([](auto& m) { m.set_execution("torque"); }).find("execution is \"torque\""),
            std::string::npos);
  EXPECT_NE(refusal([](auto& m) {
              m.mutable_waypoints(0)->mutable_tolerance()->Resize(2, 0.0);
            }).find("tolerance of a waypoint has 2 numbers"),
            std::string::npos);
  EXPECT_NE(refusal([&](auto& m) { m.set_settling_time(nan); }).find("settling time"),
            std::string::npos);
  EXPECT_NE(
      refusal([](auto& m) { m.mutable_tolerances(0)->set_goal(-1.0); }).find("goal tolerance"),
      std::string::npos);
}

}  // namespace
}  // namespace jointrig::remote
