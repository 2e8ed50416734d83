// Weight and momentum at a robot's joints, from the bodies that they move.
//
// With V_b the spatial velocity of body b, I_b its inertia, h_i = sum of I_b V_b over the bodies
// behind joint i, and S_i the joint's axis, all at one point fixed in the world for an instant:
//
//     p_i = S_i · h_i        ∂T/∂q_i = dS_i/dt · h_i        dS_i/dt = V × S_i
//
// and g_i = −S_i · (sum of the weights of those bodies). The second equation holds since a rotation
// of all bodies behind a joint changes their kinetic energy only by the motion of the bodies before
// the joint. A passive joint of a loop moves by u = T v, so that its momentum counts in ∂T/∂q_i
// with dT_i/dt, too. (Featherstone 2008, "Rigid Body Dynamics Algorithms", chapter 2, for the
// algebra.)

#include <Eigen/Geometry>
#include <algorithm>

#include "control/model/robot_model.h"

namespace jointrig {
namespace {

using Spatial = Eigen::Matrix<double, 6, 1>;
using SpatialMap = Eigen::Map<const Spatial>;

/// h = I V, of MuJoCo's ten numbers: inertia about the point, xx yy zz xy xz yz, mass times centre,
/// mass. In place: a copy in pairs of what was just written number by number waits for the stores.
void momentum_of(const mjtNum* inertia, const mjtNum* velocity, Spatial& h) noexcept {
  const Eigen::Map<const Eigen::Vector3d> w(velocity);
  const Eigen::Map<const Eigen::Vector3d> v(velocity + 3);
  const Eigen::Map<const Eigen::Vector3d> lever(inertia + 6);
  const Eigen::Vector3d moment = lever.cross(v);
  h[0] = inertia[0] * w[0] + inertia[3] * w[1] + inertia[4] * w[2] + moment[0];
  h[1] = inertia[3] * w[0] + inertia[1] * w[1] + inertia[5] * w[2] + moment[1];
  h[2] = inertia[4] * w[0] + inertia[5] * w[1] + inertia[2] * w[2] + moment[2];
  h.tail<3>() = inertia[9] * v - lever.cross(w);
}

}  // namespace

void RobotModel::weigh_bodies() noexcept {
  const Eigen::Vector3d g = free_fall();
  for (std::size_t body = 0; body < body_weight_.size(); ++body) {
    const mjtNum* inertia = data_->cinert + 10 * body;
    body_weight_[body].head<3>() = Eigen::Map<const Eigen::Vector3d>(inertia + 6).cross(g);
    body_weight_[body].tail<3>() = inertia[9] * g;
  }
  sum_up_bodies(body_weight_);
  for (std::size_t dof = 0; dof < rest_.size(); ++dof) {
    const auto body = static_cast<std::size_t>(model_->dof_bodyid[dof]);
    rest_[dof] = -SpatialMap(data_->cdof + 6 * dof).dot(body_weight_[body]);
  }
}

/// MuJoCo's ten numbers of a load, about the point that all bodies of its tree use.
std::array<double, 10> RobotModel::inertia_of(FrameId frame,
                                              const KnownPayload& load) const noexcept {
  const FramePose at = pose(frame);
  const Eigen::Map<const Eigen::Vector3d> point(data_->subtree_com +
                                                3 * model_->body_rootid[body_of(frame)]);
  const Eigen::Vector3d centre(load.centre.data());
  const Eigen::Vector3d lever = at.position + at.rotation * centre - point;
  const auto& [xx, yy, zz, xy, xz, yz] = load.inertia;
  Eigen::Matrix3d tensor;
  tensor << xx, xy, xz, xy, yy, yz, xz, yz, zz;
  const Eigen::Matrix3d own = at.rotation * tensor * at.rotation.transpose();
  const Eigen::Matrix3d all = own + load.mass * (lever.squaredNorm() * Eigen::Matrix3d::Identity() -
                                                 lever * lever.transpose());
  const Eigen::Vector3d moment = load.mass * lever;
  return {all(0, 0), all(1, 1),  all(2, 2),  all(0, 1),  all(0, 2),
          all(1, 2), moment.x(), moment.y(), moment.z(), load.mass};
}

void RobotModel::carry(std::span<const CarriedBody> carried) noexcept {
  if (carried.empty() && !carried_.empty()) {
    for (auto* of_loads : {&load_rest_, &carried_gravity_, &momentum_change_}) {
      std::fill(of_loads->begin(), of_loads->end(), 0.0);
    }
  }
  carried_.clear();
  for (const CarriedBody& one : carried) carried_.push_back(one);
}

/// Adds the loads to the inertia of the bodies that carry them, and computes their weight.
void RobotModel::take_up_loads() noexcept {
  const Eigen::Vector3d g = free_fall();
  std::fill(body_load_.begin(), body_load_.end(), Spatial::Zero());
  for (const CarriedBody& one : carried_) {
    const auto body = static_cast<std::size_t>(body_of(one.frame));
    const std::array<double, 10> inertia = inertia_of(one.frame, one.now);
    for (std::size_t i = 0; i < inertia.size(); ++i) data_->cinert[10 * body + i] += inertia[i];
    body_load_[body].head<3>() += Eigen::Map<const Eigen::Vector3d>(inertia.data() + 6).cross(g);
    body_load_[body].tail<3>() += inertia[9] * g;
  }
  sum_up_bodies(body_load_);
  for (std::size_t dof = 0; dof < load_rest_.size(); ++dof) {
    const auto body = static_cast<std::size_t>(model_->dof_bodyid[dof]);
    load_rest_[dof] = -SpatialMap(data_->cdof + 6 * dof).dot(body_load_[body]);
  }
}

void RobotModel::find_momentum_change() noexcept {
  std::fill(momentum_change_.begin(), momentum_change_.end(), 0.0);
  const bool changes = std::any_of(carried_.begin(), carried_.end(),
                                   [](const CarriedBody& one) { return one.now != one.before; });
  if (!changes) return;
  std::fill(body_load_.begin(), body_load_.end(), Spatial::Zero());
  for (const CarriedBody& one : carried_) {
    const auto body = static_cast<std::size_t>(body_of(one.frame));
    const mjtNum* velocity = data_->cvel + 6 * body;
    Spatial now;
    Spatial before;
    momentum_of(inertia_of(one.frame, one.now).data(), velocity, now);
    momentum_of(inertia_of(one.frame, one.before).data(), velocity, before);
    body_load_[body] += now - before;
  }
  sum_up_bodies(body_load_);
  for (std::size_t dof = 0; dof < movers_.size(); ++dof) {
    const auto body = static_cast<std::size_t>(model_->dof_bodyid[dof]);
    for_movers(dof, [&](std::size_t joint, double slope) {
      momentum_change_[joint] += slope * SpatialMap(data_->cdof + 6 * dof).dot(body_load_[body]);
    });
  }
}

/// Adds to each body the values of all bodies that it carries. All bodies of a tree use the same
/// point.
void RobotModel::sum_up_bodies(std::vector<Spatial>& of_bodies) const noexcept {
  for (std::size_t body = of_bodies.size(); body-- > 1;) {
    const int parent = model_->body_parentid[body];
    if (parent != 0) of_bodies[static_cast<std::size_t>(parent)] += of_bodies[body];
  }
}

void RobotModel::update_momentum() noexcept {
  for (std::size_t body = 0; body < body_momentum_.size(); ++body) {
    momentum_of(data_->cinert + 10 * body, data_->cvel + 6 * body, body_momentum_[body]);
  }
  sum_up_bodies(body_momentum_);
  if (!carried_.empty()) find_momentum_change();
  std::fill(momentum_.begin(), momentum_.end(), 0.0);
  std::fill(energy_gradient_.begin(), energy_gradient_.end(), 0.0);
  for (std::size_t dof = 0; dof < movers_.size(); ++dof) {
    const auto body = static_cast<std::size_t>(model_->dof_bodyid[dof]);
    const SpatialMap axis(data_->cdof + 6 * dof);
    const SpatialMap axis_rate(data_->cdof_dot + 6 * dof);
    for_movers(dof, [&](std::size_t joint, double slope) {
      momentum_[joint] +=
          slope * (axis.dot(body_momentum_[body]) + motor_inertia_[dof] * data_->qvel[dof]);
      energy_gradient_[joint] += slope * axis_rate.dot(body_momentum_[body]);
    });
    const int row = loops_.row_of(static_cast<int>(dof));
    if (row < 0) continue;
    const double own = axis.dot(body_momentum_[body]) + motor_inertia_[dof] * data_->qvel[dof];
    for (std::size_t joint = 0; joint < joints_.size(); ++joint) {
      energy_gradient_[joint] += loops_.slope_rates()(row, static_cast<Eigen::Index>(joint)) * own;
    }
  }
}

}  // namespace jointrig
