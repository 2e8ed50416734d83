#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "control/backend.h"
#include "control/core/event.h"
#include "control/core/robot_config.h"
#include "control/core/snapshot.h"
#include "control/exchange/command_inbox.h"
#include "control/stack/arms.h"
#include "control/stack/base_estimate.h"
#include "control/stack/commands.h"
#include "control/stack/computed_torque.h"
#include "control/stack/config_error.h"
#include "control/stack/event_reporter.h"
#include "control/stack/external_forces.h"
#include "control/stack/grippers.h"
#include "control/stack/joint_speeds.h"
#include "control/stack/joint_targets.h"
#include "control/stack/joints.h"
#include "control/stack/links.h"
#include "control/stack/placed_model.h"
#include "control/stack/plan_followers.h"
#include "control/stack/protections.h"
#include "control/stack/stack_core.h"
#include "control/stack/tool_drives.h"
#include "control/stack/user_laws.h"
#include "control/stack/whole_body.h"

namespace jointrig {

/// The controller stack of one robot: computes a command from a state.
///
///     follow        each joint's board: faults, calibration, motor on and off
///     Links         parts hold where a board is silent or lost
///     TorqueWish    joints of a robot on feet that hold until its base is known
///     Commands      commands from the inbox, each accepted whole or refused whole
///     PlacedModel   gravity at the joints' positions, on data of the controller's own
///     ExternalForces  readings of the force/torque sensors, and external torques
///     Protections   suppression, collision avoidance, collision detection
///     PlanFollowers  references of joints that follow a plan
///     ToolDrives    references of an arm's joints whose tool follows a velocity
///     Grippers      goals of grippers' joints, and the torque with which they press
///     Arms          orders of each arm in mode cartesian to its joints
///     WholeBody     torques of all joints of a robot on feet
///     UserLaws      torques of laws of one's own; the whole-body controller is one of them
///     joints        references, laws, limits, joint by joint; computed torque after the torques of
///                   the joints that it doesn't move are known
///     publish       the snapshot; EventReporter reports all changes
///
/// cycle() allocates nothing, locks nothing, throws nothing, and depends only on its inputs and on
/// state(): from the same state the same inputs give the same outputs to the bit.
class Stack {
 public:
  /// Bounded work; the rest waits for the next cycle.
  static constexpr std::size_t kCommandsPerCycle = 32;

  /// @param boards  boards of the backend, in the order of config.joints
  /// @param model  the controller's own model; null: no gravity compensation
  /// Throws ConfigError.
  Stack(RobotConfig config, const std::vector<JointCapabilities>& boards,
        std::unique_ptr<RobotModel> model);

  /// Sets the initial speed override; the default is 1. Call before the first cycle. Throws
  /// ConfigError for a factor that set_speed_override would refuse.
  void start_with_speed(double factor);

  /// For start-up: a sentence on pairs of bodies that collision avoidance leaves out, or empty.
  [[nodiscard]] std::string note_on_avoidance() const { return protections_.note(); }

  /// Sets the sites of the backend's force/torque sensors, in the order of RobotState. Call before
  /// the first cycle; without it no arm has a sensor.
  /// @return  a sentence for each arm whose sensor the backend doesn't read
  std::vector<std::string> connect_force_sensors(const std::vector<std::string>& sites);

  /// Finds what a whole-body controller needs of the backend: pose and twist of the base, or the
  /// sensors from which they are estimated. Call before the first cycle. Throws ConfigError: the
  /// backend has neither.
  void connect_base(const BackendDescription& backend);

  /// A sentence for each joint whose loop is not stable with margin (loop_margin.h), with the line
  /// for robot.yaml. Call before the first cycle.
  [[nodiscard]] std::vector<std::string> loop_warnings();

  /// Runs one cycle. The loop's thread only.
  void cycle(const RobotState& read, RobotCommand& command) noexcept;

  /// Configuration at the start; state().setups contains the changes by commands.
  [[nodiscard]] const RobotConfig& config() const noexcept { return config_; }
  [[nodiscard]] CommandInbox& inbox() noexcept { return inbox_; }
  /// Plans on their way into the loop; any thread makes and hands them over.
  [[nodiscard]] JointPlanPool& plans() noexcept { return plans_.pool(); }
  /// Takes plans from a pool that another one owns, too. Call before the first cycle.
  void share_plans(std::shared_ptr<JointPlanPool> pool) { plans_.share(std::move(pool)); }
  [[nodiscard]] EventRing& events() noexcept { return events_.ring(); }
  /// Snapshot of the last cycle. The loop's thread only; other threads read the published copy.
  [[nodiscard]] const Snapshot& snapshot() const noexcept { return snapshot_; }
  [[nodiscard]] Snapshot& snapshot() noexcept { return snapshot_; }

  /// Rotations of a tool that its arm's joints can't hold (tool_drives.h). Any thread.
  /// @param command  of an arm that there is
  [[nodiscard]] Refusal why_not_held(const DriveTool& command) const noexcept {
    return drives_.why_not_held(command);
  }

  /// Commands drained in the last cycle, accepted or refused, in order. Together with the state
  /// they are all inputs of that cycle. The loop's thread only.
  [[nodiscard]] std::span<const Command> drained() const noexcept {
    return {drained_.data(), drained_count_};
  }

  /// True if a clock paces the cycles: a law of one's own that waits is late, then. The loop's
  /// thread only, before cycle().
  void set_paced(bool is_paced) noexcept { laws_.set_paced(is_paced); }
  /// For a watch over laws that don't return; any thread.
  [[nodiscard]] const LawCall& law_call() const noexcept { return laws_.call(); }

  /// Publishes a notice of the backend in the next cycle. The loop's thread only, before cycle().
  void note(const BoardNotice& notice) noexcept;

  /// Publishes that a paced cycle overran, and the stage that took longest. The loop's thread only.
  void report_overrun(LoopStage stage, std::int64_t took_ns) noexcept;

  /// State that is saved and restored by assignment, between cycles. No part of the stack decides
  /// by anything else that outlives a cycle.
  struct State {
    std::vector<JointSetup> setups;  ///< with the parameters as changed by commands
    std::vector<JointControl> joints;
    Links::State links;
    PlacedModel::State placed;
    ExternalForces::State forces;
    Protections::State protections;
    Arms::State arms;
    PlanFollowers::State plans;
    ToolDrives::State drives;
    Grippers::State grippers;
    BaseEstimate::State base;
    WholeBody::State body;
    UserLaws::State laws;
    JointLoads::State loads;
    JointSpeeds::State speeds;
    EventReporter::State reported;
    std::array<std::uint64_t, CommandInbox::kMaxSenders> last_number{};
    double speed_override = 1.0;
    std::uint64_t cycle = 0;
    TimeNs time_ns = 0;
  };
  /// A copy. Allocates: not for the cycle.
  [[nodiscard]] State state() const;
  void restore(const State& state);

 private:
  // The cycle:
  void follow_boards(const RobotState& state) noexcept;
  const RobotState& with_base(const RobotState& state) noexcept;
  void advance_joints(RobotCommand& command) noexcept;
  void tell_what_falls() noexcept;
  void publish(const RobotState& state) noexcept;
  void publish_efforts() noexcept;
  [[nodiscard]] Joints joints() noexcept { return {state_.setups, state_.joints}; }
  [[nodiscard]] ConstJoints joints() const noexcept { return {state_.setups, state_.joints}; }
  [[nodiscard]] Event event(EventKind kind, std::size_t joint) const noexcept {
    return events_.event(kind, joint, joints());
  }

  RobotConfig config_;
  PartMates mates_;
  StackCore state_;
  Links links_;
  PlacedModel model_;
  Arms arms_;
  PlanFollowers plans_;
  ToolDrives drives_;
  JointTargets targets_;
  Grippers grippers_;
  BaseEstimate base_;
  WholeBody body_;
  UserLaws laws_;
  ExternalForces forces_;
  Protections protections_;
  JointLoads loads_;
  ComputedTorque computed_;
  VelocityEnvelope envelope_;
  JointSpeeds speeds_;
  std::vector<JointControl::Outcome> outcomes_;  ///< by joint, of this cycle
  bool tells_brakes_;                            ///< the robot's file knows of brakes
  std::vector<bool> was_on_;                     ///< by joint: its motor, before this cycle
  std::vector<JointMode> before_;                ///< by joint: mode before its part of the cycle
  RobotState seen_;                              ///< of this cycle, with the base as estimated
  CommandInbox inbox_;
  EventReporter events_;
  Commands commands_;  ///< sees the parts before it
  Snapshot snapshot_;
  std::vector<Command> drained_;  ///< room for kCommandsPerCycle
  std::size_t drained_count_ = 0;
};

}  // namespace jointrig
