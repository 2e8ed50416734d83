#pragma once
/// Commands for an arm as a scenario has them: read from its file, bound to a robot, made each time
/// that they are sent.

#include <optional>
#include <vector>

#include "harness/runner/binder.h"
#include "harness/runner/scenario.h"

namespace jointrig::harness {

/// `arm`, and where its tool shall be.
ToolTarget read_tool_target(const YamlNode& node);
/// What set_arm sets: a command each.
std::vector<ArmSetting> read_arm_settings(const YamlNode& node);

/// One beyond the last where the robot has none of that name and `may_be_unknown`; else FileError.
ArmIndex arm_named(const Text& name, const RobotConfig& config, bool may_be_unknown = false);

class BoundArmCommand {
 public:
  BoundArmCommand(CommandKind kind, const ToolTarget& target, ArmIndex arm, const Binder& binder);
  BoundArmCommand(const ArmSetting& setting, ArmIndex arm, const Binder& binder);

  /// With its values as they are now.
  [[nodiscard]] Command make(TimeNs now) const noexcept;
  [[nodiscard]] ArmIndex arm() const noexcept { return arm_; }

 private:
  CommandKind kind_;
  ArmIndex arm_;
  std::vector<BoundValue> numbers_;
  std::vector<BoundValue> from_;  ///< where the goal is: of targets that are told from there
  bool is_by_ = false;            ///< the first three are a way from the goal
  bool is_turn_ = false;          ///< the next three are a rotation vector from the goal
};

}  // namespace jointrig::harness
