#include "hw/driver/joint_pdos.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "hw/canopen/bytes.h"
#include "hw/canopen/joint_board_objects.h"

namespace jointrig::hw {
namespace {

using cia402::DriveUse;

template <typename T>
T get(const can::Frame& frame, std::size_t at) noexcept {
  return static_cast<T>(canopen::load_little_endian(std::span(frame.data).subspan(at), sizeof(T)));
}

double real_at(const can::Frame& frame, std::size_t at) noexcept {
  return std::bit_cast<float>(get<std::uint32_t>(frame, at));
}

bool holds(const PdoLayout& layout, std::uint32_t object) noexcept {
  return std::find(layout.objects.begin(), layout.objects.end(), object) != layout.objects.end();
}

std::uint32_t target_of(DriveUse use) noexcept {
  switch (use) {
    case DriveUse::kTorque:
      return mapped::kTargetTorque;
    case DriveUse::kPwm:
      return mapped::kDuty;
    case DriveUse::kVelocity:
      return mapped::kTargetVelocity;
    case DriveUse::kIdle:
    case DriveUse::kPosition:
    case DriveUse::kHoming:
      return mapped::kTargetPosition;
  }
  return mapped::kTargetPosition;
}

}  // namespace

JointPdos::JointPdos(const JointPdoSpec& spec)
    : node_(spec.node), has_life_counter_(spec.has_life_counter) {
  const PdoLayouts layouts =
      spec.layouts.empty() ? board_layouts(spec.has_life_counter, spec.feed_forward, spec.inputs)
                           : spec.layouts;
  if (const auto gaps = gaps_of(layouts, spec.inputs); !gaps.empty()) {
    throw std::invalid_argument(fmt::format("node {}: {}", node_, gaps.front()));
  }
  for (const PdoLayout& layout : layouts) {
    Pdo pdo{layout, layout.id_of(node_), layout.bytes()};
    pdo.is_state = layout.is_cyclic() &&
                   (holds(layout, mapped::kStatusword) || holds(layout, mapped::kPosition));
    (layout.sent ? in_ : out_).push_back(pdo);
    tells_error_code_ = tells_error_code_ || (layout.sent && holds(layout, mapped::kErrorCode));
    tells_mode_ = tells_mode_ || (layout.sent && holds(layout, mapped::kModeShown));
    tells_velocity_ = tells_velocity_ || (layout.sent && holds(layout, mapped::kVelocity));
    tells_finding_ = tells_finding_ || (layout.sent && holds(layout, mapped::kFindingValue));
  }
  for (std::size_t use = 0; use < sends_.size(); ++use) {
    sends_[use] = frames_for(target_of(static_cast<DriveUse>(use)));
  }
}

/// The frame with the target; one more each for the mode and the controlword, where that one has
/// none; and those of the offsets.
std::vector<std::uint8_t> JointPdos::frames_for(std::uint32_t target) const {
  std::vector<std::uint8_t> frames;
  const auto has = [&](std::uint32_t object) {
    return std::any_of(frames.begin(), frames.end(),
                       [&](std::uint8_t i) { return holds(out_[i].layout, object); });
  };
  const auto add = [&](std::uint32_t object) {
    for (std::size_t i = 0; i < out_.size() && !has(object); ++i) {
      if (holds(out_[i].layout, object)) frames.push_back(static_cast<std::uint8_t>(i));
    }
  };
  add(target);
  add(mapped::kMode);
  add(mapped::kControlword);
  add(mapped::kVelocityOffset);
  add(mapped::kTorqueOffset);
  if (frames.size() > kMostOut) frames.resize(kMostOut);
  return frames;
}

bool JointPdos::adds_torque() const noexcept {
  return std::any_of(out_.begin(), out_.end(),
                     [](const Pdo& pdo) { return holds(pdo.layout, mapped::kTorqueOffset); });
}

// From the drive
// -------------------------------------------------------------------------------------------

void JointPdos::open_cycle() noexcept {
  open_ = true;
  fault_is_new_ = false;
  cycles_since_finding_ = std::min(cycles_since_finding_ + 1, 2);
  missing_ = states_missing_ = 0;
  late_is_whole_ = true;
  hear_sync();
  for (Pdo& pdo : in_) {
    if (pdo.is_state && !pdo.came_late) late_is_whole_ = false;
    pdo.has_come = pdo.came_late = false;
    missing_ += pdo.layout.is_cyclic() ? 1 : 0;
    states_missing_ += pdo.is_state ? 1 : 0;
  }
}

void JointPdos::hear_sync() noexcept {
  for (Pdo& pdo : in_) {
    if (pdo.is_state) pdo.twins.synced();
  }
}

bool JointPdos::finds_two() const noexcept {
  return std::any_of(in_.begin(), in_.end(),
                     [](const Pdo& pdo) { return pdo.is_state && pdo.twins.finds_two(); });
}

void JointPdos::forget_two() noexcept {
  for (Pdo& pdo : in_) pdo.twins.restart();
}

JointPdos::Verdict JointPdos::take(const can::Frame& frame) noexcept {
  const Verdict verdict = judge(frame);
  ++counters_[static_cast<std::size_t>(verdict)];
  return verdict;
}

JointPdos::Verdict JointPdos::judge(const can::Frame& frame) noexcept {
  if (frame.extended || frame.remote) return Verdict::kNotMine;
  const auto mine =
      std::find_if(in_.begin(), in_.end(), [&](const Pdo& pdo) { return pdo.id == frame.id; });
  return mine != in_.end() ? take(*mine, frame) : Verdict::kNotMine;
}

JointPdos::Verdict JointPdos::take(Pdo& pdo, const can::Frame& frame) noexcept {
  if (frame.size != pdo.bytes || frame.fd) return Verdict::kLength;
  if (!pdo.layout.is_cyclic()) {
    keep_all(pdo, frame, report_);
    return Verdict::kTaken;
  }
  if (pdo.is_state) pdo.twins.heard(std::span(frame.data).first(pdo.bytes));
  if (is_replayed(pdo, frame)) return Verdict::kReplayed;
  if (!open_) {
    if (!is_newer(pdo, frame) && contradicts(pdo, frame)) contradicted_ = true;
    take_late(pdo, frame);
    return Verdict::kLate;
  }
  if (pdo.has_come) return take_again(pdo, frame);
  pdo.has_come = true;
  --missing_;
  if (pdo.is_state) --states_missing_;
  std::copy_n(frame.data.begin(), pdo.bytes, pdo.bytes_heard.begin());
  keep_all(pdo, frame, report_);
  return Verdict::kTaken;
}

/// A second one in a cycle: of a backlog the newest counts; the same again is a double; two that
/// differ and are equally new are those of two drives. Without a life counter nobody knows which is
/// newer.
JointPdos::Verdict JointPdos::take_again(Pdo& pdo, const can::Frame& frame) noexcept {
  if (is_newer(pdo, frame)) {
    keep_all(pdo, frame, report_);
  } else if (contradicts(pdo, frame)) {
    contradicted_ = true;
  }
  return Verdict::kDoubled;
}

bool JointPdos::is_newer(const Pdo& pdo, const can::Frame& frame) const noexcept {
  const auto echo = echo_in(pdo, frame);
  return has_life_counter_ && echo &&
         static_cast<std::int8_t>(static_cast<std::uint8_t>(*echo - echo_)) > 0;
}

bool JointPdos::contradicts(const Pdo& pdo, const can::Frame& frame) const noexcept {
  return has_life_counter_ && pdo.is_state && pdo.has_come &&
         !std::equal(pdo.bytes_heard.begin(),
                     pdo.bytes_heard.begin() + static_cast<std::ptrdiff_t>(pdo.bytes),
                     frame.data.begin());
}

void JointPdos::take_late(Pdo& pdo, const can::Frame& frame) noexcept {
  const bool is_first =
      std::none_of(in_.begin(), in_.end(), [](const Pdo& other) { return other.came_late; });
  if (is_first) late_ = report_;
  pdo.came_late = true;
  keep_all(pdo, frame, late_);
}

std::optional<std::uint8_t> JointPdos::echo_in(const Pdo& pdo,
                                               const can::Frame& frame) const noexcept {
  std::size_t at = 0;
  for (const std::uint32_t object : pdo.layout.objects) {
    if (object == mapped::kLifeEcho) return get<std::uint8_t>(frame, at);
    at += bytes_of(object);
  }
  return std::nullopt;
}

bool JointPdos::is_replayed(const Pdo& pdo, const can::Frame& frame) const noexcept {
  if (!has_life_counter_ || !has_echo_) return false;
  const auto behind_host = static_cast<std::uint8_t>(life_ - echo_);
  const auto echo = echo_in(pdo, frame);
  if (!echo || behind_host > kReplayWindow) return false;
  const auto newer = static_cast<std::int8_t>(static_cast<std::uint8_t>(*echo - echo_));
  return newer < 0 && newer >= -kReplayWindow;
}

void JointPdos::keep_all(Pdo& pdo, const can::Frame& frame, DriveReport& report) noexcept {
  std::size_t at = 0;
  for (const std::uint32_t object : pdo.layout.objects) {
    keep(object, frame, at, report);
    at += bytes_of(object);
  }
}

void JointPdos::keep(std::uint32_t object, const can::Frame& frame, std::size_t at,
                     DriveReport& report) noexcept {
  constexpr double kDegree = canopen::kStepsPerDegree;
  constexpr double kMilli = 1.0e-3;  // [V], of one
  switch (object) {
    case mapped::kStatusword:
      report.statusword = get<std::uint16_t>(frame, at);
      return;
    case mapped::kModeShown:
      report.mode = get<std::int8_t>(frame, at);
      return;
    case mapped::kLifeEcho:
      has_echo_ = true;
      echo_ = get<std::uint8_t>(frame, at);
      return;
    case mapped::kPosition:
      report.position = get<std::int32_t>(frame, at);
      return;
    case mapped::kVelocity:
      report.velocity = get<std::int32_t>(frame, at);
      return;
    case mapped::kTorque:
      report.torque = get<std::int16_t>(frame, at);
      return;
    case mapped::kErrorCode:
      fault_is_new_ = fault_is_new_ || report.error_code == 0;
      report.error_code = get<std::uint16_t>(frame, at);
      fault_is_new_ = fault_is_new_ && report.error_code != 0;
      return;
    case mapped::kMotorTemperature:
      slow_values_.temperature_C = get<std::int16_t>(frame, at) / kDegree;
      slow_ = slow_values_;
      return;
    case mapped::kHomingProgress:
      slow_values_.progress = kMilli * get<std::uint16_t>(frame, at);
      slow_ = slow_values_;
      return;
    case mapped::kFindingValue:
      finding_.emplace().value = real_at(frame, at);
      cycles_since_finding_ = 0;
      return;
    case mapped::kFindingLimit:
      if (finding_) finding_->limit = real_at(frame, at);
      return;
    case mapped::kInputs:
      inputs_ = get<std::uint32_t>(frame, at);
      return;
    case mapped::kSupply:
      slow_values_.supply_V = kMilli * get<std::uint32_t>(frame, at);
      slow_ = slow_values_;
      return;
    default:
      return;
  }
}

std::optional<DriveReport> JointPdos::close_cycle() noexcept {
  open_ = false;
  if (!has_state()) return std::nullopt;
  return report_;
}

std::optional<DriveReport> JointPdos::late() const noexcept {
  return late_is_whole_ ? std::optional(late_) : std::nullopt;
}

std::optional<SlowReport> JointPdos::take_slow() noexcept {
  const std::optional<SlowReport> slow = slow_;
  slow_.reset();
  return slow;
}

std::optional<Finding> JointPdos::take_finding() noexcept {
  const std::optional<Finding> finding = finding_;
  finding_.reset();
  return finding;
}

std::optional<std::uint32_t> JointPdos::take_inputs() noexcept {
  const std::optional<std::uint32_t> inputs = inputs_;
  inputs_.reset();
  return inputs;
}

// To the drive
// -------------------------------------------------------------------------------------------

std::size_t JointPdos::put(const DriveOrder& order, std::span<can::Frame, kMostOut> out) noexcept {
  ++life_;
  const auto& frames = sends_[static_cast<std::size_t>(order.use)];
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const Pdo& pdo = out_[frames[i]];
    out[i] = {};
    out[i].id = pdo.id;
    out[i].size = static_cast<std::uint8_t>(pdo.bytes);
    fill(pdo.layout, order, out[i]);
  }
  return frames.size();
}

void JointPdos::fill(const PdoLayout& layout, const DriveOrder& order, can::Frame& frame) noexcept {
  const auto value = [&](std::uint32_t object) -> std::int64_t {
    switch (object) {
      case mapped::kControlword:
        return order.controlword;
      case mapped::kMode:
        return order.mode;
      case mapped::kLife:
        return life_;
      case mapped::kTargetPosition:
        return order.position;
      case mapped::kTargetVelocity:
        return order.velocity;
      case mapped::kTargetTorque:
        return order.torque;
      case mapped::kDuty:
        return order.duty;
      case mapped::kVelocityOffset:
        return order.velocity_offset;
      case mapped::kTorqueOffset:
        return order.torque_offset;
      default:
        return 0;
    }
  };
  std::size_t at = 0;
  for (const std::uint32_t object : layout.objects) {
    canopen::store_little_endian(std::span(frame.data).subspan(at),
                                 static_cast<std::uint64_t>(value(object)), bytes_of(object));
    at += bytes_of(object);
  }
}

}  // namespace jointrig::hw
