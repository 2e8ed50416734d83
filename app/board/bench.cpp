#include "app/board/bench.h"

#include <numbers>
#include <string>

#include "app/board/seats.h"
#include "app/hw/wiring.h"

namespace jointrig {
namespace {

constexpr std::uint32_t kToken = 1;  // nobody else is on these buses

/// A drive whose counts are the steps of the joint's encoder.
DriveConfig drive_of(const JointConfig& joint) {
  constexpr double kTurn = 2.0 * std::numbers::pi;
  constexpr double kIdealStep = 1e-7;  // of an encoder without steps [rad or m]
  const double step = joint.board.encoder_step > 0 ? joint.board.encoder_step : kIdealStep;
  DriveConfig drive;
  drive.feed = joint.slide ? 1.0 : 0.0;
  drive.encoder_increments = (joint.slide ? 1.0 : kTurn) / step;
  drive.rated_torque =
      1000.0 * joint.limits.tau_max / Bench::kTorqueSteps / (joint.slide ? kTurn : 1.0);
  drive.life_counter = true;
  drive.feed_forward = true;
  return drive;
}

}  // namespace

RobotConfig Bench::wired(RobotConfig robot) {
  robot.buses.clear();
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    const std::string bus = std::to_string(i / kJointsPerBus);
    if (i % kJointsPerBus == 0) robot.buses.emplace_back().name = bus;
    robot.joints[i].drive = drive_of(robot.joints[i]);
    robot.joints[i].drive.bus = bus;
    robot.joints[i].drive.node = static_cast<int>(i % kJointsPerBus) + 1;
  }
  return robot;
}

Bench::Bench(const RobotConfig& robot, const PlantOptions& options)
    : config_(wired(robot)), robot_(config_, seats_of(config_, kToken), options) {
  for (std::size_t bus = 0; bus < config_.buses.size(); ++bus) {
    clocks_.emplace_back(buses_.emplace_back(can::VirtualBusConfig{}));
    attach(robot_, bus, buses_.back());
  }
}

std::unique_ptr<hw::HwBackend> Bench::make_backend() {
  std::vector<hw::HwBus> buses(buses_.size());
  const auto by_bus = joints_by_bus(config_);
  for (std::size_t bus = 0; bus < buses.size(); ++bus) {
    buses[bus].name = config_.buses[bus].name;
    buses[bus].transport = std::make_unique<can::SteppedTransport>(buses_[bus], "host");
    buses[bus].clock = &clocks_[bus];
    for (const std::size_t joint : by_bus[bus]) {
      buses[bus].joints.push_back(driver_joint(config_, joint, kToken));
    }
  }
  robot_.power_on(0);
  // In the time of the bus, where eight joints take 3 ms: what has not come by then won't come.
  constexpr std::int64_t kPatience = 20'000'000;  // [ns]
  return std::make_unique<hw::HwBackend>(
      config_.period_ns, std::move(buses),
      hw::HwOptions{.timing = hw::Timing::kLockstep, .answer_within_ns = kPatience});
}

}  // namespace jointrig
