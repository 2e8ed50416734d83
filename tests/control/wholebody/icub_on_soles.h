#pragma once
/// The iCub of models/ with its soles as contacts, for tests of whole-body control.

#include <mujoco/mujoco.h>

#include <random>
#include <string>
#include <vector>

#include "control/model/floating_model.h"
#include "control/wholebody/core.h"

namespace jointrig::soles {

inline const char* const kIcub = "models/icub/icub.xml";
inline constexpr double kSoleFriction = 0.7;

inline ContactSetup sole(const FloatingModel& model, const std::string& name, double outward) {
  // The published box, 0.16 x 0.072 m, about a point in the frame of the sole.
  const Eigen::Vector3d centre(0.0265, 0.005 * outward, -0.0105);
  ContactSetup contact{name, model.find_frame(name), {}};
  for (const double x : {-0.08, 0.08}) {
    for (const double y : {-0.036, 0.036}) {
      contact.points.emplace_back(centre + Eigen::Vector3d(x, y, 0.0));
    }
  }
  return contact;
}

inline std::vector<ContactSetup> both_soles(const FloatingModel& model) {
  return {sole(model, "l_sole", 1.0), sole(model, "r_sole", -1.0)};
}

inline std::vector<JointBounds> bounds_of(const FloatingModel& model, const mjModel& plant) {
  std::vector<JointBounds> bounds;
  for (const FloatingModel::Joint& joint : model.joints()) {
    const int actuator = mj_name2id(&plant, mjOBJ_ACTUATOR, joint.name.c_str());
    bounds.push_back({joint.low, joint.high, 3.5, plant.actuator_ctrlrange[2 * actuator + 1]});
  }
  return bounds;
}

struct BodyState {
  BaseState base;
  std::vector<double> q;
  std::vector<double> v;
};

inline BodyState state_of(const mjModel& m, const mjData& d) {
  BodyState state;
  std::copy_n(d.qpos, 3, state.base.position.begin());
  std::copy_n(d.qpos + 3, 4, state.base.orientation.begin());
  std::copy_n(d.qvel, 3, state.base.linear_velocity.begin());
  std::copy_n(d.qvel + 3, 3, state.base.angular_velocity.begin());
  state.q.assign(d.qpos + 7, d.qpos + m.nq);
  state.v.assign(d.qvel + 6, d.qvel + m.nv);
  return state;
}

/// A plant, the controller's model, and a state of both.
struct Icub {
  Mjcf mjcf = load_mjcf(kIcub);
  const mjModel& plant = *mjcf.as_written;
  DataPtr data = make_data(plant, kIcub);
  FloatingModel model{mjcf};
  std::vector<JointBounds> bounds = bounds_of(model, plant);

  Icub() { apply(mjcf.start, plant, *data); }

  bool read() {
    const BodyState state = state_of(plant, *data);
    return model.update(state.base, state.q, state.v);
  }

  /// Near the start pose, moving, the base anywhere.
  void shake(std::mt19937& random, double turn = 0.2, double speed = 0.5) {
    std::normal_distribution<double> normal;
    apply(mjcf.start, plant, *data);
    for (int i = 0; i < 7; ++i) data->qpos[i] += (i < 3 ? 1.0 : turn) * normal(random);
    mju_normalize4(data->qpos + 3);
    for (int j = 1; j < plant.njnt; ++j) {
      mjtNum& q = data->qpos[plant.jnt_qposadr[j]];
      q += turn * normal(random);
      const double margin = 0.1;
      q = std::clamp(q, plant.jnt_range[2 * j] + margin, plant.jnt_range[2 * j + 1] - margin);
      if (plant.jnt_range[2 * j + 1] - margin < q) q = plant.jnt_range[2 * j + 1];
    }
    for (int i = 0; i < plant.nv; ++i) data->qvel[i] = speed * normal(random);
    read();
  }
};

/// Both feet still, the centre of mass pulled, chest upright, posture kept: all by weights.
inline WholeBodyCommand stand(Icub& icub, std::mt19937& random, double size = 1.0) {
  std::normal_distribution<double> normal;
  WholeBodyCommand command;
  command.momentum.on = true;
  for (int i = 0; i < 6; ++i) command.momentum.rate[i] = size * 10.0 * normal(random);
  SpatialTask& chest = command.spatial[0];
  chest.on = true;
  chest.frame = icub.model.find_frame("chest");
  chest.axes = {false, false, false, true, true, true};
  for (int i = 3; i < 6; ++i) chest.acceleration[i] = size * 2.0 * normal(random);
  const int n = icub.model.joint_count();
  command.privileged.on = true;
  command.privileged.acceleration.resize(n);
  command.privileged.weights.setConstant(n, 0.05);
  for (int i = 0; i < n; ++i) command.privileged.acceleration[i] = size * normal(random);
  for (int c = 0; c < 2; ++c) {
    ContactCommand& contact = command.contacts[static_cast<std::size_t>(c)];
    contact.on = true;
    contact.friction = kSoleFriction;
  }
  return command;
}

}  // namespace jointrig::soles
