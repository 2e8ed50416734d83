#include "app/boards/virtual_robot.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "sim/board/random.h"

namespace jointrig::app {
namespace {

void check_brake(const JointConfig& joint, bool is_drive) {
  if (!joint.brake.is_there() || is_drive) return;
  throw std::invalid_argument("joint " + joint.name +
                              " has a brake, and only CANopen drives switch one");
}

}  // namespace

VirtualRobot::VirtualRobot(const RobotConfig& robot, const std::vector<VirtualSeat>& seats,
                           const sim::PlantOptions& options, const VirtualRobotOptions& pace,
                           const std::vector<VirtualSensorSeat>& sensors)
    : seats_(seats),
      pace_(pace),
      plant_(robot, options),
      sensor_seats_(sensors),
      sensors_(robot, plant_.force_torque_sites(), plant_.imu_sites()) {
  const double period = to_seconds(robot.period_ns);
  boards_.reserve(robot.joints.size());
  std::size_t buses = 0;
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    sim::BoardSpec board = sim::make_board_spec(robot.joints[i], robot.plant, period);
    if (is_led(i)) {
      boards_.emplace_back(board, sim::seed_of(robot.plant.seed, i));
      on_bus_.push_back(nullptr);
      continue;
    }
    check_brake(robot.joints[i], std::holds_alternative<VirtualDriveSpec>(seats_.at(i).board));
    const std::uint64_t seed = sim::seed_of(robot.plant.seed, i);
    if (const auto* drive = std::get_if<VirtualDriveSpec>(&seats_.at(i).board)) {
      boards_.emplace_back(board, seed);
      auto on_bus = std::make_unique<VirtualDrive>(*drive, boards_[i]);
      on_bus->set_drift(pace.drift_ppm, pace.free_running);
      on_bus_.push_back(std::move(on_bus));
    } else if (const auto* servo = std::get_if<VirtualDynamixelSpec>(&seats_[i].board)) {
      boards_.emplace_back(board_of_dynamixel(board), seed);
      on_bus_.push_back(std::make_unique<VirtualDynamixel>(*servo, boards_[i]));
    } else {
      boards_.emplace_back(board_of_servo(board), seed);
      on_bus_.push_back(
          std::make_unique<VirtualServo>(std::get<VirtualServoSpec>(seats_[i].board), boards_[i]));
    }
    buses = std::max(buses, seats_[i].bus + 1);
  }
  for (const VirtualSensorSeat& sensor : sensor_seats_) buses = std::max(buses, sensor.bus + 1);
  seat_sensors(robot);
  cycles_of_.assign(buses, 0);
  every_.assign(buses, 1);
  for (std::size_t bus = 0; bus < std::min(buses, robot.buses.size()); ++bus) {
    const TimeNs cycle = robot.buses[bus].cycle_ns;
    if (cycle > 0) every_[bus] = static_cast<std::uint64_t>(cycle / robot.period_ns);
  }
}

void VirtualRobot::seat_sensors(const RobotConfig& robot) {
  for (const VirtualSensorSeat& seat : sensor_seats_) {
    const bool is_imu = seat.node.kind == canopen::SensorKind::kImu;
    const auto number = is_imu ? sensors_.find_imu(seat.site) : sensors_.find(seat.site);
    if (!number) {
      throw std::invalid_argument("robot " + robot.name + ": its model has no " +
                                  (is_imu ? "accelerometer and gyro" : "force and torque sensor") +
                                  " at a site \"" + seat.site + "\"");
    }
    on_bus_.push_back(std::make_unique<VirtualSensor>(seat.node, sensors_, *number));
  }
}

void VirtualRobot::power_on(std::int64_t now) noexcept {
  for (std::size_t i = 0; i < boards_.size(); ++i) boards_[i].power_on(plant_.joint(i));
  sample_sensors();
  for (const auto& device : on_bus_) {
    if (device != nullptr) device->power_on(now);
  }
}

void VirtualRobot::sample_sensors() noexcept {
  plant_.read_sensors(sensed_);
  sensors_.sample(sensed_.force_torque, sensed_.imus);
}

void VirtualRobot::on_cycle(std::size_t bus) noexcept {
  std::uint64_t& begun = cycles_of_[bus];
  begun += begun == 0 ? 1 : every_[bus];
  while (begun > cycles_ && !pace_.free_running) advance();
}

void VirtualRobot::on_period() noexcept {
  for (std::uint64_t& count : cycles_of_) ++count;
  advance();
}

std::uint64_t VirtualRobot::hash() const noexcept {
  sim::StateHash hash;
  plant_.add_to(hash);
  for (const sim::SimBoard& board : boards_) board.add_to(hash);
  hash.add(cycles_);
  return hash.value();
}

/// In lockstep the stack's first command releases the robot, as in `sim`. With a clock of its own
/// it stands until a motor carries it, like a robot with brakes, since the time before that is
/// unknown.
bool VirtualRobot::is_held() const noexcept {
  if (pace_.free_running) return !was_driven_;
  return std::none_of(on_bus_.begin(), on_bus_.end(),
                      [](const auto& board) { return board != nullptr && board->is_released(); });
}

/// Runs from one cycle to the next. The first one finds the robot in its start pose.
void VirtualRobot::advance() noexcept {
  const bool first = cycles_++ == 0;
  if (first) return;
  for (std::size_t i = 0; i < boards_.size(); ++i) {
    if (is_led(i)) continue;
    on_bus_[i]->on_period();
    if (on_bus_[i]->take_power_cycle()) boards_[i].power_on(plant_.joint(i));
    plant_.set_torque(i, boards_[i].act(&on_bus_[i]->next_period()));
    was_driven_ = was_driven_ || boards_[i].status() == BoardStatus::kEnabled;
    plant_.set_added_friction(i, boards_[i].added_friction());
    plant_.set_spring_share(i, boards_[i].spring_share());
  }
  if (is_held()) {
    plant_.stand_still();
  } else {
    plant_.step();
  }
  for (std::size_t i = 0; i < boards_.size(); ++i) boards_[i].sense(plant_.joint(i));
  sample_sensors();
  for (std::size_t i = boards_.size(); i < on_bus_.size(); ++i) on_bus_[i]->on_period();
}

}  // namespace jointrig::app
