#include "gui/panel/panel.h"

#include <algorithm>
#include <cmath>

#include "control/core/board_notice.h"

namespace jointrig {
namespace {

constexpr double kFactorEvery = 1.0;   // s
constexpr double kLongestFrame = 0.1;  // s: a stream doesn't make up for a frame that hung

}  // namespace

MotorPanel::MotorPanel(PanelRobot robot, RobotClient& client, Describe describe)
    : robot_(std::move(robot)),
      config_(*robot_.config),
      client_(&client),
      describe_(std::move(describe)),
      sliders_(config().joints.size()),
      faults_(config().joints.size()),
      modes_seen_(config().joints.size(), JointMode::kNotConfigured) {
  snapshot_.joints.resize(config().joints.size());
}

void MotorPanel::see(const Snapshot& snapshot) {
  snapshot_ = snapshot;
  has_snapshot_ = true;
  for (std::size_t i = 0; i < faults_.size(); ++i) {
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

void MotorPanel::see(const Event& event) {
  if (event.sender == client_->sender()) {
    if (event.kind == EventKind::kAccepted) {
      taken_ = {event.number, event.time_ns};
      take_parameters(event.number);
    }
    if (event.kind == EventKind::kRejected) {
      std::erase_if(parameters_sent_, [&](const auto& one) { return one.number == event.number; });
      refused_ = {event.number, event.time_ns};
      tell(describe_(event));
    }
  }
  if (event.kind == EventKind::kNotice) {
    const auto notice = static_cast<Notice>(event.detail);
    if (notice == Notice::kBusOff || notice == Notice::kAdapterLost) bus_is_off_ = true;
    if (notice == Notice::kBusBack) bus_is_off_ = false;
  }
  if (is_news(event)) events_.add(event, describe_(event));
}

BusState MotorPanel::bus() const {
  BusState bus;
  bus.boards = snapshot_.joints.size();
  for (const JointSnapshot& joint : snapshot_.joints) {
    const bool lost = joint.mode == JointMode::kNotConfigured || joint.state.missed >= kStaleFrom ||
                      joint.fault.code == FaultCode::kBoardLost;
    bus.silent += lost ? 1 : 0;
  }
  bus.off = bus_is_off_;
  return bus;
}

void MotorPanel::begin_frame(const FrameInput& input) {
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
  access_.tick(input.now);
  const bool may_stream = live_guard_.update(input.focused, input.had_input, part, input.now);
  if (!may_stream || !access_.armed() || is_stale()) end_live();
  if (!access_.armed()) end_autopilots("ARMED has ended");
  follow_jog();
  follow_sliders();
  stream_live();
}

void MotorPanel::end_autopilots(const std::string& why) {
  for (Autopilot* autopilot : autopilots_) autopilot->end(why);
}

bool MotorPanel::is_stale() const {
  if (!has_snapshot_) return true;
  if (robot_.simulation != nullptr && robot_.simulation->paused()) return false;
  return frame_.now - fresh_at_ > kStaleAfter;
}

JointStatus MotorPanel::status(JointIndex joint) const {
  return status_of(config().joints[joint], now(joint), faults_[joint], snapshot_.time_ns,
                   config().period_ns);
}

std::vector<JointIndex> MotorPanel::faulted_joints() const {
  std::vector<JointIndex> faulted;
  for (std::size_t i = 0; i < faults_.size(); ++i) {
    if (snapshot_.joints[i].mode == JointMode::kHwFault) {
      faulted.push_back(static_cast<JointIndex>(i));
    }
  }
  return faulted;
}

std::string MotorPanel::name_of(std::uint16_t sender) const {
  const std::string_view name = client_->name_of(sender);
  return name.empty() ? "sender " + std::to_string(sender) : std::string(name);
}

std::string MotorPanel::notice() const {
  return frame_.now - notice_at_ < kNoticeFor ? notice_ : std::string();
}

void MotorPanel::tell(std::string text) {
  notice_ = std::move(text);
  notice_at_ = frame_.now;
}

JointSet MotorPanel::group() const {
  JointSet joints;
  if (part >= 0 && static_cast<std::size_t>(part) < config().parts.size()) {
    for (const JointIndex j : config().parts[static_cast<std::size_t>(part)].joints) joints.set(j);
  } else {
    for (std::size_t i = 0; i < config().joints.size(); ++i) joints.set(i);
  }
  return joints;
}

void MotorPanel::set_access(Access access) {
  access_.set(access, frame_.now);
  if (access == Access::kArmed) return;
  end_live();
  end_autopilots("ARMED has ended");
}

}  // namespace jointrig
