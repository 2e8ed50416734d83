#pragma once

#include <cstdint>
#include <vector>

#include "control/core/gripper.h"
#include "control/core/gripper_commands.h"
#include "control/core/robot_config.h"
#include "control/safety/admission.h"
#include "control/stack/event_reporter.h"
#include "control/stack/external_forces.h"
#include "control/stack/joints.h"

namespace jointrig {

/// Opens, closes and grasps: gives the joints of each gripper their goals, and the torque with
/// which they press (core/gripper.h has the equations).
///
///     moves     towards an opening, as a move of its joints; ends there, or where they stand
///     closes    likewise, towards closed, with the torque of the asked force at most; ends closed
///               (missed) or where they stand (touched)
///     presses   the reference of each joint stays with it, and the torque of the force is added:
///               the stiff law is left with its damping
///
/// They stand: for kStandTime the share has changed by less than kStill of the fastest joint's
/// v_max would change it, while a reference is ahead by more than kAhead of the stroke. By way, not
/// by speed: a step of an encoder looks like a speed. All of these are choices. Functions are for
/// the cycle unless they say otherwise.
class Grippers {
 public:
  static constexpr double kStill = 0.02;
  static constexpr double kStandTime = 0.05;  // s
  static constexpr double kAhead = 0.01;      // of the stroke: arrived within it, too

  enum class Phase : std::uint8_t { kRests, kMoves, kCloses, kPresses };
  struct Hold {
    Phase phase = Phase::kRests;
    /// Its result, until the next command; idle: told by the share alone.
    GripperState came_to = GripperState::kIdle;
    GripperChange goal = GripperChange::kReached;  ///< what arrives
    double share = 0.0;                            ///< goal, or the share with the object
    double force = 0.0;                            ///< [N]
    double least = 0.0;                            ///< width of an object that counts [m]
    double most = 0.0;                             ///< [m]
    double stood = 0.0;                            ///< time for which the joints stand [s]
    double stood_at = 0.0;                         ///< share in which they stand
    bool is_grasped = false;                       ///< it has been told
  };
  /// State that is saved and restored by assignment.
  struct State {
    PerGripper<Hold> holds;
  };

  /// Throws ConfigError. Call before the first cycle.
  explicit Grippers(const RobotConfig& config);

  [[nodiscard]] Refusal examine(const OpenGripper& command, ConstJoints joints) const noexcept;
  [[nodiscard]] Refusal examine(const CloseGripper& command, ConstJoints joints) const noexcept;
  [[nodiscard]] Refusal examine(const MoveGripper& command, ConstJoints joints) const noexcept;
  [[nodiscard]] Refusal examine(const Grasp& command, ConstJoints joints) const noexcept;
  void take(const OpenGripper& command, Joints joints, EventReporter& events) noexcept;
  void take(const CloseGripper& command, Joints joints, EventReporter& events) noexcept;
  void take(const MoveGripper& command, Joints joints, EventReporter& events) noexcept;
  void take(const Grasp& command, Joints joints, EventReporter& events) noexcept;

  /// Another command moves some joints: their grippers have nothing to do any more.
  void leave(const JointSet& joints, EventReporter& events) noexcept;
  /// A stop of some joints ends what their grippers do, but an object that is held stays held.
  void stop(const JointSet& joints, EventReporter& events) noexcept;

  /// One cycle, before the joints' own.
  void advance(Joints joints, const ExternalForces& forces, double dt, EventReporter& events,
               PerGripper<GripperSnapshot>& shown) noexcept;

  /// For a joint, in this cycle.
  [[nodiscard]] const JointControl::Grip& grip(std::size_t joint) const noexcept {
    return grips_[joint];
  }

  [[nodiscard]] const State& state() const noexcept { return state_; }
  void restore(const State& state);

 private:
  struct Goal {
    double share = 0.0;
    double speed = 0.0;  ///< of the width [m/s]; 0: half of what the joints allow
    double force = 0.0;  ///< of a grasp [N]; 0: it is none
  };
  [[nodiscard]] double speed_by(const GripperConfig& gripper, const Goal& goal,
                                ConstJoints joints) const noexcept;
  [[nodiscard]] Refusal examine_motion(GripperIndex index, double speed, std::size_t speed_place,
                                       ConstJoints joints) const noexcept;
  void start(GripperIndex index, const Goal& goal, Joints joints, EventReporter& events) noexcept;
  /// Goals stay inside the soft limits.
  [[nodiscard]] static double goal_of(const GripperJoint& joint, double share,
                                      const JointLimits& limits) noexcept;
  [[nodiscard]] double force_max(const GripperConfig& gripper, ConstJoints joints) const noexcept;
  [[nodiscard]] double default_force(const GripperConfig& gripper,
                                     ConstJoints joints) const noexcept;
  [[nodiscard]] double share_of(const GripperConfig& gripper, ConstJoints joints) const noexcept;
  void watch_stand(std::size_t index, double share, ConstJoints joints, bool must_lag,
                   double dt) noexcept;
  [[nodiscard]] bool are_there(const GripperConfig& gripper, const Hold& hold,
                               ConstJoints joints) const noexcept;
  void follow(std::size_t index, double share, Joints joints, double dt,
              EventReporter& events) noexcept;
  void arrive(std::size_t index, double share, EventReporter& events) noexcept;
  void meet(std::size_t index, double share, Joints joints, EventReporter& events) noexcept;
  void watch_object(std::size_t index, double share, Joints joints, double dt,
                    EventReporter& events) noexcept;
  void give_up(std::size_t index, EventReporter& events) noexcept;
  void rest_with(std::size_t index, GripperState state, Joints joints) noexcept;
  void set_grips(std::size_t index, double share, ConstJoints joints) noexcept;
  void tell(std::size_t index, GripperChange change, double value, double limit,
            EventReporter& events) const noexcept;
  [[nodiscard]] double shown(std::size_t index, double share) const noexcept;

  std::vector<GripperConfig> grippers_;
  std::vector<JointControl::Grip> grips_;  ///< by joint
  PerGripper<double> shares_;              ///< in the last cycle: for events
  State state_;
};

}  // namespace jointrig
