#pragma once
/// The signals of the plots, and how they are read from a snapshot.

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "control/core/enumeration.h"
#include "control/core/robot_config.h"
#include "control/core/snapshot.h"

namespace jointrig::gui {

/// Signals of each joint: member, word after the joint's name, unit for a hinge and for a slide,
/// number shown per SI value for a hinge (1000 for a slide with a unit in mm).
#define JOINTRIG_TRACES(X)                      \
  X(kPosition, "q", "°", "mm")                  \
  X(kReference, "q_ref", "°", "mm")             \
  X(kError, "q_err", "°", "mm")                 \
  X(kVelocity, "v", "°/s", "mm/s")              \
  X(kVelocityReference, "v_ref", "°/s", "mm/s") \
  X(kTorque, "tau", "N·m", "N")                 \
  X(kTorqueSent, "tau_cmd", "N·m", "N")         \
  X(kCurrent, "current", "A", "A")
JOINTRIG_ENUM(JointTrace, JOINTRIG_TRACES)

/// Signals of the loop: member, word after "loop.". All in µs of the wall clock.
#define JOINTRIG_LOOP_TRACES(X) \
  X(kRead, "read")              \
  X(kDecide, "decide")          \
  X(kWrite, "write")            \
  X(kJitter, "jitter")
JOINTRIG_ENUM(LoopTrace, JOINTRIG_LOOP_TRACES)

/// Unit of a joint's signal as shown: "°", "mm/s", "N·m".
std::string_view unit_of(JointTrace trace, bool slide) noexcept;
/// Number shown per SI value: 57.3 for an angle. The loop's signals stay in µs.
double per_si(std::string_view unit) noexcept;

/// Index of each signal of a robot in a row: joint by joint, then the loop's.
class TraceTable {
 public:
  explicit TraceTable(const RobotConfig& config);

  [[nodiscard]] std::size_t joints() const noexcept { return slides_.size(); }
  [[nodiscard]] std::size_t size() const noexcept {
    return slides_.size() * kAllJointTrace.size() + kAllLoopTrace.size();
  }
  [[nodiscard]] std::size_t index(JointIndex joint, JointTrace trace) const noexcept {
    return joint * kAllJointTrace.size() + static_cast<std::size_t>(trace);
  }
  [[nodiscard]] std::size_t index(LoopTrace trace) const noexcept {
    return slides_.size() * kAllJointTrace.size() + static_cast<std::size_t>(trace);
  }
  [[nodiscard]] bool is_slide(JointIndex joint) const noexcept { return slides_[joint] != 0; }

  /// Reads all signals of a cycle in the units shown; NaN: missing, also for joints that the
  /// snapshot lacks. Allocates nothing.
  /// @param values  (size())
  /// @param modes  (joints())
  void read(const Snapshot& snapshot, std::span<float> values,
            std::span<JointMode> modes) const noexcept;

 private:
  std::vector<char> slides_;
};

}  // namespace jointrig::gui
