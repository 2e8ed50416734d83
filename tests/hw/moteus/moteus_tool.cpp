// The project's half of the tests against other people's moteus software.
//
//     moteus_tool servo            a virtual servo 1 on an adapter of its own: simulated board, an
//                                  inertia behind it. Says "up", then answers
//         device                   what SLCAN clients open
//         hot | cool               its winding is, or is no longer, too hot
//         press N | release        its digital input N is on, or none is

#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

#include "app/boards/virtual_servo.h"
#include "hw/can/bus_hub.h"
#include "hw/can/clock.h"
#include "tests/hw/servo_tool.h"

namespace jointrig {
namespace {

using Flywheel = servo_tool::Flywheel<app::VirtualServo, app::VirtualServoSpec>;

sim::BoardSpec board_spec() {
  return app::board_of_servo(
      sim::make_board_spec(Flywheel::joint(30.0, 5.0), PlantConfig{}, Flywheel::kPeriod));
}

int serve() {
  can::BusHubConfig config;
  config.adapters = 1;
  can::BusHub hub(config);
  Flywheel flywheel({.serial = 4711}, board_spec());
  const can::NodeId node = hub.bus().attach("servo");
  hub.add([&](can::TimeNs now) {
    flywheel.run_until(now);
    flywheel.serve_frames(hub.bus(), node, now);
    return flywheel.next();
  });
  std::puts("up");
  std::string line;
  for (;;) {
    std::fflush(stdout);
    hub.step(can::monotonic_now() + 2 * can::kMillisecond);
    if (!servo_tool::has_line()) continue;
    if (!std::getline(std::cin, line)) return 0;
    if (line == "device") {
      std::puts(hub.adapter_device(0).c_str());
      continue;
    }
    constexpr double kTooHot = 150.0;  // [°C]
    if (line == "hot") flywheel.board().inject(sim::SimFault::kOverTemperature, kTooHot);
    if (line.rfind("press ", 0) == 0) {
      flywheel.board().inject(sim::SimFault::kDigitalInput, std::stod(line.substr(6)));
    }
    if (line == "release") flywheel.board().end(sim::SimFault::kDigitalInput);
    if (line == "cool") flywheel.board().end(sim::SimFault::kOverTemperature);
    std::puts("ok");
  }
}

int run(const std::vector<std::string>& words) {
  if (words.size() == 1 && words[0] == "servo") return serve();
  std::cerr << "see the head of moteus_tool.cpp\n";
  return 2;
}

}  // namespace
}  // namespace jointrig

int main(int argc, char** argv) { return jointrig::servo_tool::guarded(argc, argv, jointrig::run); }
