#include "control/model/floating_model.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "control/core/nearest_word.h"
#include "control/core/sane.h"
#include "control/model/bare_model.h"

namespace jointrig {
namespace {

constexpr double kFastest = 1e4;  ///< [rad/s or m/s]: a choice, beyond any robot

/// Throws unless the model is one tree on one free joint, with hinges and slides alone.
void require_floating_tree(const mjModel& m, const std::string& path) {
  if (m.njnt == 0 || m.jnt_type[0] != mjJNT_FREE) {
    throw ModelError(path +
                     ": whole-body control wants a floating base: the first joint has to be a "
                     "freejoint of the body that carries the robot");
  }
  for (int j = 1; j < m.njnt; ++j) {
    if (m.jnt_type[j] == mjJNT_HINGE || m.jnt_type[j] == mjJNT_SLIDE) continue;
    throw ModelError(path + ": joint \"" + name_of(m, mjOBJ_JOINT, j) +
                     "\" is neither hinge nor slide, which whole-body control doesn't know");
  }
  for (int e = 0; e < m.neq; ++e) {
    if (m.eq_type[e] != mjEQ_JOINT || m.eq_active0[e] == 0) continue;
    throw ModelError(path + ": joint \"" + name_of(m, mjOBJ_JOINT, m.eq_obj1id[e]) +
                     "\" follows another one, which whole-body control doesn't know");
  }
  for (int e = 0; e < m.neq; ++e) {
    if (m.eq_type[e] != mjEQ_CONNECT || m.eq_active0[e] == 0 || m.eq_objtype[e] != mjOBJ_BODY) {
      continue;
    }
    const int a = m.eq_obj1id[e];
    const int b = m.eq_obj2id[e];
    if (a == 0 || b == 0 || m.body_rootid[a] != m.body_rootid[b]) continue;
    throw ModelError(path + ": body \"" + name_of(m, mjOBJ_BODY, a) + "\" is pinned to \"" +
                     name_of(m, mjOBJ_BODY, b) +
                     "\", a kinematic loop, which whole-body control doesn't know");
  }
}

bool all_below(std::span<const double> values, double limit) noexcept {
  return std::all_of(values.begin(), values.end(),
                     [=](double value) { return std::abs(value) <= limit; });
}

Eigen::Map<const Eigen::Vector3d> vector_at(const mjtNum* values, int index) noexcept {
  return Eigen::Map<const Eigen::Vector3d>(values + 3 * static_cast<std::ptrdiff_t>(index));
}

Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> matrix_at(const mjtNum* values,
                                                                         int index) noexcept {
  return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(
      values + 9 * static_cast<std::ptrdiff_t>(index));
}

}  // namespace

FloatingModel::FloatingModel(const Mjcf& mjcf) : path_(mjcf.path) {
  require_floating_tree(*mjcf.as_written, path_);
  model_ = compile_bare(mjcf, *mjcf.as_written);
  // MuJoCo takes the inertia of a lone body on slides for a constant; set_motor_inertia() changes
  // it.
  std::fill_n(model_->dof_simplenum, model_->nv, 0);
  model_->opt.enableflags &= ~mjENBL_SLEEP;  // compute a pose that doesn't change, too
  data_ = make_data(*model_, path_);
  apply(mjcf.start, *model_, *data_);

  for (int j = 1; j < model_->njnt; ++j) {
    const bool limited = model_->jnt_limited[j] != 0;
    const double infinite = std::numeric_limits<double>::infinity();
    joints_.push_back({name_of(*model_, mjOBJ_JOINT, j),
                       limited ? model_->jnt_range[2 * j] : -infinite,
                       limited ? model_->jnt_range[2 * j + 1] : infinite});
  }
  const bool weightless = (model_->opt.disableflags & mjDSBL_GRAVITY) != 0;
  gravity_ =
      weightless ? Eigen::Vector3d::Zero() : Eigen::Vector3d(vector_at(model_->opt.gravity, 0));
  mass_ = model_->body_subtreemass[model_->jnt_bodyid[0]];

  const int nv = velocity_count();
  inertia_.setZero(nv, nv);
  bias_.setZero(nv);
  velocity_.setZero(nv);
  momentum_matrix_.setZero(6, nv);
  linear_rows_.setZero(3, nv);
  angular_rows_.setZero(3, nv);
  compute();
}

BodyFrame FloatingModel::find_frame(std::string_view site_or_body) const {
  const std::string name(site_or_body);
  if (const int site = mj_name2id(model_.get(), mjOBJ_SITE, name.c_str()); site >= 0) {
    BodyFrame frame{model_->site_bodyid[site], vector_at(model_->site_pos, site), {}};
    const mjtNum* quaternion = model_->site_quat + 4 * static_cast<std::ptrdiff_t>(site);
    frame.rotation = Eigen::Quaterniond(quaternion[0], quaternion[1], quaternion[2], quaternion[3])
                         .toRotationMatrix();
    return frame;
  }
  if (const int body = mj_name2id(model_.get(), mjOBJ_BODY, name.c_str()); body >= 0) {
    return {body, Eigen::Vector3d::Zero(), Eigen::Matrix3d::Identity()};
  }
  std::vector<std::string> names;
  for (int i = 0; i < model_->nsite; ++i) names.push_back(name_of(*model_, mjOBJ_SITE, i));
  for (int i = 0; i < model_->nbody; ++i) names.push_back(name_of(*model_, mjOBJ_BODY, i));
  throw ModelError(path_ + ": there is no site or body \"" + name + "\"" +
                   did_you_mean(name, names));
}

int FloatingModel::find_joint(std::string_view name) const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    if (joints_[i].name == name) return static_cast<int>(i);
    names.push_back(joints_[i].name);
  }
  throw ModelError(path_ + ": there is no joint \"" + std::string(name) + "\"" +
                   did_you_mean(name, names));
}

bool FloatingModel::update(const BaseState& base, std::span<const double> q,
                           std::span<const double> v) noexcept {
  if (!take(base, q, v)) return false;
  compute();
  return true;
}

bool FloatingModel::place(const BaseState& base, std::span<const double> q,
                          std::span<const double> v) noexcept {
  if (!take(base, q, v)) return false;
  compute_poses();
  return true;
}

bool FloatingModel::take(const BaseState& base, std::span<const double> q,
                         std::span<const double> v) noexcept {
  const bool sane = q.size() == count() && v.size() == count() && is_sane(base) &&
                    all_below(q, kFarthest) && all_below(v, kFastest) &&
                    all_below(base.linear_velocity, kFastest) &&
                    all_below(base.angular_velocity, kFastest);
  if (!sane) return false;
  std::copy(base.position.begin(), base.position.end(), data_->qpos);
  std::copy(base.orientation.begin(), base.orientation.end(), data_->qpos + 3);
  mju_normalize4(data_->qpos + 3);
  std::copy(q.begin(), q.end(), data_->qpos + 7);
  std::copy(base.linear_velocity.begin(), base.linear_velocity.end(), data_->qvel);
  std::copy(base.angular_velocity.begin(), base.angular_velocity.end(), data_->qvel + 3);
  std::copy(v.begin(), v.end(), data_->qvel + kBase);
  velocity_ = Eigen::Map<const Eigen::VectorXd>(data_->qvel, velocity_count());
  return true;
}

BaseState FloatingModel::base() const noexcept {
  BaseState base;
  std::copy_n(data_->qpos, 3, base.position.begin());
  std::copy_n(data_->qpos + 3, 4, base.orientation.begin());
  std::copy_n(data_->qvel, 3, base.linear_velocity.begin());
  std::copy_n(data_->qvel + 3, 3, base.angular_velocity.begin());
  return base;
}

int FloatingModel::base_body() const noexcept { return model_->jnt_bodyid[0]; }

void FloatingModel::compute_poses() noexcept {
  mj_kinematics(model_.get(), data_.get());
  mj_comPos(model_.get(), data_.get());
}

void FloatingModel::compute() noexcept {
  compute_poses();
  mj_makeM(model_.get(), data_.get());
  mj_comVel(model_.get(), data_.get());
  mj_passive(model_.get(), data_.get());
  mj_rne(model_.get(), data_.get(), 0, bias_.data());

  // M is symmetric: rows or columns first makes no difference.
  mj_fullM(model_.get(), data_.get(), inertia_.data());
  com_ = vector_at(data_->subtree_com, model_->jnt_bodyid[0]);
  find_momentum();
  bias_ -= Eigen::Map<const Eigen::VectorXd>(data_->qfrc_passive, velocity_count());
}

void FloatingModel::find_momentum() noexcept {
  const int root = model_->jnt_bodyid[0];
  const Eigen::Matrix3d turn = matrix_at(data_->xmat, root);
  const Eigen::Vector3d arm = vector_at(data_->xpos, root) - com_;

  // The base's rows of M give the robot's momentum about the base's origin. Armature of the free
  // joint, which a default class may give it, is an inertia of no body.
  for (int i = 0; i < velocity_count(); ++i) {
    Vector6 row = inertia_.col(i).head<6>();
    if (i < kBase) row[i] -= model_->dof_armature[i];
    momentum_matrix_.col(i).head<3>() = row.head<3>();
    momentum_matrix_.col(i).tail<3>() = turn * row.tail<3>() + arm.cross(row.head<3>());
  }
  // Those of h (before damping) give what holds v̇ at 0: weight is no change of momentum.
  const Eigen::Vector3d holding = bias_.head<3>();
  momentum_bias_.head<3>() = holding + mass_ * gravity_;
  momentum_bias_.tail<3>() = turn * bias_.segment<3>(3) + arm.cross(holding);
  momentum_ = momentum_matrix_.lazyProduct(velocity_);
  com_velocity_ = momentum_.head<3>() / mass_;
}

Eigen::Vector3d FloatingModel::position(const BodyFrame& frame) const noexcept {
  return vector_at(data_->xpos, frame.body) + matrix_at(data_->xmat, frame.body) * frame.position;
}

Eigen::Matrix3d FloatingModel::rotation(const BodyFrame& frame) const noexcept {
  return matrix_at(data_->xmat, frame.body) * frame.rotation;
}

void FloatingModel::jacobian(const BodyFrame& frame, Eigen::Ref<Jacobian> jacobian) noexcept {
  const Eigen::Vector3d point = position(frame);
  mj_jac(model_.get(), data_.get(), linear_rows_.data(), angular_rows_.data(), point.data(),
         frame.body);
  jacobian.topRows<3>() = linear_rows_;
  jacobian.bottomRows<3>() = angular_rows_;
}

FloatingModel::Vector6 FloatingModel::twist(const BodyFrame& frame) noexcept {
  const Eigen::Vector3d point = position(frame);
  mj_jac(model_.get(), data_.get(), linear_rows_.data(), angular_rows_.data(), point.data(),
         frame.body);
  Vector6 result;
  result.head<3>() = linear_rows_.lazyProduct(velocity_);
  result.tail<3>() = angular_rows_.lazyProduct(velocity_);
  return result;
}

FloatingModel::Vector6 FloatingModel::acceleration_bias(const BodyFrame& frame) noexcept {
  const Eigen::Vector3d point = position(frame);
  mj_jacDot(model_.get(), data_.get(), linear_rows_.data(), angular_rows_.data(), point.data(),
            frame.body);
  Vector6 result;
  result.head<3>() = linear_rows_.lazyProduct(velocity_);
  result.tail<3>() = angular_rows_.lazyProduct(velocity_);
  return result;
}

}  // namespace jointrig
