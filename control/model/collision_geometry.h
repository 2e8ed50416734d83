#pragma once
/// What collision avoidance keeps apart: the collision geoms of a robot and of what stands fixed in
/// its scene, as simple shapes, and the pairs of them that matter.
///
/// For start-up: allocates and throws.

#include <cstdint>
#include <string>
#include <vector>

#include "control/core/robot_config.h"
#include "control/model/shape_distance.h"

namespace jointrig {

struct CollisionGeometry {
  struct Pair {
    std::uint16_t a = 0;  ///< of `shapes`; never fixed in the world
    std::uint16_t b = 0;
  };
  std::vector<Shape> shapes;
  std::vector<Pair> pairs;
  std::vector<std::string> names;  ///< of each shape's body, or of what it is fixed to
};

/// Shapes: capsules, spheres, boxes and planes as they are; cylinders, ellipsoids and meshes as the
/// capsule of least volume found to hold them; of two boxes in a pair the smaller likewise; height
/// fields as their box. Geoms that MuJoCo lets collide with nothing are looks, and left out.
///
/// Pairs: what MJCF lets collide (contype and conaffinity, no <exclude>), of which one moves, but
///
///     neighbours        bodies that a joint connects, and a link with the base that it turns on
///     near at home      nearer than `margin` in the start pose: two links with all their shapes,
///                       a link with that one fixed shape
///     left out by name  avoidance.exclude
///
/// What rigidly hangs together counts as one body. `robot` has a configuration of avoidance.
/// Throws ModelError: an MJCF that can't be loaded, an excluded body that isn't there.
CollisionGeometry read_collision_geometry(const RobotConfig& robot);

}  // namespace jointrig
