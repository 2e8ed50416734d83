#pragma once
/// Tells by the states of a node that two drives send them. Each tells the truth about its own
/// joint, so no single state is wrong.
///
/// A drive sends one state after each SYNC. On their way states get lost, come late, in bursts or
/// twice, but there are never more of them than SYNCs. The balance
///
///     b = max(b - 1, -kLatest)   with each SYNC
///     b = b + 1                  with each state that is none of the last kRemembered
///
/// of one drive stays at or below 0, whatever gets lost or comes twice, while no state is more than
/// kLatest cycles late: since b was -kLatest no more states came than the SYNCs of that time and of
/// kLatest cycles before it have asked for. By two drives it rises by one with each cycle. It loses
/// one more each kForgets cycles, so that what is rarer than that never adds up. After a silence of
/// kLatest cycles nothing counts for as long: what waited somewhere may all come then.
///
/// A state without a life counter stays the same while its drive stands, so a second drive's is
/// taken for a repetition. It is told by kStands cycles, less those without, in which the same
/// state came beside another one: one drive's late or doubled states are over after kLatest cycles.
///
/// For the cycle.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace jointrig::hw {

class TwinWatch {
 public:
  /// [cycles], as long as a drive may be silent before it counts as lost (DriveHost::kLostAfter).
  static constexpr int kLatest = 20;
  static constexpr int kExtra = 3;                  ///< states above what is possible: a choice
  static constexpr int kStands = kLatest + kExtra;  ///< [cycles]
  static constexpr int kForgets = 32;               ///< [cycles]: a choice
  static constexpr std::size_t kRemembered = 64;    ///< states: of kLatest cycles and more
  /// The most different states of a cycle that are compared.
  static constexpr std::size_t kBeside = 4;

  /// The drives of the bus are asked for their states, by whomever.
  void synced() noexcept;
  /// A state came, of whatever cycle: up to 8 bytes.
  void heard(std::span<const std::uint8_t> bytes) noexcept;
  [[nodiscard]] bool finds_two() const noexcept {
    return settles_ == 0 && (balance_ >= kExtra || stood_ >= kStands);
  }
  void restart() noexcept { *this = TwinWatch(); }

 private:
  /// Different states of a cycle.
  struct Beside {
    std::array<std::uint64_t, kBeside> states{};
    std::size_t count = 0;

    [[nodiscard]] bool has(std::uint64_t state) const noexcept;
    void add(std::uint64_t state) noexcept;
  };
  void follow_standing() noexcept;
  void settle() noexcept;
  [[nodiscard]] bool is_repeated(std::uint64_t state) const noexcept;

  int balance_ = -kLatest;
  int silent_ = 0;          ///< cycles without a state
  int settles_ = kLatest;   ///< cycles in which nothing counts
  bool has_heard_ = false;  ///< in this cycle
  int cycles_ = 0;          ///< since it has forgotten one
  std::array<std::uint64_t, kRemembered> heard_{};
  std::size_t remembered_ = 0;  ///< of heard_
  std::size_t next_ = 0;        ///< in heard_
  Beside now_;
  Beside standing_;  ///< states that came beside others in each cycle that stood_ counts
  int stood_ = 0;
};

}  // namespace jointrig::hw
