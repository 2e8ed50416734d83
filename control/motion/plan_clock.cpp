#include "control/motion/plan_clock.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "control/motion/reference_generator.h"

namespace jointrig {
namespace {

/// Rounding: a share of a bound.
constexpr double kShareOfRounding = 1e-9;

}  // namespace

bool PlanClock::can_have(double pace, const JointPlan& plan, std::span<const double> a_max,
                         double dt, std::span<const MotionState> now) noexcept {
  std::array<MotionState, kMaxJoints> then{};
  plan.at(time_ + pace * dt, cursor_, {then.data(), now.size()});
  for (std::size_t j = 0; j < now.size(); ++j) {
    const double change = std::abs(pace * then[j].v - now[j].v);
    if (change > a_max[j] * dt * (1.0 + kShareOfRounding)) return false;
  }
  return true;
}

void PlanClock::advance(const JointPlan& plan, double wanted, std::span<const double> a_max,
                        double dt, std::span<MotionState> states) noexcept {
  constexpr int kHalvings = 20;
  const double before = pace_;
  const double most = wanted > 0.0 ? dt / ReferenceGenerator::kOverrideTime : 1.0;
  const double next = before + std::clamp(wanted - before, -most, most);
  if (next != before) {
    double kept = before;  // allowed
    double far = next;
    if (can_have(next, plan, a_max, dt, states)) kept = next;
    for (int i = 0; i < kHalvings && kept != next; ++i) {
      const double middle = 0.5 * (kept + far);
      if (can_have(middle, plan, a_max, dt, states)) {
        kept = middle;
      } else {
        far = middle;
      }
    }
    pace_ = kept;
  }
  time_ += pace_ * dt;
  plan.at(time_, cursor_, states);
  const double change = (pace_ - before) / dt;
  for (MotionState& state : states) {
    state.a = state.a * (pace_ * pace_) + state.v * change;
    state.v *= pace_;
  }
}

}  // namespace jointrig
