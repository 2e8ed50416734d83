#pragma once
/// Limits of a joint that the model doesn't define. All numbers here are choices.

#include "control/core/robot_config.h"

namespace jointrig {

/// Facts about a joint from which its limits follow.
struct JointFacts {
  bool slide = false;
  double q_min = 0.0;  ///< may be infinite
  double q_max = 0.0;
  double q_start = 0.0;   ///< within q_min..q_max
  double v_max = 0.0;     ///< 0: default_speed
  double tau_max = 0.0;   ///< 0: unknown
  double inertia = 0.0;   ///< inertia that the motor feels in a usual pose
  double load = 0.0;      ///< bound of gravity's torque
  double friction = 0.0;  ///< Coulomb, plus viscous at full speed, plus springs at the ends
};

/// Speed that crosses the range in half a second, 0.5..2 rad/s or 0.02..0.25 m/s.
double default_speed(const JointFacts& joint) noexcept;

/// The same for a joint whose motor's torque and inertia are known: at least the speed that its
/// torque gives its inertia in 5 ms, up to 2π rad/s. That is the time in which a motor answers, so
/// that nothing could keep a slower limit against a push. Slides keep default_speed().
/// @param inertia  of the motor, its gear and the links that it turns [kg·m²]
double default_speed(const JointFacts& joint, double inertia) noexcept;

/// True if no motor turns a joint at this speed, so that it stands for "no limit" or is of another
/// unit: 100 rad/s, which files write for none, or more, or a slide that crosses its whole range in
/// less than 20 ms.
bool is_no_speed_limit(const JointFacts& joint, double v_max) noexcept;

/// Twice the torque of load, friction and ten times the default acceleration.
double estimated_torque(const JointFacts& joint) noexcept;

/// True if no motor of this robot has such a torque, so that it stands for "no limit": 300 times
/// what the robot's strongest joint is estimated to need, or more (a choice).
/// @param strongest  largest estimated_torque() of joints of the same kind [N·m or N]
bool is_no_torque_limit(double tau_max, double strongest) noexcept;

/// True if no motor would be built with so little torque for its joint: its weight takes three
/// times as much in some pose, or more (a choice: published arms take up to 2.3 times, a heavy one
/// under water).
/// @param weight  the most that the joint's weight takes [N·m or N]
bool is_too_little_torque(double tau_max, double weight) noexcept;

/// Estimated torque of a hinge that another hinge carries, alone: at least a tenth of that one's (a
/// choice; of published arms the last wrist joint has at least a ninth of the shoulder's). A bare
/// flange needs next to none, but a motor is chosen for what a hand or a tool adds.
/// @param carrier  torque limit of the hinge before it; 0: none, or it carries others, too [N·m]
double estimated_torque(const JointFacts& joint, double carrier) noexcept;

/// Inertia of a motor with its gear at the joint, where a model states none: it reaches v_max in
/// 5 ms by its torque [kg·m² or kg].
///
/// Known drives have J v/τ of 4 to 53 ms (Unitree G1 4 to 19, Franka FR3 12 to 45, Harmonic Drive
/// SHA20A about 53): a lower bound. Without any, a joint of a light wrist would be shaken by a
/// torque that its motor can't have.
double plausible_armature(const JointLimits& limits) noexcept;

/// Returns all limits; requires `joint.tau_max`.
JointLimits default_limits(const JointFacts& joint) noexcept;

}  // namespace jointrig
