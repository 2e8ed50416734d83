#pragma once

#include <optional>
#include <span>

#include "control/core/protection.h"
#include "control/core/quantity.h"
#include "control/core/types.h"

namespace jointrig {

/// Thresholds of one joint.
struct ContactThresholds {
  double impact = 0.0;  ///< of a sudden torque [N·m or N]
  double squish = 0.0;  ///< of an external torque that lasts [N·m or N]
};

/// K of the observer of external torques that detection listens to [1/s]: 5 ms, the rise of an
/// impact (a choice; an estimate for control is better off with less noise).
inline constexpr double kContactGain = 190.0;

/// Parts of a joint's torque limit where its file says nothing. A quarter is what the Sawyer's
/// log shows for its second joint (20 N·m of 80: Rethink Robotics, "Arm Control Systems"); the
/// other is a choice.
inline constexpr double kImpactShare = 0.15;
inline constexpr double kSquishShare = 0.25;

/// Tells contacts by the torques that act on joints beside their motors:
///
///     impact       |tau − lowpass(tau)| > T_impact, with the time constant impact_time
///     squish       |tau| > T_squish, for squish_time without a break
///
/// Of several joints over their threshold the one whose share of it is largest counts. It knows
/// nothing of how those torques come about (an observer, a sensor in the joint).
///
/// Plain data: copied, saved and restored as it is. All functions are for the cycle.
class ContactDetector {
 public:
  /// What a joint is looked at for in a cycle.
  struct Joint {
    double tau = 0.0;  ///< external, of everything around it on the joint [N·m or N]
    ContactThresholds thresholds;
    bool watch_impact = false;
    bool watch_squish = false;
  };
  struct Contact {
    ContactKind kind = ContactKind::kImpact;
    JointIndex joint = kNoJoint;
    double value = 0.0;  ///< of that joint [N·m or N]
    double threshold = 0.0;
    QuantityKind quantity = QuantityKind::kTorque;  ///< of both
  };

  /// One cycle. An impact is told before a squish.
  [[nodiscard]] std::optional<Contact> advance(const CollisionDetectionConfig& config,
                                               std::span<const Joint> joints, double dt) noexcept;

  /// Largest of all joints watched, as a part of its threshold. Of the last cycle.
  [[nodiscard]] double impact() const noexcept { return impact_; }
  [[nodiscard]] double squish() const noexcept { return squish_; }

 private:
  struct Memory {
    double slow = 0.0;  // lowpass of its torque
    double over = 0.0;  // s for which a squish has lasted
    bool seen = false;
  };
  PerJoint<Memory> joints_;
  double impact_ = 0.0;
  double squish_ = 0.0;
};

}  // namespace jointrig
