#pragma once
/// Numbers of one arm for its check in mode cartesian, from its configuration and model.

#include <Eigen/Core>
#include <string>
#include <vector>

#include "app/check/checked_joint.h"

namespace jointrig::app {

struct CheckedArm {
  const ArmConfig* config = nullptr;
  std::string name;       ///< as a value in YAML
  std::vector<double> q;  ///< pose in which it is checked, by joint of the arm; empty: its start
  std::string tool;       ///< its signal in an expression, without the axis: "site.tip"
  std::string body;       ///< that carries the tool, as a value in YAML
  Eigen::Vector3d point = Eigen::Vector3d::Zero();     ///< of the tool in that body's frame [m]
  Eigen::Vector3d in_base = Eigen::Vector3d::Zero();   ///< d, along which it goes; of length 1
  Eigen::Vector3d in_world = Eigen::Vector3d::Zero();  ///< the same
  double compliance = 0.0;                             ///< dᵀ K⁻¹ d [m/N]
  double push = 0.0;                                   ///< along d, that the motors can hold [N]
  /// Force along d that the joints' friction holds at most, Σ fᵢ |dqᵢ/ds| [N]
  double friction = 0.0;
  /// Time in which its springs bring the tool from kToolWay off along d to within half of
  /// kToolClose, without dry friction [s]
  double settling = 0.0;
  std::string why_not;  ///< it can't be checked; empty if it can

  /// The way that friction may leave the tool off its target [m]
  [[nodiscard]] double stuck() const noexcept { return friction * compliance; }
  /// The way of the tool along d since a mark, as an expression in m.
  [[nodiscard]] std::string way_since(const std::string& mark) const;
};

/// Width of the zone beside a limit in which the term `limits` acts [rad or m].
double zone_of(const ArmConfig& arm, const JointLimits& limits) noexcept;

/// How deep a joint starts in it, so that the term pushes it out; 0: outside [rad or m].
double depth_in_zone(const ArmConfig& arm, const JointConfig& joint) noexcept;

/// Way of a tool, and most that a push deflects it [m]: choices.
inline constexpr double kToolWay = 0.04;
inline constexpr double kToolDeflection = 0.03;
/// How near a tool has to come to its target beside what friction may hold it off [m]: a choice.
inline constexpr double kToolClose = 0.002;

/// An arm at the robot's start, or, where that is stretched out or beside limits, in the nearest of
/// some poses up to 90° away that it reaches without meeting a body, beside a singularity only
/// where there is no other. The axis of its base along which its tool is moved is the one on which
/// it is lightest, of those along which it has the room to keep its orientation for kToolWay +
/// kToolDeflection. Throws ModelError.
/// @param joints     of the robot, as checked_joints()
/// @param collision  of the robot
CheckedArm checked_arm(const Discovery& found, const ArmConfig& arm,
                       const std::vector<CheckedJoint>& joints, PathCollision& collision);

}  // namespace jointrig::app
