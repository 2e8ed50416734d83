#pragma once

#include <cmath>

#include "control/core/robot_config.h"
#include "control/core/robot_io.h"

namespace jointrig::testing {

/// Every joint on a sine of its own about where it starts, its board enabled.
/// @param size  of the sine of a joint that turns [rad]; slides have 1 mm
inline void sway(RobotState& state, const RobotConfig& config, std::uint64_t cycle, double size) {
  state.cycle = cycle;
  state.time_ns = static_cast<TimeNs>(cycle) * config.period_ns;
  state.joints.resize(config.joints.size());
  const double t = to_seconds(state.time_ns);
  for (std::size_t i = 0; i < state.joints.size(); ++i) {
    const double phase = 2.0 * t + static_cast<double>(i);
    const double way = config.joints[i].slide ? 1e-3 : size;
    state.joints[i].q = config.joints[i].q_start + way * std::sin(phase);
    state.joints[i].v = 2.0 * way * std::cos(phase);
    state.joints[i].status = BoardStatus::kEnabled;
  }
}

}  // namespace jointrig::testing
