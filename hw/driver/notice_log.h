#pragma once
/// Events of the drives of one bus beside their state, each kind of each joint told at most once
/// a second: the first at once, those that follow as a count. Nothing allocates after construction.

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "control/core/board_notice.h"
#include "hw/canopen/ring.h"

namespace jointrig::hw {

class NoticeLog {
 public:
  /// @param cycles_per_second  of the bus
  NoticeLog(std::size_t joints, std::uint64_t cycles_per_second)
      : second_(cycles_per_second), joints_(joints) {}

  void next_cycle() noexcept { ++cycle_; }

  /// `count` of them happened; the notice has their sum as its value.
  void count(std::size_t joint, Notice kind, std::uint64_t count, double limit = 0.0) noexcept {
    if (count == 0) return;
    Slot& slot = at(joint, kind);
    slot.total += count;
    slot.waiting += count;
    if (!may_tell(slot)) return;
    tell(joint, kind, static_cast<double>(slot.waiting), limit);
    slot.waiting = 0;
    slot.told_at = cycle_ + 1;
  }
  /// Always told.
  void tell(std::size_t joint, Notice kind, double value = 0.0, double limit = 0.0) noexcept {
    queue_.push({kind, static_cast<JointIndex>(joint), value, limit});
  }

  /// The joint is counted within the bus.
  std::optional<BoardNotice> next() noexcept { return queue_.pop(); }
  /// Ever counted.
  [[nodiscard]] std::uint64_t total(std::size_t joint, Notice kind) const noexcept {
    return joints_[joint][static_cast<std::size_t>(kind)].total;
  }

 private:
  struct Slot {
    std::uint64_t total = 0;
    std::uint64_t waiting = 0;
    std::uint64_t told_at = 0;  ///< cycle after the one in which it was told; 0: never
  };
  Slot& at(std::size_t joint, Notice kind) noexcept {
    return joints_[joint][static_cast<std::size_t>(kind)];
  }
  [[nodiscard]] bool may_tell(const Slot& slot) const noexcept {
    return slot.told_at == 0 || cycle_ + 1 - slot.told_at >= second_;
  }

  std::uint64_t second_;
  std::uint64_t cycle_ = 0;
  std::vector<std::array<Slot, kAllNotice.size()>> joints_;
  canopen::Ring<BoardNotice, 64> queue_;
};

}  // namespace jointrig::hw
