#pragma once
/// The digital inputs of a board from samples that come once a cycle of its bus or are missing.
///
/// They follow the rule of a position (joint_track.h): for kCarriedOn cycles the last sample
/// stands for one that is missing, from the next one on all inputs are off. A switch wired to them
/// lets an arm be guided: a lost frame must not keep it guided.

#include <cstdint>
#include <optional>

#include "hw/driver/joint_track.h"

namespace jointrig::hw {

class LastInputs {
 public:
  /// @param active_low  inputs that are on without voltage, a bit each
  explicit LastInputs(std::uint8_t active_low) noexcept : active_low_(active_low) {}

  /// Once a cycle: the voltages at the inputs, a bit each; nothing: they did not come.
  void take(std::optional<std::uint8_t> sample) noexcept {
    if (sample) {
      sample_ = sample;
      age_ = 0;
    } else if (sample_ && ++age_ > JointTrack::kCarriedOn) {
      sample_.reset();
    }
  }
  void forget() noexcept { sample_.reset(); }

  /// The inputs that are on, a bit each.
  [[nodiscard]] std::uint8_t on() const noexcept {
    return sample_ ? static_cast<std::uint8_t>(*sample_ ^ active_low_) : std::uint8_t{0};
  }

 private:
  std::uint8_t active_low_;
  std::optional<std::uint8_t> sample_;
  std::uint32_t age_ = 0;  ///< cycles since it came
};

}  // namespace jointrig::hw
