#pragma once
/// A model in its start pose, with data that several parts of a discovery need.

#include <vector>

#include "control/core/robot_config.h"
#include "control/model/coupling.h"
#include "control/model/loop_closure.h"
#include "control/model/mjcf.h"

namespace jointrig {

struct Survey {
  Mjcf mjcf;
  ModelPtr model;  ///< base fixed if asked for, actuators as written
  DataPtr data;    ///< at the start pose, at rest, after mj_forward

  std::vector<std::vector<int>> drives;  ///< by joint id: actuators that drive it directly
  std::vector<bool> given_motor;         ///< by joint id: it got a motor because that was asked for
  std::vector<int> controlled;           ///< joint ids, in the model's order
  std::vector<Coupling> couplings;       ///< couplings of the followers of controlled joints

  LoopClosure loops;      ///< that the controlled joints move
  double loop_gap = 0.0;  ///< of the loops in the start pose [m]

  std::vector<double> inertia;  ///< by dof: inertia that its motor feels
  std::vector<double> gravity;  ///< by dof: torque that holds the start pose, followers included
  std::vector<double> load;     ///< by dof: bound of that torque over all poses
};

struct DiscoveryOptions;

/// Opens the model and finds the controlled joints; the start pose is the model's own.
Survey survey_model(const std::string& path, const DiscoveryOptions& options);

/// Generalised force that holds a pose at rest, by dof: bias minus the forces of springs and
/// gravity compensation. The motor of a leader carries its followers, too, and the motors of a loop
/// its passive joints.
/// @param data  at rest in that pose, with these forces computed; its mass matrix is computed anew
std::vector<double> holding_force(const Survey& survey, mjData& data);

/// True if the joint's base floats, freely or on slides: its load then depends on the support.
bool has_floating_base(const mjModel& model, int joint);

/// Sets the model to the robot's start pose and computes inertia, gravity and load there.
void measure(Survey& survey, const RobotConfig& robot);

}  // namespace jointrig
