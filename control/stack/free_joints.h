#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "control/stack/joint_loads.h"

namespace jointrig {

/// Joints that nothing holds, and what the others feel of them.
///
/// Computed torque chooses the accelerations of its own joints. Joints that a board's loop, a
/// closed brake or a duty's back-EMF holds have none; so count those of boards that are lost or not
/// set up. All others are free: in torque or cartesian mode, compliant, by a PID, without their
/// motor. Their torques τ_f are known, not their accelerations:
///
///     M_ff a_f + M_fr a_r = t_f        t = τ − g(q) − C(q, v) v − b v + x
///     M_rr a_r + M_rf a_f = τ_r − …    of the rest r
///
/// so that a_f = M_ff⁻¹ (t_f − M_fr a_r), and the rest feels the Schur complement, and the free
/// ones' torques:
///
///     τ_r = M_rr a_r + M_rf a_f + … = S a_r + M_rf M_ff⁻¹ t_f + …,   S = M_rr − M_rf M_ff⁻¹ M_fr
///
/// Counted with M_rr, as if the free ones stood, a loop has M_rr / S times its gain: 12 on two
/// slender links in a row, where 5.3 swings up (laws/servo_law.h). x is the load that is observed
/// (calm() of joint_loads.h): a stop, a hand, a friction that no one knows. A false reading of v is
/// an impulse M Δv that isn't there: answered, it threw the joints of a well arm by 0.5 rad.
///
/// Friction f that the laws know holds a joint before any observer sees it. Its share of freedom φ
/// goes from 0, where it stands and its torque is less than f, to 1 where it moves faster than
/// friction could end within 5 ms, or where its torque is 2 f:
///
///     φ = clamp((v M_ii / (5 ms f))² + max(0, |τ − g| / f − 1), 0, 1)
///
/// and its inertia counts as M_ii / φ. So nothing switches between a geared joint that stands and
/// one that is driven through. φ is 1 without friction.
///
/// Functions are for the cycle unless they say otherwise.
class FreeJoints {
 public:
  /// Not for the cycle.
  explicit FreeJoints(std::size_t joint_count);

  /// Finds which joints are free, and puts their accelerations a_f beside a_r. Once per cycle,
  /// after the model's place_dynamics(), with the modes and torques that are known then.
  /// @param moved  by joint: computed torque moves it
  /// @param accelerations  by joint: a_r, 0 of the others; then a_f of the free ones, too
  void find(const PlacedModel& model, Joints joints, const JointLoads& loads,
            std::span<const std::uint8_t> moved, std::span<double> accelerations) noexcept;

  /// S, (n, n), rows and columns of free joints 0; the model's inertia if none is free.
  [[nodiscard]] const Eigen::MatrixXd& felt(const PlacedModel& model) noexcept;

 private:
  void judge(std::size_t joint, const PlacedModel& model, Joints joints) noexcept;
  [[nodiscard]] bool moves_freely(std::size_t joint, const PlacedModel& model,
                                  Joints joints) noexcept;
  bool gather(const PlacedModel& model, Joints joints,
              std::span<const std::uint8_t> moved) noexcept;
  void factor(const PlacedModel& model) noexcept;
  void find_felt(const Eigen::MatrixXd& inertia) noexcept;

  std::vector<std::size_t> free_;      // joints, if computed torque moves others
  std::vector<double> freedom_;        // φ, by joint
  std::vector<std::size_t> factored_;  // free_ of root_
  std::vector<double> factored_with_;  // φ of root_, by place in it
  std::uint64_t inertia_number_ = 0;   // of the model's inertia that root_ is from
  Eigen::MatrixXd root_;               // L of M_ff, with M_ii / φ: lower triangle
  Eigen::MatrixXd columns_;            // L⁻¹ M_fr, a column for each joint
  Eigen::MatrixXd felt_;               // S
  std::vector<double> torques_;        // t_f − M_fr a_r, then a_f
};

}  // namespace jointrig
