#include "control/model/shape_distance.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace jointrig {
namespace {

using Eigen::Vector3d;

/// Closer cores touch, and have no direction of their own [m].
constexpr double kTouching = 1e-9;

Vector3d along(const Placed& capsule) noexcept { return capsule.axes.col(2); }

/// Some unit vector across `direction`.
Vector3d across(const Vector3d& direction) noexcept {
  const Vector3d other = std::abs(direction.x()) < 0.7 ? Vector3d::UnitX() : Vector3d::UnitY();
  return direction.cross(other).normalized();
}

/// Moves the nearest points of two cores to the surfaces around them.
Nearest around(const Vector3d& core_a, double radius_a, const Vector3d& core_b, double radius_b,
               const Vector3d& normal, double between) noexcept {
  return {between - radius_a - radius_b, core_a + radius_a * normal, core_b - radius_b * normal,
          normal};
}

Nearest capsules(const Shape& a, const Placed& at_a, const Shape& b, const Placed& at_b) noexcept {
  const Vector3d u = along(at_a);
  const Vector3d w = along(at_b);
  const Vector3d r = at_a.centre - at_b.centre;
  const double uw = u.dot(w);
  const double ur = u.dot(r);
  const double wr = w.dot(r);
  const auto clamp_a = [&](double s) { return std::clamp(s, -a.half_length, a.half_length); };
  const auto clamp_b = [&](double t) { return std::clamp(t, -b.half_length, b.half_length); };
  constexpr double kParallel = 1e-12;
  const double skew = 1.0 - uw * uw;
  // Parallel segments: any point where they lie side by side is nearest; the middle doesn't jump.
  double s = 0.0;
  if (skew > kParallel) {
    s = clamp_a((uw * wr - ur) / skew);
  } else {
    // Side by side where |s uw + wr| <= the other's half length, as seen from a: s about -ur.
    const double low = std::max(-a.half_length, -ur - b.half_length);
    const double high = std::min(a.half_length, -ur + b.half_length);
    s = clamp_a(0.5 * (low + high));
  }
  const double t = clamp_b(uw * s + wr);
  s = clamp_a(uw * t - ur);
  const Vector3d on_a = at_a.centre + s * u;
  const Vector3d on_b = at_b.centre + t * w;
  const Vector3d gap = on_b - on_a;
  const double between = gap.norm();
  if (between > kTouching) {
    return around(on_a, a.radius, on_b, b.radius, gap / between, between);
  }
  const Vector3d common = u.cross(w);
  Vector3d normal = common.norm() > kTouching ? common.normalized() : across(u);
  if (normal.dot(at_b.centre - at_a.centre) < 0.0) normal = -normal;
  return around(on_a, a.radius, on_b, b.radius, normal, 0.0);
}

/// Half the slope of the squared distance from the box to p + t u.
double slope_at(const Vector3d& p, const Vector3d& u, const Vector3d& half, double t) noexcept {
  double slope = 0.0;
  for (int k = 0; k < 3; ++k) {
    const double x = p[k] + t * u[k];
    slope += u[k] * (x - std::clamp(x, -half[k], half[k]));
  }
  return slope;
}

/// The part of the segment p + t u, |t| <= length, that is nearest to a box about the origin.
struct Stretch {
  double from;
  double to;
};
Stretch nearest_stretch(const Vector3d& p, const Vector3d& u, const Vector3d& half,
                        double length) noexcept {
  // The slope rises piecewise linearly, with kinks where the segment passes a face's plane.
  std::array<double, 8> kinks{};
  kinks.fill(length);
  kinks[0] = -length;
  std::size_t count = 1;
  for (int k = 0; k < 3; ++k) {
    if (std::abs(u[k]) < kTouching) continue;
    for (const double face : {-half[k], half[k]}) {
      const double t = (face - p[k]) / u[k];
      if (t > -length && t < length) kinks[count++] = t;
    }
  }
  std::sort(kinks.begin(), kinks.end());
  constexpr double kFlat = 1e-12;
  double from = -length;
  double before = slope_at(p, u, half, -length);
  if (before > kFlat) return {-length, -length};
  // First point where the slope is no longer negative, then the last where it is not positive.
  std::size_t i = 1;
  if (before < -kFlat) {
    for (; i < kinks.size(); ++i) {
      const double slope = slope_at(p, u, half, kinks[i]);
      if (slope >= -kFlat) {
        const double share = slope > kFlat ? -before / (slope - before) : 1.0;
        from = kinks[i - 1] + share * (kinks[i] - kinks[i - 1]);
        if (slope > kFlat) return {from, from};
        ++i;
        break;
      }
      before = slope;
      from = length;
    }
    if (from == length) return {length, length};
  }
  double to = from;
  for (; i < kinks.size() && slope_at(p, u, half, kinks[i]) <= kFlat; ++i) to = kinks[i];
  return {from, to};
}

/// @param a  the capsule
Nearest capsule_box(const Shape& a, const Placed& at_a, const Shape& b,
                    const Placed& at_b) noexcept {
  const Vector3d p = at_b.axes.transpose() * (at_a.centre - at_b.centre);
  const Vector3d u = at_b.axes.transpose() * along(at_a);
  const Stretch stretch = nearest_stretch(p, u, b.half_size, a.half_length);
  const Vector3d core = p + 0.5 * (stretch.from + stretch.to) * u;
  const Vector3d on_box = core.cwiseMax(-b.half_size).cwiseMin(b.half_size);
  const Vector3d gap = on_box - core;
  const double between = gap.norm();
  const auto in_world = [&](const Vector3d& x) -> Vector3d { return at_b.centre + at_b.axes * x; };
  if (between > kTouching) {
    return around(in_world(core), a.radius, in_world(on_box), 0.0, at_b.axes * (gap / between),
                  between);
  }
  int face = 0;
  (b.half_size - core.cwiseAbs()).minCoeff(&face);
  const double side = core[face] < 0.0 ? -1.0 : 1.0;
  Vector3d out = core;
  out[face] = side * b.half_size[face];
  return around(in_world(core), a.radius, in_world(out), 0.0, -side * at_b.axes.col(face),
                -(b.half_size[face] - std::abs(core[face])));
}

/// @param a  a capsule or a box
Nearest over_plane(const Shape& a, const Placed& at_a, const Placed& plane) noexcept {
  const Vector3d up = plane.axes.col(2);
  Vector3d lowest = at_a.centre;
  if (a.kind == Shape::Kind::kBox) {
    for (int k = 0; k < 3; ++k) {
      const Vector3d side = at_a.axes.col(k);
      lowest -= std::copysign(a.half_size[k], side.dot(up)) * side;
    }
  } else {
    const Vector3d axis = along(at_a);
    const double tilt = axis.dot(up);
    // A capsule parallel to the plane is nearest along all its length: its middle doesn't jump.
    if (std::abs(tilt) > kTouching) lowest -= std::copysign(a.half_length, tilt) * axis;
  }
  const double height = up.dot(lowest - plane.centre);
  return around(lowest, a.radius, lowest - height * up, 0.0, -up, height);
}

Nearest turned(const Nearest& n) noexcept { return {n.distance, n.on_b, n.on_a, -n.normal}; }

}  // namespace

double Shape::bound() const noexcept {
  if (kind == Kind::kHalfSpace) return std::numeric_limits<double>::infinity();
  return kind == Kind::kBox ? half_size.norm() : radius + half_length;
}

void Placed::follow(const Shape& shape, const Vector3d& position,
                    const Eigen::Matrix3d& rotation) noexcept {
  centre.noalias() = position + rotation * shape.centre;
  if (shape.kind == Shape::Kind::kCapsule) {
    axes.col(2).noalias() = rotation * shape.axes.col(2);
  } else {
    axes.noalias() = rotation * shape.axes;
  }
}

bool can_measure(const Shape& a, const Shape& b) noexcept {
  if (a.kind == Shape::Kind::kCapsule || b.kind == Shape::Kind::kCapsule) return true;
  return a.kind != b.kind;
}

Nearest nearest(const Shape& a, const Placed& at_a, const Shape& b, const Placed& at_b) noexcept {
  using Kind = Shape::Kind;
  if (b.kind == Kind::kHalfSpace) return over_plane(a, at_a, at_b);
  if (a.kind == Kind::kHalfSpace) return turned(over_plane(b, at_b, at_a));
  if (a.kind == Kind::kCapsule && b.kind == Kind::kCapsule) return capsules(a, at_a, b, at_b);
  if (a.kind == Kind::kBox) return turned(capsule_box(b, at_b, a, at_a));
  return capsule_box(a, at_a, b, at_b);
}

}  // namespace jointrig
