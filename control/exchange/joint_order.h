#pragma once

#include <string_view>
#include <vector>

#include "control/exchange/robot_client.h"

namespace jointrig {

/// The joints of a name as joints_named(), in the order in which a person counts them: a part's own
/// order. Throws UnknownName.
inline std::vector<JointIndex> joints_in_order(const RobotConfig& config, std::string_view name) {
  const JointSet named = joints_named(config, name);
  for (const PartConfig& part : config.parts) {
    if (part.name == name && named.count() == part.joints.size()) return part.joints;
  }
  std::vector<JointIndex> joints;
  for (std::size_t joint = 0; joint < config.joints.size(); ++joint) {
    if (named.test(joint)) joints.push_back(static_cast<JointIndex>(joint));
  }
  return joints;
}

}  // namespace jointrig
