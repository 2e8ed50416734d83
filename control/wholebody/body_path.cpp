#include "control/wholebody/body_path.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "control/wholebody/feedback.h"

namespace jointrig {
namespace {

/// Values at the ends of a stretch.
template <typename Vector>
struct Ends {
  Vector x0, v0, a0, x1, v1, a1;
};

template <typename Vector>
struct Motion {
  Vector x, v, a;
};

/// The polynomial of fifth degree between two ends, `t` after the first.
template <typename Vector>
Motion<Vector> quintic(const Ends<Vector>& e, double span, double t) noexcept {
  const double T = span;
  const Vector gap = e.x1 - e.x0 - T * e.v0 - 0.5 * T * T * e.a0;
  const Vector speed = T * (e.v1 - e.v0 - T * e.a0);
  const Vector rate = T * T * (e.a1 - e.a0);
  const Vector c3 = 10.0 * gap - 4.0 * speed + 0.5 * rate;
  const Vector c4 = -15.0 * gap + 7.0 * speed - rate;
  const Vector c5 = 6.0 * gap - 3.0 * speed + 0.5 * rate;
  const double s = t / T;
  const double s2 = s * s;
  const double s3 = s2 * s;
  return {e.x0 + t * e.v0 + 0.5 * t * t * e.a0 + s3 * (c3 + s * c4 + s2 * c5),
          e.v0 + t * e.a0 + s2 / T * (3.0 * c3 + 4.0 * s * c4 + 5.0 * s2 * c5),
          e.a0 + s / (T * T) * (6.0 * c3 + 12.0 * s * c4 + 20.0 * s2 * c5)};
}

/// The polynomial of third degree, by places and velocities at its ends.
template <typename Vector>
Motion<Vector> cubic(const Ends<Vector>& e, double span, double t) noexcept {
  const double T = span;
  const Vector c2 = 3.0 * (e.x1 - e.x0) - T * (2.0 * e.v0 + e.v1);
  const Vector c3 = -2.0 * (e.x1 - e.x0) + T * (e.v0 + e.v1);
  const double s = t / T;
  return {e.x0 + t * e.v0 + s * s * (c2 + s * c3), e.v0 + s / T * (2.0 * c2 + 3.0 * s * c3),
          1.0 / (T * T) * (2.0 * c2 + 6.0 * s * c3)};
}

/// Largest norm of the control points of a cubic's velocity, halved once (de Casteljau).
template <typename Vector>
double hull_speed(const Vector& way, const Vector& v0, const Vector& v1, double span) noexcept {
  const Vector mid = 3.0 / span * way - v0 - v1;
  const std::array<double, 5> norms{v0.norm(), (0.5 * (v0 + mid)).norm(),
                                    (0.25 * (v0 + 2.0 * mid + v1)).norm(),
                                    (0.5 * (mid + v1)).norm(), v1.norm()};
  return *std::max_element(norms.begin(), norms.end());
}

using One = Eigen::Matrix<double, 1, 1>;

double harmonic_mean(double a, double b) noexcept {
  return a * b > 0.0 ? 2.0 * a * b / (a + b) : 0.0;
}

Eigen::Matrix3d cross_of(const Eigen::Vector3d& v) noexcept {
  Eigen::Matrix3d m;
  m << 0.0, -v.z(), v.y(), v.z(), 0.0, -v.x(), -v.y(), v.x(), 0.0;
  return m;
}

/// Left Jacobian of SO(3): ω = J(φ) φ̇.
Eigen::Matrix3d jacobian_of(const Eigen::Vector3d& phi) noexcept {
  const double angle = phi.norm();
  const Eigen::Matrix3d w = cross_of(phi);
  const double square = angle * angle;
  const bool is_small = angle < 1e-4;
  const double b = is_small ? 0.5 - square / 24.0 : (1.0 - std::cos(angle)) / square;
  const double c = is_small ? 1.0 / 6.0 - square / 120.0 : (1.0 - std::sin(angle) / angle) / square;
  return Eigen::Matrix3d::Identity() + b * w + c * w * w;
}

}  // namespace

Eigen::Matrix3d turned_by(const Eigen::Vector3d& phi) noexcept {
  const double angle = phi.norm();
  if (angle < 1e-12) return Eigen::Matrix3d::Identity() + cross_of(phi);
  return Eigen::AngleAxisd(angle, phi / angle).toRotationMatrix();
}

bool BodyPath::ends_in_motion() const noexcept {
  return !back().v.isZero(0.0) || !back().turning.isZero(0.0);
}

void BodyPath::add(double time, const BodyPoint& point) noexcept {
  time_[count_] = time;
  points_[count_++] = point;
}

/// The first point becomes the one where the old motion would have come to rest.
void BodyPath::start_from_rest() noexcept {
  BodyPoint& first = points_.front();
  old_ = first;
  blend_time_ = std::min(kBlendTime, duration());
  first.x += 0.5 * blend_time_ * old_.v;
  first.rotation = turned_by(0.5 * blend_time_ * old_.turning) * first.rotation;
  first.v.setZero();
  first.a.setZero();
  first.turning.setZero();
  first.turning_rate.setZero();
}

/// The rest of the path: its speed falls as 1 - (10 s³ - 15 s⁴ + 6 s⁵).
void BodyPath::add_old_motion(double time, BodyPoint& point) const noexcept {
  if (time >= blend_time_ || count_ < 2) return;
  const double T = blend_time_;
  const double s = time / T;
  const double s2 = s * s;
  const double speed = 1.0 - s * s2 * (10.0 + s * (-15.0 + 6.0 * s));
  const double rate = -30.0 / T * s2 * (1.0 + s * (-2.0 + s));
  // Its integral from s to 1, negative: the way that is left.
  const double left = -T * (0.5 - s + s2 * s2 * (2.5 + s * (-3.0 + s)));
  point.x += left * old_.v;
  point.v += speed * old_.v;
  point.a += rate * old_.v;
  // All about one axis, so that the Jacobian of the rotation is 1.
  const Eigen::Matrix3d turn = turned_by(left * old_.turning);
  const Eigen::Vector3d carried = turn * point.turning;
  point.turning_rate =
      rate * old_.turning + turn * point.turning_rate + (speed * old_.turning).cross(carried);
  point.turning = speed * old_.turning + carried;
  point.rotation = turn * point.rotation;
}

void BodyPath::shape_through() noexcept {
  is_cubic_ = true;
  old_ = {};
  blend_time_ = 0.0;
  // Of each point only place and velocity count.
  for (std::size_t i = 0; i < count_; ++i) {
    points_[i].a.setZero();
    points_[i].turning_rate.setZero();
  }
}

void BodyPath::shape() noexcept {
  is_cubic_ = false;
  start_from_rest();
  for (std::size_t i = 1; i < count_; ++i) {
    BodyPoint& point = points_[i];
    point.v.setZero();
    point.a.setZero();
    point.turning.setZero();
    point.turning_rate.setZero();
    if (i + 1 == count_) continue;
    for (Eigen::Index k = 0; k < point.x.size(); ++k) {
      point.v[k] = harmonic_mean((point.x[k] - points_[i - 1].x[k]) / span(i - 1),
                                 (points_[i + 1].x[k] - point.x[k]) / span(i));
    }
    const Eigen::Vector3d before =
        turn_between(points_[i - 1].rotation, point.rotation) / span(i - 1);
    const Eigen::Vector3d after = turn_between(point.rotation, points_[i + 1].rotation) / span(i);
    for (int k = 0; k < 3; ++k) point.turning[k] = harmonic_mean(before[k], after[k]);
  }
  // The turning rate at the end of a stretch is that of its rotation vector's polynomial: the next
  // one goes on from there.
  for (std::size_t i = 0; i + 2 < count_; ++i) {
    BodyPoint end;
    turn(i, span(i), end);
    points_[i + 1].turning_rate = end.turning_rate;
  }
}

BodyPoint BodyPath::at(double time) const noexcept {
  if (count_ == 1 || time >= duration()) return points_[count_ - 1];
  std::size_t i = 0;
  while (i + 2 < count_ && time >= time_[i + 1]) ++i;
  BodyPoint point = within(i, std::max(time - time_[i], 0.0));
  add_old_motion(time, point);
  return point;
}

BodyPoint BodyPath::within(std::size_t i, double t) const noexcept {
  const BodyPoint& from = points_[i];
  const BodyPoint& to = points_[i + 1];
  const Ends<BodyPoint::Coordinates> ends{from.x, from.v, from.a,
                                          to.x,   to.v,   BodyPoint::Coordinates::Zero()};
  const auto motion = is_cubic_ ? cubic(ends, span(i), t) : quintic(ends, span(i), t);
  BodyPoint point;
  point.x = motion.x;
  point.v = motion.v;
  point.a = motion.a;
  turn(i, t, point);
  return point;
}

void BodyPath::turn(std::size_t i, double t, BodyPoint& point) const noexcept {
  constexpr double kStep = 1e-5;  // s, of the central difference
  const BodyPoint& from = points_[i];
  const BodyPoint& to = points_[i + 1];
  const Eigen::Vector3d way = turn_between(from.rotation, to.rotation);
  const Eigen::Vector3d end_rate = jacobian_of(way).inverse() * to.turning;
  const Eigen::Vector3d none = Eigen::Vector3d::Zero();
  // J(0) = 1, and J̇ φ̇ = 0 there.
  const Ends<Eigen::Vector3d> ends{none, from.turning, from.turning_rate, way, end_rate, none};
  const auto motion_at = [&](double at) {
    return is_cubic_ ? cubic(ends, span(i), at) : quintic(ends, span(i), at);
  };
  const auto motion = motion_at(t);
  const auto turning = [&](double at) -> Eigen::Vector3d {
    const auto m = motion_at(at);
    return jacobian_of(m.x) * m.v;
  };
  point.rotation = turned_by(motion.x) * from.rotation;
  point.turning = jacobian_of(motion.x) * motion.v;
  point.turning_rate = (turning(t + kStep) - turning(t - kStep)) / (2.0 * kStep);
}

double BodyPath::coordinate_speed(int coordinate) const noexcept {
  double most = 0.0;
  for (std::size_t i = 0; i + 1 < count_; ++i) {
    const BodyPoint& from = points_[i];
    const BodyPoint& to = points_[i + 1];
    const double way = to.x[coordinate] - from.x[coordinate];
    const double speed =
        is_cubic_ ? hull_speed(One(way), One(from.v[coordinate]), One(to.v[coordinate]), span(i))
                  : 2.0 * std::abs(way) / span(i);
    most = std::max(most, speed);
  }
  return most;
}

double BodyPath::place_speed() const noexcept {
  double most = 0.0;
  for (std::size_t i = 0; i + 1 < count_; ++i) {
    const BodyPoint& from = points_[i];
    const BodyPoint& to = points_[i + 1];
    const Eigen::Vector3d way = (to.x - from.x).head<3>();
    const double speed =
        is_cubic_ ? hull_speed<Eigen::Vector3d>(way, from.v.head<3>(), to.v.head<3>(), span(i))
                  : 2.0 * way.norm() / span(i);
    most = std::max(most, speed);
  }
  return most;
}

/// With velocities: of the rotation vector, than which the turning is never faster.
double BodyPath::turn_speed() const noexcept {
  double most = 0.0;
  for (std::size_t i = 0; i + 1 < count_; ++i) {
    const BodyPoint& from = points_[i];
    const BodyPoint& to = points_[i + 1];
    const Eigen::Vector3d way = turn_between(from.rotation, to.rotation);
    const double speed =
        is_cubic_ ? hull_speed<Eigen::Vector3d>(way, from.turning,
                                                jacobian_of(way).inverse() * to.turning, span(i))
                  : 2.0 * way.norm() / span(i);
    most = std::max(most, speed);
  }
  return most;
}

BodyPath::Reach BodyPath::reach(std::size_t i, int coordinate) const noexcept {
  const BodyPoint& from = points_[i - 1];
  const BodyPoint& to = points_[i];
  const double third = span(i - 1) / 3.0;
  const double a = from.x[coordinate];
  const double b = a + third * from.v[coordinate];
  const double d = to.x[coordinate];
  const double c = d - third * to.v[coordinate];
  const std::array<double, 7> points{a,
                                     (a + b) / 2.0,
                                     (a + 2.0 * b + c) / 4.0,
                                     (a + 3.0 * b + 3.0 * c + d) / 8.0,
                                     (b + 2.0 * c + d) / 4.0,
                                     (c + d) / 2.0,
                                     d};
  const auto [low, high] = std::minmax_element(points.begin(), points.end());
  return {*low, *high};
}

}  // namespace jointrig
