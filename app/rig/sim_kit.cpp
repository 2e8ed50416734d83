#include "app/rig/backend_kit.h"

namespace jointrig::app {
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
  [[nodiscard]] std::any save() const override { return sim_.save(); }
  void restore(const std::any& state) override {
    sim_.restore(std::any_cast<const sim::SimBackend::State&>(state));
  }
  [[nodiscard]] sim::SimBackend* sim() noexcept override { return &sim_; }
  [[nodiscard]] sim::Plant* plant() noexcept override { return &sim_.plant(); }
  [[nodiscard]] std::span<sim::SimBoard> boards() noexcept override { return sim_.boards(); }
  [[nodiscard]] sim::SimSensors* sensors() noexcept override { return &sim_.sensors(); }
  [[nodiscard]] std::string why_ended() const override {
    if (sim_.end() != sim::SimEnd::kBreakdown) return BackendKit::why_ended();
    return std::string(sim_.plant().breakdown());
  }

 private:
  sim::SimBackend sim_;
};

}  // namespace

std::unique_ptr<BackendKit> make_sim_kit(const RobotConfig& robot, const RigOptions& options) {
  return std::make_unique<SimKit>(robot, options);
}

}  // namespace jointrig::app
