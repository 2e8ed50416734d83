#pragma once
/// The camera that shows a whole robot, whatever its size, its place and the shape of the picture.

#include <mujoco/mujoco.h>

#include <array>
#include <vector>

#include "gui/scene3d/drawn_robot.h"

namespace jointrig::gui {

using Corners = std::vector<std::array<double, 3>>;

/// Corners of the boxes around the visible geoms of a robot [m, world]: of all bodies that its
/// joints move or that carry it. Floors don't count. A robot without visible geoms has those that
/// collide, or else the origins of its bodies. Points that aren't finite are left out.
void corners_of(const DrawnRobot& robot, const mjvOption& option, Corners& corners);

/// Half the diagonal of the upright box around points [m], 1 mm at least.
[[nodiscard]] double radius_of(const Corners& corners);

/// Moves a free camera, without turning it, so that it looks at the middle of the points from the
/// nearest place from which all lie within nine tenths of the picture to either side. With a, b, c
/// the coordinates of a point to the camera's right, up and forward, and k = 0.9 tan(fovy / 2)
/// (times `aspect` for a):
///
///     |a - a0| <= k (c - c0)   for all points, likewise b;   a0 the middle of all a
///     c0 as large as possible, but 2 radii before the middle at least
///
/// @param fovy    vertical field of view [rad]
/// @param aspect  width of the picture over its height
void show_all(const Corners& corners, double fovy, double aspect, mjvCamera& camera);

/// True if each point lies in the picture of a free camera.
[[nodiscard]] bool shows_all(const Corners& corners, double fovy, double aspect,
                             const mjvCamera& camera);

}  // namespace jointrig::gui
