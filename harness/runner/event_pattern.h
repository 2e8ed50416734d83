#pragma once
/// Events by description: `kind`, `kind.joint` or `kind.joint.detail`.
///
///     fault.r_elbow.encoder_frozen   mode.left_arm.idle   limited.r_elbow.torque
///     fault_cleared.r_elbow          goal_reached.all     interaction.r_elbow.compliant
///     rejected.r_elbow.wrong_mode    command_timeout      overrun
///
/// control/core/event.h lists the kinds. A part stands for any of its joints. Events of a
/// force/torque sensor belong to its arm: `force_sensor.<arm>.stale`, `tared.<arm>`; those of a law
/// of one's own to that: `law.<law>.runs`, `law_failed.<law>.not_finite`; those of a gripper
/// to that: `gripper.<gripper>.grasped`.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "control/core/event.h"
#include "control/core/robot_config.h"

namespace jointrig::harness {

class EventPattern {
 public:
  /// Throws std::invalid_argument with a sentence: unknown kind, joint or detail, with the nearest
  /// one.
  EventPattern(std::string_view text, const RobotConfig& config);

  [[nodiscard]] bool matches(const Event& event) const noexcept;

  /// True if it waits for faults.
  [[nodiscard]] bool is_fault() const noexcept {
    return kind_ == EventKind::kFault || kind_ == EventKind::kLawFailed;
  }

 private:
  void name(std::string_view text, const RobotConfig& config);

  EventKind kind_ = EventKind::kAccepted;
  std::optional<JointSet> joints_;
  std::optional<ArmIndex> arm_;
  std::optional<LawIndex> law_;
  std::optional<GripperIndex> gripper_;
  std::optional<std::uint8_t> detail_;
};

}  // namespace jointrig::harness
