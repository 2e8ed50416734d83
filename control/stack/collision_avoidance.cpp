#include "control/stack/collision_avoidance.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "control/model/shape_reach.h"
#include "control/safety/repulsion.h"

namespace jointrig {
namespace {

/// A smaller gradient counts as no approach [m/rad or 1].
constexpr double kNothing = 1e-6;

/// Share of a torque that a joint near the limit ahead of it gets: none at the limit, all of it
/// from the soft margin on.
double share_before_limit(const JointLimits& limits, double q, double torque) noexcept {
  const double room = torque > 0.0 ? limits.q_max - q : q - limits.q_min;
  if (room >= limits.soft_margin) return 1.0;
  return room > 0.0 ? room / limits.soft_margin : 0.0;
}

}  // namespace

CollisionAvoidance::CollisionAvoidance(const RobotConfig& robot, const RobotModel& model)
    : geometry_(read_collision_geometry(robot)),
      partners_(obstacle_partners(geometry_)),
      reach_(shape_reaches(geometry_, robot, model)),
      gradient_(robot.joints.size()),
      motions_(robot.joints.size()) {
  for (const Shape& shape : geometry_.shapes) {
    bounds_.push_back(shape.bound());
    placed_.push_back({shape.centre, shape.axes});  // fixed shapes stay
  }
}

void CollisionAvoidance::place(const RobotModel& model) noexcept {
  for (std::size_t i = 0; i < placed_.size(); ++i) {
    const Shape& shape = geometry_.shapes[i];
    if (shape.body == 0) continue;
    const FramePose body = model.pose({mjOBJ_BODY, shape.body});
    placed_[i].centre.noalias() = body.position + body.rotation * shape.centre;
    placed_[i].axes.noalias() = body.rotation * shape.axes;
  }
}

/// Largest approach of two shapes until every reference has stopped [m].
double CollisionAvoidance::look_ahead(std::span<const JointSetup> setups,
                                      std::span<const JointControl> joints,
                                      const Suppression& suppression) noexcept {
  double far = 0.0;
  stop_time_ = 0.0;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    Motion& motion = motions_[i];
    motion = {};
    motion.heading = joints[i].heading();
    motion.follows =
        motion.heading != 0.0 && !suppression.is_suppressed(i, Suppressible::kCollisionAvoidance);
    if (!motion.follows) continue;
    const double v = joints[i].reference().v;
    motion.reference = v;
    const double brakes = v * v / (2.0 * setups[i].config.limits.a_max);
    const double left = joints[i].way_left();
    motion.way = brakes + kLag * std::abs(v);
    if (brakes <= left) motion.way = std::min(motion.way, left);
    far += reach_[i] * motion.way;
    stop_time_ = std::max(stop_time_, std::abs(v) / setups[i].config.limits.a_max + kLag);
  }
  return far;
}

void CollisionAvoidance::halt_in_time(const CollisionAvoidanceConfig& config,
                                      const Meeting& meeting, Outcome& outcome) const noexcept {
  double rate = 0.0;   // rate of the references
  double about = 0.0;  // present or coming direction of the references
  double way = 0.0;
  double most = 0.0;
  JointIndex joint = kNoJoint;
  for (std::size_t i = 0; i < motions_.size(); ++i) {
    const Motion& motion = motions_[i];
    if (!motion.follows) continue;
    rate += gradient_[i] * motion.reference;
    about += gradient_[i] * motion.heading;
    if (gradient_[i] * motion.heading >= 0.0) continue;
    way += std::abs(gradient_[i]) * motion.way;
    if (std::abs(gradient_[i] * motion.heading) <= most) continue;
    most = std::abs(gradient_[i] * motion.heading);
    joint = static_cast<JointIndex>(i);
  }
  const bool leads_in = std::abs(rate) > kNothing ? rate < 0.0 : about < -kNothing;
  const double comes = std::max(-meeting.drift, 0.0) * stop_time_;
  if (!leads_in || meeting.near.distance - way - comes >= config.margin) return;
  for (std::size_t i = 0; i < motions_.size(); ++i) {
    if (motions_[i].follows && std::abs(gradient_[i]) > kNothing) outcome.halt.set(i);
  }
  outcome.halt_distance = meeting.near.distance;
  outcome.halt_most = joint;
  outcome.halted_by = meeting.pair;
}

void CollisionAvoidance::look_at(const CollisionAvoidanceConfig& config, RobotModel& model,
                                 const Meeting& meeting, std::span<const JointControl> joints,
                                 std::span<double> torques, Outcome& outcome) noexcept {
  const auto& [pair, near, drift] = meeting;
  std::fill(gradient_.begin(), gradient_.end(), 0.0);
  model.add_force(geometry_.shapes[pair.a].body, near.on_a, -near.normal, gradient_);
  const bool is_obstacle = pair.b >= geometry_.shapes.size();
  const int other = is_obstacle ? 0 : geometry_.shapes[pair.b].body;
  model.add_force(other, near.on_b, near.normal, gradient_);
  halt_in_time(config, meeting, outcome);

  double rate = drift;
  for (std::size_t i = 0; i < joints.size(); ++i) rate += gradient_[i] * joints[i].state().v;
  const double force = repulsion(config, near.distance, rate);
  if (!(force > 0.0)) return;  // NaN gives no push
  double most = 0.0;
  JointIndex joint = kNoJoint;
  for (std::size_t i = 0; i < torques.size(); ++i) {
    torques[i] += force * gradient_[i];
    if (std::abs(gradient_[i]) <= most) continue;
    most = std::abs(gradient_[i]);
    joint = static_cast<JointIndex>(i);
  }
  if (near.distance <= outcome.distance || outcome.most == kNoJoint) {
    outcome.force = force;
    outcome.most = joint;
    outcome.deepest = pair;
  }
}

void CollisionAvoidance::look_at_obstacle(const CollisionAvoidanceConfig& config, RobotModel& model,
                                          const KnownObstacle& obstacle, std::uint16_t number,
                                          double range, std::span<const JointControl> joints,
                                          std::span<double> torques, Outcome& outcome) noexcept {
  const Shape shape = shape_of(obstacle);
  const Placed at = placed(obstacle);
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();
  if (obstacle.moves_for > 0.0) {
    velocity = Eigen::Map<const Eigen::Vector3d>(obstacle.velocity.data());
  }
  range += velocity.norm() * stop_time_;
  for (const ObstaclePartner& partner : partners_) {
    const double apart = range + bounds_[partner.shape] + shape.bound();
    if ((placed_[partner.shape].centre - at.centre).squaredNorm() > apart * apart) continue;
    const auto [own, own_at] = against(shape, partner, geometry_, placed_[partner.shape]);
    Meeting meeting{{partner.shape, number}, nearest(*own, own_at, shape, at), 0.0};
    if (meeting.near.distance >= range) continue;
    meeting.drift = meeting.near.normal.dot(velocity);
    look_at(config, model, meeting, joints, torques, outcome);
    outcome.distance = std::min(outcome.distance, meeting.near.distance);
  }
}

/// Scales down together, in the direction that is wanted.
void CollisionAvoidance::limit(const CollisionAvoidanceConfig& config,
                               std::span<const JointSetup> setups,
                               std::span<const JointControl> joints, const Suppression& suppression,
                               std::span<double> torques) noexcept {
  double share = 1.0;
  for (std::size_t i = 0; i < torques.size(); ++i) {
    torques[i] *= suppression.share(i, Suppressible::kCollisionAvoidance) *
                  share_before_limit(setups[i].config.limits, joints[i].state().q, torques[i]);
    const double most =
        config.torque_max > 0.0 ? config.torque_max : 0.5 * setups[i].config.limits.tau_max;
    if (std::abs(torques[i]) > most) share = std::min(share, most / std::abs(torques[i]));
  }
  for (double& torque : torques) torque *= share;
}

CollisionAvoidance::Outcome CollisionAvoidance::advance(
    const CollisionAvoidanceConfig& config, RobotModel& model, std::span<const JointSetup> setups,
    std::span<const JointControl> joints, const Suppression& suppression,
    const KnownObstacles& obstacles, std::span<double> torques) noexcept {
  Outcome outcome;
  std::fill(torques.begin(), torques.end(), 0.0);
  place(model);
  const double range = config.margin + look_ahead(setups, joints, suppression);
  outcome.distance = range;
  for (const CollisionGeometry::Pair& pair : geometry_.pairs) {
    const Placed& a = placed_[pair.a];
    const Placed& b = placed_[pair.b];
    const double apart = range + bounds_[pair.a] + bounds_[pair.b];
    if ((a.centre - b.centre).squaredNorm() > apart * apart) continue;
    const Meeting meeting{pair, nearest(geometry_.shapes[pair.a], a, geometry_.shapes[pair.b], b),
                          0.0};
    if (meeting.near.distance >= range) continue;
    look_at(config, model, meeting, joints, torques, outcome);
    outcome.distance = std::min(outcome.distance, meeting.near.distance);
  }
  for (std::size_t k = 0; k < obstacles.size(); ++k) {
    const auto number = static_cast<std::uint16_t>(geometry_.shapes.size() + k);
    look_at_obstacle(config, model, obstacles[k], number, range, joints, torques, outcome);
  }
  limit(config, setups, joints, suppression, torques);
  return outcome;
}

}  // namespace jointrig
