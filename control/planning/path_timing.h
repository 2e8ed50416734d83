#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "control/motion/joint_plan.h"
#include "control/planning/spline.h"

namespace jointrig {

/// Bounds of the joints on one piece of a path.
struct MotionBounds {
  std::vector<double> v;  ///< of |q'|, > 0 [rad/s or m/s]
  std::vector<double> a;  ///< of |q''|, > 0 [rad/s² or m/s²]
};

/// A further bound on an interval of the grid: p u + q x ≤ 1 with u = s'' and x = s'² at its start.
/// At a point that is δ further on x is x + 2 u δ.
struct TimingLine {
  double p = 0.0;
  double q = 0.0;
};
/// Adds the lines of the interval that begins `x` after the start of a piece.
using TimingLines =
    std::function<void(std::size_t piece, double x, double length, std::vector<TimingLine>& lines)>;

/// The fastest timing of a path under bounds of speed and acceleration, by reachability analysis
/// (Pham and Pham 2018, "A New Approach to Time-Optimal Path Parameterization Based on Reachability
/// Analysis", TOPP-RA). With x = s'² and u = s'', constant u on each interval of the grid,
///
///     q'  = q_s s'            x(s) = x_i + 2 u (s − s_i)
///     q'' = q_s u + q_ss x
///
/// A pass from the end finds at each point the largest x from which the end can be reached; a pass
/// from the start takes the largest u that stays below.
///
/// On an interval of a cubic piece q_s is a polynomial of the second degree in s, and so is q'';
/// q_s² x is one of the fifth. Each is bounded by its Bernstein coefficients, which are linear in u
/// and x. So the bounds hold at all times, not just on the grid; the price falls with the square of
/// the interval's length.
///
/// @param bounds  of each piece
/// @param start_speed  s' at the start; the end is at rest
/// @param grid  intervals of each piece; 0: chosen
/// @param further  bounds beside those of the joints; u = x = 0 has to be within them
/// @return  nothing if the start speed can't be kept within the bounds
std::optional<std::vector<JointPlan::Instant>> time_optimal(const CubicSpline& path,
                                                            const std::vector<MotionBounds>& bounds,
                                                            double start_speed = 0.0,
                                                            std::size_t grid = 0,
                                                            const TimingLines& further = nullptr);

/// The largest s' at the start that the bounds allow.
double largest_start_speed(const CubicSpline& path, const std::vector<MotionBounds>& bounds);

}  // namespace jointrig
