#pragma once
/// The iCub in MuJoCo on a floor, its 32 motors driven by nothing but the whole-body controller.
/// Pose and twist of the base are the simulation's truth.

#include <algorithm>

#include "control/wholebody/feedback.h"
#include "tests/control/wholebody/icub_on_soles.h"

namespace jointrig::soles {

/// It keeps its centre of mass above the soles, its feet still, and its posture where nothing else
/// is wanted: for what is built on it, which adds to `command`.
class IcubOnFloor {
 public:
  /// @param posture_weight  of all joints
  explicit IcubOnFloor(double posture_weight)
      : core(icub.model, both_soles(icub.model), icub.bounds) {
    mjsGeom* floor = mjs_addGeom(mjs_findBody(icub.mjcf.spec.get(), "world"), nullptr);
    floor->type = mjGEOM_PLANE;
    floor->size[0] = floor->size[1] = floor->size[2] = 1.0;
    plant = compile(icub.mjcf);
    data = make_data(*plant, kIcub);
    apply(icub.mjcf.start, *plant, *data);
    read();
    const Eigen::Vector3d sole = icub.model.position(core.contacts()[0].frame);
    middle << sole.x() + 0.0265, 0.0, sole.z();
    goal << middle.x(), 0.0, icub.model.com().z();
    const int n = icub.model.joint_count();
    posture = Eigen::Map<const Eigen::VectorXd>(icub.model.q().data(), n);
    command.privileged.on = true;
    command.privileged.weights.setConstant(n, posture_weight);
    command.momentum.on = true;
    command.momentum.weights << 1.0, 1.0, 1.0, 0.02, 0.02, 0.02;
    for (std::size_t c = 0; c < 2; ++c) {
      command.contacts[c].on = true;
      command.contacts[c].friction = kSoleFriction;
    }
  }

  void read() {
    const BodyState state = state_of(*plant, *data);
    icub.model.update(state.base, state.q, state.v);
  }

  /// After read().
  void want_to_stand() {
    FloatingModel& model = icub.model;
    command.momentum.rate =
        momentum_towards(model, goal, FeedbackGains::critical(60.0), /*spin_damping=*/2.0);
    joints_towards(model, posture, FeedbackGains::critical(50.0), command.privileged.acceleration);
    for (std::size_t c = 0; c < 2; ++c) {
      command.contacts[c].acceleration = -20.0 * model.twist(core.contacts()[c].frame);
    }
  }

  /// Solves for `command`, and one millisecond passes with these torques.
  const WholeBodySolution& step() {
    const WholeBodySolution& answer = core.solve(icub.model, command);
    for (int j = 0; j < icub.model.joint_count(); ++j) {
      const auto& name = icub.model.joints()[static_cast<std::size_t>(j)].name;
      data->ctrl[mj_name2id(plant.get(), mjOBJ_ACTUATOR, name.c_str())] = answer.torque[j];
    }
    mj_step(plant.get(), data.get());
    return answer;
  }

  Icub icub;
  WholeBodyCore core;
  WholeBodyCommand command;
  ModelPtr plant;
  DataPtr data;
  Eigen::Vector3d middle;  ///< of the soles, on the floor
  Eigen::Vector3d goal;    ///< of the centre of mass
  ByJoint posture;
};

}  // namespace jointrig::soles
