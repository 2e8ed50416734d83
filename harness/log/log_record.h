#pragma once
/// What a cycle leaves for the log; where the log has a thread of its own, it crosses to that as
/// plain bytes, laid out here.

#include <cstddef>
#include <cstdint>
#include <span>

#include "control/core/command.h"
#include "control/core/event.h"
#include "control/core/snapshot.h"

namespace jointrig::harness {

enum class LogRecordKind : std::uint32_t { kCycle, kEvent, kCommand };

/// Begins each record.
struct LogRecordHead {
  LogRecordKind kind;
  std::uint32_t joints;  ///< JointSnapshots behind a cycle
  std::uint32_t raw;     ///< RawJoints behind those
  std::uint32_t arms;    ///< ArmSnapshots behind those
  std::uint32_t truth;   ///< doubles behind those
  std::uint32_t spare;   ///< what follows is aligned to 8
};

/// Behind the head of a cycle; then come `joints` JointSnapshot, `raw` RawJoint, `arms`
/// ArmSnapshot, `truth` double.
struct CycleRecord {
  std::uint64_t cycle = 0;
  TimeNs time_ns = 0;
  std::uint64_t overruns = 0;
  double speed_override = 1.0;
  ProtectionSnapshot protection;
  std::uint64_t dropped = 0;  ///< cycles that the log lacks so far
  std::uint64_t whole = 0;    ///< 1: what rests is told, too
  LoopTimes times;
  BaseState base;
  FixedVector<ForceTorqueState, kMaxForceTorqueSensors> force_torque;
  FixedVector<ImuState, kMaxImus> imus;
};

/// Behind the head of a command.
struct CommandRecord {
  std::uint64_t cycle = 0;  ///< that drained it
  TimeNs time_ns = 0;
  Command command;
};

/// A joint whose state the stack didn't use as it came.
struct RawJoint {
  std::uint64_t joint = 0;
  JointState state;
};

/// What rests (arms that don't run, protection with nothing to do) is told this often: it would be
/// half of all that a cycle has to tell.
inline constexpr TimeNs kRestPeriod = 10'000'000;

bool is_at_work(const ArmSnapshot& arm) noexcept;
bool is_at_work(const ProtectionSnapshot& protection) noexcept;

/// One cycle, where it lies: with the loop, or in a record of the ring.
struct LoggedCycle {
  const CycleRecord* about = nullptr;
  std::span<const JointSnapshot> joints;
  std::span<const RawJoint> raw;
  std::span<const ArmSnapshot> arms;
  std::span<const double> truth;
};

static_assert(sizeof(LogRecordHead) % 8 == 0 && sizeof(CycleRecord) % 8 == 0 &&
              sizeof(JointSnapshot) % 8 == 0 && sizeof(RawJoint) % 8 == 0 &&
              sizeof(ArmSnapshot) % 8 == 0);

constexpr std::size_t cycle_record_size(std::size_t joints, std::size_t raw, std::size_t arms,
                                        std::size_t truth) noexcept {
  return sizeof(LogRecordHead) + sizeof(CycleRecord) + joints * sizeof(JointSnapshot) +
         raw * sizeof(RawJoint) + arms * sizeof(ArmSnapshot) + truth * sizeof(double);
}

inline std::size_t record_size(const LoggedCycle& cycle) noexcept {
  return cycle_record_size(cycle.joints.size(), cycle.raw.size(), cycle.arms.size(),
                           cycle.truth.size());
}

/// @param at  record_size() bytes, aligned to 8
void put_record(const LoggedCycle& cycle, std::byte* at) noexcept;
void put_record(const Event& event, std::byte* at) noexcept;
void put_record(const CommandRecord& command, std::byte* at) noexcept;

/// The other way round, after a look at the head's kind. Views into `record`.
LogRecordHead head_of(std::span<const std::byte> record) noexcept;
LoggedCycle cycle_of(std::span<const std::byte> record) noexcept;
const Event& event_of(std::span<const std::byte> record) noexcept;
const CommandRecord& command_of(std::span<const std::byte> record) noexcept;

}  // namespace jointrig::harness
