#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "control/laws/least_constraint.h"
#include "control/stack/free_joints.h"
#include "control/stack/joint_loads.h"

namespace jointrig {

/// Torques of the joints that the stiff law moves by acceleration (laws/servo_law.h):
///
///     τ = M(q) a + C(q, v) v + b v_ref + τ_f − r        beside gravity
///
/// with a the accelerations that their servos ask for, those that follow of the joints that nothing
/// holds (free_joints.h), 0 of the others, b the joint's own viscous friction, τ_f the torque
/// against its Coulomb friction
/// (laws/friction_aid.h) and what a trajectory's sample feeds forward, and r the load that the
/// model lacks (joint_loads.h), in the place of an integral. Against the repulsion of collision
/// avoidance the error from a stream of positions counts for no more than a share of the torque, so
/// that avoidance wins. The other joints don't count on torque that one motor can't give
/// (laws/least_constraint.h).
///
/// **Springs in kinematic loops.** Behind such a spring the inertia depends on how fast a motion
/// is, I(s) from I(0) with the spring standing to I(∞) with it free (model/loop_closure.h), and the
/// law counts with both:
///
///     τ = I(0) a_ref + I(∞) (a − a_ref) + …
///
/// With a − a_ref = C(s) e, C = ω² + 2ζω s, and the observer of the load, whose momentum is
/// I_p v, the motion of the joint obeys
///
///     [I(s) s² + I_p ω_o s + (1 + ω_o/s) M_fb C(s)] e
///         = [I(s) − M_ff + (ω_o/s) (I_p − M_ff)] a_ref
///
/// On the right a reference, which is slow for the spring, leaves an error of s² at most if and
/// only if M_ff = I_p = I(0). On the left the delay decides at the frequencies where the loop's
/// gain 2ζω M_fb / (I(s) s) falls to 1: there I(s) is I(∞), and any M_fb above it has M_fb / I(∞)
/// times the gain that the delay allows (kLoopShare). One number in both places fails one of the
/// two. Cassie's knee has I(0) = 0.49 and I(∞) = 0.11 kg·m², its leg swings on the springs at
/// 74 rad/s: counted with I(∞) it overshoots by 14 %, with I(0) it swings up at ω = 55 rad/s.
///
/// Functions are for the cycle unless they say otherwise.
class ComputedTorque {
 public:
  /// Share of a joint's torque rate that the jerk of a streamed reference may use.
  static constexpr double kShareOfRate = 0.4;

  /// Not for the cycle.
  explicit ComputedTorque(std::size_t joint_count)
      : moved_(joint_count),
        shares_(joint_count),
        inertia_(joint_count),
        free_(std::make_unique<FreeJoints>(joint_count)),
        bias_(joint_count),
        rooms_(joint_count),
        accelerations_(joint_count),
        torques_(joint_count),
        bounds_(joint_count),
        shared_(joint_count) {}

  /// Computes the room of each joint's motion, before the joints are planned.
  void prepare(PlacedModel& model, Joints joints, const JointLoads& loads) noexcept;
  [[nodiscard]] const MotionRoom& room(std::size_t joint) const noexcept { return rooms_[joint]; }

  /// Finds which joints it moves, after they are planned.
  void choose(Joints joints) noexcept;
  [[nodiscard]] bool moves(std::size_t joint) const noexcept { return moved_[joint] != 0; }

  /// Computes the torques, after choose(), and after the joints that it doesn't move are driven:
  /// their torques are known, then.
  void advance(PlacedModel& model, Joints joints, JointLoads& loads,
               std::span<const JointControl::Guard> guards) noexcept;

  /// Torque beside gravity, for a joint that it moves [N·m or N].
  [[nodiscard]] double torque(std::size_t joint) const noexcept { return torques_[joint]; }

 private:
  void find_brake_shares(const PlacedModel& model, Joints joints) noexcept;
  void find_inertia(const PlacedModel& model, Joints joints) noexcept;
  [[nodiscard]] double acceleration(std::size_t joint, Joints joints,
                                    double repulsion) const noexcept;
  void add_springs(const PlacedModel& model, Joints joints) noexcept;
  void share_bounds(const PlacedModel& model, Joints joints,
                    std::span<const JointControl::Guard> guards) noexcept;

  std::vector<std::uint8_t> moved_;   // by joint: whether it moves it
  std::vector<double> shares_;        // by joint: 1 / tau_max
  std::vector<double> inertia_;       // by joint: J*
  std::uint64_t inertia_number_ = 0;  // of the model's inertia that J* is from
  std::unique_ptr<FreeJoints> free_;
  std::vector<double> bias_;                     // by joint: torque at no acceleration
  std::vector<MotionRoom> rooms_;                // by joint
  std::vector<double> accelerations_;            // by joint, asked for
  std::vector<double> torques_;                  // by joint
  std::vector<LeastConstraint::Bounds> bounds_;  // by joint, of torques_
  LeastConstraint shared_;
};

}  // namespace jointrig
