// The project's half of the tests against other people's moteus software.
//
//     moteus_tool servo            a virtual servo 1 on an adapter of its own: simulated board, an
//                                  inertia behind it. Says "up", then answers
//         device                   what SLCAN clients open
//         hot | cool               its winding is, or is no longer, too hot
//         press N | release        its digital input N is on, or none is
//     moteus_tool drive WATCHDOG ADDRESS ID...   the hw backend with a joint per servo, whose
//                                  watchdogs bark after so many seconds; of a servo "1i" the
//                                  digital inputs are read, too; 60 ms a cycle: a servo is lost
//                                  after 20 of them, and a busy machine may stand still for a
//                                  second. Says "up", then answers
//         start                    "running", or what is missing, in one line
//         run N DRIVE VALUE        N cycles of off, position, velocity or torque, or clear; then
//                                  status, q, v, tau, missed, fault of the first joint
//         inputs                   its digital inputs, after those cycles
//
// In drive the joints have a gear of 2 behind the servo, turn the other way and are at zero where
// the servo is at 0.1 rev.

#include <cstdio>
#include <iostream>
#include <string>

#include "app/boards/virtual_servo.h"
#include "hw/can/bus_hub.h"
#include "hw/can/clock.h"
#include "hw/can/transport_address.h"
#include "hw/driver/hw_backend.h"
#include "hw/driver/moteus_bus.h"
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

constexpr TimeNs kCycle = 60'000'000;

struct Driven {
  std::uint8_t id = 1;
  bool reads_inputs = false;
};

Driven driven_of(const std::string& word) {
  return {static_cast<std::uint8_t>(std::stoi(word)), word.back() == 'i'};
}

std::unique_ptr<hw::HwBackend> make_driver(const std::string& address, double watchdog,
                                           const std::vector<Driven>& servos,
                                           const servo_tool::WallClock& clock) {
  std::vector<hw::MoteusJoint> joints;
  hw::HwBus line;
  for (const Driven& servo : servos) {
    hw::MoteusJoint joint;
    joint.name = "joint" + std::to_string(servo.id);
    joint.id = servo.id;
    joint.host.reads_inputs = servo.reads_inputs;
    joint.host.units = hw::MoteusUnits({.gear = 2, .reversed = true, .zero = 0.1}, false);
    joint.host.period = to_seconds(kCycle);
    joint.host.v_max = 30.0;
    joint.host.watchdog = watchdog;
    line.robot_index.push_back(joints.size());
    joints.push_back(joint);
  }
  line.name = "test";
  line.transport = can::open_transport(address);
  line.clock = &clock;
  line.bus = std::make_unique<hw::MoteusBus>(std::move(joints));
  return servo_tool::backend_on(std::move(line), kCycle, 3'000'000'000);
}

int drive(const std::string& address, double watchdog, const std::vector<Driven>& servos) {
  const servo_tool::WallClock clock;
  const auto backend = make_driver(address, watchdog, servos, clock);
  return servo_tool::drive(*backend, servos.size(),
                           [](const std::string& verb, int, const RobotState& state) {
                             if (verb == "inputs") std::printf("%u\n", state.joints[0].inputs);
                           });
}

int run(const std::vector<std::string>& words) {
  if (words.size() == 1 && words[0] == "servo") return serve();
  if (words.size() >= 4 && words[0] == "drive") {
    std::vector<Driven> servos;
    for (std::size_t i = 3; i < words.size(); ++i) servos.push_back(driven_of(words[i]));
    return drive(words[2], std::stod(words[1]), servos);
  }
  std::cerr << "see the head of moteus_tool.cpp\n";
  return 2;
}

}  // namespace
}  // namespace jointrig

int main(int argc, char** argv) { return jointrig::servo_tool::guarded(argc, argv, jointrig::run); }
