// Obstacles that the robot is told of: checked, kept and moved on.

#include <Eigen/Geometry>
#include <algorithm>

#include "control/safety/obstacle_admission.h"
#include "control/stack/protections.h"

namespace jointrig {
namespace {

bool is_known(const KnownObstacles& obstacles, const ObstacleName& name) noexcept {
  return std::any_of(obstacles.begin(), obstacles.end(),
                     [&](const KnownObstacle& one) { return one.name == name; });
}

template <std::size_t kSize>
Eigen::Map<const Eigen::Matrix<double, static_cast<int>(kSize), 1>> vector(
    const std::array<double, kSize>& numbers) noexcept {
  return Eigen::Map<const Eigen::Matrix<double, static_cast<int>(kSize), 1>>(numbers.data());
}

}  // namespace

Refusal Protections::check(const SetObstacle& command, std::size_t arm_count) const noexcept {
  if (!avoidance_) return {RejectReason::kUnsupported, kNoJoint, 0.0, 0.0};
  if (const Refusal r = check_obstacle(command, arm_count)) return r;
  const bool has_room = state_.obstacles.size() < kMaxObstacles;
  if (has_room || is_known(state_.obstacles, command.name)) return {};
  return {RejectReason::kTooManyObstacles, kNoJoint,
          static_cast<double>(state_.obstacles.size()) + 1.0, static_cast<double>(kMaxObstacles)};
}

Refusal Protections::check(const RemoveObstacle& command) const noexcept {
  if (is_known(state_.obstacles, command.name)) return {};
  return {RejectReason::kUnknownObstacle, kNoJoint, static_cast<double>(state_.obstacles.size()),
          static_cast<double>(kMaxObstacles)};
}

void Protections::take(const SetObstacle& command, const FramePose& from) noexcept {
  auto* place = std::find_if(state_.obstacles.begin(), state_.obstacles.end(),
                             [&](const auto& one) { return one.name == command.name; });
  if (place == state_.obstacles.end()) state_.obstacles.push_back({});
  const std::array<double, 4>& q = command.orientation;
  const Eigen::Vector3d position = from.position + from.rotation * vector(command.position);
  const Eigen::Vector3d velocity = from.rotation * vector(command.velocity);
  const Eigen::Quaterniond given = Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized();
  const Eigen::Quaterniond turn(from.rotation * given.toRotationMatrix());
  *place = {.size = command.size,
            .position = {position.x(), position.y(), position.z()},
            .orientation = {turn.w(), turn.x(), turn.y(), turn.z()},
            .velocity = {velocity.x(), velocity.y(), velocity.z()},
            .moves_for = velocity.isZero() ? 0.0 : command.moves_for,
            .name = command.name,
            .shape = command.shape};
}

void Protections::take(const RemoveObstacle& command) noexcept {
  KnownObstacles& all = state_.obstacles;
  auto* const end = std::remove_if(all.begin(), all.end(),
                                   [&](const auto& one) { return one.name == command.name; });
  all.resize(static_cast<std::size_t>(end - all.begin()));
}

void Protections::move_obstacles() noexcept {
  for (KnownObstacle& one : state_.obstacles) {
    if (!(one.moves_for > 0.0)) continue;
    const double step = std::min(dt_, one.moves_for);
    for (std::size_t i = 0; i < 3; ++i) one.position[i] += one.velocity[i] * step;
    one.moves_for = one.moves_for > 1.5 * dt_ ? one.moves_for - dt_ : 0.0;
    if (one.moves_for == 0.0) one.velocity = {};
  }
}

}  // namespace jointrig
