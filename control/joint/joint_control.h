#pragma once

#include <array>
#include <optional>

#include "control/core/capabilities.h"
#include "control/core/command.h"
#include "control/core/event.h"
#include "control/core/robot_config.h"
#include "control/core/snapshot.h"
#include "control/joint/joint_activity.h"
#include "control/joint/joint_mode.h"
#include "control/laws/joint_law.h"
#include "control/motion/reference_generator.h"
#include "control/safety/admission.h"
#include "control/safety/limiter.h"

namespace jointrig {

/// What stays the same about a joint while the loop runs, but for parameters that a command
/// changes.
struct JointSetup {
  JointConfig config;
  JointCapabilities board;
  /// Drive mode for each mode and interaction; nullopt where it can't be had.
  std::array<std::array<std::optional<DriveMode>, kAllInteractionMode.size()>,
             kAllControlMode.size()>
      drives;
  double duty_per_torque = 0.0;  ///< duty cycle that gives 1 N·m (1 N) at rest: R / (kt U)
  double emf_damping = 0.0;      ///< torque that the back-EMF takes at 1 rad/s (1 m/s): kt² / R
  double dt = 1e-3;              ///< [s]
  double velocity_share = 1.0;   ///< of the filter of a velocity that its board doesn't sense
  /// Modes that would be possible if the board were commanded more often, a bit each.
  std::array<std::uint8_t, kAllControlMode.size()> waits_for_faster_bus{};

  [[nodiscard]] std::optional<DriveMode> drive(ControlMode mode,
                                               InteractionMode interaction) const noexcept {
    return drives[static_cast<std::size_t>(mode)][static_cast<std::size_t>(interaction)];
  }
};

/// Derives the setup; throws std::invalid_argument with a sentence if the board can't even hold.
JointSetup make_setup(const JointConfig& config, const JointCapabilities& board, double dt);

/// All that changes about one joint: its mode machine, references, law and last limits, and how
/// they act together in a cycle. Plain data: copied, saved and restored as it is. All functions are
/// for the cycle.
class JointControl {
 public:
  explicit JointControl(const JointSetup& setup) noexcept;

  /// Follows the board: faults, calibration, motor on and off.
  JointModeMachine::Change follow(const JointSetup& setup, const JointState& board,
                                  std::uint64_t cycle) noexcept;

  /// Could this command be taken? Of commands that have a value for each joint, this joint's.
  [[nodiscard]] Refusal check(const JointSetup& setup, const SetMode& command,
                              JointIndex index) const noexcept;
  [[nodiscard]] Refusal check(const JointSetup& setup, const SetInteraction& command,
                              JointIndex index) const noexcept;
  [[nodiscard]] Refusal check(const JointSetup& setup, const Calibrate& command,
                              JointIndex index) const noexcept;
  [[nodiscard]] static Refusal check(const JointSetup& setup, const SetImpedance::Value& value,
                                     JointIndex index) noexcept;
  [[nodiscard]] Refusal check(const JointSetup& setup, const TimedMove::Value& value,
                              JointIndex index) const noexcept;
  /// Motion and posture: in modes that take it, of joints that nothing holds, within its ranges.
  template <HasValues C>
  [[nodiscard]] Refusal check_motion(const JointSetup& setup, const typename C::Value& value,
                                     JointIndex index) const noexcept {
    if (const RejectReason r = why_no_motion(C::kModes); r != RejectReason::kNone) {
      return {r, index, 0.0, 0.0};
    }
    return check_values(value, setup.config, index);
  }

  /// Takes a command that check() let pass.
  void take(const JointSetup& setup, const SetMode& command) noexcept;
  void take(const JointSetup& setup, const SetInteraction& command) noexcept;
  void take(const JointSetup& setup, const Calibrate& command) noexcept;
  void take(const JointSetup& setup, const Stop& command) noexcept;
  void take(const JointSetup& setup, const SetImpedance::Value& value) noexcept;
  void take(const JointSetup& setup, const Move::Value& value) noexcept;
  void take(const JointSetup& setup, const TimedMove::Value& value) noexcept;
  void take(const JointSetup& setup, const StreamPosition::Value& value) noexcept;
  void take(const JointSetup& setup, const StreamTrajectory::Value& value) noexcept;
  void take(const JointSetup& setup, const StreamVelocity::Value& value) noexcept;
  void take(const JointSetup& setup, const StreamTorque::Value& value) noexcept;
  void take(const JointSetup& setup, const StreamDuty::Value& value) noexcept;
  /// The setup has it already; stiffness and damping are the joint's own, too.
  void take_parameter(JointParameter parameter, double value) noexcept;

  /// The joint brakes, then stays where it is and takes no motion: its part holds, since a joint
  /// of it is lost or it has met something. free() ends kLink and kContact; a request for a mode
  /// ends each. After kLink it goes on to its goal, else the goal is given up. In kSquish it holds
  /// with the compliant law where its board can have it.
  /// @param why  one of the held activities; a graver one that is there stays
  void hold(JointActivity why, const JointSetup& setup) noexcept;
  /// No effect where it holds for another reason.
  void free(JointActivity why) noexcept;
  /// Why it takes no motion; kNone where it does.
  [[nodiscard]] RejectReason why_held() const noexcept {
    if (!is_held(activity_)) return RejectReason::kNone;
    const bool has_met =
        activity_ == JointActivity::kContact || activity_ == JointActivity::kSquish;
    return has_met ? RejectReason::kContact : RejectReason::kPartHeld;
  }
  [[nodiscard]] JointActivity activity() const noexcept { return activity_; }

  /// What this cycle's advance() did, for events.
  struct Outcome {
    bool timed_out = false;  ///< the stream fell silent in this cycle
    bool arrived = false;    ///< the goal was reached
    bool faulted = false;    ///< the stack latched a fault of its own
  };

  /// What its arm asks of a joint.
  ///
  ///     none     nothing: in mode cartesian it holds where it is
  ///     runs     its torque, in mode cartesian
  ///     guided   its torque, in whatever mode: the arm is guided by hand
  ///     held     to stand where it is, in whatever mode
  enum class Claim : std::uint8_t { kNone, kRuns, kGuided, kHeld };
  struct ArmOrder {
    Claim claim = Claim::kNone;
    double tau = 0.0;         ///< all but the payload [N·m or N]
    double suppressed = 0.0;  ///< of `tau`, not to be given: gravity that is suppressed [N·m or N]
    double payload = 0.0;     ///< that carries the arm's known payload, in every mode [N·m or N]
  };

  /// What collision avoidance and suppression do to a joint.
  struct Guard {
    double gravity_share = 1.0;  ///< of the model's gravity that is compensated
    double repulsion = 0.0;      ///< added to what the law wants [N·m or N]
  };

  /// The reference leads no further: brakes, and gives its goal up. No effect on a mode without
  /// one.
  void halt() noexcept;
  /// Which way its reference goes, or is about to; 0 in a mode without one.
  [[nodiscard]] double heading() const noexcept;

  /// What a cycle of a joint is worked out from, beside its own state.
  struct Inputs {
    double gravity;  ///< torque that holds the joint where it is [N·m or N]
    const ArmOrder& arm;
    const Guard& guard;
    double speed_override;  ///< reference_generator.h
    std::uint64_t cycle;
  };

  /// References, law and limits of one cycle.
  Outcome advance(const JointSetup& setup, const Inputs& in) noexcept;

  [[nodiscard]] const JointSetpoint& setpoint() const noexcept { return setpoint_; }
  [[nodiscard]] const JointModeMachine& machine() const noexcept { return machine_; }
  /// True where an arm could have it: in mode cartesian, motor on, not held.
  [[nodiscard]] bool is_free_for_arm() const noexcept {
    return machine_.mode() == ControlMode::kCartesian && machine_.driving() && !is_held(activity_);
  }
  [[nodiscard]] const JointReference& reference() const noexcept { return motion_.reference(); }
  /// True where it can be let go: motor on, not held, in a mode that holds it.
  [[nodiscard]] bool may_be_guided() const noexcept {
    const ControlMode mode = machine_.mode();
    return machine_.driving() && !is_held(activity_) &&
           (has_interaction(mode) || mode == ControlMode::kCartesian);
  }
  /// As completed: velocity where the board senses none.
  [[nodiscard]] const JointState& state() const noexcept { return state_; }
  [[nodiscard]] InteractionMode interaction() const noexcept { return interaction_; }
  /// That the board's calibration found [rad or m].
  [[nodiscard]] double zero() const noexcept { return state_.zero; }
  [[nodiscard]] const ActingLimits& limits() const noexcept { return limited_; }
  /// Of the setpoint: what its law says of model and interaction.
  [[nodiscard]] const JointEffort& effort() const noexcept { return effort_; }
  void publish(const JointSetup& setup, const Guard& guard, JointSnapshot& snapshot) const noexcept;

  static constexpr double kDefaultSpeed = 0.5;  ///< of v_max, of a move that names none: a choice

 private:
  struct PendingMove {
    double goal = 0.0;
    double speed = 0.0;
    double duration = 0.0;     ///< of a timed move; 0: `speed` counts
    bool after_stand = false;  ///< brake first
  };

  [[nodiscard]] static Refusal unsupported(const JointSetup& setup, ControlMode mode,
                                           InteractionMode interaction, JointIndex index) noexcept;
  [[nodiscard]] RejectReason why_no_motion(const ModeSet& modes) const noexcept;
  void took_sample() noexcept;
  [[nodiscard]] double since_last_sample(const JointSetup& setup) const noexcept;  // s
  void enter(ControlMode mode) noexcept;
  void change_interaction(InteractionMode interaction, const JointSetup& setup) noexcept;
  void start_move(const JointSetup& setup) noexcept;
  void go_on_from_here(const JointSetup& setup) noexcept;
  void count_silence(const JointSetup& setup, Outcome& outcome) noexcept;
  [[nodiscard]] JointActivity once_free() const noexcept;
  void follow_arm(Claim claim) noexcept;
  void brake_for(JointActivity why, const JointSetup& setup) noexcept;
  void stand_in_position() noexcept;
  void react_to_silence(TimeoutReaction reaction) noexcept;
  void wait_for_motor(const JointSetup& setup, DriveMode drive, double gravity) noexcept;
  [[nodiscard]] Law law_now(const JointSetup& setup) const noexcept;
  [[nodiscard]] bool holds_position() const noexcept;
  [[nodiscard]] double limited_beside(double loop, double tau, const JointSetup& setup) noexcept;
  void drive_torque(const JointSetup& setup, const Inputs& in, double gravity) noexcept;
  void drive_duty(const JointSetup& setup, const Inputs& in, double gravity) noexcept;
  void drive_position(const JointSetup& setup, DriveMode drive, const Guard& guard,
                      double gravity) noexcept;
  [[nodiscard]] InteractionMode interaction_now(const JointSetup& setup) const noexcept;

  JointModeMachine machine_;
  ReferenceGenerator motion_;
  JointLaw law_;
  Limiter limiter_;
  JointState state_;  // as completed
  JointSetpoint setpoint_;
  std::optional<PendingMove> move_;  // asked for before the motor was on, or before it stands
  double stiffness_ = 0.0;
  double damping_ = 0.0;
  double tau_ref_ = 0.0;
  double duty_ref_ = 0.0;
  JointEffort effort_;
  double board_gravity_ = 0.0;  // that the board adds to each torque by itself
  DriveMode last_drive_ = DriveMode::kOff;
  double silence_ = 0.0;  // s since the last streamed command
  double last_q_ = 0.0;   // for boards that sense no velocity
  double last_v_ = 0.0;
  ActingLimits limited_;
  InteractionMode interaction_ = InteractionMode::kStiff;
  JointActivity activity_ = JointActivity::kMode;
  bool rate_limited_ = false;  // the torque of the last cycle
  bool seen_ = false;          // a first sample was read
};

}  // namespace jointrig
