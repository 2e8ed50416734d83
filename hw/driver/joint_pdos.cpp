#include "hw/driver/joint_pdos.h"

#include "hw/canopen/bytes.h"
#include "hw/canopen/pdo_record.h"

namespace jointrig::hw {
namespace {

constexpr std::uint32_t kState = canopen::tpdo_base(0);   // 6041h 6061h 2010h:2 6064h
constexpr std::uint32_t kMotion = canopen::tpdo_base(1);  // 606Ch 6077h 603Fh
constexpr std::uint32_t kSlow = canopen::tpdo_base(2);    // 2030h:1 2030h:2 6079h

constexpr std::uint32_t kPosition = canopen::rpdo_base(0);     // header, 607Ah
constexpr std::uint32_t kTorque = canopen::rpdo_base(1);       // header, 6071h 2020h:1
constexpr std::uint32_t kVelocity = canopen::rpdo_base(2);     // header, 60FFh
constexpr std::uint32_t kFeedForward = canopen::rpdo_base(3);  // 60B1h 60B2h

constexpr std::size_t kFull = 8;
constexpr std::size_t kFeedForwardBytes = 6;

template <typename T>
T get(const can::Frame& frame, std::size_t at) noexcept {
  return static_cast<T>(canopen::load_little_endian(std::span(frame.data).subspan(at), sizeof(T)));
}

template <typename T>
void set(can::Frame& frame, std::size_t at, T value) noexcept {
  canopen::store_little_endian(std::span(frame.data).subspan(at), static_cast<std::uint64_t>(value),
                               sizeof(T));
}

}  // namespace

void JointPdos::open_cycle() noexcept {
  // A silent board echoes what it heard before, and then jumps to what it hears now.
  if (!has_state_ && ++quiet_cycles_ > kReplayWindow) unjudged_ = 2;
  open_ = true;
  has_state_ = has_motion_ = false;
}

JointPdos::Verdict JointPdos::take(const can::Frame& frame) noexcept {
  const Verdict verdict = judge(frame);
  ++counters_[static_cast<std::size_t>(verdict)];
  return verdict;
}

JointPdos::Verdict JointPdos::judge(const can::Frame& frame) noexcept {
  if (frame.extended || frame.remote || (frame.id & 0x7FU) != spec_.node) return Verdict::kNotMine;
  const std::uint32_t kind = frame.id & ~0x7FU;
  if (kind != kState && kind != kMotion && kind != kSlow) return Verdict::kNotMine;
  if (frame.size != kFull || frame.fd) return Verdict::kLength;
  if (kind == kSlow) {
    constexpr double kTenth = 0.1;     // [°C]
    constexpr double kMilli = 1.0e-3;  // [V]
    slow_ = SlowReport{.temperature_C = kTenth * get<std::int16_t>(frame, 2),
                       .supply_V = kMilli * get<std::uint32_t>(frame, 4)};
    return Verdict::kTaken;
  }
  if (!open_) return Verdict::kLate;
  return kind == kState ? take_state(frame) : take_motion(frame);
}

JointPdos::Verdict JointPdos::take_state(const can::Frame& frame) noexcept {
  if (has_state_) return Verdict::kDoubled;
  const auto echo = get<std::uint8_t>(frame, 3);
  const auto newer = static_cast<std::int8_t>(static_cast<std::uint8_t>(echo - echo_));
  const bool judged = spec_.has_life_counter && unjudged_ == 0;
  if (judged && newer < 0 && newer >= -kReplayWindow) return Verdict::kReplayed;
  if (unjudged_ > 0) --unjudged_;
  quiet_cycles_ = 0;
  echo_ = echo;
  has_state_ = true;
  report_.statusword = get<std::uint16_t>(frame, 0);
  report_.mode = get<std::int8_t>(frame, 2);
  report_.position = get<std::int32_t>(frame, 4);
  return Verdict::kTaken;
}

JointPdos::Verdict JointPdos::take_motion(const can::Frame& frame) noexcept {
  if (has_motion_) return Verdict::kDoubled;
  has_motion_ = true;
  report_.velocity = get<std::int32_t>(frame, 0);
  report_.torque = get<std::int16_t>(frame, 4);
  report_.error_code = get<std::uint16_t>(frame, 6);
  return Verdict::kTaken;
}

std::optional<DriveReport> JointPdos::close_cycle() noexcept {
  open_ = false;
  if (!has_state_) return std::nullopt;
  return report_;
}

std::optional<SlowReport> JointPdos::take_slow() noexcept {
  const std::optional<SlowReport> slow = slow_;
  slow_.reset();
  return slow;
}

std::size_t JointPdos::put(const DriveOrder& order, std::span<can::Frame, 2> out) noexcept {
  using cia402::DriveUse;
  can::Frame& frame = out[0];
  frame = {};
  frame.size = kFull;
  set(frame, 0, order.controlword);
  set(frame, 2, order.mode);
  set(frame, 3, ++life_);
  if (order.use == DriveUse::kTorque || order.use == DriveUse::kPwm) {
    frame.id = kTorque + spec_.node;
    set(frame, 4, order.torque);
    set(frame, 6, order.duty);
  } else if (order.use == DriveUse::kVelocity) {
    frame.id = kVelocity + spec_.node;
    set(frame, 4, order.velocity);
  } else {
    frame.id = kPosition + spec_.node;
    set(frame, 4, order.position);
  }
  if (!spec_.feed_forward) return 1;
  out[1] = {};
  out[1].id = kFeedForward + spec_.node;
  out[1].size = kFeedForwardBytes;
  set(out[1], 0, order.velocity_offset);
  set(out[1], 4, order.torque_offset);
  return 2;
}

}  // namespace jointrig::hw
