#pragma once
/// Balance of a robot on feet, for the eyes: computed from the drawn robot and the measured
/// velocities, outside the loop, and used by no controller.

#include <array>
#include <optional>
#include <vector>

#include "control/core/robot_config.h"
#include "control/core/snapshot.h"
#include "gui/panel/body_form.h"
#include "gui/scene3d/drawn_robot.h"

namespace jointrig::gui {

using Point2 = std::array<double, 2>;
using Point3 = std::array<double, 3>;

/// Where a robot that falls as an inverted pendulum of constant height has to step to come to
/// rest there, on the ground [m]:
///
///     ξ = c + ċ / ω    ω = √(g / z)    z = c_z - ground, at least 1 cm
///
/// Pratt et al. 2006, "Capture Point: A Step toward Humanoid Push Recovery".
/// @param com       centre of mass c in the world [m]
/// @param velocity  ċ [m/s]
/// @param ground    height of the ground [m]
/// @param gravity   g [m/s²]; 0: it never comes to rest, and ξ is c
Point2 capture_point(const Point3& com, const Point3& velocity, double ground, double gravity);

/// Convex hull, counter-clockwise, without points inside its edges. Fewer than three different
/// points come back as they are.
std::vector<Point2> convex_hull(std::vector<Point2> points);

/// True on the edges, too. @param hull  of convex_hull()
bool is_inside(const std::vector<Point2>& hull, const Point2& at);

struct Balance {
  std::vector<Point3> support;  ///< hull of all soles, at their mean height [m]
  Point3 com{};                 ///< centre of mass [m]
  Point3 below{};               ///< its projection on the ground
  Point3 capture{};             ///< on the ground
  bool inside = false;          ///< the capture point is inside the soles
};

/// Absent: the robot has no whole_body, or its model lacks a foot.
/// @param snapshot  velocities of base and joints
std::optional<Balance> balance_of(DrawnRobot& robot, const RobotConfig& config,
                                  const Snapshot& snapshot);

/// The frame of the messages (control/core/body_commands.h) as the soles show it while the
/// controller begins; it stays while the controller runs.
struct StanceFrame {
  Point3 origin{};   ///< middle of the soles in the world [m]
  double yaw = 0.0;  ///< the way that they look, about the world's z [rad]
};

/// By the soles as they are now; absent as the balance.
std::optional<StanceFrame> stance_of(const DrawnRobot& robot, const RobotConfig& config);

/// Where hands and pelvis are. Parts that the model lacks are at the origin.
BodyPlaces body_places(const DrawnRobot& robot, const RobotConfig& config,
                       const StanceFrame& stance);

}  // namespace jointrig::gui
