#pragma once
/// Wrenches on a tool: from the torques of the joints that carry it, and moved from one point to
/// another.

#include "control/laws/arm_math.h"

namespace jointrig {

/// Directions in which the joints move or feel the tool less than this fade out: least eigenvalue
/// of J Jᵀ [m², with rad for m of the rotations] (a choice: at 0.05 m from the axis of the only
/// joint that feels a force).
inline constexpr double kLeastFelt = 0.05 * 0.05;

/// The wrench at the tool that fits the torques of the joints best, F of least |Jᵀ F − tau|:
///
///     F = (J Jᵀ + λ² 1)⁻¹ J tau        λ² = kLeastFelt (1 − m / kLeastFelt)²  where m < kLeastFelt
///                                       m  = 1 / |(J Jᵀ)⁻¹|, Frobenius; λ = 0 elsewhere
///
/// m lies between the least eigenvalue of J Jᵀ and its √6-th part. Away from singularities F is the
/// wrench at the tool; near them, where torques depend little on a force, F stays below |tau| / 2λ
/// and is continuous (Nakamura, Hanafusa 1986, for the same problem with velocities).
///
/// @return  linear, then angular, along the axes of J [N, N·m]
Vector6 wrench_of_torques(const ArmJacobian& jacobian, const ArmVector& tau) noexcept;

/// Moves the wrench (f, t) at `from` to `to`: (f, t + (from − to) × f).
Vector6 moved_wrench(const Vector6& wrench, const Eigen::Vector3d& from,
                     const Eigen::Vector3d& to) noexcept;

/// Transforms a wrench to other axes: the columns of `rotation` are the old axes in the new frame.
Vector6 turned_wrench(const Vector6& wrench, const Eigen::Matrix3d& rotation) noexcept;

}  // namespace jointrig
