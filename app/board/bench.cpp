#include "app/board/bench.h"

#include <numbers>
#include <string>

namespace jointrig {
namespace {

std::size_t bus_of(std::size_t joint) { return joint / Bench::kJointsPerBus; }
std::uint8_t number_of(std::size_t joint) {
  return static_cast<std::uint8_t>(joint % Bench::kJointsPerBus + 1);
}

std::vector<VirtualSeat> seats_of(const RobotConfig& robot) {
  std::vector<VirtualSeat> seats;
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    VirtualSeat seat;
    seat.bus = bus_of(i);
    seat.drive.node = number_of(i);
    seat.drive.serial = static_cast<std::uint32_t>(i + 1);
    seat.drive.facts = Bench::facts_of(robot.joints[i]);
    seat.drive.slide = robot.joints[i].slide;
    seat.drive.stop_deceleration = robot.joints[i].limits.a_max;
    seats.push_back(seat);
  }
  return seats;
}

hw::HwJoint joint_of(const RobotConfig& robot, std::size_t index) {
  const JointConfig& joint = robot.joints[index];
  hw::BusJoint drive;
  drive.name = joint.name;
  drive.host.units = hw::DriveUnits(Bench::facts_of(joint), joint.slide);
  drive.host.period = to_seconds(robot.period_ns);
  drive.host.supported_modes = offered_modes(joint.board.drive_modes);
  drive.host.has_pwm = joint.board.drive_modes.has(DriveMode::kDuty);
  drive.host.needs_calibration = joint.board.needs_calibration;
  drive.host.on_bench = true;
  drive.host.v_max = joint.limits.v_max;
  drive.host.tells_following = true;
  drive.settings.node = number_of(index);
  drive.settings.modes_needed = drive.host.supported_modes;
  drive.settings.period_us = static_cast<std::uint32_t>(robot.period_ns / 1000);
  drive.settings.feed_forward = true;
  return {index, drive};
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

Bench::Bench(const RobotConfig& robot, const PlantOptions& options)
    : config_(robot), robot_(robot, seats_of(robot), options) {
  const std::size_t buses = (robot.joints.size() + kJointsPerBus - 1) / kJointsPerBus;
  for (std::size_t bus = 0; bus < buses; ++bus) {
    clocks_.emplace_back(buses_.emplace_back(can::VirtualBusConfig{}));
    attach(robot_, bus, buses_.back());
  }
}

std::unique_ptr<hw::HwBackend> Bench::make_backend() {
  std::vector<hw::HwBus> buses(buses_.size());
  for (std::size_t bus = 0; bus < buses.size(); ++bus) {
    buses[bus].name = std::to_string(bus);
    buses[bus].transport = std::make_unique<can::SteppedTransport>(buses_[bus], "host");
    buses[bus].clock = &clocks_[bus];
  }
  for (std::size_t i = 0; i < config_.joints.size(); ++i) {
    buses[bus_of(i)].joints.push_back(joint_of(config_, i));
  }
  robot_.power_on(0);
  // In the time of the bus, where eight joints take 3 ms: what has not come by then won't come.
  constexpr std::int64_t kPatience = 20'000'000;  // [ns]
  return std::make_unique<hw::HwBackend>(
      config_.period_ns, std::move(buses),
      hw::HwOptions{.timing = hw::Timing::kLockstep, .answer_within_ns = kPatience});
}

}  // namespace jointrig
