#include "app/rig/wiring.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "hw/can/bus_budget.h"
#include "hw/can/transport_address.h"
#include "hw/canopen/pdo_record.h"
#include "hw/cia402/modes.h"
#include "hw/driver/bus_load.h"
#include "hw/driver/canopen_bus.h"
#include "hw/driver/dynamixel_bus.h"
#include "hw/driver/moteus_bus.h"

namespace jointrig::app {
namespace {

/// A wire that loses 3 % of its frames loses six in a row once in 1.4 billion.
constexpr int kBeatsToLoss = 6;
constexpr std::uint16_t kPatientSilence = 20'000;  // [ms]
constexpr std::uint16_t kPatientAnswer = 2'000;    // [ms]

const BusConfig* bus_called(const RobotConfig& robot, const std::string& name) {
  const auto found = std::find_if(robot.buses.begin(), robot.buses.end(),
                                  [&](const BusConfig& bus) { return bus.name == name; });
  return found != robot.buses.end() ? &*found : nullptr;
}

bool speaks_moteus(const BusConfig* bus) {
  return bus != nullptr && bus->protocol == BusProtocol::kMoteus;
}

bool speaks_dynamixel(const BusConfig* bus) {
  return bus != nullptr && bus->protocol == BusProtocol::kDynamixel;
}

bool speaks_canopen(const BusConfig* bus) { return !speaks_moteus(bus) && !speaks_dynamixel(bus); }

/// A serial line is no CAN bus.
void check_address(const BusConfig& bus, std::vector<std::string>& problems) {
  const bool is_serial = bus.address.starts_with("serial:");
  if (speaks_dynamixel(&bus) && !is_serial) {
    problems.push_back("bus " + bus.name + ": Dynamixel servos are on a serial line, and " +
                       bus.address + " is none; give it an address as serial:/dev/ttyUSB0@4000000");
  } else if (!speaks_dynamixel(&bus) && is_serial) {
    problems.push_back("bus " + bus.name + ": " + bus.address +
                       " is a serial line, which carries protocol dynamixel alone");
  }
}

void check_joint(const RobotConfig& robot, const JointConfig& joint,
                 std::vector<std::string>& problems) {
  if (joint.drive.bus.empty()) {
    problems.push_back(joint.name + " has no drive: give it `drive` with bus and node");
    return;
  }
  if (joint.brake.is_there() && !speaks_canopen(bus_called(robot, joint.drive.bus))) {
    problems.push_back("the drive of " + joint.name +
                       ": the joint has a brake, and only CANopen drives switch one");
  }
  const bool has_mapping = !joint.drive.pdos.empty() || !joint.drive.without.empty();
  if (has_mapping && !speaks_canopen(bus_called(robot, joint.drive.bus))) {
    problems.push_back("the drive of " + joint.name +
                       ": `pdos` and `without` are of a CiA 402 drive, and bus " + joint.drive.bus +
                       " has servos of another protocol; name a `profile` of its servo, or none");
  }
  // A servo's floats have no range limit, and its counts have room for 256 turns.
  if (!speaks_canopen(bus_called(robot, joint.drive.bus))) return;
  const hw::DriveUnits units(facts_of(joint.drive), joint.slide);
  const JointLimits& limits = joint.limits;
  const hw::DriveRange range{.q_min = limits.q_min,
                             .q_max = limits.q_max,
                             .v_max = limits.v_max,
                             .tau_max = limits.tau_max};
  for (const std::string& misfit : units.misfits(range)) {
    problems.push_back("the drive of " + joint.name + ": " + misfit);
  }
}

/// A board of the project sends its inputs under an identifier that not every node has.
void check_cuff(const RobotConfig& robot, std::size_t index, std::vector<std::string>& problems) {
  const JointConfig& joint = robot.joints[index];
  const bool has_fifth =
      joint.drive.life_counter && speaks_canopen(bus_called(robot, joint.drive.bus));
  if (reads_a_cuff(robot, index) && speaks_dynamixel(bus_called(robot, joint.drive.bus))) {
    problems.push_back("the drive of " + joint.name +
                       ": it reads a cuff, and a Dynamixel servo has no digital inputs");
  }
  if (!reads_a_cuff(robot, index) || !has_fifth) return;
  if (joint.drive.node <= canopen::kLastNodeOfFifthTpdo) return;
  problems.push_back(
      fmt::format("the drive of {}: it reads a cuff, which nodes 1 to {} have an identifier for, "
                  "and is node {}",
                  joint.name, canopen::kLastNodeOfFifthTpdo, joint.drive.node));
}

hw::MoteusJoint servo_joint(const RobotConfig& robot, std::size_t index,
                            std::optional<std::uint32_t> boards_token) {
  const JointConfig& joint = robot.joints[index];
  const bool is_virtual = boards_token.has_value();
  hw::MoteusJoint servo =
      hw::moteus_joint(joint, to_seconds(cycle_of(robot, *bus_called(robot, joint.drive.bus))));
  servo.host.loop_period = to_seconds(robot.period_ns);
  // A board of the project checks its encoder itself, and stops when its host is silent.
  if (is_virtual) servo.host.v_max = 0.0;
  if (is_virtual) servo.serial = servo_serial(board_serial(joint, index), *boards_token);
  servo.host.reads_inputs = reads_a_cuff(robot, index);
  servo.host.inputs_active_low = inputs_active_low(robot, index);
  servo.host.allows_duty = is_virtual && joint.board.drive_modes.has(DriveMode::kDuty);
  return servo;
}

std::unique_ptr<hw::DynamixelBus> dynamixel_bus(const RobotConfig& robot,
                                                const std::vector<std::size_t>& joints,
                                                bool is_virtual, bool patient) {
  std::vector<hw::DynamixelJoint> servos;
  for (const std::size_t index : joints) {
    const JointConfig& joint = robot.joints[index];
    const BusConfig& bus = *bus_called(robot, joint.drive.bus);
    hw::DynamixelJoint& servo =
        servos.emplace_back(hw::dynamixel_joint(joint, to_seconds(cycle_of(robot, bus))));
    servo.host.loop_period = to_seconds(robot.period_ns);
    // A board of the project checks its encoder itself.
    if (is_virtual) servo.host.v_max = 0.0;
  }
  return std::make_unique<hw::DynamixelBus>(std::move(servos), patient);
}

std::unique_ptr<hw::MoteusBus> moteus_bus(const RobotConfig& robot,
                                          const std::vector<std::size_t>& joints,
                                          std::optional<std::uint32_t> boards_token, bool patient) {
  std::vector<hw::MoteusJoint> servos;
  for (const std::size_t joint : joints) servos.push_back(servo_joint(robot, joint, boards_token));
  return std::make_unique<hw::MoteusBus>(std::move(servos), patient);
}

bool is_compact(const DriveConfig& drive) { return drive.layout == DriveLayout::kCompact; }

/// Objects that this joint has no use for: a drive need not have the targets of modes that are not
/// offered.
std::vector<std::uint16_t> objects_left_out(const JointConfig& joint) {
  constexpr std::uint16_t kTargetPosition = 0x607A;
  constexpr std::uint16_t kTargetVelocity = 0x60FF;
  constexpr std::uint16_t kTargetTorque = 0x6071;
  std::vector<std::uint16_t> objects = joint.drive.without;
  const DriveModes& modes = joint.board.drive_modes;
  if (!modes.has(DriveMode::kPosition)) objects.push_back(kTargetPosition);
  if (!modes.has(DriveMode::kVelocity)) objects.push_back(kTargetVelocity);
  if (!modes.has(DriveMode::kTorque)) objects.push_back(kTargetTorque);
  return objects;
}

/// The mapping of a drive that isn't a board of the project.
hw::PdoLayouts layouts_of(const JointConfig& joint, bool inputs) {
  const DriveConfig& drive = joint.drive;
  hw::PdoLayouts layouts;
  for (const DrivePdo& pdo : drive.pdos) {
    hw::PdoLayout& layout = layouts.emplace_back();
    layout.sent = pdo.sent;
    layout.number = static_cast<std::uint16_t>(pdo.number - 1);
    const int node = pdo.cob_id_adds_node ? drive.node : 0;
    layout.id = pdo.cob_id + static_cast<std::uint32_t>(node);
    layout.type = static_cast<std::uint8_t>(pdo.type);
    layout.objects = pdo.objects;
  }
  if (!layouts.empty()) return layouts;
  return hw::without_objects(
      is_compact(drive) ? hw::compact_layouts(drive.life_counter, inputs)
                        : hw::board_layouts(drive.life_counter, drive.feed_forward, inputs),
      objects_left_out(joint));
}

/// Leaves out of the set-up the objects that a drive is without.
void leave_out(const std::vector<std::uint16_t>& without, hw::DriveSettings& settings) {
  for (const std::uint16_t object : without) {
    switch (object) {
      case 0x1006:
        settings.has_sync_period = false;
        break;
      case 0x1016:
        settings.watches_host = false;
        break;
      case 0x605A:
        settings.quick_stop.reset();
        break;
      case 0x605C:
        settings.disable_operation.reset();
        break;
      case 0x605E:
        settings.fault_reaction.reset();
        break;
      case 0x6007:
        settings.connection_lost.reset();
        break;
      case 0x60C2:
        settings.has_interpolation = false;
        break;
      case 0x60FE:
        settings.has_brake = false;
        break;
      case 0x6502:
        settings.has_supported_modes = false;
        break;
      default:  // of the mapping: layouts_of
        break;
    }
  }
}

hw::BusJoint drive_joint(const RobotConfig& robot, std::size_t index,
                         std::optional<std::uint32_t> boards_token, bool patient) {
  const JointConfig& joint = robot.joints[index];
  const DriveConfig& drive = joint.drive;
  const bool is_virtual = boards_token.has_value();
  hw::BusJoint out;
  out.name = joint.name;
  out.host.units = hw::DriveUnits(facts_of(drive), joint.slide);
  const TimeNs cycle = cycle_of(robot, *bus_called(robot, drive.bus));
  out.host.period = to_seconds(cycle);
  out.host.loop_period = to_seconds(robot.period_ns);
  out.host.supported_modes = offered_modes(joint.board.drive_modes);
  // PWM is a manufacturer's mode, and here the manufacturer is this project.
  out.host.has_pwm = drive.life_counter && joint.board.drive_modes.has(DriveMode::kDuty);
  out.host.needs_calibration = joint.board.needs_calibration;
  out.host.is_virtual = is_virtual;
  out.host.inputs_active_low = inputs_active_low(robot, index);
  out.host.tells_following = drive.life_counter;
  out.host.status_time = drive.status_time;
  // 6061h comes with 6041h.
  out.host.mode_patience = std::max(out.host.mode_patience, 5.0 * drive.status_time);
  // A board of the project checks its encoder itself.
  out.host.v_max = drive.life_counter ? 0.0 : joint.limits.v_max;
  hw::DriveSettings& settings = out.settings;
  settings.node = static_cast<std::uint8_t>(drive.node);
  settings.identity = {drive.vendor, drive.product, drive.revision, drive.serial};
  settings.modes_needed = out.host.supported_modes;
  settings.period_us = static_cast<std::uint32_t>(cycle / 1000);
  settings.heartbeat_ms = static_cast<std::uint16_t>(std::lround(1000.0 * drive.heartbeat));
  settings.allowed_silence_ms = static_cast<std::uint16_t>(kBeatsToLoss * settings.heartbeat_ms);
  settings.quick_stop = static_cast<std::int16_t>(drive.quick_stop);
  settings.disable_operation = static_cast<std::int16_t>(drive.disable_operation);
  settings.fault_reaction = static_cast<std::int16_t>(drive.fault_reaction);
  settings.connection_lost = static_cast<std::int16_t>(drive.connection_lost);
  settings.has_life_counter = drive.life_counter;
  settings.remaps_pdos = drive.remaps_pdos;
  settings.feed_forward = drive.feed_forward;
  settings.has_brake = joint.brake.is_there();
  settings.tells_inputs = reads_a_cuff(robot, index);
  settings.boards_token = boards_token;
  settings.sdo_time_out_ms = static_cast<std::uint16_t>(std::lround(1000.0 * drive.sdo_timeout));
  if (drive.following_window > 0.0) {
    out.host.following_window = drive.following_window;
    out.host.following_time = drive.following_time;
    settings.following_window = static_cast<std::uint32_t>(
        std::lround(drive.following_window / out.host.units.position_step()));
    settings.following_ms = static_cast<std::uint16_t>(std::lround(1000.0 * drive.following_time));
  }
  if (!drive.life_counter || !drive.pdos.empty() || is_compact(drive)) {
    settings.pdos = layouts_of(joint, settings.tells_inputs);
  }
  out.host.tells_velocity = hw::tells(settings.pdos, hw::mapped::kVelocity);
  leave_out(drive.without, settings);
  // Only a joint that homes needs the mode for it.
  if (!joint.board.needs_calibration && !drive.life_counter) {
    settings.modes_needed &= ~cia402::offer_of(cia402::mode::kHoming);
  }
  if (patient) settings.host_silence_ms = kPatientSilence;
  if (patient) settings.allowed_silence_ms = kPatientSilence;
  if (patient) settings.sdo_time_out_ms = kPatientAnswer;
  return out;
}

std::vector<hw::BusJoint> drive_joints(const RobotConfig& robot,
                                       const std::vector<std::size_t>& joints,
                                       std::optional<std::uint32_t> boards_token, bool patient) {
  std::vector<hw::BusJoint> drives;
  for (const std::size_t joint : joints) {
    drives.push_back(drive_joint(robot, joint, boards_token, patient));
  }
  return drives;
}

std::vector<hw::DriveSettings> settings_on(const RobotConfig& robot,
                                           const std::vector<std::size_t>& joints) {
  std::vector<hw::DriveSettings> drives;
  for (hw::BusJoint& drive : drive_joints(robot, joints, std::nullopt, false)) {
    drives.push_back(std::move(drive.settings));
  }
  return drives;
}

hw::SensorSettings sensor_settings(const NamedSensor& sensor,
                                   std::optional<std::uint32_t> boards_token, bool patient) {
  const SensorNodeConfig& device = sensor.device;
  hw::SensorSettings settings;
  settings.kind = kind_of(sensor);
  settings.name = sensor.name;
  settings.site = sensor.site;
  settings.node = static_cast<std::uint8_t>(device.node);
  settings.identity = {device.vendor, device.product, device.revision, device.serial};
  settings.boards_token = boards_token;
  if (patient) settings.allowed_silence_ms = kPatientSilence;
  if (patient) settings.sdo_time_out_ms = kPatientAnswer;
  return settings;
}

std::vector<hw::SensorSettings> sensor_nodes(const RobotConfig& robot, std::size_t bus,
                                             std::optional<std::uint32_t> boards_token,
                                             bool patient) {
  std::vector<hw::SensorSettings> nodes;
  const std::vector<NamedSensor> sensors = sensors_of(robot);
  for (const std::size_t number : sensors_on(robot, bus)) {
    nodes.push_back(sensor_settings(sensors[number], boards_token, patient));
  }
  return nodes;
}

struct Target {
  DriveMode mode;
  std::uint32_t object;
};
constexpr std::array<Target, 3> kTargets{{{DriveMode::kPosition, hw::mapped::kTargetPosition},
                                          {DriveMode::kVelocity, hw::mapped::kTargetVelocity},
                                          {DriveMode::kTorque, hw::mapped::kTargetTorque}}};

/// Objects that a mapping from robot.yaml lacks to drive its joint.
void check_mapping(const JointConfig& joint, const hw::DriveSettings& settings,
                   std::vector<std::string>& problems) {
  const hw::PdoLayouts layouts = hw::layouts_of(settings);
  for (const std::string& gap : hw::gaps_of(layouts, settings.tells_inputs)) {
    problems.push_back("the drive of " + joint.name + ": " + gap);
  }
  for (const auto& [mode, target] : kTargets) {
    const std::uint32_t object = target;
    const bool is_there =
        std::any_of(layouts.begin(), layouts.end(), [object](const hw::PdoLayout& pdo) {
          return !pdo.sent &&
                 std::find(pdo.objects.begin(), pdo.objects.end(), object) != pdo.objects.end();
        });
    if (is_there || !joint.board.drive_modes.has(mode)) continue;
    problems.push_back(fmt::format(
        "the drive of {}: no PDO takes {:04X}h, the target of mode {}; map it, or take {} out of "
        "`board.drive_modes`",
        joint.name, object >> 16, to_string(mode), to_string(mode)));
  }
}

/// Two PDOs of a bus under one identifier, as where drives share a profile with a plain number.
void check_identifiers(const std::vector<hw::BusJoint>& drives,
                       const std::vector<hw::SensorSettings>& sensors,
                       std::vector<std::string>& problems) {
  std::map<std::uint32_t, std::string> taken;
  const auto take = [&](const std::string& owner, const hw::PdoLayouts& layouts,
                        std::uint8_t node) {
    for (const hw::PdoLayout& pdo : layouts) {
      const std::uint32_t id = pdo.id_of(node);
      const auto [at, is_new] = taken.emplace(id, owner);
      if (is_new) continue;
      problems.push_back(
          fmt::format("{} and {} both have a PDO with identifier {:X}h; a cob_id "
                      "\"$NODEID+0x180\" "
                      "adds the drive's number",
                      at->second, owner, id));
    }
  };
  for (const hw::BusJoint& drive : drives) {
    take("the drive of " + drive.name, hw::layouts_of(drive.settings), drive.settings.node);
  }
  for (const hw::SensorSettings& sensor : sensors) {
    take("the " + sensor.name, hw::sensor_layouts(sensor.kind), sensor.node);
  }
}

/// Traffic of this bus in each of its cycles.
std::vector<can::CyclicFrame> frames_on(const RobotConfig& robot, std::size_t index,
                                        const std::vector<std::size_t>& joints) {
  const BusConfig& bus = robot.buses[index];
  if (speaks_dynamixel(&bus)) return dynamixel_bus(robot, joints, false, false)->cyclic_frames();
  if (speaks_moteus(&bus)) return moteus_bus(robot, joints, std::nullopt, false)->cyclic_frames();
  auto frames = hw::cyclic_frames(settings_on(robot, joints));
  const auto period_us = static_cast<std::uint32_t>(cycle_of(robot, bus) / 1000);
  hw::add_sensors(sensors_on(robot, index).size(), period_us, frames);
  return frames;
}

}  // namespace

std::uint32_t offered_modes(const DriveModes& modes) noexcept {
  using cia402::offer_of;
  namespace mode = cia402::mode;
  std::uint32_t bits = offer_of(mode::kHoming);
  if (modes.has(DriveMode::kPosition)) bits |= offer_of(mode::kCyclicPosition);
  if (modes.has(DriveMode::kVelocity)) bits |= offer_of(mode::kCyclicVelocity);
  if (modes.has(DriveMode::kTorque)) bits |= offer_of(mode::kCyclicTorque);
  return bits;
}

hw::DriveFacts facts_of(const DriveConfig& drive) {
  hw::DriveFacts facts;
  facts.encoder_increments = drive.encoder_increments;
  facts.encoder_revolutions = drive.encoder_revolutions;
  facts.gear = drive.gear;
  facts.feed = drive.feed;
  facts.reversed = drive.reversed;
  facts.zero_counts = drive.zero_counts;
  facts.rated_torque = drive.rated_torque;
  facts.rated_current = drive.rated_current;
  facts.torque_constant = drive.torque_constant;
  facts.efficiency = drive.efficiency;
  facts.velocity_unit = drive.velocity_unit == DriveVelocityUnit::kRpm
                            ? hw::VelocityUnit::kMotorRpm
                            : hw::VelocityUnit::kCountsPerSecond;
  facts.torque_base = drive.torque_base == DriveTorqueBase::kRatedCurrent
                          ? hw::TorqueBase::kRatedCurrent
                          : hw::TorqueBase::kRatedTorque;
  return facts;
}

std::uint32_t servo_serial(std::uint32_t number, std::uint32_t boards_token) noexcept {
  return boards_token + number;
}

std::uint32_t board_serial(const JointConfig& joint, std::size_t index) noexcept {
  return joint.drive.serial.value_or(static_cast<std::uint32_t>(index + 1));
}

std::uint32_t sensor_serial(const RobotConfig& robot, std::size_t sensor) {
  const auto after_the_joints = static_cast<std::uint32_t>(robot.joints.size() + sensor + 1);
  return sensors_of(robot)[sensor].device.serial.value_or(after_the_joints);
}

canopen::SensorKind kind_of(const NamedSensor& sensor) noexcept {
  return sensor.is_imu ? canopen::SensorKind::kImu : canopen::SensorKind::kForceTorque;
}

bool reads_a_cuff(const RobotConfig& robot, std::size_t joint) noexcept {
  return std::any_of(robot.arms.begin(), robot.arms.end(), [joint](const ArmConfig& arm) {
    return arm.zero_g.cuff_joint == joint && arm.zero_g.cuff_joint != kNoJoint;
  });
}

std::uint8_t inputs_active_low(const RobotConfig& robot, std::size_t joint) noexcept {
  std::uint8_t inputs = 0;
  for (const ArmConfig& arm : robot.arms) {
    const ZeroGConfig& cuff = arm.zero_g;
    if (cuff.cuff_joint != joint || !cuff.cuff_active_low) continue;
    inputs = static_cast<std::uint8_t>(inputs | 1U << cuff.cuff_input);
  }
  return inputs;
}

std::vector<std::vector<std::size_t>> joints_by_bus(const RobotConfig& robot) {
  std::vector<std::vector<std::size_t>> by_bus(robot.buses.size());
  for (std::size_t bus = 0; bus < robot.buses.size(); ++bus) {
    for (std::size_t joint = 0; joint < robot.joints.size(); ++joint) {
      const bool is_here = !robot.elsewhere.test(joint);
      if (is_here && robot.joints[joint].drive.bus == robot.buses[bus].name) {
        by_bus[bus].push_back(joint);
      }
    }
  }
  return by_bus;
}

std::vector<std::size_t> places_of(const RobotConfig& robot,
                                   const std::vector<std::size_t>& joints) {
  std::vector<std::size_t> places;
  for (const std::size_t joint : joints) {
    std::size_t place = 0;
    for (std::size_t i = 0; i < joint; ++i) place += robot.elsewhere.test(i) ? 0 : 1;
    places.push_back(place);
  }
  return places;
}

std::vector<std::size_t> sensors_on(const RobotConfig& robot, std::size_t bus) {
  std::vector<std::size_t> numbers;
  const std::vector<NamedSensor> sensors = sensors_of(robot);
  for (std::size_t i = 0; i < sensors.size(); ++i) {
    if (sensors[i].device.bus == robot.buses[bus].name) numbers.push_back(i);
  }
  return numbers;
}

can::BitRates rates_of(const BusConfig& bus) {
  can::BitRates rates{.nominal = bus.bit_rate, .data = bus.data_bit_rate};
  if (!speaks_dynamixel(&bus)) return rates;
  rates.nominal = std::get<can::SerialOptions>(can::parse_transport_address(bus.address)).baud;
  return rates;
}

hw::PdoLayouts pdos_of(const RobotConfig& robot, std::size_t joint) {
  return hw::layouts_of(drive_joint(robot, joint, std::nullopt, false).settings);
}

TimeNs cycle_of(const RobotConfig& robot, const BusConfig& bus) noexcept {
  return bus.cycle_ns > 0 ? bus.cycle_ns : robot.period_ns;
}

BusPace pace_of(const RobotConfig& robot, std::size_t bus) {
  const BusConfig& wire = robot.buses[bus];
  const TimeNs cycle = cycle_of(robot, wire);
  BusPace pace;
  pace.every = static_cast<unsigned>(cycle / robot.period_ns);
  if (pace.every == 1 || !speaks_canopen(&wire)) return pace;
  const can::BitRates rates{.nominal = wire.bit_rate, .data = wire.data_bit_rate};
  const auto orders = hw::order_frames(settings_on(robot, joints_by_bus(robot)[bus]));
  const TimeNs margin = cycle / 10;
  const auto on_the_wire = static_cast<TimeNs>(
      can::cyclic_load(orders, rates, can::Stuffing::kWorst) * static_cast<double>(cycle));
  const TimeNs ahead = on_the_wire + margin + robot.period_ns - 1;
  pace.lead = std::min(static_cast<unsigned>(ahead / robot.period_ns), pace.every);
  return pace;
}

std::vector<std::string> wiring_problems(const RobotConfig& robot) {
  if (robot.buses.empty()) {
    return {
        "its robot.yaml names no `buses`: tell where its drives are, or use --backend boards, "
        "where the boards are virtual and in this program"};
  }
  std::vector<std::string> problems;
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    if (robot.elsewhere.test(i)) continue;
    check_joint(robot, robot.joints[i], problems);
    check_cuff(robot, i, problems);
  }
  const auto by_bus = joints_by_bus(robot);
  for (std::size_t i = 0; i < robot.buses.size(); ++i) {
    if (by_bus[i].empty() && sensors_on(robot, i).empty()) continue;
    const std::size_t before = problems.size();
    check_address(robot.buses[i], problems);
    if (problems.size() > before) continue;
    if (speaks_canopen(&robot.buses[i])) {
      const auto drives = drive_joints(robot, by_bus[i], std::nullopt, false);
      for (std::size_t k = 0; k < drives.size(); ++k) {
        check_mapping(robot.joints[by_bus[i][k]], drives[k].settings, problems);
      }
      check_identifiers(drives, sensor_nodes(robot, i, std::nullopt, false), problems);
      if (!problems.empty()) continue;
    }
    const BusConfig& bus = robot.buses[i];
    const auto frames = frames_on(robot, i, by_bus[i]);
    const auto why = can::why_overfull(bus.name, frames, rates_of(bus), bus.budget);
    if (why) problems.push_back(*why);
  }
  return problems;
}

std::vector<std::string> bus_loads(const RobotConfig& robot) {
  std::vector<std::string> lines;
  const auto by_bus = joints_by_bus(robot);
  for (std::size_t i = 0; i < robot.buses.size(); ++i) {
    const BusConfig& bus = robot.buses[i];
    const auto frames = frames_on(robot, i, by_bus[i]);
    if (frames.empty()) continue;
    const can::BitRates rates = rates_of(bus);
    lines.push_back(fmt::format(
        "bus {}: {} joints, {} sensors, {:.4g} ms: {:.1f} % of the wire, {:.0f} % is the limit, "
        "{:.4g} ms the shortest cycle; {}",
        bus.name, by_bus[i].size(), sensors_on(robot, i).size(),
        1e3 * to_seconds(cycle_of(robot, bus)),
        100.0 * can::cyclic_load(frames, rates, can::Stuffing::kWorst), 100.0 * bus.budget,
        1e3 * to_seconds(can::least_cycle(frames, rates, bus.budget)),
        can::sum_in_words(frames, rates)));
  }
  return lines;
}

std::unique_ptr<hw::JointBus> driver_bus(const RobotConfig& robot, std::size_t bus,
                                         std::optional<std::uint32_t> boards_token, bool patient) {
  const std::vector<std::size_t> joints = joints_by_bus(robot)[bus];
  if (speaks_moteus(&robot.buses[bus])) return moteus_bus(robot, joints, boards_token, patient);
  if (speaks_dynamixel(&robot.buses[bus])) {
    return dynamixel_bus(robot, joints, boards_token.has_value(), patient);
  }
  return std::make_unique<hw::CanopenBus>(drive_joints(robot, joints, boards_token, patient),
                                          sensor_nodes(robot, bus, boards_token, patient));
}

}  // namespace jointrig::app
