#pragma once
/// Rows of a message that are given in another frame than the stance.
///
///     place        x_S = p + R x_F
///     orientation  q_S = l ⊗ q_F ⊗ r
///     velocities   v_S = R v_F,  ω_S = W ω_F: the frame counts as at rest
///
/// For a pose, p and R are the frame's in the stance, l = R, W = R and r = 1. For a turn from the
/// start (T: how the frame has turned since then, in the stance's axes): l = T, W = T, r = 1. For a
/// turn in the world, A being the stance's axes there: l = Aᵀ, r = A, W = Aᵀ.

#include <Eigen/Geometry>
#include <cstddef>
#include <span>

namespace jointrig {

struct GivenFrame {
  Eigen::Vector3d origin = Eigen::Vector3d::Zero();           ///< p [m]
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();         ///< R
  Eigen::Quaterniond left = Eigen::Quaterniond::Identity();   ///< l
  Eigen::Quaterniond right = Eigen::Quaterniond::Identity();  ///< r
  Eigen::Matrix3d turning = Eigen::Matrix3d::Identity();      ///< W
};

/// Numbers of a row behind its time: a place, an orientation, and the velocities of both.
struct RowShape {
  bool has_place = false;
  bool has_velocities = false;

  [[nodiscard]] std::size_t width() const noexcept {
    const std::size_t place = has_place ? 3 : 0;
    return 1 + place + 4 + (has_velocities ? place + 3 : 0);
  }
};

/// Rewrites whole rows; numbers behind the last one stay. The length of a quaternion stays, so that
/// the rule for it holds of what was sent.
void to_stance(const GivenFrame& frame, RowShape shape, std::span<double> rows) noexcept;

}  // namespace jointrig
