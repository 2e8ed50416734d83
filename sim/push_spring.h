#pragma once

#include "sim/plant.h"

namespace jointrig::sim {

/// A spring from a point of a body to a point of the world, pulled by a hand.
struct SpringPull {
  BodyId body = BodyId::kNone;
  Vector3 point{};         ///< on the body, in its frame [m]
  Vector3 target{};        ///< in the world [m]
  double stiffness = 0.0;  ///< k [N/m]
};

/// Pulls at a body of a plant:
///
///     F = k (target - p) - d dp/dt,   |F| ≤ kMostForce
///     d = 2 ζ √(k m),  ζ = 0.7
///
///     p   the point on the body, in the world [m]
///     m   mass of the body with all bodies that it carries [kg]
///
/// k is lowered if a light body would oscillate at the period h: k ≤ m (0.2 / h)².
///
/// The loop's thread, between cycles; allocates nothing.
class PushSpring {
 public:
  static constexpr double kMostForce = 200.0;  ///< [N] choice: the pull of a strong hand

  /// `plant` outlives it.
  PushSpring(Plant& plant, TimeNs period_ns) noexcept : plant_(&plant), period_ns_(period_ns) {}

  /// Pulls in the next period. Call in each cycle while it pulls.
  void pull(const SpringPull& pull) noexcept;
  void let_go() noexcept;

  /// Force in the next period [N].
  [[nodiscard]] const Vector3& force() const noexcept { return force_; }

 private:
  Plant* plant_;
  TimeNs period_ns_;
  BodyId body_ = BodyId::kNone;  ///< the held body; its point was at before_
  Vector3 before_{};
  Vector3 force_{};
};

}  // namespace jointrig::sim
