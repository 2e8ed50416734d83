#pragma once
/// The cyclic frames of one joint: those that its drive sends after each SYNC, and its orders.
///
/// After SYNC k the drive answers with the state of that instant; a frame that comes after the
/// cycle was closed belongs to the past: it stands in for that of the next cycle if none comes, one
/// cycle old, and is never mixed into it. With the project's life counter (2010h)
/// a frame from an earlier cycle is known by its echo, wherever it was held up; without it
/// freshness is judged by the arrival alone.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "hw/can/frame.h"
#include "hw/driver/drive_host.h"
#include "hw/driver/pdo_layout.h"
#include "hw/driver/twin_watch.h"

namespace jointrig::hw {

struct JointPdoSpec {
  std::uint8_t node = 1;
  bool has_life_counter = true;  ///< 2010h: a board of the project
  bool feed_forward = false;     ///< send 60B1h and 60B2h in a frame of their own (RPDO4)
  PdoLayouts layouts = {};       ///< empty: those of a board of the project
  bool inputs = false;           ///< 60FDh has to come with the cycle
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

  /// An echo that is behind the last one by no more than this is of an earlier cycle, if the last
  /// one is behind the host's counter by no more than this. The counter has 8 bits, so one that
  /// seems further behind has gone around, or is from before this host began.
  ///
  /// So no phase of the counter hides a board: its present echo is behind the host's by an order or
  /// two, and the last one by k ≤ 32 more; it is ahead of that one by k, hence never dropped for
  /// more than these two cycles.
  static constexpr int kReplayWindow = 32;

  /// The most frames of one order: each PDO that holds a part of it.
  static constexpr std::size_t kMostOut = 4;

  /// Throws std::invalid_argument with a sentence for layouts that can't drive a joint.
  explicit JointPdos(const JointPdoSpec& spec);

  /// SYNC goes out: frames from here on belong to the new cycle.
  void open_cycle() noexcept;
  Verdict take(const can::Frame& frame) noexcept;
  /// All expected frames of a cycle have come; with a new fault, the drive's finding on it too.
  [[nodiscard]] bool is_complete() const noexcept {
    return has_state() && missing_ == 0 && !awaits_finding();
  }
  /// The report of this cycle; nothing if statusword and position did not come. Where only others
  /// are missing, velocity and torque, they are those of the cycle before.
  std::optional<DriveReport> close_cycle() noexcept;
  /// The report that came too late for the cycle before the one just closed.
  [[nodiscard]] std::optional<DriveReport> late() const noexcept;
  /// A SYNC of somebody else's, which the drive answers as well.
  void hear_sync() noexcept;
  /// More states came than one drive has sent (twin_watch.h).
  [[nodiscard]] bool finds_two() const noexcept;
  void forget_two() noexcept;
  /// Frames of this cycle under this number have one echo and contradict each other: two drives, or
  /// one whose states come late while its orders get lost. Counts since the last call.
  [[nodiscard]] bool take_contradiction() noexcept {
    const bool was = contradicted_;
    contradicted_ = false;
    return was;
  }
  /// Temperature, supply and progress, if they came since the last call.
  std::optional<SlowReport> take_slow() noexcept;
  /// The drive's finding on its last event (2041h), if it came since the last call.
  std::optional<Finding> take_finding() noexcept;
  /// The digital inputs (60FDh), if they came since the last call, in time or late.
  std::optional<std::uint32_t> take_inputs() noexcept;

  /// The frames of an order: those that hold its target, mode and controlword, and the offsets.
  /// @return how many were written
  std::size_t put(const DriveOrder& order, std::span<can::Frame, kMostOut> out) noexcept;

  /// The error code comes with the cycle; else only EMCY tells it.
  [[nodiscard]] bool tells_error_code() const noexcept { return tells_error_code_; }
  /// The mode in force comes with the cycle; else it counts as the one asked for.
  [[nodiscard]] bool tells_mode() const noexcept { return tells_mode_; }

  /// The velocity comes with the cycle; else it is the change of the position.
  [[nodiscard]] bool tells_velocity() const noexcept { return tells_velocity_; }

  /// An order takes the torque offset (60B2h) along.
  [[nodiscard]] bool adds_torque() const noexcept;

  [[nodiscard]] const Counters& counters() const noexcept { return counters_; }

 private:
  /// A PDO with the data to recognise it in a cycle.
  struct Pdo {
    PdoLayout layout;
    std::uint32_t id = 0;
    std::size_t bytes = 0;
    bool is_state = false;  ///< holds statusword or position
    bool has_come = false;
    bool came_late = false;
    std::array<std::uint8_t, 8> bytes_heard{};
    TwinWatch twins{};  ///< of a state
  };

  Verdict take(Pdo& pdo, const can::Frame& frame) noexcept;
  Verdict judge(const can::Frame& frame) noexcept;
  [[nodiscard]] bool is_replayed(const Pdo& pdo, const can::Frame& frame) const noexcept;
  Verdict take_again(Pdo& pdo, const can::Frame& frame) noexcept;
  [[nodiscard]] bool is_newer(const Pdo& pdo, const can::Frame& frame) const noexcept;
  [[nodiscard]] bool contradicts(const Pdo& pdo, const can::Frame& frame) const noexcept;
  void take_late(Pdo& pdo, const can::Frame& frame) noexcept;
  void keep_all(Pdo& pdo, const can::Frame& frame, DriveReport& report) noexcept;
  void keep(std::uint32_t object, const can::Frame& frame, std::size_t at,
            DriveReport& report) noexcept;
  [[nodiscard]] std::optional<std::uint8_t> echo_in(const Pdo& pdo,
                                                    const can::Frame& frame) const noexcept;
  void fill(const PdoLayout& layout, const DriveOrder& order, can::Frame& frame) noexcept;
  [[nodiscard]] bool has_state() const noexcept { return states_missing_ == 0; }
  [[nodiscard]] bool awaits_finding() const noexcept {
    // It may have come a cycle before the state that shows the fault.
    return tells_finding_ && fault_is_new_ && cycles_since_finding_ > 1;
  }
  [[nodiscard]] std::vector<std::uint8_t> frames_for(std::uint32_t target) const;

  std::uint8_t node_;
  bool has_life_counter_;
  bool tells_error_code_ = false;
  bool tells_mode_ = false;
  bool tells_velocity_ = false;
  std::vector<Pdo> in_;
  std::vector<Pdo> out_;
  /// Indices in out_ that are sent, by cia402::DriveUse.
  std::array<std::vector<std::uint8_t>, 6> sends_;

  bool open_ = false;
  std::size_t missing_ = 0;         ///< cyclic frames that have not come in this cycle
  std::size_t states_missing_ = 1;  ///< those of them that hold statusword or position
  bool has_echo_ = false;
  std::uint8_t echo_ = 0;  ///< the last one
  std::uint8_t life_ = 0;
  DriveReport report_;
  DriveReport late_;  ///< gathered after a cycle was closed
  bool late_is_whole_ = false;
  bool contradicted_ = false;
  std::optional<SlowReport> slow_;
  SlowReport slow_values_;
  std::optional<Finding> finding_;
  std::optional<std::uint32_t> inputs_;
  bool tells_finding_ = false;
  bool fault_is_new_ = false;     ///< in this cycle
  int cycles_since_finding_ = 2;  ///< up to 2
  Counters counters_{};
};

}  // namespace jointrig::hw
