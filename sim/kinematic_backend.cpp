#include "sim/kinematic_backend.h"

#include <algorithm>
#include <cmath>

#include "sim/board/state_hash.h"
#include "sim/board/status_machine.h"

namespace jointrig::sim {

KinematicBackend::KinematicBackend(const RobotConfig& robot, const KinematicOptions& options)
    : period_ns_(robot.period_ns),
      end_ns_(options.end_ns),
      pacer_(options.pacer),
      description_{.name = "kinematic", .period_ns = robot.period_ns},
      held_(robot.joints.size()),
      on_the_way_(robot.joints.size(), std::max(0, robot.delay_cycles)) {
  for (const JointConfig& config : robot.joints) {
    JointCapabilities board;
    board.joint = config.name;
    board.drive_modes = {DriveMode::kOff, DriveMode::kVelocity, DriveMode::kPosition};
    board.adds_torque = false;
    board.senses_velocity = true;
    board.reports_status = true;
    board.needs_calibration = config.board.needs_calibration;
    description_.joints.push_back(board);

    Joint joint;
    joint.q = config.q_start;
    joint.q_min = config.limits.q_min;
    joint.q_max = config.limits.q_max;
    joint.step_max = config.limits.v_max * to_seconds(period_ns_);
    joint.calibrated = !config.board.needs_calibration;
    joints_.push_back(joint);
  }
}

void KinematicBackend::start() {
  for (Joint& joint : joints_) {
    joint.status = next_status(joint.status, joint.calibrated ? DriveTrigger::kConfiguredAbsolute
                                                              : DriveTrigger::kConfigured);
  }
  stopped_ = false;
  if (pacer_ != nullptr) pacer_->start();
}

Tick KinematicBackend::wait() noexcept {
  const std::uint64_t next = first_ ? 0 : cycle_ + 1;
  if (closed_.load(std::memory_order_relaxed)) return kRunIsOver;
  if (static_cast<TimeNs>(next) * period_ns_ >= end_ns_) return kRunIsOver;
  if (!first_) advance();
  first_ = false;
  cycle_ = next;
  if (pacer_ == nullptr) return {};
  return {.late_ns = pacer_->wait_until(static_cast<TimeNs>(cycle_) * period_ns_)};
}

void KinematicBackend::advance() noexcept {
  const std::vector<JointSetpoint>* arriving = on_the_way_.arriving(cycle_);
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    if (arriving != nullptr) held_[i] = (*arriving)[i];
    if (stopped_) held_[i] = {};
    heed(held_[i], joints_[i]);
    move(held_[i], joints_[i]);
  }
}

void KinematicBackend::heed(const JointSetpoint& setpoint, Joint& joint) noexcept {
  const auto go = [&](DriveTrigger trigger) { joint.status = next_status(joint.status, trigger); };
  const bool asks =
      setpoint.request == BoardRequest::kCalibrate && joint.request != BoardRequest::kCalibrate;
  joint.request = setpoint.request;
  if (joint.status == BoardStatus::kCalibrating) {
    if (setpoint.request == BoardRequest::kCalibrate) {
      joint.calibrated = true;
      go(DriveTrigger::kCalibrated);
    } else {
      go(joint.calibrated ? DriveTrigger::kAbortedAbsolute : DriveTrigger::kAborted);
    }
  }
  if (asks) go(DriveTrigger::kCalibrate);
  const bool drives =
      setpoint.drive == DriveMode::kPosition || setpoint.drive == DriveMode::kVelocity;
  go(drives ? DriveTrigger::kDrive : DriveTrigger::kRest);
}

void KinematicBackend::move(const JointSetpoint& setpoint, Joint& joint) const noexcept {
  const double period = to_seconds(period_ns_);
  double step = 0.0;
  if (joint.status == BoardStatus::kEnabled) {
    const double wanted =
        setpoint.drive == DriveMode::kPosition ? setpoint.q - joint.q : setpoint.v * period;
    if (std::isfinite(wanted)) step = std::clamp(wanted, -joint.step_max, joint.step_max);
  }
  const double q = std::clamp(joint.q + step, joint.q_min, joint.q_max);
  joint.v = (q - joint.q) / period;
  joint.q = q;
}

void KinematicBackend::read(RobotState& state) noexcept {
  state.cycle = cycle_;
  state.time_ns = static_cast<TimeNs>(cycle_) * period_ns_;
  state.joints.resize(joints_.size());
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const Joint& joint = joints_[i];
    JointState& out = state.joints[i];
    out = {};
    out.q = joint.q;
    out.v = joint.v;
    out.status = joint.status;
    out.progress = joint.status == BoardStatus::kCalibDone ? 1.0 : 0.0;
  }
  state.base = {};
  state.force_torque.clear();
  state.imus.clear();
}

void KinematicBackend::write(const RobotCommand& command) noexcept {
  on_the_way_.send(cycle_, command.joints);
}

void KinematicBackend::restore(const State& state) {
  joints_ = state.joints;
  held_ = state.held;
  on_the_way_ = state.on_the_way;
  cycle_ = state.cycle;
  first_ = state.first;
  stopped_ = state.stopped;
}

std::uint64_t KinematicBackend::hash() const noexcept {
  StateHash hash;
  for (const Joint& joint : joints_) hash.add(joint.q, joint.v, joint.status, joint.calibrated);
  on_the_way_.add_to(hash);
  hash.add(cycle_);
  return hash.value();
}

}  // namespace jointrig::sim
