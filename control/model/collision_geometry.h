#pragma once
/// Geometry for collision avoidance: the collision geoms of a robot and of the fixed objects of its
/// scene, as simple shapes, and the pairs of shapes that it keeps apart.
///
/// For start-up: allocates and throws.

#include <cstdint>
#include <string>
#include <vector>

#include "control/core/robot_config.h"
#include "control/model/mjcf.h"
#include "control/model/shape_distance.h"

namespace jointrig {

struct CollisionGeometry {
  struct Pair {
    std::uint16_t a = 0;  ///< index in `shapes`; never fixed in the world
    std::uint16_t b = 0;
  };
  /// Two bodies that are in one another at the start: avoidance does not act between them.
  struct Overlapping {
    std::string a, b;
    double depth = 0.0;  ///< of the deepest pair of their shapes [m]
  };
  std::vector<Shape> shapes;
  std::size_t geom_count = 0;  ///< shapes of the geoms; further ones are capsules of boxes
  std::vector<Pair> pairs;
  std::vector<std::string>
      names;  ///< name of each shape's body, or of the body that it is fixed to
  std::vector<Overlapping> overlapping;  ///< deepest first
};

/// Geoms of two links that the pairs leave out as near at home, and that don't touch there: told
/// apart by the geoms themselves, a mesh by its convex hull.
struct CloseGeoms {
  struct Pair {
    std::uint16_t a = 0;  ///< index in CollisionGeometry::shapes; the shape encloses its geom
    std::uint16_t b = 0;
    int geom_a = 0;  ///< in `model`
    int geom_b = 0;
  };
  ModelPtr model;  ///< null without pairs: meshes take memory
  std::vector<Pair> pairs;
};

/// Shapes: capsules, spheres, boxes and planes stay as they are. Cylinders, ellipsoids and meshes
/// become the smallest enclosing capsule that was found; so does the smaller of two boxes in a
/// pair. Height fields become their box. Geoms that MuJoCo lets collide with nothing are visual
/// only, and left out.
///
/// Pairs: shapes that MJCF lets collide (contype and conaffinity, no <exclude>), at least one of
/// them moving, except
///
///     neighbours        bodies that a joint connects, and a link with the base that it turns on
///     near at home      nearer than `margin` in the start pose: two links with all their shapes,
///                       a link with that one fixed shape
///     of one gripper    bodies that its joints move, directly or over an equality, and its palm:
///                       they are there to meet
///     left out by name  avoidance.exclude
///
/// Bodies that are rigidly connected count as one body. `robot` must have a configuration of
/// avoidance. Throws ModelError: an MJCF that can't be loaded, an excluded body that does not
/// exist.
/// @param close  gets what can be told apart all the same; null: nobody asks
CollisionGeometry read_collision_geometry(const RobotConfig& robot, CloseGeoms* close = nullptr);

}  // namespace jointrig
