#pragma once
/// A path through waypoints in time, for a part of the body: up to kMaxMessageJoints coordinates,
/// and an orientation.
///
/// Between two waypoints it is a polynomial of fifth degree, so that position, velocity and
/// acceleration are continuous. At an inner waypoint the velocity is the harmonic mean of the mean
/// velocities before and after, 0 where these differ in sign, so that a path from rest never leaves
/// the interval between neighbouring waypoints (Fritsch and Butland 1984, "A method for
/// constructing local monotone piecewise cubic interpolants"), and no speed exceeds twice the
/// largest mean speed; the acceleration is 0. At the last waypoint it is at rest.
///
/// A start in motion comes to rest within kBlendTime beside that: to the path from rest, which
/// starts where the old motion would have ended, what is left of the old motion is added. The speed
/// is continuous; the acceleration jumps there.
///
/// With velocities at its waypoints the path is a polynomial of third degree between two of them
/// (Hermite), so that position and velocity are continuous, and goes on from the velocity at its
/// start; it need not be at rest at its end. Bounds of place and speed on the way are the hulls of
/// its Bézier form, halved once: exact for uniform motion and from rest to rest.
///
/// An orientation goes by the rotation vector φ from the waypoint before: R = exp(φ) R_i, and
/// ω = J(φ) φ̇ with the left Jacobian J of SO(3).

#include <Eigen/Core>
#include <array>

#include "control/core/body_commands.h"

namespace jointrig {

/// A place, with velocity and acceleration. Coordinates beyond those of the part are 0.
struct BodyPoint {
  using Coordinates = Eigen::Matrix<double, kMaxMessageJoints, 1>;

  Coordinates x = Coordinates::Zero();  ///< [m or rad]
  Coordinates v = Coordinates::Zero();
  Coordinates a = Coordinates::Zero();
  Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();
  Eigen::Vector3d turning =
      Eigen::Vector3d::Zero();  ///< ω, in the axes of `rotation`'s base [rad/s]
  Eigen::Vector3d turning_rate = Eigen::Vector3d::Zero();  ///< [rad/s²]
};

class BodyPath {
 public:
  static constexpr std::size_t kMost = kMaxWaypoints + 1;  ///< with the one in front
  static constexpr double kBlendTime = 0.3;                ///< s: a choice

  void clear() noexcept { count_ = 0; }
  /// Adds a waypoint; times rise. Of the first, the velocity counts, too; with shape_through(), of
  /// each.
  void add(double time, const BodyPoint& point) noexcept;
  /// After the last waypoint was added, before the first sample: one of these two.
  void shape() noexcept;
  void shape_through() noexcept;

  [[nodiscard]] bool empty() const noexcept { return count_ == 0; }
  [[nodiscard]] double duration() const noexcept { return time_[count_ - 1]; }
  [[nodiscard]] const BodyPoint& back() const noexcept { return points_[count_ - 1]; }
  /// Beyond the ends: at rest there.
  [[nodiscard]] BodyPoint at(double time) const noexcept;

  /// Velocity at the start that is blended out; none after shape_through().
  [[nodiscard]] const BodyPoint& old_motion() const noexcept { return old_; }
  /// True if it passes its last waypoint in motion.
  [[nodiscard]] bool ends_in_motion() const noexcept;

  /// Bound of the speed of the path from rest: twice the largest mean one; after shape_through() of
  /// the whole path. Of one coordinate.
  [[nodiscard]] double coordinate_speed(int coordinate) const noexcept;
  /// Likewise of the first three coordinates as a place [m/s].
  [[nodiscard]] double place_speed() const noexcept;
  [[nodiscard]] double turn_speed() const noexcept;  ///< [rad/s]
  struct Reach {
    double low = 0.0;
    double high = 0.0;
  };
  /// Bounds of one coordinate on the way to waypoint i, from 1. After shape_through().
  [[nodiscard]] Reach reach(std::size_t i, int coordinate) const noexcept;

 private:
  [[nodiscard]] double span(std::size_t i) const noexcept { return time_[i + 1] - time_[i]; }
  [[nodiscard]] BodyPoint within(std::size_t i, double t) const noexcept;
  void start_from_rest() noexcept;
  void add_old_motion(double time, BodyPoint& point) const noexcept;
  void turn(std::size_t i, double t, BodyPoint& point) const noexcept;

  bool is_cubic_ = false;
  std::size_t count_ = 0;
  std::array<double, kMost> time_{};
  std::array<BodyPoint, kMost> points_;
  BodyPoint old_;            ///< v and turning at the start
  double blend_time_ = 0.0;  ///< s
};

/// R = exp(φ).
Eigen::Matrix3d turned_by(const Eigen::Vector3d& phi) noexcept;

}  // namespace jointrig
