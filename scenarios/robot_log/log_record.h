#pragma once
/// What crosses from the loop's thread to the log's: plain bytes, laid out here.

#include <cstddef>
#include <cstdint>

#include "control/core/command.h"
#include "control/core/event.h"
#include "control/core/snapshot.h"

namespace jointrig {

enum class LogRecordKind : std::uint32_t { kCycle, kEvent, kCommand };

/// Begins each record.
struct LogRecordHead {
  LogRecordKind kind;
  std::uint32_t joints;  ///< JointSnapshots behind a cycle
  std::uint32_t raw;     ///< RawJoints behind those
  std::uint32_t truth;   ///< doubles behind those
};

/// Behind the head of a cycle; then come `joints` JointSnapshot, `raw` RawJoint, `truth` double.
struct CycleRecord {
  std::uint64_t cycle;
  TimeNs time_ns;
  std::uint64_t overruns;
  std::uint64_t dropped;  ///< cycles that the log lacks so far
  LoopTimes times;
  BaseState base;
  FixedVector<ForceTorqueState, kMaxForceTorqueSensors> force_torque;
  FixedVector<ImuState, kMaxImus> imus;
};

/// Behind the head of a command.
struct CommandRecord {
  std::uint64_t cycle;  ///< that drained it
  TimeNs time_ns;
  Command command;
};

/// A joint whose state the stack didn't use as it came.
struct RawJoint {
  std::uint64_t joint;
  JointState state;
};

static_assert(sizeof(LogRecordHead) % 8 == 0 && sizeof(CycleRecord) % 8 == 0 &&
              sizeof(JointSnapshot) % 8 == 0 && sizeof(RawJoint) % 8 == 0);

constexpr std::size_t cycle_record_size(std::size_t joints, std::size_t raw,
                                        std::size_t truth) noexcept {
  return sizeof(LogRecordHead) + sizeof(CycleRecord) + joints * sizeof(JointSnapshot) +
         raw * sizeof(RawJoint) + truth * sizeof(double);
}

}  // namespace jointrig
