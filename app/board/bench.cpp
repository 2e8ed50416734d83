#include "app/board/bench.h"

#include <numbers>
#include <string>

#include "hw/driver/canopen_bus.h"
#include "hw/driver/moteus_bus.h"

namespace jointrig {
namespace {

BusProtocol protocol_of(const BenchPlan& plan, std::size_t bus) {
  return bus < plan.buses.size() ? plan.buses[bus] : BusProtocol::kCanopen;
}

std::uint8_t number_of(const BenchPlan& plan, std::size_t joint) {
  return static_cast<std::uint8_t>(joint % plan.joints_per_bus + 1);
}

hw::MoteusFacts servo_facts(const BenchPlan& plan, const JointConfig& joint) {
  hw::MoteusFacts facts = plan.servo;
  facts.feed = joint.slide ? 1.0 : 0.0;
  return facts;
}

VirtualDriveSpec drive_spec(const JointConfig& joint, std::size_t index, std::uint8_t node) {
  VirtualDriveSpec drive;
  drive.node = node;
  drive.serial = static_cast<std::uint32_t>(index + 1);
  drive.facts = Bench::facts_of(joint);
  drive.slide = joint.slide;
  drive.stop_deceleration = joint.limits.a_max;
  return drive;
}

VirtualServoSpec servo_spec(const BenchPlan& plan, const JointConfig& joint, std::size_t index) {
  VirtualServoSpec servo;
  servo.id = number_of(plan, index);
  servo.serial = static_cast<std::uint32_t>(index + 1);
  servo.facts = servo_facts(plan, joint);
  servo.slide = joint.slide;
  return servo;
}

std::vector<VirtualSeat> seats_of(const RobotConfig& robot, const BenchPlan& plan) {
  std::vector<VirtualSeat> seats(robot.joints.size());
  for (std::size_t i = 0; i < seats.size(); ++i) {
    seats[i].bus = i / plan.joints_per_bus;
    if (protocol_of(plan, seats[i].bus) == BusProtocol::kCanopen) {
      seats[i].board = drive_spec(robot.joints[i], i, number_of(plan, i));
    } else {
      seats[i].board = servo_spec(plan, robot.joints[i], i);
    }
  }
  return seats;
}

hw::BusJoint drive_of(const RobotConfig& robot, const JointConfig& joint, std::uint8_t node) {
  hw::BusJoint drive;
  drive.name = joint.name;
  drive.host.units = hw::DriveUnits(Bench::facts_of(joint), joint.slide);
  drive.host.period = to_seconds(robot.period_ns);
  drive.host.supported_modes = offered_modes(joint.board.drive_modes);
  drive.host.has_pwm = joint.board.drive_modes.has(DriveMode::kDuty);
  drive.host.needs_calibration = joint.board.needs_calibration;
  drive.host.on_bench = true;
  drive.settings.node = node;
  drive.settings.modes_needed = drive.host.supported_modes;
  drive.settings.period_us = static_cast<std::uint32_t>(robot.period_ns / 1000);
  drive.settings.feed_forward = true;
  return drive;
}

hw::MoteusJoint servo_of(const RobotConfig& robot, const BenchPlan& plan, std::size_t index) {
  JointConfig joint = robot.joints[index];
  const VirtualServoSpec spec = servo_spec(plan, joint, index);
  joint.drive.node = spec.id;
  joint.drive.serial = spec.serial;
  joint.drive.gear = spec.facts.gear;
  joint.drive.feed = spec.facts.feed;
  joint.drive.reversed = spec.facts.reversed;
  joint.drive.zero_counts = spec.facts.zero;
  const double period = to_seconds(robot.period_ns);
  const moteus::ServoConfig servo = servo_config(spec, make_board_spec(joint, robot.plant, period));
  hw::MoteusJoint drive = hw::moteus_joint(joint, period);
  drive.host.v_max = 0;  // injected jumps of the encoder are the board's to find, as in simulation
  drive.host.kp = servo.kp;
  drive.host.kd = servo.kd;
  drive.host.allows_duty = joint.board.drive_modes.has(DriveMode::kDuty);
  return drive;
}

}  // namespace

hw::DriveFacts Bench::facts_of(const JointConfig& joint) {
  constexpr double kTurn = 2.0 * std::numbers::pi;
  constexpr double kIdealStep = 1e-7;  // of an encoder without steps [rad or m]
  const double step = joint.board.encoder_step > 0 ? joint.board.encoder_step : kIdealStep;
  hw::DriveFacts facts;
  facts.feed = joint.slide ? 1.0 : 0.0;
  facts.encoder_increments = (joint.slide ? 1.0 : kTurn) / step;
  facts.rated_torque = 1000.0 * joint.limits.tau_max / kTorqueSteps / (joint.slide ? kTurn : 1.0);
  return facts;
}

Bench::Bench(const RobotConfig& robot, const PlantOptions& options, const BenchPlan& plan)
    : config_(robot), plan_(plan), robot_(robot, seats_of(robot, plan), options) {
  const std::size_t buses = (robot.joints.size() + plan.joints_per_bus - 1) / plan.joints_per_bus;
  for (std::size_t bus = 0; bus < buses; ++bus) {
    clocks_.emplace_back(buses_.emplace_back(can::VirtualBusConfig{}));
    attach(robot_, bus, buses_.back());
  }
}

std::unique_ptr<hw::JointBus> Bench::make_bus(std::size_t bus) const {
  std::vector<hw::BusJoint> drives;
  std::vector<hw::MoteusJoint> servos;
  const bool is_canopen = protocol_of(plan_, bus) == BusProtocol::kCanopen;
  for (std::size_t i = 0; i < config_.joints.size(); ++i) {
    if (robot_.bus_of(i) != bus) continue;
    if (is_canopen) {
      drives.push_back(drive_of(config_, config_.joints[i], number_of(plan_, i)));
    } else {
      servos.push_back(servo_of(config_, plan_, i));
    }
  }
  if (is_canopen) return std::make_unique<hw::CanopenBus>(std::move(drives));
  return std::make_unique<hw::MoteusBus>(std::move(servos));
}

std::unique_ptr<hw::HwBackend> Bench::make_backend() {
  std::vector<hw::HwBus> buses(buses_.size());
  for (std::size_t bus = 0; bus < buses.size(); ++bus) {
    buses[bus].name = std::to_string(bus);
    buses[bus].transport = std::make_unique<can::SteppedTransport>(buses_[bus], "host");
    buses[bus].clock = &clocks_[bus];
    buses[bus].bus = make_bus(bus);
  }
  for (std::size_t i = 0; i < config_.joints.size(); ++i) {
    buses[robot_.bus_of(i)].robot_index.push_back(i);
  }
  robot_.power_on(0);
  // In the time of the bus, where eight joints take 3 ms: what has not come by then won't come.
  constexpr std::int64_t kPatience = 20'000'000;  // [ns]
  return std::make_unique<hw::HwBackend>(
      config_.period_ns, std::move(buses),
      hw::HwOptions{.timing = hw::Timing::kLockstep, .answer_within_ns = kPatience});
}

}  // namespace jointrig
