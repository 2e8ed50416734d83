#pragma once

#include <algorithm>
#include <span>
#include <variant>
#include <vector>

#include "control/core/command.h"
#include "control/core/joint_parameter.h"
#include "control/core/robot_config.h"
#include "control/exchange/event_ring.h"
#include "control/exchange/parameter_exchange.h"

namespace jointrig::remote {

/// Hands the parameters of a loop to who reads them, as accepted commands leave them. In a cycle
/// without events it costs the loop a look at a counter.
class ParameterTap {
 public:
  /// Before the first cycle. The events outlive it.
  ParameterTap(const RobotConfig& config, const EventRing& events)
      : joints_(config.joints), accepted_(events), exchange_(config) {}

  /// The loop's thread, after each cycle: neither allocates nor waits.
  /// @param drained  the commands that the cycle has taken
  void after_cycle(std::span<const Command> drained) noexcept {
    bool has_changed = false;
    for (Event event; accepted_.next(event);) {
      if (event.kind != EventKind::kAccepted || event.command != CommandKind::kSetParameter) {
        continue;
      }
      const auto sent = std::find_if(drained.begin(), drained.end(), [&](const Command& command) {
        return command.sender == event.sender && command.number == event.number;
      });
      if (sent == drained.end()) continue;
      take(*sent);
      has_changed = true;
    }
    if (!has_changed) return;
    exchange_.publish([&](std::size_t joint) -> const JointConfig& { return joints_[joint]; });
  }

  [[nodiscard]] const ParameterExchange& exchange() const noexcept { return exchange_; }

 private:
  void take(const Command& command) noexcept {
    const auto* const set = std::get_if<SetParameter>(&command.request);
    if (set == nullptr) return;
    std::size_t place = 0;  // a value for each joint that is named
    for (std::size_t joint = 0; joint < joints_.size(); ++joint) {
      if (!set->joints.test(joint)) continue;
      set_parameter(joints_[joint], set->parameter, set->values[place++].value);
    }
  }

  std::vector<JointConfig> joints_;
  EventRing::Reader accepted_;
  ParameterExchange exchange_;
};

}  // namespace jointrig::remote
