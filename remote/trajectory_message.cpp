#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "control/exchange/joint_order.h"
#include "control/exchange/robot_client.h"
#include "remote/command_message.h"
#include "remote/robot.pb.h"
#include "remote/trajectory.h"

namespace jointrig::remote {
namespace {

/// Joints of a message with the order in which their numbers are given.
struct Order {
  JointSet joints;
  std::vector<std::size_t> places;  ///< of the joints by rising index
};

Order order_of(const v1::Trajectory& message, const RobotConfig& robot) {
  std::vector<JointIndex> named;
  Order order;
  for (const std::string& name : message.joints()) {
    for (const JointIndex joint : joints_in_order(robot, name)) {
      if (order.joints.test(joint)) {
        throw std::invalid_argument(
            fmt::format("trajectory: joint {} is named twice", robot.joints[joint].name));
      }
      order.joints.set(joint);
      order.places.push_back(named.size());
      named.push_back(joint);
    }
  }
  if (named.empty())
    throw std::invalid_argument("trajectory: joints are missing: name at least one");
  std::sort(order.places.begin(), order.places.end(),
            [&](std::size_t a, std::size_t b) { return named[a] < named[b]; });
  return order;
}

template <typename Numbers>
std::vector<double> in_order(const Numbers& given, const Order& order, const char* what,
                             bool may_be_absent) {
  const auto count = static_cast<std::size_t>(given.size());
  if (count == 0 && may_be_absent) return {};
  if (count != order.places.size()) {
    throw std::invalid_argument(
        fmt::format("trajectory: {} of a waypoint has {} numbers, and {} joints are named", what,
                    count, order.places.size()));
  }
  std::vector<double> numbers;
  for (const std::size_t place : order.places) numbers.push_back(given[static_cast<int>(place)]);
  return numbers;
}

void check_finite(double number, const char* what) {
  if (std::isfinite(number) && number >= 0.0) return;
  throw std::invalid_argument(
      fmt::format("trajectory: {} is {}: give a finite number, 0 or more", what, number));
}

template <std::size_t kSize, typename Numbers>
std::optional<std::array<double, kSize>> list_of(const Numbers& given, const char* what) {
  if (given.empty()) return std::nullopt;
  if (static_cast<std::size_t>(given.size()) != kSize ||
      !std::all_of(given.begin(), given.end(), [](double one) { return std::isfinite(one); })) {
    throw std::invalid_argument(
        fmt::format("trajectory: {} of a waypoint has {} numbers, and has to have {} finite ones",
                    what, given.size(), kSize));
  }
  std::array<double, kSize> list{};
  std::copy(given.begin(), given.end(), list.begin());
  return list;
}

template <typename Message>
std::optional<SetInteractionControl> read_interaction(const Message& from,
                                                      const RobotConfig& robot) {
  if (!from.has_interaction()) return std::nullopt;
  const Request request = read_command(from.interaction(), robot);
  if (const auto* control = std::get_if<SetInteractionControl>(&request)) return *control;
  throw std::invalid_argument("trajectory: interaction of a waypoint is " +
                              std::string(to_string(kind_of(request))) +
                              ": give set_interaction_control");
}

template <typename Message>
void write_interaction(const std::optional<SetInteractionControl>& from, const RobotConfig& robot,
                       Message& to) {
  if (from) write_command(*from, robot, *to.mutable_interaction());
}

ArmWaypoint read_tool_waypoint(const v1::ToolWaypoint& from, const Order& order,
                               const RobotConfig& robot) {
  ArmWaypoint to;
  to.position = list_of<3>(from.position(), "position");
  to.by = list_of<3>(from.by(), "by");
  to.orientation = list_of<4>(from.orientation(), "orientation");
  to.turn = list_of<3>(from.turn(), "turn");
  if ((to.position && to.by) || (to.orientation && to.turn)) {
    throw std::invalid_argument(
        "trajectory: a waypoint has " +
        std::string(to.position && to.by ? "position and by" : "orientation and turn") +
        ": give one of them");
  }
  check_finite(from.corner_distance(), "a corner distance");
  to.corner_distance = from.corner_distance();
  if (from.has_linear_speed()) to.linear_speed = from.linear_speed();
  if (from.has_linear_acceleration()) to.linear_acceleration = from.linear_acceleration();
  if (from.has_rotational_speed()) to.rotational_speed = from.rotational_speed();
  if (from.has_rotational_acceleration()) {
    to.rotational_acceleration = from.rotational_acceleration();
  }
  to.speed_ratio = from.speed();
  to.acceleration_ratio = from.acceleration();
  to.posture = in_order(from.posture(), order, "posture", true);
  to.tolerance = in_order(from.tolerance(), order, "tolerance", true);
  to.interaction = read_interaction(from, robot);
  return to;
}

AskedToolPath read_tool(const v1::ToolPath& from, const Order& order, const RobotConfig& robot) {
  AskedToolPath tool;
  try {
    tool.arm = arm_named(robot, from.arm());
  } catch (const UnknownName& error) {
    throw UnknownName(fmt::format("trajectory: {}", error.what()));
  }
  JointSet joints;
  for (const JointIndex joint : robot.arms[tool.arm].joints) joints.set(joint);
  if (joints != order.joints) {
    throw std::invalid_argument("trajectory: its joints are not those of arm " + from.arm());
  }
  if (!parse(from.frame(), tool.frame)) {
    throw std::invalid_argument("trajectory: frame is \"" + from.frame() +
                                "\": give base, world or tool");
  }
  tool.endpoint = from.endpoint();
  if (!from.free_rotation().empty() && !parse(from.free_rotation(), tool.free_rotation)) {
    throw std::invalid_argument("trajectory: free_rotation is \"" + from.free_rotation() +
                                "\": give none, x, y, z, tool_x, tool_y, tool_z or all");
  }
  for (const v1::ToolWaypoint& waypoint : from.waypoints()) {
    tool.waypoints.push_back(read_tool_waypoint(waypoint, order, robot));
  }
  return tool;
}

template <typename List>
void write_list(const List& from, google::protobuf::RepeatedField<double>& to) {
  if (from) to.Assign(from->begin(), from->end());
}

void write_tool(const AskedToolPath& tool, const RobotConfig& robot, v1::ToolPath& message) {
  message.set_arm(robot.arms[tool.arm].name);
  message.set_frame(std::string(to_string(tool.frame)));
  message.set_endpoint(tool.endpoint);
  message.set_free_rotation(std::string(to_string(tool.free_rotation)));
  for (const ArmWaypoint& from : tool.waypoints) {
    v1::ToolWaypoint& to = *message.add_waypoints();
    write_list(from.position, *to.mutable_position());
    write_list(from.by, *to.mutable_by());
    write_list(from.orientation, *to.mutable_orientation());
    write_list(from.turn, *to.mutable_turn());
    to.set_corner_distance(from.corner_distance);
    if (from.linear_speed) to.set_linear_speed(*from.linear_speed);
    if (from.linear_acceleration) to.set_linear_acceleration(*from.linear_acceleration);
    if (from.rotational_speed) to.set_rotational_speed(*from.rotational_speed);
    if (from.rotational_acceleration) to.set_rotational_acceleration(*from.rotational_acceleration);
    to.set_speed(from.speed_ratio);
    to.set_acceleration(from.acceleration_ratio);
    to.mutable_posture()->Assign(from.posture.begin(), from.posture.end());
    to.mutable_tolerance()->Assign(from.tolerance.begin(), from.tolerance.end());
    write_interaction(from.interaction, robot, to);
  }
}

void read_tolerances(const v1::Trajectory& message, const Order& order, Trajectory& trajectory) {
  const auto& given = message.tolerances();
  if (given.empty()) return;
  if (static_cast<std::size_t>(given.size()) != order.places.size()) {
    throw std::invalid_argument(fmt::format("trajectory: {} tolerances are given for {} joints",
                                            given.size(), order.places.size()));
  }
  for (const std::size_t place : order.places) {
    const v1::Tolerance& one = given[static_cast<int>(place)];
    check_finite(one.path(), "a path tolerance");
    check_finite(one.goal(), "a goal tolerance");
    trajectory.tolerances.push_back({one.path(), one.goal()});
  }
}

/// Refuses options of timed trajectories that nothing would heed.
void check_course(const Trajectory& trajectory) {
  const bool has_speeds = std::any_of(trajectory.waypoints.begin(), trajectory.waypoints.end(),
                                      [](const Waypoint& to) { return !to.v.empty(); });
  if ((trajectory.rounds_corners || trajectory.brakes_behind) && !trajectory.has_times) {
    throw std::invalid_argument(
        "trajectory: rounds_corners and brakes_behind are for times: give a time at each waypoint");
  }
  if (!trajectory.rounds_corners || (!trajectory.brakes_behind && !has_speeds)) return;
  throw std::invalid_argument(
      "trajectory: rounds_corners leads along straight lines to rest: leave out brakes_behind and "
      "velocities");
}

}  // namespace

void write_trajectory(const Trajectory& trajectory, const RobotConfig& robot,
                      v1::Trajectory& message) {
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    if (trajectory.joints.test(i)) message.add_joints(robot.joints[i].name);
  }
  for (const Waypoint& from : trajectory.waypoints) {
    v1::Waypoint& to = *message.add_waypoints();
    to.mutable_q()->Assign(from.q.begin(), from.q.end());
    to.set_speed(from.speed);
    to.set_acceleration(from.acceleration);
    to.set_time(from.time);
    to.mutable_v()->Assign(from.v.begin(), from.v.end());
    to.mutable_a()->Assign(from.a.begin(), from.a.end());
    to.mutable_tolerance()->Assign(from.tolerance.begin(), from.tolerance.end());
    to.mutable_a_max()->Assign(from.a_max.begin(), from.a_max.end());
    write_interaction(from.interaction, robot, to);
  }
  for (const Trajectory::Tolerance& from : trajectory.tolerances) {
    v1::Tolerance& to = *message.add_tolerances();
    to.set_path(from.path);
    to.set_goal(from.goal);
  }
  message.set_has_times(trajectory.has_times);
  message.set_rounds_corners(trajectory.rounds_corners);
  message.set_brakes_behind(trajectory.brakes_behind);
  message.set_settling_time(trajectory.settling_time);
  message.set_checks_collisions(trajectory.checks_collisions);
  message.set_nan_stays(trajectory.nan_stays);
  message.set_from_rest(!trajectory.goes_on);
  message.set_wants_report(trajectory.wants_report);
  message.set_execution(std::string(to_string(trajectory.execution)));
  if (trajectory.tool) write_tool(*trajectory.tool, robot, *message.mutable_tool());
}

Trajectory read_trajectory(const v1::Trajectory& message, const RobotConfig& robot) {
  const Order order = order_of(message, robot);
  Trajectory trajectory;
  trajectory.joints = order.joints;
  if (message.waypoints().empty() && message.tool().waypoints().empty()) {
    throw std::invalid_argument("trajectory: it has no waypoint: give at least one");
  }
  for (const v1::Waypoint& from : message.waypoints()) {
    trajectory.waypoints.push_back(
        {in_order(from.q(), order, "q", false), from.speed(), from.acceleration(), from.time(),
         in_order(from.v(), order, "v", true), in_order(from.a(), order, "a", true),
         in_order(from.tolerance(), order, "tolerance", true),
         in_order(from.a_max(), order, "a_max", true), read_interaction(from, robot)});
  }
  if (message.has_tool()) {
    if (!message.waypoints().empty()) {
      throw std::invalid_argument(
          "trajectory: it has waypoints of joints and of a tool: give one kind");
    }
    trajectory.tool = read_tool(message.tool(), order, robot);
  }
  read_tolerances(message, order, trajectory);
  check_finite(message.settling_time(), "the settling time");
  trajectory.has_times = message.has_times();
  trajectory.rounds_corners = message.rounds_corners();
  trajectory.brakes_behind = message.brakes_behind();
  check_course(trajectory);
  trajectory.settling_time = message.settling_time();
  trajectory.checks_collisions = message.checks_collisions();
  trajectory.nan_stays = message.nan_stays();
  trajectory.goes_on = !message.from_rest();
  trajectory.wants_report = message.wants_report();
  if (!message.execution().empty() && !parse(message.execution(), trajectory.execution)) {
    throw std::invalid_argument("trajectory: execution is \"" + message.execution() +
                                "\": give inverse_dynamics, position or velocity");
  }
  return trajectory;
}

void write_report(const PlanReport& report, const RobotConfig& robot, v1::PlanReport& message) {
  const auto write_place = [](double time, const std::vector<double>& q, v1::PlannedPlace& place) {
    place.set_time(time);
    place.mutable_q()->Assign(q.begin(), q.end());
  };
  message.set_refusal(report.refusal);
  message.set_waypoint(report.waypoint);
  message.mutable_start()->Assign(report.start.begin(), report.start.end());
  message.set_duration(report.duration);
  for (const JointIndex joint : report.joints) message.add_joints(robot.joints[joint].name);
  for (std::size_t i = 0; i < report.times.size(); ++i) {
    write_place(report.times[i], report.q[i], *message.add_path());
  }
  for (std::size_t i = 0; i < report.waypoint_times.size(); ++i) {
    write_place(report.waypoint_times[i], report.waypoint_q[i], *message.add_waypoints());
  }
  if (report.meets.empty()) return;
  message.set_meets(report.meets);
  write_place(report.meets_at, report.meets_q, *message.mutable_meeting());
}

PlanReport read_report(const v1::PlanReport& message, const RobotConfig& robot) {
  PlanReport report;
  report.refusal = message.refusal();
  report.waypoint = static_cast<std::uint16_t>(message.waypoint());
  report.start.assign(message.start().begin(), message.start().end());
  for (const std::string& name : message.joints()) {
    for (std::size_t i = 0; i < robot.joints.size(); ++i) {
      if (robot.joints[i].name == name) report.joints.push_back(static_cast<JointIndex>(i));
    }
  }
  if (static_cast<std::size_t>(message.joints_size()) != report.joints.size()) {
    report.joints.clear();
    return report;
  }
  const auto is_whole = [&](const v1::PlannedPlace& place) {
    return static_cast<std::size_t>(place.q_size()) == report.joints.size();
  };
  const auto read_places = [&](const auto& from, auto& times, auto& q) {
    for (const v1::PlannedPlace& place : from) {
      if (!is_whole(place)) continue;
      times.push_back(place.time());
      q.emplace_back(place.q().begin(), place.q().end());
    }
  };
  report.duration = message.duration();
  read_places(message.path(), report.times, report.q);
  read_places(message.waypoints(), report.waypoint_times, report.waypoint_q);
  if (message.meets().empty() || !is_whole(message.meeting())) return report;
  report.meets = message.meets();
  report.meets_at = message.meeting().time();
  report.meets_q.assign(message.meeting().q().begin(), message.meeting().q().end());
  return report;
}

}  // namespace jointrig::remote
