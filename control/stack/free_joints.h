#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "control/stack/joint_loads.h"

namespace jointrig {

/// Joints that nothing holds, and what the others feel of them.
///
/// Computed torque chooses the accelerations of its own joints. Joints that a board's loop, a
/// closed brake or a duty's back-EMF holds have none. All others are free: in torque or cartesian
/// mode, compliant, by a PID, without their motor. Their torques τ_f are known, not their
/// accelerations:
///
///     M_ff a_f + M_fr a_r = t_f        t = τ − g(q) − C(q, v) v − b v + x
///     M_rr a_r + M_rf a_f = τ_r − …    of the rest r
///
/// so that the rest feels the Schur complement, and the free ones' torques:
///
///     τ_r = S a_r + M_rf M_ff⁻¹ t_f + …,   S = M_rr − M_rf M_ff⁻¹ M_fr
///
/// Counted with M_rr, as if the free ones stood, a loop has M_rr / S times its gain: 12 on two
/// slender links in a row, where 5.3 swings up (laws/servo_law.h). x is the load that is observed
/// (calm() of joint_loads.h): a stop, a hand, a friction that no one knows.
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

  /// Finds φ of each joint. Once per cycle, after the model's place_dynamics().
  void judge(const PlacedModel& model, Joints joints) noexcept;

  /// Finds which joints are free, S and the reaction, with the modes and torques that are known
  /// now. After judge(), any number of times.
  void find(const PlacedModel& model, Joints joints, const JointLoads& loads) noexcept;

  /// S, (n, n), rows and columns of free joints 0; the model's inertia if none is free.
  [[nodiscard]] const Eigen::MatrixXd& felt(const PlacedModel& model) const noexcept {
    return free_.empty() ? model.inertia() : felt_;
  }
  /// True if felt() may be another one than at the last call.
  [[nodiscard]] bool take_change(const PlacedModel& model) noexcept;
  /// False for all joints where computed torque moves none.
  [[nodiscard]] bool is_free(std::size_t joint) const noexcept {
    return std::binary_search(free_.begin(), free_.end(), joint);
  }
  /// Torque of the free ones on a joint that doesn't accelerate, M_rf M_ff⁻¹ t_f; 0 of the free
  /// ones [N·m or N]
  [[nodiscard]] double reaction(std::size_t joint) const noexcept { return reaction_[joint]; }

 private:
  [[nodiscard]] bool moves_freely(std::size_t joint, Joints joints) const noexcept;
  bool gather(Joints joints) noexcept;
  void factor(const PlacedModel& model) noexcept;
  void find_felt(const Eigen::MatrixXd& inertia) noexcept;

  std::vector<std::size_t> free_;      // joints, if computed torque moves others
  std::vector<double> freedom_;        // φ, by joint
  std::vector<std::size_t> factored_;  // free_ of root_
  std::vector<double> factored_with_;  // φ of root_, by place in it
  std::uint64_t inertia_number_ = 0;   // of the model's inertia that root_ is from
  std::uint64_t number_ = 1;           // of felt_
  std::uint64_t seen_inertia_ = 0;     // by take_change()
  std::uint64_t seen_number_ = 0;
  Eigen::MatrixXd root_;          // L of M_ff, with M_ii / φ: lower triangle
  Eigen::MatrixXd columns_;       // L⁻¹ M_fr, a column for each joint
  Eigen::MatrixXd felt_;          // S
  std::vector<double> torques_;   // L⁻¹ t_f
  std::vector<double> reaction_;  // by joint
};

}  // namespace jointrig
