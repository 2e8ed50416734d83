#include "harness/runner/tool_waypoints.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "harness/runner/arm_command.h"

namespace jointrig::harness {
namespace {

std::optional<BoundValue> number_of(const std::optional<Text>& own, const std::optional<Text>& all,
                                    std::string_view unit, const Binder& binder) {
  const std::optional<Text>& text = own ? own : all;
  return text ? std::optional(binder.value(*text, 0, unit)) : std::nullopt;
}

std::vector<BoundValue> numbers_of(const std::vector<Text>& texts, std::string_view unit,
                                   const Binder& binder) {
  std::vector<BoundValue> numbers;
  for (const Text& text : texts) numbers.push_back(binder.value(text, 0, unit));
  return numbers;
}

std::optional<double> now(const std::optional<BoundValue>& value) {
  return value ? std::optional(value->value()) : std::nullopt;
}

template <std::size_t kSize>
std::optional<std::array<double, kSize>> list_now(const std::vector<BoundValue>& values) {
  if (values.size() != kSize) return std::nullopt;
  std::array<double, kSize> list{};
  for (std::size_t i = 0; i < kSize; ++i) list[i] = values[i].value();
  return list;
}

std::string endpoint_of(const TrajectoryStep& step) {
  return step.endpoint ? step.endpoint->text : std::string();
}

/// Throws FileError at the arm, or at the endpoint.
/// @param endpoint  empty: the arm's tool
std::shared_ptr<ArmTrajectory> trajectory_of(const TrajectoryStep& step, const Binder& binder,
                                             const std::string& endpoint) {
  const ArmIndex arm = arm_named(*step.arm, binder.config());
  try {
    return std::make_shared<ArmTrajectory>(binder.config(), binder.tree(), arm, step.frame,
                                           endpoint, step.free_rotation);
  } catch (const std::runtime_error& error) {  // the model
    throw FileError(step.endpoint ? step.endpoint->spot : step.arm->spot, error.what());
  }
}

}  // namespace

BoundValue ratio_of(const std::optional<Text>& own, const std::optional<Text>& all,
                    const Binder& binder) {
  return number_of(own, all, "1", binder).value_or(BoundValue(1.0));
}

BoundToolWaypoints::BoundToolWaypoints(const TrajectoryStep& step, const Binder& binder,
                                       bool may_be_unknown)
    : no_endpoint_(may_be_unknown ? why_no_endpoint(binder.tree(), endpoint_of(step))
                                  : std::string()),
      trajectory_(
          trajectory_of(step, binder, no_endpoint_.empty() ? endpoint_of(step) : std::string())),
      blank_{arm_named(*step.arm, binder.config()),
             step.frame,
             endpoint_of(step),
             {},
             step.free_rotation} {
  for (const TrajectoryPoint& point : step.waypoints) points_.push_back(bound(point, step, binder));
}

BoundToolWaypoints::Point BoundToolWaypoints::bound(const TrajectoryPoint& point,
                                                    const TrajectoryStep& step,
                                                    const Binder& binder) const {
  const TrajectoryPose& pose = *point.tool;
  const ToolMotion& own = pose.motion;
  const ToolMotion& all = step.motion;
  Point made;
  made.position = numbers_of(pose.position, "m", binder);
  made.by = numbers_of(pose.by, "m", binder);
  made.orientation = numbers_of(pose.orientation, "1", binder);
  made.turn = numbers_of(pose.turn, "rad", binder);
  made.linear_speed = number_of(own.linear_speed, all.linear_speed, "m/s", binder);
  made.linear_acceleration =
      number_of(own.linear_acceleration, all.linear_acceleration, "m/s^2", binder);
  made.rotational_speed = number_of(own.rotational_speed, all.rotational_speed, "rad/s", binder);
  made.rotational_acceleration =
      number_of(own.rotational_acceleration, all.rotational_acceleration, "rad/s^2", binder);
  made.corner_distance =
      number_of(own.corner_distance, all.corner_distance, "m", binder).value_or(BoundValue(0.0));
  made.speed = ratio_of(point.speed, step.speed, binder);
  made.acceleration = ratio_of(point.acceleration, step.acceleration, binder);
  const auto of_arm = [&](const std::vector<Target>& targets) {
    std::vector<BoundTarget> bound = binder.targets(targets, kPositionUnits);
    for (const BoundTarget& target : bound) {
      if (std::binary_search(joints().begin(), joints().end(), target.joint)) continue;
      throw FileError(targets.front().name.spot, binder.config().joints[target.joint].name +
                                                     " isn't moved here: arm " + step.arm->text +
                                                     " has no such joint");
    }
    return bound;
  };
  made.posture = of_arm(pose.posture);
  made.tolerance = of_arm(point.tolerance);
  return made;
}

std::vector<double> BoundToolWaypoints::values(const std::vector<BoundTarget>& targets,
                                               double otherwise) const {
  if (targets.empty()) return {};
  std::vector<double> all(joints().size(), otherwise);
  for (const BoundTarget& target : targets) {
    const auto place = std::lower_bound(joints().begin(), joints().end(), target.joint);
    all[static_cast<std::size_t>(place - joints().begin())] = target.value.value();
  }
  return all;
}

AskedToolPath BoundToolWaypoints::asked() const {
  AskedToolPath path = blank_;
  for (const Point& point : points_) {
    ArmWaypoint& to = path.waypoints.emplace_back();
    to.position = list_now<3>(point.position);
    to.by = list_now<3>(point.by);
    to.orientation = list_now<4>(point.orientation);
    to.turn = list_now<3>(point.turn);
    to.corner_distance = point.corner_distance.value();
    to.linear_speed = now(point.linear_speed);
    to.linear_acceleration = now(point.linear_acceleration);
    to.rotational_speed = now(point.rotational_speed);
    to.rotational_acceleration = now(point.rotational_acceleration);
    to.speed_ratio = point.speed.value();
    to.acceleration_ratio = point.acceleration.value();
    to.posture = values(point.posture, std::nan(""));
    to.tolerance = values(point.tolerance, 0.0);
  }
  return path;
}

}  // namespace jointrig::harness
