#include "app/rig/backend_kit.h"

namespace jointrig {
namespace {

/// Physics in this program, a simulated board at each joint.
class SimKit final : public BackendKit {
 public:
  SimKit(const RobotConfig& robot, const RigOptions& options)
      : BackendKit(robot),
        sim_(robot, {.plant = options.plant,
                     .pacer = options.pacer,
                     .held_until_driven = options.held_until_driven}) {}

  [[nodiscard]] Backend& backend() noexcept override { return sim_; }
  [[nodiscard]] std::uint64_t hash() const noexcept override { return sim_.hash(); }
  [[nodiscard]] SimBackend* sim() noexcept override { return &sim_; }
  [[nodiscard]] Plant* plant() noexcept override { return &sim_.plant(); }
  [[nodiscard]] std::span<SimBoard> boards() noexcept override { return sim_.boards(); }
  [[nodiscard]] SimForceSensors* force_sensors() noexcept override { return &sim_.force_sensors(); }
  [[nodiscard]] std::string why_ended() const override {
    if (sim_.end() != SimEnd::kBreakdown) return BackendKit::why_ended();
    return std::string(sim_.plant().breakdown());
  }

 private:
  SimBackend sim_;
};

}  // namespace

std::unique_ptr<BackendKit> make_sim_kit(const RobotConfig& robot, const RigOptions& options) {
  return std::make_unique<SimKit>(robot, options);
}

}  // namespace jointrig
