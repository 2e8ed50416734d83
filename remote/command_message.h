#pragma once
/// A command as a message, and back, by its definition (control/core/command_field.h): kinds,
/// fields and words by name. Nothing here lists a command.

#include "control/core/command.h"
#include "control/core/robot_config.h"

namespace jointrig::remote {

namespace v1 {
class Command;
class Description;
}  // namespace v1

/// Writes kind, joints, arm and fields.
void write_command(const Request& request, const RobotConfig& robot, v1::Command& message);

/// Throws std::invalid_argument with the command, the field and what would be right. Ranges are the
/// loop's business.
[[nodiscard]] Request read_command(const v1::Command& message, const RobotConfig& robot);

/// Writes what there is to know of every command.
void describe_commands(v1::Description& description);

}  // namespace jointrig::remote
