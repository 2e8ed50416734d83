#pragma once

#include <span>
#include <vector>

#include "control/core/command.h"
#include "control/core/snapshot.h"
#include "control/laws/arm_math.h"
#include "control/laws/posture.h"
#include "control/laws/tool_inertia.h"
#include "control/model/robot_model.h"
#include "control/safety/admission.h"
#include "control/stack/joint_control.h"
#include "control/stack/tool_governor.h"

namespace jointrig {

/// What of an arm doesn't change while the loop runs.
struct ArmSetup {
  ArmConfig config;
  FrameId tool;
  FrameId base;
  JointIndex shoulder = 0;  ///< the joint next to the base
  double reach = 0.0;       ///< the tool is never further from the shoulder's anchor [m]
  double dt = 0.001;        ///< of a cycle [s]
  PostureGains posture;
  ArmVector limit_damping;              ///< of the term limits [N·m·s/rad or N·s/m]
  std::vector<double> soft_min;         ///< by joint of the arm
  std::vector<double> soft_max;         ///< likewise
  std::vector<bool> board_has_gravity;  ///< its board compensates gravity itself
};

/// Throws ModelError (a frame that isn't there) and std::invalid_argument (a tool that the joints
/// don't move), each with the place in the robot's file.
ArmSetup make_arm_setup(const ArmConfig& arm, const RobotConfig& robot,
                        const std::vector<JointCapabilities>& boards, RobotModel& model);

/// The model's matrices of all joints, worked out once a cycle for all arms.
struct ArmWorkspace {
  explicit ArmWorkspace(std::size_t joint_count);
  FrameJacobian jacobian;   ///< (6, n)
  Eigen::MatrixXd inertia;  ///< (n, n)
  // What acts from outside, by joint of the robot (laws/momentum_observer.h):
  std::vector<double> external;  ///< [N·m or N]
  std::vector<bool> knows_external;
  ArmForces forces;  ///< of the arm whose turn it is, as sensed; external isn't filled in yet
};

/// One arm in mode cartesian: its joints' torques are
///
///     tau = Jᵀ (K e − D V) + posture + gravity + Coriolis + friction + limits + payload
///
/// each a term of its own in the snapshot. The arm runs while all its joints are in mode cartesian,
/// with their motors on and not held; else its joints hold where they are. It starts from where the
/// tool and the joints are, and a change of gains, terms or payload is blended in over
/// JointLaw::kBlendTime, so that nothing jumps.
///
/// Joints of other parts count as held: M and J are those of the arm's joints alone.
///
/// Plain data: copied, saved and restored as it is. All functions are for the cycle.
class ArmControl {
 public:
  explicit ArmControl(const ArmSetup& setup) noexcept;

  /// Does a command for an arm fit it? (control/safety/arm_admission.h)
  /// @param model  of the last update
  [[nodiscard]] Refusal check(const ArmSetup& setup, const Command& command,
                              const RobotModel& model) const noexcept;
  /// One that check() let pass.
  void take(const Command& command) noexcept;
  /// Of set_posture, for one of its joints.
  void set_posture(std::size_t joint, double q) noexcept;
  /// Of the command stop: the target brakes.
  void stop() noexcept;

  /// What an advance() did, for events.
  struct Outcome {
    bool timed_out = false;
    bool arrived = false;
  };

  /// One cycle: what each of the robot's joints that are the arm's is asked for.
  /// @param joints  of the robot
  /// @param orders  of the robot's joints; those of the arm are written
  /// @param speed_override  factor on the speeds of its target
  Outcome advance(const ArmSetup& setup, RobotModel& model, std::span<const JointControl> joints,
                  ArmWorkspace& workspace, std::span<JointControl::ArmOrder> orders,
                  double speed_override, ArmSnapshot& snapshot) noexcept;

  /// That the controller was told of.
  [[nodiscard]] const KnownPayload& payload() const noexcept { return payload_; }

  /// Whether mode cartesian was chosen for all its joints.
  [[nodiscard]] static bool is_chosen(const ArmSetup& setup,
                                      std::span<const JointControl> joints) noexcept;

 private:
  struct Motion;  // of joints and tool in this cycle

  [[nodiscard]] Motion observe(const ArmSetup& setup, RobotModel& model,
                               std::span<const JointControl> joints,
                               ArmWorkspace& workspace) const noexcept;
  void weigh(const ArmSetup& setup, const ArmWorkspace& workspace, Motion& motion) const noexcept;

  static void feel(const ArmSetup& setup, const Motion& motion, const ArmWorkspace& workspace,
                   ArmForces& out) noexcept;
  void describe(const ArmSetup& setup, ArmSnapshot& out) const noexcept;
  [[nodiscard]] bool may_run(const ArmSetup& setup,
                             std::span<const JointControl> joints) const noexcept;
  void begin(const Motion& motion) noexcept;
  void move_target(const ArmSetup& setup, double speed_override, ArmSnapshot& out) noexcept;
  bool count_silence(const ArmSetup& setup) noexcept;
  void pull_tool(const ArmSetup& setup, const Motion& motion, ArmSnapshot& out) noexcept;
  void add_joint_terms(const ArmSetup& setup, const Motion& motion, const RobotModel& model,
                       ArmSnapshot& out) noexcept;
  void carry_payload(const ArmSetup& setup, const RobotModel& model, const Motion& motion,
                     std::span<JointControl::ArmOrder> orders, ArmSnapshot& out) noexcept;
  void order(const ArmSetup& setup, std::span<JointControl::ArmOrder> orders,
             const ArmSnapshot& out) noexcept;

  Matrix6 stiffness_;
  Matrix6 damping_ = Matrix6::Zero();  // where it was given in numbers
  double damping_ratio_;               // 0 where not by a ratio
  ArmTerms terms_;
  KnownPayload payload_;
  KnownPayload payload_was_;
  double payload_left_ = 0.0;  // s of its blend
  ToolGovernor governor_;
  Placement asked_;  // a target for the next cycle that runs
  bool is_asked_ = false;
  Placement target_;  // after the filter
  ArmVector posture_;
  ArmVector tau_;    // of the last cycle, as ordered
  ArmVector blend_;  // still to be blended out at the start of the blend
  double blend_left_ = 0.0;
  double silence_ = 0.0;
  bool streaming_ = false;
  bool timed_out_ = false;
  bool runs_ = false;
  bool changed_ = false;
};

}  // namespace jointrig
