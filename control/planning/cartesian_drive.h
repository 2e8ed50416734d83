#pragma once
/// Joints that take a tool along a velocity, cycle by cycle.
///
/// The drive keeps a pose, the marker, that the velocity moves by the screw of one cycle:
///
///     X ← X exp([V] dt)            V along the tool's own axes: V const. is a helix
///     p ← p + v dt, R ← exp([ω] dt) R      along the reference's: a line, and a turn about it
///
/// and inverse kinematics follows the marker, so that errors don't add up. Where the joints can't
/// have the velocity, the marker goes a share of the cycle's screw, the largest that keeps to
///
///     |dq_i| <= v_max dt                        and, towards the end of its range, to
///     |dq_i| <= sqrt(a_max way) dt              from which it can brake at a_max/2
///     |dq_i| <= (|v_i| + a_max dt) dt
///     σ − σ' <= k dt (σ − σ_min)                towards a singular pose alone
///
/// σ the smallest singular value (singular_value.h): a singular pose is come near to, ever more
/// slowly, and never passed; away from it the joints go freely. No joint changes its speed faster
/// than a_max, whatever is asked for: where a share would need that, the joints brake, and the
/// marker is where they are.
///
/// About a rotation that is left free (held_rotation.h) the marker turns as the joints make of it,
/// which go the shortest way, and the part of a twist about it is left out:
///
///     ω ← ω − a (a·ω)     a the free axis; ω ← 0 with all free
///
/// It may change at any time; the tool goes on as it goes. Where the joints can't have every twist
/// of what is held, the tool goes where they lead, and stands elsewhere.
///
/// After construction nothing allocates or throws, and a cycle's work is bounded: for the cycle of
/// a loop. One thread at a time. Nothing is known here of collisions.

#include <span>
#include <vector>

#include "control/core/tool_drive.h"
#include "control/planning/inverse_kinematics.h"

namespace jointrig {

/// Choices.
struct DriveOptions {
  double linear_acceleration = 1.0;      ///< of the marker [m/s²]
  double rotational_acceleration = 4.0;  ///< [rad/s²]
  double singular_value = 0.02;          ///< σ_min, with 0.3 m for a radian [m/rad]
  double approach = 4.0;                 ///< k [1/s]

  /// With the accelerations of the arm's tool.
  [[nodiscard]] static DriveOptions of(const ArmConfig& arm) {
    return {.linear_acceleration = arm.acceleration_max,
            .rotational_acceleration = arm.rotation_acceleration_max};
  }
};

/// Obstacle between a drive and its velocity in a cycle. Joints that have yet to gain speed don't
/// count.
struct DriveHindrance {
  DriveChange why = DriveChange::kFree;
  JointIndex joint = kNoJoint;
  double value = 0.0;  ///< as DriveChange says
  double limit = 0.0;
};

class CartesianDrive {
 public:
  /// @param task    with what it leaves free at first, x, y and z of its reference
  /// @param joints  that are moved; their soft limits, v_max and a_max hold
  CartesianDrive(const RobotConfig& robot, const KinematicTree& tree, const IkTask& task,
                 const std::vector<JointIndex>& joints, const DriveOptions& options = {});

  /// As InverseKinematics has them; before start().
  void set_base(const Placement& base) noexcept;
  void set_offset(const Placement& offset) noexcept;
  /// Orientation of the task's reference in the world, for the world's axes.
  void set_world(const Eigen::Matrix3d& reference) noexcept;
  /// For the moved joint number `place`, where they have changed; its range from the next start()
  /// on.
  void set_limits(std::size_t place, const JointLimits& limits) noexcept;

  /// A joint that starts beyond its soft limits goes no further out.
  /// @param q  all joints of the robot
  /// @param v  of the moved joints [rad/s or m/s]
  void start(std::span<const double> q, std::span<const double> v) noexcept;

  /// Leaves this rotation free from now on: x, y and z are axes of the world, or else of the task's
  /// reference.
  void set_free(FreeRotation free, ToolFrame frame) noexcept;
  /// True if the joints can hold what this leaves, in most poses (SingularValue::holds()).
  [[nodiscard]] bool can_hold(FreeRotation free, ToolFrame frame) const noexcept;
  /// The rotation to leave free where this one is asked for: `all` in place of none where the
  /// joints can't hold the three.
  [[nodiscard]] FreeRotation led(FreeRotation asked) const noexcept;
  /// The part of a twist that isn't about what is free.
  [[nodiscard]] Vector6 held(const Vector6& twist, bool is_own) const noexcept;

  /// Joints that others move: the tool is carried along by them, and goes on from there.
  /// @param q  all joints of the robot; those of the moved ones are ignored
  void carry(std::span<const double> q) noexcept;

  /// Goes on by one cycle.
  /// @param twist  of the tool: linear [m/s], then angular [rad/s]
  /// @param is_own  along the tool's axes; else along those of the task's reference
  /// @return  share of the twist that was had, 0 to 1
  double drive(const Vector6& twist, bool is_own, double dt) noexcept;

  // The same in parts, for tools that go on together (drives_together.h); twists are those of
  // held().
  /// Share of the way to this twist that the accelerations allow in a cycle.
  double ramp(const Vector6& twist, bool is_own, double dt) noexcept;
  /// Looks for the step of this cycle, after ramp().
  /// @param ramp  part of the way to the twist
  /// @param most  of the step, 0 to 1
  /// @return  share of the step that the joints can go
  double look(const Vector6& twist, double ramp, double most, double dt) noexcept;
  /// Takes the step that was found.
  void go(double dt) noexcept;
  /// Share of a twist that it has.
  [[nodiscard]] double share_of(const Vector6& twist) const noexcept;

  /// Found by the last look().
  [[nodiscard]] const DriveHindrance& hindrance() const noexcept { return hindrance_; }
  /// Twist of the marker along the axes of the reference.
  [[nodiscard]] Vector6 twist() const noexcept;

  /// For the moved joints.
  [[nodiscard]] const std::vector<double>& q() const noexcept { return state_.at; }
  [[nodiscard]] const std::vector<double>& v() const noexcept { return state_.v; }
  [[nodiscard]] const std::vector<double>& a() const noexcept { return state_.a; }
  [[nodiscard]] const std::vector<JointIndex>& joints() const noexcept { return ik_.joints(); }
  [[nodiscard]] const Placement& marker() const noexcept { return state_.marker; }
  [[nodiscard]] bool is_at_rest() const noexcept;

  /// All that outlives a cycle; saved and restored by assignment.
  struct State {
    std::vector<double> whole;  ///< all joints of the robot
    std::vector<double> at;     ///< moved joints
    std::vector<double> v;
    std::vector<double> a;
    std::vector<JointRange> ranges;
    Placement marker;
    Placement offset;
    Vector6 twist = Vector6::Zero();  ///< that was had
    bool was_own = false;             ///< along the tool's axes
    double least = 0.0;               ///< smallest singular value
    FreeRotation free = FreeRotation::kNone;
    bool is_of_world = false;  ///< x, y, z that are free
  };
  [[nodiscard]] const State& state() const noexcept { return state_; }
  void restore(const State& state);

 private:
  struct Step {
    Placement marker;
    std::vector<double> q;  ///< moved joints
    double least = 0.0;     ///< smallest singular value there
  };

  [[nodiscard]] Placement moved(double share, double dt) const noexcept;
  [[nodiscard]] bool find(const Placement& goal) noexcept;
  [[nodiscard]] double share_allowed(double dt) noexcept;
  void blame(DriveChange why, std::size_t place, double value, double limit) noexcept;
  void take(std::span<const double> wish, double least, double dt) noexcept;
  [[nodiscard]] double least_at(std::span<const double> q) noexcept;
  void sync() noexcept;
  void lead() noexcept;
  [[nodiscard]] const SingularValue& singular() const noexcept;
  [[nodiscard]] Eigen::Matrix3d axes() const noexcept;
  [[nodiscard]] Placement marker_at(const Placement& goal) const noexcept;

  InverseKinematics ik_;
  FrameKinematics kinematics_;
  bool is_weighted_;  ///< each axis of the task counts
  std::vector<JointLimits> limits_;
  DriveOptions options_;
  std::vector<SingularValue>
      singular_;           ///< by free rotation: the words, then x, y and z of the world
  Eigen::Matrix3d world_;  ///< orientation of the reference there
  State state_;

  // Values of one cycle.
  Vector6 next_ = Vector6::Zero();  ///< twist after the ramp
  Step step_;
  double found_ = 0.0;  ///< share of the step; 0: none
  int steps_left_ = 0;  ///< of inverse kinematics
  DriveHindrance hindrance_;
};

}  // namespace jointrig
