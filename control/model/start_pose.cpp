#include "control/model/start_pose.h"

#include <algorithm>
#include <vector>

#include "control/model/coupling.h"
#include "control/model/holding_controls.h"

namespace jointrig {
namespace {

/// True if the keyframe sets controls: MuJoCo fills in zeros for missing values.
bool says_controls(const NamedState& start) {
  return std::any_of(start.ctrl.begin(), start.ctrl.end(), [](const auto& entry) {
    return std::any_of(entry.second.begin(), entry.second.end(),
                       [](double control) { return control != 0.0; });
  });
}

}  // namespace

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
  const std::vector<Coupling> couplings = couplings_of(model, known);
  place_followers(model, couplings, data.qpos);
  if (says_controls(start)) return;
  std::vector<bool> held(static_cast<std::size_t>(model.nv), false);
  const auto hold = [&](int joint) {
    held[static_cast<std::size_t>(model.jnt_dofadr[joint])] = true;
  };
  for (int j = 0; j < model.njnt; ++j) {
    if (known[static_cast<std::size_t>(j)]) hold(j);
  }
  for (const Coupling& coupling : couplings) hold(coupling.follower);
  hold_by_controls(model, data, held);
}

RobotState state_at_start(const RobotConfig& robot) {
  RobotState state;
  for (const JointConfig& joint : robot.joints) state.joints.push_back({.q = joint.q_start});
  return state;
}

}  // namespace jointrig
