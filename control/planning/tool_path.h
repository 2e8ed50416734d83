#pragma once
/// Path of a tool through poses: straight from one to the next, with arcs at the corners.
///
///     way       p = p_0 + σ (p_1 − p_0)      R = R_0 exp(σ θ)      θ = log(R_0ᵀ R_1), σ = 0 .. 1
///     corner    an arc of a circle that touches both ways at the corner distance d from the
///               waypoint, of radius d / tan(φ/2) at a turn by φ, and
///               R = R_w exp(−a(τ) θ_a) exp(a(1 − τ) θ_b)             τ = 0 .. 1 along the arc
///
/// with θ_a, θ_b the turns that the two ways have within d, and a(τ) the cubic that goes on with
/// the rate of the way before and ends at 0 with the rate 0. So position and orientation pass a
/// corner without a step of velocity. Without a corner distance the path stops at the waypoint,
/// unless both ways go on in the same direction with the same turn for each metre.
///
/// The parameter s is the length of the way [m]; of a way that only turns, kMetresPerRadian times
/// its angle. Corner distances are cut to half of the shorter way.
///
/// Source: the slerp of quaternions, Shoemake 1985, "Animating Rotation with Quaternion Curves".
/// Allocates: for planning, outside the loop.

#include <cstddef>
#include <vector>

#include "control/laws/arm_math.h"

namespace jointrig {

class ToolPath {
 public:
  static constexpr double kMetresPerRadian = 0.3;

  struct Point {
    Placement pose;
    double corner_distance = 0.0;  ///< [m]
  };

  /// A part of the path without a step of its derivatives: a way, or half of a corner.
  struct Part {
    double begin = 0.0;        ///< s
    double end = 0.0;          ///< s
    std::size_t waypoint = 0;  ///< that it leads to, from 0
    bool is_stop = false;      ///< the tool rests at its end
    std::size_t way = 0;       ///< or, of a corner, the way before it
    bool is_corner = false;
    double turn = 0.0;  ///< angle by which it turns [rad], about
  };

  ToolPath(const Placement& start, const std::vector<Point>& points);

  /// Pose at s.
  [[nodiscard]] Placement at(double s) const;
  /// Parts by rising s; none if no waypoint is elsewhere than the start.
  [[nodiscard]] const std::vector<Part>& parts() const noexcept { return parts_; }
  /// s at each waypoint: in the middle of its corner.
  [[nodiscard]] const std::vector<double>& waypoints() const noexcept { return waypoints_; }
  [[nodiscard]] double length() const noexcept { return parts_.empty() ? 0.0 : parts_.back().end; }

 private:
  struct Way {
    Placement from;
    Placement to;
    Eigen::Vector3d direction = Eigen::Vector3d::Zero();
    Eigen::Vector3d turn = Eigen::Vector3d::Zero();  ///< θ
    double distance = 0.0;                           ///< of the positions [m]
    double length = 0.0;                             ///< in s
    std::size_t waypoint = 0;
    double corner = 0.0;   ///< corner distance at its end; 0: none [m]
    bool goes_on = false;  ///< into the next without a corner and without a stop
  };
  struct Corner {
    double begin = 0.0;  ///< s
    double length = 0.0;
    double bend = 0.0;  ///< φ
    Eigen::Vector3d normal = Eigen::Vector3d::Zero();
  };

  void find_corner(Way& way, const Way& next, double wanted) const;
  [[nodiscard]] Placement on_way(const Way& way, double along) const;
  [[nodiscard]] Placement on_corner(std::size_t way, double along) const;

  std::vector<Way> ways_;
  std::vector<Corner> corners_;  ///< by way, at its end
  std::vector<double> begins_;   ///< s that the start of each way would have
  std::vector<Part> parts_;
  std::vector<double> waypoints_;
};

}  // namespace jointrig
