#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "control/core/interaction.h"
#include "control/laws/arm_math.h"

namespace jointrig {

/// Correction by the measured force of an axis under force control: an integral,
///
///     dc/dt = K (f + s)      f asked for on the surroundings, s measured on the tool: −f
///     wanted
///
/// so that c compensates friction of the joints and errors of the model, with the time constant
/// 1/K. It integrates only while the tool is in contact, |s| above a share of |f|. Otherwise, and
/// on axes that aren't under force control, c fades with the same time constant: in free air it
/// would wind up. |c| stays within half the cap of the force, |f + c| within the cap.
///
/// (Siciliano, Sciavicco, Villani, Oriolo 2009, "Robotics: Modelling, Planning and Control", 9.4,
/// for the integral; the rest are choices.) Plain data. For the cycle.
class ForceFeedback {
 public:
  static constexpr double kContactShare = 0.2;  ///< of |f|
  /// Smallest force of a contact: above the noise of usual sensors [N, N·m].
  static constexpr double kLeastForce = 0.5;
  static constexpr double kLeastTorque = 0.05;

  void restart() noexcept { added_.setZero(); }

  /// Runs one cycle.
  /// @param gain  K [1/s]
  /// @param asked  f along and about the axes of the interaction frame [N, N·m]
  /// @param sensed  s, likewise, at its origin; none: unknown
  /// @param cap  largest |f| [N, N·m]
  /// @return f + c on axes under force control, f on the others
  Vector6 advance(const std::array<InteractionAxis, 6>& axes, double gain, const Vector6& asked,
                  const Vector6* sensed, const std::array<double, 6>& cap, double dt) noexcept {
    Vector6 force = asked;
    const double share = std::min(gain * dt, 1.0);
    for (int i = 0; i < 6; ++i) {
      const auto axis = static_cast<std::size_t>(i);
      double& c = added_[i];
      const double least =
          std::max(kContactShare * std::abs(asked[i]), i < 3 ? kLeastForce : kLeastTorque);
      const bool is_force = !has_spring(axes[axis]);
      const bool counts = is_force && sensed != nullptr && std::abs((*sensed)[i]) > least;
      c += share * (counts ? asked[i] + (*sensed)[i] : -c);
      const double most = 0.5 * cap[axis];
      c = std::clamp(c, -most, most);
      c = std::clamp(c, -cap[axis] - asked[i], cap[axis] - asked[i]);
      if (is_force) force[i] += c;
    }
    return force;
  }

  /// c [N, N·m]
  [[nodiscard]] const Vector6& added() const noexcept { return added_; }

 private:
  Vector6 added_ = Vector6::Zero();
};

}  // namespace jointrig
