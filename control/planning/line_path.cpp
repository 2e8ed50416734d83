#include "control/planning/line_path.h"

#include <algorithm>
#include <cmath>

#include "control/laws/tool_error.h"
#include "control/planning/held_rotation.h"

namespace jointrig {
namespace {

bool is_a_pose(const Placement& pose) {
  return pose.position.allFinite() && pose.rotation.allFinite();
}

IkTask held(IkTask task) {
  task.weights = held_weights(task.free, task.weights);
  return task;
}

}  // namespace

LinePath::LinePath(const KinematicTree& tree, const IkTask& task,
                   const std::vector<JointIndex>& joints, const std::vector<JointRange>& ranges,
                   const LineOptions& options)
    : task_(held(task)),
      options_(options),
      ik_(tree, {task}, joints, ranges),
      kinematics_(tree, {task.frames}, joints),
      singular_(kinematics_, 0, task_.weights, task.free, ranges) {}

void LinePath::set_base(const Placement& base) noexcept {
  ik_.set_base(base);
  kinematics_.set_base(base);
}

void LinePath::set_offset(const Placement& offset) noexcept {
  ik_.set_offset(0, offset);
  kinematics_.set_offset(0, offset);
}

Placement LinePath::at(const Placement& goal, double share) const {
  Placement pose;
  pose.position = begin_.position + share * (goal.position - begin_.position);
  const Eigen::Vector3d turn = rotation_vector(begin_.rotation.transpose() * goal.rotation);
  pose.rotation = begin_.rotation * rotation_of(share * turn);
  return pose;
}

LineResult LinePath::plan(const Placement& goal, const std::vector<double>& q) {
  LineResult line;
  const bool is_number = std::all_of(q.begin(), q.end(), [](double x) { return std::isfinite(x); });
  if (!is_number || !is_a_pose(goal)) {
    line.problem = LineProblem::kNotFinite;
    return line;
  }
  kinematics_.update(q);
  begin_ = kinematics_.pose(0);
  line.length = (goal.position - begin_.position).norm();
  line.angle = rotation_vector(begin_.rotation.transpose() * goal.rotation).norm();
  if (!(task_.weights[3] > 0.0 || task_.weights[4] > 0.0 || task_.weights[5] > 0.0)) {
    line.angle = 0.0;  // it turns as it likes
  }
  const double most = std::max(line.length / options_.step, line.angle / options_.turn_step);
  auto count = static_cast<std::size_t>(std::max(1.0, std::ceil(most)));
  for (int round = 0; round <= options_.densest; ++round, count *= 2) {
    if (!sample(goal, q, count, line)) {
      // A jump may be one of the samples' distance.
      if (line.problem == LineProblem::kJump && round < options_.densest) continue;
      return line;
    }
    measure_deviation(goal, q, line);
    if (line.deviation <= options_.deviation && line.turn_deviation <= options_.turn_deviation) {
      return line;
    }
  }
  const bool is_turn = line.deviation <= options_.deviation;
  line.problem = LineProblem::kOffTheLine;
  line.value = is_turn ? line.turn_deviation : line.deviation;
  line.limit = is_turn ? options_.turn_deviation : options_.deviation;
  return line;
}

// Follows the line in so many equal steps. Returns false with the problem.
bool LinePath::sample(const Placement& goal, const std::vector<double>& q, std::size_t count,
                      LineResult& line) {
  line.problem = LineProblem::kNone;
  line.shares.clear();
  line.knots.clear();
  line.least_singular_value = std::numeric_limits<double>::infinity();
  std::vector<double> now = q;
  for (std::size_t i = 0; i <= count; ++i) {
    line.sample = i;
    line.share = static_cast<double>(i) / static_cast<double>(count);
    line.distance = line.share * line.length;
    const Placement pose = at(goal, line.share);
    const IkResult& next = ik_.follow(std::span(&pose, 1), now);
    if (!check(now, next, line)) return false;
    now = next.q;
    line.shares.push_back(line.share);
    std::vector<double>& knot = line.knots.emplace_back();
    for (const JointIndex joint : ik_.joints()) knot.push_back(now[joint]);
  }
  return true;
}

// Is the next sample one that the path may take?
bool LinePath::check(const std::vector<double>& before, const IkResult& next, LineResult& line) {
  switch (next.outcome) {
    case IkOutcome::kJointLimits:
      line.problem = LineProblem::kJointLimits;
      line.joint = next.beyond.joint;
      line.value = next.beyond.q;
      line.limit = next.beyond.limit;
      return false;
    case IkOutcome::kOutOfReach:
      line.problem = LineProblem::kOutOfReach;
      line.value = next.errors[0].position;
      line.limit = next.errors[0].rotation;
      return false;
    case IkOutcome::kNotFinite:
      line.problem = LineProblem::kNotFinite;
      return false;
    case IkOutcome::kSolved:
      break;
  }
  const double least = least_singular_value(next.q);
  line.least_singular_value = std::min(line.least_singular_value, least);
  if (least < options_.singular_value) {
    line.problem = LineProblem::kSingular;
    line.value = least;
    line.limit = options_.singular_value;
    return false;
  }
  for (const JointIndex joint : ik_.joints()) {
    const double step = std::abs(next.q[joint] - before[joint]);
    if (step <= options_.jump) continue;
    line.problem = LineProblem::kJump;
    line.joint = joint;
    line.value = step;
    line.limit = options_.jump;
    return false;
  }
  return true;
}

// How far the tool is from the line half-way between two samples, joints in proportion.
void LinePath::measure_deviation(const Placement& goal, std::vector<double> q, LineResult& line) {
  line.deviation = line.turn_deviation = 0.0;
  for (std::size_t i = 0; i + 1 < line.knots.size(); ++i) {
    const std::vector<double>& a = line.knots[i];
    const std::vector<double>& b = line.knots[i + 1];
    for (std::size_t k = 0; k < a.size(); ++k) q[ik_.joints()[k]] = 0.5 * (a[k] + b[k]);
    kinematics_.update(q);
    const Placement pose = at(goal, 0.5 * (line.shares[i] + line.shares[i + 1]));
    if (is_axis(task_.free)) {
      const Eigen::Matrix3d& is = kinematics_.pose(0).rotation;
      const Eigen::Matrix3d near = nearest_goal(task_.free, pose.rotation, is);
      line.turn_deviation =
          std::max(line.turn_deviation, rotation_vector(near.transpose() * is).norm());
    }
    const Eigen::Vector3d off =
        pose.rotation.transpose() * (kinematics_.pose(0).position - pose.position);
    const Eigen::Vector3d turn =
        rotation_vector(pose.rotation.transpose() * kinematics_.pose(0).rotation);
    double square = 0.0;
    double turn_square = 0.0;
    for (Eigen::Index axis = 0; axis < 3; ++axis) {
      const auto place = static_cast<std::size_t>(axis);
      if (task_.weights[place] > 0.0) square += off[axis] * off[axis];
      if (task_.weights[place + 3] > 0.0 && !is_axis(task_.free)) {
        turn_square += turn[axis] * turn[axis];
      }
    }
    line.deviation = std::max(line.deviation, std::sqrt(square));
    line.turn_deviation = std::max(line.turn_deviation, std::sqrt(turn_square));
  }
}

double LinePath::least_singular_value(const std::vector<double>& q) {
  kinematics_.update(q);
  kinematics_.update_jacobians();
  return singular_.at(kinematics_);
}

}  // namespace jointrig
