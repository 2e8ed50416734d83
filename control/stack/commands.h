#pragma once

#include <cstdint>

#include "control/core/command.h"
#include "control/core/robot_config.h"
#include "control/safety/admission.h"
#include "control/stack/arms.h"
#include "control/stack/event_reporter.h"
#include "control/stack/external_forces.h"
#include "control/stack/grippers.h"
#include "control/stack/joint_targets.h"
#include "control/stack/placed_model.h"
#include "control/stack/plan_followers.h"
#include "control/stack/protections.h"
#include "control/stack/stack_core.h"
#include "control/stack/tool_drives.h"
#include "control/stack/user_laws.h"
#include "control/stack/whole_body.h"

namespace jointrig {

/// Accepts each command whole or refuses it whole, and hands it to the part of the stack that
/// carries it out. Joints or an arm check and take all kinds that do not appear here
/// (joint_commands.cpp, arm_commands.cpp). For the cycle: allocates nothing, throws nothing.
class Commands {
 public:
  /// A command computed from an older snapshot is refused [s].
  static constexpr double kStaleAfter = 0.5;

  /// Parts of the stack that carry commands out; all of them outlive this.
  struct Parts {
    const RobotConfig& config;
    StackCore& core;
    PlacedModel& model;
    Arms& arms;
    PlanFollowers& plans;
    ToolDrives& drives;
    JointTargets& targets;
    Grippers& grippers;
    WholeBody& body;
    UserLaws& laws;
    ExternalForces& forces;
    Protections& protections;
    EventReporter& events;
  };
  explicit Commands(const Parts& parts);

  /// Takes or refuses it, and publishes the answer.
  void admit(const Command& command) noexcept;

 private:
  [[nodiscard]] Refusal examine(const Command& command) const noexcept;
  // Checks of a kind of command beside its shape; found by its type.
  template <typename C>
  [[nodiscard]] Refusal examine(const C& command) const noexcept;
  [[nodiscard]] Refusal examine(const SetMode& command) const noexcept;
  [[nodiscard]] Refusal examine(const SetParameter& command) const noexcept;
  [[nodiscard]] Refusal examine(const SetSpeedOverride& command) const noexcept;
  [[nodiscard]] Refusal examine(const SetGravity& command) const noexcept;
  [[nodiscard]] Refusal examine(const SetProtection& command) const noexcept;
  [[nodiscard]] Refusal examine(const SetObstacle& command) const noexcept;
  [[nodiscard]] Refusal examine(const RemoveObstacle& command) const noexcept;
  [[nodiscard]] Refusal examine(const SwitchLaw& command) const noexcept;
  [[nodiscard]] Refusal examine(const SetLawParameter& command) const noexcept;
  [[nodiscard]] Refusal examine(const FollowPlan& command) const noexcept;
  [[nodiscard]] Refusal examine(const SetJointTarget& command) const noexcept;
  [[nodiscard]] Refusal examine(const SetToolTarget& command) const noexcept;
  [[nodiscard]] Refusal examine(const StreamToolTarget& command) const noexcept;
  [[nodiscard]] Refusal examine(const DriveTool& command) const noexcept;
  [[nodiscard]] Refusal examine(const TareForceSensor& command) const noexcept;
  [[nodiscard]] Refusal examine(const SetForceFilter& command) const noexcept;
  [[nodiscard]] Refusal examine(const SetCuff& command) const noexcept;
  [[nodiscard]] Refusal examine(const SetTool& command) const noexcept;
  [[nodiscard]] Refusal examine(const OpenGripper& command) const noexcept;
  [[nodiscard]] Refusal examine(const CloseGripper& command) const noexcept;
  [[nodiscard]] Refusal examine(const MoveGripper& command) const noexcept;
  [[nodiscard]] Refusal examine(const Grasp& command) const noexcept;
  [[nodiscard]] Refusal check_arm_plan(const JointSet& joints) const noexcept;
  [[nodiscard]] Refusal check_interactions(const JointSet& joints) const noexcept;
  [[nodiscard]] Refusal check_arm_modes(const SetMode& command) const noexcept;
  [[nodiscard]] Refusal check_arm_joints(ArmIndex arm, const ModeSet& modes) const noexcept;
  [[nodiscard]] Refusal examine_target(const ToolTargetFields& command) const noexcept;
  template <typename C>
  void take(const C& command, std::uint16_t sender) noexcept;
  void take(const SetMode& command, std::uint16_t sender) noexcept;
  void take(const Stop& command, std::uint16_t sender) noexcept;
  void take(const Cancel& command, std::uint16_t sender) noexcept;
  void take(const SetParameter& command, std::uint16_t sender) noexcept;
  void take(const SetSpeedOverride& command, std::uint16_t sender) noexcept;
  void take(const SetGravity& command, std::uint16_t sender) noexcept;
  void leave_plans(ArmIndex arm) noexcept;
  void take(const SetToolTarget& command, std::uint16_t sender) noexcept;
  void take(const StreamToolTarget& command, std::uint16_t sender) noexcept;
  void take(const SetPosture& command, std::uint16_t sender) noexcept;
  void take(const Suppress& command, std::uint16_t sender) noexcept;
  void take(const SetProtection& command, std::uint16_t sender) noexcept;
  void take(const SetObstacle& command, std::uint16_t sender) noexcept;
  void take(const RemoveObstacle& command, std::uint16_t sender) noexcept;
  void take(const SwitchLaw& command, std::uint16_t sender) noexcept;
  void take(const SetLawParameter& command, std::uint16_t sender) noexcept;
  void take(const FollowPlan& command, std::uint16_t sender) noexcept;
  void take(const SetJointTarget& command, std::uint16_t sender) noexcept;
  void take(const DriveTool& command, std::uint16_t sender) noexcept;
  void take(const TareForceSensor& command, std::uint16_t sender) noexcept;
  void take(const SetForceFilter& command, std::uint16_t sender) noexcept;

  /// Number of the command of this sender that is taken now, among those of all: above 0.
  [[nodiscard]] std::uint64_t group_of(std::uint16_t sender) const noexcept;
  [[nodiscard]] Joints joints() noexcept { return state_.all(); }
  [[nodiscard]] ConstJoints joints() const noexcept {
    return static_cast<const StackCore&>(state_).all();
  }
  [[nodiscard]] Event event(EventKind kind, std::size_t joint) const noexcept {
    return events_.event(kind, joint, joints());
  }

  const RobotConfig& config_;
  StackCore& state_;
  PlacedModel& model_;
  Arms& arms_;
  PlanFollowers& plans_;
  ToolDrives& drives_;
  JointTargets& targets_;
  Grippers& grippers_;
  WholeBody& body_;
  UserLaws& laws_;
  ExternalForces& forces_;
  Protections& protections_;
  EventReporter& events_;
};

}  // namespace jointrig
