#pragma once
/// A run without a robot: every field of every cycle is filled with a value of its own, so that a
/// field that gets lost or swapped on its way through the log is seen.

#include <limits>
#include <random>
#include <string>
#include <vector>

#include "control/core/event.h"
#include "control/core/robot_config.h"
#include "control/core/snapshot.h"
#include "control/exchange/command_inbox.h"
#include "control/exchange/event_ring.h"

namespace jointrig::harness {

/// `joint0`, `joint1`, ...; the last one slides.
inline RobotConfig synthetic_robot(std::size_t joints) {
  RobotConfig config;
  config.name = "synthetic";
  for (std::size_t i = 0; i < joints; ++i) {
    JointConfig joint;
    joint.name = "joint" + std::to_string(i);
    joint.slide = i + 1 == joints;
    joint.limits.q_min = -2.0;
    joint.limits.q_max = 2.0;
    joint.limits.soft_margin = 0.1;
    joint.limits.tau_max = 40.0;
    joint.gains.inertia = 0.1;
    config.joints.push_back(joint);
  }
  return config;
}

class SyntheticRun {
 public:
  explicit SyntheticRun(std::size_t joints) {
    snapshot_.joints.resize(joints);
    state_.joints.resize(joints);
  }

  /// Moves on to the next cycle.
  void step() {
    snapshot_.cycle = state_.cycle = cycle_;
    snapshot_.time_ns = state_.time_ns = static_cast<TimeNs>(cycle_) * 1'000'000;
    snapshot_.overruns = cycle_ / 100;
    snapshot_.times = {1.5F, 2.5F, 3.5F, 4.5F};
    for (JointSnapshot& joint : snapshot_.joints) fill(joint);
    for (std::size_t i = 0; i < state_.joints.size(); ++i) {
      state_.joints[i] = snapshot_.joints[i].state;
    }
    ++cycle_;
  }

  /// A board's report that the stack can't use.
  void report_nan(std::size_t joint) {
    state_.joints[joint].q = std::numeric_limits<double>::quiet_NaN();
  }

  void float_base() {
    state_.base.position = {value(), value(), value()};
    state_.base.orientation = {value(), value(), value(), value()};
    state_.base.linear_velocity = {value(), value(), value()};
    state_.base.angular_velocity = {value(), value(), value()};
    snapshot_.base = state_.base;
  }

  void add_sensors() {
    state_.force_torque.clear();
    for (int i = 0; i < 2; ++i) {
      state_.force_torque.push_back({{value(), value(), value()}, {value(), value(), value()}});
    }
    state_.imus.clear();
    state_.imus.push_back({{value(), value(), value()}, {value(), value(), value()}});
    snapshot_.force_torque = state_.force_torque;
  }

  /// An event of any kind, every field set.
  Event event() {
    Event e;
    e.time_ns = snapshot_.time_ns;
    e.cycle = snapshot_.cycle;
    e.number = random_() % 1000;
    e.value = value();
    e.limit = value();
    e.sender = 1;
    e.joint = static_cast<JointIndex>(pick(snapshot_.joints.size()));
    e.kind = kAllEventKind[pick(kAllEventKind.size())];
    e.command = kAllCommandKind[pick(kAllCommandKind.size())];
    e.reason = kAllRejectReason[pick(kAllRejectReason.size())];
    e.fault = kAllFaultCode[pick(kAllFaultCode.size())];
    e.mode = kAllJointMode[pick(kAllJointMode.size())];
    e.was = kAllJointMode[pick(kAllJointMode.size())];
    e.detail = static_cast<std::uint8_t>(pick(2));
    e.quantity = pick(2) == 0 ? QuantityKind::kForce : QuantityKind::kTorque;
    return e;
  }

  const Snapshot& snapshot() const { return snapshot_; }
  const RobotState& state() const { return state_; }
  double value() { return std::uniform_real_distribution<double>(-100.0, 100.0)(random_); }
  std::size_t pick(std::size_t count) { return random_() % count; }

 private:
  void fill(JointSnapshot& joint) {
    JointState& s = joint.state;
    s.q = value();
    s.v = cycle_ % 7 == 0 ? -0.0 : value();
    s.tau = cycle_ % 11 == 0 ? 5e-324 : value();
    s.current_A = value();
    s.temperature_C = value();
    s.status = kAllBoardStatus[pick(kAllBoardStatus.size())];
    if (pick(10) == 0) {  // what changes seldom
      s.supply_V = value();
      s.progress = value();
      s.fault = kAllFaultCode[pick(kAllFaultCode.size())];
      s.fault_value = value();
      s.fault_limit = value();
      s.missed = static_cast<std::uint32_t>(pick(5));
      joint.fault = {kAllFaultCode[pick(kAllFaultCode.size())], value(), value(), random_()};
      joint.setpoint.stiffness = value();
      joint.setpoint.damping = value();
      joint.setpoint.request = kAllBoardRequest[pick(kAllBoardRequest.size())];
    }
    joint.reference = {value(), value(), value(), value(), value()};
    joint.setpoint.drive = kAllDriveMode[pick(kAllDriveMode.size())];
    joint.setpoint.q = value();
    joint.setpoint.v = value();
    joint.setpoint.tau = value();
    joint.setpoint.duty = value();
    joint.stiffness = value();
    joint.damping = value();
    joint.timeout_left = value();
    joint.mode = kAllJointMode[pick(kAllJointMode.size())];
    joint.interaction = kAllInteractionMode[pick(2)];
    joint.limits = {};
    for (const Limit limit : kAllLimit) {
      if (pick(2) == 0) joint.limits.add(limit);
    }
    joint.moving = pick(2) == 0;
    joint.timed_out = pick(2) == 0;
  }

  std::mt19937_64 random_{1};
  std::uint64_t cycle_ = 0;
  Snapshot snapshot_;
  RobotState state_;
};

}  // namespace jointrig::harness
