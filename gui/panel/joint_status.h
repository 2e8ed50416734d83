#pragma once
/// Status of one joint for its box: computed here, drawn elsewhere.

#include <string>
#include <vector>

#include "control/core/robot_config.h"
#include "control/core/snapshot.h"
#include "gui/panel/mode_style.h"
#include "gui/panel/silence.h"

namespace jointrig::gui {

/// Faults of a joint since the panel opened.
struct FaultRecord {
  Fault fault;          ///< the last one; stays after it is cleared
  TimeNs since_ns = 0;  ///< robot time of the fault
  int count = 0;
  bool acknowledged = false;
};

/// Cycles without a sample from which a value is stale: one may be late.
inline constexpr std::uint32_t kStaleFrom = 2;

/// Drawing data of a value between bounds.
struct Bar {
  double low = 0.0;
  double high = 0.0;
  double soft_low = 0.0;
  double soft_high = 0.0;
  double value = 0.0;
  double reference = 0.0;
  bool has_reference = false;
  /// 0..1 from low to high, clipped to the bounds; 0.5 without bounds.
  [[nodiscard]] double place(double of) const noexcept;
};

#define JOINTRIG_BADGES(X) \
  X(kMotorOff, "OFF")      \
  X(kLimited, "LIM")       \
  X(kSaturated, "SAT")     \
  X(kTimeout, "TMO")       \
  X(kUncalibrated, "CAL")  \
  X(kStale, "STALE")       \
  X(kMoving, "MOVE")
JOINTRIG_ENUM(BadgeKind, JOINTRIG_BADGES)

struct JointBadge {
  BadgeKind kind = BadgeKind::kLimited;
  std::string text;  ///< short, on the box
  std::string tip;   ///< full text
};

struct JointStatus {
  JointMode mode = JointMode::kNotConfigured;
  JointMode look = JointMode::kNotConfigured;  ///< mode of the colours: a silent board is grey
  bool compliant = false;                      ///< compliant interaction acts: drawn hatched
  bool faulted = false;
  bool silent = false;  ///< the board is silent: drawn grey and crossed, its values struck out
  std::string title;
  Bar position;
  Bar torque;
  double error = 0.0;  ///< reference minus measured; 0 without a reference
  bool has_reference = false;
  bool at_target = false;
  /// Remaining share of the stream's timeout, 1 down to 0; < 0: none runs.
  double timeout_part = -1.0;
  std::vector<JointBadge> badges;
  std::string fault_line;  ///< empty without a fault
};

/// @param now_ns  robot time
JointStatus status_of(const JointConfig& config, const JointSnapshot& joint,
                      const FaultRecord& record, const Silence& silence, TimeNs now_ns,
                      TimeNs period_ns);

}  // namespace jointrig::gui
