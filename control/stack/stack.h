#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "control/arm/arm_control.h"
#include "control/backend.h"
#include "control/core/event.h"
#include "control/core/robot_config.h"
#include "control/core/snapshot.h"
#include "control/exchange/command_inbox.h"
#include "control/exchange/event_ring.h"
#include "control/joint/joint_control.h"
#include "control/laws/force_sensing.h"
#include "control/laws/momentum_observer.h"
#include "control/model/robot_model.h"
#include "control/stack/collision_avoidance.h"
#include "control/stack/guard_state.h"
#include "control/stack/loop_statistics.h"

namespace jointrig {

/// A configuration that the robot's boards can't serve; the message names board, joint and lack.
class ConfigError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The controller stack of one robot: what happens between reading a state and writing a command.
///
///     admit      commands that waited in the inbox, whole or not at all
///     follow     each joint's board: faults, calibration, motor on and off
///     model      gravity at the joints' positions, on data of the controller's own
///     forces     what the force/torque sensors tell, and what no motor explains
///     guard      suppression, collision avoidance, collision detection
///     arms       what each arm in mode cartesian asks of its joints
///     advance    references, laws, limits, joint by joint
///     publish    the snapshot, and an event for all that changed
///
/// cycle() allocates nothing, locks nothing, throws nothing, and depends on nothing but its inputs
/// and what state() holds: from the same state the same inputs give the same outputs to the bit.
class Stack {
 public:
  static constexpr std::size_t kCommandsPerCycle = 32;  ///< bounded work; the rest waits a cycle
  static constexpr std::uint64_t kQuietCycles = 100;  ///< a limit that acts again sooner is no news
  /// Cycles of its bus without a sample of a joint, after which its part holds: two are carried on.
  static constexpr std::uint32_t kHoldAfter = 3;
  static constexpr double kStaleToldEvery = 1.0;  ///< s: a link that goes on being stale
  static constexpr double kStaleAfter =
      0.5;  ///< s: a command computed from an older snapshot is refused

  /// @param boards  what the backend has, in the order of config.joints
  /// @param model   the controller's own model; null: no gravity compensation
  /// Throws ConfigError.
  Stack(RobotConfig config, const std::vector<JointCapabilities>& boards,
        std::unique_ptr<RobotModel> model);

  /// The speed override that it begins with; 1 else. Before the first cycle.
  /// Throws ConfigError for one that set_speed_override would refuse.
  void start_with_speed(double factor);

  /// Which sites the backend's force/torque sensors sit at, in the order of RobotState. Before the
  /// first cycle; without it no arm has a sensor.
  /// @return  a sentence for each arm whose sensor the backend doesn't read
  std::vector<std::string> connect_force_sensors(const std::vector<std::string>& sites);

  /// One cycle. The loop's thread only.
  void cycle(const RobotState& state, RobotCommand& command) noexcept;

  /// As it was opened: what commands change of it is in state().setups.
  [[nodiscard]] const RobotConfig& config() const noexcept { return config_; }
  [[nodiscard]] CommandInbox& inbox() noexcept { return inbox_; }
  [[nodiscard]] EventRing& events() noexcept { return events_; }
  /// Of the last cycle. The loop's thread only; other threads read what the loop publishes.
  [[nodiscard]] const Snapshot& snapshot() const noexcept { return snapshot_; }
  [[nodiscard]] Snapshot& snapshot() noexcept { return snapshot_; }

  /// Commands drained in the last cycle, taken or refused, in order: with the state read they are
  /// all that entered it. The loop's thread only.
  [[nodiscard]] std::span<const Command> drained() const noexcept {
    return {drained_.data(), drained_count_};
  }

  /// Publishes what the backend tells beside the state, in the cycle that follows. The loop's
  /// thread only, before cycle().
  void note(const BoardNotice& notice) noexcept;

  /// Publishes that a paced cycle overran, and the stage that took longest. The loop's thread only.
  void report_overrun(LoopStage stage, std::int64_t took_ns) noexcept;

  /// What the stack remembers of a joint's link.
  struct LinkState {
    std::uint32_t stale = 0;       ///< samples missed since this was last told
    std::uint64_t counted_at = 0;  ///< cycle after the one in which one was counted
    std::uint64_t stale_at = 0;    ///< cycle after the one in which it was told
    bool holds_part = false;       ///< by its silence
    bool was_configured = false;   ///< and heard, until it is lost
    bool faulted = false;
  };

  /// All that changes: saved and restored by assignment, between cycles.
  struct State {
    std::vector<JointSetup> setups;  ///< with the parameters that commands have changed
    std::vector<JointControl> joints;
    std::vector<ArmControl> arms;
    std::vector<MomentumObserver> observers;  ///< by joint
    std::vector<KnownPayload> observed;       ///< by arm: the payload in their momentum
    /// Torque that each joint's board was sent in the cycle before the last; NaN: none.
    std::vector<double> sent_before;
    std::vector<ForceSensing> force_sensing;  ///< by arm
    std::array<std::uint64_t, CommandInbox::kMaxSenders> last_number{};
    /// Cycle after the one in which each limit last acted, by joint.
    std::vector<std::array<std::uint64_t, kAllLimit.size()>> limit_acted;
    std::vector<LimitCycles> limit_cycles;  ///< by joint
    /// Positions and the base's pose that the model is placed by: the last that were sane.
    RobotState placed;
    std::vector<LinkState> links;  ///< by joint
    GuardState guard;
    double speed_override = 1.0;
    std::uint64_t cycle = 0;
    TimeNs time_ns = 0;
  };
  [[nodiscard]] const State& state() const noexcept { return state_; }
  void restore(const State& state) { state_ = state; }

 private:
  void admit(const Command& command) noexcept;
  [[nodiscard]] Refusal examine(const Command& command) const noexcept;
  [[nodiscard]] Refusal check_parameter(const JointValue& value, JointIndex joint) const noexcept;
  void follow_boards(const RobotState& state) noexcept;
  void follow_links(const RobotState& state) noexcept;
  void follow_link(std::size_t joint, const JointState& board) noexcept;
  void hold_part_of(std::size_t joint, JointControl::Hold why) noexcept;
  void report(Notice kind, std::size_t joint, double value, double limit) noexcept;
  void place(const RobotState& state) noexcept;
  [[nodiscard]] Refusal examine_arm(const Command& command) const noexcept;
  [[nodiscard]] Refusal check_arm_modes(const Command& command) const noexcept;
  void take_for_arms(const Command& command) noexcept;
  void advance_arms() noexcept;
  void set_up_forces();
  [[nodiscard]] Refusal check_force_sensor(const Command& command) const noexcept;
  void take_for_sensor(const Command& command) noexcept;
  void sense_forces(const RobotState& state) noexcept;
  [[nodiscard]] bool observes_momentum() const noexcept;
  void place_velocities() noexcept;
  void observe_momentum() noexcept;
  [[nodiscard]] double acting_torque(std::size_t joint) noexcept;
  void read_force_sensor(std::size_t arm, const RobotState& state) noexcept;
  [[nodiscard]] Vector6 weight_on_sensor(std::size_t arm, const FramePose& site) const noexcept;
  void report(std::size_t arm, const ForceSensing::Outcome& outcome) noexcept;
  void publish_efforts() noexcept;
  void advance_joints(RobotCommand& command) noexcept;
  void report(std::size_t joint, const JointModeMachine::Change& change) noexcept;
  void report(std::size_t joint, const JointControl::Outcome& outcome) noexcept;
  void report_limits(std::size_t joint) noexcept;
  void publish(const RobotState& state) noexcept;
  void set_up_arms(const std::vector<JointCapabilities>& boards);
  void set_up_guard();
  [[nodiscard]] Refusal check_protection(const JointValue& value) const noexcept;
  [[nodiscard]] bool is_on(Protection what) const noexcept { return state_.guard.on.has(what); }
  void take_suppression(std::size_t joint, const JointValue& value, std::uint16_t sender) noexcept;
  void advance_guard() noexcept;
  void follow_suppression() noexcept;
  void avoid_collisions() noexcept;
  void detect_contacts() noexcept;
  void watch_hands() noexcept;
  void stop_at(const ContactDetector::Contact& contact) noexcept;
  void end_stops() noexcept;
  [[nodiscard]] bool is_cuff_suppressed(const ArmSetup& setup) const noexcept;
  [[nodiscard]] Event event(EventKind kind, std::size_t joint) const noexcept;

  RobotConfig config_;
  std::vector<std::vector<JointIndex>> part_mates_;  ///< of each joint: the others of its parts
  std::unique_ptr<RobotModel> model_;
  std::vector<ArmSetup> arm_setups_;
  std::vector<ArmIndex> arm_of_;  ///< of each joint, or kNoArm
  ArmWorkspace arm_workspace_;
  /// Of an arm's force/torque sensor.
  struct SensorPlace {
    FrameId site;
    int sample = -1;  ///< which of RobotState::force_torque; -1: the backend reads none
  };
  std::vector<SensorPlace> sensors_;                ///< by arm
  std::vector<ArmForces> arm_forces_;               ///< by arm, of this cycle
  std::vector<RobotModel::CarriedMass> carried_;    ///< room for one of each arm
  std::vector<FrictionConfig> friction_;            ///< by joint, as the observer has it
  double observer_share_ = 0.0;                     ///< 1 − e^{−K dt}; 0: none
  std::vector<JointControl::ArmOrder> arm_orders_;  ///< by joint, of this cycle
  double contact_share_ = 0.0;                      ///< of kContactGain in a cycle
  std::optional<CollisionAvoidance> avoidance_;     ///< where the configuration has it
  std::vector<JointControl::Guard> guards_;         ///< by joint, of this cycle
  std::vector<double> repulsion_;                   ///< by joint [N·m or N]
  std::vector<ContactDetector::Joint> contacts_;    ///< by joint, with their thresholds
  CommandInbox inbox_;
  EventRing events_;
  State state_;
  Snapshot snapshot_;
  std::vector<Command> drained_;  ///< room for kCommandsPerCycle
  std::size_t drained_count_ = 0;
};

}  // namespace jointrig
