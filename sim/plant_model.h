#pragma once
/// Builds the simulated world of a robot: its MJCF, the scene around it, plain motors in place of
/// the controlled joints' actuators, obstacles, payloads, and the configured differences from the
/// controller's model.

#include <string>
#include <vector>

#include "control/core/robot_config.h"
#include "control/model/mjcf.h"
#include "sim/board/series_spring.h"
#include "sim/led_joint.h"
#include "sim/world.h"

namespace jointrig::sim {

struct PlantOptions {
  std::vector<ObstacleSpec> obstacles;
  std::vector<std::string> payload_bodies;  ///< bodies that may get a payload while running
  int substeps = 0;                    ///< physics steps a cycle; 0: by the model's own timestep
  Shapes shapes = Shapes::kColliding;  ///< all: to be drawn
};

/// A slot for a mass on a body: a massless body fixed to it.
struct PayloadSlot {
  std::string on;  ///< body that carries it
  int body = -1;   ///< id of the slot in the model
  double mass = 0.0;
  Vector3 centre{};
  LoadInertia inertia{};
};

/// A motor behind a spring, and its joint.
struct PlantSpring {
  std::size_t joint = 0;  ///< index in RobotConfig::joints
  SeriesSpring spring{};
  double viscous = 0.0;  ///< damping of the joint itself [N·m·s/rad or N·s/m]
};

struct PlantModel {
  ModelPtr model;
  NamedState start;
  std::vector<int> joints;          ///< MuJoCo's joint number, per RobotConfig::joints
  std::vector<int> joints_before;   ///< by joint: the next joint towards the base; -1: none
  std::vector<int> motors;          ///< actuator number, per joint
  std::vector<double> friction;     ///< Coulomb friction without any fault, per joint
  std::vector<int> obstacle_mocap;  ///< mocap number per PlantOptions::obstacles
  std::vector<int> obstacle_bodies;
  std::vector<PlantSpring> springs;   ///< of series elastic joints, by rising joint
  std::vector<LedJoint> led;          ///< RobotConfig::elsewhere, by rising joint
  std::vector<PayloadSlot> payloads;  ///< PlantConfig::payloads first, then payload_bodies
  int substeps = 1;
  int base_body = -1;                 ///< floating base; -1: fixed
  std::vector<std::string> warnings;  ///< MuJoCo's
};

/// The robot's options (gravity, solver) override the scene's; the scene's keyframes set its own
/// joints. Throws ModelError: files, names (with the nearest right one), joints that are neither
/// hinge nor slide, names that robot and scene both use, springs under an integrator that takes
/// damping explicitly.
PlantModel build_plant_model(const RobotConfig& robot, const PlantOptions& options);

}  // namespace jointrig::sim
