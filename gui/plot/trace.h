#pragma once
/// The signals that the plots keep, and how they are read out of a snapshot.

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "control/core/enumeration.h"
#include "control/core/robot_config.h"
#include "control/core/snapshot.h"

namespace jointrig::gui {

/// What is kept of each joint: member, word after the joint's name, unit of a hinge, of a slide,
/// number shown per SI value of a hinge (of a slide it is 1000 where the unit is in mm).
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

/// What is kept of the loop itself: member, word after "loop.". All in µs of the wall clock.
#define JOINTRIG_LOOP_TRACES(X) \
  X(kRead, "read")              \
  X(kDecide, "decide")          \
  X(kWrite, "write")            \
  X(kJitter, "jitter")
JOINTRIG_ENUM(LoopTrace, JOINTRIG_LOOP_TRACES)

/// Unit in which a signal of a joint is shown: "°", "mm/s", "N·m".
std::string_view unit_of(JointTrace trace, bool slide) noexcept;
/// Number shown per SI value: 57.3 of an angle. The loop's stay in µs.
double per_si(std::string_view unit) noexcept;

/// Where each signal of a robot stands in a row: joint by joint, then the loop's.
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

  /// All signals of a cycle as they are shown; NaN: missing. Joints that the snapshot lacks are
  /// missing. Allocates nothing.
  /// @param values  (size())
  /// @param modes   (joints())
  void read(const Snapshot& snapshot, std::span<float> values,
            std::span<JointMode> modes) const noexcept;

 private:
  std::vector<char> slides_;
};

}  // namespace jointrig::gui
