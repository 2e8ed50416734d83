#include "control/model/robot_mjcf.h"

#include <algorithm>

namespace jointrig {

void set_gravity(Mjcf& mjcf, const std::array<double, 3>& gravity) {
  std::copy(gravity.begin(), gravity.end(), mjcf.spec->option.gravity);
  if (mjcf.as_written) {  // moved from by those who need no other model
    std::copy(gravity.begin(), gravity.end(), mjcf.as_written->opt.gravity);
  }
}

Mjcf robot_mjcf(const RobotConfig& robot, Shapes shapes) {
  Mjcf mjcf = load_mjcf(robot.model_path, robot.keyframe, robot.package_path, shapes);
  if (robot.pin_base) pin_base(mjcf);
  if (robot.gravity) set_gravity(mjcf, *robot.gravity);
  return mjcf;
}

}  // namespace jointrig
