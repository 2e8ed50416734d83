#pragma once

#include <array>
#include <cstddef>
#include <span>

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
  /// @param axes  orientation of the pair's reference in the frame whose x, y and z are free
  SingularValue(FrameKinematics& kinematics, std::size_t pair, const std::array<double, 6>& weights,
                FreeRotation free, std::span<const JointRange> ranges,
                const Eigen::Matrix3d& axes = Eigen::Matrix3d::Identity());

  /// At the last update_jacobians() [m/rad]. Allocates nothing.
  [[nodiscard]] double at(const FrameKinematics& kinematics,
                          const Eigen::Matrix3d& axes = Eigen::Matrix3d::Identity()) const noexcept;

  /// r.
  [[nodiscard]] std::size_t rank() const noexcept { return rank_; }
  /// The joints can't have every twist of the rows: goals are reached only where they fit.
  [[nodiscard]] bool is_bound() const noexcept { return rank_ < row_count_; }
  /// The joints have the same twists of the rows in each posture: all, or always along and about
  /// the same axes of the tool. So a twist that they can have once they can have on and on,
  /// and the rest is held by itself.
  [[nodiscard]] bool holds() const noexcept { return rank_ == reached_; }

 private:
  /// J Jᵀ
  using Square = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, 6, 6>;
  [[nodiscard]] Square square(const FrameKinematics& kinematics,
                              const Eigen::Matrix3d& axes) const noexcept;

  std::size_t pair_;
  std::array<double, 6> weights_;
  FreeRotation free_;
  std::array<std::size_t, 6> rows_{};  ///< the first `row_count_` of them
  std::size_t row_count_ = 0;
  std::size_t rank_ = 0;
  std::size_t reached_ = 0;  ///< rank of all postures together
};

}  // namespace jointrig
