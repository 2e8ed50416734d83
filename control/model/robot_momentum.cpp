// Weight and momentum at a robot's joints, from the bodies that they move.
//
// With V_b the spatial velocity of body b, I_b its inertia, h_i = sum of I_b V_b over the bodies
// behind joint i, and S_i the joint's axis, all at one point fixed in the world for an instant:
//
//     p_i = S_i · h_i        ∂T/∂q_i = dS_i/dt · h_i        dS_i/dt = V × S_i
//
// and g_i = −S_i · (sum of the weights of those bodies). The second equation holds since a rotation
// of all bodies behind a joint changes their kinetic energy only by the motion of the bodies before
// the joint. (Featherstone 2008, "Rigid Body Dynamics Algorithms", chapter 2, for the algebra.)

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

void RobotModel::add_carried(const CarriedMass& carried) noexcept {
  const int body = body_of(carried.frame);
  const FramePose at = pose(carried.frame);
  const Eigen::Map<const Eigen::Vector3d> point(data_->subtree_com + 3 * model_->body_rootid[body]);
  const Eigen::Vector3d lever = at.position + at.rotation * carried.centre - point;
  const SpatialMap velocity(data_->cvel + 6 * body);
  const Eigen::Vector3d turn = velocity.head<3>();
  const Eigen::Vector3d linear = carried.mass * (velocity.tail<3>() + turn.cross(lever));
  const Eigen::Vector3d weight = carried.mass * free_fall();
  const auto index = static_cast<std::size_t>(body);
  body_momentum_[index].head<3>() += lever.cross(linear);
  body_momentum_[index].tail<3>() += linear;
  body_load_[index].head<3>() += lever.cross(weight);
  body_load_[index].tail<3>() += weight;
}

/// Adds to each body the values of all bodies that it carries. All bodies of a tree use the same
/// point.
void RobotModel::sum_up_bodies(std::vector<Spatial>& of_bodies) const noexcept {
  for (std::size_t body = of_bodies.size(); body-- > 1;) {
    const int parent = model_->body_parentid[body];
    if (parent != 0) of_bodies[static_cast<std::size_t>(parent)] += of_bodies[body];
  }
}

void RobotModel::update_momentum(std::span<const CarriedMass> carried) noexcept {
  for (std::size_t body = 0; body < body_momentum_.size(); ++body) {
    momentum_of(data_->cinert + 10 * body, data_->cvel + 6 * body, body_momentum_[body]);
  }
  const bool carries = !carried.empty();
  if (carries) std::fill(body_load_.begin(), body_load_.end(), Spatial::Zero());
  for (const CarriedMass& mass : carried) add_carried(mass);
  sum_up_bodies(body_momentum_);
  if (carries) sum_up_bodies(body_load_);
  std::fill(momentum_.begin(), momentum_.end(), 0.0);
  std::fill(energy_gradient_.begin(), energy_gradient_.end(), 0.0);
  std::fill(carried_gravity_.begin(), carried_gravity_.end(), 0.0);
  for (std::size_t dof = 0; dof < movers_.size(); ++dof) {
    if (movers_[dof].joint < 0) continue;
    const auto joint = static_cast<std::size_t>(movers_[dof].joint);
    const double slope = movers_[dof].slope;
    const auto body = static_cast<std::size_t>(model_->dof_bodyid[dof]);
    const SpatialMap axis(data_->cdof + 6 * dof);
    const SpatialMap axis_rate(data_->cdof_dot + 6 * dof);
    momentum_[joint] +=
        slope * (axis.dot(body_momentum_[body]) + motor_inertia_[dof] * data_->qvel[dof]);
    energy_gradient_[joint] += slope * axis_rate.dot(body_momentum_[body]);
    if (carries) carried_gravity_[joint] -= slope * axis.dot(body_load_[body]);
  }
}

}  // namespace jointrig
