#pragma once
/// Commands for an arm in a scenario: read from its file, bound to a robot, made each time they are
/// sent.

#include <optional>
#include <vector>

#include "harness/runner/binder.h"
#include "harness/runner/scenario.h"

namespace jointrig::harness {

/// Reads the pose of a tool. Throws FileError where two keys say the same.
ToolPlace read_tool_place(const YamlNode& node);
/// Reads `arm` and the target of its tool.
ToolTarget read_tool_target(const YamlNode& node);
/// Likewise of a command, with its frame.
ToolTarget read_commanded_target(const YamlNode& node);
/// Reads the settings of set_arm: one command each.
std::vector<ArmSetting> read_arm_settings(const YamlNode& node);

/// Returns the arm's index. If there is none of that name, returns one beyond the last if
/// `may_be_unknown`, else throws FileError.
ArmIndex arm_named(const Text& name, const RobotConfig& config, bool may_be_unknown = false);

class BoundArmCommand {
 public:
  BoundArmCommand(CommandKind kind, const ToolTarget& target, ArmIndex arm, const Binder& binder);
  BoundArmCommand(const ArmSetting& setting, ArmIndex arm, const Binder& binder);

  /// Makes the command with the present values.
  [[nodiscard]] Command make(TimeNs now) const noexcept;
  [[nodiscard]] ArmIndex arm() const noexcept { return arm_; }
  /// False: a number is computed when it is made.
  [[nodiscard]] bool is_fixed() const noexcept;

 private:
  CommandKind kind_;
  ArmIndex arm_;
  std::vector<BoundValue> numbers_;
  std::vector<BoundValue> from_;  ///< the present goal, for targets relative to it
  bool is_by_ = false;            ///< the first three numbers are a displacement from the goal
  bool is_turn_ = false;          ///< the next three numbers are a rotation vector from the goal
  std::optional<TargetFrame> frame_;  ///< of a target
};

}  // namespace jointrig::harness
