#include "control/laws/least_constraint.h"

#include <algorithm>
#include <cmath>

namespace jointrig {
namespace {

/// Less than this share of a torque beyond its bound is rounding.
constexpr double kRounding = 1e-9;

}  // namespace

LeastConstraint::LeastConstraint(std::size_t joint_count)
    : solution_(joint_count), mu_(joint_count), torques_(joint_count) {
  const auto n = static_cast<Eigen::Index>(joint_count);
  set_.reserve(joint_count);
  root_.setZero(n, n);
}

/// The bound that a torque lies beyond; side 0: none.
LeastConstraint::Bounded LeastConstraint::beyond(std::size_t joint,
                                                 const Bounds& bounds) const noexcept {
  const double torque = torques_[joint];
  const double rounding = kRounding * std::abs(torque);
  if (torque > bounds.high + rounding) return {joint, bounds.high, 1.0};
  if (torque < bounds.low - rounding) return {joint, bounds.low, -1.0};
  return {joint, torque, 0.0};
}

/// Takes the joint into S whose bound costs most acceleration; false if all are within.
bool LeastConstraint::take_worst(const Eigen::MatrixXd& inertia,
                                 std::span<const Bounds> bounds) noexcept {
  Bounded worst{.side = 0.0};
  double most = 0.0;
  for (std::size_t i = 0; i < torques_.size(); ++i) {
    const auto is_this = [i](const Bounded& one) { return one.joint == i; };
    const Bounded found = beyond(i, bounds[i]);
    if (found.side == 0.0 || std::any_of(set_.begin(), set_.end(), is_this)) continue;
    const auto k = static_cast<Eigen::Index>(i);
    const double excess = torques_[i] - found.bound;
    const double cost = excess * excess / inertia(k, k);
    if (!(cost > most)) continue;
    most = cost;
    worst = found;
  }
  if (worst.side == 0.0) return false;
  set_.push_back(worst);
  return true;
}

/// M_SS x = bound − wanted, by L Lᵀ.
void LeastConstraint::solve_set(const Eigen::MatrixXd& inertia,
                                std::span<const double> wanted) noexcept {
  const auto size = static_cast<Eigen::Index>(set_.size());
  double* x = solution_.data();
  for (Eigen::Index i = 0; i < size; ++i) {
    const Bounded& one = set_[static_cast<std::size_t>(i)];
    const auto row = static_cast<Eigen::Index>(one.joint);
    x[i] = one.bound - wanted[one.joint];
    for (Eigen::Index k = 0; k <= i; ++k) {
      const auto col = static_cast<Eigen::Index>(set_[static_cast<std::size_t>(k)].joint);
      double rest = inertia(row, col);
      for (Eigen::Index m = 0; m < k; ++m) rest -= root_(i, m) * root_(k, m);
      root_(i, k) = k < i ? rest / root_(k, k) : std::sqrt(rest);
    }
    for (Eigen::Index k = 0; k < i; ++k) x[i] -= root_(i, k) * x[k];
    x[i] /= root_(i, i);
  }
  for (Eigen::Index i = size - 1; i >= 0; --i) {
    for (Eigen::Index k = i + 1; k < size; ++k) x[i] -= root_(k, i) * x[k];
    x[i] /= root_(i, i);
  }
}

/// Goes from μ towards the solution until one of S would change its sign: that joint leaves its
/// bound, and S. True if it got there.
bool LeastConstraint::step_to_solution() noexcept {
  double share = 1.0;
  std::size_t leaves = set_.size();
  for (std::size_t k = 0; k < set_.size(); ++k) {
    const double before = mu_[set_[k].joint];
    if (set_[k].side * solution_[k] <= 0.0) continue;
    const double until = before / (before - solution_[k]);
    if (until >= share) continue;
    share = until;
    leaves = k;
  }
  for (std::size_t k = 0; k < set_.size(); ++k) {
    double& mu = mu_[set_[k].joint];
    mu += share * (solution_[k] - mu);
  }
  if (leaves == set_.size()) return true;
  mu_[set_[leaves].joint] = 0.0;
  set_.erase(set_.begin() + static_cast<std::ptrdiff_t>(leaves));
  return false;
}

void LeastConstraint::find_torques(const Eigen::MatrixXd& inertia,
                                   std::span<const double> wanted) noexcept {
  std::copy(wanted.begin(), wanted.end(), torques_.begin());
  for (const Bounded& one : set_) {
    const double* column = inertia.col(static_cast<Eigen::Index>(one.joint)).data();
    for (std::size_t i = 0; i < torques_.size(); ++i) torques_[i] += column[i] * mu_[one.joint];
  }
}

bool LeastConstraint::apply(const Eigen::MatrixXd& inertia, std::span<const Bounds> bounds,
                            std::span<double> torques) noexcept {
  set_.clear();
  std::fill(mu_.begin(), mu_.end(), 0.0);
  find_torques(inertia, torques);
  // Each joint may enter and leave a few times: far more rounds than were ever seen.
  std::size_t rounds = 4 * torques.size();
  while (rounds > 0 && take_worst(inertia, bounds)) {
    do {
      solve_set(inertia, torques);
      --rounds;
    } while (!step_to_solution() && rounds > 0);
    find_torques(inertia, torques);
  }
  for (const Bounded& one : set_) {
    double& found = torques_[one.joint];
    found =
        one.side > 0.0 ? std::max(found, torques[one.joint]) : std::min(found, torques[one.joint]);
  }
  const bool any = !set_.empty();
  if (any) std::copy(torques_.begin(), torques_.end(), torques.begin());
  return any;
}

}  // namespace jointrig
