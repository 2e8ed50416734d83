#include "sim/board/calibration.h"

#include <algorithm>
#include <cmath>

namespace jointrig::sim {
namespace {
constexpr double kPatience = 3.0;       // choice: allowed time, relative to the planned time
constexpr double kExtraPatience = 0.5;  // choice: [s], for short distances
constexpr double kThere = 0.1;          // choice: tolerance of arrival, as a share of the distance
}  // namespace

Calibration::Calibration(const BoardSpec& spec) noexcept
    : way_(spec.calibration_way),
      speed_(spec.board.calibration_speed),
      period_(spec.period),
      middle_(0.5 * (spec.limits.q_min + spec.limits.q_max) + spec.board.calibration_offset) {}

void Calibration::begin(double reading, CalibrationState& state) const noexcept {
  state = {};
  state.start = reading;
  state.way = reading > middle_ ? -way_ : way_;  // without limits middle_ is NaN: forward
}

CalibrationStep Calibration::advance(double reading, CalibrationState& state) const noexcept {
  state.elapsed += period_;
  const double along = (reading - state.start) * (state.way < 0 ? -1 : 1);
  state.furthest = std::max(state.furthest, along);

  const double goal = state.returning ? 0.0 : state.way;
  const double step = speed_ * period_;
  state.target += std::clamp(goal - state.target, -step, step);

  // Both marks passed: the zero is known. Back at the start: done.
  if (!state.returning && state.furthest >= way_ * (1 - kThere)) state.returning = true;
  if (state.returning && state.target == 0.0 && std::abs(along) <= kThere * way_) {
    return CalibrationStep::kDone;
  }
  const bool late = state.elapsed > kPatience * 2 * way_ / speed_ + kExtraPatience;
  return late ? CalibrationStep::kBlocked : CalibrationStep::kMoving;
}

double Calibration::speed(const CalibrationState& state) const noexcept {
  const double goal = state.returning ? 0.0 : state.way;
  if (state.target == goal) return 0.0;
  return goal > state.target ? speed_ : -speed_;
}

double Calibration::progress(const CalibrationState& state) const noexcept {
  if (!(way_ > 0)) return 0.0;
  const double share = std::min(1.0, std::abs(state.target) / way_);
  return state.returning ? 1.0 - 0.5 * share : 0.5 * share;
}

}  // namespace jointrig::sim
