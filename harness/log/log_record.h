#pragma once
/// Record of a cycle for the log. If the log has a thread of its own, the record crosses to it as
/// plain bytes in this layout.

#include <cstddef>
#include <cstdint>
#include <span>

#include "control/core/command.h"
#include "control/core/event.h"
#include "control/core/snapshot.h"

namespace jointrig::harness {

enum class LogRecordKind : std::uint32_t { kCycle, kEvent, kCommand };

/// Head of each record.
struct LogRecordHead {
  LogRecordKind kind = LogRecordKind::kCycle;
  std::uint32_t joints = 0;   ///< JointSnapshots after a cycle
  std::uint32_t raw = 0;      ///< RawJoints after those
  std::uint32_t arms = 0;     ///< ArmSnapshots after those
  std::uint32_t numbers = 0;  ///< doubles after those: truth of a cycle, or a command's
  std::uint32_t laws = 0;     ///< LawSnapshots after the arms
  std::uint32_t signals = 0;  ///< of the laws: doubles after these
  std::uint32_t spare = 0;    ///< aligns the rest to 8
};

/// Follows the head of a cycle; then come `joints` JointSnapshot, `raw` RawJoint, `arms`
/// ArmSnapshot, `laws` LawSnapshot, `signals` double, `truth` double.
struct CycleRecord {
  std::uint64_t cycle = 0;
  TimeNs time_ns = 0;
  std::uint64_t overruns = 0;
  double speed_override = 1.0;
  ProtectionSnapshot protection;
  std::uint64_t dropped = 0;  ///< cycles missing in the log so far
  std::uint64_t whole = 0;    ///< 1: resting items are logged, too
  LoopTimes times;
  BaseState base;
  FixedVector<ForceTorqueState, kMaxForceTorqueSensors> force_torque;
  FixedVector<ImuState, kMaxImus> imus;
  PerGripper<GripperSnapshot> grippers;
};

/// Follows the head of a command; then come its numbers. A Command itself has room for all joints.
struct CommandRecord {
  std::uint64_t cycle = 0;  ///< cycle that drained it
  TimeNs time_ns = 0;
  std::uint64_t number = 0;
  TimeNs seen_ns = 0;  ///< Command::time_ns
  JointSet joints;
  CommandKind kind{};
  ArmIndex arm = kNoArm;
  std::uint16_t sender = 0;
  std::uint32_t spare = 0;  ///< aligns the rest to 8
};

/// A joint whose state the stack changed before use.
struct RawJoint {
  std::uint64_t joint = 0;
  JointState state;
};

/// Period for resting items (arms that don't run, inactive protection), which would be half of all
/// data.
inline constexpr TimeNs kRestPeriod = 10'000'000;

bool is_at_work(const ArmSnapshot& arm) noexcept;
bool is_at_work(const ProtectionSnapshot& protection) noexcept;

/// One cycle by reference: in the loop, or in a record of the ring.
struct LoggedCycle {
  const CycleRecord* about = nullptr;
  std::span<const JointSnapshot> joints;
  std::span<const RawJoint> raw;
  std::span<const ArmSnapshot> arms;
  std::span<const double> truth;
  std::span<const LawSnapshot> laws = {};
  std::span<const double> signals = {};  ///< of all laws
};

/// One command, likewise.
struct LoggedCommand {
  const CommandRecord* about = nullptr;
  std::span<const double> numbers;  ///< as for_each_number_of() visits them
};

static_assert(sizeof(LogRecordHead) % 8 == 0 && sizeof(CycleRecord) % 8 == 0 &&
              sizeof(CommandRecord) % 8 == 0 && sizeof(JointSnapshot) % 8 == 0 &&
              sizeof(RawJoint) % 8 == 0 && sizeof(ArmSnapshot) % 8 == 0 &&
              sizeof(LawSnapshot) % 8 == 0);

constexpr std::size_t cycle_record_size(std::size_t joints, std::size_t raw, std::size_t arms,
                                        std::size_t truth, std::size_t laws = 0,
                                        std::size_t signals = 0) noexcept {
  return sizeof(LogRecordHead) + sizeof(CycleRecord) + joints * sizeof(JointSnapshot) +
         raw * sizeof(RawJoint) + arms * sizeof(ArmSnapshot) + laws * sizeof(LawSnapshot) +
         (signals + truth) * sizeof(double);
}

inline std::size_t record_size(const LoggedCycle& cycle) noexcept {
  return cycle_record_size(cycle.joints.size(), cycle.raw.size(), cycle.arms.size(),
                           cycle.truth.size(), cycle.laws.size(), cycle.signals.size());
}

inline std::size_t record_size(const Event& event) noexcept {
  return sizeof(LogRecordHead) + sizeof event;
}

inline std::size_t record_size(const LoggedCommand& command) noexcept {
  return sizeof(LogRecordHead) + sizeof(CommandRecord) + command.numbers.size_bytes();
}

/// @param at  record_size() bytes, aligned to 8
void put_record(const LoggedCycle& cycle, std::byte* at) noexcept;
void put_record(const Event& event, std::byte* at) noexcept;
void put_record(const LoggedCommand& command, std::byte* at) noexcept;

/// The inverse of put_record(), after the head's kind is known. Views into `record`.
LogRecordHead head_of(std::span<const std::byte> record) noexcept;
LoggedCycle cycle_of(std::span<const std::byte> record) noexcept;
const Event& event_of(std::span<const std::byte> record) noexcept;
LoggedCommand command_of(std::span<const std::byte> record) noexcept;

}  // namespace jointrig::harness
