// The project's half of the tests against other people's Dynamixel software.
//
//     dynamixel_tool servos ID...   virtual servos on a serial line of their own, each a simulated
//                                   board with an inertia behind it. Says "up", then answers
//         device                    what clients open
//         hot ID | cool ID          its winding is, or is no longer, too hot
//     dynamixel_tool drive CYCLE DEVICE ID...   the hw backend with a joint per servo, so many ms a
//                                   cycle. Says "up", then answers
//         start                     "running", or what is missing, in one line
//         run N DRIVE VALUE         N cycles of off, position, velocity or torque, or clear; then
//                                   status, q, v, tau, missed, fault of the first joint
//         pause MS                  the host does nothing
//         line                      packets, wrong CRCs, late reports
//
// In drive the joints have a gear of 2 behind the servo, turn the other way, are at zero where the
// servo is at 1000, and have 1.8 N·m/A and 2 N·m at most.

#include <chrono>
#include <cstdio>
#include <deque>
#include <iostream>
#include <sstream>
#include <string>
#include <thread>

#include "app/boards/virtual_dynamixel.h"
#include "hw/can/bus_hub.h"
#include "hw/can/clock.h"
#include "hw/can/transport_address.h"
#include "hw/driver/dynamixel_bus.h"
#include "hw/driver/hw_backend.h"
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

std::unique_ptr<hw::HwBackend> make_driver(TimeNs cycle, const std::string& device,
                                           const std::vector<std::string>& ids,
                                           const servo_tool::WallClock& clock) {
  std::vector<hw::DynamixelJoint> joints;
  hw::HwBus line;
  for (const std::string& id : ids) {
    hw::DynamixelJoint joint;
    joint.name = "joint" + id;
    joint.host.id = static_cast<std::uint8_t>(std::stoi(id));
    joint.host.units = hw::DynamixelUnits(
        {.gear = 2, .reversed = true, .zero_counts = 1000, .torque_constant = 1.8}, false);
    joint.host.period = to_seconds(cycle);
    joint.host.v_max = 6.0;
    joint.host.tau_max = 2.0;
    joint.host.watchdog = 2.0;
    line.robot_index.push_back(joints.size());
    joints.push_back(joint);
  }
  line.name = "test";
  line.transport = can::open_transport("serial:" + device + "@4000000");
  line.clock = &clock;
  line.bus = std::make_unique<hw::DynamixelBus>(std::move(joints));
  return servo_tool::backend_on(std::move(line), cycle, 2'000'000'000);
}

int drive(int cycle_ms, const std::string& device, const std::vector<std::string>& ids) {
  const servo_tool::WallClock clock;
  const auto backend = make_driver(cycle_ms * can::kMillisecond, device, ids, clock);
  const auto& bus = static_cast<const hw::DynamixelBus&>(backend->bus(0));
  return servo_tool::drive(
      *backend, ids.size(), [&](const std::string& verb, int count, const RobotState&) {
        if (verb == "pause") {
          std::this_thread::sleep_for(std::chrono::milliseconds(count));
          std::puts("ok");
        }
        if (verb == "line") {
          std::printf("%llu %llu %llu\n", static_cast<unsigned long long>(bus.line().packets),
                      static_cast<unsigned long long>(bus.line().crc_errors),
                      static_cast<unsigned long long>(bus.late()));
        }
      });
}

int run(const std::vector<std::string>& words) {
  if (words.size() >= 2 && words[0] == "servos") return serve({words.begin() + 1, words.end()});
  if (words.size() >= 4 && words[0] == "drive") {
    return drive(std::stoi(words[1]), words[2], {words.begin() + 3, words.end()});
  }
  std::cerr << "see the head of dynamixel_tool.cpp\n";
  return 2;
}

}  // namespace
}  // namespace jointrig

int main(int argc, char** argv) { return jointrig::servo_tool::guarded(argc, argv, jointrig::run); }
