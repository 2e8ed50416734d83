#pragma once
/// Kinematics and dynamics of a robot with a floating base, over all of its velocities.
///
///     M(q) v̇ + h(q, v) = [0; τ] + Jᵀ w
///
///     q       pose of the base and positions of the joints, as in MuJoCo's qpos
///     v (nv)  base: linear velocity of its origin in the world [m/s], then angular velocity in the
///             base frame [rad/s]; then the joints' velocities [rad/s or m/s]. Joints count in the
///             order of the model's file.
///     M (nv, nv)  inertia; motors' armature counts for their joints, the model's or that of
///                 set_motor_inertia()
///     h (nv)  Coriolis, centrifugal and gravity forces, minus the joints' springs and damping
///     w (6)   wrenches on bodies at points where J is taken: force [N], then torque [N·m]
///
/// Everything but the base's angular velocity is expressed in the world frame. After construction
/// nothing allocates or throws. One thread at a time.

#include <Eigen/Core>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "control/core/robot_io.h"
#include "control/model/mjcf.h"

namespace jointrig {

/// A point and axes that are fixed to a body.
struct BodyFrame {
  int body = -1;                                           ///< id in the model
  Eigen::Vector3d position = Eigen::Vector3d::Zero();      ///< of its origin in the body [m]
  Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();  ///< columns: its axes in the body
};

class FloatingModel {
 public:
  static constexpr int kBase = 6;  ///< velocities of the base, before those of the joints
  using Jacobian = Eigen::Matrix<double, 6, Eigen::Dynamic>;
  using Vector6 = Eigen::Matrix<double, 6, 1>;

  struct Joint {
    std::string name;
    double low = 0.0;  ///< range; infinite if there is none [rad or m]
    double high = 0.0;
  };

  /// Starts in the model's start pose, at rest. Throws ModelError: the model has no floating base,
  /// more than one, joints that are neither hinge nor slide, or joints that follow others.
  explicit FloatingModel(const Mjcf& mjcf);

  [[nodiscard]] int velocity_count() const noexcept { return static_cast<int>(model_->nv); }
  [[nodiscard]] int joint_count() const noexcept { return velocity_count() - kBase; }
  [[nodiscard]] const std::vector<Joint>& joints() const noexcept { return joints_; }
  /// Site or body by name. Throws ModelError with the nearest known name.
  [[nodiscard]] BodyFrame find_frame(std::string_view site_or_body) const;
  /// Throws ModelError with the nearest known name.
  [[nodiscard]] int find_joint(std::string_view name) const;

  /// Inertia of a joint's motor behind its gear, in place of the model's armature [kg·m² or kg].
  /// For start-up: it counts from the next update() on.
  void set_motor_inertia(int joint, double inertia) noexcept {
    model_->dof_armature[kBase + joint] = inertia;
  }
  [[nodiscard]] double motor_inertia(int joint) const noexcept {
    return model_->dof_armature[kBase + joint];
  }

  /// Computes all of what follows. A state that isn't finite, or is beyond any robot, is not taken:
  /// the last one stays, and the result is false.
  /// @param q, v  of the joints, joint_count() each
  bool update(const BaseState& base, std::span<const double> q, std::span<const double> v) noexcept;
  /// The same for base(), position(), rotation(), jacobian() and twist() alone, in a third of the
  /// time; all others keep what they were.
  bool place(const BaseState& base, std::span<const double> q, std::span<const double> v) noexcept;

  /// Pose and twist of the base, as last given.
  [[nodiscard]] BaseState base() const noexcept;
  /// Body that floats, as in BodyFrame.
  [[nodiscard]] int base_body() const noexcept;

  [[nodiscard]] const Eigen::MatrixXd& inertia() const noexcept { return inertia_; }
  [[nodiscard]] const Eigen::VectorXd& bias() const noexcept { return bias_; }
  [[nodiscard]] const Eigen::VectorXd& velocity() const noexcept { return velocity_; }
  [[nodiscard]] std::span<const double> q() const noexcept { return {data_->qpos + 7, count()}; }

  [[nodiscard]] double mass() const noexcept { return mass_; }                        ///< [kg]
  [[nodiscard]] const Eigen::Vector3d& gravity() const noexcept { return gravity_; }  ///< [m/s²]
  [[nodiscard]] const Eigen::Vector3d& com() const noexcept { return com_; }          ///< [m]
  [[nodiscard]] const Eigen::Vector3d& com_velocity() const noexcept { return com_velocity_; }

  /// Momentum: linear [N·s], then angular about the centre of mass [N·m·s]:
  ///
  ///     L = A v,   dL/dt = A v̇ + momentum_bias()
  ///
  /// The rows of A follow from those of M for the base, moved to the centre of mass (Wensing and
  /// Orin 2016, "Improved computation of the humanoid centroidal dynamics"). Its linear rows over
  /// mass() are the Jacobian of the centre of mass.
  [[nodiscard]] const Jacobian& momentum_matrix() const noexcept { return momentum_matrix_; }
  [[nodiscard]] const Vector6& momentum_bias() const noexcept { return momentum_bias_; }
  [[nodiscard]] const Vector6& momentum() const noexcept { return momentum_; }

  [[nodiscard]] Eigen::Vector3d position(const BodyFrame& frame) const noexcept;  ///< [m]
  [[nodiscard]] Eigen::Matrix3d rotation(const BodyFrame& frame) const noexcept;

  /// Twist of a frame = J v: linear velocity of its origin, then angular. (6, nv)
  void jacobian(const BodyFrame& frame, Eigen::Ref<Jacobian> jacobian) noexcept;
  [[nodiscard]] Vector6 twist(const BodyFrame& frame) noexcept;
  /// Acceleration of a frame = J v̇ + this: (dJ/dt) v.
  [[nodiscard]] Vector6 acceleration_bias(const BodyFrame& frame) noexcept;

 private:
  using Rows = Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::RowMajor>;

  [[nodiscard]] std::size_t count() const noexcept {
    return static_cast<std::size_t>(joint_count());
  }
  bool take(const BaseState& base, std::span<const double> q, std::span<const double> v) noexcept;
  void compute_poses() noexcept;
  void compute() noexcept;
  void find_momentum() noexcept;

  ModelPtr model_;
  DataPtr data_;
  std::string path_;
  std::vector<Joint> joints_;
  double mass_ = 0.0;
  Eigen::Vector3d gravity_;
  Eigen::Vector3d com_;
  Eigen::Vector3d com_velocity_;
  Eigen::MatrixXd inertia_;
  Eigen::VectorXd bias_;
  Eigen::VectorXd velocity_;
  Jacobian momentum_matrix_;
  Vector6 momentum_bias_;
  Vector6 momentum_;
  Rows linear_rows_;
  Rows angular_rows_;
};

}  // namespace jointrig
