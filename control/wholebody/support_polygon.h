#pragma once

#include <Eigen/Core>
#include <span>

namespace jointrig {

/// Way of a point to the nearest edge of the convex hull of others [m]: above 0 inside, below 0
/// outside. At most a dozen points: every pair is tried as an edge.
///
/// Points that don't span an area have no inside: never above 0.
double inside_by(std::span<const Eigen::Vector2d> points, const Eigen::Vector2d& at) noexcept;

/// The point of that hull that is nearest to another: that one itself, if it is inside.
Eigen::Vector2d nearest_inside(std::span<const Eigen::Vector2d> points,
                               const Eigen::Vector2d& at) noexcept;

}  // namespace jointrig
