#include "control/stack/given_up_moves.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace jointrig {
namespace {

constexpr double kNoBound = std::numeric_limits<double>::infinity();

/// The bounds of a group's common share in the next cycle.
struct Bounds {
  double least = 0.0;        ///< of the share
  double rate = kNoBound;    ///< of |f'| [1/s]
  double change = kNoBound;  ///< of |f''| [1/s²]
};

Bounds bounds_of(std::uint64_t group, Joints joints, double dt) noexcept {
  Bounds bounds;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const ReferenceGenerator* move = joints.controls[i].given_up_move();
    if (move == nullptr || move->given_up().group != group) continue;
    const double a_max = joints.setups[i].config.limits.a_max;
    bounds.least = std::max(bounds.least, move->least_share(dt, a_max));
    const double v = move->full_speed();
    if (v == 0.0) continue;
    bounds.rate = std::min(bounds.rate, a_max / v);
    if (move->room().jerk > 0.0) bounds.change = std::min(bounds.change, move->room().jerk / v);
  }
  return bounds;
}

/// Towards the end f' goes back to 0 as f = f'' t²/2 does.
double next_share(const ReferenceGenerator::GivenUp& now, const Bounds& bounds,
                  double dt) noexcept {
  const double steepest = std::max(
      {now.rate - bounds.change * dt, -bounds.rate, -std::sqrt(2.0 * bounds.change * now.share)});
  return std::clamp(now.share + steepest * dt, bounds.least, now.share);
}

}  // namespace

JointSet give_up_moves(const JointSet& joints, std::uint64_t group, Joints all) noexcept {
  JointSet given_up;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (joints.test(i) && all.controls[i].give_up_move(group)) given_up.set(i);
  }
  return given_up;
}

void slow_down_moves(Joints joints, double dt) noexcept {
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const ReferenceGenerator* first = joints.controls[i].given_up_move();
    if (first == nullptr) continue;
    const ReferenceGenerator::GivenUp now = first->given_up();
    const auto is_of_group = [&](std::size_t k) {
      const ReferenceGenerator* move = joints.controls[k].given_up_move();
      return move != nullptr && move->given_up().group == now.group;
    };
    bool is_done = false;
    for (std::size_t k = 0; k < i && !is_done; ++k) is_done = is_of_group(k);
    if (is_done) continue;
    const double share = next_share(now, bounds_of(now.group, joints, dt), dt);
    for (std::size_t k = i; k < joints.size(); ++k) {
      if (is_of_group(k))
        joints.controls[k].given_up_move()->slow_to(share, (share - now.share) / dt);
    }
  }
}

}  // namespace jointrig
