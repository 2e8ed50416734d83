#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "control/core/free_rotation.h"
#include "control/planning/frame_kinematics.h"

namespace jointrig {

/// How near a pose of a tool is to a singular one: the smallest singular value of its Jacobian, of
/// the tool's twist per joint speed, in the direction that asks for the most of the joints. 0:
/// singular. The Jacobian's rows are those of the task alone, along the tool's own axes and times
/// the task's weights [1, m/rad].
///
/// Rows that the joints drive in no posture don't count: an arm of four joints whose tool always
/// stands upright follows paths on which it does, and its rank, 4 of 6 rows, says nothing of the
/// pose. So of the singular values the r-th largest is told, with r the rank that the Jacobian has
/// in most postures.
class SingularValue {
 public:
  /// @param kinematics  of the joints; looked at in some postures, to be updated again
  /// @param weights  of the axes, with 0 for those that are free; rotations about held_axes()
  /// @param ranges  of the joints; may be infinite
  SingularValue(FrameKinematics& kinematics, std::size_t pair, const std::array<double, 6>& weights,
                FreeRotation free, std::span<const JointRange> ranges);

  /// At the last update_jacobians() [m/rad].
  [[nodiscard]] double at(const FrameKinematics& kinematics) const;

  /// r.
  [[nodiscard]] std::size_t rank() const noexcept { return rank_; }
  /// The joints can't have every twist of the rows: goals are reached only where they fit.
  [[nodiscard]] bool is_bound() const noexcept { return rank_ < rows_.size(); }

 private:
  /// Of J Jᵀ, rising; allocates.
  [[nodiscard]] std::vector<double> squares(const FrameKinematics& kinematics) const;

  std::size_t pair_;
  std::array<double, 6> weights_;
  FreeRotation free_;
  std::vector<std::size_t> rows_;
  std::size_t rank_ = 0;
};

}  // namespace jointrig
