#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "control/core/board_notice.h"
#include "control/core/event.h"
#include "control/core/snapshot.h"
#include "control/exchange/event_ring.h"
#include "control/joint/joint_control.h"
#include "control/stack/joints.h"
#include "control/stack/loop_statistics.h"

namespace jointrig {

/// Publishes the events of a cycle, each with the time, the joint's mode and its fault. It counts
/// the cycles in which each limit acts, and reports a limit only when it begins to act.
///
/// Functions are for the cycle.
class EventReporter {
 public:
  /// A limit that acts again sooner is not reported.
  static constexpr std::uint64_t kQuietCycles = 100;

  /// State that is saved and restored by assignment.
  struct State {
    /// Cycle after the one in which each limit last acted, by joint.
    std::vector<std::array<std::uint64_t, kAllLimit.size()>> limit_acted;
    std::vector<LimitCycles> limit_cycles;  ///< by joint
  };

  explicit EventReporter(std::size_t joint_count);

  /// Starts a cycle: the following events belong to it.
  void begin(std::uint64_t cycle, TimeNs time_ns) noexcept;
  [[nodiscard]] std::uint64_t cycle() const noexcept { return cycle_; }

  /// An event without a joint, or of a joint without its mode and fault.
  [[nodiscard]] Event event(EventKind kind, std::size_t joint) const noexcept;
  /// An event of a joint, with its mode and fault.
  [[nodiscard]] Event event(EventKind kind, std::size_t joint,
                            const JointControl& control) const noexcept;
  /// An event of one of these joints, or without a joint for a number beyond them.
  [[nodiscard]] Event event(EventKind kind, std::size_t joint, ConstJoints joints) const noexcept {
    return joint < joints.size() ? event(kind, joint, joints.controls[joint]) : event(kind, joint);
  }
  void publish(const Event& event) noexcept { ring_.publish(event); }

  /// Reports the changes by a joint's board.
  void report(std::size_t joint, const JointSetup& setup, const JointControl& control,
              const JointModeMachine::Change& change) noexcept;
  /// Reports the results of a joint's cycle.
  void report(std::size_t joint, const JointSetup& setup, const JointControl& control,
              const JointControl::Outcome& outcome) noexcept;
  void report_mode(std::size_t joint, const JointControl& control, JointMode was) noexcept;
  void report_limits(std::size_t joint, const JointControl& control) noexcept;
  void report_notice(Notice kind, std::size_t joint, std::span<const JointControl> controls,
                     double value, double limit) noexcept;
  void report_overrun(LoopStage stage, std::int64_t took_ns, TimeNs period_ns) noexcept;

  /// True if something that acts now did not act in the last kQuietCycles.
  /// @param acted  the cycle after the one in which it last acted; 0: never. Updated
  [[nodiscard]] bool is_news(std::uint64_t& acted) const noexcept;

  [[nodiscard]] EventRing& ring() noexcept { return ring_; }
  [[nodiscard]] const State& state() const noexcept { return state_; }
  void restore(const State& state);

 private:
  std::uint64_t cycle_ = 0;
  TimeNs time_ns_ = 0;
  State state_;
  EventRing ring_;
};

}  // namespace jointrig
