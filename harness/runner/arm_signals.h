#pragma once
/// Signals of arms, by name:
///
///     <arm>.tool|target|goal.x y z qw qx qy qz   poses in its base frame [m]
///     <arm>.offset.x ...                         of the tool in the flange frame, likewise
///     <arm>.error.x y z rx ry rz                 target minus tool, after clipping [m, rad]
///     <arm>.twist.x y z rx ry rz                 of the tool [m/s, rad/s]
///     <arm>.wrench.fx fy fz tx ty tz             of spring, damper and force on the tool [N, N·m]
///     <arm>.force.fx fy fz tx ty tz              asked for, or the limit [N, N·m]
///     <arm>.stiffness.x y z rx ry rz             along its own axes [N/m, N·m/rad]
///     <arm>.interaction  cuff  guide.<state>     0 or 1 (words of GuideState)
///     <arm>.cuff_left  drift                     [s]; predicted at the last grasp [rad or m]
///     <arm>.sensed|sensed_tool.fx fy fz tx ty tz on the tool, by its force sensor: along the axes
///                                                of base or tool [N, N·m]
///     <arm>.external|external_tool.fx ...        from the joints' tau_external, likewise
///     <arm>.sensor_bias.fx ...                   subtracted from the sensor's reading, in its own
///     frame <arm>.sensor_filter                        cut-off of its low-pass [Hz]
///     <arm>.sensor.<state>  taring  knows_external   0 or 1 (words of ForceSensorState)
///     <arm>.drive_wanted|drive_had.x y z rx ry rz   velocity of a driven tool along the base's
///                                                axes, and the part that is had [m/s, rad/s]
///     <arm>.drive_share  drive_left  drives      of the two sizes; of its time [s]; 0 or 1
///     <arm>.payload                              known payload [kg]
///     <arm>.runs  moving  timed_out              0 or 1
///     <arm>.limited.<limit>                      likewise (words of ArmLimit)
///     <joint>.tau_<term>                         of a joint of an arm (words of ArmTerm)

#include <functional>
#include <string>
#include <vector>

#include "control/core/robot_config.h"
#include "control/core/snapshot.h"

namespace jointrig::harness {

struct ArmSignal {
  std::string name;
  std::string unit;
  bool is_truth = false;  ///< 0 or 1
  JointIndex joint = kNoJoint;
  std::function<double(const Snapshot&)> read;
};

/// All signals of a robot's arms.
std::vector<ArmSignal> arm_signals(const RobotConfig& config);

}  // namespace jointrig::harness
