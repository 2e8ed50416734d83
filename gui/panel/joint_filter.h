#pragma once
/// Which joints are on the screen: the part of a tab, and what stands in the filter box.

#include <string>
#include <string_view>
#include <vector>

#include "control/core/robot_config.h"
#include "control/core/snapshot.h"

namespace jointrig::gui {

/// Words with spaces between them, all of which have to fit:
///
///     elbow          in the joint's name, or the name of a part it is in
///     mode:torque    its mode, or the beginning of it
///     is:compliant   compliant, stiff, fault, limited, moving
///
/// An unknown `is:` fits nothing. Case doesn't count.
bool fits(std::string_view filter, const RobotConfig& config, JointIndex joint,
          const JointSnapshot& snapshot);

/// Joints that fit the filter: of a part in its order, or of the robot part by part.
/// @param part  index into config.parts; -1: all joints
std::vector<JointIndex> shown_joints(const RobotConfig& config, int part, std::string_view filter,
                                     const Snapshot& snapshot);

}  // namespace jointrig::gui
