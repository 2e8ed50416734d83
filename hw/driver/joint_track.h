#pragma once
/// The position of a joint from samples that come once a cycle of its bus, are missing, or wrong.
///
///     age  cycles of the bus since the last good sample
///     0..2 the position is extrapolated from the last good sample: q + v t, also between two
///     cycles
///          of a bus whose cycle T is longer than the loop's
///     3..  the last position stays; JointState::missed counts, and the stack acts on it
///
/// A sample that jumps, |Δq − v T| > 2 v_max T, is replaced in the same way; the third in a row is
/// taken, and is a fault. T spans the cycles without a sample, and those that the host left out.
///
/// Everything here is noexcept and allocates nothing.

#include <cstdint>

namespace jointrig::hw {

class JointTrack {
 public:
  static constexpr std::uint32_t kCarriedOn = 2;  ///< cycles in which q + v T stands for a sample
  static constexpr int kJumpsToFault = 3;

  enum class Verdict : std::uint8_t { kTaken, kReplaced, kFault };

  /// @param period       T, of the bus [s]
  /// @param v_max        of the joint [rad/s or m/s]; 0: samples are not checked for jumps
  /// @param loop_period  of the loop that calls q() [s]: its last call before the third miss is the
  ///                     last that extrapolates. 0: T
  JointTrack(double period, double v_max, double loop_period = 0) noexcept
      : period_(period),
        v_max_(v_max),
        carried_most_((kCarriedOn + 1) * period - (loop_period > 0 ? loop_period : period)) {}

  /// @param may_jump  the counter has a new zero, which is no jump of the joint
  Verdict take(double q, double v, bool may_jump = false) noexcept;
  /// No sample came in this cycle.
  void carry_on() noexcept { ++age_; }
  /// The host left out so many cycles: the joint went on meanwhile, and nothing is missed.
  void skip(std::uint64_t cycles) noexcept { skipped_ += cycles; }
  /// The sample just taken belongs to the cycle before: it is extrapolated by one cycle.
  void was_late() noexcept;
  /// The next sample is the first one.
  void forget() noexcept;

  [[nodiscard]] bool is_known() const noexcept { return known_; }
  /// At `since` after the SYNC of the cycle that was closed last [s].
  [[nodiscard]] double q(double since = 0) const noexcept;
  [[nodiscard]] double v() const noexcept { return v_; }
  [[nodiscard]] std::uint32_t age() const noexcept { return age_; }
  [[nodiscard]] std::uint64_t replaced() const noexcept { return replaced_; }
  // The jump that was judged last [rad or m].
  [[nodiscard]] double jump() const noexcept { return jump_; }
  [[nodiscard]] double allowed_jump() const noexcept { return allowed_jump_; }

 private:
  [[nodiscard]] bool is_jump(double q) noexcept;

  double period_;
  double v_max_;
  double carried_most_;  ///< [s]
  bool known_ = false;
  double q_ = 0;  ///< last good sample
  double v_ = 0;
  std::uint32_t age_ = 0;
  std::uint64_t skipped_ = 0;  ///< cycles left out since the last good sample
  int jumps_ = 0;              ///< in a row
  double jump_ = 0;
  double allowed_jump_ = 0;
  std::uint64_t replaced_ = 0;
};

}  // namespace jointrig::hw
