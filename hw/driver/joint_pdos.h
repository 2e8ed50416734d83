#pragma once
/// The cyclic frames of one joint: what its drive sends after each SYNC, and what it is sent.
///
/// After SYNC k the drive answers with the state of that instant; a frame that comes after the
/// cycle was closed belongs to the past and is left out. With the project's life counter (2010h)
/// a frame from an earlier cycle is known by its echo, wherever it was held up; without it
/// freshness is judged by the arrival alone.

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "hw/can/frame.h"
#include "hw/driver/drive_host.h"

namespace jointrig::hw {

struct JointPdoSpec {
  std::uint8_t node = 1;
  bool has_life_counter = true;  ///< 2010h: a board of the project
  bool feed_forward = false;     ///< send 60B1h and 60B2h in a frame of their own (RPDO4)
};

class JointPdos {
 public:
  enum class Verdict : std::uint8_t {
    kNotMine,   ///< another node's, or no PDO
    kTaken,     ///
    kDoubled,   ///< this cycle's is there already: the first one counts
    kReplayed,  ///< its echo is older than the last one's
    kLength,    ///< not the bytes that were agreed on
    kLate,      ///< the cycle was closed
  };
  /// By verdict.
  using Counters = std::array<std::uint64_t, 6>;

  /// An echo that is behind by no more than this is of an earlier cycle. The counter has 8 bits, so
  /// one that seems further behind is one that has gone around.
  static constexpr int kReplayWindow = 32;

  explicit JointPdos(const JointPdoSpec& spec) noexcept : spec_(spec) {}

  /// SYNC goes out: what comes from here on is of the new cycle.
  void open_cycle() noexcept;
  Verdict take(const can::Frame& frame) noexcept;
  /// All that is expected of a cycle has come.
  [[nodiscard]] bool is_complete() const noexcept { return has_state_ && has_motion_; }
  /// The report of this cycle; nothing if the drive's state did not come. Where only velocity and
  /// torque are missing they are those of the cycle before.
  std::optional<DriveReport> close_cycle() noexcept;
  /// Temperatures and supply, if they came since the last call.
  std::optional<SlowReport> take_slow() noexcept;

  /// Frames that tell a drive its order: one, with feed-forward two.
  /// @return how many were written
  std::size_t put(const DriveOrder& order, std::span<can::Frame, 2> out) noexcept;

  [[nodiscard]] const Counters& counters() const noexcept { return counters_; }

 private:
  Verdict take_state(const can::Frame& frame) noexcept;
  Verdict take_motion(const can::Frame& frame) noexcept;
  Verdict judge(const can::Frame& frame) noexcept;

  JointPdoSpec spec_;
  bool open_ = false;
  bool has_state_ = false;
  bool has_motion_ = false;
  int unjudged_ = 1;      ///< states whose echo has nothing to be compared with
  int quiet_cycles_ = 0;  ///< since the last state
  std::uint8_t echo_ = 0;
  std::uint8_t life_ = 0;
  DriveReport report_;
  std::optional<SlowReport> slow_;
  Counters counters_{};
};

}  // namespace jointrig::hw
