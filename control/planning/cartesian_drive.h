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
/// slowly, and never passed; away from it the joints go freely. About a rotation that the task
/// leaves free the marker turns as the joints make of it, which go the shortest way. No joint
/// changes its speed faster than a_max, whatever is asked for: where a share would need that, the
/// joints brake, and the marker is where they are.
///
/// For the thread that steps. Nothing is known here of collisions.

#include <span>
#include <vector>

#include "control/planning/inverse_kinematics.h"

namespace jointrig {

/// Choices.
struct DriveOptions {
  double linear_acceleration = 1.0;      ///< of the marker [m/s²]
  double rotational_acceleration = 4.0;  ///< [rad/s²]
  double singular_value = 0.02;          ///< σ_min, with 0.3 m for a radian [m/rad]
  double approach = 4.0;                 ///< k [1/s]
};

class CartesianDrive {
 public:
  /// @param joints  that are moved; their soft limits, v_max and a_max hold
  CartesianDrive(const RobotConfig& robot, const KinematicTree& tree, const IkTask& task,
                 const std::vector<JointIndex>& joints, const DriveOptions& options = {});

  /// As InverseKinematics has them; before start().
  void set_base(const Placement& base) noexcept;
  void set_offset(const Placement& offset) noexcept;

  /// @param q  all joints of the robot
  /// @param v  of the moved joints [rad/s or m/s]
  void start(std::span<const double> q, std::span<const double> v);

  /// Goes on by one cycle.
  /// @param twist  of the tool: linear [m/s], then angular [rad/s]
  /// @param is_own  along the tool's axes; else along those of the task's reference
  /// @return  share of the twist that was had, 0 to 1
  double drive(const Vector6& twist, bool is_own, double dt);

  /// Of the moved joints.
  [[nodiscard]] const std::vector<double>& q() const noexcept { return at_; }
  [[nodiscard]] const std::vector<double>& v() const noexcept { return v_; }
  [[nodiscard]] const std::vector<double>& a() const noexcept { return a_; }
  [[nodiscard]] const Placement& marker() const noexcept { return marker_; }
  [[nodiscard]] bool is_at_rest() const noexcept;

 private:
  struct Step {
    Placement marker;
    std::vector<double> q;  ///< moved joints
    double least = 0.0;     ///< smallest singular value there
  };

  void ramp(const Vector6& twist, double dt) noexcept;
  [[nodiscard]] Placement moved(double share, bool is_own, double dt) const;
  [[nodiscard]] bool find(const Placement& goal, Step& step);
  [[nodiscard]] double share_allowed(const Step& step, double dt) const;
  void take(const std::vector<double>& wish, double dt);
  [[nodiscard]] double least_at(std::span<const double> q);

  InverseKinematics ik_;
  FrameKinematics kinematics_;
  FreeRotation free_;
  std::vector<JointLimits> limits_;
  std::vector<JointRange> ranges_;
  SingularValue singular_;
  DriveOptions options_;
  std::vector<double> whole_;  ///< all joints of the robot
  std::vector<double> at_;
  std::vector<double> v_;
  std::vector<double> a_;
  Placement marker_;
  Vector6 twist_ = Vector6::Zero();  ///< that was had
  bool was_own_ = false;
  double least_ = 0.0;
};

}  // namespace jointrig
