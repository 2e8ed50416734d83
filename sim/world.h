#pragma once
/// External actions on a simulated robot, and queries of its world.

#include <array>
#include <limits>
#include <string>

#include "control/core/enumeration.h"
#include "control/core/types.h"

namespace jointrig::sim {

using Vector3 = std::array<double, 3>;
using Quaternion = std::array<double, 4>;  ///< w x y z

/// A frame in the world.
struct Pose {
  Vector3 position{};  ///< [m]
  Quaternion orientation{1.0, 0.0, 0.0, 0.0};

  bool operator==(const Pose&) const = default;
};

/// Bodies and sites of the simulated world by number; names are resolved once (Plant::body, site).
enum class BodyId : int { kNone = -1 };
enum class SiteId : int { kNone = -1 };

/// A force and a torque on a body, or a torque (force) on a joint alone, from `start_ns` until
/// before `end_ns` of robot time.
struct Wrench {
  BodyId body = BodyId::kNone;
  Vector3 force{};   ///< [N]
  Vector3 torque{};  ///< [N·m]
  bool in_body_frame =
      false;        ///< true: force and torque turn with the body; else along the world's axes
  Vector3 point{};  ///< point of the force, in the body's frame [m]; moves with the body
  bool at_centre = true;  ///< it acts at the body's centre of mass instead
  TimeNs start_ns = 0;
  TimeNs end_ns = std::numeric_limits<TimeNs>::max();
  int tag = 0;         ///< chosen by the caller: Plant::release(tag) ends it
  int joint = -1;      ///< the robot's joint on which it acts, in place of a body; -1: a body
  double along = 0.0;  ///< torque about its axis, or force along it [N·m or N]
};

#define JOINTRIG_PLACED_SHAPES(X) \
  X(kBox, "box")                  \
  X(kSphere, "sphere")            \
  X(kCylinder, "cylinder")
JOINTRIG_ENUM(ObstacleShape, JOINTRIG_PLACED_SHAPES)

/// A solid object that can be placed in the world, moved and removed while it runs. Declared before
/// the start; parked outside the world until it is placed. Only calls move it.
struct ObstacleSpec {
  std::string name;  ///< its body's name
  ObstacleShape shape = ObstacleShape::kBox;
  Vector3 size{0.1, 0.1, 0.1};  ///< box: lengths of its edges; sphere: diameter; cylinder:
                                ///< diameter, height [m]
  double friction = 1.0;        ///< sliding
};

}  // namespace jointrig::sim
