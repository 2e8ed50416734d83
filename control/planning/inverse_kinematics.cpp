#include "control/planning/inverse_kinematics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "control/laws/tool_error.h"
#include "control/planning/held_rotation.h"
#include "control/planning/placement.h"

namespace jointrig {
namespace {

// Choices, not tuned: bench/ik_bench measures their effect.
constexpr double kDampingOfError = 1.0;  // λ per cost
constexpr double kLeastDamping = 1e-12;  // below the round-off of a square of metres
constexpr double kLongestStep = 1.0;     // of a joint in one step [rad or m]
constexpr int kPatience = 6;             // steps in which the cost has to fall
constexpr double kEnoughProgress = 0.5;  // to this share
constexpr int kStartsWithoutLimits = 10;
constexpr int kStepsOfPolish = 200;
constexpr double kMostDamping = 1e6;  // no step lowers the error
constexpr int kStepsToPosture = 50;
constexpr double kStepToPosture = 0.3;  // [rad or m]
constexpr double kNearLimit = 1e-9;     // [rad or m]
constexpr double kTurn = 2.0 * std::numbers::pi;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool is_finite(std::span<const double> numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); });
}

bool is_finite(const Placement& pose) {
  return is_finite(std::span(pose.position.data(), 3)) &&
         is_finite(std::span(pose.rotation.data(), 9));
}

/// A hinge's position by whole turns as near to its range as can be.
double into_range(double q, const JointRange& range, bool is_slide) noexcept {
  if (is_slide) return q;
  double nearest = q;
  double least = kInfinity;
  const double low = std::isfinite(range.low) ? range.low : q;
  const double turns = std::round((q - low) / kTurn);
  for (const double turned :
       {q - kTurn * (turns - 1.0), q - kTurn * turns, q - kTurn * (turns + 1.0)}) {
    const double beyond = std::abs(turned - std::clamp(turned, range.low, range.high));
    if (beyond >= least) continue;
    least = beyond;
    nearest = turned;
  }
  return nearest;
}

/// J_l⁻¹(e): change of the rotation vector e per turn [1] (Chirikjian 2011, "Stochastic Models,
/// Information Theory, and Lie Groups", 10.86).
Eigen::Matrix3d rate_of_rotation_vector(const Eigen::Vector3d& e) noexcept {
  const double angle = e.norm();
  Eigen::Matrix3d cross;
  cross << 0.0, -e.z(), e.y(), e.z(), 0.0, -e.x(), -e.y(), e.x(), 0.0;
  const double square =
      angle < 1e-4
          ? 1.0 / 12.0
          : (1.0 - 0.5 * angle * std::sin(angle) / (1.0 - std::cos(angle))) / (angle * angle);
  return Eigen::Matrix3d::Identity() - 0.5 * cross + square * cross * cross;
}

bool slides(const KinematicTree& tree, JointIndex joint) {
  return std::any_of(tree.nodes().begin(), tree.nodes().end(), [&](const TreeNode& node) {
    return node.value == static_cast<int>(joint) && node.is_slide;
  });
}

std::vector<FramePair> pairs_of(const std::vector<IkTask>& tasks) {
  std::vector<FramePair> pairs;
  for (const IkTask& task : tasks) pairs.push_back(task.frames);
  return pairs;
}

std::size_t row_count(const std::vector<IkTask>& tasks) {
  std::size_t rows = 0;
  for (const IkTask& task : tasks) {
    rows += static_cast<std::size_t>(std::count_if(task.weights.begin(), task.weights.end(),
                                                   [](double weight) { return weight > 0.0; }));
  }
  return rows;
}

std::vector<std::array<double, 6>> weights_of(const std::vector<IkTask>& tasks) {
  std::vector<std::array<double, 6>> weights;
  for (const IkTask& task : tasks) weights.push_back(task.weights);
  return weights;
}

}  // namespace

InverseKinematics::InverseKinematics(const KinematicTree& tree, std::vector<IkTask> tasks,
                                     const std::vector<JointIndex>& joints,
                                     std::vector<JointRange> ranges, const IkOptions& options)
    : tasks_(std::move(tasks)),
      weights_(weights_of(tasks_)),
      frames_(tasks_.size(), Eigen::Matrix3d::Identity()),
      ranges_(std::move(ranges)),
      options_(options),
      kinematics_(tree, pairs_of(tasks_), joints),
      step_(row_count(tasks_), joints.size()),
      first_(joints.size()),
      posture_(joints.size()),
      q_(tree.joint_count()),
      now_(ranges_),
      errors_(tasks_.size()),
      axes_(tasks_.size(), Eigen::Matrix3d::Identity()),
      residual_(row_count(tasks_)),
      jacobian_(residual_.size() * joints.size()),
      shifted_(residual_.size()),
      low_(joints.size()),
      high_(joints.size()),
      x_(joints.size()),
      towards_(joints.size()),
      best_(joints.size()),
      solution_(joints.size()),
      chosen_(joints.size()) {
  for (const JointIndex joint : joints) is_slide_.push_back(slides(tree, joint));
  rows_.resize(residual_.size());
  for (std::size_t task = 0; task < tasks_.size(); ++task) set_free(task, tasks_[task].free);
  result_.q.resize(q_.size());
  result_.errors.resize(tasks_.size());
}

// The room is that of all rows.
void InverseKinematics::set_free(std::size_t task, FreeRotation free) noexcept {
  tasks_[task].free = free;
  tasks_[task].weights = held_weights(free, weights_[task]);
  row_count_ = 0;
  for (std::size_t i = 0; i < tasks_.size(); ++i) {
    for (std::size_t axis = 0; axis < 6; ++axis) {
      const double weight = tasks_[i].weights[axis];
      if (weight > 0.0) rows_[row_count_++] = {i, axis, weight};
    }
  }
  step_.set_rows(row_count_);
}

bool InverseKinematics::begin_call(std::span<const Placement> goals, std::span<const double> q,
                                   std::span<const double> posture) noexcept {
  goals_ = goals;
  std::copy_n(q.begin(), q_.size(), q_.begin());
  keep(first_);
  if (posture.empty()) posture = first_;
  std::copy_n(posture.begin(), posture_.size(), posture_.begin());
  result_.steps = result_.starts = 0;
  result_.beyond = {};
  now_ = ranges_;
  random_ = options_.seed;
  const bool are_numbers =
      is_finite(q_) && is_finite(posture_) &&
      std::all_of(goals.begin(), goals.end(), [](const Placement& x) { return is_finite(x); });
  result_.outcome = are_numbers ? IkOutcome::kSolved : IkOutcome::kNotFinite;
  std::copy(q_.begin(), q_.end(), result_.q.begin());
  for (std::size_t i = 0; i < tasks_.size(); ++i) {
    axes_[i] = held_axes(tasks_[i].free, frames_[i] * goals[i].rotation);
  }
  return are_numbers;
}

const IkResult& InverseKinematics::solve(std::span<const Placement> goals,
                                         std::span<const double> q,
                                         std::span<const double> posture) noexcept {
  if (!begin_call(goals, q, posture)) return result_;
  search(posture_);
  if (found_ == 0) {
    begin_at(best_);
    return fail(kStartsWithoutLimits);
  }
  begin_at(chosen_);
  conclude();
  return result_;
}

const IkResult& InverseKinematics::follow(std::span<const Placement> goals,
                                          std::span<const double> q) noexcept {
  if (!begin_call(goals, q, {})) return result_;
  begin_at(first_);
  result_.starts = 1;
  if (!descend()) return fail(1);
  conclude();
  return result_;
}

// Comes nearest to the goals from where the joints are.
const IkResult& InverseKinematics::fail(int starts_without_limits) noexcept {
  if (!options_.explains) {
    result_.outcome = IkOutcome::kOutOfReach;
    conclude();
    return result_;
  }
  polish();
  conclude();
  find_limit(starts_without_limits);
  return result_;
}

// Looks for solutions from one start after the other.
void InverseKinematics::search(std::span<const double> posture) noexcept {
  found_ = 0;
  best_cost_ = kInfinity;
  double nearest = kInfinity;
  for (int start = 0; start < options_.starts && found_ < options_.candidates; ++start) {
    if (start == 0) {
      begin_at(first_);
    } else if (start == 1) {
      begin_at(posture);
    } else {
      begin_at_random();
    }
    ++result_.starts;
    if (!descend()) {
      if (found_ > 0 || cost_ >= best_cost_) continue;
      best_cost_ = cost_;
      keep(best_);
      continue;
    }
    ++found_;
    unwind(posture);
    if (options_.leads_to_posture) lead_to(posture);
    const double distance = distance_to(posture);
    if (distance >= nearest) continue;
    nearest = distance;
    keep(chosen_);
  }
}

// Goes to a solution from where the joints are. Returns false if it finds none: then it is where
// the error stopped falling.
bool InverseKinematics::descend() noexcept {
  evaluate();
  double before = cost_;
  for (int step = 0; step < options_.steps; ++step) {
    if (is_there()) return true;
    if (step % kPatience == kPatience - 1) {
      if (cost_ > kEnoughProgress * before) return false;
      before = cost_;
    }
    linearize();
    bound_step();
    step_.solve(jacobian_, residual_, low_, high_, kDampingOfError * cost_ + kLeastDamping, x_);
    take(x_);
    evaluate();
    ++result_.steps;
  }
  return is_there();
}

// Goes down to the least error near the joints' positions, by steps that are taken only where they
// lower it (Levenberg, Marquardt).
void InverseKinematics::polish() noexcept {
  evaluate();
  double damping = 1e-3;
  for (int step = 0; step < kStepsOfPolish && damping < kMostDamping; ++step) {
    keep(best_);
    const double before = cost_;
    linearize();
    bound_step();
    step_.solve(jacobian_, residual_, low_, high_, damping, x_);
    take(x_);
    evaluate();
    ++result_.steps;
    if (cost_ < before) {
      damping = std::max(damping * 0.1, kLeastDamping);
      continue;
    }
    damping *= 10.0;
    begin_at(best_);
    evaluate();
  }
}

// Leads the joints of a solution towards the posture, along the solutions.
void InverseKinematics::lead_to(std::span<const double> posture) noexcept {
  double distance = distance_to(posture);
  double longest = kStepToPosture;
  for (int step = 0; step < kStepsToPosture && longest > 1e-6; ++step) {
    keep(solution_);
    evaluate();
    linearize();
    bound_step();
    double most = 0.0;
    for (std::size_t k = 0; k < x_.size(); ++k) {
      towards_[k] = posture[k] - solution_[k];
      most = std::max(most, std::abs(towards_[k]));
    }
    const double share = most > longest ? longest / most : 1.0;
    // x = d + y, with J (d + y) = -e and the smallest y.
    shifted_ = residual_;
    for (std::size_t k = 0; k < x_.size(); ++k) {
      towards_[k] *= share;
      low_[k] -= towards_[k];
      high_[k] -= towards_[k];
      const double* column = jacobian_.data() + k * row_count_;
      for (std::size_t i = 0; i < row_count_; ++i) shifted_[i] += column[i] * towards_[k];
    }
    step_.solve(jacobian_, shifted_, low_, high_, kLeastDamping, x_);
    for (std::size_t k = 0; k < x_.size(); ++k) x_[k] += towards_[k];
    take(x_);
    const bool is_solution = descend();
    const double now = distance_to(posture);
    if (is_solution && now < distance - 1e-12) {
      distance = now;
      continue;
    }
    begin_at(solution_);
    longest *= 0.25;
  }
}

// Without a solution: is it for the limits of the joints?
void InverseKinematics::find_limit(int starts) noexcept {
  result_.outcome = IkOutcome::kOutOfReach;
  keep(chosen_);
  std::fill(now_.begin(), now_.end(), JointRange{-kInfinity, kInfinity});
  for (int start = 0; start < starts; ++start) {
    if (start == 0) {
      begin_at(chosen_);
    } else if (start == 1) {
      begin_at(posture_);
    } else {
      begin_at_random();
    }
    if (!descend()) continue;
    result_.outcome = IkOutcome::kJointLimits;
    double furthest = 0.0;
    for (std::size_t k = 0; k < x_.size(); ++k) {
      const double q = into_range(q_[joints()[k]], ranges_[k], is_slide_[k]);
      const double limit = std::clamp(q, ranges_[k].low, ranges_[k].high);
      if (std::abs(q - limit) <= furthest) continue;
      furthest = std::abs(q - limit);
      result_.beyond = {joints()[k], q, limit};
    }
    break;
  }
  now_ = ranges_;
  begin_at(chosen_);
}

void InverseKinematics::evaluate() noexcept {
  kinematics_.update(q_);
  for (std::size_t i = 0; i < tasks_.size(); ++i) {
    const Placement& goal = goals_[i];
    const Placement& pose = kinematics_.pose(i);
    const Eigen::Matrix3d back = goal.rotation.transpose();
    errors_[i].head<3>().noalias() = back * (pose.position - goal.position);
    errors_[i].tail<3>() = rotation_vector(back * pose.rotation);
    if (is_axis(tasks_[i].free)) {
      errors_[i].tail<3>() = Eigen::Vector3d(axes_[i].transpose() * errors_[i].tail<3>());
    }
  }
  cost_ = 0.0;
  for (std::size_t i = 0; i < row_count_; ++i) {
    residual_[i] =
        rows_[i].weight * errors_[rows_[i].task][static_cast<Eigen::Index>(rows_[i].axis)];
    cost_ += 0.5 * residual_[i] * residual_[i];
  }
}

void InverseKinematics::linearize() noexcept {
  kinematics_.update_jacobians();
  std::size_t place = 0;
  for (std::size_t task = 0; task < tasks_.size(); ++task) {
    const Eigen::Matrix3d back = goals_[task].rotation.transpose();
    Eigen::Matrix3d turn = rate_of_rotation_vector(errors_[task].tail<3>());
    if (is_axis(tasks_[task].free)) turn *= axes_[task].transpose();  // J_l⁻¹(Cᵀe) = Cᵀ J_l⁻¹(e) C
    turn *= back;
    const std::size_t first = place;
    while (place < row_count_ && rows_[place].task == task) ++place;
    for (std::size_t k = 0; k < x_.size(); ++k) {
      const Vector6& twist = kinematics_.column(task, k);
      Vector6 rate;
      rate.head<3>().noalias() = back * twist.head<3>();
      rate.tail<3>().noalias() = turn * twist.tail<3>();
      for (std::size_t i = first; i < place; ++i) {
        jacobian_[k * row_count_ + i] =
            rows_[i].weight * rate[static_cast<Eigen::Index>(rows_[i].axis)];
      }
    }
  }
}

bool InverseKinematics::is_there() const noexcept {
  for (std::size_t i = 0; i < tasks_.size(); ++i) {
    const IkError error = error_of(i);
    if (error.position > options_.position_tolerance) return false;
    if (error.rotation > options_.rotation_tolerance) return false;
  }
  return true;
}

IkError InverseKinematics::error_of(std::size_t task) const noexcept {
  IkError error;
  for (std::size_t axis = 0; axis < 6; ++axis) {
    if (!(tasks_[task].weights[axis] > 0.0)) continue;
    const double part = errors_[task][static_cast<Eigen::Index>(axis)];
    (axis < 3 ? error.position : error.rotation) += part * part;
  }
  return {std::sqrt(error.position), std::sqrt(error.rotation)};
}

// The way that each joint has to its limits, and in one step.
void InverseKinematics::bound_step() noexcept {
  for (std::size_t k = 0; k < x_.size(); ++k) {
    const double q = q_[joints()[k]];
    low_[k] = std::max(now_[k].low - q, -kLongestStep);
    high_[k] = std::min(now_[k].high - q, kLongestStep);
  }
}

// A step ends at a limit and never beyond it, whatever the round-off.
void InverseKinematics::take(std::span<const double> x) noexcept {
  for (std::size_t k = 0; k < x.size(); ++k) {
    double& q = q_[joints()[k]];
    q = std::clamp(q + x[k], now_[k].low, now_[k].high);
  }
}

void InverseKinematics::begin_at(std::span<const double> moved) noexcept {
  for (std::size_t k = 0; k < moved.size(); ++k) {
    q_[joints()[k]] = std::clamp(moved[k], now_[k].low, now_[k].high);
  }
}

void InverseKinematics::begin_at_random() noexcept {
  for (std::size_t k = 0; k < first_.size(); ++k) {
    const double reach =
        is_slide_[k] ? 1.0 : std::numbers::pi;  // a choice, where there is no limit
    const double low = std::isfinite(ranges_[k].low) ? ranges_[k].low : first_[k] - reach;
    const double high = std::isfinite(ranges_[k].high) ? ranges_[k].high : first_[k] + reach;
    q_[joints()[k]] = low + random() * (high - low);
  }
}

// Turns hinges by whole turns, as near to the posture as their limits allow.
void InverseKinematics::unwind(std::span<const double> posture) noexcept {
  for (std::size_t k = 0; k < posture.size(); ++k) {
    if (is_slide_[k]) continue;
    double& q = q_[joints()[k]];
    const double near = q - kTurn * std::round((q - posture[k]) / kTurn);
    for (const double turned : {near, near - kTurn, near + kTurn}) {
      if (turned < now_[k].low || turned > now_[k].high) continue;
      if (std::abs(turned - posture[k]) < std::abs(q - posture[k])) q = turned;
    }
  }
}

double InverseKinematics::distance_to(std::span<const double> posture) const noexcept {
  double sum = 0.0;
  for (std::size_t k = 0; k < posture.size(); ++k) {
    const double off = q_[joints()[k]] - posture[k];
    sum += off * off;
  }
  return sum;
}

// SplitMix64 (Steele, Lea, Flood 2014), as a number from 0 to 1.
double InverseKinematics::random() noexcept {
  random_ += 0x9E3779B97F4A7C15U;
  std::uint64_t z = random_;
  z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
  z ^= z >> 31U;
  return static_cast<double>(z >> 11U) * 0x1.0p-53;
}

void InverseKinematics::keep(std::vector<double>& place) const noexcept {
  for (std::size_t k = 0; k < place.size(); ++k) place[k] = q_[joints()[k]];
}

void InverseKinematics::conclude() noexcept {
  evaluate();
  std::copy(q_.begin(), q_.end(), result_.q.begin());
  for (std::size_t i = 0; i < tasks_.size(); ++i) result_.errors[i] = error_of(i);
  result_.at_limit.reset();
  for (std::size_t k = 0; k < ranges_.size(); ++k) {
    const double q = q_[joints()[k]];
    const bool stands = q - ranges_[k].low < kNearLimit || ranges_[k].high - q < kNearLimit;
    if (stands) result_.at_limit.set(joints()[k]);
  }
}

}  // namespace jointrig
