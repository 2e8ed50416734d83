#include "app/rig/backend_kit.h"

#include <fmt/core.h>

#include <array>
#include <stdexcept>

#include "app/rig/sim_world.h"

namespace jointrig::app {
namespace {

constexpr std::array kTypes{
    BackendType{BackendKind::kSim, true, true, make_sim_kit},
    BackendType{BackendKind::kKinematic, true, true, make_kinematic_kit},
    BackendType{BackendKind::kBoards, false, true, make_boards_kit},
    BackendType{BackendKind::kHw, true, false, make_hw_kit},
};

constexpr bool has_every_kind_once() {
  if (kTypes.size() != kAllBackendKind.size()) return false;
  for (std::size_t i = 0; i < kTypes.size(); ++i) {
    if (kTypes[i].kind != kAllBackendKind[i]) return false;
  }
  return true;
}
static_assert(has_every_kind_once(), "a row for each kind, in the order of the enumeration");

/// Nothing but the port is known of it.
class DriverKit final : public BackendKit {
 public:
  DriverKit(const RobotConfig& robot, std::unique_ptr<Backend> driver)
      : BackendKit(robot), driver_(std::move(driver)) {}
  [[nodiscard]] Backend& backend() noexcept override { return *driver_; }

 private:
  std::unique_ptr<Backend> driver_;
};

}  // namespace

std::unique_ptr<BackendKit> make_driver_kit(const RobotConfig& robot,
                                            std::unique_ptr<Backend> driver) {
  if (!driver) throw std::invalid_argument("the driver is empty: give a backend");
  const TimeNs period = driver->description().period_ns;
  if (period != robot.period_ns) {
    throw std::invalid_argument(
        fmt::format("the driver's period is {} ns, that of robot {} is {} ns: give both the same",
                    period, robot.name, robot.period_ns));
  }
  return std::make_unique<DriverKit>(robot, std::move(driver));
}

const BackendType& type_of(BackendKind kind) noexcept {
  return kTypes[static_cast<std::size_t>(kind)];
}

std::vector<std::string> backend_words(bool that_keep_a_clock) {
  std::vector<std::string> words;
  for (const BackendType& type : kTypes) {
    if (type.keeps_a_clock || !that_keep_a_clock) words.emplace_back(to_string(type.kind));
  }
  return words;
}

// Not in the header: the compiler would warn callers of a possible null that know that there is
// physics.
sim::SimBackend* BackendKit::sim() noexcept { return nullptr; }
sim::Plant* BackendKit::plant() noexcept { return nullptr; }
sim::SimSensors* BackendKit::sensors() noexcept { return nullptr; }

std::unique_ptr<harness::World> BackendKit::make_world() {
  if (plant() == nullptr) return nullptr;
  return std::make_unique<SimWorld>(robot(), *plant(), boards(), sensors());
}

}  // namespace jointrig::app
