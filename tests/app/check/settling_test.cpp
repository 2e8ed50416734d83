/// Settling times against the closed forms of one and of two motions.

#include "app/check/settling.h"

#include <gtest/gtest.h>

#include <cmath>

namespace jointrig::app {
namespace {

Eigen::MatrixXd one(double value) { return Eigen::MatrixXd::Constant(1, 1, value); }
Eigen::VectorXd at(double value) { return Eigen::VectorXd::Constant(1, value); }

TEST(SettlingTime, OfAHeavilyDampedMotionIsThatOfItsSlowPole) {
  // s² + 100 s + 100 = 0: the slow pole is at -1.0102, the fast one is gone at once.
  const double slow = 50.0 - std::sqrt(50.0 * 50.0 - 100.0);
  const double fast = 100.0 - slow;
  const double share = fast / (fast - slow);
  const double expected = std::log(share / 0.1) / slow;
  EXPECT_NEAR(settling_time({one(1.0), one(100.0), one(100.0)}, at(1.0), at(1.0), 0.1, 10.0),
              expected, 2e-3);
}

TEST(SettlingTime, OfAMotionThatSwingsCountsItsLastSwing) {
  // ω = 10 rad/s, ζ = 0.1: q = e^(-t) cos(ω_d t - φ) / cos φ leaves 20 % for the last time by its
  // third half swing.
  const double w = 10.0 * std::sqrt(1.0 - 0.01);
  const double phase = std::atan2(1.0, w);
  double last = 0.0;
  for (double t = 0.0; t < 10.0; t += 1e-4) {
    const double q = std::exp(-t) * std::cos(w * t - phase) / std::cos(phase);
    if (std::abs(q) > 0.2) last = t;
  }
  EXPECT_NEAR(settling_time({one(2.0), one(4.0), one(200.0)}, at(1.0), at(1.0), 0.2, 10.0), last,
              3e-3);
}

TEST(SettlingTime, LooksAtWhatIsWatchedAlone) {
  // A quick motion beside one that takes for ever.
  LinearMotion two{Eigen::Matrix2d::Identity(), 20.0 * Eigen::Matrix2d::Identity(),
                   Eigen::Vector2d(100.0, 1e-6).asDiagonal().toDenseMatrix()};
  const Eigen::Vector2d both(1.0, 1.0);
  // Twice at -10: q = (1 + 10 t) e^(-10 t) = 0.01 at t = 0.6638.
  EXPECT_NEAR(settling_time(two, both, Eigen::RowVector2d(1.0, 0.0), 0.01, 5.0), 0.6638, 2e-3);
  EXPECT_EQ(settling_time(two, both, both.transpose(), 0.01, 5.0), 5.0);
}

TEST(SettlingTime, IsNoneWhereNothingIsAway) {
  EXPECT_EQ(settling_time({one(1.0), one(1.0), one(1.0)}, at(0.1), at(1.0), 0.2, 1.0), 0.0);
}

}  // namespace
}  // namespace jointrig::app
