#include "control/wholebody/support_polygon.h"

#include <algorithm>
#include <limits>

namespace jointrig {
namespace {

constexpr double kFlat = 1e-9;  ///< [m]: points are on an edge within it

/// How far a point is to the left of the line from a to b.
double left_of(const Eigen::Vector2d& a, const Eigen::Vector2d& b,
               const Eigen::Vector2d& at) noexcept {
  const Eigen::Vector2d along = (b - a).normalized();
  const Eigen::Vector2d to = at - a;
  return along.x() * to.y() - along.y() * to.x();
}

}  // namespace

double inside_by(std::span<const Eigen::Vector2d> points, const Eigen::Vector2d& at) noexcept {
  double least = std::numeric_limits<double>::infinity();
  for (const Eigen::Vector2d& a : points) {
    for (const Eigen::Vector2d& b : points) {
      if ((b - a).norm() < kFlat) continue;
      const auto is_inside = [&](const Eigen::Vector2d& p) { return left_of(a, b, p) >= -kFlat; };
      if (!std::all_of(points.begin(), points.end(), is_inside)) continue;
      least = std::min(least, left_of(a, b, at));
    }
  }
  if (least < std::numeric_limits<double>::infinity()) return least;
  double farthest = 0.0;
  for (const Eigen::Vector2d& p : points) farthest = std::max(farthest, (at - p).norm());
  return -farthest;
}

/// Each line between two points lies inside, and the edges are among them.
Eigen::Vector2d nearest_inside(std::span<const Eigen::Vector2d> points,
                               const Eigen::Vector2d& at) noexcept {
  if (points.empty() || inside_by(points, at) >= 0.0) return at;
  Eigen::Vector2d nearest = points.front();
  for (const Eigen::Vector2d& a : points) {
    for (const Eigen::Vector2d& b : points) {
      const Eigen::Vector2d along = b - a;
      const double length = along.squaredNorm();
      const double share =
          length > kFlat * kFlat ? std::clamp((at - a).dot(along) / length, 0.0, 1.0) : 0.0;
      const Eigen::Vector2d point = a + share * along;
      if ((point - at).squaredNorm() < (nearest - at).squaredNorm()) nearest = point;
    }
  }
  return nearest;
}

}  // namespace jointrig
