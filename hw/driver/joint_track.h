#pragma once
/// Where a joint is, out of samples that come once a cycle, stay away, or are nonsense.
///
///     age  cycles since the last good sample
///     1..2 the position is carried on: q + v T
///     3..  the last carried position stays; JointState::missed tells, and the stack acts on it
///
/// A sample that jumps, |Δq − v T| > 2 v_max T, is replaced in the same way; the third in a row is
/// taken, and is a fault.
///
/// Everything here is noexcept and allocates nothing.

#include <cstdint>

namespace jointrig::hw {

class JointTrack {
 public:
  static constexpr std::uint32_t kCarriedOn = 2;  ///< cycles in which q + v T stands for a sample
  static constexpr int kJumpsToFault = 3;

  enum class Verdict : std::uint8_t { kTaken, kReplaced, kFault };

  /// @param period  of the bus [s]
  /// @param v_max   of the joint [rad/s or m/s]; 0: samples are not checked for jumps
  JointTrack(double period, double v_max) noexcept : period_(period), v_max_(v_max) {}

  /// @param may_jump  the counter has a new zero, which is no jump of the joint
  Verdict take(double q, double v, bool may_jump = false) noexcept;
  /// Nothing came in this cycle.
  void carry_on() noexcept;
  /// The sample just taken is of the cycle before: it is carried on by one.
  void was_late() noexcept;
  /// The next sample is the first one.
  void forget() noexcept;

  [[nodiscard]] bool is_known() const noexcept { return known_; }
  [[nodiscard]] double q() const noexcept { return q_; }
  [[nodiscard]] double v() const noexcept { return v_; }
  [[nodiscard]] std::uint32_t age() const noexcept { return age_; }
  [[nodiscard]] std::uint64_t replaced() const noexcept { return replaced_; }
  // Of the jump that was judged last [rad or m].
  [[nodiscard]] double jump() const noexcept { return jump_; }
  [[nodiscard]] double allowed_jump() const noexcept { return allowed_jump_; }

 private:
  [[nodiscard]] bool is_jump(double q) noexcept;

  double period_;
  double v_max_;
  bool known_ = false;
  double sample_ = 0;  ///< last good one
  double q_ = 0;
  double v_ = 0;
  std::uint32_t age_ = 0;
  int jumps_ = 0;  ///< in a row
  double jump_ = 0;
  double allowed_jump_ = 0;
  std::uint64_t replaced_ = 0;
};

}  // namespace jointrig::hw
