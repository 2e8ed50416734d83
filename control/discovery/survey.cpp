#include "control/discovery/survey.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "control/discovery/actuator_facts.h"
#include "control/discovery/discovery.h"
#include "control/discovery/felt_inertia.h"
#include "control/model/robot_mjcf.h"
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

/// Hinges and slides that nothing drives, moves or ties to another joint, and no base floats on.
std::vector<std::string> undriven_joints(const Survey& survey) {
  const mjModel& m = *survey.model;
  std::vector<bool> free(static_cast<std::size_t>(m.njnt), true);
  for (int j = 0; j < m.njnt; ++j) {
    const bool one_axis = m.jnt_type[j] == mjJNT_HINGE || m.jnt_type[j] == mjJNT_SLIDE;
    free[static_cast<std::size_t>(j)] = one_axis &&
                                        survey.drives[static_cast<std::size_t>(j)].empty() &&
                                        !floats_on_slides(m, m.jnt_bodyid[j]);
  }
  for (int a = 0; a < m.nactuator; ++a) {
    for (const int j : joints_moved_by(m, *survey.data, a))
      free[static_cast<std::size_t>(j)] = false;
  }
  for (int e = 0; e < m.neq; ++e) {
    if (m.eq_type[e] == mjEQ_JOINT && m.eq_active0[e]) {
      free[static_cast<std::size_t>(m.eq_obj1id[e])] = false;
    }
  }
  std::vector<std::string> names;
  for (int j = 0; j < m.njnt; ++j) {
    if (free[static_cast<std::size_t>(j)]) names.push_back(name_of(m, mjOBJ_JOINT, j));
  }
  return names;
}

/// Gives each of them a plain motor, without limits of its own.
void give_motors(Survey& survey, const std::vector<std::string>& joints) {
  for (const std::string& joint : joints) {
    mjsActuator* motor = mjs_addActuator(survey.mjcf.spec.get(), nullptr);
    mjs_setName(motor->element, ("motor of " + joint).c_str());
    mjs_setString(motor->target, joint.c_str());
    motor->trntype = mjTRN_JOINT;
    motor->ctrllimited = motor->forcelimited = mjLIMITED_FALSE;
    mjs_setToMotor(motor);
  }
  survey.model = compile(survey.mjcf);
  survey.data = make_data(*survey.model, survey.mjcf.path);
  survey.drives.clear();
  find_drives(survey);
  for (const std::string& joint : joints) {
    const int id = mj_name2id(survey.model.get(), mjOBJ_JOINT, joint.c_str());
    survey.given_motor[static_cast<std::size_t>(id)] = true;
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

/// Adds what the motors of loops carry of their passive joints.
void add_passive(const Survey& survey, mjData& d, std::vector<double>& force) {
  const mjModel& m = *survey.model;
  const std::vector<Mover> movers = movers_of(m, survey.controlled, survey.couplings, d.qpos);
  LoopClosure loops = survey.loops;
  loops.find_slopes(m, d, movers);
  for (int dof = 0; dof < m.nv; ++dof) {
    const int row = loops.row_of(dof);
    if (row < 0) continue;
    for (std::size_t i = 0; i < survey.controlled.size(); ++i) {
      const auto driven = static_cast<std::size_t>(m.jnt_dofadr[survey.controlled[i]]);
      force[driven] +=
          loops.slopes()(row, static_cast<Eigen::Index>(i)) * force[static_cast<std::size_t>(dof)];
    }
  }
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
  survey.mjcf = load_mjcf(path, options.keyframe, options.packages);
  if (options.pin_base) pin_base(survey.mjcf);
  if (options.gravity) set_gravity(survey.mjcf, *options.gravity);
  // Compiling meshes takes time: an unchanged model is not compiled again.
  survey.model =
      survey.mjcf.pinned.empty() ? std::move(survey.mjcf.as_written) : compile(survey.mjcf);
  survey.data = make_data(*survey.model, path);
  find_drives(survey);
  survey.given_motor.resize(static_cast<std::size_t>(survey.model->njnt), false);
  if (options.motors || survey.mjcf.is_urdf) {          // a URDF can't state any
    mj_forward(survey.model.get(), survey.data.get());  // what actuators over tendons move
    const std::vector<std::string> joints = undriven_joints(survey);
    if (!joints.empty()) give_motors(survey, joints);
  }
  find_controlled(survey);
  std::vector<bool> known(static_cast<std::size_t>(survey.model->njnt), false);
  for (const int joint : survey.controlled) known[static_cast<std::size_t>(joint)] = true;
  survey.couplings = couplings_of(*survey.model, known);
  survey.loops = LoopClosure(*survey.model, survey.controlled, survey.couplings);
  return survey;
}

std::vector<double> holding_force(const Survey& survey, mjData& d) {
  const mjModel& m = *survey.model;
  std::vector<double> force(static_cast<std::size_t>(m.nv));
  for (int i = 0; i < m.nv; ++i) {
    force[static_cast<std::size_t>(i)] = d.qfrc_bias[i] - d.qfrc_spring[i] - d.qfrc_gravcomp[i];
  }
  if (!survey.loops.empty()) add_passive(survey, d, force);
  // The motor of a leader carries its followers, scaled by their slope.
  for (auto it = survey.couplings.rbegin(); it != survey.couplings.rend(); ++it) {
    if (it->leader < 0) continue;
    const auto follower = static_cast<std::size_t>(m.jnt_dofadr[it->follower]);
    const auto leader = static_cast<std::size_t>(m.jnt_dofadr[it->leader]);
    force[leader] += it->slope(d.qpos[m.jnt_qposadr[it->leader]]) * force[follower];
  }
  return force;
}

bool has_floating_base(const mjModel& model, int joint) {
  const int root = model.body_rootid[model.jnt_bodyid[joint]];
  const bool freely =
      model.body_jntnum[root] > 0 && model.jnt_type[model.body_jntadr[root]] == mjJNT_FREE;
  return freely || floats_on_slides(model, root);
}

void measure(Survey& survey, const RobotConfig& robot) {
  const mjModel& m = *survey.model;
  apply_start(robot, survey.mjcf.start, m, *survey.data);
  survey.inertia = felt_inertia(m, *survey.data);
  survey.loop_gap = survey.loops.close(m, *survey.data, 0);
  survey.gravity = holding_force(survey, *survey.data);
  survey.load.resize(static_cast<std::size_t>(m.nv), 0.0);
  for (const int joint : survey.controlled) {
    const auto dof = static_cast<std::size_t>(m.jnt_dofadr[joint]);
    survey.load[dof] =
        std::max(std::abs(survey.gravity[dof]), carried_load(m, *survey.data, joint));
  }
}

}  // namespace jointrig
