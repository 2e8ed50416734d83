#pragma once

#include <optional>
#include <span>

#include "control/arm/arm_guide.h"
#include "control/arm/arm_interaction.h"
#include "control/arm/arm_motion.h"
#include "control/arm/tool_governor.h"
#include "control/core/command.h"
#include "control/core/snapshot.h"
#include "control/joint/joint_control.h"
#include "control/safety/admission.h"

namespace jointrig {

/// One arm in mode cartesian. The torques of its joints are
///
///     tau = Jᵀ (K e − D V) + posture + gravity + Coriolis + friction + limits + payload
///
/// each a term of its own in the snapshot. K e − D V can be shaped to another inertia; interaction
/// control replaces it while it is on (ArmInteraction). The arm runs while all its joints are in
/// mode cartesian, with their motors on and not held; otherwise its joints keep their positions. It
/// starts from the present poses of tool and joints, and a change of gains, terms or payload is
/// blended over JointLaw::kBlendTime, so that the transition is bumpless.
///
/// While its joints follow a plan, that leads the tool: the target is the pose X_BT that the
/// joints' references have, and they are the posture. A target that is elsewhere as the plan begins
/// comes onto it within kOntoPlan:
///
///     X = exp(s d) X_BT(q)        s = 1 − 10 τ³ + 15 τ⁴ − 6 τ⁵,  τ = t / kOntoPlan
///
/// with d the way from there to the target, position and rotation each by itself.
///
/// A target in the world is held there while the base moves. The law knows of the arm's own
/// velocity alone: behind a base that moves at u the tool lags by K⁻¹ D u. A target that the arm no
/// longer reaches stays behind with the base, until the arm reaches it again.
///
/// Guided by hand (ArmGuide), from any mode that holds its joints, it applies gravity and payload,
/// damping of the joints if robot.yaml sets it, the term of the limits if that is on, and springs
/// along the axes of its tool that aren't free.
///
/// Joints of other parts count as held: M and J belong to the arm's joints alone.
///
/// Plain data: copied, saved and restored as it is. All functions are for the cycle.
class ArmControl {
 public:
  static constexpr double kOntoPlan = 1.0;  ///< s: a choice

  explicit ArmControl(const ArmSetup& setup) noexcept;

  /// Checks whether this target can be accepted. (control/safety/arm_admission.h checks the other
  /// commands.)
  /// @param model  as last updated
  [[nodiscard]] Refusal check(const ArmSetup& setup, const ToolTargetFields& command,
                              const RobotModel& model) const noexcept;
  /// Executes a command that admission accepted.
  void take(const ArmSetup& setup, const SetToolTarget& command) noexcept;
  void take(const ArmSetup& setup, const StreamToolTarget& command) noexcept;
  void take(const ArmSetup& setup, const SetToolStiffness& command) noexcept;
  void take(const ArmSetup& setup, const SetToolDamping& command) noexcept;
  void take(const ArmSetup& setup, const SetArmTerm& command) noexcept;
  void take(const ArmSetup& setup, const SetPayload& command) noexcept;
  /// Expresses the target anew, as that of the same arm.
  void take(const ArmSetup& setup, const SetTool& command) noexcept;
  void take(const ArmSetup& setup, const SetToolInertia& command) noexcept;
  void take(const ArmSetup& setup, const SetInteractionControl& command) noexcept;
  void take(const ArmSetup& setup, const SetCuff& command) noexcept;
  void take(const ArmSetup& setup, const SetFreeAxes& command) noexcept;
  /// Executes set_posture for one of its joints.
  void set_posture(std::size_t joint, double q) noexcept;
  /// Its joints follow another plan from now on, that begins where they are: not from the last one.
  void begin_plan() noexcept { on_plan_ = false; }
  /// Executes the command stop: the target brakes, guiding ends.
  void stop() noexcept;

  /// Results of an advance(), for events.
  struct Outcome {
    bool timed_out = false;
    bool arrived = false;
    std::optional<ArmGuide::Change> guide;
    ArmForces forces;  ///< forces on the tool, in this cycle
  };

  /// Reads the cuff. Call before advance().
  /// @param ignores_cuff  true: the cuff is suppressed
  void follow(const ArmSetup& setup, std::span<const JointControl> joints,
              bool ignores_cuff) noexcept {
    guide_.follow(setup, joints, ignores_cuff);
  }
  /// True if advance() needs velocities and masses of the model.
  [[nodiscard]] bool needs_dynamics(const ArmSetup& setup,
                                    std::span<const JointControl> joints) const noexcept {
    return guide_.busy() || is_chosen(setup, joints);
  }
  [[nodiscard]] bool guided() const noexcept { return guide_.state() != GuideState::kOff; }

  /// Runs one cycle: writes the order for each joint of the arm.
  /// @param joints  joints of the robot
  /// @param orders  orders to the robot's joints; those of the arm are written. They stay until the
  /// next cycle: a change of gains or terms starts from them
  /// @param snapshot  written, never read: no decision depends on it
  /// @param speed_override  factor on the speeds of its target
  Outcome advance(const ArmSetup& setup, RobotModel& model, std::span<const JointControl> joints,
                  ArmWorkspace& workspace, std::span<JointControl::ArmOrder> orders,
                  double speed_override, ArmSnapshot& snapshot) noexcept;

  /// True while the target is on its way or streamed.
  [[nodiscard]] bool moves_tool() const noexcept {
    return is_asked_ || on_plan_ || streaming_ || (runs_ && governor_.moving());
  }
  /// X_FT: of the tool in the flange frame.
  [[nodiscard]] Placement offset() const noexcept { return offset_.value_or(Placement{}); }
  [[nodiscard]] bool interacts() const noexcept { return interaction_.active(); }
  /// Pose of the tool in the world.
  [[nodiscard]] FramePose tool_pose(const ArmSetup& setup, const RobotModel& model) const noexcept;

  /// The load as told.
  [[nodiscard]] const KnownPayload& payload() const noexcept { return payload_; }
  /// The load as it counts in this cycle: on its way to the one told, which takes
  /// JointLaw::kBlendTime.
  [[nodiscard]] const KnownPayload& load() const noexcept { return load_; }
  /// The load at the start of that way.
  [[nodiscard]] const KnownPayload& load_before() const noexcept { return payload_was_; }
  [[nodiscard]] bool load_changes() const noexcept { return payload_left_ > 0.0; }
  /// Takes one cycle of that way. Call before the model is placed.
  /// @return  the load, for the model
  RobotModel::CarriedBody advance_load(const ArmSetup& setup) noexcept;

  /// True if mode cartesian was chosen for all its joints.
  [[nodiscard]] static bool is_chosen(const ArmSetup& setup,
                                      std::span<const JointControl> joints) noexcept;

 private:
  void take_target(const ToolTargetFields& command, bool is_streamed) noexcept;
  [[nodiscard]] static ArmForces feel(const ArmSetup& setup, const ArmMotion& motion,
                                      const ArmWorkspace& workspace) noexcept;
  void describe(const ArmSetup& setup, ArmSnapshot& out) const noexcept;
  [[nodiscard]] bool may_run(const ArmSetup& setup,
                             std::span<const JointControl> joints) const noexcept;
  void begin(const ArmMotion& motion, bool from_guiding) noexcept;
  void reset_reference(const ArmMotion& motion) noexcept;
  void take_asked(const Placement& base) noexcept;
  bool hold_in_world(const ArmSetup& setup, const RobotModel& model,
                     const Placement& base) noexcept;
  void move_target(const ArmSetup& setup, const RobotModel& model, const ArmMotion& motion,
                   double speed_override, ArmSnapshot& out) noexcept;
  bool count_silence(const ArmSetup& setup) noexcept;
  void follow_plan(const ArmSetup& setup, RobotModel& model, std::span<const JointControl> joints,
                   const ArmMotion& motion) noexcept;
  void guide(const ArmSetup& setup, const ArmMotion& motion, const RobotModel& model,
             const ArmForces& forces, ArmTorques& tau, ArmSnapshot& out) noexcept;
  void pull_tool(const ArmSetup& setup, const ArmMotion& motion, const ArmForces& forces,
                 ArmTorques& tau, ArmSnapshot& out) noexcept;
  void interact(ArmInteraction& interaction, const ArmSetup& setup, const ArmMotion& motion,
                const ArmForces& forces, ArmTorques& tau, ArmSnapshot& out) noexcept;
  void pull_posture(const ArmSetup& setup, const ArmMotion& motion, ArmTorques& tau,
                    ArmSnapshot& out) noexcept;
  struct ToolGainsNow {
    Matrix6 stiffness;
    Matrix6 damping;
    bool are_cut = false;  ///< the loop doesn't carry what was asked for
  };
  [[nodiscard]] ToolGainsNow own_gains(const ArmSetup& setup, const ArmMotion& motion) noexcept;
  [[nodiscard]] ToolGainsNow shaped_gains(const LoopBounds& bounds) const noexcept;
  void widen_limit_zones(const ArmSetup& setup, const ArmMotion& motion) noexcept;
  void add_joint_terms(const ArmSetup& setup, const ArmMotion& motion, const RobotModel& model,
                       ArmTerms terms, ArmTorques& tau) const noexcept;
  static ArmVector carry_load(const ArmSetup& setup, const RobotModel& model,
                              ArmTorques& tau) noexcept;
  void order(const ArmSetup& setup, JointControl::Claim claim,
             std::span<const JointControl::Guard> guards, std::span<JointControl::ArmOrder> orders,
             ArmTorques& tau) noexcept;

  Matrix6 stiffness_;
  Matrix6 damping_ = Matrix6::Zero();  // used where it was given in numbers
  DampingModes damping_modes_;         // modes of the cycle before
  double damping_ratio_;               // 0: damping is not set by a ratio
  Vector6 inertia_ = Vector6::Zero();  // inertia that shapes the tool; 0: its own
  std::optional<Placement> offset_;    // X_FT; nothing: the tool is the flange
  ArmTerms terms_;
  KnownPayload payload_;
  KnownPayload payload_was_;   // at the start of its blend
  KnownPayload load_;          // blended
  double payload_left_ = 0.0;  // s, remaining time of its blend
  ToolGovernor governor_;
  Placement asked_;  // target for the next cycle in which the arm runs
  TargetFrame asked_frame_ = TargetFrame::kBase;
  bool is_asked_ = false;
  std::optional<Placement> held_;  // X_WT of a target in the world
  Placement base_;                 // X_WB of the cycle before
  Placement target_;               // after the filter
  ArmVector posture_;
  ArmVector limit_margins_;  // zones of the term limits, by joint [rad or m]
  PostureGains posture_gains_;
  ArmInteraction interaction_;
  ArmInteraction constraint_;  // for axes that aren't free while the arm is guided
  std::uint8_t free_axes_ = kAllAxes;
  ArmGuide guide_;
  ArmVector blend_;  // difference at the start of the blend, which fades out
  double blend_left_ = 0.0;
  Vector6 plan_lag_ = Vector6::Zero();  // of the target behind its plan, as the plan began
  double plan_lag_left_ = 0.0;          // s, until the target is on it
  bool on_plan_ = false;
  double silence_ = 0.0;
  bool streaming_ = false;
  bool timed_out_ = false;
  bool runs_ = false;
  bool changed_ = false;
  bool resets_reference_ = false;
};

}  // namespace jointrig
