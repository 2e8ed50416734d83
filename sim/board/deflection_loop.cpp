#include "sim/board/deflection_loop.h"

#include <numbers>

#include "control/core/board_defaults.h"
#include "sim/board/encoder.h"

namespace jointrig::sim {

DeflectionLoop::DeflectionLoop(const BoardSpec& spec) noexcept
    : stiffness_(spec.board.spring_stiffness), step_(spec.board.deflection_step) {
  if (!spec.has_spring()) return;
  const double w = 2 * std::numbers::pi * spec.board.deflection_bandwidth_hz;
  gain_ = deflection_gain(spec.board);
  damping_ = 2 * w * spec.motor_inertia() / stiffness_;
}

double DeflectionLoop::read(double deflection) const noexcept {
  return quantised(deflection, step_);
}

}  // namespace jointrig::sim
