#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "control/core/joint_parameter.h"
#include "control/core/robot_config.h"
#include "control/core/snapshot.h"

namespace jointrig {

/// Parameters in force: of each, by its number, a value for each joint, in the units of
/// set_parameter.
using ParameterTable = std::array<std::vector<double>, kAllJointParameter.size()>;

/// Those in a snapshot: set_impedance changes them, too.
inline void put_compliance(const Snapshot& now, ParameterTable& table) {
  for (std::size_t i = 0; i < now.joints.size(); ++i) {
    table[static_cast<std::size_t>(JointParameter::kStiffness)][i] = now.joints[i].stiffness;
    table[static_cast<std::size_t>(JointParameter::kDamping)][i] = now.joints[i].damping;
  }
}

/// The parameters of all joints as set_parameter has left them, for any number of readers on any
/// thread. Wait-free for the loop, as SnapshotExchange is: a sequence lock of atomics, which a
/// reader tries again.
class ParameterExchange {
 public:
  /// @param config  of the robot at its start
  explicit ParameterExchange(const RobotConfig& config)
      : joints_(config.joints.size()),
        values_(std::make_unique<std::atomic<double>[]>(joints_ * kEach)) {
    publish([&](std::size_t joint) -> const JointConfig& { return config.joints[joint]; });
  }

  /// The loop's thread, after a cycle that took a set_parameter; neither allocates nor waits.
  /// @param config_of  the configuration in force of a joint by its number
  template <typename ConfigOf>
  void publish(ConfigOf&& config_of) noexcept {
    const std::uint64_t version = version_.load(std::memory_order_relaxed);
    version_.store(version + 1, std::memory_order_relaxed);
    for (std::size_t i = 0; i < joints_; ++i) {
      const JointConfig& joint = config_of(i);
      for (std::size_t k = 0; k < kEach; ++k) {
        values_[i * kEach + k].store(value_of(joint, kAllJointParameter[k]),
                                     std::memory_order_release);
      }
    }
    version_.store(version + 2, std::memory_order_release);
  }

  /// Absent if the loop wrote at each attempt: try again later. Any thread.
  [[nodiscard]] std::optional<ParameterTable> read() const {
    ParameterTable table;
    for (std::vector<double>& row : table) row.resize(joints_);
    for (int i = 0; i < kReadTries; ++i) {
      const std::uint64_t before = version_.load(std::memory_order_acquire);
      if (before % 2 != 0) continue;
      for (std::size_t place = 0; place < joints_ * kEach; ++place) {
        table[place % kEach][place / kEach] = values_[place].load(std::memory_order_acquire);
      }
      if (version_.load(std::memory_order_relaxed) == before) return table;
    }
    return std::nullopt;
  }

 private:
  static constexpr std::size_t kEach = kAllJointParameter.size();
  static constexpr int kReadTries = 64;

  std::size_t joints_;
  std::unique_ptr<std::atomic<double>[]> values_;
  std::atomic<std::uint64_t> version_{0};
};

}  // namespace jointrig
