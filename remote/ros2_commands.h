#pragma once
/// Commands of ROS 2 messages. Names of joints are those of the robot; numbers may be in any order
/// of the joints.

#include <optional>
#include <string>

#include "control/core/command.h"
#include "control/core/robot_config.h"
#include "control/core/snapshot.h"
#include "remote/ros2_messages.h"
#include "remote/trajectory.h"

namespace jointrig::remote {

/// Positions are a sample of stream_position, or of velocity where the message has velocities
/// alone. A message that names no joint commands nothing: a sign of life. Throws
/// std::invalid_argument with a sentence.
[[nodiscard]] std::optional<Request> command_of(const JointStateMessage& message,
                                                const RobotConfig& robot);

/// Positions with times; velocities and accelerations where each point has them.
/// Throws std::invalid_argument with a sentence.
[[nodiscard]] Trajectory trajectory_of(const JointTrajectoryMessage& message,
                                       const RobotConfig& robot);

/// Why the joints take no such command in their present modes, and how to get them there; empty
/// if they do.
[[nodiscard]] std::string wrong_mode(CommandKind kind, const JointSet& joints,
                                     const RobotConfig& robot, const Snapshot& now);

}  // namespace jointrig::remote
