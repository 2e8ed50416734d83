#include "control/planning/spline.h"

#include <gtest/gtest.h>

namespace jointrig {
namespace {

double value(const CubicSpline& spline, std::size_t piece, double x) {
  const double* c = spline.coefficients(piece, 0);
  return c[0] + x * (c[1] + x * (c[2] + x * c[3]));
}
double slope(const CubicSpline& spline, std::size_t piece, double x) {
  const double* c = spline.coefficients(piece, 0);
  return c[1] + x * (2.0 * c[2] + x * 3.0 * c[3]);
}
double bend(const CubicSpline& spline, std::size_t piece, double x) {
  const double* c = spline.coefficients(piece, 0);
  return 2.0 * c[2] + x * 6.0 * c[3];
}

const std::vector<std::vector<double>> kPoints{{0.0}, {1.0}, {-0.5}, {2.0}, {2.0}};
const std::vector<double> kKnots{0.0, 0.7, 1.0, 2.5, 3.0};

TEST(CubicSpline, GoesThroughItsPointsWithOneSlopeAndOneBend) {
  const CubicSpline spline(kPoints, kKnots);
  for (std::size_t k = 0; k < spline.pieces(); ++k) {
    const double h = kKnots[k + 1] - kKnots[k];
    EXPECT_NEAR(value(spline, k, 0.0), kPoints[k][0], 1e-12);
    EXPECT_NEAR(value(spline, k, h), kPoints[k + 1][0], 1e-12);
    if (k + 1 == spline.pieces()) continue;
    EXPECT_NEAR(slope(spline, k, h), slope(spline, k + 1, 0.0), 1e-12);
    EXPECT_NEAR(bend(spline, k, h), bend(spline, k + 1, 0.0), 1e-12);
  }
}

TEST(CubicSpline, HasNoBendAtANaturalEndAndTheGivenSlopeAtAClampedOne) {
  const CubicSpline natural(kPoints, kKnots);
  EXPECT_NEAR(bend(natural, 0, 0.0), 0.0, 1e-12);
  EXPECT_NEAR(bend(natural, 3, 0.5), 0.0, 1e-12);

  const CubicSpline clamped(kPoints, kKnots, std::vector<double>{3.0}, std::vector<double>{-1.0});
  EXPECT_NEAR(slope(clamped, 0, 0.0), 3.0, 1e-12);
  EXPECT_NEAR(slope(clamped, 3, 0.5), -1.0, 1e-12);
}

TEST(CubicSpline, IsACubicWhereThePointsAreOfOne) {
  const auto cubic = [](double s) { return 1.0 - 2.0 * s + 0.5 * s * s + 0.25 * s * s * s; };
  const auto its_slope = [](double s) { return -2.0 + s + 0.75 * s * s; };
  std::vector<std::vector<double>> points;
  for (const double s : kKnots) points.push_back({cubic(s)});
  const CubicSpline spline(points, kKnots, std::vector<double>{its_slope(0.0)},
                           std::vector<double>{its_slope(3.0)});
  for (std::size_t k = 0; k < spline.pieces(); ++k) {
    EXPECT_NEAR(value(spline, k, 0.1), cubic(kKnots[k] + 0.1), 1e-12);
  }
}

TEST(ChordKnots, AreTheLengthsWithEachJointInUnitsOfItsScale) {
  const std::vector<double> knots = chord_knots({{0.0, 0.0}, {3.0, 8.0}, {3.0, 9.0}}, {1.0, 2.0});
  EXPECT_EQ(knots, (std::vector<double>{0.0, 5.0, 5.5}));  // 3, 8/2: 5; then 1/2
}

}  // namespace
}  // namespace jointrig
