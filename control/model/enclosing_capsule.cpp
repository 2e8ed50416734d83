#include "control/model/enclosing_capsule.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace jointrig {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

using Rows3 = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

/// The axes turned so that the longest side comes last.
Matrix3d longest_last(const Matrix3d& axes, const Vector3d& half) noexcept {
  int longest = 0;
  half.maxCoeff(&longest);
  Matrix3d turned;
  for (int k = 0; k < 3; ++k) turned.col(k) = axes.col((longest + 1 + k) % 3);
  return turned;
}

double volume(double radius, double half_length) noexcept {
  return std::numbers::pi * radius * radius * (2.0 * half_length + 4.0 / 3.0 * radius);
}

/// The smallest of the capsules about the origin that enclose these points, which are given by
/// their distances along its axis and off it: the best of several half lengths.
Shape around(const std::vector<std::pair<double, double>>& points) {
  constexpr int kTried = 50;
  double longest = 0.0;
  for (const auto& [along, off] : points) longest = std::max(longest, std::abs(along));
  Shape best;
  double least = -1.0;
  for (int i = 0; i <= kTried; ++i) {
    const double half_length = longest * i / kTried;
    double radius = 0.0;
    for (const auto& [along, off] : points) {
      radius = std::max(radius, std::hypot(off, std::max(std::abs(along) - half_length, 0.0)));
    }
    if (least >= 0.0 && volume(radius, half_length) >= least) continue;
    least = volume(radius, half_length);
    best.radius = radius;
    best.half_length = half_length;
  }
  return best;
}

/// A capsule along the third of `axes`, about `centre`, that encloses points given in their frame.
Shape around(const std::vector<Vector3d>& points, const Vector3d& centre, const Matrix3d& axes) {
  std::vector<std::pair<double, double>> flat;
  flat.reserve(points.size());
  for (const Vector3d& point : points) {
    const Vector3d p = axes.transpose() * (point - centre);
    flat.emplace_back(p.z(), std::hypot(p.x(), p.y()));
  }
  Shape shape = around(flat);
  shape.centre = centre;
  shape.axes = axes;
  return shape;
}

Shape around_box(const Vector3d& centre, const Matrix3d& axes, const Vector3d& half) {
  std::vector<Vector3d> corners;
  for (int i = 0; i < 8; ++i) {
    const Vector3d corner((i & 1) != 0 ? half.x() : -half.x(), (i & 2) != 0 ? half.y() : -half.y(),
                          (i & 4) != 0 ? half.z() : -half.z());
    corners.emplace_back(centre + axes * corner);
  }
  return around(corners, centre, longest_last(axes, half));
}

Shape around_mesh(const mjModel& m, int geom, const Vector3d& centre, const Matrix3d& axes,
                  const Vector3d& half) {
  const int mesh = m.geom_dataid[geom];
  const Vector3d at = Eigen::Map<const Vector3d>(m.geom_pos + 3 * geom);
  std::vector<Vector3d> points;
  for (int i = 0; i < m.mesh_vertnum[mesh]; ++i) {
    const float* vertex = m.mesh_vert + 3 * (m.mesh_vertadr[mesh] + i);
    points.emplace_back(at + axes * Vector3d(vertex[0], vertex[1], vertex[2]));
  }
  return around(points, centre, longest_last(axes, half));
}

Matrix3d axes_of(const mjModel& m, int geom) noexcept {
  Rows3 rotation;
  mju_quat2Mat(rotation.data(), m.geom_quat + 4 * geom);
  return rotation;
}

}  // namespace

Shape enclosing_capsule(const Shape& box) noexcept {
  Shape capsule = around_box(box.centre, box.axes, box.half_size);
  capsule.body = box.body;
  return capsule;
}

Shape shape_of(const mjModel& m, int geom) {
  const Matrix3d axes = axes_of(m, geom);
  const Vector3d size = Eigen::Map<const Vector3d>(m.geom_size + 3 * geom);
  Shape shape;
  shape.centre = Eigen::Map<const Vector3d>(m.geom_pos + 3 * geom);
  shape.axes = axes;
  // The box around a geom that isn't a box, along its own axes.
  const Vector3d middle = shape.centre + axes * Eigen::Map<const Vector3d>(m.geom_aabb + 6 * geom);
  const Vector3d half = Eigen::Map<const Vector3d>(m.geom_aabb + 6 * geom + 3);
  switch (m.geom_type[geom]) {
    case mjGEOM_PLANE:
      shape.kind = Shape::Kind::kHalfSpace;
      break;
    case mjGEOM_SPHERE:
      shape.radius = size[0];
      break;
    case mjGEOM_CAPSULE:
      shape.radius = size[0];
      shape.half_length = size[1];
      break;
    case mjGEOM_BOX:
      shape.kind = Shape::Kind::kBox;
      shape.half_size = size;
      break;
    case mjGEOM_CYLINDER: {
      const Shape found = around({{size[1], size[0]}});  // its edge
      shape.radius = found.radius;
      shape.half_length = found.half_length;
      break;
    }
    case mjGEOM_ELLIPSOID: {
      // A ball of the second longest half axis, swept along the longest, touches it at both ends.
      Vector3d sorted = size;
      std::sort(sorted.data(), sorted.data() + 3);
      shape.axes = longest_last(axes, size);
      shape.radius = sorted[1];
      shape.half_length = sorted[2] - sorted[1];
      break;
    }
    case mjGEOM_MESH:
      shape = around_mesh(m, geom, middle, axes, half);
      break;
    default:
      shape.kind = Shape::Kind::kBox;
      shape.centre = middle;
      shape.half_size = half;
      break;
  }
  shape.body = m.geom_bodyid[geom];
  return shape;
}

}  // namespace jointrig
