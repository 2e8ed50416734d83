#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "control/core/robot_io.h"

namespace jointrig::sim {

/// Commands in transit: a command written in cycle k acts from cycle k + delay on.
class DelayLine {
 public:
  DelayLine(std::size_t joints, int delay_cycles)
      : delay_(static_cast<std::uint64_t>(delay_cycles)), slots_(delay_ + 1) {
    for (Slot& slot : slots_) slot.setpoints.resize(joints);
  }

  void send(std::uint64_t cycle, const PerJoint<JointSetpoint>& setpoints) noexcept {
    Slot& slot = slots_[cycle % slots_.size()];
    if (setpoints.size() != slot.setpoints.size()) return;  // not for this robot: ignored
    std::copy(setpoints.begin(), setpoints.end(), slot.setpoints.begin());
    slot.cycle = cycle;
  }

  /// Setpoints that arrive for the cycle that begins now; null: none.
  [[nodiscard]] const std::vector<JointSetpoint>* arriving(std::uint64_t cycle) const noexcept {
    if (cycle < delay_) return nullptr;
    const Slot& slot = slots_[(cycle - delay_) % slots_.size()];
    return slot.cycle == cycle - delay_ ? &slot.setpoints : nullptr;
  }

  /// Adds the commands in transit to `hash`.
  template <typename Hash>
  void add_to(Hash& hash) const noexcept {
    for (const Slot& slot : slots_) {
      if (slot.cycle == kEmpty) continue;
      hash.add(slot.cycle);
      for (const auto& [drive, request, q, v, tau, stiffness, damping, duty] : slot.setpoints) {
        hash.add(drive, request, q, v, tau, stiffness, damping, duty);
      }
    }
  }

 private:
  static constexpr std::uint64_t kEmpty = ~std::uint64_t{0};
  struct Slot {
    std::uint64_t cycle = kEmpty;
    std::vector<JointSetpoint> setpoints;
  };
  std::uint64_t delay_;
  std::vector<Slot> slots_;
};

}  // namespace jointrig::sim
