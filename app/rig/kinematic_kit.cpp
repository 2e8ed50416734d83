#include "app/rig/backend_kit.h"
#include "sim/kinematic_backend.h"

namespace jointrig::app {
namespace {

/// Joints without dynamics.
class KinematicKit final : public BackendKit {
 public:
  KinematicKit(const RobotConfig& robot, const RigOptions& options)
      : BackendKit(robot), kinematic_(robot, {.pacer = options.pacer}) {}

  [[nodiscard]] Backend& backend() noexcept override { return kinematic_; }
  [[nodiscard]] std::uint64_t hash() const noexcept override { return kinematic_.hash(); }
  [[nodiscard]] std::any save() const override { return kinematic_.save(); }
  void restore(const std::any& state) override {
    kinematic_.restore(std::any_cast<const sim::KinematicBackend::State&>(state));
  }
  [[nodiscard]] bool has_dynamics() const noexcept override { return false; }

 private:
  sim::KinematicBackend kinematic_;
};

}  // namespace

std::unique_ptr<BackendKit> make_kinematic_kit(const RobotConfig& robot,
                                               const RigOptions& options) {
  return std::make_unique<KinematicKit>(robot, options);
}

}  // namespace jointrig::app
