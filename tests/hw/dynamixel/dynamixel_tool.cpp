// The project's half of the tests against other people's Dynamixel software.
//
//     dynamixel_tool servos ID...   virtual servos on a serial line of their own, each a simulated
//                                   board with an inertia behind it. Says "up", then answers
//         device                    what clients open
//         hot ID | cool ID          its winding is, or is no longer, too hot

#include <cstdio>
#include <deque>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "app/boards/virtual_dynamixel.h"
#include "hw/can/bus_hub.h"
#include "hw/can/clock.h"
#include "hw/dynamixel/serial_port.h"
#include "tests/hw/servo_tool.h"

namespace jointrig {
namespace {

using Flywheel = servo_tool::Flywheel<app::VirtualDynamixel, app::VirtualDynamixelSpec>;

sim::BoardSpec board_spec() {
  return app::board_of_dynamixel(
      sim::make_board_spec(Flywheel::joint(6.0, 4.0), PlantConfig{}, Flywheel::kPeriod));
}

int serve(const std::vector<std::string>& ids) {
  can::BusHubConfig config;
  config.bus.rates.nominal = 4'000'000;
  can::BusHub hub(config);
  auto port = std::make_unique<dynamixel::SerialPort>("");
  const std::string device = port->device();
  hub.add_link("line", std::move(port));
  std::deque<Flywheel> flywheels;
  for (const std::string& id : ids) {
    Flywheel& flywheel = flywheels.emplace_back(
        app::VirtualDynamixelSpec{.id = static_cast<std::uint8_t>(std::stoi(id)),
                                  .facts = {.torque_constant = 1.8}},
        board_spec());
    const can::NodeId node = hub.bus().attach("servo " + id);
    hub.add([&flywheel, &hub, node](can::TimeNs now) {
      flywheel.run_until(now);
      flywheel.serve_frames(hub.bus(), node, now);
      return flywheel.next();
    });
  }
  std::puts("up");
  std::string line;
  for (;;) {
    std::fflush(stdout);
    hub.step(can::monotonic_now() + 2 * can::kMillisecond);
    if (!servo_tool::has_line()) continue;
    if (!std::getline(std::cin, line)) return 0;
    std::istringstream words(line);
    std::string verb;
    int id = 0;
    words >> verb >> id;
    if (verb == "device") {
      std::puts(device.c_str());
      continue;
    }
    constexpr double kTooHot = 150.0;  // [°C]
    for (Flywheel& flywheel : flywheels) {
      if (flywheel.servo().machine().id() != id) continue;
      if (verb == "hot") flywheel.board().inject(sim::SimFault::kOverTemperature, kTooHot);
      if (verb == "cool") flywheel.board().end(sim::SimFault::kOverTemperature);
    }
    std::puts("ok");
  }
}

int run(const std::vector<std::string>& words) {
  if (words.size() >= 2 && words[0] == "servos") return serve({words.begin() + 1, words.end()});
  std::cerr << "see the head of dynamixel_tool.cpp\n";
  return 2;
}

}  // namespace
}  // namespace jointrig

int main(int argc, char** argv) { return jointrig::servo_tool::guarded(argc, argv, jointrig::run); }
