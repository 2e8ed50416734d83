#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "control/exchange/joint_order.h"
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
  }
  for (const Trajectory::Tolerance& from : trajectory.tolerances) {
    v1::Tolerance& to = *message.add_tolerances();
    to.set_path(from.path);
    to.set_goal(from.goal);
  }
  message.set_has_times(trajectory.has_times);
  message.set_settling_time(trajectory.settling_time);
  message.set_checks_collisions(trajectory.checks_collisions);
}

Trajectory read_trajectory(const v1::Trajectory& message, const RobotConfig& robot) {
  const Order order = order_of(message, robot);
  Trajectory trajectory;
  trajectory.joints = order.joints;
  if (message.waypoints().empty()) {
    throw std::invalid_argument("trajectory: it has no waypoint: give at least one");
  }
  for (const v1::Waypoint& from : message.waypoints()) {
    trajectory.waypoints.push_back(
        {in_order(from.q(), order, "q", false), from.speed(), from.acceleration(), from.time(),
         in_order(from.v(), order, "v", true), in_order(from.a(), order, "a", true)});
  }
  read_tolerances(message, order, trajectory);
  check_finite(message.settling_time(), "the settling time");
  trajectory.has_times = message.has_times();
  trajectory.settling_time = message.settling_time();
  trajectory.checks_collisions = message.checks_collisions();
  return trajectory;
}

}  // namespace jointrig::remote
