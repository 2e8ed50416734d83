#pragma once
/// Actuators over fixed tendons that drive joints which all follow one.
///
/// A fixed tendon has the length l = Σ cᵢ qᵢ, and an actuator of gear g that pulls with F puts the
/// torque g cᵢ F on joint i. Where equalities of the model tie all joints of a tendon to one leader
/// L at constant slopes, qᵢ = rᵢ q_L + …, the virtual work of F is that of one torque at the
/// leader,
///
///     δW = g F δl = g R F δq_L        R = Σ cᵢ rᵢ
///
/// so that the same actuator on the leader itself, with the gear g R, drives the hand.

#include <mujoco/mujoco.h>

#include <string>
#include <vector>

namespace jointrig {

struct TendonLead {
  std::string actuator;
  std::string tendon;
  std::string leader;               ///< joint that the actuator drives now
  std::vector<std::string> joints;  ///< of the tendon, in its order
  double slope = 0.0;               ///< R
};

/// Hands these actuators over to the leaders in `spec`: same law, same controls, its biases moved
/// by the tendon's length at q_L = 0. Others stay: over tendons with sites, with joints that no
/// equality ties, at slopes that change or R = 0; muscles, and laws that are not affine.
///
/// @param model  the compiled spec
std::vector<TendonLead> lead_tendons(mjSpec& spec, const mjModel& model);

/// Equalities that would let lead_tendons() hand over the tendons that it leaves because nothing
/// ties their joints: elements of a model's <equality>, one a line. The first joint of a tendon
/// leads. As the tendon goes from its shortest to its longest each joint goes from end to end,
///
///     qᵢ = eᵢ + rᵢ (q_L − e_L)        rᵢ = sgn(cᵢ c_L) spanᵢ / span_L
///
/// with e the end of a joint's range at the shortest tendon; without a range of both rᵢ = ± 1, from
/// qpos0. None for a tendon with a joint that has an actuator of its own, a part in an equality, or
/// in another tendon with an actuator.
std::vector<std::string> tendon_ties(const mjModel& model);

}  // namespace jointrig
