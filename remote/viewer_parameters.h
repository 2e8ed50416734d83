#pragma once

#include <string>
#include <vector>

#include "control/core/robot_config.h"
#include "control/core/snapshot.h"
#include "remote/viewer_protocol.h"

namespace jointrig::remote {

/// Parameters of the robot for a viewer: speed_override, and of each joint NAME/mode,
/// NAME/interaction, NAME/stiffness and NAME/damping [N·m/rad, N·m·s/rad; of slides N/m, N·s/m].
[[nodiscard]] std::vector<ViewerParameter> viewer_parameters(const RobotConfig& config,
                                                             const Snapshot& now);

/// Those of these names, in the order of `all`; all of them for no names.
[[nodiscard]] std::vector<ViewerParameter> named(const std::vector<ViewerParameter>& all,
                                                 const std::vector<std::string>& names);

}  // namespace jointrig::remote
