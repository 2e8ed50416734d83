#include "control/stack/external_torque.h"

#include <cmath>
#include <numbers>

namespace jointrig {

void ExternalTorque::advance(const Eigen::MatrixXd& inertia, const RobotModel& model,
                             const std::vector<JointSetup>& setups,
                             std::span<const JointControl> joints,
                             std::span<const JointControl::ArmOrder> orders) noexcept {
  joints_.resize(joints.size());
  const double omega = 2.0 * std::numbers::pi * kBandwidthHz;
  const double share = -std::expm1(-omega * setups.front().dt);
  for (std::size_t i = 0; i < joints.size(); ++i) {
    Joint& joint = joints_[i];
    const JointGains& gains = setups[i].config.gains;
    const double v = joints[i].state().v;
    const double measured =
        setups[i].board.senses_torque ? joints[i].state().tau : joints[i].setpoint().tau;
    const auto index = static_cast<JointIndex>(i);
    const double rest = model.coriolis(index) + model.gravity(index) + orders[i].payload +
                        gains.viscous * v + gains.friction * std::tanh(v / kSignSpeed) - measured;
    // One whose motor is off moves all the same, and the others feel it.
    joint.v = joint.seen ? joint.v + share * (v - joint.v) : v;
    joint.seen = std::isfinite(joint.v);
    const bool runs = joints[i].machine().driving() && std::isfinite(rest);
    joint.begins = runs && !joint.runs;
    joint.runs = runs;
    if (runs && !joint.begins) joint.rest += share * (rest - joint.rest);
    joint.tau = 0.0;
  }
  for (std::size_t i = 0; i < joints.size(); ++i) {
    Joint& joint = joints_[i];
    if (!joint.runs) continue;
    double moves = 0.0;
    for (std::size_t j = 0; j < joints.size(); ++j) {
      if (!joints_[j].seen) continue;
      const double a = omega * (joints[j].state().v - joints_[j].v);
      moves += inertia(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) * a;
    }
    if (joint.begins) joint.rest = -moves;  // it starts from nothing, however it falls
    joint.tau = moves + joint.rest;
  }
}

}  // namespace jointrig
