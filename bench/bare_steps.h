#pragma once

#include <fmt/core.h>
#include <mujoco/mujoco.h>

#include <memory>
#include <stdexcept>
#include <string>

#include "bench/take.h"

namespace jointrig::bench {

/// Physics and nothing else: the plant's own model, stepped by the motors' torques of the take.
class BareSteps {
 public:
  explicit BareSteps(const std::shared_ptr<const Take>& take)
      : take_(take), plant_(take->config), data_(make_data(plant_.model(), take->name)) {
    begin_again();
    check();
  }

  void begin_again() {
    mj_setState(&plant_.model(), data_.get(), take_->plant_before->plant.integration.data(),
                mjSTATE_INTEGRATION);
  }
  void step(const TakeCycle& cycle) {
    mju_copy(data_->ctrl, cycle.torques.data(), static_cast<int>(cycle.torques.size()));
    mj_step(&plant_.model(), data_.get());
  }

 private:
  /// The unit of all ratios does the very steps of the simulation, or it is none.
  void check() {
    const mjModel& m = plant_.model();
    for (const TakeCycle& cycle : take_->cycles) step(cycle);
    for (std::size_t i = 0; i < take_->config.joints.size(); ++i) {
      const std::string& name = take_->config.joints[i].name;
      const double q = data_->qpos[m.jnt_qposadr[mj_name2id(&m, mjOBJ_JOINT, name.c_str())]];
      if (q == take_->cycles.back().truth[i].q) continue;
      throw std::runtime_error(
          fmt::format("{}: bare steps lead joint {} to {}, the simulation to {}; does its model "
                      "ask for a timestep other than the period?",
                      take_->name, name, q, take_->cycles.back().truth[i].q));
    }
    begin_again();
  }

  std::shared_ptr<const Take> take_;
  sim::Plant plant_;
  DataPtr data_;
};

}  // namespace jointrig::bench
