#pragma once
/// Shapes of obstacles that are told of while the robot runs, and what they are measured against.

#include <cstdint>
#include <vector>

#include "control/core/obstacle.h"
#include "control/model/collision_geometry.h"
#include "control/model/shape_distance.h"

namespace jointrig {

/// Fixed in the world, centred at the obstacle.
Shape shape_of(const KnownObstacle& obstacle) noexcept;
/// Pose of that shape. Requires a quaternion of length 1.
Placed placed(const KnownObstacle& obstacle) noexcept;

/// A shape of the robot that obstacles are kept away from. Of two boxes the robot's becomes the
/// capsule that holds it, since two boxes can't be measured.
struct ObstaclePartner {
  std::uint16_t shape = 0;                             ///< index in CollisionGeometry::shapes
  Shape beside_box;                                    ///< the same, against a box
  Eigen::Matrix3d turn = Eigen::Matrix3d::Identity();  ///< its axes along those of `shape`
};

/// A partner against an obstacle's shape, with its pose.
struct PlacedPartner {
  const Shape* shape = nullptr;
  Placed at;
};
PlacedPartner against(const Shape& obstacle, const ObstaclePartner& partner,
                      const CollisionGeometry& geometry, const Placed& at) noexcept;

/// The moving shapes of the robot, one for each geom. Allocates.
std::vector<ObstaclePartner> obstacle_partners(const CollisionGeometry& geometry);

}  // namespace jointrig
