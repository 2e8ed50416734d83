#pragma once
/// Products of poses: X_AC = X_AB X_BC.

#include "control/laws/arm_math.h"

namespace jointrig {

/// X_AB X_BC
inline Placement product(const Placement& ab, const Placement& bc) noexcept {
  Placement ac;
  ac.rotation.noalias() = ab.rotation * bc.rotation;
  ac.position.noalias() = ab.rotation * bc.position;
  ac.position += ab.position;
  return ac;
}

/// X_BA of X_AB
inline Placement inverse(const Placement& ab) noexcept {
  Placement ba;
  ba.rotation = ab.rotation.transpose();
  ba.position.noalias() = -(ba.rotation * ab.position);
  return ba;
}

}  // namespace jointrig
