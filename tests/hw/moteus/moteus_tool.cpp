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

#include <poll.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>

#include "app/boards/virtual_servo.h"
#include "hw/can/bus_hub.h"
#include "hw/can/clock.h"
#include "hw/can/transport_address.h"
#include "hw/driver/hw_backend.h"
#include "hw/driver/moteus_bus.h"

namespace jointrig {
namespace {

/// A servo whose output turns a flywheel with some friction.
class FlywheelServo {
 public:
  FlywheelServo() : board_(spec()), servo_({.serial = 4711}, board_) {
    board_.power_on({});
    servo_.power_on(0);
  }

  static sim::BoardSpec spec() {
    JointConfig joint;
    joint.name = "flywheel";
    joint.limits.q_min = -100.0;
    joint.limits.q_max = 100.0;
    joint.limits.v_max = 30.0;
    joint.limits.tau_max = 5.0;
    joint.gains = {.kp = 20.0, .kd = 0.5};
    return app::board_of_servo(sim::make_board_spec(joint, PlantConfig{}, kPeriod));
  }

  /// Lets the physics go on up to `now`.
  void run_until(can::TimeNs now) {
    if (next_ == 0) next_ = now;
    for (; next_ <= now; next_ += can::kMillisecond) {
      const double torque = board_.act(&servo_.next_period());
      v_ += (torque - kFriction * v_) / kInertia * kPeriod;
      q_ += v_ * kPeriod;
      board_.sense({q_, v_});
    }
  }
  [[nodiscard]] can::TimeNs next() const { return next_; }
  app::VirtualServo& servo() { return servo_; }
  sim::SimBoard& board() { return board_; }

 private:
  static constexpr double kPeriod = 1e-3;    // [s]
  static constexpr double kInertia = 0.01;   // [kg·m²]
  static constexpr double kFriction = 0.01;  // [N·m·s/rad]
  sim::SimBoard board_;
  app::VirtualServo servo_;
  double q_ = 0;
  double v_ = 0;
  can::TimeNs next_ = 0;
};

void serve_frames(FlywheelServo& flywheel, can::VirtualBus& bus, can::NodeId node,
                  can::TimeNs now) {
  std::array<can::Delivery, 16> heard;
  while (const std::size_t count = bus.receive(node, heard)) {
    for (std::size_t i = 0; i < count; ++i) {
      flywheel.servo().receive(heard[i].frame, now);
      while (const auto answer = flywheel.servo().next_frame()) bus.send(node, *answer, now);
    }
  }
}

bool has_line() {
  pollfd waited{0, POLLIN, 0};
  return ::poll(&waited, 1, 0) > 0;
}

int serve() {
  can::BusHubConfig config;
  config.adapters = 1;
  can::BusHub hub(config);
  FlywheelServo flywheel;
  const can::NodeId node = hub.bus().attach("servo");
  hub.add([&](can::TimeNs now) {
    flywheel.run_until(now);
    serve_frames(flywheel, hub.bus(), node, now);
    return flywheel.next();
  });
  std::puts("up");
  std::string line;
  for (;;) {
    std::fflush(stdout);
    hub.step(can::monotonic_now() + 2 * can::kMillisecond);
    if (!has_line()) continue;
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

class WallClock final : public hw::BusClock {
 public:
  [[nodiscard]] std::int64_t now() const noexcept override { return can::monotonic_now(); }
};

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
                                           const WallClock& clock) {
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
  std::vector<hw::HwBus> lines;
  lines.push_back(std::move(line));
  return std::make_unique<hw::HwBackend>(kCycle, std::move(lines),
                                         hw::HwOptions{.start_within_ns = 3'000'000'000});
}

JointSetpoint setpoint_of(const std::string& drive, double value) {
  JointSetpoint setpoint;
  if (drive == "clear") {
    setpoint.request = BoardRequest::kClearFault;
  } else if (parse(drive, setpoint.drive)) {
    setpoint.q = setpoint.drive == DriveMode::kPosition ? value : 0.0;
    setpoint.v = setpoint.drive == DriveMode::kVelocity ? value : 0.0;
    setpoint.tau = setpoint.drive == DriveMode::kTorque ? value : 0.0;
  }
  return setpoint;
}

void start(hw::HwBackend& backend) {
  try {
    backend.start();
    std::puts("running");
  } catch (const std::exception& problem) {
    std::string text = problem.what();
    std::replace(text.begin(), text.end(), '\n', ';');
    std::puts(text.c_str());
  }
}

int drive(const std::string& address, double watchdog, const std::vector<Driven>& servos) {
  const WallClock clock;
  const auto backend = make_driver(address, watchdog, servos, clock);
  RobotState state;
  RobotCommand command;
  command.joints.resize(servos.size());
  std::puts("up");
  std::string line;
  while (std::fflush(stdout), std::getline(std::cin, line)) {
    std::istringstream words(line);
    std::string verb;
    std::string drive;
    int cycles = 0;
    double value = 0;
    words >> verb >> cycles >> drive >> value;
    if (verb == "start") start(*backend);
    if (verb == "inputs") std::printf("%u\n", state.joints[0].inputs);
    if (verb != "run") continue;
    for (int i = 0; i < cycles && backend->wait().is_due; ++i) {
      backend->read(state);
      for (JointSetpoint& setpoint : command.joints) setpoint = setpoint_of(drive, value);
      backend->write(command);
    }
    const JointState& joint = state.joints[0];
    std::printf("%s %.9g %.9g %.9g %u %s\n", std::string(to_string(joint.status)).c_str(), joint.q,
                joint.v, joint.tau, joint.missed, std::string(to_string(joint.fault)).c_str());
  }
  backend->stop();
  return 0;
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

int main(int argc, char** argv) {
  try {
    return jointrig::run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
