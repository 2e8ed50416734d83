#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "control/core/arm_commands.h"
#include "control/core/faults.h"
#include "control/core/plan_execution.h"
#include "control/core/plan_quantity.h"
#include "control/core/types.h"
#include "control/motion/minimum_jerk.h"

namespace jointrig {

/// Reason why no plan could be made, or why one is refused.
struct PlanFailure {
  RejectReason reason = RejectReason::kNone;
  JointIndex joint = kNoJoint;
  std::uint16_t waypoint = 0;  ///< from 1; 0: none
  double value = 0.0;
  double limit = 0.0;
  PlanQuantity quantity = PlanQuantity::kNone;  ///< of value and limit, where the reason leaves it

  explicit operator bool() const noexcept { return reason != RejectReason::kNone; }
  bool operator==(const PlanFailure&) const = default;
};

/// The largest values of one joint along a plan, and the waypoints that they lead to.
struct PlanExtent {
  double q_min = 0.0, q_max = 0.0;  ///< [rad or m]
  double v_max = 0.0;               ///< of |v| [rad/s or m/s]
  double a_max = 0.0;               ///< of |a| [rad/s² or m/s²]
  std::uint16_t q_min_at = 0, q_max_at = 0, v_max_at = 0, a_max_at = 0;
};

/// A motion of some joints over time, in two layers:
///
///     path      q(s)    pieces of polynomials of up to the fifth degree, by the path parameter s
///     timing    s(t)    intervals of constant s'':  s = s_i + s'_i (t − t_i) + s''_i (t − t_i)²/2
///
///     q' = dq/ds s'         q'' = d²q/ds² s'² + dq/ds s''
///
/// Made outside the loop (control/planning), then immutable. at() is for the cycle: it allocates
/// nothing, and takes a step or two from the place of the cycle before.
class JointPlan : public std::enable_shared_from_this<JointPlan> {
 public:
  static constexpr std::size_t kCoefficients = 6;

  /// Beginning of an interval of the timing; the last one ends the plan, at rest or not.
  struct Instant {
    double t = 0.0;
    double s = 0.0;
    double speed = 0.0;  ///< s'
    double accel = 0.0;  ///< s'' until the next instant
  };

  /// A place on the way, kept by whoever follows.
  struct Cursor {
    std::size_t instant = 0;
    std::size_t piece = 0;
  };

  /// How near a joint has to be [rad or m]; 0: not watched.
  struct Tolerance {
    double path = 0.0;
    double goal = 0.0;
  };

  /// Interaction control of the arm whose joints move, from a place of the way on.
  struct Interaction {
    std::uint32_t after = 0;  ///< number of the waypoint that is passed before; 0: from the start
    SetInteractionControl control;
  };

  /// A plan that could not be made: the loop refuses it with this reason.
  explicit JointPlan(const PlanFailure& failure) : failure_(failure) {}

  /// @param knots  s at the ends of the pieces, rising; one more than there are pieces
  /// @param coefficients  [piece][joint][power of s − knot], rising powers
  /// @param timing  at least one instant; the last is the end
  /// @param waypoints  t at the waypoints, rising; the last is the end, or is passed at a speed:
  ///                   from there the joints brake until the end
  JointPlan(std::vector<JointIndex> joints, std::vector<double> knots,
            std::vector<double> coefficients, std::vector<Instant> timing,
            std::vector<double> waypoints);

  [[nodiscard]] const PlanFailure& failure() const noexcept { return failure_; }
  [[nodiscard]] std::span<const JointIndex> joints() const noexcept { return joints_; }
  [[nodiscard]] double duration() const noexcept {
    return timing_.empty() ? 0.0 : timing_.back().t;
  }
  [[nodiscard]] std::span<const Instant> timing() const noexcept { return timing_; }
  [[nodiscard]] std::span<const double> knots() const noexcept { return knots_; }
  /// t at each waypoint; the start is none of them.
  [[nodiscard]] std::span<const double> waypoints() const noexcept { return waypoints_; }
  [[nodiscard]] std::span<const PlanExtent> extents() const noexcept { return extents_; }

  /// States of the joints at t, in their order; before 0 that at the start, after the end the last
  /// position at rest. For the cycle.
  void at(double t, Cursor& cursor, std::span<MotionState> states) const noexcept;

  /// Derivatives by s of joint `j`'s path at s within a piece.
  [[nodiscard]] MotionState path(std::size_t piece, std::size_t j, double s) const noexcept;

  // Values that a maker may set before it hands the plan over.

  /// One for each joint; empty: none is watched.
  std::vector<Tolerance> tolerances;
  double settling_time = 1.0;  ///< in which the joints must come within the goal tolerances [s]
  /// [waypoint][joint]: how near it has to be as the waypoint is passed; 0: not watched, as at the
  /// last one, which has the goal tolerances. Empty: none is watched [rad or m]
  std::vector<double> waypoint_tolerances;
  PlanExecution execution = PlanExecution::kInverseDynamics;
  std::vector<Interaction> interactions;  ///< by rising waypoint
  std::string remark;  ///< of a failure: what its numbers can't tell (bodies, the place)

  /// Ticket of the plan that it replaces while it is followed, 0 for none, and where: in the time
  /// of that one, up to its duration [s].
  std::uint32_t after_slot = 0;
  std::uint32_t after_round = 0;
  double after_time = 0.0;

 private:
  void measure();

  PlanFailure failure_;
  std::vector<JointIndex> joints_;
  std::vector<double> knots_;
  std::vector<double> coefficients_;
  std::vector<Instant> timing_;
  std::vector<double> waypoints_;
  std::vector<PlanExtent> extents_;
};

}  // namespace jointrig
