#include "control/model/robot_model.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "control/core/board_defaults.h"
#include "control/core/nearest_word.h"
#include "control/core/sane.h"
#include "control/model/bare_model.h"
#include "control/model/robot_mjcf.h"
#include "control/model/start_pose.h"

namespace jointrig {
namespace {

constexpr int kStepsAtStart = 100;  // to close loops
constexpr int kStepsInCycle = 4;    // from those of the cycle before
constexpr int kStepsElsewhere = 20;

std::vector<std::string> names_of(const mjModel& m, mjtObj type, int count) {
  std::vector<std::string> names;
  for (int i = 0; i < count; ++i) names.push_back(name_of(m, type, i));
  return names;
}

int find_joint(const mjModel& m, const RobotConfig& robot, const std::string& name) {
  const int id = mj_name2id(&m, mjOBJ_JOINT, name.c_str());
  if (id < 0) {
    throw ModelError(robot.model_path + ": there is no joint \"" + name + "\"" +
                     did_you_mean(name, names_of(m, mjOBJ_JOINT, static_cast<int>(m.njnt))));
  }
  if (m.jnt_type[id] != mjJNT_HINGE && m.jnt_type[id] != mjJNT_SLIDE) {
    throw ModelError(robot.model_path + ": joint \"" + name + "\" is neither hinge nor slide");
  }
  return id;
}

/// Sites with a force and a torque sensor.
std::vector<std::string> sensing_sites(const mjModel& m) {
  const auto has = [&](mjtSensor type, int site) {
    for (int s = 0; s < m.nsensor; ++s) {
      if (m.sensor_type[s] == type && m.sensor_objid[s] == site) return true;
    }
    return false;
  };
  std::vector<std::string> sites;
  for (int site = 0; site < m.nsite; ++site) {
    if (has(mjSENS_FORCE, site) && has(mjSENS_TORQUE, site)) {
      sites.push_back(name_of(m, mjOBJ_SITE, site));
    }
  }
  return sites;
}

/// True if mj_passive gives forces at rest.
bool has_passive_forces(const mjModel& m) {
  const auto any = [](const mjtNum* values, mjtSize count) {
    return std::any_of(values, values + count, [](double value) { return value != 0.0; });
  };
  return any(m.jnt_stiffness, m.njnt) || any(m.jnt_stiffnesspoly, m.njnt * mjNPOLY) ||
         any(m.body_gravcomp, m.nbody) || any(m.tendon_stiffness, m.ntendon);
}

/// Largest |slope| over the range of the leader.
double steepest(const mjModel& model, const Coupling& coupling) {
  constexpr int kSamples = 200;  // of a polynomial of the fourth degree: within a percent
  constexpr double kRoom = 1.01;
  const bool is_linear = coupling.c[2] == 0.0 && coupling.c[3] == 0.0 && coupling.c[4] == 0.0;
  if (is_linear) return std::abs(coupling.c[1]);
  if (!model.jnt_limited[coupling.leader]) return std::numeric_limits<double>::infinity();
  const mjtNum* range = model.jnt_range + 2 * coupling.leader;
  double most = 0.0;
  for (int i = 0; i <= kSamples; ++i) {
    const double q = range[0] + i * (range[1] - range[0]) / kSamples;
    most = std::max(most, kRoom * std::abs(coupling.slope(q)));
  }
  return most;
}

}  // namespace

RobotModel::RobotModel(const RobotConfig& robot) {
  Mjcf mjcf = robot_mjcf(robot);
  const ModelPtr whole = mjcf.pinned.empty() ? std::move(mjcf.as_written) : compile(mjcf);
  std::vector<bool> known(static_cast<std::size_t>(whole->njnt), false);
  for (const JointConfig& joint : robot.joints) {
    const int id = find_joint(*whole, robot, joint.name);
    known[static_cast<std::size_t>(id)] = true;
    joints_.push_back({whole->jnt_qposadr[id], whole->jnt_dofadr[id], id});
    const int root = whole->body_rootid[whole->jnt_bodyid[id]];
    const int first = whole->body_jntadr[root];
    if (first >= 0 && whole->jnt_type[first] == mjJNT_FREE) {
      base_ = {whole->jnt_qposadr[first], whole->jnt_dofadr[first], first};
    }
  }
  couplings_ = couplings_of(*whole, known);
  std::vector<int> ids;
  for (const Address& joint : joints_) ids.push_back(joint.joint);
  ties_ = ties_between(*whole, ids);
  loops_ = LoopClosure(*whole, ids, couplings_);
  force_torque_sites_ = sensing_sites(*whole);

  model_ = compile_bare(mjcf, *whole);
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    mjtNum& armature = model_->dof_armature[joints_[i].dof];
    armature = felt_armature(robot.joints[i].board, armature);
  }
  // MuJoCo takes the inertia of a lone body on slides for a constant; armature and loads change it.
  std::fill_n(model_->dof_simplenum, model_->nv, 0);
  model_->opt.enableflags &= ~mjENBL_SLEEP;  // compute a pose that doesn't change, too
  data_ = make_data(*model_, robot.model_path);
  elsewhere_ = make_data(*model_, robot.model_path);
  apply_start(robot, mjcf.start, *model_, *data_);
  place_followers(*model_, couplings_, data_->qpos);
  mj_kinematics(model_.get(), data_.get());
  mj_comPos(model_.get(), data_.get());
  loops_.close(*model_, *data_, kStepsAtStart);
  loops_elsewhere_ = loops_;
  has_passive_forces_ = has_passive_forces(*model_);

  force_.resize(static_cast<std::size_t>(model_->nv));
  rest_.resize(force_.size());
  load_rest_.resize(force_.size());
  gravity_.resize(joints_.size());
  for (auto* of_joints :
       {&coriolis_, &momentum_, &energy_gradient_, &momentum_change_, &carried_gravity_}) {
    of_joints->resize(joints_.size());
  }
  motor_inertia_.assign(model_->dof_armature, model_->dof_armature + model_->nv);
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const bool has_spring = robot.joints[i].board.spring_stiffness > 0.0;
    if (has_spring) motor_inertia_[static_cast<std::size_t>(joints_[i].dof)] = 0.0;
  }
  body_momentum_.resize(static_cast<std::size_t>(model_->nbody));
  body_load_.resize(body_momentum_.size());
  body_weight_.resize(body_momentum_.size());
  movers_.resize(force_.size());
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    movers_[static_cast<std::size_t>(joints_[i].dof)] = {static_cast<int>(i), 1.0};
  }
  hold_pose();
}

void RobotModel::update(const RobotState& state) noexcept {
  const std::size_t count = std::min(joints_.size(), state.joints.size());
  for (std::size_t i = 0; i < count; ++i) {
    const double q = state.joints[i].q;
    if (is_sane(q)) data_->qpos[joints_[i].q] = q;
  }
  if (base_.q >= 0) place_base(state.base);
  place_followers(*model_, couplings_, data_->qpos);
  hold_pose();
}

void RobotModel::look_elsewhere(std::span<const JointIndex> joints,
                                std::span<const double> q) noexcept {
  std::copy_n(data_->qpos, model_->nq, elsewhere_->qpos);
  for (std::size_t i = 0; i < joints.size(); ++i) {
    if (is_sane(q[i])) elsewhere_->qpos[joints_[joints[i]].q] = q[i];
  }
  place_followers(*model_, couplings_, elsewhere_->qpos);
  mj_kinematics(model_.get(), elsewhere_.get());
  if (loops_elsewhere_.empty()) return;
  mj_comPos(model_.get(), elsewhere_.get());
  loops_elsewhere_.close(*model_, *elsewhere_, kStepsElsewhere);
}

FramePose RobotModel::pose_elsewhere(FrameId frame) const noexcept {
  return pose_in(*elsewhere_, frame);
}

void RobotModel::place_base(const BaseState& base) noexcept {
  if (!is_sane(base)) return;
  std::copy(base.position.begin(), base.position.end(), data_->qpos + base_.q);
  std::copy(base.orientation.begin(), base.orientation.end(), data_->qpos + base_.q + 3);
}

void RobotModel::hold_pose() noexcept {
  mj_kinematics(model_.get(), data_.get());
  mj_comPos(model_.get(), data_.get());
  loops_.close(*model_, *data_, kStepsInCycle);
  weigh_bodies();
  if (!carried_.empty()) take_up_loads();
  force_ = rest_;
  if (has_passive_forces_) {
    if (model_->ntendon > 0) mj_tendon(model_.get(), data_.get());
    mj_passive(model_.get(), data_.get());
    for (std::size_t i = 0; i < force_.size(); ++i) {
      force_[i] -= data_->qfrc_spring[i] + data_->qfrc_gravcomp[i];
    }
  }
  for (const Coupling& coupling : couplings_) {
    if (coupling.leader < 0) continue;
    const double slope = coupling.slope(data_->qpos[model_->jnt_qposadr[coupling.leader]]);
    const Mover& leader = movers_[static_cast<std::size_t>(model_->jnt_dofadr[coupling.leader])];
    movers_[static_cast<std::size_t>(model_->jnt_dofadr[coupling.follower])] = {
        leader.joint, slope * leader.slope};
  }
  if (!loops_.empty()) loops_.find_slopes(*model_, *data_, movers_);
  add_up(force_, gravity_);
  if (!carried_.empty()) add_up(load_rest_, carried_gravity_);
}

/// A motor carries its followers, scaled by their slope: Tᵀ f, with T the velocities of all degrees
/// of freedom per velocity of the robot's joints.
void RobotModel::add_up(std::span<const double> by_dof, std::span<double> by_joint) noexcept {
  std::fill(by_joint.begin(), by_joint.end(), 0.0);
  for (std::size_t dof = 0; dof < by_dof.size(); ++dof) {
    for_movers(dof,
               [&](std::size_t joint, double slope) { by_joint[joint] += slope * by_dof[dof]; });
  }
}

void RobotModel::update_velocities(const RobotState& state) noexcept {
  for (std::size_t dof = 0; dof < movers_.size(); ++dof) {
    double sum = 0.0;
    bool is_moved = false;
    for_movers(dof, [&](std::size_t joint, double slope) {
      if (joint >= state.joints.size()) return;
      const double v = state.joints[joint].v;
      const double share = is_sane(v) ? slope * v : 0.0;
      sum = is_moved ? sum + share : share;
      is_moved = true;
    });
    if (is_moved) data_->qvel[dof] = sum;
  }
  mj_comVel(model_.get(), data_.get());
  if (!loops_.empty()) loops_.find_slope_rates(*model_, *data_, movers_);
}

/// Loops accelerate their passive joints at constant speeds of the robot's: by dT/dt v.
void RobotModel::update_coriolis() noexcept {
  if (loops_.empty()) {
    mj_rne(model_.get(), data_.get(), 0, force_.data());
  } else {
    mju_zero(data_->qacc, model_->nv);
    for (std::size_t dof = 0; dof < force_.size(); ++dof) {
      const int row = loops_.row_of(static_cast<int>(dof));
      if (row < 0) continue;
      for (std::size_t i = 0; i < joints_.size(); ++i) {
        data_->qacc[dof] +=
            loops_.slope_rates()(row, static_cast<Eigen::Index>(i)) * data_->qvel[joints_[i].dof];
      }
    }
    mj_rne(model_.get(), data_.get(), 1, force_.data());
    for (std::size_t dof = 0; dof < force_.size(); ++dof) {
      force_[dof] += model_->dof_armature[dof] * data_->qacc[dof];
    }
  }
  for (std::size_t i = 0; i < force_.size(); ++i) force_[i] -= rest_[i] + load_rest_[i];
  add_up(force_, coriolis_);
}

FrameId RobotModel::mount_of(JointIndex joint) const noexcept {
  return {mjOBJ_BODY, model_->body_parentid[model_->jnt_bodyid[joints_[joint].joint]]};
}

int RobotModel::body_of(FrameId frame) const noexcept {
  return frame.type == mjOBJ_SITE ? model_->site_bodyid[frame.id] : frame.id;
}

bool RobotModel::has_force_torque(std::string_view site) const noexcept {
  return std::find(force_torque_sites_.begin(), force_torque_sites_.end(), site) !=
         force_torque_sites_.end();
}

bool RobotModel::hangs_on(FrameId frame, FrameId on) const noexcept {
  const int wanted = body_of(on);
  int body = body_of(frame);
  while (body > 0 && body != wanted) body = model_->body_parentid[body];
  return body == wanted;
}

RobotModel::Hanging RobotModel::hanging_on(FrameId frame) const noexcept {
  const int body = body_of(frame);
  return {model_->body_subtreemass[body],
          Eigen::Map<const Eigen::Vector3d>(data_->subtree_com + 3 * body)};
}

bool RobotModel::is_behind(FrameId frame, JointIndex joint) const noexcept {
  const int moved = model_->jnt_bodyid[joints_[joint].joint];
  int body = body_of(frame);
  while (body > 0 && body != moved) body = model_->body_parentid[body];
  return body == moved;
}

Eigen::Vector3d RobotModel::free_fall() const noexcept {
  const Eigen::Map<const Eigen::Vector3d> gravity(model_->opt.gravity);
  const bool is_off = (model_->opt.disableflags & mjDSBL_GRAVITY) != 0;
  return is_off ? Eigen::Vector3d::Zero() : Eigen::Vector3d(gravity);
}

void RobotModel::set_free_fall(const Eigen::Vector3d& gravity) noexcept {
  Eigen::Map<Eigen::Vector3d>(model_->opt.gravity) = gravity;
  model_->opt.disableflags &= ~mjDSBL_GRAVITY;
}

FramePose RobotModel::pose_in(const mjData& data, FrameId frame) noexcept {
  const bool is_site = frame.type == mjOBJ_SITE;
  const mjtNum* position = (is_site ? data.site_xpos : data.xpos) + 3 * frame.id;
  const mjtNum* rotation = (is_site ? data.site_xmat : data.xmat) + 9 * frame.id;
  return {Eigen::Map<const Eigen::Vector3d>(position),
          Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(rotation)};
}

FramePose RobotModel::pose(FrameId frame) const noexcept { return pose_in(*data_, frame); }

Eigen::Vector3d RobotModel::anchor(JointIndex joint) const noexcept {
  return Eigen::Map<const Eigen::Vector3d>(data_->xanchor + 3 * joints_[joint].joint);
}

double RobotModel::chain_length(JointIndex joint, int body) const noexcept {
  const int moved = model_->jnt_bodyid[joints_[joint].joint];
  double length = mju_norm3(model_->jnt_pos + 3 * joints_[joint].joint);
  for (; body > 0 && body != moved; body = model_->body_parentid[body]) {
    length += mju_norm3(model_->body_pos + 3 * body);
  }
  return length;
}

std::vector<RobotModel::Lever> RobotModel::levers(int body, double radius) const {
  std::vector<double> slopes;  // by degree of freedom that one joint moves, the largest
  for (const Mover& mover : movers_) slopes.push_back(std::abs(mover.slope));
  for (const Coupling& coupling : couplings_) {
    if (coupling.leader < 0) continue;
    const auto leader = static_cast<std::size_t>(model_->jnt_dofadr[coupling.leader]);
    const auto follower = static_cast<std::size_t>(model_->jnt_dofadr[coupling.follower]);
    slopes[follower] = std::max(slopes[follower], steepest(*model_, coupling) * slopes[leader]);
  }
  std::vector<Lever> levers;
  for (; body > 0; body = model_->body_parentid[body]) {
    const int first = model_->body_jntadr[body];
    double travel = 0.0;  // of the body's origin, beside its place in the parent
    for (int joint = first; joint < first + model_->body_jntnum[body]; ++joint) {
      const int dof = model_->jnt_dofadr[joint];
      const bool slides = model_->jnt_type[joint] == mjJNT_SLIDE;
      const mjtNum* range = model_->jnt_range + 2 * joint;
      if (slides) {
        travel += model_->jnt_limited[joint] ? std::max(std::abs(range[0]), std::abs(range[1]))
                                             : std::numeric_limits<double>::infinity();
      } else {
        travel += 2.0 * mju_norm3(model_->jnt_pos + 3 * joint);  // about an axis beside it
      }
      const double lever = slides ? 1.0 : mju_norm3(model_->jnt_pos + 3 * joint) + radius;
      const bool is_passive = loops_.row_of(dof) >= 0;
      for_movers(static_cast<std::size_t>(dof), [&](std::size_t mover, double here) {
        const double slope = is_passive ? std::abs(here) : slopes[static_cast<std::size_t>(dof)];
        if (slope > 0.0) levers.push_back({dof, static_cast<JointIndex>(mover), slope * lever});
      });
    }
    radius += mju_norm3(model_->body_pos + 3 * body) + travel;
  }
  return levers;
}

FrameId RobotModel::find_frame(std::string_view site_or_body) const {
  const std::string name(site_or_body);
  for (const mjtObj type : {mjOBJ_SITE, mjOBJ_BODY}) {
    const int id = mj_name2id(model_.get(), type, name.c_str());
    if (id >= 0) return {type, id};
  }
  std::vector<std::string> names = names_of(*model_, mjOBJ_SITE, static_cast<int>(model_->nsite));
  for (std::string& body : names_of(*model_, mjOBJ_BODY, static_cast<int>(model_->nbody))) {
    names.push_back(std::move(body));
  }
  throw ModelError("there is no site or body \"" + name + "\"" + did_you_mean(name, names));
}

void RobotModel::jacobian(FrameId frame, Eigen::Ref<FrameJacobian> jacobian) noexcept {
  jacobian.setZero();
  const Eigen::Vector3d position = pose(frame).position;
  for (int body = body_of(frame); body > 0; body = model_->body_parentid[body]) {
    const Eigen::Map<const Eigen::Vector3d> centre(data_->subtree_com +
                                                   3 * model_->body_rootid[body]);
    const Eigen::Vector3d lever = position - centre;
    const int first = model_->body_dofadr[body];
    for (int dof = first; dof < first + model_->body_dofnum[body]; ++dof) {
      const Eigen::Map<const Spatial> axis(data_->cdof + 6 * dof);
      const Eigen::Vector3d turn = axis.head<3>();
      const Eigen::Vector3d pull = axis.tail<3>() + turn.cross(lever);
      for_movers(static_cast<std::size_t>(dof), [&](std::size_t joint, double slope) {
        auto column = jacobian.col(static_cast<Eigen::Index>(joint));
        column.head<3>() += slope * pull;
        column.tail<3>() += slope * turn;
      });
    }
  }
}

void RobotModel::add_force(int body, const Eigen::Vector3d& point, const Eigen::Vector3d& force,
                           std::span<double> tau) noexcept {
  for (; body > 0; body = model_->body_parentid[body]) {
    const int first = model_->body_jntadr[body];
    for (int joint = first; joint < first + model_->body_jntnum[body]; ++joint) {
      const Eigen::Map<const Eigen::Vector3d> axis(data_->xaxis + 3 * joint);
      const Eigen::Map<const Eigen::Vector3d> anchor(data_->xanchor + 3 * joint);
      const Eigen::Vector3d moment = (point - anchor).cross(force);
      const auto dof = static_cast<std::size_t>(model_->jnt_dofadr[joint]);
      const auto push = [&](std::size_t at, double pushed) {
        for_movers(at, [&](std::size_t of, double slope) { tau[of] += slope * pushed; });
      };
      if (model_->jnt_type[joint] == mjJNT_HINGE) push(dof, axis.dot(moment));
      if (model_->jnt_type[joint] == mjJNT_SLIDE) push(dof, axis.dot(force));
      if (model_->jnt_type[joint] == mjJNT_BALL) {
        const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> frame(data_->xmat +
                                                                                   9 * body);
        for (int i = 0; i < 3; ++i) {
          push(dof + static_cast<std::size_t>(i), frame.col(i).dot(moment));
        }
      }
    }
  }
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): written to
void RobotModel::mass_matrix(Eigen::Ref<Eigen::MatrixXd> inertia) noexcept {
  driven_mass_matrix(inertia);
  if (!loops_.empty()) loops_.add_inertia(*model_, *data_, movers_, inertia);
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): written to
void RobotModel::slow_mass_matrix(Eigen::Ref<Eigen::MatrixXd> inertia) noexcept {
  if (!loops_.has_springs()) {
    mass_matrix(inertia);
    return;
  }
  driven_mass_matrix(inertia);
  loops_.add_slow_inertia(inertia);
}

/// Of the joints and their followers, without the passive joints of loops.
void RobotModel::driven_mass_matrix(Eigen::Ref<Eigen::MatrixXd> inertia) noexcept {
  mj_makeM(model_.get(), data_.get());
  inertia.setZero();
  // MuJoCo's M: the lower triangle, row by row, without the zeros by the tree's structure.
  for (int row = 0; row < model_->nv; ++row) {
    const Mover& mover = movers_[static_cast<std::size_t>(row)];
    if (mover.joint < 0) continue;
    const int first = model_->M_rowadr[row];
    for (int place = first; place < first + model_->M_rownnz[row]; ++place) {
      const int column = model_->M_colind[place];
      const Mover& other = movers_[static_cast<std::size_t>(column)];
      if (other.joint < 0) continue;
      const double share = mover.slope * other.slope * data_->M[place];
      inertia(mover.joint, other.joint) += share;
      if (row != column) inertia(other.joint, mover.joint) += share;
    }
  }
}

}  // namespace jointrig
