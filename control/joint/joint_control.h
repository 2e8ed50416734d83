#pragma once

#include <array>
#include <optional>

#include "control/core/capabilities.h"
#include "control/core/command.h"
#include "control/core/event.h"
#include "control/core/plan_execution.h"
#include "control/core/robot_config.h"
#include "control/core/snapshot.h"
#include "control/joint/joint_activity.h"
#include "control/joint/joint_mode.h"
#include "control/laws/joint_law.h"
#include "control/laws/servo_law.h"
#include "control/motion/reference_generator.h"
#include "control/safety/admission.h"
#include "control/safety/limiter.h"

namespace jointrig {

/// Constants of a joint while the loop runs, except the parameters that a command changes.
struct JointSetup {
  JointConfig config;
  JointCapabilities board;
  /// Drive mode for each mode and interaction; nullopt if the board can't serve it.
  std::array<std::array<std::optional<DriveMode>, kAllInteractionMode.size()>,
             kAllControlMode.size()>
      drives;
  double duty_per_torque = 0.0;  ///< duty cycle that gives 1 N·m (1 N) at rest: R / (kt U)
  double emf_damping = 0.0;      ///< torque of the back-EMF at 1 rad/s (1 m/s): kt² / R
  double dt = 1e-3;              ///< [s]
  ServoDesign servo;             ///< of the stiff law
  /// Weight of a new sample in the filter of a velocity that the board doesn't sense.
  double velocity_share = 1.0;
  double rate_share = 1.0;  ///< likewise in the filter of the error's rate
  /// Velocity that one step Δ of the encoder reads for a cycle, s Δ/dt, with s the share that a
  /// sample has behind its filter [rad/s or m/s].
  double speed_of_step = 0.0;
  /// True if the steps of its encoder are too coarse for the board's velocity to be fed back: an
  /// observer tells the laws its position and velocity (laws/speed_observer.h).
  bool observes_speed = false;
  /// Modes that would be possible with a shorter cycle of the board, one bit each.
  std::array<std::uint8_t, kAllControlMode.size()> waits_for_faster_bus{};

  [[nodiscard]] std::optional<DriveMode> drive(ControlMode mode,
                                               InteractionMode interaction) const noexcept {
    return drives[static_cast<std::size_t>(mode)][static_cast<std::size_t>(interaction)];
  }
};

/// Velocity from positions alone: first-order filter at 50 Hz (a choice: a compromise between a
/// servo's encoder noise and the phase loss of a 10 Hz loop).
inline constexpr double kVelocityFilterHz = 50.0;

/// Share of velocity_max at which a joint gets the fault over_speed: at twice the limit the stack
/// doesn't control it (wrong sign of an encoder, a loose belt); the envelope of the limiter keeps a
/// healthy joint well below.
inline constexpr double kOverSpeed = 2.0;

/// Bandwidth of the board's filter, or of ours where the board senses no velocity [Hz].
inline double velocity_filter_hz(const BoardConfig& config,
                                 const JointCapabilities& board) noexcept {
  return board.senses_velocity ? config.velocity_bandwidth_hz : kVelocityFilterHz;
}

/// T: time between a motion and the torque that answers it [s]: delay and hold of the setpoint,
/// half a cycle of the sample, and the lags of velocity estimate and torque loop.
double loop_time(const JointConfig& joint, const JointCapabilities& board, double dt,
                 int delay_cycles);

/// Derives the setup; throws std::invalid_argument with a sentence if the board can't even hold.
JointSetup make_setup(const JointConfig& config, const JointCapabilities& board, double dt,
                      int delay_cycles = 1);

/// State of one joint: its mode machine, references, law and last limits, and their order in a
/// cycle. Plain data: copied, saved and restored as it is. All functions are for the cycle.
class JointControl {
 public:
  explicit JointControl(const JointSetup& setup) noexcept;

  /// Follows the board's status: faults, calibration, motor on and off.
  JointModeMachine::Change follow(const JointSetup& setup, const JointState& board,
                                  std::uint64_t cycle) noexcept;

  /// Takes what an observer makes of the board's samples, after follow(). The laws see it from
  /// there on; publish() tells the sample's position.
  void see(double q, double v) noexcept {
    state_.q = q;
    state_.v = v;
  }

  /// Checks whether this command can be accepted. For commands with a value for each joint, checks
  /// this joint's value.
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
  [[nodiscard]] Refusal check(const JointSetup& setup, const StreamTrajectory::Value& value,
                              JointIndex index) const noexcept;
  /// Motion and posture: accepted in the modes that take them, by joints that nothing holds, within
  /// their ranges.
  template <HasValues C>
  [[nodiscard]] Refusal check_motion(const JointSetup& setup, const C::Value& value,
                                     JointIndex index) const noexcept {
    if (const RejectReason r = why_no_motion(C::kModes); r != RejectReason::kNone) {
      return {r, index, 0.0, 0.0};
    }
    const auto [low, high] = std::minmax(motion_.reference().q, state_.q);
    return check_values(value, setup.config, index, {low, high});
  }

  /// Checks whether a plan may begin: mode, holds, motor on, no other motion without a plan.
  [[nodiscard]] RejectReason why_no_plan(const ModeSet& modes = FollowPlan::kModes) const noexcept;
  /// Takes this cycle's reference from a plan, before plan().
  void follow_plan(const MotionState& state, PlanExecution execution) noexcept;
  /// It stays at the end of its plan.
  void end_plan() noexcept { motion_.end_plan(); }
  [[nodiscard]] bool on_plan() const noexcept { return motion_.on_plan() && machine_.driving(); }
  /// How it follows its plan; without one as by inverse_dynamics.
  [[nodiscard]] PlanExecution execution() const noexcept {
    return on_plan() ? execution_ : PlanExecution::kInverseDynamics;
  }
  /// On a plan: where it leads next [rad or m].
  [[nodiscard]] double planned() const noexcept { return motion_.planned().q; }

  /// Checks a target, but for the way to it (stack/joint_targets.h).
  [[nodiscard]] Refusal check_target(const JointSetup& setup, const SetJointTarget& command,
                                     const SetJointTarget::Value& value,
                                     JointIndex index) const noexcept;
  /// A target with the joint's own bounds where none are given.
  [[nodiscard]] OnlineWish wish_of(const JointSetup& setup, const SetJointTarget& command,
                                   const SetJointTarget::Value& value) const noexcept;
  [[nodiscard]] OnlineMotion::Draft draft(const JointSetup& setup, const OnlineWish& wish,
                                          double at_least, JerkProfile& profile) const noexcept {
    return motion_.draft(wish, setup.config.limits, at_least, profile);
  }
  /// Goes to a target by a profile of draft() that is kept.
  void go_to_target(const JointSetup& setup, const OnlineWish& wish,
                    const JerkProfile& profile) noexcept;
  /// Its motion to a target; null while there is none.
  [[nodiscard]] const OnlineMotion* online() const noexcept {
    return motion_.to_target() && machine_.driving() ? &motion_.online() : nullptr;
  }
  [[nodiscard]] OnlineMotion* online() noexcept {
    return motion_.to_target() && machine_.driving() ? &motion_.online() : nullptr;
  }
  void set_speed_override(double factor) noexcept { motion_.set_speed_override(factor); }

  /// Gives its move up (ReferenceGenerator::give_up). False: it has none that slows down along its
  /// path, as where it brakes first.
  bool give_up_move(std::uint64_t group) noexcept {
    return !move_ && machine_.driving() && motion_.give_up(group);
  }
  /// Its path, while that is given up; else null.
  [[nodiscard]] ReferenceGenerator* given_up_move() noexcept {
    return machine_.driving() && motion_.given_up().group != 0 ? &motion_ : nullptr;
  }

  /// Executes a command that check() accepted.
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
  /// The setup already contains the value; stiffness and damping are stored in the joint, too.
  void take_parameter(JointParameter parameter, double value) noexcept;

  /// The joint brakes, then keeps its position and refuses motion, since its part holds: a joint of
  /// it is lost, or it had a contact. free() ends kLink and kContact; a request for a mode ends
  /// each. After kLink the joint goes on to its goal, as fast as it was asked to, after the others
  /// the goal is given up. A stream that was cut off has its command timeout from there on to come
  /// again. In kSquish the joint holds with the compliant law if its board can serve that.
  /// @param why  one of the held activities; a graver one that is there stays; kLaw is of this
  ///             joint alone
  void hold(JointActivity why, const JointSetup& setup) noexcept;
  /// No effect where it holds for another reason.
  void free(JointActivity why) noexcept;
  /// Reason for which it refuses motion; kNone if it accepts motion.
  [[nodiscard]] RejectReason why_held() const noexcept {
    if (!is_held(activity_)) return RejectReason::kNone;
    const bool has_met =
        activity_ == JointActivity::kContact || activity_ == JointActivity::kSquish;
    if (activity_ == JointActivity::kLaw) return RejectReason::kLawFailed;
    return has_met ? RejectReason::kContact : RejectReason::kPartHeld;
  }
  [[nodiscard]] JointActivity activity() const noexcept { return activity_; }

  /// Results of this cycle's advance(), for events.
  struct Outcome {
    bool timed_out = false;  ///< the stream fell silent in this cycle
    bool arrived = false;    ///< the goal was reached
    bool faulted = false;    ///< the stack latched a fault of its own
    double engaged = 0.0;    ///< torque that the motor came on with, beyond its rate [N·m or N]
  };

  /// Request of its arm to a joint.
  ///
  ///     none     nothing: in mode cartesian it keeps its position
  ///     runs     its torque, in mode cartesian
  ///     guided   its torque, in any mode: the arm is guided by hand
  ///     held     to keep its position, in any mode
  enum class Claim : std::uint8_t { kNone, kRuns, kGuided, kHeld };
  struct ArmOrder {
    Claim claim = Claim::kNone;
    double tau = 0.0;         ///< torque without the payload's [N·m or N]
    double suppressed = 0.0;  ///< part of `tau` that is not applied: suppressed gravity [N·m or N]
    /// Torque that carries the loads of arms, in every mode [N·m or N]
    double payload = 0.0;
  };

  /// Effect of collision avoidance and suppression on a joint.
  struct Guard {
    double gravity_share = 1.0;  ///< compensated share of the model's gravity
    double repulsion = 0.0;      ///< torque added to the law's [N·m or N]
  };

  /// Order of its gripper to a joint in mode position (stack/grippers.h).
  struct Grip {
    double most = 0.0;     ///< bound of the law's torque beside gravity [N·m or N]; 0: none
    double tau = 0.0;      ///< torque that presses [N·m or N]
    bool presses = false;  ///< `tau` takes the place of the law, with damping and gravity
  };
  /// After plan(): true while it presses for its gripper.
  [[nodiscard]] bool presses() const noexcept { return presses_; }
  /// True if the stack can bound its torque, and press with one.
  [[nodiscard]] static bool can_press(const JointSetup& setup) noexcept {
    return setup.drive(ControlMode::kPosition, InteractionMode::kStiff) == DriveMode::kTorque;
  }
  /// Checks whether a gripper can move it there.
  [[nodiscard]] RejectReason why_no_grip() const noexcept {
    return why_no_motion(ModeSet{ControlMode::kPosition});
  }

  /// The reference starts anew from the joint, and brakes: it met something, or lost it.
  void rest() noexcept;
  /// True for a while after rest(): what pushes against it is no load that the law carries.
  [[nodiscard]] bool rests() const noexcept { return rest_left_ > 0.0; }
  /// Stops the reference: it brakes and gives its goal up. No effect on a mode without a reference.
  void halt() noexcept;
  /// Present or coming direction of its reference; 0 in a mode without one.
  [[nodiscard]] double heading() const noexcept;
  /// Speed of its reference in the next cycle, with nothing asked meanwhile.
  [[nodiscard]] double next_speed(const JointSetup& setup) const noexcept;
  /// Distance to where its reference comes to rest by itself; infinite where nobody knows.
  [[nodiscard]] double way_left() const noexcept { return motion_.way_left(); }

  /// Acceleration with which its reference brakes to rest, by itself; 0 while it doesn't.
  [[nodiscard]] double braking(const JointSetup& setup) const noexcept {
    return is_computed(setup) ? motion_.braking(setup.config.limits) : 0.0;
  }

  /// Inputs of a joint in a cycle, beside its own state.
  struct Inputs {
    double gravity;  ///< torque that holds the joint at rest [N·m or N]
    const ArmOrder& arm;
    const Guard& guard;
    double speed_override;  ///< reference_generator.h
    const MotionRoom& room;
    std::uint64_t cycle;
    double laws;  ///< torque of laws of one's own [N·m or N]
    const Grip& grip;
  };

  /// First part of a cycle: timeouts, the arm's claim, the reference.
  Outcome plan(const JointSetup& setup, const Inputs& in) noexcept;
  /// Second part: the law, or the setpoint of the board's own loop.
  /// @param computed  torque of the stiff law beside gravity, if is_computed()
  void drive(const JointSetup& setup, const Inputs& in, double computed) noexcept;
  /// Third part: the torque that the envelope leaves, and the limits.
  void send(const JointSetup& setup, const Inputs& in, const EnvelopeNote& note,
            Outcome& outcome) noexcept;
  /// After plan(): acceleration that the stiff law feeds forward, bumpless [rad/s² or m/s²]
  [[nodiscard]] double feedforward() const noexcept { return feedforward_; }
  /// Torque that the last sample of a trajectory adds to its law [N·m or N]
  [[nodiscard]] double fed_forward() const noexcept {
    const bool is_fed = machine_.mode() == ControlMode::kPositionDirect && machine_.driving() &&
                        activity_ == JointActivity::kStream;
    return is_fed ? tau_ref_ : 0.0;
  }
  /// After plan(): rate of the position error v_ref − v, filtered [rad/s or m/s]
  [[nodiscard]] double error_rate() const noexcept { return error_rate_; }
  /// After drive(): true if the stack gives its torque, directly or by a duty cycle.
  [[nodiscard]] bool has_torque() const noexcept { return has_torque_; }
  /// After drive(): true if its board closes a loop of its own.
  [[nodiscard]] bool has_board_loop() const noexcept {
    return setpoint_.drive == DriveMode::kPosition || setpoint_.drive == DriveMode::kVelocity ||
           setpoint_.drive == DriveMode::kImpedance;
  }
  /// After drive(): torque of motor and board that the law wants; 0 without has_torque() [N·m or
  /// N].
  [[nodiscard]] double wanted() const noexcept { return has_torque_ ? wanted_ : 0.0; }
  /// Between drive() and send(): the envelope's torque in the place of the law's [N·m or N]
  void bound_torque(double torque) noexcept { wanted_ = torque; }
  /// The part of a torque that torque limit and rate would leave in this cycle [N·m or N]
  [[nodiscard]] double sendable(const JointSetup& setup, double torque) const noexcept {
    return has_torque_ ? limiter_.within(torque, setup.config.limits, setup.dt) : torque;
  }
  /// After plan(): true if the stiff law drives it, by computed torque.
  [[nodiscard]] bool is_computed(const JointSetup& setup) const noexcept;

  [[nodiscard]] const JointSetpoint& setpoint() const noexcept { return setpoint_; }
  [[nodiscard]] const JointModeMachine& machine() const noexcept { return machine_; }
  /// True if an arm can drive it: in mode cartesian, motor on, not held.
  [[nodiscard]] bool is_free_for_arm() const noexcept {
    return machine_.mode() == ControlMode::kCartesian && machine_.driving() && !is_held(activity_);
  }
  /// True if a law of one's own that acts in these modes can add its torque: motor on, not held,
  /// not guided, its stream not silent; in mode cartesian its arm runs.
  [[nodiscard]] bool is_free_for_law(const ModeSet& modes) const noexcept {
    const ControlMode mode = machine_.mode();
    if (!machine_.driving() || !modes.has(mode)) return false;
    if (mode == ControlMode::kCartesian) return activity_ == JointActivity::kArm;
    return activity_ == JointActivity::kMode || activity_ == JointActivity::kStream;
  }
  [[nodiscard]] const JointReference& reference() const noexcept { return motion_.reference(); }
  /// (q − q before)/dt of its reference in the last cycle [rad/s or m/s].
  [[nodiscard]] double last_speed() const noexcept { return motion_.last_speed(); }
  /// True while its reference is at rest, and no move waits to lead it away.
  [[nodiscard]] bool stands() const noexcept { return !move_ && motion_.standing(); }
  /// True while a goal, or the way to it, is ahead.
  [[nodiscard]] bool is_on_way() const noexcept {
    return move_.has_value() || motion_.goes_to_goal();
  }
  /// True in the modes that hold it, from which it can be released for guiding.
  [[nodiscard]] bool has_mode_that_holds() const noexcept {
    const ControlMode mode = machine_.mode();
    return has_interaction(mode) || mode == ControlMode::kCartesian;
  }
  /// State as the laws see it: with the velocity computed if the board senses none, observed if its
  /// encoder is coarse.
  [[nodiscard]] const JointState& state() const noexcept { return state_; }
  [[nodiscard]] InteractionMode interaction() const noexcept { return interaction_; }
  /// Zero that the board's calibration found [rad or m].
  [[nodiscard]] double zero() const noexcept { return state_.zero; }
  [[nodiscard]] const ActingLimits& limits() const noexcept { return limited_; }
  /// Parts of the setpoint from model and interaction, as its law reports them.
  [[nodiscard]] const JointEffort& effort() const noexcept { return effort_; }
  void publish(const JointSetup& setup, const Guard& guard, JointSnapshot& snapshot) const noexcept;

  /// Share of v_max for a move without a speed: a choice.
  static constexpr double kDefaultSpeed = 0.5;

 private:
  struct PendingMove {
    double goal = 0.0;
    double speed = 0.0;
    double duration = 0.0;     ///< duration of a timed move; 0: `speed` is used
    bool after_stand = false;  ///< brake to a standstill first
  };

  [[nodiscard]] static Refusal unsupported(const JointSetup& setup, ControlMode mode,
                                           InteractionMode interaction, JointIndex index) noexcept;
  [[nodiscard]] RejectReason why_no_motion(const ModeSet& modes) const noexcept;
  /// A sample of a stream; false if it has no effect, since its part holds for a link.
  bool took_sample() noexcept;
  void end_silence() noexcept;
  [[nodiscard]] double since_last_sample(const JointSetup& setup) const noexcept;  // s
  /// Requests a mode. The reference goes on; without one it starts from the joint. A hold stays.
  /// Returns false if the mode stays.
  bool change_mode(TransitionRequest request) noexcept;
  void enter(ControlMode mode) noexcept;
  void change_interaction(InteractionMode interaction, const JointSetup& setup) noexcept;
  void start_move(const JointSetup& setup) noexcept;
  [[nodiscard]] bool has_goal() const noexcept;
  void keep_goal(double goal, const JointSetup& setup) noexcept;
  void stay_with_joint(const JointSetup& setup) noexcept;
  void go_on_from_here(const JointSetup& setup) noexcept;
  /// True while the command timeout runs.
  [[nodiscard]] bool awaits_sample() const noexcept {
    return activity_ == JointActivity::kStream ||
           (activity_ == JointActivity::kStands && stream_cut_);
  }
  bool count_silence(const JointSetup& setup) noexcept;
  [[nodiscard]] JointActivity once_free() const noexcept;
  void follow_arm(Claim claim) noexcept;
  void brake_for(JointActivity why, const JointSetup& setup) noexcept;
  void brake(bool is_brisk) noexcept;
  void yield_to_contact(const JointSetup& setup) noexcept;
  void react_to_silence(TimeoutReaction reaction) noexcept;
  void wait_for_motor(const JointSetup& setup, DriveMode drive, double gravity) noexcept;
  double came_on_with(const JointSetup& setup) noexcept;
  [[nodiscard]] Law law_now(const JointSetup& setup) const noexcept;
  [[nodiscard]] bool holds_position() const noexcept;
  /// True if damping alone acts, as the timeout's reaction.
  [[nodiscard]] bool is_damped(const JointSetup& setup) const noexcept;
  [[nodiscard]] double limited_beside(double loop, double tau, const JointSetup& setup) noexcept;
  void drive_torque(const JointSetup& setup, const Inputs& in, double gravity,
                    double computed) noexcept;
  void drive_duty(const JointSetup& setup, const Inputs& in, double gravity,
                  double computed) noexcept;
  void send_duty(const JointSetup& setup, double tau) noexcept;
  void drive_position(const JointSetup& setup, DriveMode drive, const Guard& guard,
                      double gravity) noexcept;
  [[nodiscard]] InteractionMode interaction_now(const JointSetup& setup) const noexcept;

  JointModeMachine machine_;
  ReferenceGenerator motion_;
  PlanExecution execution_ = PlanExecution::kInverseDynamics;  // of the last plan
  JointLaw law_;
  Limiter limiter_;
  JointState state_;  // with the velocity computed if needed
  JointSetpoint setpoint_;
  std::optional<PendingMove> move_;  // stored until the motor is on, or until the joint stands
  double stiffness_ = 0.0;
  double damping_ = 0.0;
  double tau_ref_ = 0.0;  // of mode torque; of a trajectory's sample in position_direct
  double duty_ref_ = 0.0;
  JointEffort effort_;
  double board_gravity_ = 0.0;  // torque that the board adds to each setpoint
  DriveMode last_drive_ = DriveMode::kOff;
  DriveMode drive_ = DriveMode::kOff;  // of this cycle
  double yielded_ = 0.0;               // time for which it went with a contact [s]
  double met_with_ = 0.0;              // speed with which it met it
  double feedforward_ = 0.0;           // acceleration of the reference, within the room's jerk
  double error_rate_ = 0.0;            // filtered
  double wanted_ = 0.0;                // torque of motor and board: the law's, then the envelope's
  bool has_torque_ = false;            // in this cycle
  double move_speed_ = 0.0;            // peak speed of the last move
  double silence_ = 0.0;               // time since the last streamed command [s]
  double last_q_ = 0.0;                // the last sample
  double last_v_ = 0.0;
  ActingLimits limited_;
  InteractionMode interaction_ = InteractionMode::kStiff;
  JointActivity activity_ = JointActivity::kMode;
  double rest_left_ = 0.0;     // time for which it forgets its load after rest() [s]
  double snaps_ = 0.0;         // time in which an object that slips away may let it snap [s]
  bool presses_ = false;       // for its gripper, in this cycle
  bool rate_limited_ = false;  // the torque of the last cycle was
  bool was_driving_ = false;   // in the last cycle
  bool seen_ = false;          // a first sample was read
  bool stream_cut_ = false;    // by the present hold, or by the one that ended in kStands
};

}  // namespace jointrig
