#include "control/stack/stopping_way.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "control/core/sane.h"

namespace jointrig {
namespace {

/// Largest acceleration of a reference, per a_max: of streams (reference_generator.h).
constexpr double kMost = 4.0;

constexpr double kEndless = std::numeric_limits<double>::infinity();

using Levers = std::vector<RobotModel::Lever>;

bool has(const Levers& levers, int dof) noexcept {
  return std::any_of(levers.begin(), levers.end(),
                     [dof](const RobotModel::Lever& lever) { return lever.dof == dof; });
}

double braked(double v, double most) noexcept {
  return std::copysign(std::max(std::abs(v) - most, 0.0), v);
}

}  // namespace

StoppingWay::StoppingWay(const CollisionGeometry& geometry, const RobotModel& model)
    : geometry_(&geometry),
      motions_(model.joint_count()),
      ways_(model.joint_count()),
      most_(geometry.shapes.size()) {
  joints_.reserve(motions_.size());
  q_.reserve(motions_.size());
  for (const Shape& shape : geometry.shapes) {
    levers_.push_back(model.levers(shape.body, shape.centre.norm() + shape.bound()));
    for (const RobotModel::Lever& lever : levers_.back()) {
      if (std::isinf(lever.most))
        endless_.push_back({levers_.size() - 1, lever.joint});
      else
        arms_.push_back({lever.most, lever.joint});
    }
    ends_.push_back(arms_.size());
  }
  for (Place& place : places_) {
    for (const Shape& shape : geometry.shapes) place.shapes.push_back({shape.centre, shape.axes});
  }
}

double StoppingWay::way_to_rest(const JointControl& joint, double v, double a_max) noexcept {
  const double brakes = v * v / (2.0 * a_max);
  const double left = joint.way_left();
  const double way = brakes + kLag * std::abs(v);
  return brakes <= left ? std::min(way, left) : way;
}

void StoppingWay::plan(const RobotNow& robot, const Suppression& suppression) noexcept {
  longest_ = 0.0;
  has_looked_ = false;
  following_.reset();
  halted_.reset();
  std::fill(most_.begin(), most_.end(), 0.0);
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    const JointControl& joint = robot.joints[i];
    motions_[i] = {};
    ways_[i] = 0.0;
    if (joint.heading() == 0.0 || suppression.is_suppressed(i, Suppressible::kCollisionAvoidance)) {
      continue;
    }
    following_.set(i);
    const double a_max = robot.setups[i].config.limits.a_max;
    const double now = joint.reference().v;
    const double v = std::abs(now) + kMost * a_max * robot.setups[i].dt;
    motions_[i].way = way_to_rest(joint, now, a_max);
    const double most =
        v * v / (2.0 * a_max) + kLag * v + std::abs(joint.reference().q - joint.state().q);
    if (most > 0.0) ways_[i] = most;  // NaN has none: look() tells
    longest_ = std::max(longest_, v / a_max + kLag);
  }
  if (following_.none()) return;
  const Arm* arm = arms_.data();
  for (std::size_t i = 0; i < most_.size(); ++i) {
    double most = 0.0;  // not in the vector, where each sum would wait for the one before it
    for (const Arm* const end = arms_.data() + ends_[i]; arm != end; ++arm) {
      most += arm->most * ways_[arm->joint];
    }
    most_[i] = most;
  }
  for (const Endless& endless : endless_) {
    if (ways_[endless.joint] > 0.0) most_[endless.shape] = kEndless;
  }
}

void StoppingWay::halt(const JointSet& joints) noexcept {
  halted_ = joints;
  has_looked_ = false;
}

bool StoppingWay::look(const RobotNow& robot) noexcept {
  if (has_looked_) return is_known_;
  has_looked_ = true;
  is_known_ = true;
  time_ = 0.0;
  for (Place& place : places_) place.is_placed = false;
  for (std::size_t i = 0; i < motions_.size(); ++i) {
    if (!following_.test(i)) continue;
    const JointControl& joint = robot.joints[i];
    const double a_max = robot.setups[i].config.limits.a_max;
    Motion& motion = motions_[i];
    // A planned motion has taken its next speed already: kLag covers the one after it.
    motion.v = halted_.test(i) ? braked(joint.reference().v, a_max * robot.setups[i].dt)
                               : joint.next_speed(robot.setups[i]);
    motion.way = way_to_rest(joint, motion.v, a_max);
    motion.time = std::abs(motion.v) / a_max + kLag;
    time_ = std::max(time_, motion.time);
    is_known_ = is_known_ && is_sane(motion.way) && is_sane(joint.reference().q);
  }
  return is_known_;
}

JointSet StoppingWay::moving(std::size_t shape) const noexcept {
  JointSet joints;
  for (const RobotModel::Lever& lever : levers_[shape]) joints.set(lever.joint);
  return joints;
}

/// A degree of freedom that moves both moves neither against the other.
JointSet StoppingWay::moving(std::size_t a, std::size_t b) const noexcept {
  JointSet joints;
  for (const RobotModel::Lever& lever : levers_[a]) {
    if (!has(levers_[b], lever.dof)) joints.set(lever.joint);
  }
  for (const RobotModel::Lever& lever : levers_[b]) {
    if (!has(levers_[a], lever.dof)) joints.set(lever.joint);
  }
  return joints;
}

std::span<const Placed> StoppingWay::at(int place, const RobotNow& robot) noexcept {
  Place& there = places_[static_cast<std::size_t>(place)];
  if (!there.is_placed) place_shapes(there, time_of(place), robot);
  return there.shapes;
}

void StoppingWay::place_shapes(Place& place, double time, const RobotNow& robot) noexcept {
  place.is_placed = true;
  joints_.clear();
  q_.clear();
  for (std::size_t i = 0; i < motions_.size(); ++i) {
    if (!following_.test(i)) continue;
    const Motion& motion = motions_[i];
    const double left = std::max(1.0 - time / motion.time, 0.0);
    const double way = (1.0 - left * left) * motion.way;
    joints_.push_back(static_cast<JointIndex>(i));
    q_.push_back(robot.joints[i].reference().q + std::copysign(way, motion.v));
  }
  robot.model.look_elsewhere(joints_, q_);
  for (std::size_t i = 0; i < place.shapes.size(); ++i) {
    const Shape& shape = geometry_->shapes[i];
    if (shape.body == 0) continue;
    const FramePose body = robot.model.pose_elsewhere({mjOBJ_BODY, shape.body});
    place.shapes[i].follow(shape, body.position, body.rotation);
  }
}

}  // namespace jointrig
