#include "app/boards/local_boards.h"

#include <fmt/core.h>

#include <algorithm>
#include <numbers>
#include <stdexcept>
#include <string>

#include "app/boards/seats.h"
#include "app/rig/wiring.h"
#include "control/core/sensor_nodes.h"

namespace jointrig::app {
namespace {

constexpr std::uint32_t kToken = 1;  // no other program is on these buses

/// A drive whose counts are the steps of the joint's encoder.
DriveConfig drive_of(const JointConfig& joint) {
  constexpr double kTurn = 2.0 * std::numbers::pi;
  constexpr double kIdealStep = 1e-7;  // assumed step of an encoder without steps [rad or m]
  const double step = joint.board.encoder_step > 0 ? joint.board.encoder_step : kIdealStep;
  DriveConfig drive;
  drive.feed = joint.slide ? 1.0 : 0.0;
  drive.encoder_increments = (joint.slide ? 1.0 : kTurn) / step;
  drive.rated_torque =
      1000.0 * joint.limits.tau_max / LocalBoards::kTorqueSteps / (joint.slide ? kTurn : 1.0);
  drive.life_counter = true;
  drive.feed_forward = true;
  return drive;
}

DriveConfig dynamixel_of(const JointConfig& joint, const BusPlan& plan) {
  constexpr double kCurrentAtLimit = 3.0;  // [A], of the joint's torque limit
  DriveConfig servo = plan.servo;
  servo.feed = joint.slide ? 1.0 : 0.0;
  servo.torque_constant = joint.limits.tau_max / kCurrentAtLimit / servo.gear *
                          (joint.slide ? 0.5 / std::numbers::pi : 1.0);
  return servo;
}

DriveConfig servo_of(const JointConfig& joint, const BusPlan& plan) {
  DriveConfig servo = plan.servo;
  servo.feed = joint.slide ? 1.0 : 0.0;
  return servo;
}

DriveConfig drive_on(BusProtocol protocol, const JointConfig& joint, const BusPlan& plan) {
  if (protocol == BusProtocol::kMoteus) return servo_of(joint, plan);
  if (protocol == BusProtocol::kDynamixel) return dynamixel_of(joint, plan);
  return drive_of(joint);
}

/// One PDO each way, where robot.yaml has it so.
void keep_layout(const DriveConfig& own, DriveConfig& drive) {
  if (own.layout != DriveLayout::kCompact) return;
  drive.layout = own.layout;
  drive.feed_forward = false;
}

/// The cycle of the joint's bus in robot.yaml.
TimeNs cycle_in_file(const RobotConfig& robot, const JointConfig& joint) {
  for (const BusConfig& bus : robot.buses) {
    if (bus.name == joint.drive.bus) return bus.cycle_ns;
  }
  return 0;
}

bool has_bus(const RobotConfig& robot, const SensorNodeConfig& device) {
  return std::any_of(robot.buses.begin(), robot.buses.end(),
                     [&](const BusConfig& bus) { return bus.name == device.bus; });
}

/// A board of the project is the one of the plan, whatever its wire.
bool is_of_another_make(const RobotConfig& robot, const JointConfig& joint) {
  const bool is_a_servo =
      std::any_of(robot.buses.begin(), robot.buses.end(), [&](const BusConfig& bus) {
        return bus.name == joint.drive.bus && bus.protocol != BusProtocol::kCanopen;
      });
  return is_a_servo || !joint.drive.life_counter;
}

bool names_drives_of_other_makes(const RobotConfig& robot) {
  bool any = false;
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    if (robot.elsewhere.test(i)) continue;
    if (robot.joints[i].drive.bus.empty()) return false;
    any = any || is_of_another_make(robot, robot.joints[i]);
  }
  return any;
}

/// Sensors, on a bus of their own for each cycle: that of the first joint of the arm, of the robot
/// where no arm has the sensor, whose physics runs with it.
void wire_sensors(const RobotConfig& own, RobotConfig& robot) {
  const std::size_t first = robot.buses.size();
  int nodes = 0;
  for_each_sensor(robot, [&](const NamedSensor& sensor, SensorNodeConfig& device) {
    if (has_bus(robot, device)) return;
    const JointIndex joint = sensor.arm != kNoArm ? own.arms[sensor.arm].joints.front() : 0;
    const TimeNs cycle = cycle_in_file(own, own.joints[joint]);
    std::size_t bus = first;
    while (bus < robot.buses.size() && robot.buses[bus].cycle_ns != cycle) ++bus;
    if (bus == robot.buses.size()) {
      BusConfig& added = robot.buses.emplace_back();
      added.name = fmt::format("{}", bus);
      added.cycle_ns = cycle;
    }
    device = {};
    device.bus = robot.buses[bus].name;
    device.node = ++nodes;
  });
}

/// Buses whose joints are all on other backends.
void drop_empty_buses(RobotConfig& robot) {
  const auto by_bus = joints_by_bus(robot);
  for (std::size_t bus = robot.buses.size(); bus-- > 0;) {
    if (!by_bus[bus].empty() || !sensors_on(robot, bus).empty() || robot.elsewhere.none()) continue;
    robot.buses.erase(robot.buses.begin() + static_cast<std::ptrdiff_t>(bus));
  }
}

}  // namespace

RobotConfig LocalBoards::wired(RobotConfig robot, const BusPlan& plan) {
  const RobotConfig own = robot;
  if (plan.own_buses && names_drives_of_other_makes(robot)) {
    if (const auto problems = wiring_problems(robot); !problems.empty()) {
      throw std::invalid_argument("robot " + robot.name + ": " + problems.front());
    }
    wire_sensors(own, robot);
    drop_empty_buses(robot);
    return robot;
  }
  robot.buses.clear();
  std::size_t on_bus = 0;
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    if (robot.elsewhere.test(i)) continue;
    const TimeNs cycle = cycle_in_file(own, own.joints[i]);
    const bool fits = !robot.buses.empty() && robot.buses.back().cycle_ns == cycle &&
                      on_bus < plan.joints_per_bus;
    if (!fits) {
      const std::size_t number = robot.buses.size();
      BusConfig& bus = robot.buses.emplace_back();
      bus.name = fmt::format("{}", number);
      bus.cycle_ns = cycle;
      if (number < plan.buses.size()) bus.protocol = plan.buses[number];
      on_bus = 0;
    }
    JointConfig& joint = robot.joints[i];
    joint.drive = drive_on(robot.buses.back().protocol, joint, plan);
    keep_layout(own.joints[i].drive, joint.drive);
    joint.drive.bus = robot.buses.back().name;
    joint.drive.node = static_cast<int>(++on_bus);
  }
  wire_sensors(own, robot);
  return robot;
}

LocalBoards::LocalBoards(const RobotConfig& robot, const sim::PlantOptions& options,
                         const BusPlan& plan)
    : config_(wired(robot, plan)),
      robot_(config_, seats_of(config_, kToken), options, {}, sensor_seats_of(config_, kToken)) {
  for (std::size_t bus = 0; bus < config_.buses.size(); ++bus) {
    can::VirtualBusConfig wire;
    const BusConfig& own = config_.buses[bus];
    if (!own.address.empty()) {
      wire.rates = rates_of(own);
    } else if (own.protocol == BusProtocol::kDynamixel) {
      wire.rates.nominal = 4'000'000;
    }
    clocks_.emplace_back(buses_.emplace_back(wire));
    attach(robot_, bus, buses_.back());
  }
}

std::unique_ptr<hw::HwBackend> LocalBoards::make_backend() {
  std::vector<hw::HwBus> buses(buses_.size());
  const auto by_bus = joints_by_bus(config_);
  for (std::size_t bus = 0; bus < buses.size(); ++bus) {
    buses[bus].name = config_.buses[bus].name;
    buses[bus].transport = std::make_unique<can::SteppedTransport>(buses_[bus], "host");
    buses[bus].clock = &clocks_[bus];
    buses[bus].bus = driver_bus(config_, bus, kToken);
    buses[bus].robot_index = places_of(config_, by_bus[bus]);
    const BusPace pace = pace_of(config_, bus);
    buses[bus].every = pace.every;
    buses[bus].lead = pace.lead;
  }
  robot_.power_on(0);
  // In the time of the bus, where eight joints take 3 ms: a later answer won't come.
  constexpr std::int64_t kPatience = 20'000'000;  // [ns]
  return std::make_unique<hw::HwBackend>(
      config_.period_ns, std::move(buses),
      hw::HwOptions{.timing = hw::Timing::kLockstep, .answer_within_ns = kPatience});
}

}  // namespace jointrig::app
