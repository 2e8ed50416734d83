#include "app/boards/seats.h"

#include "app/rig/wiring.h"
#include "control/core/sensor_nodes.h"
#include "hw/driver/dynamixel_bus.h"
#include "hw/driver/moteus_bus.h"

namespace jointrig::app {

namespace {

/// Answer for a drive that is no board of the project.
ProfiledDrive profiled(const RobotConfig& robot, std::size_t joint) {
  const DriveConfig& config = robot.joints[joint].drive;
  ProfiledDrive drive;
  drive.identity = {config.vendor, config.product, config.revision, config.serial};
  drive.without = config.without;
  drive.pdos = pdos_of(robot, joint);
  drive.remaps_pdos = config.remaps_pdos;
  return drive;
}

VirtualDriveSpec drive_seat(const RobotConfig& robot, std::size_t bus, std::size_t index,
                            std::uint32_t serial, std::uint32_t boards_token) {
  const JointConfig& joint = robot.joints[index];
  VirtualDriveSpec drive;
  drive.node = static_cast<std::uint8_t>(joint.drive.node);
  drive.serial = serial;
  drive.boards_token = boards_token;
  drive.facts = facts_of(joint.drive);
  drive.slide = joint.slide;
  drive.stop_deceleration = joint.limits.a_max;
  drive.cycle = to_seconds(cycle_of(robot, robot.buses[bus]));
  if (!joint.drive.life_counter) drive.profiled = profiled(robot, index);
  return drive;
}

VirtualServoSpec servo_seat(const JointConfig& joint, std::uint32_t serial,
                            std::uint32_t boards_token) {
  VirtualServoSpec servo;
  servo.id = static_cast<std::uint8_t>(joint.drive.node);
  servo.serial = servo_serial(serial, boards_token);
  servo.facts = hw::moteus_facts(joint.drive);
  servo.slide = joint.slide;
  return servo;
}

VirtualDynamixelSpec dynamixel_seat(const JointConfig& joint) {
  VirtualDynamixelSpec servo;
  servo.id = static_cast<std::uint8_t>(joint.drive.node);
  if (joint.drive.product) servo.model = static_cast<std::uint16_t>(*joint.drive.product);
  servo.facts = hw::dynamixel_facts(joint.drive);
  servo.slide = joint.slide;
  return servo;
}

}  // namespace

std::vector<VirtualSeat> seats_of(const RobotConfig& robot, std::uint32_t boards_token) {
  std::vector<VirtualSeat> seats(robot.joints.size());
  const auto by_bus = joints_by_bus(robot);
  for (std::size_t bus = 0; bus < by_bus.size(); ++bus) {
    for (const std::size_t joint : by_bus[bus]) {
      const JointConfig& config = robot.joints[joint];
      const std::uint32_t serial = board_serial(config, joint);
      seats[joint].bus = bus;
      if (robot.buses[bus].protocol == BusProtocol::kMoteus) {
        VirtualServoSpec servo = servo_seat(config, serial, boards_token);
        servo.inputs_active_low = inputs_active_low(robot, joint);
        seats[joint].board = servo;
      } else if (robot.buses[bus].protocol == BusProtocol::kDynamixel) {
        seats[joint].board = dynamixel_seat(config);
      } else {
        VirtualDriveSpec drive = drive_seat(robot, bus, joint, serial, boards_token);
        drive.inputs_active_low = inputs_active_low(robot, joint);
        seats[joint].board = drive;
      }
    }
  }
  return seats;
}

std::vector<VirtualSensorSeat> sensor_seats_of(const RobotConfig& robot,
                                               std::uint32_t boards_token) {
  std::vector<VirtualSensorSeat> seats;
  const std::vector<NamedSensor> sensors = sensors_of(robot);
  for (std::size_t bus = 0; bus < robot.buses.size(); ++bus) {
    for (const std::size_t number : sensors_on(robot, bus)) {
      const NamedSensor& sensor = sensors[number];
      VirtualSensorSeat& seat = seats.emplace_back();
      seat.bus = bus;
      seat.site = sensor.site;
      seat.node.kind = kind_of(sensor);
      seat.node.node = static_cast<std::uint8_t>(sensor.device.node);
      seat.node.identity = {sensor.device.vendor, sensor.device.product, sensor.device.revision,
                            sensor_serial(robot, number)};
      seat.node.boards_token = boards_token;
      seat.node.first_range = sensor.first_range;
      seat.node.second_range = sensor.second_range;
    }
  }
  return seats;
}

}  // namespace jointrig::app
