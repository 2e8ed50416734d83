#pragma once
/// Joint positions along which a tool goes straight from where it is to a pose:
///
///     p(s) = p_0 + s (p_1 - p_0)        R(s) = R_0 exp(s log(R_0ᵀ R_1))        s = 0 .. 1
///
/// (the rotation is the one that quaternions interpolate spherically, Shoemake 1985). The line is
/// sampled, and inverse kinematics follows it from sample to sample without a leap. Between two
/// samples joints go in proportion; where that leaves the line by more than is allowed, samples are
/// laid more densely.
///
/// A line is refused whole, with the first sample that breaks it and the number: a pose out of
/// reach, a joint at its limit, a joint that would have to jump, a singular pose (a line through
/// one can't be followed at any speed).
///
/// Allocates and takes its time: for planning, outside the loop. One thread at a time.

#include <limits>
#include <vector>

#include "control/planning/inverse_kinematics.h"

namespace jointrig {

/// Result of a line.
///
///     none          the path is there
///     joint_limits  `joint` would have to pass its limit: `value`, `limit`
///     out_of_reach  the tool stays `value` [m] and `limit` [rad] away
///     jump          `joint` would move by `value` from one sample to the next, more than `limit`
///     singular      the smallest singular value is `value`, less than `limit`
///     off_the_line  the densest samples leave the line by `value`, more than `limit` [m or rad]
///     not_finite    the goal or the start isn't a number
#define JOINTRIG_LINE_PROBLEMS(X) \
  X(kNone, "none")                \
  X(kJointLimits, "joint_limits") \
  X(kOutOfReach, "out_of_reach")  \
  X(kJump, "jump")                \
  X(kSingular, "singular")        \
  X(kOffTheLine, "off_the_line")  \
  X(kNotFinite, "not_finite")
JOINTRIG_ENUM(LineProblem, JOINTRIG_LINE_PROBLEMS)

/// Choices, but for the deviation: half of what a Cartesian move may leave its line by.
struct LineOptions {
  double step = 0.01;       ///< between samples [m]
  double turn_step = 0.05;  ///< and [rad]
  int densest = 6;          ///< times that the steps are halved, at most
  double jump = 0.3;        ///< of a joint from sample to sample [rad or m]
  /// Least one of the Jacobian, its rows weighted as the task's [m/rad]: at 0.01 a tool at 0.1 m/s
  /// takes a joint at 10 rad/s.
  double singular_value = 0.01;
  double deviation = 5e-5;         ///< from the line [m]
  double turn_deviation = 8.7e-5;  ///< [rad], 0.005°
};

struct LineResult {
  LineProblem problem = LineProblem::kNone;
  std::vector<double> shares;              ///< s of each sample, rising from 0 to 1
  std::vector<std::vector<double>> knots;  ///< moved joints at each sample [rad or m]
  double length = 0.0;                     ///< of the line [m]
  double angle = 0.0;                      ///< of the turn [rad]
  double deviation = 0.0;                  ///< largest between samples [m]
  double turn_deviation = 0.0;             ///< [rad]
  double least_singular_value = std::numeric_limits<double>::infinity();

  // A problem:
  std::size_t sample = 0;  ///< the first that breaks it; shares and knots end before it
  double share = 0.0;      ///< s there
  double distance = 0.0;   ///< along the line [m]
  JointIndex joint = kNoJoint;
  double value = 0.0;
  double limit = 0.0;
};

class LinePath {
 public:
  /// @param task    of the tool; axes with weight 0 stay free along the line, as what its `free`
  ///                names
  /// @param joints  joints that are moved
  LinePath(const KinematicTree& tree, const IkTask& task, const std::vector<JointIndex>& joints,
           const std::vector<JointRange>& ranges, const LineOptions& options = {});

  void set_base(const Placement& base) noexcept;
  /// As InverseKinematics::set_offset.
  void set_offset(const Placement& offset) noexcept;

  /// @param goal  X_RT at the end
  /// @param q     all joints of the robot, at the begin
  LineResult plan(const Placement& goal, const std::vector<double>& q);

 private:
  bool sample(const Placement& goal, const std::vector<double>& q, std::size_t count,
              LineResult& line);
  bool check(const std::vector<double>& before, const IkResult& next, LineResult& line);
  void measure_deviation(const Placement& goal, std::vector<double> q, LineResult& line);
  [[nodiscard]] Placement at(const Placement& goal, double share) const;
  [[nodiscard]] double least_singular_value(const std::vector<double>& q);

  IkTask task_;
  LineOptions options_;
  InverseKinematics ik_;
  FrameKinematics kinematics_;
  SingularValue singular_;
  Placement begin_;
};

}  // namespace jointrig
