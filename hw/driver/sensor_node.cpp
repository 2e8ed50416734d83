#include "hw/driver/sensor_node.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "hw/canopen/bytes.h"
#include "hw/canopen/pdo_record.h"

namespace jointrig::hw {
namespace {

using canopen::HeartbeatEvent;
using canopen::NmtCommand;
using canopen::NmtState;

constexpr std::size_t kCounterByte = 6;
constexpr std::size_t kStatusByte = 7;  // of the first frame

}  // namespace

SensorNode::SensorNode(const SensorSettings& settings, canopen::NmtMaster& nmt,
                       canopen::FrameQueue& out)
    : settings_(settings),
      nmt_(&nmt),
      out_(&out),
      setup_(settings.node, sensor_steps(settings),
             {.time_out = std::int64_t{settings.sdo_time_out_ms} * 1'000'000}) {}

// Set-up
// -------------------------------------------------------------------------------------------

void SensorNode::set_phase(NodePhase phase, std::int64_t now) noexcept {
  phase_ = phase;
  since_ = now;
}

void SensorNode::start(std::int64_t now) noexcept {
  setup_.cancel(*out_);
  serial_ = 0;
  begun_ = is_other_ = has_sample_ = false;
  set_phase(NodePhase::kAbsent, now);
}

void SensorNode::restart(std::int64_t now) noexcept {
  setup_.cancel(*out_);
  nmt_->order(NmtCommand::kResetCommunication, settings_.node, *out_);
  set_phase(NodePhase::kAbsent, now);
}

void SensorNode::follow(const canopen::NmtEvent& event, std::int64_t now) noexcept {
  switch (event.what.kind) {
    case HeartbeatEvent::Kind::kBootUp:
      emergencies_ = {};  // a device that starts tells its errors anew
      status_ = 0;
      has_sample_ = is_other_ = false;
      set_phase(NodePhase::kSettingUp, now);
      return setup_.start(now, *out_);
    case HeartbeatEvent::Kind::kLost:
      if (phase_ != NodePhase::kFailed) set_phase(NodePhase::kLost, now);
      return;
    case HeartbeatEvent::Kind::kBack:
      if (phase_ == NodePhase::kLost) restart(now);
      return;
    case HeartbeatEvent::Kind::kFirst:
    case HeartbeatEvent::Kind::kChanged:
      break;
  }
  const bool operational = event.what.state == NmtState::kOperational;
  if (phase_ == NodePhase::kStarting && operational) set_phase(NodePhase::kRunning, now);
  if (phase_ == NodePhase::kRunning && !operational) set_phase(NodePhase::kTakenOut, now);
}

bool SensorNode::is_stuck() const noexcept {
  switch (phase_) {
    case NodePhase::kAbsent:
    case NodePhase::kStarting:
    case NodePhase::kTakenOut:
      return true;
    case NodePhase::kFailed:
      return setup_.was_silent();
    case NodePhase::kSettingUp:
    case NodePhase::kRunning:
    case NodePhase::kLost:
      return false;
  }
  return false;
}

void SensorNode::poll(std::int64_t now) noexcept {
  if (begun_ && is_stuck() && now - since_ >= kTryAgain) restart(now);
  if (phase_ != NodePhase::kSettingUp) return;
  setup_.poll(now, *out_);
  follow_setup(now);
}

void SensorNode::follow_setup(std::int64_t now) noexcept {
  if (phase_ != NodePhase::kSettingUp) return;
  if (setup_.state() == SetupRun::State::kFailed) set_phase(NodePhase::kFailed, now);
  if (setup_.state() == SetupRun::State::kDone) end_setup(now);
}

void SensorNode::end_setup(std::int64_t now) noexcept {
  is_other_ = serial_ != 0 && setup_.serial() != serial_;
  scales_ = {canopen::kSensorScaleUnit * setup_.noted()[1],
             canopen::kSensorScaleUnit * setup_.noted()[2]};
  if (is_other_ || !has_scale()) return set_phase(NodePhase::kFailed, now);
  serial_ = setup_.serial();
  nmt_->watch(settings_.node, settings_.allowed_silence_ms);
  nmt_->order(NmtCommand::kStart, settings_.node, *out_);
  set_phase(NodePhase::kStarting, now);
}

void SensorNode::stop() noexcept {
  if (phase_ == NodePhase::kRunning) {
    nmt_->order(NmtCommand::kEnterPreOperational, settings_.node, *out_);
  }
  begun_ = false;
  set_phase(NodePhase::kAbsent, since_);
}

// Samples
// -------------------------------------------------------------------------------------------

bool SensorNode::receive(const can::Frame& frame, std::int64_t now) noexcept {
  for (std::uint32_t i = 0; i < halves_.size(); ++i) {
    if (frame.id != canopen::tpdo_base(i) + settings_.node) continue;
    take(frame, halves_[i]);
    return true;
  }
  if (setup_.receive(frame, now, *out_)) {
    follow_setup(now);
    return true;
  }
  if (frame.id != canopen::kEmergencyBase + settings_.node) return false;
  return emergencies_.receive(frame, now);
}

/// A frame of another length is dropped.
void SensorNode::take(const can::Frame& frame, Half& half) noexcept {
  const bool is_first = &half == halves_.data();
  const std::size_t length = is_first ? kStatusByte + 1 : kCounterByte + 1;
  if (frame.size != length || frame.remote || frame.fd) return;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    half.digits[axis] = static_cast<std::int16_t>(
        canopen::load_little_endian(std::span(frame.data).subspan(2 * axis), 2));
  }
  half.counter = frame.data[kCounterByte];
  half.is_there = true;
  if (is_first) status_ = frame.data[kStatusByte];
}

bool SensorNode::is_faulty() const noexcept {
  return (status_ & canopen::kSensorFault) != 0 || emergencies_.present() != 0;
}

bool SensorNode::is_complete() const noexcept {
  return phase_ != NodePhase::kRunning || (halves_[0].is_there && halves_[1].is_there);
}

bool SensorNode::has_fresh_sample() const noexcept {
  const auto& [first, second] = halves_;
  const bool is_whole = first.is_there && second.is_there && first.counter == second.counter;
  const bool is_new = !has_sample_ || first.counter != counter_;
  return phase_ == NodePhase::kRunning && is_whole && is_new && !is_faulty();
}

void SensorNode::close_cycle() noexcept {
  if (!has_fresh_sample()) {
    if (missed_ < std::numeric_limits<std::uint32_t>::max()) ++missed_;
    return;
  }
  for (std::size_t half = 0; half < halves_.size(); ++half) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::int16_t digits = halves_[half].digits[axis];
      values_[half][axis] = digits == canopen::kNoNumber ? std::numeric_limits<double>::quiet_NaN()
                                                         : scales_[half] * digits;
    }
  }
  missed_ = 0;
  counter_ = halves_[0].counter;
  has_sample_ = true;
}

// In words
// -------------------------------------------------------------------------------------------

std::string SensorNode::problem(bool had_cycles) const {
  std::string text = phase_words();
  if (!text.empty() || !had_cycles || is_settled()) return text;
  return fmt::format("{} (node {}) was started, but no sample comes with SYNC", settings_.name,
                     settings_.node);
}

std::string SensorNode::phase_words() const {
  const std::string who = fmt::format("{} (node {})", settings_.name, settings_.node);
  if (phase_ != NodePhase::kFailed) {
    return phase_text(phase_, who, setup_, settings_.allowed_silence_ms);
  }
  if (setup_.was_silent()) {
    return fmt::format("{} fell silent while it was set up, at step {} of {}", who,
                       setup_.done() + 1, setup_.size());
  }
  if (is_other_) return other_serial_text(who, "sensor", setup_.serial(), serial_);
  if (setup_.state() == SetupRun::State::kDone) {
    return fmt::format("{} has a scale of 0 ({:04X}h:1 or :2): no value comes of that; set it", who,
                       canopen::facts_of(settings_.kind).scale);
  }
  return settings_.name + ": " + setup_.failure_text();
}

}  // namespace jointrig::hw
