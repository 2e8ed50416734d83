#pragma once
/// Distances between the simple shapes that represent a robot and its scene in collision avoidance.
///
///     capsule     all points within `radius` of a segment; a sphere if its length is 0
///     box         its half sides along its axes
///     half-space  everything below a plane, whose normal is the third axis
///
/// Nothing here allocates, locks or throws.

#include <Eigen/Core>
#include <cstdint>

namespace jointrig {

struct Shape {
  enum class Kind : std::uint8_t { kCapsule, kBox, kHalfSpace };

  Kind kind = Kind::kCapsule;
  int body = 0;                                         ///< id in the model; 0: fixed in the world
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();     ///< in the body's frame [m]
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();   ///< columns; a capsule lies along the third
  double radius = 0.0;                                  ///< radius of a capsule [m]
  double half_length = 0.0;                             ///< half length of its segment [m]
  Eigen::Vector3d half_size = Eigen::Vector3d::Zero();  ///< half sides of a box [m]

  /// Radius of the sphere about `centre` that encloses it; infinite for a half-space [m].
  [[nodiscard]] double bound() const noexcept;
};

/// Pose of a shape in the world.
struct Placed {
  Eigen::Vector3d centre;
  Eigen::Matrix3d axes;

  /// Moves it to where its body is. Sets all that nearest() reads: of a capsule's axes the third.
  void follow(const Shape& shape, const Eigen::Vector3d& position,
              const Eigen::Matrix3d& rotation) noexcept;
};

/// The two nearest points of a pair of shapes, or the deepest ones if the shapes overlap.
struct Nearest {
  double distance = 0.0;   ///< below 0: depth of the overlap [m]
  Eigen::Vector3d on_a;    ///< in the world [m]
  Eigen::Vector3d on_b;    ///< in the world [m]
  Eigen::Vector3d normal;  ///< unit vector from a to b: d(distance) = normal · (d on_b − d on_a)
};

/// True if nearest() can measure the pair: not a box against a box, nor two half-spaces.
bool can_measure(const Shape& a, const Shape& b) noexcept;

/// Closed forms. Exact for capsules among themselves and against half-spaces, boxes against
/// half-spaces, and capsules whose segment is outside of the box; if the segment enters it, the
/// distance is that of its innermost part to the nearest face. C. Ericson 2005, "Real-Time
/// Collision Detection", 5.1.9; for the box, the minimum of the convex, piecewise quadratic squared
/// distance along the segment. Requires can_measure().
Nearest nearest(const Shape& a, const Placed& at_a, const Shape& b, const Placed& at_b) noexcept;

}  // namespace jointrig
