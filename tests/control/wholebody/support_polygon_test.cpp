#include "control/wholebody/support_polygon.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace jointrig {
namespace {

using Point = Eigen::Vector2d;

// Two soles of 2 x 1, side by side: a rectangle from (-1, -2) to (1, 2).
const std::array<Point, 8> kSoles{Point{-1, 1},  {1, 1},  {-1, 2},  {1, 2},
                                  Point{-1, -1}, {1, -1}, {-1, -2}, {1, -2}};

TEST(SupportPolygon, GivesTheWayToItsNearestEdge) {
  EXPECT_NEAR(inside_by(kSoles, {0.0, 0.0}), 1.0, 1e-12);
  EXPECT_NEAR(inside_by(kSoles, {0.0, 1.7}), 0.3, 1e-12);
  EXPECT_NEAR(inside_by(kSoles, {0.9, -0.5}), 0.1, 1e-12);
  EXPECT_NEAR(inside_by(kSoles, {1.0, 0.0}), 0.0, 1e-12);
}

TEST(SupportPolygon, IsNegativeBeyondAnEdge) {
  EXPECT_NEAR(inside_by(kSoles, {1.5, 0.0}), -0.5, 1e-12);
  EXPECT_NEAR(inside_by(kSoles, {0.0, -2.25}), -0.25, 1e-12);
}

TEST(SupportPolygon, OfPointsOnALineHasNoInside) {
  const std::array<Point, 3> line{Point{0, 0}, {1, 0}, {2, 0}};
  EXPECT_LE(inside_by(line, {1.0, 0.5}), 0.0);
  EXPECT_LE(inside_by({}, {1.0, 0.5}), 0.0);
}

TEST(SupportPolygon, HasAPointNearestToEachOther) {
  const auto expect = [](const Point& at, const Point& nearest) {
    EXPECT_LT((nearest_inside(kSoles, at) - nearest).norm(), 1e-12) << at.transpose();
  };
  expect({0.3, 1.2}, {0.3, 1.2});
  expect({0.0, 0.0}, {0.0, 0.0});  // between the soles
  expect({3.0, 0.5}, {1.0, 0.5});
  expect({-2.0, -5.0}, {-1.0, -2.0});
  expect({0.5, 2.5}, {0.5, 2.0});
}

}  // namespace
}  // namespace jointrig
