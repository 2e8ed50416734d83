#pragma once
/// Poses of tools and joint positions that bring them there, on the wire.

#include "control/core/asked_reach.h"
#include "control/core/robot_config.h"

namespace jointrig::remote {

namespace v1 {
class ReachAnswer;
class ReachRequest;
}  // namespace v1

void write_reach(const AskedReach& asked, const RobotConfig& robot, v1::ReachRequest& message);
/// Throws std::invalid_argument with a sentence: no such arm, joint or word, a wrong count. Whether
/// it makes sense is for who answers it.
[[nodiscard]] AskedReach read_reach(const v1::ReachRequest& message, const RobotConfig& robot);

void write_reach_answer(const ReachAnswer& answer, const RobotConfig& robot,
                        v1::ReachAnswer& message);
/// Joints that the robot hasn't are left out.
[[nodiscard]] ReachAnswer read_reach_answer(const v1::ReachAnswer& message,
                                            const RobotConfig& robot);

}  // namespace jointrig::remote
