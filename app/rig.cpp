#include "app/rig.h"

#include "control/model/torque_rate_gains.h"

namespace jointrig {
namespace {

/// Default gains that the robot file left alone are lowered where its torque rate can't bear them.
void heed_torque_rates(const std::vector<JointConfig>& discovered, RobotConfig& config) {
  for (std::size_t i = 0; i < config.joints.size(); ++i) {
    JointConfig& joint = config.joints[i];
    if (joint.gains == discovered[i].gains) heed_torque_rate(joint);
  }
}

}  // namespace

Discovery load_robot(const RobotSource& source, const std::function<void(RobotConfig&)>& adjust) {
  RobotConfig basics = robot_basics(source);
  if (adjust) adjust(basics);
  Discovery found = discover(basics.model_path, {.keyframe = basics.keyframe,
                                                 .pin_base = basics.pin_base,
                                                 .period_ns = basics.period_ns,
                                                 .delay_cycles = basics.delay_cycles});
  const std::vector<JointConfig> discovered = found.config.joints;
  configure(source, found.config);
  heed_torque_rates(discovered, found.config);
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

std::uint64_t Rig::hash() const noexcept {
  if (sim_ != nullptr) return sim_->hash();
  return kinematic_ != nullptr ? kinematic_->hash() : 0;
}

}  // namespace jointrig
