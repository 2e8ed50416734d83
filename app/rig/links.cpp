#include "app/rig/links.h"

#include <stdexcept>

#include "app/rig/wiring.h"
#include "hw/can/clock.h"
#include "hw/can/reopening_transport.h"
#include "hw/can/transport_address.h"

namespace jointrig::app {
namespace {

/// The clock for real adapters.
class MonotonicClock final : public hw::BusClock {
 public:
  [[nodiscard]] std::int64_t now() const noexcept override { return can::monotonic_now(); }
};

const MonotonicClock kClock;

void refuse_bad_wiring(const RobotConfig& robot) {
  const std::vector<std::string> problems = wiring_problems(robot);
  if (problems.empty()) return;
  std::string text = "robot " + robot.name + " can't be driven over its buses:";
  for (const std::string& problem : problems) {
    text += (problems.size() == 1 ? " " : "\n  ") + problem;
  }
  throw std::invalid_argument(text);
}

std::unique_ptr<can::Transport> open_bus(const BusConfig& bus) {
  try {
    // An adapter that was unplugged in operation may return.
    return std::make_unique<can::ReopeningTransport>(
        [address = can::parse_transport_address(bus.address)] {
          return can::open_transport(address);
        });
  } catch (const can::OpenError& error) {
    throw can::OpenError(error.reason(), "bus " + bus.name + ": " + error.what());
  }
}

}  // namespace

std::unique_ptr<hw::HwBackend> open_hw_backend(const RobotConfig& robot,
                                               const LinkOptions& options) {
  refuse_bad_wiring(robot);
  std::vector<hw::HwBus> buses;
  const auto by_bus = joints_by_bus(robot);
  for (std::size_t i = 0; i < robot.buses.size(); ++i) {
    if (by_bus[i].empty() && sensors_on(robot, i).empty()) continue;
    hw::HwBus& bus = buses.emplace_back();
    bus.name = robot.buses[i].name;
    bus.transport = open_bus(robot.buses[i]);
    bus.clock = &kClock;
    bus.bus = driver_bus(robot, i, options.boards_token, options.timing == hw::Timing::kLockstep);
    bus.robot_index = places_of(robot, by_bus[i]);
    const BusPace pace = pace_of(robot, i);
    bus.every = pace.every;
    bus.share = robot.buses[i].budget;
    bus.lead = pace.lead;
  }
  return std::make_unique<hw::HwBackend>(
      robot.period_ns, std::move(buses),
      hw::HwOptions{.timing = options.timing, .give_up = options.give_up});
}

}  // namespace jointrig::app
