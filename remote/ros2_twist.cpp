#include "remote/ros2_twist.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "control/core/quaternion.h"

namespace jointrig::remote {
namespace {

using Vector = std::array<double, 3>;

double length_of(const Vector& v) { return std::hypot(v[0], v[1], v[2]); }

double distance(const Vector& a, const Vector& b) {
  return length_of({a[0] - b[0], a[1] - b[1], a[2] - b[2]});
}

void check(const ArmConfig& arm, const Vector& velocity, double most, std::string_view what,
           std::string_view unit) {
  const double speed = length_of(velocity);
  if (!std::isfinite(speed)) {
    throw std::invalid_argument(
        fmt::format("twist of {}: its {} velocity is not finite", arm.name, what));
  }
  if (speed <= most) return;
  throw std::invalid_argument(
      fmt::format("twist of {}: its {} velocity is {:.3g} {}, and the arm "
                  "takes {:.3g} at most (robot.yaml)",
                  arm.name, what, speed, unit, most));
}

/// Turns velocities along the tool's axes into those along the base's.
bool is_along_the_tool(const ArmConfig& arm, const std::string& frame) {
  if (frame.empty() || frame == arm.base || frame == "base") return false;
  if (frame == arm.tool || frame == "tool") return true;
  throw std::invalid_argument(fmt::format(
      "twist of {}: no frame \"{}\": give base or tool, or none for base", arm.name, frame));
}

Quaternion unit(const Quaternion& q) {
  const double length = std::hypot(std::hypot(q[0], q[1]), std::hypot(q[2], q[3]));
  return {q[0] / length, q[1] / length, q[2] / length, q[3] / length};
}

ToolPose moved(const ToolPose& from, const Vector& linear, const Vector& angular, double dt) {
  ToolPose to = from;
  for (std::size_t i = 0; i < 3; ++i) to.position[i] += dt * linear[i];
  const Quaternion turn = of_turn(dt * angular[0], dt * angular[1], dt * angular[2]);
  to.orientation = unit(product(turn, from.orientation));
  return to;
}

}  // namespace

StreamToolTarget TwistSteps::next(ArmIndex arm, const TwistMessage& message, const Snapshot& now) {
  const ArmConfig& config = robot_->arms[arm];
  const ArmSnapshot& state = now.arms[arm];
  check(config, message.linear, config.speed_max, "linear", "m/s");
  check(config, message.angular, config.rotation_speed_max, "angular", "rad/s");
  Vector linear = message.linear;
  Vector angular = message.angular;
  if (is_along_the_tool(config, message.frame)) {
    linear = turned(state.tool.orientation, linear);
    angular = turned(state.tool.orientation, angular);
  }
  std::optional<Last>& last = arms_[arm];
  const double passed = last ? to_seconds(now.time_ns - last->time_ns) : kSilence;
  if (passed < 0.0 || passed >= kSilence) last = Last{now.time_ns, state.goal};
  const ToolPose before = last->target;
  const double dt = to_seconds(now.time_ns - last->time_ns);
  ToolPose after = moved(before, linear, angular, dt);
  const double far = distance(after.position, state.tool.position);
  if (far > kLeash && far > distance(before.position, state.tool.position)) {
    after.position = before.position;
  }
  *last = {now.time_ns, after};
  StreamToolTarget sample;
  sample.arm = arm;
  sample.position = after.position;
  sample.orientation = after.orientation;
  return sample;
}

}  // namespace jointrig::remote
