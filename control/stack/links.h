#pragma once

#include <cstdint>
#include <vector>

#include "control/core/board_notice.h"
#include "control/core/robot_io.h"
#include "control/stack/event_reporter.h"
#include "control/stack/joints.h"

namespace jointrig {

/// The links to the boards: a part holds while one of its boards is silent or does not follow, and
/// after one was lost.
///
///     missed ≥ kHoldAfter     its part holds until samples come again, then goes on
///     does not follow         its part holds until it does, then goes on
///     a fault, or lost        its part holds until a mode is asked for
///
/// A board that follows again was left without setpoints for a while, as after a stall of the host:
/// nothing was lost. An event tells each hold and what ends it (part_held, part_waits), and that
/// the part goes on (part_freed), which is told in the cycle in which it does.
///
/// Functions are for the cycle.
class Links {
 public:
  /// Missed samples of a joint, in cycles of its bus, after which its part holds; two are bridged.
  static constexpr std::uint32_t kHoldAfter = 3;
  /// s: interval of reports while a link stays stale.
  static constexpr double kStaleToldEvery = 1.0;

  /// The link of one joint.
  struct Link {
    std::uint32_t stale = 0;       ///< samples missed since the last report
    std::uint64_t counted_at = 0;  ///< cycle after the one in which a miss was counted
    std::uint64_t stale_at = 0;    ///< cycle after the one of the report
    bool holds_part = false;       ///< its part holds because it is silent or does not follow
    bool ended = false;            ///< that ended, and its part has not gone on yet
    bool was_configured = false;   ///< the board was configured and heard; false after it is lost
    bool faulted = false;
  };
  /// State by joint, saved and restored by assignment.
  using State = std::vector<Link>;

  explicit Links(const RobotConfig& config)
      : period_ns_(config.period_ns), state_(config.joints.size()) {}

  /// Runs one cycle, after the joints have followed their boards.
  void advance(const RobotState& state, const PartMates& mates, Joints joints,
               EventReporter& events) noexcept;

  /// Handles a notice of the backend.
  static void note(const BoardNotice& notice, const PartMates& mates, Joints joints,
                   EventReporter& events) noexcept;

  [[nodiscard]] const State& state() const noexcept { return state_; }
  void restore(const State& state);

 private:
  void follow(std::size_t joint, const JointState& board, const PartMates& mates, Joints joints,
              EventReporter& events) noexcept;
  void count_stale(std::size_t joint, const JointState& board, Joints joints,
                   EventReporter& events) noexcept;
  void free_held(const PartMates& mates, Joints joints, EventReporter& events) noexcept;

  TimeNs period_ns_;
  State state_;
};

}  // namespace jointrig
