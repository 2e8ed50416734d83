#pragma once
/// The signals of the plots, and how they are read from a snapshot.

#include <array>
#include <cstddef>
#include <span>
#include <string>
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

/// A signal of an arm or of a law of one's own, or the external torque of an arm's joint, by the
/// name that scenarios give it.
struct OtherTrace {
  std::string name;     ///< "left.error.x", "law.example.force"
  std::string topic;    ///< of the log that has it: "/arm/left", "/law/example"
  std::string field;    ///< its name there, or nearly: "error_x", "force"
  std::string unit;     ///< as shown; a law's own unit for its signals
  std::string si_unit;  ///< of the number that per_si divides
  double per_si = 1.0;
  double resolution = 0.0;  ///< smallest difference worth a look, in the unit shown: a choice
};

/// Index of each signal of a robot in a row: joint by joint, then the loop's, then those of arms
/// and of laws.
class TraceTable {
 public:
  explicit TraceTable(const RobotConfig& config);

  [[nodiscard]] std::size_t joints() const noexcept { return slides_.size(); }
  [[nodiscard]] std::size_t size() const noexcept { return first_other() + others_.size(); }
  /// Index of the first of others().
  [[nodiscard]] std::size_t first_other() const noexcept {
    return slides_.size() * kAllJointTrace.size() + kAllLoopTrace.size();
  }
  [[nodiscard]] const std::vector<OtherTrace>& others() const noexcept { return others_; }
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
  void add_arm(const ArmConfig& arm, const RobotConfig& config);
  void add_law(const LawConfig& law);
  void read_others(const Snapshot& snapshot, std::span<float> values) const noexcept;

  std::vector<char> slides_;
  std::vector<OtherTrace> others_;             ///< of each arm, then of each law
  std::vector<std::vector<JointIndex>> arms_;  ///< joints of each
};

}  // namespace jointrig::gui
