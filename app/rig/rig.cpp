#include "app/rig/rig.h"

#include <stdexcept>

#include "app/rig/links.h"
#include "app/rig/sim_world.h"
#include "app/wiggle/wiggle_record.h"

namespace jointrig {

Rig::Rig(const RobotConfig& config, const RigOptions& options)
    : config_(config), wiggle_check_(options.wiggle_check) {
  switch (options.backend) {
    case BackendKind::kSim: {
      auto sim = std::make_unique<SimBackend>(
          config, SimOptions{.plant = options.plant,
                             .pacer = options.pacer,
                             .held_until_driven = options.held_until_driven});
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
    case BackendKind::kBoards:
      local_boards_ = std::make_unique<LocalBoards>(config, options.plant, options.bus_plan);
      backend_ = local_boards_->make_backend();
      break;
    case BackendKind::kHw:
      open_buses(options);
      break;
  }
  stack_ =
      std::make_unique<Stack>(config, backend_->description().joints, std::make_unique<RobotModel>(config));
  sensor_notes_ = stack_->connect_force_sensors(backend_->description().force_torque_sites);
  const double usual = is_on_real_drives() ? config.speed_override : 1.0;
  stack_->start_with_speed(options.speed_override.value_or(usual));
  loop_ = std::make_unique<Loop>(*backend_, *stack_);
}

void Rig::open_buses(const RigOptions& options) {
  on_buses_ = true;
  virtual_boards_ = SideLineClient::find(config_.virtual_boards);
  LinkOptions links;
  keeps_time_ = options.pacer != nullptr || !virtual_boards_ || !virtual_boards_->lockstep();
  if (virtual_boards_) {
    virtual_boards_->reset(config_, options.plant);
    links.boards_token = virtual_boards_->token();
  }
  links.timing = keeps_time_ ? hw::Timing::kPaced : hw::Timing::kLockstep;
  backend_ = open_hw_backend(config_, links);
}

void Rig::start() {
  // Read before: once they are started boards wait for their next setpoint, and files take time.
  std::string unproved;
  if (is_on_real_drives() && wiggle_check_) unproved = why_not_wiggled(config_);
  try {
    backend_->start();
  } catch (const std::runtime_error& error) {
    const std::string note = note_on_boards();
    if (note.empty()) throw;
    throw std::runtime_error(std::string(error.what()) + "\n" + note);
  }
  if (!unproved.empty()) throw std::runtime_error(unproved);
}

std::string Rig::note_on_boards() const {
  if (!is_on_real_drives() || config_.virtual_boards.empty()) return {};
  return "the boards are taken for real ones: nobody listens at " + config_.virtual_boards +
         "; virtual ones are run by `jointrig board " + config_.name + "`";
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
  return local_boards_ != nullptr ? &local_boards_->robot().plant() : nullptr;
}

std::span<SimBoard> Rig::boards() noexcept {
  if (sim_ != nullptr) return sim_->boards();
  return local_boards_ != nullptr ? local_boards_->robot().boards() : std::span<SimBoard>{};
}

SimForceSensors* Rig::force_sensors() noexcept {
  return sim_ != nullptr ? &sim_->force_sensors() : nullptr;
}

std::unique_ptr<World> Rig::make_world() {
  if (virtual_boards_) return std::make_unique<RemoteWorld>(*virtual_boards_);
  if (plant() == nullptr) return nullptr;
  return std::make_unique<SimWorld>(config_, *plant(), boards(), force_sensors());
}

std::uint64_t Rig::hash() const noexcept {
  if (virtual_boards_) return virtual_boards_->hash();
  if (local_boards_ != nullptr) return local_boards_->robot().hash();
  if (sim_ != nullptr) return sim_->hash();
  return kinematic_ != nullptr ? kinematic_->hash() : 0;
}

}  // namespace jointrig
