#pragma once

#include <cstdint>
#include <limits>

#include "control/core/robot_config.h"
#include "control/core/snapshot.h"

namespace jointrig {

/// The laws of one joint on a board that takes torque, with e = q_ref − q and de = v_ref − v:
///
///     stiff      tau = kp e + ki ∫e dt + kd de + I a_ref + g(q)
///     compliant  tau = stiffness e + damping de + g(q)
///     torque     tau = tau_ref + g(q)
///     duty       tau = tau_ref                 (the torque that a duty cycle gives at this speed)
///     damp       tau = −kd v / 10 + g(q)
///     arm        tau = tau_arm + g(q)          (what the joint's arm asks of it)
///
///     g(q)  torque that holds the joint where it is [N·m or N]; 0 where the board adds it itself
///     I     inertia that the motor feels [kg·m² or kg]
///
/// The reference's acceleration may step, by a_max where it begins to brake; I a_ref follows it at
/// a bounded rate, from zero where the law before had no such term, so that neither a motion's
/// start nor a change of law in motion is a jolt.
///
/// In torque mode tau_ref is what the joint gives to the world: gravity goes on top, as libfranka
/// and the Sawyer have it (JointConfig::gravity_in_torque turns it off). damp is the reaction to
/// silence that lets go gently: a tenth of the stiff damping.
#define JOINTRIG_LAWS(X)     \
  X(kStiff, "stiff")         \
  X(kCompliant, "compliant") \
  X(kTorque, "torque")       \
  X(kDuty, "duty")           \
  X(kDamp, "damp")           \
  X(kArm, "arm")
JOINTRIG_ENUM(Law, JOINTRIG_LAWS)

struct LawInput {
  double q = 0.0;
  double v = 0.0;
  JointReference reference;
  double gravity = 0.0;    ///< g(q)
  double stiffness = 0.0;  ///< of compliant
  double damping = 0.0;    ///< of compliant
  /// By which I a_ref changes at most [N·m/s or N/s]
  double feedforward_rate = std::numeric_limits<double>::infinity();
};

/// One joint's law and what it remembers: the integral, and the torque that a change of law has to
/// blend out. When the law or its gains change while the joint drives, the torque goes on from the
/// one last sent and reaches the new law's in kBlendTime, linearly; a joint that was off starts
/// with the new law at once, under the torque-rate limit, since a slow start would let it sag.
///
/// Plain data: copied, saved and restored as it is. All functions are for the cycle.
class JointLaw {
 public:
  static constexpr double kBlendTime = 0.1;  // s: a choice between a jolt and a sluggish switch
  /// s for I a_ref from 0 to I a_max (a choice: the jerk of a path that reaches a_max in 60 ms is
  /// less, paths are not delayed).
  static constexpr double kFeedforwardTime = 0.02;

  /// Forgets everything: the joint is off.
  void reset() noexcept { *this = JointLaw{}; }

  /// The torque of this cycle. [N·m or N]
  double torque(Law law, const LawInput& input, const JointGains& gains, double tau_max,
                double dt) noexcept;

  /// What of the last torque the model asked for: g(q), and I a_ref; and what compliant asked for.
  [[nodiscard]] double of_model() const noexcept { return of_model_; }
  [[nodiscard]] double of_compliance() const noexcept { return of_compliance_; }

  /// What safety made of it: the integral doesn't grow against a limit.
  void sent(double tau) noexcept;

 private:
  double raw(Law law, const LawInput& input, const JointGains& gains, double tau_max,
             double dt) noexcept;

  double feedforward_ = 0.0;  // I a_ref, at its bounded rate
  double of_model_ = 0.0;
  double of_compliance_ = 0.0;
  double integral_ = 0.0;     // ki ∫e dt
  double last_growth_ = 0.0;  // of the integral, in this cycle
  double last_wanted_ = 0.0;
  double last_sent_ = 0.0;
  double blend_ = 0.0;       // torque still to be blended out at the start of the blend
  double blend_left_ = 0.0;  // s
  double stiffness_ = 0.0;   // position and velocity gain of the law in the last cycle
  double damping_ = 0.0;
  Law law_ = Law::kStiff;
  bool running_ = false;
};

}  // namespace jointrig
