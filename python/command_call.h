#pragma once
/// A command from the arguments of its Python method: names of joints, arms and words become
/// numbers. The method's parameters are the fields of the command's definition
/// (control/core/command_field.h), in their order.

#include <cstddef>
#include <string>
#include <tuple>
#include <vector>

#include "control/core/asked_trajectory.h"
#include "control/core/command.h"
#include "control/core/robot_config.h"
#include "python/bindings.h"

namespace jointrig::python {

/// Throws std::invalid_argument with the command, the field and what would be right. Ranges are the
/// loop's business.
/// @param joints  a name of a joint or a part, "all", or a sequence of them; None: not for joints
/// @param arm  name of an arm; None: not for an arm
/// @param own  the command's own fields
/// @param values  the fields of its values: a number for all joints, or one for each joint as named
[[nodiscard]] Request request_of(CommandKind kind, nb::handle joints, nb::handle arm,
                                 const nb::tuple& own, const nb::tuple& values,
                                 const RobotConfig& robot);

/// Interaction control of waypoints: number of the waypoint from 0, name of the arm, and the
/// command's own fields.
using Interactions = std::vector<std::tuple<std::size_t, std::string, nb::tuple>>;

/// Gives them to the trajectory's waypoints. Throws as request_of().
void add_interactions(const Interactions& interactions, const RobotConfig& robot,
                      AskedTrajectory& asked);

}  // namespace jointrig::python
