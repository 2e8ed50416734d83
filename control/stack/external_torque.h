#pragma once

#include <span>

#include "control/model/robot_model.h"
#include "control/stack/joint_control.h"

namespace jointrig {

/// Torque on each joint that neither its motor nor the model accounts for [N·m or N]:
///
///     r = M ω (v − v_f) + F(C v + g + b v + f s(v) − tau)
///
/// with F a first-order low-pass of ω, v_f = F(v), so that ω (v − v_f) is the filtered acceleration
/// without a difference of samples; s(v) is a smooth sign. Above 0 the world pushes towards higher
/// q. A joint whose motor is off has none.
///
/// Plain data: copied, saved and restored as it is. For the cycle.
class ExternalTorque {
 public:
  static constexpr double kBandwidthHz = 30.0;  ///< a choice: 5 ms, an impact's rise
  static constexpr double kSignSpeed = 0.02;    ///< of s(v) = tanh(v / it) [rad/s or m/s]

  /// @param inertia   M, of the model's joints
  /// @param orders    with the payload that each joint carries
  void advance(const Eigen::MatrixXd& inertia, const RobotModel& model,
               const std::vector<JointSetup>& setups, std::span<const JointControl> joints,
               std::span<const JointControl::ArmOrder> orders) noexcept;

  [[nodiscard]] double operator[](std::size_t joint) const noexcept { return joints_[joint].tau; }

 private:
  struct Joint {
    double v = 0.0;     // v_f
    double rest = 0.0;  // F(...)
    double tau = 0.0;
    bool runs = false;    // its motor
    bool begins = false;  // in this cycle
    bool seen = false;    // v_f is one
  };
  PerJoint<Joint> joints_;
};

}  // namespace jointrig
