/// Distances of simple shapes, against MuJoCo's own of the same geoms.

#include "control/model/shape_distance.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <random>

#include "control/model/enclosing_capsule.h"
#include "control/model/mjcf.h"

namespace jointrig {
namespace {

using Eigen::Vector3d;

/// Two bodies with a geom each, thrown about.
class Thrown {
 public:
  explicit Thrown(const std::string& a, const std::string& b)
      : mjcf_(parse_mjcf("<mujoco><worldbody><body><freejoint/><geom name='a' mass='1' " + a +
                             "/></body><body><freejoint/><geom name='b' mass='1' " + b +
                             "/></body></worldbody></mujoco>",
                         "thrown.xml")),
        model_(compile(mjcf_)),
        data_(make_data(*model_, "thrown.xml")) {
    for (int i = 0; i < 2; ++i) shapes_[static_cast<std::size_t>(i)] = shape_of(*model_, i);
  }

  void anew() {
    std::uniform_real_distribution<double> place(-0.6, 0.6);
    std::normal_distribution<double> turn;
    for (int i = 0; i < 2; ++i) {
      for (int k = 0; k < 3; ++k) data_->qpos[7 * i + k] = place(random_);
      for (int k = 3; k < 7; ++k) data_->qpos[7 * i + k] = turn(random_);
      mju_normalize4(data_->qpos + 7 * i + 3);
    }
    mj_kinematics(model_.get(), data_.get());
  }
  [[nodiscard]] Placed at(int i) const {
    using Rows3 = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
    const Rows3 turn = Eigen::Map<const Rows3>(data_->xmat + 9 * (i + 1));
    const Shape& shape = shapes_[static_cast<std::size_t>(i)];
    return {Eigen::Map<const Vector3d>(data_->xpos + 3 * (i + 1)) + turn * shape.centre,
            turn * shape.axes};
  }
  [[nodiscard]] Nearest ours() const { return nearest(shapes_[0], at(0), shapes_[1], at(1)); }
  [[nodiscard]] double mujocos() const {
    mjtNum fromto[6];
    return mj_geomDistance(model_.get(), data_.get(), 0, 1, 10.0, fromto);
  }
  [[nodiscard]] const Shape& shape(std::size_t i) const { return shapes_[i]; }

 private:
  std::mt19937 random_{7};
  Mjcf mjcf_;
  ModelPtr model_;
  DataPtr data_;
  std::array<Shape, 2> shapes_;
};

constexpr const char* kSphere = "type='sphere' size='0.07' pos='0.02 0 0.1'";
constexpr const char* kCapsule = "type='capsule' size='0.05 0.2' pos='0.1 0 0' euler='30 0 20'";
constexpr const char* kThin = "type='capsule' size='0.01 0.4'";
constexpr const char* kBox = "type='box' size='0.1 0.25 0.03' pos='0 0.05 0' euler='0 40 10'";

TEST(ShapeDistance, IsMuJoCosForSeparatePairs) {
  const std::pair<const char*, const char*> pairs[] = {
      {kSphere, kSphere}, {kCapsule, kThin}, {kSphere, kThin}, {kBox, kSphere}};
  for (const auto& [a, b] : pairs) {
    Thrown pair(a, b);
    int separate = 0;
    for (int i = 0; i < 500; ++i) {
      SCOPED_TRACE(std::string(a) + " / " + b + " #" + std::to_string(i));
      pair.anew();
      const double theirs = pair.mujocos();
      if (theirs < 1e-3) continue;
      ++separate;
      const Nearest ours = pair.ours();
      EXPECT_NEAR(ours.distance, theirs, 1e-9);
      EXPECT_NEAR((ours.on_b - ours.on_a).norm(), ours.distance, 1e-12);
      EXPECT_NEAR(ours.normal.norm(), 1.0, 1e-12);
    }
    EXPECT_GT(separate, 200);
  }
}

/// For a capsule and a box MuJoCo tries some points and now and then misses the nearest: so the
/// test compares with as many points along the segment as needed.
TEST(ShapeDistance, OfCapsuleAndBoxIsTheLeastAlongTheSegment) {
  for (const bool is_turned : {false, true}) {
    Thrown pair(is_turned ? kBox : kThin, is_turned ? kCapsule : kBox);
    const std::size_t c = is_turned ? 1 : 0;
    int separate = 0;
    for (int i = 0; i < 300; ++i) {
      SCOPED_TRACE(i);
      pair.anew();
      const Placed capsule = pair.at(static_cast<int>(c));
      const Placed box = pair.at(static_cast<int>(1 - c));
      const Vector3d half = pair.shape(1 - c).half_size;
      constexpr int kPlaces = 20000;
      double least = 10.0;
      for (int k = -kPlaces; k <= kPlaces; ++k) {
        const double t = pair.shape(c).half_length * k / kPlaces;
        const Vector3d point =
            box.axes.transpose() * (capsule.centre + t * capsule.axes.col(2) - box.centre);
        least = std::min(least, (point - point.cwiseMax(-half).cwiseMin(half)).norm());
      }
      if (least < 1e-3) continue;
      ++separate;
      const double ours = pair.ours().distance + pair.shape(c).radius;
      EXPECT_LE(ours, least + 1e-12);
      EXPECT_GE(ours, least - 1e-6);
    }
    EXPECT_GT(separate, 150);
  }
}

TEST(ShapeDistance, OfPenetratingCapsulesIsThatOfTheirSegmentsLessTheRadii) {
  Thrown pair(kCapsule, kThin);
  Thrown wide("type='capsule' size='0.2 0.2' pos='0.1 0 0' euler='30 0 20'", kThin);
  for (int i = 0; i < 200; ++i) {
    pair.anew();
    wide.anew();  // the same throw: the same seed
    EXPECT_NEAR(wide.ours().distance, pair.ours().distance - 0.15, 1e-12);
  }
}

TEST(ShapeDistance, ToAPlaneIsTheHeightOfTheLowestPoint) {
  Shape plane;
  plane.kind = Shape::Kind::kHalfSpace;
  const Placed ground{Vector3d(0.3, 0.2, 0.1), Eigen::Matrix3d::Identity()};
  Shape capsule;
  capsule.radius = 0.1;
  capsule.half_length = 0.5;
  Eigen::Matrix3d tilted;
  tilted = Eigen::AngleAxisd(EIGEN_PI / 3.0, Vector3d::UnitX());
  // Its ends are 0.5 cos 60 deg = 0.25 above and below its middle.
  EXPECT_NEAR(nearest(capsule, {Vector3d(0, 0, 1), tilted}, plane, ground).distance,
              1.0 - 0.25 - 0.1 - 0.1, 1e-12);
  Shape box;
  box.kind = Shape::Kind::kBox;
  box.half_size = Vector3d(0.1, 0.2, 0.3);
  const Nearest near = nearest(plane, ground, box, {Vector3d(0, 0, 1), tilted});
  EXPECT_NEAR(near.distance, 1.0 - 0.3 * 0.5 - 0.2 * std::sin(EIGEN_PI / 3.0) - 0.1, 1e-12);
  EXPECT_NEAR(near.normal.z(), 1.0, 1e-12);
}

TEST(ShapeDistance, GoesOnIntoABox) {
  Shape ball;
  ball.radius = 0.05;
  Shape box;
  box.kind = Shape::Kind::kBox;
  box.half_size = Vector3d(0.3, 0.4, 0.02);
  const Placed still{Vector3d::Zero(), Eigen::Matrix3d::Identity()};
  double before = 1.0;
  for (double z = 0.2; z > 0.001; z -= 0.001) {
    const Nearest near =
        nearest(ball, {Vector3d(0.1, 0.1, z), Eigen::Matrix3d::Identity()}, box, still);
    EXPECT_NEAR(near.distance, z - 0.02 - 0.05, 1e-9) << z;
    EXPECT_NEAR(near.normal.z(), -1.0, 1e-9);
    EXPECT_LT(near.distance, before);
    before = near.distance;
  }
}

TEST(ShapeDistance, ChangesAlongItsNormal) {
  Thrown pair(kCapsule, kBox);
  std::mt19937 random(3);
  std::normal_distribution<double> step;
  constexpr double kStep = 1e-6;
  int tried = 0;
  for (int i = 0; i < 300; ++i) {
    pair.anew();
    const Nearest here = pair.ours();
    if (here.distance < 0.0) continue;
    ++tried;
    const Vector3d way = kStep * Vector3d(step(random), step(random), step(random));
    Placed moved = pair.at(1);
    moved.centre += way;
    const double there = nearest(pair.shape(0), pair.at(0), pair.shape(1), moved).distance;
    EXPECT_NEAR((there - here.distance) / kStep, here.normal.dot(way) / kStep, 1e-4);
  }
  EXPECT_GT(tried, 100);
}

TEST(ShapeDistance, OfTwoBoxesIsNotMeasured) {
  Shape box;
  box.kind = Shape::Kind::kBox;
  EXPECT_FALSE(can_measure(box, box));
  EXPECT_TRUE(can_measure(box, Shape{}));
}

/// A capsule encloses the shape that it is made for.
TEST(EnclosingCapsule, HoldsTheGeom) {
  Thrown pair("type='cylinder' size='0.1 0.3'", "type='ellipsoid' size='0.1 0.3 0.2'");
  const Shape& cylinder = pair.shape(0);
  const Shape& ellipsoid = pair.shape(1);
  const auto inside = [](const Shape& capsule, const Vector3d& point) {
    const Vector3d p = capsule.axes.transpose() * (point - capsule.centre);
    const double along = std::max(std::abs(p.z()) - capsule.half_length, 0.0);
    return std::hypot(p.x(), p.y(), along) <= capsule.radius + 1e-12;
  };
  for (int i = 0; i < 360; ++i) {
    const double angle = i * EIGEN_PI / 180.0;
    EXPECT_TRUE(inside(cylinder, {0.1 * std::cos(angle), 0.1 * std::sin(angle), 0.3}));
    EXPECT_TRUE(inside(cylinder, {0.1 * std::cos(angle), 0.1 * std::sin(angle), -0.3}));
    EXPECT_TRUE(inside(ellipsoid, {0.1 * std::cos(angle), 0.3 * std::sin(angle), 0.0}));
    EXPECT_TRUE(inside(ellipsoid, {0.0, 0.3 * std::cos(angle), 0.2 * std::sin(angle)}));
  }
  const auto volume = [](double r, double l) { return r * r * (2.0 * l + 4.0 / 3.0 * r); };
  EXPECT_LE(volume(cylinder.radius, cylinder.half_length), volume(0.1, 0.3));  // its caps on
  Shape box;
  box.kind = Shape::Kind::kBox;
  box.half_size = Vector3d(0.03, 0.2, 0.05);
  const Shape capsule = enclosing_capsule(box);
  for (const double x : {-0.03, 0.03}) {
    for (const double y : {-0.2, 0.2}) EXPECT_TRUE(inside(capsule, {x, y, 0.05}));
  }
  EXPECT_NEAR(std::abs(capsule.axes.col(2).y()), 1.0, 1e-12);  // along its longest side
}

}  // namespace
}  // namespace jointrig
