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

#include <poll.h>

#include <algorithm>
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

namespace jointrig {
namespace {

/// A servo whose output turns a flywheel with some friction.
class Flywheel {
 public:
  explicit Flywheel(std::uint8_t id)
      : board_(spec()), servo_({.id = id, .facts = {.torque_constant = 1.8}}, board_) {
    board_.power_on({});
    servo_.power_on(0);
  }

  static sim::BoardSpec spec() {
    JointConfig joint;
    joint.name = "flywheel";
    joint.limits.q_min = -100.0;
    joint.limits.q_max = 100.0;
    joint.limits.v_max = 6.0;
    joint.limits.tau_max = 4.0;
    joint.gains = {.kp = 20.0, .kd = 0.5};
    return app::board_of_dynamixel(sim::make_board_spec(joint, PlantConfig{}, kPeriod));
  }

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
  app::VirtualDynamixel& servo() { return servo_; }
  sim::SimBoard& board() { return board_; }

 private:
  static constexpr double kPeriod = 1e-3;    // [s]
  static constexpr double kInertia = 0.01;   // [kg·m²]
  static constexpr double kFriction = 0.01;  // [N·m·s/rad]
  sim::SimBoard board_;
  app::VirtualDynamixel servo_;
  double q_ = 0;
  double v_ = 0;
  can::TimeNs next_ = 0;
};

void serve_frames(Flywheel& flywheel, can::VirtualBus& bus, can::NodeId node, can::TimeNs now) {
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

int serve(const std::vector<std::string>& ids) {
  can::BusHubConfig config;
  config.bus.rates.nominal = 4'000'000;
  can::BusHub hub(config);
  auto port = std::make_unique<dynamixel::SerialPort>("");
  const std::string device = port->device();
  hub.add_link("line", std::move(port));
  std::deque<Flywheel> flywheels;
  for (const std::string& id : ids) {
    Flywheel& flywheel = flywheels.emplace_back(static_cast<std::uint8_t>(std::stoi(id)));
    const can::NodeId node = hub.bus().attach("servo " + id);
    hub.add([&flywheel, &hub, node](can::TimeNs now) {
      flywheel.run_until(now);
      serve_frames(flywheel, hub.bus(), node, now);
      return flywheel.next();
    });
  }
  std::puts("up");
  std::string line;
  for (;;) {
    std::fflush(stdout);
    hub.step(can::monotonic_now() + 2 * can::kMillisecond);
    if (!has_line()) continue;
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

class WallClock final : public hw::BusClock {
 public:
  [[nodiscard]] std::int64_t now() const noexcept override { return can::monotonic_now(); }
};

std::unique_ptr<hw::HwBackend> make_driver(TimeNs cycle, const std::string& device,
                                           const std::vector<std::string>& ids,
                                           const WallClock& clock) {
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
  std::vector<hw::HwBus> lines;
  lines.push_back(std::move(line));
  return std::make_unique<hw::HwBackend>(cycle, std::move(lines),
                                         hw::HwOptions{.start_within_ns = 2'000'000'000});
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

int drive(int cycle_ms, const std::string& device, const std::vector<std::string>& ids) {
  const WallClock clock;
  const auto backend = make_driver(cycle_ms * can::kMillisecond, device, ids, clock);
  const auto& bus = static_cast<const hw::DynamixelBus&>(backend->bus(0));
  RobotState state;
  RobotCommand command;
  command.joints.resize(ids.size());
  std::puts("up");
  std::string line;
  while (std::fflush(stdout), std::getline(std::cin, line)) {
    std::istringstream words(line);
    std::string verb;
    std::string drive;
    int count = 0;
    double value = 0;
    words >> verb >> count >> drive >> value;
    if (verb == "start") start(*backend);
    if (verb == "pause") {
      std::this_thread::sleep_for(std::chrono::milliseconds(count));
      std::puts("ok");
    }
    if (verb == "line") {
      std::printf("%llu %llu %llu\n", static_cast<unsigned long long>(bus.line().packets),
                  static_cast<unsigned long long>(bus.line().crc_errors),
                  static_cast<unsigned long long>(bus.late()));
    }
    if (verb != "run") continue;
    for (int i = 0; i < count && backend->wait().is_due; ++i) {
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
  if (words.size() >= 2 && words[0] == "servos") return serve({words.begin() + 1, words.end()});
  if (words.size() >= 4 && words[0] == "drive") {
    return drive(std::stoi(words[1]), words[2], {words.begin() + 3, words.end()});
  }
  std::cerr << "see the head of dynamixel_tool.cpp\n";
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
