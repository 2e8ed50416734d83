#include "control/planning/path_timing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace jointrig {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Rounding: a share of a bound, far below any drive's resolution.
constexpr double kRounding = 1e-12;

using Line = TimingLine;

/// An interval of the grid: its length and its lines.
struct GridInterval {
  double length = 0.0;
  std::vector<Line> lines;
};

/// Second-degree Bernstein coefficients of q_s, and first-degree ones of q_ss, on a part of a
/// piece.
struct Bernstein {
  std::array<double, 3> slope{};
  std::array<double, 2> bend{};
};

/// @param x  start of the part, from the start of the piece
Bernstein bernstein(const double* c, double x, double length) noexcept {
  const double slope = c[1] + x * (2.0 * c[2] + x * 3.0 * c[3]);
  const double bend = 2.0 * c[2] + x * 6.0 * c[3];
  const double bend_end = bend + 6.0 * c[3] * length;
  return {{slope, slope + 0.5 * bend * length, slope + 0.5 * (bend + bend_end) * length},
          {bend, bend_end}};
}

/// |q''| ≤ a: with x1 = x + 2 h u the coefficients of q_s u + q_ss x(s) are
///
///     A0 u + b0 x      A1 u + (b0 x1 + b1 x)/2      A2 u + b1 x1
void add_acceleration(const Bernstein& on, double h, double a, std::vector<Line>& lines) {
  const auto& [A, b] = on;
  for (const Line& line : {Line{A[0], b[0]}, Line{A[1] + b[0] * h, 0.5 * (b[0] + b[1])},
                           Line{A[2] + 2.0 * b[1] * h, b[1]}}) {
    lines.push_back({line.p / a, line.q / a});
    lines.push_back({-line.p / a, -line.q / a});
  }
}

/// q_s² x(s) ≤ v²: coefficients of the fourth degree of q_s², then of the fifth of the product.
void add_speed(const Bernstein& on, double h, double v, std::vector<Line>& lines) {
  const auto& A = on.slope;
  const std::array<double, 5> square{
      A[0] * A[0], A[0] * A[1], (A[0] * A[2] + 2.0 * A[1] * A[1]) / 3.0, A[1] * A[2], A[2] * A[2]};
  for (std::size_t k = 0; k <= 5; ++k) {
    const double share = static_cast<double>(k) / 5.0;  // of the end in the k-th coefficient
    const double at_start = k < 5 ? (1.0 - share) * square[k] : 0.0;
    const double at_end = k > 0 ? share * square[k - 1] : 0.0;
    lines.push_back({2.0 * h * at_end / (v * v), (at_start + at_end) / (v * v)});
  }
}

/// The interval of u that the lines leave at x, and the lines that bound it.
struct Room {
  double low = -kInfinity;
  double high = kInfinity;
  Line lowest;
  Line highest;
  double most_x = kInfinity;  ///< by lines without u
};

void narrow(Room& room, const Line& line, double x) noexcept {
  const double left = 1.0 - line.q * x;
  if (line.p > 0.0) {
    const double u = left / line.p;
    if (u < room.high) room.high = u, room.highest = line;
  } else if (line.p < 0.0) {
    const double u = left / line.p;
    if (u > room.low) room.low = u, room.lowest = line;
  } else if (line.q > 0.0) {
    room.most_x = std::min(room.most_x, 1.0 / line.q);
  }
}

/// Room at x for u with the next x between 0 and `next`.
Room room_at(const GridInterval& on, double x, double next) noexcept {
  Room room;
  for (const Line& line : on.lines) narrow(room, line, x);
  const double low = -x / (2.0 * on.length);
  const double high = (next - x) / (2.0 * on.length);
  // As lines they would divide by 0 where `next` is 0.
  if (low > room.low) room.low = low, room.lowest = {0.0, 0.0};
  if (high < room.high) room.high = high, room.highest = {0.0, 0.0};
  return room;
}

/// Slope of a bound of u over x.
double slope_of(const Line& line, double length) noexcept {
  return line.p == 0.0 ? -0.5 / length : -line.q / line.p;
}

/// The largest x from which u can lead to at most `next`. The room high(x) − low(x) is a concave
/// function, positive or 0 at x = 0: Newton's steps from the right end at its zero.
double largest_x(const GridInterval& on, double next) noexcept {
  constexpr int kMostSteps = 100;
  double x = room_at(on, 0.0, next).most_x;
  if (x == kInfinity) x = 1e12;
  for (int step = 0; step < kMostSteps; ++step) {
    const Room room = room_at(on, x, next);
    const double width = room.high - room.low;
    const double size = std::max({1.0, std::abs(room.high), std::abs(room.low)});
    if (width >= -kRounding * size) return x;
    const double slope = slope_of(room.highest, on.length) - slope_of(room.lowest, on.length);
    if (!(slope < 0.0)) return 0.0;
    x = std::max(x - width / slope, 0.0);
  }
  return x;
}

std::size_t grid_of(std::size_t pieces) noexcept {
  // Choices: 32 intervals a piece come within 0.3 % of the optimum (bench/peers/toppra_paths.py).
  constexpr std::size_t kWanted = 800;
  constexpr std::size_t kLeast = 32;
  constexpr std::size_t kMost = 200;
  return std::clamp(kWanted / pieces, kLeast, kMost);
}

std::vector<GridInterval> intervals_of(const CubicSpline& path,
                                       const std::vector<MotionBounds>& bounds, std::size_t grid,
                                       const TimingLines& further = nullptr) {
  std::vector<GridInterval> intervals;
  intervals.reserve(path.pieces() * grid);
  for (std::size_t piece = 0; piece < path.pieces(); ++piece) {
    const double h = (path.knots()[piece + 1] - path.knots()[piece]) / static_cast<double>(grid);
    for (std::size_t i = 0; i < grid; ++i) {
      GridInterval& interval = intervals.emplace_back();
      interval.length = h;
      interval.lines.reserve(12 * path.joints());
      for (std::size_t j = 0; j < path.joints(); ++j) {
        const Bernstein on = bernstein(path.coefficients(piece, j), h * static_cast<double>(i), h);
        add_acceleration(on, h, bounds[piece].a[j], interval.lines);
        add_speed(on, h, bounds[piece].v[j], interval.lines);
      }
      if (further) further(piece, h * static_cast<double>(i), h, interval.lines);
    }
  }
  return intervals;
}

/// The largest x at each point of the grid from which the end can be reached at rest.
std::vector<double> reachable(const std::vector<GridInterval>& intervals) {
  std::vector<double> most(intervals.size() + 1);
  for (std::size_t i = intervals.size(); i-- > 0;) {
    most[i] = largest_x(intervals[i], most[i + 1]);
  }
  return most;
}

}  // namespace

std::optional<std::vector<JointPlan::Instant>> time_optimal(const CubicSpline& path,
                                                            const std::vector<MotionBounds>& bounds,
                                                            double start_speed, std::size_t grid,
                                                            const TimingLines& further) {
  if (grid == 0) grid = grid_of(path.pieces());
  const std::vector<GridInterval> intervals = intervals_of(path, bounds, grid, further);
  const std::vector<double> most = reachable(intervals);
  constexpr double kSlack = 1e-9;
  double x = start_speed * start_speed;
  if (x > most[0] * (1.0 + kSlack)) return std::nullopt;
  x = std::min(x, most[0]);

  std::vector<JointPlan::Instant> instants;
  instants.reserve(intervals.size() + 1);
  double t = 0.0;
  for (std::size_t i = 0; i < intervals.size(); ++i) {
    const GridInterval& on = intervals[i];
    const double s = path.knots()[i / grid] + on.length * static_cast<double>(i % grid);
    const double next =
        std::clamp(x + 2.0 * on.length * room_at(on, x, most[i + 1]).high, 0.0, most[i + 1]);
    const double speed = std::sqrt(x);
    const double sum = speed + std::sqrt(next);
    if (!(sum > 0.0)) return std::nullopt;
    instants.push_back({t, s, speed, 0.5 * (next - x) / on.length});
    t += 2.0 * on.length / sum;
    x = next;
  }
  instants.push_back({t, path.knots().back(), std::sqrt(x), 0.0});
  return instants;
}

double largest_start_speed(const CubicSpline& path, const std::vector<MotionBounds>& bounds) {
  return std::sqrt(reachable(intervals_of(path, bounds, grid_of(path.pieces()))).front());
}

}  // namespace jointrig
