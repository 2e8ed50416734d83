#include "app/rig.h"

#include "control/model/rebase.h"

namespace jointrig {

Discovery load_robot(const RobotSource& source, const std::function<void(RobotConfig&)>& adjust) {
  RobotConfig basics = robot_basics(source);
  if (adjust) adjust(basics);
  Discovery found = discover(basics.model_path, {.keyframe = basics.keyframe,
                                                 .pin_base = basics.pin_base,
                                                 .period_ns = basics.period_ns,
                                                 .delay_cycles = basics.delay_cycles});
  // Once to learn what the files say, and again over the defaults that follow from it.
  RobotConfig told = found.config;
  configure(source, told);
  rebase_defaults(found, told);
  configure(source, found.config);
  if (adjust) adjust(found.config);
  return found;
}

Rig::Rig(const RobotConfig& config, const RigOptions& options) {
  switch (options.backend) {
    case BackendKind::kSim: {
      auto sim = std::make_unique<SimBackend>(
          config, SimOptions{.plant = options.plant, .pacer = options.pacer});
      sim_ = sim.get();
      backend_ = std::move(sim);
      break;
    }
    case BackendKind::kKinematic: {
      auto kinematic =
          std::make_unique<KinematicBackend>(config, KinematicOptions{.pacer = options.pacer});
      kinematic_ = kinematic.get();
      backend_ = std::move(kinematic);
      break;
    }
    case BackendKind::kHw:
      bench_ = std::make_unique<Bench>(config, options.plant, options.bench);
      backend_ = bench_->make_backend();
      break;
  }
  stack_ =
      std::make_unique<Stack>(config, backend_->joints(), std::make_unique<RobotModel>(config));
  loop_ = std::make_unique<Loop>(*backend_, *stack_);
}

Rig::~Rig() { backend_->stop(); }

std::string Rig::why_ended() const {
  if (sim_ != nullptr && sim_->end() == SimEnd::kBreakdown) {
    return std::string(sim_->plant().breakdown());
  }
  return "the backend ended the run";
}

Plant* Rig::plant() noexcept {
  if (sim_ != nullptr) return &sim_->plant();
  return bench_ != nullptr ? &bench_->robot().plant() : nullptr;
}

std::span<SimBoard> Rig::boards() noexcept {
  if (sim_ != nullptr) return sim_->boards();
  return bench_ != nullptr ? bench_->robot().boards() : std::span<SimBoard>{};
}

std::uint64_t Rig::hash() const noexcept {
  if (bench_ != nullptr) return bench_->robot().hash();
  if (sim_ != nullptr) return sim_->hash();
  return kinematic_ != nullptr ? kinematic_->hash() : 0;
}

}  // namespace jointrig
