#pragma once
/// Builds the simulated world of a robot: its MJCF, the scene around it, plain motors in place of
/// what drove the controlled joints, obstacles, payloads, and all in which the plant differs from
/// the controller's model.

#include <string>
#include <vector>

#include "control/core/robot_config.h"
#include "control/model/mjcf.h"
#include "sim/board/series_spring.h"
#include "sim/world.h"

namespace jointrig::sim {

struct PlantOptions {
  std::vector<ObstacleSpec> obstacles;
  std::vector<std::string> payload_bodies;  ///< bodies that may get a payload while running
  int substeps = 0;  ///< physics steps a cycle; 0: as many as the model's own timestep asks for
};

/// A place for a mass on a body: a massless body of its own, bolted to it.
struct PayloadSlot {
  std::string on;  ///< body that carries it
  int body = -1;   ///< of the slot, in the model
  double mass = 0.0;
  Vector3 centre{};
};

/// A motor that turns behind a spring, and the joint it pulls.
struct PlantSpring {
  std::size_t joint = 0;  ///< in RobotConfig::joints
  SeriesSpring spring{};
  double viscous = 0.0;  ///< damping of the joint itself [N·m·s/rad or N·s/m]
};

struct PlantModel {
  ModelPtr model;
  NamedState start;
  std::vector<int> joints;          ///< MuJoCo's joint number, per RobotConfig::joints
  std::vector<int> joints_before;   ///< of each the next towards the base; -1: none
  std::vector<int> motors;          ///< actuator number, likewise
  std::vector<double> friction;     ///< Coulomb friction without any fault, likewise
  std::vector<int> obstacle_mocap;  ///< mocap number per PlantOptions::obstacles
  std::vector<int> obstacle_bodies;
  std::vector<PlantSpring> springs;   ///< of series elastic joints, by rising joint
  std::vector<PayloadSlot> payloads;  ///< PlantConfig::payloads first, then payload_bodies
  int substeps = 1;
  int base_body = -1;                 ///< of the floating base; -1: bolted down
  std::vector<std::string> warnings;  ///< MuJoCo's
};

/// What the scene's options say (gravity, solver) gives way to the robot's; its keyframes set its
/// own joints. Throws ModelError: files, names (with the nearest right one), joints that are
/// neither hinge nor slide, names that robot and scene both use, springs under an integrator that
/// takes damping explicitly.
PlantModel build_plant_model(const RobotConfig& robot, const PlantOptions& options);

}  // namespace jointrig::sim
