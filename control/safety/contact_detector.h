#pragma once

#include <algorithm>
#include <optional>
#include <span>

#include "control/core/protection.h"
#include "control/core/quantity.h"
#include "control/core/robot_config.h"
#include "control/core/types.h"

namespace jointrig {

/// Thresholds of one joint.
struct ContactThresholds {
  double impact = 0.0;  ///< sudden torque [N·m or N]
  double squish = 0.0;  ///< external torque that lasts [N·m or N]
};

/// K of the observer whose external torques detection uses [1/s]: 5 ms, the rise of an impact (a
/// choice; an estimate for control needs less noise). A coarse encoder makes it slower: its steps
/// alone never reach the threshold of an impact.
inline constexpr double kContactGain = 190.0;

/// Shares of a joint's torque limit, used if robot.yaml gives no threshold. A quarter is what the
/// Sawyer's log shows for its second joint (20 N·m of 80: Rethink Robotics, "Arm Control Systems");
/// the other is a choice.
inline constexpr double kImpactShare = 0.15;
inline constexpr double kSquishShare = 0.25;
/// And at least this much of the joint's Coulomb friction. A standing joint takes any torque within
/// ± F without moving, so that no observer tells friction from a hand there: before it breaks away
/// the external torque rises to F. The half above is a choice.
inline constexpr double kFrictionShare = 1.5;

/// Threshold of an impact: the one of robot.yaml, else a share of the torque limit, above what
/// friction looks like [N·m or N].
constexpr double impact_threshold(const JointConfig& joint) noexcept {
  if (joint.impact_torque > 0.0) return joint.impact_torque;
  return std::max(kImpactShare * joint.limits.tau_max, kFrictionShare * joint.gains.friction);
}
/// Likewise of a squish.
constexpr double squish_threshold(const JointConfig& joint) noexcept {
  if (joint.squish_torque > 0.0) return joint.squish_torque;
  return std::max(kSquishShare * joint.limits.tau_max, kFrictionShare * joint.gains.friction);
}

/// Detects contacts by the external torques on joints:
///
///     impact       |tau − lowpass(tau)| > max(T_impact, 7 σ), with the time constant impact_time
///     squish       |tau| > T_squish, for squish_time without a break
///
/// σ is the noise of the torque, of an encoder mostly: the differences of an observed torque from
/// cycle to cycle have √2 times it, since the observer makes nearly white noise of a white position
/// noise. A contact, which rises in 5 ms, adds about 4 % of itself to 7 σ, a motion of 10 Hz a
/// fifth. 7 σ of normal noise are exceeded once in a year of a robot of ten joints. Until the noise
/// is known, 50 ms after the motor has come on, no impact counts.
///
/// If several joints exceed their thresholds, the joint with the largest ratio counts. The source
/// of the torques does not matter (an observer, a sensor in the joint).
///
/// Plain data: copied, saved and restored as it is. All functions are for the cycle.
class ContactDetector {
 public:
  /// Input for one joint in a cycle.
  struct Joint {
    double tau = 0.0;  ///< external torque on the joint [N·m or N]
    ContactThresholds thresholds;
    bool watch_impact = false;
    bool watch_squish = false;
    bool is_known = true;  ///< false: there is none in this cycle, since the motor's is unknown
  };
  struct Contact {
    ContactKind kind = ContactKind::kImpact;
    JointIndex joint = kNoJoint;
    double value = 0.0;  ///< torque of that joint [N·m or N]
    double threshold = 0.0;
    QuantityKind quantity = QuantityKind::kTorque;  ///< quantity of value and limit
  };

  /// Runs one cycle. An impact is reported before a squish.
  [[nodiscard]] std::optional<Contact> advance(const CollisionDetectionConfig& config,
                                               std::span<const Joint> joints, double dt) noexcept;

  /// Largest ratio of torque to threshold of all watched joints, in the last cycle.
  [[nodiscard]] double impact() const noexcept { return impact_; }
  [[nodiscard]] double squish() const noexcept { return squish_; }

 private:
  struct Memory {
    double slow = 0.0;   // low-passed torque
    double over = 0.0;   // duration of the squish so far [s]
    double last = 0.0;   // torque of the last cycle
    double noise = 0.0;  // mean square of the torque's change in a cycle
    double known = 0.0;  // how long the noise was measured [s]
    bool seen = false;
  };
  PerJoint<Memory> joints_;
  double impact_ = 0.0;
  double squish_ = 0.0;
};

}  // namespace jointrig
