#include "control/planning/cartesian_drive.h"

#include <algorithm>
#include <cmath>

#include "control/laws/tool_error.h"
#include "control/planning/arm_tasks.h"
#include "control/planning/held_rotation.h"
#include "control/planning/placement.h"

namespace jointrig {
namespace {

constexpr int kTries = 24;            ///< of shares in a cycle, at most
constexpr int kStepsOfCycle = 40;     ///< of inverse kinematics in a cycle, about: some 0.1 ms
constexpr int kStepsOfTry = 12;       ///< from a cycle's way off two or three lead there
constexpr double kLeastShare = 1e-6;  ///< smaller ones are none
constexpr double kRest = 1e-9;        ///< speed that counts as none [rad/s or m/s]
constexpr double kNearEnd = 1e-4;     ///< of a range: a step that fails is its joint's [rad or m]

/// Differences of positions become accelerations: 1e-12 m within 1 ms is 1e-6 m/s².
IkOptions exact() {
  IkOptions options;
  options.position_tolerance = 1e-12;
  options.rotation_tolerance = 1e-12;
  options.steps = kStepsOfTry;
  options.explains = false;
  return options;
}

/// exp of a twist along the moved frame's own axes (Murray, Li, Sastry 1994, 2.36).
Placement screw(const Vector6& way) {
  const Eigen::Vector3d u = way.head<3>();
  const Eigen::Vector3d w = way.tail<3>();
  const double angle = w.norm();
  Placement step;
  step.rotation = rotation_of(w);
  if (angle < 1e-9) {
    step.position = u + 0.5 * w.cross(u);
    return step;
  }
  const Eigen::Vector3d across = w.cross(u);
  step.position = u + (1.0 - std::cos(angle)) / (angle * angle) * across +
                  (angle - std::sin(angle)) / (angle * angle * angle) * w.cross(across);
  return step;
}

/// Place of a free rotation among those that a drive knows: words, then x, y and z of the world.
constexpr std::size_t kWords = kAllFreeRotation.size();
std::size_t word_place(FreeRotation free, bool is_of_world) noexcept {
  const auto word = static_cast<std::size_t>(free);
  const auto first = static_cast<std::size_t>(FreeRotation::kX);
  return is_of_world ? kWords + word - first : word;
}

bool is_frame_axis(FreeRotation free) noexcept {
  return free == FreeRotation::kX || free == FreeRotation::kY || free == FreeRotation::kZ;
}

/// Orientation of a reference in the world where the robot starts.
Eigen::Matrix3d world_at_start(const RobotConfig& robot, const KinematicTree& tree,
                               const TreeFrame& reference) {
  FrameKinematics kinematics(tree, {FramePair{reference, {}}}, {});
  kinematics.set_base(tree.base_start());
  kinematics.update(start_positions(robot));
  return kinematics.pose(0).rotation;
}

}  // namespace

CartesianDrive::CartesianDrive(const RobotConfig& robot, const KinematicTree& tree,
                               const IkTask& task, const std::vector<JointIndex>& joints,
                               const DriveOptions& options)
    : ik_(tree, {task}, joints, soft_ranges(robot, joints), exact()),
      kinematics_(tree, {task.frames}, joints),
      is_weighted_(std::all_of(task.weights.begin(), task.weights.end(),
                               [](double weight) { return weight > 0.0; })),
      options_(options),
      world_(world_at_start(robot, tree, task.frames.reference)) {
  for (const JointIndex joint : joints) limits_.push_back(robot.joints[joint].limits);
  const Eigen::Matrix3d own = Eigen::Matrix3d::Identity();
  for (const bool is_of_world : {false, true}) {
    for (const FreeRotation free : kAllFreeRotation) {
      if (is_of_world && !is_frame_axis(free)) continue;
      singular_.emplace_back(kinematics_, std::size_t{0}, held_weights(free, task.weights), free,
                             ik_.ranges(), is_of_world ? world_ : own);
    }
  }
  state_.free = task.free;
  state_.whole.resize(tree.joint_count());
  for (auto* of_joints : {&state_.at, &state_.v, &state_.a, &step_.q}) {
    of_joints->resize(joints.size());
  }
  state_.ranges = ik_.ranges();
}

void CartesianDrive::set_base(const Placement& base) noexcept {
  ik_.set_base(base);
  kinematics_.set_base(base);
}

void CartesianDrive::set_offset(const Placement& offset) noexcept {
  state_.offset = offset;
  ik_.set_offset(0, offset);
  kinematics_.set_offset(0, offset);
}

void CartesianDrive::set_world(const Eigen::Matrix3d& reference) noexcept {
  world_ = reference;
  ik_.set_axes(0, axes());
}

void CartesianDrive::set_limits(std::size_t place, const JointLimits& limits) noexcept {
  limits_[place] = limits;
}

void CartesianDrive::start(std::span<const double> q, std::span<const double> v) noexcept {
  std::copy_n(q.begin(), state_.whole.size(), state_.whole.begin());
  for (std::size_t i = 0; i < state_.at.size(); ++i) {
    const double here = state_.whole[joints()[i]];
    const JointLimits& limits = limits_[i];
    state_.at[i] = here;
    state_.v[i] = v[i];
    state_.a[i] = 0.0;
    state_.ranges[i] = {std::min(limits.q_min + limits.soft_margin, here),
                        std::max(limits.q_max - limits.soft_margin, here)};
    ik_.set_range(i, state_.ranges[i]);
  }
  sync();
  hindrance_ = {};
}

// The tool goes on from where the joints are as they go, along the axes of its reference.
void CartesianDrive::sync() noexcept {
  state_.least = least_at(state_.whole);
  state_.marker = kinematics_.pose(0);
  state_.was_own = false;
  Vector6 twist = Vector6::Zero();
  for (std::size_t i = 0; i < state_.v.size(); ++i) {
    twist += state_.v[i] * kinematics_.column(0, i);
  }
  state_.twist = held(twist, false);
}

// Free rotation -----------------------------------------------------------------------------------

void CartesianDrive::set_free(FreeRotation free, ToolFrame frame) noexcept {
  const bool is_of_world = frame == ToolFrame::kWorld && is_frame_axis(free);
  if (free == state_.free && is_of_world == state_.is_of_world) return;
  state_.free = free;
  state_.is_of_world = is_of_world;
  lead();
  sync();
}

void CartesianDrive::lead() noexcept {
  ik_.set_free(0, state_.free);
  ik_.set_axes(0, axes());
}

bool CartesianDrive::can_hold(FreeRotation free, ToolFrame frame) const noexcept {
  if (free == FreeRotation::kAll) return true;
  const bool is_of_world = frame == ToolFrame::kWorld && is_frame_axis(free);
  return singular_[word_place(free, is_of_world)].holds();
}

FreeRotation CartesianDrive::led(FreeRotation asked) const noexcept {
  const bool is_too_much =
      asked == FreeRotation::kNone && !can_hold(FreeRotation::kNone, ToolFrame::kBase);
  return is_too_much ? FreeRotation::kAll : asked;
}

const SingularValue& CartesianDrive::singular() const noexcept {
  return singular_[word_place(state_.free, state_.is_of_world)];
}

/// Orientation of the reference in the frame whose x, y and z are meant.
Eigen::Matrix3d CartesianDrive::axes() const noexcept {
  if (state_.is_of_world) return world_;
  return Eigen::Matrix3d::Identity();
}

Vector6 CartesianDrive::held(const Vector6& twist, bool is_own) const noexcept {
  Vector6 part = twist;
  if (state_.free == FreeRotation::kAll) part.tail<3>().setZero();
  if (is_axis(state_.free)) {
    const Eigen::Matrix3d& tool = state_.marker.rotation;
    const Eigen::Vector3d own = held_axes(state_.free, axes() * tool).col(2);
    const Eigen::Vector3d a = is_own ? own : Eigen::Vector3d(tool * own);
    part.tail<3>() -= a.dot(part.tail<3>()) * a;
  }
  return part;
}

/// Where the tool is by the joints, which have come to this goal.
Placement CartesianDrive::marker_at(const Placement& goal) const noexcept {
  const Placement& is = kinematics_.pose(0);
  if (!is_weighted_ || singular().is_bound()) return is;
  const Eigen::Matrix3d in = axes();
  return {goal.position,
          in.transpose() * nearest_goal(state_.free, in * goal.rotation, in * is.rotation)};
}

// A cycle -----------------------------------------------------------------------------------------

void CartesianDrive::carry(std::span<const double> q) noexcept {
  bool is_carried = false;
  const auto is_moved = [&](std::size_t joint) {
    return std::find(joints().begin(), joints().end(), joint) != joints().end();
  };
  for (std::size_t i = 0; i < state_.whole.size(); ++i) {
    if (state_.whole[i] == q[i] || is_moved(i)) continue;
    state_.whole[i] = q[i];
    is_carried = true;
  }
  if (!is_carried) return;
  state_.least = least_at(state_.whole);
  state_.marker = kinematics_.pose(0);
}

void CartesianDrive::restore(const State& state) {
  state_ = state;
  set_offset(state_.offset);
  for (std::size_t i = 0; i < state_.ranges.size(); ++i) ik_.set_range(i, state_.ranges[i]);
  lead();
}

bool CartesianDrive::is_at_rest() const noexcept {
  return state_.twist.norm() < kRest && std::all_of(state_.v.begin(), state_.v.end(),
                                                    [](double v) { return std::abs(v) < kRest; });
}

Vector6 CartesianDrive::twist() const noexcept {
  return state_.was_own ? turned(state_.marker.rotation, state_.twist) : state_.twist;
}

double CartesianDrive::share_of(const Vector6& twist) const noexcept {
  const double asked = twist.norm();
  return asked > 0.0 ? std::min(1.0, state_.twist.norm() / asked) : 1.0;
}

double CartesianDrive::least_at(std::span<const double> q) noexcept {
  kinematics_.update(q);
  kinematics_.update_jacobians();
  return singular().at(kinematics_, axes());
}

double CartesianDrive::ramp(const Vector6& twist, bool is_own, double dt) noexcept {
  // The velocity so far is along the axes that it was asked along.
  if (is_own != state_.was_own) {
    const Eigen::Matrix3d& own = state_.marker.rotation;
    state_.twist = turned(is_own ? Eigen::Matrix3d(own.transpose()) : own, state_.twist);
    state_.was_own = is_own;
  }
  state_.twist = held(state_.twist, is_own);
  const Vector6 way = twist - state_.twist;
  const double linear = options_.linear_acceleration * dt;
  const double rotational = options_.rotational_acceleration * dt;
  return 1.0 / std::max({1.0, way.head<3>().norm() / linear, way.tail<3>().norm() / rotational});
}

Placement CartesianDrive::moved(double share, double dt) const noexcept {
  const Vector6 way = next_ * (share * dt);
  if (state_.was_own) return product(state_.marker, screw(way));
  Placement goal;
  goal.position = state_.marker.position + way.head<3>();
  goal.rotation = rotation_of(way.tail<3>()) * state_.marker.rotation;
  return goal;
}

bool CartesianDrive::find(const Placement& goal) noexcept {
  const IkResult& result = ik_.follow(std::span(&goal, 1), state_.whole);
  steps_left_ -= result.steps + 1;
  for (std::size_t i = 0; i < step_.q.size(); ++i) step_.q[i] = result.q[joints()[i]];
  if (result.outcome == IkOutcome::kSolved) {
    step_.least = least_at(result.q);
    step_.marker = marker_at(goal);
    return true;
  }
  // A joint that stands at its end where the search ended, and has come to it already.
  for (std::size_t i = 0; i < step_.q.size(); ++i) {
    const JointRange& range = state_.ranges[i];
    const double end = step_.q[i] >= range.high ? range.high : range.low;
    const bool is_at_end = step_.q[i] >= range.high || step_.q[i] <= range.low;
    if (is_at_end && std::abs(state_.at[i] - end) < kNearEnd) {
      blame(DriveChange::kPosition, i, state_.at[i], end);
      return false;
    }
  }
  hindrance_ = {DriveChange::kReach, kNoJoint, 0.0, 0.0};
  return false;
}

void CartesianDrive::blame(DriveChange why, std::size_t place, double value,
                           double limit) noexcept {
  hindrance_ = {why, joints()[place], value, limit};
}

// The part of the step that keeps to all bounds; above 1 where there is room.
double CartesianDrive::share_allowed(double dt) noexcept {
  double share = 2.0;
  for (std::size_t i = 0; i < state_.at.size(); ++i) {
    const double way = step_.q[i] - state_.at[i];
    if (way == 0.0) continue;
    const double speed = std::abs(way) / dt;
    const JointRange& range = state_.ranges[i];
    const double end = way > 0.0 ? range.high : range.low;
    const double brakes = std::sqrt(limits_[i].a_max * std::max(std::abs(end - state_.at[i]), 0.0));
    const double gains = (way > 0.0 ? state_.v[i] : -state_.v[i]) + limits_[i].a_max * dt;
    double most = std::min(limits_[i].v_max, brakes);
    const bool gains_first = gains > 0.0 && gains < most;  // below 0 it turns round, by braking
    if (gains_first) most = gains;
    if (most / speed >= share) continue;
    share = most / speed;
    if (share >= 1.0) continue;
    if (gains_first) {
      hindrance_ = {};
    } else if (brakes < limits_[i].v_max) {
      blame(DriveChange::kPosition, i, state_.at[i], end);
    } else {
      blame(DriveChange::kSpeed, i, speed, limits_[i].v_max);
    }
  }
  const double nearer = state_.least - step_.least;
  const double room = std::max(state_.least - options_.singular_value, 0.0);
  const bool is_near = state_.least < 10.0 * options_.singular_value;
  if (nearer > 0.0 && is_near && options_.approach * dt * room / nearer < share) {
    share = options_.approach * dt * room / nearer;
    if (share < 1.0) {
      hindrance_ = {DriveChange::kSingular, kNoJoint, state_.least, options_.singular_value};
    }
  }
  return share;
}

// Goes towards `wish` as far as the joints' accelerations allow.
void CartesianDrive::take(std::span<const double> wish, double least, double dt) noexcept {
  bool is_exact = true;
  for (std::size_t i = 0; i < state_.at.size(); ++i) {
    const double to = wish[i];
    const double v = (to - state_.at[i]) / dt;
    const double most = limits_[i].a_max * dt;
    const double had = std::clamp(v, state_.v[i] - most, state_.v[i] + most);
    is_exact = is_exact && had == v;
    state_.a[i] = (had - state_.v[i]) / dt;
    state_.v[i] = had;
    state_.at[i] = had == v ? to : state_.at[i] + had * dt;
    state_.whole[joints()[i]] = state_.at[i];
  }
  if (is_exact) {
    state_.least = least;
    return;
  }
  state_.least = least_at(state_.whole);
  state_.marker = kinematics_.pose(0);
}

double CartesianDrive::look(const Vector6& twist, double ramp, double most, double dt) noexcept {
  next_ = ramp < 1.0 ? Vector6(state_.twist + ramp * (twist - state_.twist)) : twist;
  hindrance_ = {};
  steps_left_ = kStepsOfCycle;
  found_ = 0.0;
  double share = most;
  for (int i = 0; i < kTries && share > kLeastShare && steps_left_ > 0; ++i) {
    if (!find(moved(share, dt))) {
      share *= 0.5;
      continue;
    }
    const double allowed = share_allowed(dt);
    if (allowed < 1.0) {
      share *= 0.999 * allowed;
      continue;
    }
    found_ = share;
    break;
  }
  return found_;
}

void CartesianDrive::go(double dt) noexcept {
  if (found_ > 0.0) {
    state_.twist = next_ * found_;
    state_.marker = step_.marker;
    // Products of many cycles would leave the rotations.
    state_.marker.rotation =
        Eigen::Quaterniond(state_.marker.rotation).normalized().toRotationMatrix();
    take(step_.q, step_.least, dt);
    return;
  }
  state_.twist.setZero();
  take(state_.at, state_.least, dt);
}

double CartesianDrive::drive(const Vector6& twist, bool is_own, double dt) noexcept {
  const Vector6 wish = held(twist, is_own);
  const double part = ramp(wish, is_own, dt);
  look(wish, part, 1.0, dt);
  go(dt);
  return share_of(wish);
}

}  // namespace jointrig
