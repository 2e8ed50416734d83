#pragma once

#include <algorithm>

#include "control/core/protection.h"

namespace jointrig {

/// Force that pushes two surfaces apart [N]:
///
///     F = k o + D max(−ḋ, 0) min(o/m, 1)        o = m − d > 0, else 0
///
///     d  distance of the surfaces [m]     m  margin     o  overlap of the enlarged shapes
///
/// The spring alone is −dU/dd of U = k o²/2. The damper acts against approach alone and grows with
/// the overlap, so that the force has no step.
///
/// @param rate  ḋ, above 0 apart [m/s]
inline double repulsion(const CollisionAvoidanceConfig& config, double distance,
                        double rate) noexcept {
  const double overlap = config.margin - distance;
  if (!(overlap > 0.0)) return 0.0;
  const double share = std::min(overlap / config.margin, 1.0);
  return config.stiffness * overlap + config.damping * std::max(-rate, 0.0) * share;
}

}  // namespace jointrig
