#pragma once
/// Selection of the joints on the screen: by the part of a tab, and by the filter box.

#include <string>
#include <string_view>
#include <vector>

#include "control/core/robot_config.h"
#include "control/core/snapshot.h"

namespace jointrig::gui {

/// The filter is a list of words separated by spaces; all must fit:
///
///     elbow          in the joint's name, or the name of a part it is in
///     mode:torque    its mode, or the beginning of it
///     is:compliant   compliant, stiff, fault, limited, moving
///
/// An unknown `is:` fits nothing. Case is ignored.
bool fits(std::string_view filter, const RobotConfig& config, JointIndex joint,
          const JointSnapshot& snapshot);

/// Joints that fit the filter: those of a part in its order, or all part by part.
/// @param part  index into config.parts; -1: all joints
std::vector<JointIndex> shown_joints(const RobotConfig& config, int part, std::string_view filter,
                                     const Snapshot& snapshot);

}  // namespace jointrig::gui
