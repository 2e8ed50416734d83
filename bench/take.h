#pragma once
/// A tenth of a second of a robot at work, recorded once, then replayed by the measurements: what
/// was sensed, what was asked, what was sent, and the state to begin again from.
///
/// Joint by joint the robot goes through the modes: position (stiff, then compliant),
/// position_direct, velocity, mixed, torque, openloop. One streamed command comes each cycle, to
/// all joints of one of these modes; gravity is compensated.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/rig/rig.h"

namespace jointrig::bench {

struct TakeCycle {
  Command asked;                       ///< in the inbox before this cycle
  RobotState state;                    ///< read
  RobotCommand sent;                   ///< written
  std::vector<sim::JointTruth> truth;  ///< where the joints are
  std::vector<double> torques;         ///< of the motors in the period before
};

struct Take {
  std::string name;
  RobotConfig config;
  BackendDescription backend;
  std::vector<JointCapabilities> boards;
  std::optional<sim::SimBackend::State> plant_before;  ///< the first cycle
  Stack::State stack_before;
  std::vector<TakeCycle> cycles;
};

/// @param robot  as `jointrig run` takes it: a name, a robot.yaml or an MJCF
/// Throws what find_robot, load_robot and Rig do; std::runtime_error where the robot doesn't do as
/// it should, since then its cycles are no measure.
std::shared_ptr<const Take> record_take(const std::string& name, const std::string& robot);

/// The same with the robot's first arm in mode cartesian, the other joints in position: all terms
/// are switched on, a payload is carried, the posture is some way off, and each cycle brings a
/// target on a circle of 3 cm. Throws std::runtime_error where the robot has no arm, too.
std::shared_ptr<const Take> record_arm_take(const std::string& name, const std::string& robot);

/// The robot on its feet on a floor, in mode torque under its whole-body controller: each cycle
/// brings a place for its centre of mass on a circle of 1 cm. Throws std::runtime_error where the
/// robot has no whole_body, too.
std::shared_ptr<const Take> record_standing_take(const std::string& name, const std::string& robot);

}  // namespace jointrig::bench
