#include "tests/support/ideal_robot.h"

#include <algorithm>
#include <numbers>

namespace jointrig::testing {

RobotConfig ideal_config(std::size_t joints) {
  const double omega = 2.0 * std::numbers::pi * 10.0;
  const double soft = 2.0 * std::numbers::pi * 2.0;
  RobotConfig config;
  config.name = "ideal";
  for (std::size_t i = 0; i < joints; ++i) {
    JointConfig j;
    j.name = "joint" + std::to_string(i + 1);
    j.limits = {.q_min = -2.0,
                .q_max = 2.5,
                .soft_margin = 0.02,
                .v_max = 2.0,
                .a_max = 10.0,
                .tau_max = 50.0,
                .tau_rate_max = 2500.0,
                .step_max = 0.02};
    j.gains = {.inertia = 1.0,
               .kp = omega * omega,
               .ki = omega * omega * omega / 10.0,
               .kd = 2.0 * omega,
               .stiffness = soft * soft,
               .damping = 2.0 * soft};
    // A drive that gives 50 N·m at full duty, and hardly any back-EMF.
    j.board.torque_constant = 0.01;
    j.board.resistance_ohm = 0.01 * 48.0 / 50.0;
    j.board.supply_V = 48.0;
    config.joints.push_back(j);
  }
  return config;
}

IdealRobot::IdealRobot(const RobotConfig& config) : joint(config.joints.size()) {
  for (const JointConfig& j : config.joints) {
    JointCapabilities c;
    c.joint = j.name;
    c.drive_modes = {DriveMode::kOff, DriveMode::kTorque, DriveMode::kDuty};
    c.compensates_gravity = !config.arms.empty();  // there is none here, but in an arm's model
    c.senses_velocity = c.senses_torque = c.reports_status = true;
    capabilities.push_back(c);
  }
  latched_.joints.resize(joint.size());
  written_.joints.resize(joint.size());
}

void IdealRobot::step_board(Joint& j, const JointSetpoint& setpoint) const noexcept {
  if (j.fault != FaultCode::kNone) {
    j.status = BoardStatus::kHwFault;
    if (setpoint.request == BoardRequest::kClearFault && !j.fault_cause) {
      j.fault = FaultCode::kNone;
      j.status = BoardStatus::kReady;
    }
    j.enabled_for = 0;
    return;
  }
  if (setpoint.request == BoardRequest::kCalibrate) {
    j.status = ++j.calibrating_for < 100 ? BoardStatus::kCalibrating : BoardStatus::kCalibDone;
    if (j.status == BoardStatus::kCalibDone) j.zero = 0.25;
    return;
  }
  j.calibrating_for = 0;
  const bool may = j.status == BoardStatus::kReady || j.status == BoardStatus::kEnabled ||
                   j.status == BoardStatus::kCalibDone;
  if (!may) return;
  if (setpoint.drive == DriveMode::kOff) {
    if (j.status == BoardStatus::kEnabled) j.status = BoardStatus::kReady;
    j.enabled_for = 0;
  } else if (++j.enabled_for >= enable_cycles) {
    j.status = BoardStatus::kEnabled;
  }
}

Tick IdealRobot::wait() noexcept {
  if (cycles++ == 0) return {};
  for (std::size_t i = 0; i < joint.size(); ++i) {
    Joint& j = joint[i];
    const JointSetpoint& s = latched_.joints[i];
    j.missed = j.silent ? j.missed + 1 : j.stale ? 3 : 0;
    if (!j.silent) step_board(j, s);
    j.tau = 0.0;
    if (j.status == BoardStatus::kEnabled && s.drive == DriveMode::kTorque) j.tau = s.tau;
    if (j.status == BoardStatus::kEnabled && s.drive == DriveMode::kDuty) j.tau = s.duty * 50.0;
    j.v += (j.tau + j.load) / inertia * 1e-3;
    j.q += j.v * 1e-3;
    if (j.q > j.q_high || j.q < j.q_low) {
      j.q = std::clamp(j.q, j.q_low, j.q_high);
      j.v = 0.0;
    }
  }
  latched_ = written_;
  return {};
}

void IdealRobot::read(RobotState& state) noexcept {
  state.cycle = cycles - 1;
  state.time_ns = static_cast<TimeNs>(state.cycle) * description().period_ns;
  for (std::size_t i = 0; i < joint.size(); ++i) {
    JointState& s = state.joints[i];
    const Joint& j = joint[i];
    s.missed = j.missed;
    if (j.silent) continue;
    s.q = j.q;
    s.v = j.v;
    s.tau = j.tau;
    s.status = j.status;
    s.fault = j.fault;
    s.zero = j.zero;
  }
}

void IdealRobot::write(const RobotCommand& command) noexcept { written_ = command; }

}  // namespace jointrig::testing
