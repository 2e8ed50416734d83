#include "control/model/start_pose.h"

#include <algorithm>
#include <vector>

#include "control/model/coupling.h"
#include "control/model/holding_controls.h"
#include "control/model/loop_closure.h"

namespace jointrig {
namespace {

/// True if the keyframe sets controls: MuJoCo fills in zeros for missing values.
bool says_controls(const NamedState& start) {
  return std::any_of(start.ctrl.begin(), start.ctrl.end(), [](const auto& entry) {
    return std::any_of(entry.second.begin(), entry.second.end(),
                       [](double control) { return control != 0.0; });
  });
}

/// Otherwise the first step of physics would pull them together.
void close_loops(const mjModel& model, const std::vector<int>& joints,
                 const std::vector<Coupling>& couplings, mjData& data) {
  constexpr int kSteps = 100;
  LoopClosure loops(model, joints, couplings);
  if (loops.empty()) return;
  mj_kinematics(&model, &data);
  mj_comPos(&model, &data);
  loops.close(model, data, kSteps);
}

}  // namespace

void apply_start(const RobotConfig& robot, const NamedState& start, const mjModel& model,
                 mjData& data) {
  apply(start, model, data);
  std::vector<bool> known(static_cast<std::size_t>(model.njnt), false);
  std::vector<int> joints;
  for (const JointConfig& joint : robot.joints) {
    const int id = mj_name2id(&model, mjOBJ_JOINT, joint.name.c_str());
    if (id < 0) throw ModelError(robot.model_path + ": there is no joint \"" + joint.name + "\"");
    data.qpos[model.jnt_qposadr[id]] = joint.q_start;
    known[static_cast<std::size_t>(id)] = true;
    joints.push_back(id);
  }
  const std::vector<Coupling> couplings = couplings_of(model, known);
  place_followers(model, couplings, data.qpos);
  close_loops(model, joints, couplings, data);
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
