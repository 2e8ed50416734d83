#include "control/model/shape_reach.h"

#include <algorithm>

namespace jointrig {

std::vector<double> shape_reaches(const CollisionGeometry& geometry, const RobotConfig& robot,
                                  const RobotModel& model) {
  std::vector<double> reach(robot.joints.size(), 0.0);
  for (std::size_t i = 0; i < reach.size(); ++i) {
    const auto joint = static_cast<JointIndex>(i);
    for (const Shape& shape : geometry.shapes) {
      if (!model.is_behind({mjOBJ_BODY, shape.body}, joint)) continue;
      const double far = model.chain_length(joint, shape.body) + shape.centre.norm();
      reach[i] = std::max(reach[i], far + shape.bound());
    }
    if (robot.joints[i].slide && reach[i] > 0.0) reach[i] = 1.0;
  }
  return reach;
}

}  // namespace jointrig
