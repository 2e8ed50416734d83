#include "harness/log/log_record.h"

#include <cstring>
#include <new>

namespace jointrig::harness {
namespace {

std::byte* put_head(std::byte* at, const LogRecordHead& head) noexcept {
  return reinterpret_cast<std::byte*>(new (at) LogRecordHead(head)) + sizeof head;
}

template <typename T>
std::byte* put_all(std::byte* at, std::span<const T> values) noexcept {
  if (!values.empty()) std::memcpy(at, values.data(), values.size_bytes());
  return at + values.size_bytes();
}

const std::byte* body_of(std::span<const std::byte> record) noexcept {
  return record.data() + sizeof(LogRecordHead);
}

}  // namespace

bool is_at_work(const ArmSnapshot& arm) noexcept {
  return arm.runs || arm.timed_out || arm.forces.taring ||
         arm.interaction.guide != GuideState::kOff;
}

bool is_at_work(const ProtectionSnapshot& protection) noexcept {
  constexpr double kNear = 0.25;  // share of a threshold: a choice
  return protection.pushes || protection.overlap > 0.0 || protection.impact > kNear ||
         protection.squish > kNear || protection.squished || protection.stop_left > 0.0 ||
         protection.suppressed.bits() != 0;
}

void put_record(const LoggedCycle& cycle, std::byte* at) noexcept {
  at = put_head(at, {LogRecordKind::kCycle, static_cast<std::uint32_t>(cycle.joints.size()),
                     static_cast<std::uint32_t>(cycle.raw.size()),
                     static_cast<std::uint32_t>(cycle.arms.size()),
                     static_cast<std::uint32_t>(cycle.truth.size()),
                     static_cast<std::uint32_t>(cycle.laws.size()),
                     static_cast<std::uint32_t>(cycle.signals.size())});
  new (at) CycleRecord(*cycle.about);
  at = put_all(at + sizeof(CycleRecord), cycle.joints);
  at = put_all(at, cycle.raw);
  at = put_all(at, cycle.arms);
  at = put_all(at, cycle.laws);
  at = put_all(at, cycle.signals);
  put_all(at, cycle.truth);
}

void put_record(const Event& event, std::byte* at) noexcept {
  new (put_head(at, {LogRecordKind::kEvent, 0, 0, 0, 0, 0, 0})) Event(event);
}

void put_record(const LoggedCommand& command, std::byte* at) noexcept {
  at = put_head(at, {LogRecordKind::kCommand, 0, 0, 0,
                     static_cast<std::uint32_t>(command.numbers.size()), 0, 0});
  new (at) CommandRecord(*command.about);
  put_all(at + sizeof(CommandRecord), command.numbers);
}

LogRecordHead head_of(std::span<const std::byte> record) noexcept {
  return *reinterpret_cast<const LogRecordHead*>(record.data());
}

LoggedCycle cycle_of(std::span<const std::byte> record) noexcept {
  const LogRecordHead head = head_of(record);
  const auto* about = reinterpret_cast<const CycleRecord*>(body_of(record));
  const auto* joints = reinterpret_cast<const JointSnapshot*>(about + 1);
  const auto* raw = reinterpret_cast<const RawJoint*>(joints + head.joints);
  const auto* arms = reinterpret_cast<const ArmSnapshot*>(raw + head.raw);
  const auto* laws = reinterpret_cast<const LawSnapshot*>(arms + head.arms);
  const auto* signals = reinterpret_cast<const double*>(laws + head.laws);
  const auto* truth = signals + head.signals;
  return {about,
          {joints, head.joints},
          {raw, head.raw},
          {arms, head.arms},
          {truth, head.numbers},
          {laws, head.laws},
          {signals, head.signals}};
}

const Event& event_of(std::span<const std::byte> record) noexcept {
  return *reinterpret_cast<const Event*>(body_of(record));
}

LoggedCommand command_of(std::span<const std::byte> record) noexcept {
  const auto* about = reinterpret_cast<const CommandRecord*>(body_of(record));
  const auto* numbers = reinterpret_cast<const double*>(about + 1);
  return {about, {numbers, head_of(record).numbers}};
}

}  // namespace jointrig::harness
