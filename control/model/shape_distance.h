#pragma once
/// Distances between the simple shapes that collision avoidance sees a robot and its scene as.
///
///     capsule     all points within `radius` of a segment; a sphere where that has no length
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
  int body = 0;                                         ///< of the model; 0: fixed in the world
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();     ///< in the body's frame [m]
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();   ///< columns; a capsule lies along the third
  double radius = 0.0;                                  ///< of a capsule [m]
  double half_length = 0.0;                             ///< of its segment [m]
  Eigen::Vector3d half_size = Eigen::Vector3d::Zero();  ///< of a box [m]

  /// Radius of the sphere about `centre` that holds it; infinite for a half-space [m].
  [[nodiscard]] double bound() const noexcept;
};

/// Where a shape is in the world.
struct Placed {
  Eigen::Vector3d centre;
  Eigen::Matrix3d axes;
};

/// The two nearest points of a pair of shapes, or where they are deepest in each other.
struct Nearest {
  double distance = 0.0;   ///< below 0: they are in each other so deep [m]
  Eigen::Vector3d on_a;    ///< in the world [m]
  Eigen::Vector3d on_b;    ///< likewise
  Eigen::Vector3d normal;  ///< unit vector from a to b: d(distance) = normal · (d on_b − d on_a)
};

/// Whether nearest() takes the pair: a box against a box it doesn't, nor half-spaces among
/// themselves.
bool can_measure(const Shape& a, const Shape& b) noexcept;

/// Closed forms. Exact for capsules among themselves and against half-spaces, boxes against
/// half-spaces, and capsules whose segment is outside of the box; where it is inside, the distance
/// is that of its innermost stretch to the nearest face. C. Ericson 2005, "Real-Time Collision
/// Detection", 5.1.9; for the box, the minimum of the convex, piecewise quadratic squared distance
/// along the segment.
/// Requires can_measure().
Nearest nearest(const Shape& a, const Placed& at_a, const Shape& b, const Placed& at_b) noexcept;

}  // namespace jointrig
