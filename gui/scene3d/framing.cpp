#include "gui/scene3d/framing.h"

#include <algorithm>
#include <cmath>

namespace jointrig::gui {
namespace {

constexpr double kShare = 0.9;            // choice: air around the robot
constexpr double kNearestEye = 2.0;       // radii; choice: nearer, a long robot looks distorted
constexpr double kSmallestRadius = 1e-3;  // m
constexpr double kDegOfRad = 180.0 / mjPI;

bool is_floor(int type) { return type == mjGEOM_PLANE || type == mjGEOM_HFIELD; }

void add(Corners& corners, const std::array<double, 3>& point) {
  for (const double x : point) {
    if (!std::isfinite(x)) return;
  }
  corners.push_back(point);
}

void add_box(Corners& corners, const mjModel& m, const mjData& d, int geom) {
  const mjtNum* middle = m.geom_aabb + 6 * geom;
  const mjtNum* half = middle + 3;
  for (int corner = 0; corner < 8; ++corner) {
    mjtNum local[3];
    for (int i = 0; i < 3; ++i) {
      local[i] = middle[i] + ((corner >> i & 1) != 0 ? half[i] : -half[i]);
    }
    mjtNum world[3];
    mju_mulMatVec3(world, d.geom_xmat + 9 * geom, local);
    mju_addTo3(world, d.geom_xpos + 3 * geom);
    add(corners, {world[0], world[1], world[2]});
  }
}

void add_geoms(const DrawnRobot& robot, const mjvOption* option, Corners& corners) {
  const mjModel& m = robot.model();
  for (int g = 0; g < m.ngeom; ++g) {
    if (!robot.is_part(m.geom_bodyid[g]) || is_floor(m.geom_type[g])) continue;
    const int group = std::clamp(m.geom_group[g], 0, mjNGROUP - 1);
    if (option != nullptr && option->geomgroup[group] == 0) continue;
    add_box(corners, m, robot.data(), g);
  }
}

struct Axes {
  mjtNum right[3], up[3], forward[3];
};

Axes axes_of(const mjvCamera& camera) {
  const double azimuth = camera.azimuth / kDegOfRad;
  const double elevation = camera.elevation / kDegOfRad;
  const double ca = std::cos(azimuth);
  const double sa = std::sin(azimuth);
  const double ce = std::cos(elevation);
  const double se = std::sin(elevation);
  return {{sa, -ca, 0.0}, {-se * ca, -se * sa, ce}, {ce * ca, ce * sa, se}};
}

/// The points' extent to one side and to the other, and the two planes of a view that bound it.
struct Wedge {
  explicit Wedge(double slope) : k(slope) {}
  void take(double a, double c) {
    most = std::max(most, a);
    least = std::min(least, a);
    high = std::max(high, a - k * c);
    low = std::max(low, -a - k * c);
  }
  [[nodiscard]] double middle() const { return 0.5 * (least + most); }
  [[nodiscard]] double nearest() const { return std::min(middle() - high, -middle() - low) / k; }

  double k;
  double most = -mjMAXVAL;
  double least = mjMAXVAL;
  double high = -mjMAXVAL;
  double low = -mjMAXVAL;
};

}  // namespace

void corners_of(const DrawnRobot& robot, const mjvOption& option, Corners& corners) {
  corners.clear();
  add_geoms(robot, &option, corners);
  if (corners.empty()) add_geoms(robot, nullptr, corners);
  if (!corners.empty()) return;
  for (int body = 1; body < robot.model().nbody; ++body) {
    const mjtNum* at = robot.data().xpos + 3 * body;
    if (robot.is_part(body)) add(corners, {at[0], at[1], at[2]});
  }
}

double radius_of(const Corners& corners) {
  if (corners.empty()) return kSmallestRadius;
  std::array<double, 3> low = corners[0];
  std::array<double, 3> high = corners[0];
  for (const auto& corner : corners) {
    for (std::size_t i = 0; i < 3; ++i) {
      low[i] = std::min(low[i], corner[i]);
      high[i] = std::max(high[i], corner[i]);
    }
  }
  return std::max(kSmallestRadius, 0.5 * mju_dist3(low.data(), high.data()));
}

void show_all(const Corners& corners, double fovy, double aspect, mjvCamera& camera) {
  if (corners.empty()) return;
  const double k = kShare * std::tan(0.5 * fovy);
  const Axes axes = axes_of(camera);
  Wedge across{k * aspect};
  Wedge along{k};
  double nearest = mjMAXVAL;
  double farthest = -mjMAXVAL;
  for (const auto& corner : corners) {
    const double c = mju_dot3(corner.data(), axes.forward);
    across.take(mju_dot3(corner.data(), axes.right), c);
    along.take(mju_dot3(corner.data(), axes.up), c);
    nearest = std::min(nearest, c);
    farthest = std::max(farthest, c);
  }
  const double eye = std::min(across.nearest(), along.nearest());
  const double middle = 0.5 * (nearest + farthest);
  camera.distance = std::max(middle - eye, kNearestEye * radius_of(corners));
  for (int i = 0; i < 3; ++i) {
    camera.lookat[i] =
        across.middle() * axes.right[i] + along.middle() * axes.up[i] + middle * axes.forward[i];
  }
}

bool shows_all(const Corners& corners, double fovy, double aspect, const mjvCamera& camera) {
  const double k = std::tan(0.5 * fovy);
  const Axes axes = axes_of(camera);
  return std::all_of(corners.begin(), corners.end(), [&](const std::array<double, 3>& corner) {
    mjtNum way[3];
    mju_sub3(way, corner.data(), camera.lookat);
    const double depth = mju_dot3(way, axes.forward) + camera.distance;
    return std::abs(mju_dot3(way, axes.right)) <= k * aspect * depth &&
           std::abs(mju_dot3(way, axes.up)) <= k * depth;
  });
}

}  // namespace jointrig::gui
