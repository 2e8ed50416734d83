#include "gui/panel/robot_watch.h"

#include <algorithm>
#include <utility>

#include "control/core/board_notice.h"

namespace jointrig::gui {
namespace {

constexpr double kFactorEvery = 1.0;   // s
constexpr double kLongestFrame = 0.1;  // s: a stream doesn't catch up after a frame that hung

}  // namespace

RobotWatch::RobotWatch(PanelRobot robot)
    : robot_(std::move(robot)),
      config_(*robot_.config),
      faults_(config_.joints.size()),
      silences_(config_.joints.size()) {
  snapshot_.joints.resize(config_.joints.size());
}

void RobotWatch::see(const Snapshot& snapshot) {
  snapshot_ = snapshot;
  has_snapshot_ = true;
  for (std::size_t i = 0; i < faults_.size(); ++i) {
    silences_[i].see(snapshot_.joints[i], snapshot.time_ns, config().period_ns);
    // A fault from before the panel opened has no event here.
    const Fault& fault = snapshot_.joints[i].fault;
    if (!fault || fault == faults_[i].fault) continue;
    faults_[i].fault = fault;
    ++faults_[i].count;
    faults_[i].acknowledged = false;
    const auto cycles = static_cast<TimeNs>(snapshot.cycle - fault.cycle);
    faults_[i].since_ns = snapshot.time_ns - cycles * config().period_ns;
  }
}

void RobotWatch::see(const Event& event, std::string text) {
  if (event.kind == EventKind::kNotice) {
    const auto notice = static_cast<Notice>(event.detail);
    if (notice == Notice::kBusOff || notice == Notice::kAdapterLost) bus_is_off_ = true;
    if (notice == Notice::kBusBack) bus_is_off_ = false;
  }
  if (is_news(event)) events.add(event, std::move(text));
}

void RobotWatch::take(JointIndex joint, JointParameter parameter, double value) {
  set_parameter(config_.joints[joint], parameter, value);
}

void RobotWatch::take(const ParameterTable& parameters) {
  for (std::size_t i = 0; i < config_.joints.size(); ++i) {
    for (const JointParameter one : kAllJointParameter) {
      const double value = parameters[static_cast<std::size_t>(one)][i];
      if (value != value_of(config_.joints[i], one)) take(static_cast<JointIndex>(i), one, value);
    }
  }
}

BusState RobotWatch::bus() const {
  BusState bus;
  bus.boards = snapshot_.joints.size();
  for (const JointSnapshot& joint : snapshot_.joints) {
    const bool lost = joint.mode == JointMode::kNotConfigured || joint.state.missed >= kStaleFrom;
    bus.silent += lost ? 1 : 0;
  }
  bus.off = bus_is_off_;
  return bus;
}

void RobotWatch::begin_frame(const FrameInput& input) {
  if (snapshot_.cycle != fresh_cycle_) {
    fresh_cycle_ = snapshot_.cycle;
    fresh_at_ = input.now;
  }
  if (input.now - factor_since_ >= kFactorEvery) {
    real_time_factor_ = to_seconds(snapshot_.time_ns - factor_from_) / (input.now - factor_since_);
    factor_since_ = input.now;
    factor_from_ = snapshot_.time_ns;
  }
  frame_time_ = std::clamp(input.now - frame_.now, 0.0, kLongestFrame);
  frame_ = input;
}

bool RobotWatch::is_stale() const {
  if (!has_snapshot_) return true;
  if (robot_.simulation != nullptr && robot_.simulation->paused()) return false;
  return age() > (robot_.is_elsewhere ? kOldAfter : kStaleAfter);
}

JointStatus RobotWatch::status(JointIndex joint) const {
  JointStatus status = status_of(config().joints[joint], now(joint), faults_[joint],
                                 silences_[joint], snapshot_.time_ns, config().period_ns);
  if (!is_old()) return status;
  status.silent = true;
  status.at_target = false;
  status.look = JointMode::kNotConfigured;
  status.title = "OLD " + silent_for_text(age()) + ", was " + status.title;
  return status;
}

std::vector<JointIndex> RobotWatch::faulted_joints() const {
  std::vector<JointIndex> faulted;
  for (std::size_t i = 0; i < faults_.size(); ++i) {
    if (snapshot_.joints[i].mode == JointMode::kHwFault) {
      faulted.push_back(static_cast<JointIndex>(i));
    }
  }
  return faulted;
}

}  // namespace jointrig::gui
