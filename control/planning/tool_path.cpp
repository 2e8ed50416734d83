#include "control/planning/tool_path.h"

#include <algorithm>
#include <cmath>

#include "control/laws/tool_error.h"

namespace jointrig {
namespace {

/// Shorter ways and turns are none [m, rad].
constexpr double kNoDistance = 1e-9;
/// Turn of the direction below which two ways are one line, and above which the tool comes back.
constexpr double kStraight = 1e-6;
constexpr double kBack = 179.0 * M_PI / 180.0;

/// a(τ): 1 with the slope −k at 0, 0 with the slope 0 at 1.
double fade(double tau, double k) {
  const double square = tau * tau;
  return 2.0 * square * tau - 3.0 * square + 1.0 - k * (square * tau - 2.0 * square + tau);
}

}  // namespace

ToolPath::ToolPath(const Placement& start, const std::vector<Point>& points) {
  Placement from = start;
  std::vector<double> wanted;
  std::vector<std::size_t> last_way(points.size());  // 1 + the way that ends at the waypoint
  for (std::size_t k = 0; k < points.size(); ++k) {
    Way way;
    way.from = from;
    way.to = points[k].pose;
    way.waypoint = k;
    const Eigen::Vector3d step = way.to.position - way.from.position;
    way.distance = step.norm();
    way.turn = rotation_vector(way.from.rotation.transpose() * way.to.rotation);
    if (way.distance > kNoDistance) way.direction = step / way.distance;
    way.length = way.distance > kNoDistance ? way.distance : kMetresPerRadian * way.turn.norm();
    if (way.length > kNoDistance) {
      ways_.push_back(way);
      wanted.push_back(points[k].corner_distance);
      from = way.to;
    } else if (!wanted.empty()) {
      wanted.back() = 0.0;  // it was asked to be there twice
    }
    last_way[k] = ways_.size();
  }
  for (std::size_t i = 0; i + 1 < ways_.size(); ++i) find_corner(ways_[i], ways_[i + 1], wanted[i]);

  double s = 0.0;
  corners_.resize(ways_.size());
  std::vector<double> ends;
  for (std::size_t i = 0; i < ways_.size(); ++i) {
    const Way& way = ways_[i];
    const double before = i > 0 ? ways_[i - 1].corner : 0.0;
    begins_.push_back(s - before);
    const double rest = std::max(0.0, way.length - before - way.corner);
    const double rate = way.turn.norm() / way.length;
    const bool is_last = i + 1 == ways_.size();
    const bool stops = is_last || (way.corner == 0.0 && !way.goes_on);
    if (rest > 0.0) parts_.push_back({s, s + rest, way.waypoint, stops, i, false, rate * rest});
    s += rest;
    Corner& corner = corners_[i];
    if (way.corner == 0.0) {
      ends.push_back(s);
      continue;
    }
    const Way& next = ways_[i + 1];
    corner.begin = s;
    corner.bend = std::acos(std::clamp(way.direction.dot(next.direction), -1.0, 1.0));
    corner.length = 2.0 * way.corner;
    if (corner.bend > kStraight) {
      corner.length = corner.bend * way.corner / std::tan(0.5 * corner.bend);
      corner.normal = (next.direction - std::cos(corner.bend) * way.direction).normalized();
    }
    const double half = 0.5 * corner.length;
    const double turn = 0.5 * way.corner * (rate + next.turn.norm() / next.length);
    parts_.push_back({s, s + half, way.waypoint, false, i, true, turn});
    parts_.push_back({s + half, s + corner.length, next.waypoint, false, i, true, turn});
    ends.push_back(s + half);
    s += corner.length;
  }
  for (const std::size_t way : last_way) waypoints_.push_back(way > 0 ? ends[way - 1] : 0.0);
}

void ToolPath::find_corner(Way& way, const Way& next, double wanted) const {
  if (way.distance <= kNoDistance || next.distance <= kNoDistance) return;
  const double bend = std::acos(std::clamp(way.direction.dot(next.direction), -1.0, 1.0));
  const Eigen::Vector3d change = way.turn / way.length - next.turn / next.length;
  way.goes_on = bend < kStraight && change.norm() < kStraight;
  if (way.goes_on || bend > kBack || !(wanted > 0.0)) return;
  way.corner = std::min({wanted, 0.5 * way.length, 0.5 * next.length});
}

Placement ToolPath::on_way(const Way& way, double along) const {
  const double share = along / way.length;
  Placement pose;
  pose.position = way.from.position + share * (way.to.position - way.from.position);
  pose.rotation = way.from.rotation * rotation_of(share * way.turn);
  return pose;
}

Placement ToolPath::on_corner(std::size_t i, double along) const {
  const Way& way = ways_[i];
  const Way& next = ways_[i + 1];
  const Corner& corner = corners_[i];
  const double d = way.corner;
  const double tau = along / corner.length;
  const double k = corner.length / d;
  Placement pose;
  pose.rotation = way.to.rotation * rotation_of(-fade(tau, k) * d / way.length * way.turn) *
                  rotation_of(fade(1.0 - tau, k) * d / next.length * next.turn);
  const Eigen::Vector3d begin = way.to.position - d * way.direction;
  if (corner.bend <= kStraight) {
    pose.position = begin + along * way.direction;
    return pose;
  }
  const double radius = d / std::tan(0.5 * corner.bend);
  const double angle = along / radius;
  pose.position = begin + radius * std::sin(angle) * way.direction +
                  radius * (1.0 - std::cos(angle)) * corner.normal;
  return pose;
}

Placement ToolPath::at(double s) const {
  const auto last = std::find_if(parts_.begin(), parts_.end() - 1,
                                 [&](const Part& part) { return s <= part.end; });
  if (last->is_corner) return on_corner(last->way, s - corners_[last->way].begin);
  return on_way(ways_[last->way], s - begins_[last->way]);
}

}  // namespace jointrig
