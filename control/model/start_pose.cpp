#include "control/model/start_pose.h"

#include <vector>

#include "control/model/coupling.h"

namespace jointrig {

void apply_start(const RobotConfig& robot, const NamedState& start, const mjModel& model,
                 mjData& data) {
  apply(start, model, data);
  std::vector<bool> known(static_cast<std::size_t>(model.njnt), false);
  for (const JointConfig& joint : robot.joints) {
    const int id = mj_name2id(&model, mjOBJ_JOINT, joint.name.c_str());
    if (id < 0) throw ModelError(robot.model_path + ": there is no joint \"" + joint.name + "\"");
    data.qpos[model.jnt_qposadr[id]] = joint.q_start;
    known[static_cast<std::size_t>(id)] = true;
  }
  place_followers(model, couplings_of(model, known), data.qpos);
}

}  // namespace jointrig
