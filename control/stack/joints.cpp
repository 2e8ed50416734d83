#include "control/stack/joints.h"

#include <algorithm>

namespace jointrig {

PartMates::PartMates(const RobotConfig& config) : mates_(config.joints.size()) {
  for (const PartConfig& part : config.parts) {
    for (const JointIndex joint : part.joints) {
      for (const JointIndex other : part.joints) {
        auto& known = mates_[joint];
        const bool is_new = std::find(known.begin(), known.end(), other) == known.end();
        if (other != joint && is_new) known.push_back(other);
      }
    }
  }
}

void PartMates::hold(std::size_t joint, JointActivity why, Joints joints) const noexcept {
  joints.controls[joint].hold(why, joints.setups[joint]);
  for (const JointIndex mate : mates_[joint]) {
    joints.controls[mate].hold(why, joints.setups[mate]);
  }
}

}  // namespace jointrig
