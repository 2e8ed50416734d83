#include "control/discovery/survey.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "control/discovery/actuator_facts.h"
#include "control/discovery/discovery.h"
#include "control/discovery/felt_inertia.h"
#include "control/model/start_pose.h"

namespace jointrig {
namespace {

void find_drives(Survey& survey) {
  const mjModel& m = *survey.model;
  survey.drives.resize(static_cast<std::size_t>(m.njnt));
  for (int a = 0; a < m.nactuator; ++a) {
    if (!drives_one_joint(m, a)) continue;
    survey.drives[static_cast<std::size_t>(m.actuator_trnid[2 * a])].push_back(a);
  }
}

void find_controlled(Survey& survey) {
  const mjModel& m = *survey.model;
  for (int j = 0; j < m.njnt; ++j) {
    const std::vector<int>& drives = survey.drives[static_cast<std::size_t>(j)];
    const bool driven =
        std::any_of(drives.begin(), drives.end(), [&](int a) { return !is_damper(m, a); });
    if (driven && survey.controlled.size() < kMaxJoints) survey.controlled.push_back(j);
  }
}

/// Generalised force that holds the pose: bias minus the forces of springs and gravity
/// compensation.
std::vector<double> holding_force(const Survey& survey) {
  const mjModel& m = *survey.model;
  const mjData& d = *survey.data;
  std::vector<double> force(static_cast<std::size_t>(m.nv));
  for (int i = 0; i < m.nv; ++i) {
    force[static_cast<std::size_t>(i)] = d.qfrc_bias[i] - d.qfrc_spring[i] - d.qfrc_gravcomp[i];
  }
  // The motor of a leader carries its followers, scaled by their slope.
  for (auto it = survey.couplings.rbegin(); it != survey.couplings.rend(); ++it) {
    if (it->leader < 0) continue;
    const auto follower = static_cast<std::size_t>(m.jnt_dofadr[it->follower]);
    const auto leader = static_cast<std::size_t>(m.jnt_dofadr[it->leader]);
    force[leader] += it->slope(d.qpos[m.jnt_qposadr[it->leader]]) * force[follower];
  }
  return force;
}

/// Sum of weight times distance for the bodies that a hinge carries, or the weight on a slide.
double carried_load(const mjModel& m, const mjData& d, int joint) {
  const double g = mju_norm3(m.opt.gravity);
  const int root = m.jnt_bodyid[joint];
  if (m.jnt_type[joint] == mjJNT_SLIDE) return g * m.body_subtreemass[root];
  double load = 0.0;
  for (int b = root; b < m.nbody; ++b) {
    int ancestor = b;
    while (ancestor > root) ancestor = m.body_parentid[ancestor];
    if (ancestor != root) continue;
    load += g * m.body_mass[b] * mju_dist3(d.xipos + 3 * b, d.xanchor + 3 * joint);
  }
  return load;
}

}  // namespace

Survey survey_model(const std::string& path, const DiscoveryOptions& options) {
  Survey survey;
  survey.mjcf = load_mjcf(path, options.keyframe);
  if (options.pin_base) pin_base(survey.mjcf);
  // Compiling meshes takes time: an unchanged model is not compiled again.
  survey.model =
      survey.mjcf.pinned.empty() ? std::move(survey.mjcf.as_written) : compile(survey.mjcf);
  survey.data = make_data(*survey.model, path);
  find_drives(survey);
  find_controlled(survey);
  std::vector<bool> known(static_cast<std::size_t>(survey.model->njnt), false);
  for (const int joint : survey.controlled) known[static_cast<std::size_t>(joint)] = true;
  survey.couplings = couplings_of(*survey.model, known);
  return survey;
}

void measure(Survey& survey, const RobotConfig& robot) {
  const mjModel& m = *survey.model;
  apply_start(robot, survey.mjcf.start, m, *survey.data);
  survey.inertia = felt_inertia(m, *survey.data);
  survey.gravity = holding_force(survey);
  survey.load.resize(static_cast<std::size_t>(m.nv), 0.0);
  for (const int joint : survey.controlled) {
    const auto dof = static_cast<std::size_t>(m.jnt_dofadr[joint]);
    survey.load[dof] =
        std::max(std::abs(survey.gravity[dof]), carried_load(m, *survey.data, joint));
  }
}

}  // namespace jointrig
