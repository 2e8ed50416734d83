#include "remote/viewer_parameters.h"

#include <algorithm>
#include <iterator>

#include "control/core/modes.h"

namespace jointrig::remote {

std::vector<ViewerParameter> viewer_parameters(const RobotConfig& config, const Snapshot& now) {
  std::vector<ViewerParameter> all{{"speed_override", now.speed_override}};
  for (std::size_t i = 0; i < std::min(config.joints.size(), now.joints.size()); ++i) {
    const std::string& name = config.joints[i].name;
    const JointSnapshot& joint = now.joints[i];
    all.push_back({name + "/mode", std::string(to_string(joint.mode))});
    all.push_back({name + "/interaction", std::string(to_string(joint.interaction))});
    all.push_back({name + "/stiffness", joint.stiffness});
    all.push_back({name + "/damping", joint.damping});
  }
  return all;
}

std::vector<ViewerParameter> named(const std::vector<ViewerParameter>& all,
                                   const std::vector<std::string>& names) {
  if (names.empty()) return all;
  std::vector<ViewerParameter> found;
  std::copy_if(all.begin(), all.end(), std::back_inserter(found), [&](const ViewerParameter& one) {
    return std::find(names.begin(), names.end(), one.name) != names.end();
  });
  return found;
}

}  // namespace jointrig::remote
