#include <benchmark/benchmark.h>
#include <mujoco/mujoco.h>

#include <array>
#include <memory>
#include <stdexcept>
#include <vector>

#include "bench/bench.h"

namespace jointrig::bench {
namespace {

/// A model, and a plant that hangs in its first keyframe with its weight carried.
class Floor {
 public:
  explicit Floor(const BenchRobot& robot) {
    std::array<char, 1024> error{};
    model_.reset(mj_loadXML(robot.model_path.c_str(), nullptr, error.data(), error.size()));
    if (model_ == nullptr) throw std::runtime_error(robot.model_path + ": " + error.data());
    plant_.reset(mj_makeData(model_.get()));
    own_.reset(mj_makeData(model_.get()));
    if (model_->nkey > 0) mj_resetDataKeyframe(model_.get(), plant_.get(), 0);
    settle();
    state_.resize(static_cast<std::size_t>(mj_stateSize(model_.get(), mjSTATE_INTEGRATION)));
    mj_getState(model_.get(), plant_.get(), state_.data(), mjSTATE_INTEGRATION);
    mju_copy(own_->qpos, plant_->qpos, model_->nq);
    mju_copy(own_->qvel, plant_->qvel, model_->nv);
  }

  [[nodiscard]] const mjModel* model() const { return model_.get(); }
  [[nodiscard]] mjData* own() const { return own_.get(); }

  /// The same step each time: state and warm start are put back first, a few cache lines.
  void step_from_the_same_state() {
    mj_setState(model_.get(), plant_.get(), state_.data(), mjSTATE_INTEGRATION);
    mj_step(model_.get(), plant_.get());
  }

 private:
  void settle() {
    constexpr int kSteps = 200;
    for (int i = 0; i < kSteps; ++i) {
      mj_step1(model_.get(), plant_.get());
      mju_sub(plant_->qfrc_applied, plant_->qfrc_bias, plant_->qfrc_passive, model_->nv);
      mj_step2(model_.get(), plant_.get());
    }
  }

  struct Free {
    void operator()(mjModel* model) const { mj_deleteModel(model); }
    void operator()(mjData* data) const { mj_deleteData(data); }
  };
  std::unique_ptr<mjModel, Free> model_;
  std::unique_ptr<mjData, Free> plant_;
  std::unique_ptr<mjData, Free> own_;
  std::vector<mjtNum> state_;
};

void kinematics(const mjModel* model, mjData* data) {
  mj_kinematics(model, data);
  mj_comPos(model, data);
  mj_tendon(model, data);
  mj_transmission(model, data);
}

void gravity(const mjModel* model, mjData* data) {
  mj_comVel(model, data);
  mj_rne(model, data, 0, data->qfrc_bias);
}

void mass_matrix(const mjModel* model, mjData* data) {
  mj_crb(model, data);
  mj_factorM(model, data);
}

/// Times `work` on the controller's own data, brought up to date with the kinematics once before.
template <typename Work>
void register_own(const std::shared_ptr<Floor>& floor, const std::string& name, Work work) {
  benchmark::RegisterBenchmark(name.c_str(), [floor, work](benchmark::State& state) {
    kinematics(floor->model(), floor->own());
    for ([[maybe_unused]] auto _ : state) {
      work(floor->model(), floor->own());
      benchmark::ClobberMemory();
    }
  });
}

}  // namespace

void register_floor(const BenchRobot& robot) {
  const auto floor = std::make_shared<Floor>(robot);
  benchmark::RegisterBenchmark((robot.name + "/mj_step").c_str(), [floor](benchmark::State& state) {
    for ([[maybe_unused]] auto _ : state) {
      floor->step_from_the_same_state();
    }
  });
  register_own(floor, robot.name + "/kinematics", kinematics);
  register_own(floor, robot.name + "/gravity", gravity);
  register_own(floor, robot.name + "/mass_matrix", mass_matrix);
  register_own(floor, robot.name + "/own_dynamics", [](const mjModel* model, mjData* data) {
    kinematics(model, data);
    gravity(model, data);
    mass_matrix(model, data);
  });
}

}  // namespace jointrig::bench
