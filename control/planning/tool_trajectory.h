#pragma once
/// Plans a motion of an arm whose tool goes through poses: straight between them, in arcs at the
/// corners (tool_path.h), the same point of the tool throughout.
///
/// The path is sampled, and inverse kinematics gives the joints at each sample (tool_follower.h),
/// near to a posture. A cubic spline of the joints goes through the samples; they are laid more
/// densely until it keeps to the path. Its timing is the fastest (path_timing.h) under the joints'
/// bounds and those of the tool, taken of the spline's own motion:
///
///     v = J_v q_s s'        |v| <= linear_speed          |dv/dt| <= linear_acceleration
///     ω = J_ω q_s s'        |ω| <= rotational_speed      |dω/dt| <= rotational_acceleration
///
/// A rotation that is left free (core/free_rotation.h) goes as the joints make of it that are
/// nearest to the posture; its speed counts in ω.
///
/// The accelerations' circle is cut to a polygon of 16 sides, at most 2 % inside.
///
/// Joints that move come onto the path on a way of their own. With q_0 and v where they are, and τ
/// a multiple of the time that braking takes, the path begins where going straight on leads, and
/// the way is the cubic that takes off along v and meets the path at s_b with its slope q_s:
///
///     r = q_0 + v τ            the path begins where the tool is at r
///     P = q_0,  q_0 + 2/3 v τ,  q(s_b) − 2/3 s_b q_s,  q(s_b)       s = −s_b .. s_b
///
/// by its control points: a parabola where the path begins straight, so that a way back is one
/// steady acceleration. The shortest τ is taken with which the joints could come to rest on the way
/// (then they can also go on from it). The bounds of the tool count on the way, too, at the speed
/// that it has where that is more; where its acceleration is too small for that, as after a fast
/// motion of joints, the joints' bounds alone.
///
/// A plan that can't be made has a failure() with waypoint, value and limit, and a remark with the
/// place:
///
///     bad_plan        no waypoint, a number that is not finite or above its limit
///     not_at_start    the joints are too fast to come onto the path: value, limit = s' there
///     plan_reach      inverse kinematics finds nothing for a waypoint, or on the way: value =
///                     distance of the tool that is left, limit = the angle [m, rad]; the remark
///                     tells which rotation it needs to be free, if that is all
///     plan_position   it would need a joint beyond its limit: value, limit
///     plan_jump       a joint would have to jump from one sample to the next by value
///     plan_singular   value = smallest singular value (singular_value.h), limit
///     plan_spline     the densest spline leaves the path by value [m], or has no timing
///
/// Allocates and takes its time: outside the loop. One thread at a time.

#include <optional>
#include <vector>

#include "control/planning/joint_trajectory.h"
#include "control/planning/path_timing.h"
#include "control/planning/plan_watch.h"
#include "control/planning/rotation_advice.h"
#include "control/planning/tool_follower.h"
#include "control/planning/tool_path.h"

namespace jointrig {

/// Bounds of a tool's motion.
struct ToolLimits {
  double linear_speed = 0.25;            ///< [m/s]
  double linear_acceleration = 1.0;      ///< [m/s²]
  double rotational_speed = 1.0;         ///< [rad/s]
  double rotational_acceleration = 4.0;  ///< [rad/s²]

  static ToolLimits of(const ArmConfig& arm) noexcept;
};

struct ToolWaypoint {
  Placement pose;                   ///< X_RT, in the trajectory's reference
  double corner_distance = 0.0;     ///< [m]
  ToolLimits limits;                ///< on the way to it
  double speed_ratio = 1.0;         ///< of v_max of the joints: above 0, at most 1
  double acceleration_ratio = 1.0;  ///< of a_max
  std::vector<double> posture;      ///< of the moved joints, NaN: that before; empty: the same
  std::vector<double> tolerance;    ///< of the moved joints; checked alone (take_options())
};

/// Choices. The deviations are a tenth of what a Cartesian path may leave its line by.
struct ToolTrajectoryOptions {
  double deviation = 1e-5;         ///< of the spline from the path [m]
  double turn_deviation = 1.7e-5;  ///< [rad], 0.001°
  double singular_value = 0.01;    ///< of the Jacobian with 0.3 m for a radian [m/rad]
  double jump = 0.1;               ///< of a joint between the densest samples [rad or m]
  FreeRotation free = FreeRotation::kNone;
};

class ToolTrajectory {
 public:
  /// @param frames  tool and reference
  /// @param joints  joints that are moved, rising
  ToolTrajectory(const RobotConfig& robot, const KinematicTree& tree, const FramePair& frames,
                 const std::vector<JointIndex>& joints, const ToolTrajectoryOptions& options = {});

  void set_base(const Placement& base) noexcept {
    follower_.set_base(base);
    advice_.set_base(base);
  }
  /// As InverseKinematics::set_offset.
  void set_offset(const Placement& offset) noexcept {
    follower_.set_offset(offset);
    advice_.set_offset(offset);
  }

  /// Pose of the tool.
  [[nodiscard]] Placement tool(const std::vector<double>& q);

  /// @param q  all joints of the robot; those that are moved begin there
  /// @param most  largest limits that a waypoint may have
  /// @param watch  told how far it is; null: nobody watches. Throws PlanCancelled by it
  /// @param v  of the moved joints; empty: at rest [rad/s or m/s]
  JointPlan plan(const std::vector<double>& q, const std::vector<ToolWaypoint>& waypoints,
                 const ToolLimits& most, PlanWatch* watch = nullptr,
                 const std::vector<double>& v = {});

  /// Least one of the last plan.
  [[nodiscard]] double least_singular_value() const noexcept { return least_; }

 private:
  /// A sample of the path.
  struct Sample {
    double s = 0.0;
    std::size_t part = 0;   ///< that ends here, or contains it
    std::vector<double> q;  ///< moved joints
  };
  /// Joints from a rest to the next: a spline with its timing.
  struct Stretch {
    CubicSpline spline;
    std::vector<JointPlan::Instant> timing;
  };

  /// Way from joints in motion onto the path, of equal pieces; their first s is −s_b.
  struct LeadIn {
    std::vector<double> q;  ///< moved joints, where they are
    std::vector<double> v;
    double time = 0.0;                 ///< τ [s]
    std::optional<ToolLimits> limits;  ///< of the tool; absent: the joints' bounds alone
    double meets = 0.0;                ///< s_b
    [[nodiscard]] double speed() const noexcept { return meets / time; }  ///< s' at its start
  };

  /// Work for each stretch, one after the other.
  enum class Work : std::uint8_t { kFollow, kBound };

  [[nodiscard]] PlanFailure check(const std::vector<double>& q,
                                  const std::vector<ToolWaypoint>& waypoints,
                                  const ToolLimits& most) const;
  void begin_path(const std::vector<double>& q);
  JointPlan plan_from(const std::vector<double>& begin);
  JointPlan plan_in_motion(const std::vector<double>& q, const std::vector<double>& v);
  [[nodiscard]] Vector6 twist_at(const std::vector<double>& q, const std::vector<double>& v);
  bool find_lead_in();
  [[nodiscard]] CubicSpline lead_in(const std::vector<double>& end,
                                    const std::vector<double>& slope) const;
  [[nodiscard]] MotionBounds own_bounds(double speed, double acceleration) const;
  bool lay_meeting_point(std::vector<Sample>& samples);
  bool reaches_waypoints(const std::vector<double>& q);
  void tell(Work work, double s) const;
  bool refuse_limit(const BeyondLimit& beyond, std::size_t part, double s);
  bool refuse_singular(double least, std::size_t part, double s);
  bool refuse_reach(const IkError& error, const std::vector<double>& from, std::size_t part,
                    double s);
  [[nodiscard]] std::string remark() const;
  [[nodiscard]] std::string advice() const;
  [[nodiscard]] std::vector<double> posture_at(double s) const;
  bool follow(double s, std::size_t part, std::vector<double>& q);
  void find_break(Sample good, const Sample& bad);
  bool lay_samples(std::size_t first, std::size_t last, std::vector<Sample>& samples);
  bool refine(std::vector<Sample>& samples, std::optional<CubicSpline>& spline);
  [[nodiscard]] std::vector<double> slope(const Sample& at, double step);
  [[nodiscard]] double deviation(const CubicSpline& spline, std::size_t piece);
  bool look_for_singularity(const CubicSpline& spline, const std::vector<Sample>& samples);
  bool is_singular_between(const CubicSpline& spline, std::size_t piece, double from, double to);
  double singular_value_at(const CubicSpline& spline, std::size_t piece, double s);
  [[nodiscard]] Vector6 twist(const CubicSpline& spline, std::size_t piece, double s);
  void add_tool_bounds(const CubicSpline& spline, std::size_t piece, double x, double length,
                       const ToolLimits& limits, std::vector<TimingLine>& lines);
  bool plan_stretch(std::size_t first, std::size_t last, std::vector<Stretch>& stretches);
  [[nodiscard]] JointPlan joined(const std::vector<Stretch>& stretches) const;
  bool refuse(RejectReason reason, std::size_t part, double s, JointIndex joint, double value,
              double limit, PlanQuantity quantity = PlanQuantity::kNone);

  TrajectoryJoints joints_;
  ToolTrajectoryOptions options_;
  ToolFollower follower_;
  RotationAdvice advice_;
  std::vector<double> q_;  ///< all joints
  const std::vector<ToolWaypoint>* waypoints_ = nullptr;
  PlanWatch* watch_ = nullptr;  ///< of the present call
  std::optional<ToolPath> path_;
  std::vector<double> start_;                  ///< moved joints
  std::vector<std::vector<double>> postures_;  ///< at the start, then at each waypoint
  PlanFailure failure_;
  double failed_at_ = 0.0;  ///< s
  /// All joints: from where no solution was found, or in the singular pose.
  std::vector<double> failed_from_;
  std::optional<LeadIn> lead_in_;  ///< absent: the joints begin at rest
  double least_ = 0.0;
};

}  // namespace jointrig
