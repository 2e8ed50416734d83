#pragma once
/// The robot on its buses, as the stack's backend: every cycle is opened on each bus (by SYNC, or
/// by a burst of questions), the states of that instant are collected, the commands sent for the
/// next.
///
///     wait()   paced: on the clock; lockstep: at once. Then what opens the cycle, and what the
///              boards answer, until all have or the bus's share of the cycle is over
///     read()   the joints; a missing sample is extrapolated and aged (joint_track.h)
///     write()  the order of each joint, all of a bus in one call
///
/// A bus may have a cycle T that is a whole number of the loop's periods. Then the loop goes on at
/// its own: SYNC goes out every T, the newest command `lead` of the loop's cycles before it, what
/// the boards answer is taken when it is there, until the bus's share of T, and between two samples
/// a joint is carried on, q + v t. Silence is counted in cycles of the bus. A SYNC that is due
/// while the loop stands still goes out late, or where that would be nearer to the next one, not at
/// all.
///
/// Buses may be of different kinds (joint_bus.h). In lockstep the boards are virtual and their
/// physics does exactly one period a cycle, so that a run comes out the same however long it takes.
///
/// The loop's thread does the work of all buses, one after the other.

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "control/backend.h"
#include "hw/can/bus_budget.h"
#include "hw/can/transport.h"
#include "hw/driver/joint_bus.h"

namespace jointrig::hw {

/// A clock that waits through its links: can::Transport::receive() returns at a time of it.
class BusClock {
 public:
  virtual ~BusClock() = default;
  [[nodiscard]] virtual std::int64_t now() const noexcept = 0;
  /// For a link that no longer waits by itself. This one sleeps on CLOCK_MONOTONIC.
  virtual void sleep_until(std::int64_t time) const noexcept;
};

enum class Timing : std::uint8_t { kPaced, kLockstep };

/// In lockstep: sent on a bus once all its virtual boards have said what they say to a SYNC. Behind
/// every other frame in arbitration, so that a host that hears it has heard them all; a board that
/// keeps silent is not waited for, and a machine that is slow makes nobody silent.
inline constexpr std::uint32_t kAllHaveAnswered = 0x7FF;

struct HwOptions {
  Timing timing = Timing::kPaced;
  std::int64_t answer_within_ns = 0;  ///< after SYNC; 0: the bus's share, in lockstep 2 s
  std::int64_t start_within_ns = 5'000'000'000;  ///< from one step of a set-up to the next
  const std::atomic<bool>* give_up = nullptr;    ///< set by another thread: a start ends at once
};

struct HwBus {
  std::string name;
  std::unique_ptr<can::Transport> transport;
  const BusClock* clock = nullptr;  ///< of the transport; outlives the backend
  std::unique_ptr<JointBus> bus;
  std::vector<std::size_t> robot_index;  ///< in RobotConfig::joints, by the bus's joints
  unsigned every = 1;                    ///< cycles of the loop in one of the bus
  double share = can::kCyclicBudget;     ///< of its cycle: the frames of one are over by then
  unsigned lead = 1;                     ///< of them, from the newest command to its SYNC
};

class HwBackend final : public Backend {
 public:
  /// Throws std::invalid_argument if the joints are not 0..n-1, each once, or a link can't carry
  /// what its bus speaks.
  HwBackend(TimeNs period_ns, std::vector<HwBus> buses, const HwOptions& options = {});
  ~HwBackend() override;

  [[nodiscard]] const BackendDescription& description() const noexcept override {
    return description_;
  }
  /// Throws std::runtime_error naming every joint that is not there or not as it must be, and every
  /// board that is there and belongs to no joint.
  void start() override;
  Tick wait() noexcept override;
  void read(RobotState& state) noexcept override;
  void write(const RobotCommand& command) noexcept override;
  std::optional<BoardNotice> next_notice() noexcept override;
  /// The virtual boards were replaced: those that come back have this token. From any thread; acts
  /// with the next cycle.
  void expect_boards(std::uint32_t token) noexcept {
    new_token_.store(token, std::memory_order_release);
  }
  void stop() noexcept override;

  [[nodiscard]] const JointBus& bus(std::size_t index) const noexcept { return *lines_[index].bus; }
  /// Cycles in which something was missing when they were closed.
  [[nodiscard]] std::uint64_t incomplete_cycles() const noexcept { return incomplete_; }

 private:
  struct Line : HwBus {
    std::size_t sensors = 0;       ///< force/torque sensors on it
    std::size_t first_sensor = 0;  ///< in RobotState::force_torque
    std::size_t imus = 0;          ///< on it
    std::size_t first_imu = 0;     ///< in RobotState::imus
    std::int64_t answers_until = 0;
    std::uint64_t garbage = 0;       ///< lines that were counted
    bool all_have_answered = false;  ///< of this cycle, in lockstep
    bool open = false;               ///< a cycle of the bus: its answers may come
    std::uint64_t opened = 0;        ///< cycle of the loop in which it was
    std::uint64_t closed = 0;        ///< cycle of the loop that opened the one closed last
    std::uint64_t next_sync = 0;     ///< cycle of the loop that opens the next
    std::uint64_t next_orders = 0;   ///< cycle of the loop that sends the next commands
  };

  void take_new_token() noexcept;
  void send(Line& line) noexcept;
  /// Hears until `deadline`, or until `enough`.
  template <typename Enough>
  void hear(Line& line, std::int64_t deadline, Enough enough) noexcept;
  void hear_until(std::int64_t deadline) noexcept;
  /// Buses that open a cycle.
  enum class Opens : std::uint8_t { kAll, kDue };
  void do_cycle(Opens which) noexcept;
  [[nodiscard]] bool is_due(const Line& line) const noexcept;
  void open(Line& line) noexcept;
  void close(Line& line) noexcept;
  [[nodiscard]] std::int64_t patience_with(const Line& line) const noexcept;
  void write(Line& line, const RobotCommand& command) noexcept;
  static void follow_link(Line& line) noexcept;
  void tell_skipped(std::int64_t cycles) noexcept;
  [[nodiscard]] bool all_run() const noexcept;
  [[nodiscard]] bool all_decided() const noexcept;
  [[nodiscard]] std::size_t steps_done() const noexcept;
  [[nodiscard]] bool all_at_rest() const noexcept;
  [[nodiscard]] std::int64_t longest_period() const noexcept;
  [[nodiscard]] std::string problems() const;
  [[nodiscard]] std::string what_is_missing() const;
  [[nodiscard]] bool is_given_up() const noexcept;

  TimeNs period_ns_;
  HwOptions options_;
  std::vector<Line> lines_;
  BackendDescription description_;
  std::uint64_t cycle_ = 0;
  bool first_ = true;
  bool started_ = false;
  bool sets_up_ = false;                     ///< no loop yet that would be late
  std::int64_t next_ = 0;                    ///< when the next cycle is due
  std::atomic<std::uint32_t> new_token_{0};  ///< 0: none, or taken
  std::uint64_t incomplete_ = 0;
  bool waited_in_vain_ = false;  ///< in the cycle before, for what says that all have answered
  bool is_complete_ = true;      ///< what was closed in this cycle
};

}  // namespace jointrig::hw
