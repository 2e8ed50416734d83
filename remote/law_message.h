#pragma once
/// Laws of one's own and the whole-body controller as messages, and back.

#include <string>
#include <vector>

#include "control/core/robot_config.h"
#include "control/core/snapshot.h"

namespace jointrig::remote {

namespace v1 {
class Description;
class State;
}  // namespace v1

/// Laws as they are declared, and the parts of a robot on feet. A client gets no file of theirs.
void write_law_facts(const RobotConfig& robot, v1::Description& message);
/// Joints, and the number of laws, parameters and signals, are those that a robot can have here.
/// @param robot  has its joints
/// Throws std::invalid_argument: more laws, parameters or signals than that.
void read_law_facts(const v1::Description& message, RobotConfig& robot);

void write_laws(const Snapshot& snapshot, const RobotConfig& robot, v1::State& message);
/// Leaves alone what the message has in another number than the robot.
void read_laws(const v1::State& message, const RobotConfig& robot, Snapshot& snapshot);

}  // namespace jointrig::remote
