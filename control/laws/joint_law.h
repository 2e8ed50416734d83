#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "control/core/plan_execution.h"
#include "control/core/robot_config.h"
#include "control/core/snapshot.h"

namespace jointrig {

/// The laws of one joint on a board that takes torque, with e = q_ref − q and de = v_ref − v:
///
///     stiff      tau = computed + g(q), by the dynamics of all joints; or, for a joint that was
///                given kp, ki or kd,
///                tau = kp e + ki ∫e dt + kd de + I a_ref + g(q)
///     compliant  tau = stiffness e + damping de + g(q)
///     torque     tau = tau_ref + g(q)
///     duty       tau = tau_ref                 (torque of a duty cycle at this speed)
///     damp       tau = −kd v / 10 + g(q)
///     arm        tau = tau_arm + g(q)          (torque from the joint's arm)
///
/// and to each the torque of laws of one's own (core/user_law.h), where they act, or that of a
/// trajectory's sample (StreamTrajectory).
///
///     g(q)  torque that holds the joint at rest [N·m or N]; 0 if the board adds it
///     I     inertia that the motor feels [kg·m² or kg]
///
/// The reference's acceleration may step, by a_max where braking begins. I a_ref follows it at a
/// bounded rate, from zero if the previous law had no such term, so that the start of a motion and
/// a change of law in motion are bumpless.
///
/// In torque mode tau_ref is the joint's torque on the world: gravity is added, as in libfranka and
/// the Sawyer (JointConfig::gravity_in_torque switches it off). damp is a gentle reaction to
/// silence: a tenth of the stiff damping.
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
  double gravity = 0.0;  ///< g(q)
  /// Torque of the stiff law beside gravity, in the place of the PID's [N·m or N]
  std::optional<double> computed = std::nullopt;
  double added = 0.0;      ///< torque of laws of one's own, or of a sample [N·m or N]
  double stiffness = 0.0;  ///< stiffness of compliant
  double damping = 0.0;    ///< damping of compliant
  PlanExecution execution = PlanExecution::kInverseDynamics;  ///< of stiff, by the caller
  /// Largest rate of I a_ref [N·m/s or N/s]
  double feedforward_rate = std::numeric_limits<double>::infinity();
};

/// One joint's law with its state: the integral, and the torque to blend out after a change of law.
/// When the law, its gains or a plan's execution change while the joint drives, the torque starts
/// from the one sent in the last cycles, without the noise of a velocity, and reaches the new law's
/// linearly in kBlendTime: the change is bumpless. A joint that was off starts with the new law at
/// once, under the torque-rate limit, since a slow start would let it sag; so does computed torque
/// after a duty, since a slow start would take the braking of a STOP away.
///
/// Plain data: copied, saved and restored as it is. All functions are for the cycle.
class JointLaw {
 public:
  static constexpr double kBlendTime = 0.1;     // s: a choice between a jolt and a sluggish switch
  static constexpr double kSteadyTime = 0.005;  // s, of the filter on the torque sent: a choice
  /// s for I a_ref from 0 to I a_max (a choice: a path that reaches a_max in 60 ms has less jerk,
  /// and is not delayed).
  static constexpr double kFeedforwardTime = 0.02;

  /// Resets the state: the joint is off.
  void reset() noexcept { *this = JointLaw{}; }

  /// The torque of this cycle. [N·m or N]
  double torque(Law law, const LawInput& input, const JointGains& gains, double tau_max,
                double dt) noexcept;

  /// Parts of the last torque: from the model, g(q) and I a_ref; and from the compliant law.
  [[nodiscard]] double of_model() const noexcept { return of_model_; }
  [[nodiscard]] double of_compliance() const noexcept { return of_compliance_; }

  /// Call with the torque after safety: the integral doesn't grow against a limit.
  void sent(double tau) noexcept;

 private:
  double raw(Law law, const LawInput& input, const JointGains& gains, double tau_max,
             double dt) noexcept;

  double feedforward_ = 0.0;  // I a_ref, at its bounded rate
  double of_model_ = 0.0;
  double of_compliance_ = 0.0;
  double integral_ = 0.0;     // ki ∫e dt
  double last_growth_ = 0.0;  // growth of the integral in this cycle
  double last_wanted_ = 0.0;
  double steady_ = 0.0;  // torque sent, filtered
  double steady_share_ = 1.0;
  double blend_ = 0.0;       // difference at the start of the blend, which fades out
  double blend_left_ = 0.0;  // s
  double stiffness_ = 0.0;   // position and velocity gain of the law in the last cycle
  double damping_ = 0.0;
  Law law_ = Law::kStiff;
  PlanExecution execution_ = PlanExecution::kInverseDynamics;
  bool is_computed_ = false;
  bool running_ = false;
};

}  // namespace jointrig
