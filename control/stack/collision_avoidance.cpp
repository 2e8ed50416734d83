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
/// No distance counts as less by that [m].
constexpr double kRounding = 1e-9;

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
      stopping_(geometry_, model) {
  told_.reserve(KnownObstacles::capacity());
  close_.reserve(geometry_.pairs.size() + partners_.size() * KnownObstacles::capacity());
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
    placed_[i].follow(shape, body.position, body.rotation);
  }
}

double CollisionAvoidance::farthest_approach() const noexcept {
  double far = 0.0;
  for (std::size_t i = 0; i < reach_.size(); ++i) far += reach_[i] * stopping_.way(i);
  return far;
}

/// The partner against the obstacle, where that is later by so many seconds.
Nearest CollisionAvoidance::measure(const Told& told, const ObstaclePartner& partner,
                                    const Placed& partner_at, double later) const noexcept {
  const auto [own, own_at] = against(told.shape, partner, geometry_, partner_at);
  return nearest(*own, own_at, told.shape, {told.at.centre + later * told.velocity, told.at.axes});
}

/// Distance where all references brake, or where they stand still; an obstacle moves on in both.
double CollisionAvoidance::distance_at(int place, bool stands, const RobotNow& robot,
                                       const Meeting& meeting) noexcept {
  const std::span<const Placed> there = stopping_.at(stands ? 0 : place, robot);
  const auto [a, b] = meeting.pair;
  if (meeting.told != nullptr) {
    return measure(*meeting.told, *meeting.partner, there[a], stopping_.time_of(place)).distance;
  }
  return nearest(geometry_.shapes[a], there[a], geometry_.shapes[b], there[b]).distance;
}

/// NaN if a distance is.
double CollisionAvoidance::least_distance(bool stands, const RobotNow& robot,
                                          const Meeting& meeting) noexcept {
  double least = std::numeric_limits<double>::infinity();
  for (int place = 1; place <= StoppingWay::kPlaces; ++place) {
    const double distance = distance_at(place, stands, robot, meeting);
    if (!(distance >= least)) least = distance;
  }
  return least;
}

bool CollisionAvoidance::rests_outside(double margin, const RobotNow& robot,
                                       const Meeting& meeting) noexcept {
  if (!stopping_.look(robot)) return false;
  const double least = least_distance(false, robot, meeting);
  if (least >= margin) return true;
  return least >= least_distance(true, robot, meeting) - kRounding;
}

bool CollisionAvoidance::leads_in() const noexcept {
  double rate = 0.0;
  for (std::size_t i = 0; i < gradient_.size(); ++i) rate += gradient_[i] * stopping_.speed(i);
  return rate < -kNothing;
}

void CollisionAvoidance::halt(const JointSet& joints, const Meeting& meeting,
                              Outcome& outcome) const noexcept {
  outcome.halt |= joints;
  outcome.halt_distance = meeting.near.distance;
  outcome.halted_by = meeting.pair;
  outcome.halt_most = kNoJoint;
  double most = 0.0;
  for (std::size_t i = 0; i < gradient_.size(); ++i) {
    if (!joints.test(i)) continue;
    const double approach = std::max(-gradient_[i] * stopping_.speed(i), 0.0);
    if (approach <= most && outcome.halt_most != kNoJoint) continue;
    most = approach;
    outcome.halt_most = static_cast<JointIndex>(i);
  }
}

void CollisionAvoidance::halt_in_time(double margin, const RobotNow& robot, const Meeting& meeting,
                                      Outcome& outcome) noexcept {
  const auto [a, b] = meeting.pair;
  const bool is_told = meeting.told != nullptr;
  const JointSet moving =
      (is_told ? stopping_.moving(a) : stopping_.moving(a, b)) & stopping_.following();
  if (moving.none()) return;
  const bool stays_out = rests_outside(margin, robot, meeting);
  if (stays_out && meeting.near.distance >= margin) return;
  find_gradient(robot.model, meeting);
  if (!stays_out || leads_in()) halt(moving, meeting, outcome);
}

/// A pair may have kept its distance by the motion of a joint that another pair halts.
void CollisionAvoidance::halt_others(double margin, const RobotNow& robot,
                                     Outcome& outcome) noexcept {
  constexpr int kPasses = 4;  // a choice: each halts more joints, or is the last
  JointSet halted;
  for (int pass = 0; pass < kPasses && outcome.halt != halted; ++pass) {
    halted = outcome.halt;
    stopping_.halt(halted);
    for (const Meeting& meeting : close_) halt_in_time(margin, robot, meeting, outcome);
  }
}

/// ∂d/∂q
void CollisionAvoidance::find_gradient(RobotModel& model, const Meeting& meeting) noexcept {
  const auto [a, b] = meeting.pair;
  const Nearest& near = meeting.near;
  std::fill(gradient_.begin(), gradient_.end(), 0.0);
  model.add_force(geometry_.shapes[a].body, near.on_a, -near.normal, gradient_);
  const int other = meeting.told != nullptr ? 0 : geometry_.shapes[b].body;
  model.add_force(other, near.on_b, near.normal, gradient_);
}

void CollisionAvoidance::look_at(const CollisionAvoidanceConfig& config, const RobotNow& robot,
                                 const Meeting& meeting, std::span<double> torques,
                                 Outcome& outcome) noexcept {
  halt_in_time(config.margin, robot, meeting, outcome);
  if (meeting.near.distance >= config.margin) return;

  find_gradient(robot.model, meeting);
  double rate = meeting.drift;
  for (std::size_t i = 0; i < gradient_.size(); ++i) {
    rate += gradient_[i] * robot.joints[i].state().v;
  }
  const double force = repulsion(config, meeting.near.distance, rate);
  if (!(force > 0.0)) return;  // NaN gives no push
  double most = 0.0;
  JointIndex joint = kNoJoint;
  for (std::size_t i = 0; i < torques.size(); ++i) {
    torques[i] += force * gradient_[i];
    if (std::abs(gradient_[i]) <= most) continue;
    most = std::abs(gradient_[i]);
    joint = static_cast<JointIndex>(i);
  }
  if (meeting.near.distance <= outcome.distance || outcome.most == kNoJoint) {
    outcome.force = force;
    outcome.most = joint;
    outcome.deepest = meeting.pair;
  }
}

void CollisionAvoidance::look_at_obstacle(const CollisionAvoidanceConfig& config,
                                          const RobotNow& robot, const KnownObstacle& obstacle,
                                          std::uint16_t number, double range,
                                          std::span<double> torques, Outcome& outcome) noexcept {
  told_.push_back({shape_of(obstacle), placed(obstacle)});
  Told& told = told_.back();
  if (obstacle.moves_for > 0.0) {
    told.velocity = Eigen::Map<const Eigen::Vector3d>(obstacle.velocity.data());
  }
  const double comes = told.velocity.norm() * stopping_.longest();
  range += comes;
  for (const ObstaclePartner& partner : partners_) {
    const Placed& own = placed_[partner.shape];
    const double most = stopping_.most(partner.shape) + comes;
    const double apart =
        std::max(range, config.margin + most) + bounds_[partner.shape] + told.shape.bound();
    if ((own.centre - told.at.centre).squaredNorm() > apart * apart) continue;
    const Nearest near = measure(told, partner, own, 0.0);
    if (!(near.distance - most >= config.margin)) {
      const double drift = near.normal.dot(told.velocity);
      close_.push_back({{partner.shape, number}, near, drift, &partner, &told});
      look_at(config, robot, close_.back(), torques, outcome);
    }
    outcome.distance = std::min(outcome.distance, near.distance);
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
  close_.clear();
  told_.clear();
  const RobotNow robot{model, setups, joints};
  stopping_.plan(robot, suppression);
  const double range = config.margin + farthest_approach();
  outcome.distance = range;
  for (const CollisionGeometry::Pair& pair : geometry_.pairs) {
    const Placed& a = placed_[pair.a];
    const Placed& b = placed_[pair.b];
    const double most = stopping_.most(pair.a) + stopping_.most(pair.b);
    const double apart = std::max(range, config.margin + most) + bounds_[pair.a] + bounds_[pair.b];
    if ((a.centre - b.centre).squaredNorm() > apart * apart) continue;
    const Nearest near = nearest(geometry_.shapes[pair.a], a, geometry_.shapes[pair.b], b);
    if (!(near.distance - most >= config.margin)) {  // NaN halts
      close_.push_back({.pair = pair, .near = near});
      look_at(config, robot, close_.back(), torques, outcome);
    }
    outcome.distance = std::min(outcome.distance, near.distance);
  }
  for (std::size_t k = 0; k < obstacles.size(); ++k) {
    const auto number = static_cast<std::uint16_t>(geometry_.shapes.size() + k);
    look_at_obstacle(config, robot, obstacles[k], number, range, torques, outcome);
  }
  halt_others(config.margin, robot, outcome);
  limit(config, setups, joints, suppression, torques);
  return outcome;
}

}  // namespace jointrig
