#include "remote/ros2_commands.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "control/core/command_facts.h"
#include "control/core/nearest_word.h"

namespace jointrig::remote {
namespace {

constexpr std::size_t kMostPoints = 10'000;  ///< of a trajectory; a choice

/// Places of the message's joints by their rising index in the robot.
struct Order {
  JointSet joints;
  std::vector<std::size_t> places;
};

JointIndex joint_of(const std::string& name, std::string_view what, const RobotConfig& robot) {
  std::vector<std::string> known;
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    if (robot.joints[i].name == name) return static_cast<JointIndex>(i);
    known.push_back(robot.joints[i].name);
  }
  throw std::invalid_argument(
      fmt::format("{}: no joint \"{}\"{}", what, name, did_you_mean(name, known)));
}

Order order_of(const std::vector<std::string>& names, std::string_view what,
               const RobotConfig& robot) {
  std::vector<JointIndex> named;
  Order order;
  for (const std::string& name : names) {
    const JointIndex joint = joint_of(name, what, robot);
    if (order.joints.test(joint)) {
      throw std::invalid_argument(fmt::format("{}: joint {} is named twice", what, name));
    }
    order.joints.set(joint);
    order.places.push_back(named.size());
    named.push_back(joint);
  }
  std::sort(order.places.begin(), order.places.end(),
            [&](std::size_t a, std::size_t b) { return named[a] < named[b]; });
  return order;
}

std::vector<double> in_order(const std::vector<double>& given, const Order& order,
                             std::string_view what, std::string_view field) {
  if (given.empty()) return {};
  if (given.size() != order.places.size()) {
    throw std::invalid_argument(fmt::format("{}: {} has {} numbers, and {} joints are named", what,
                                            field, given.size(), order.places.size()));
  }
  std::vector<double> numbers;
  for (const std::size_t place : order.places) numbers.push_back(given[place]);
  return numbers;
}

template <typename Stream>
Request streamed(const Order& order, const std::vector<double>& numbers) {
  Stream stream;
  stream.joints = order.joints;
  for (const double number : numbers) stream.values.push_back({number});
  return stream;
}

/// All points have such numbers, or none has.
void check_all_or_none(const Trajectory& trajectory, std::vector<double> Waypoint::*numbers,
                       std::string_view what, std::string_view field) {
  std::size_t with = 0;
  for (const Waypoint& one : trajectory.waypoints) with += (one.*numbers).empty() ? 0U : 1U;
  if (with == 0 || with == trajectory.waypoints.size()) return;
  throw std::invalid_argument(
      fmt::format("{}: {} of {} points have {}: give them to all or to none", what, with,
                  trajectory.waypoints.size(), field));
}

}  // namespace

std::optional<Request> command_of(const JointStateMessage& message, const RobotConfig& robot) {
  constexpr std::string_view kWhat = "joint_commands";
  if (message.name.empty()) return std::nullopt;
  const Order order = order_of(message.name, kWhat, robot);
  if (!message.position.empty()) {
    return streamed<StreamPosition>(order, in_order(message.position, order, kWhat, "position"));
  }
  if (!message.velocity.empty()) {
    return streamed<StreamVelocity>(order, in_order(message.velocity, order, kWhat, "velocity"));
  }
  throw std::invalid_argument(
      fmt::format("{}: it has neither positions nor velocities: give one for each joint", kWhat));
}

Trajectory trajectory_of(const JointTrajectoryMessage& message, const RobotConfig& robot) {
  constexpr std::string_view kWhat = "joint_trajectory";
  if (message.names.empty() || message.points.empty()) {
    throw std::invalid_argument(fmt::format("{}: it has no {}: give at least one", kWhat,
                                            message.names.empty() ? "joint" : "point"));
  }
  if (message.points.size() > kMostPoints) {
    throw std::invalid_argument(fmt::format("{}: it has {} points: give {} at most", kWhat,
                                            message.points.size(), kMostPoints));
  }
  const Order order = order_of(message.names, kWhat, robot);
  Trajectory trajectory;
  trajectory.joints = order.joints;
  trajectory.has_times = true;
  for (const JointTrajectoryMessage::Point& point : message.points) {
    if (point.positions.empty()) {
      throw std::invalid_argument(fmt::format("{}: a point has no positions", kWhat));
    }
    Waypoint to;
    to.q = in_order(point.positions, order, kWhat, "positions");
    to.v = in_order(point.velocities, order, kWhat, "velocities");
    to.a = in_order(point.accelerations, order, kWhat, "accelerations");
    to.time = point.time;
    trajectory.waypoints.push_back(std::move(to));
  }
  check_all_or_none(trajectory, &Waypoint::v, kWhat, "velocities");
  check_all_or_none(trajectory, &Waypoint::a, kWhat, "accelerations");
  if (!trajectory.waypoints.front().a.empty() && trajectory.waypoints.front().v.empty()) {
    throw std::invalid_argument(fmt::format("{}: it has accelerations and no velocities", kWhat));
  }
  return trajectory;
}

std::string wrong_mode(CommandKind kind, const JointSet& joints, const RobotConfig& robot,
                       const Snapshot& now) {
  std::string modes;
  for (const ControlMode mode : kAllControlMode) {
    if (!modes_of(kind).has(mode)) continue;
    modes += (modes.empty() ? "" : " or ") + std::string(to_string(mode));
  }
  for (std::size_t i = 0; i < std::min(robot.joints.size(), now.joints.size()); ++i) {
    ControlMode mode{};
    const std::string_view word = to_string(now.joints[i].mode);
    if (!joints.test(i) || (parse(word, mode) && modes_of(kind).has(mode))) continue;
    return fmt::format(
        "{}: the joint is in {}, which takes no {}: ask for {} first, by set_mode of "
        "jointrig.connect() or "
        "in the panel, and give the lease back",
        robot.joints[i].name, word, to_string(kind), modes);
  }
  return {};
}

}  // namespace jointrig::remote
