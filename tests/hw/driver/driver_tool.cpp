/// The driver as a program, for drives of others:
///
///   hw_driver_tool ADDRESS PERIOD_MS node=5 [KEY=VALUE...] [node=6 ...]
///
/// Keys, each for the node before it:
///   gear increments zero torque reversed        what the drive is like (hw/driver/drive_units.h)
///   life remap sdo_ms silence_ms vendor product serial modes inputs   its settings
///   (hw/driver/drive_setup.h)
///   without=1016,1006,60C2,605A,605C,605E,6007  objects that it lacks
///   rpdo=NUMBER:ID:TYPE:OBJECTS                 a PDO of its mapping; so tpdo. Hex; objects by
///   commas
///
/// One command a line on standard input, one line of answer:
///   start                      "started"  or "failed ..." with " | " between sentences
///   drive MODE CYCLES V...     MODE off, position, velocity, torque; a value a node. "state ..."
///   clear CYCLES               asks each drive to reset its fault. "state ..."
///   complete                   "complete 11s01...": of the periods driven last, 1 where every
///   state
///                              came, s where the period was skipped
///   load                       "load 0.1234"    computed, of the cyclic frames, stuffed at worst
///   stop                       "stopped"
/// "state STATUS Q V TAU MISSED FAULT INPUTS" for each node, by semicolons.

#include <fmt/core.h>

#include <exception>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "hw/can/clock.h"
#include "hw/can/transport_address.h"
#include "hw/driver/bus_load.h"
#include "hw/driver/canopen_bus.h"
#include "hw/driver/hw_backend.h"

namespace jointrig::hw {
namespace {

class SystemClock final : public BusClock {
 public:
  [[nodiscard]] std::int64_t now() const noexcept override { return can::monotonic_now(); }
};

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream words(text);
  for (std::string part; std::getline(words, part, separator);) parts.push_back(part);
  return parts;
}

std::uint32_t number(const std::string& text, int base = 10) {
  return static_cast<std::uint32_t>(std::stoul(text, nullptr, base));
}

/// "0:2A5:1:60410010,60610008": the first PDO, under 2A5h, at every SYNC.
PdoLayout layout_of(bool sent, const std::string& text) {
  const auto parts = split(text, ':');
  PdoLayout pdo;
  pdo.sent = sent;
  pdo.number = static_cast<std::uint16_t>(number(parts.at(0)));
  pdo.id = number(parts.at(1), 16);
  pdo.type = static_cast<std::uint8_t>(number(parts.at(2)));
  for (const std::string& object : split(parts.at(3), ',')) {
    pdo.objects.push_back(number(object, 16));
  }
  return pdo;
}

void leave_out(const std::string& object, DriveSettings& settings) {
  if (object == "1016") settings.watches_host = false;
  if (object == "1006") settings.has_sync_period = false;
  if (object == "60C2") settings.has_interpolation = false;
  if (object == "605A") settings.quick_stop.reset();
  if (object == "605C") settings.disable_operation.reset();
  if (object == "605E") settings.fault_reaction.reset();
  if (object == "6007") settings.connection_lost.reset();
}

struct Axis {
  DriveFacts facts;
  DriveSettings settings;
};

void obey(const std::string& key, const std::string& value, Axis& axis) {
  DriveSettings& settings = axis.settings;
  if (key == "gear") axis.facts.gear = std::stod(value);
  if (key == "increments") axis.facts.encoder_increments = std::stod(value);
  if (key == "zero") axis.facts.zero_counts = std::stod(value);
  if (key == "torque") axis.facts.rated_torque = std::stod(value);
  if (key == "reversed") axis.facts.reversed = value == "1";
  if (key == "life") settings.has_life_counter = value == "1";
  if (key == "remap") settings.remaps_pdos = value == "1";
  if (key == "sdo_ms") settings.sdo_time_out_ms = static_cast<std::uint16_t>(number(value));
  if (key == "inputs") settings.tells_inputs = value == "1";
  if (key == "silence_ms") settings.allowed_silence_ms = static_cast<std::uint16_t>(number(value));
  if (key == "vendor") settings.identity.vendor = number(value, 16);
  if (key == "product") settings.identity.product = number(value, 16);
  if (key == "serial") settings.identity.serial = number(value, 16);
  if (key == "modes") settings.modes_needed = number(value, 16);
  if (key == "rpdo") settings.pdos.push_back(layout_of(false, value));
  if (key == "tpdo") settings.pdos.push_back(layout_of(true, value));
  if (key == "without") {
    for (const std::string& object : split(value, ',')) leave_out(object, settings);
  }
}

std::vector<Axis> axes_of(int argc, char** argv, std::uint32_t period_us) {
  std::vector<Axis> axes;
  for (int i = 3; i < argc; ++i) {
    const std::string word = argv[i];
    const std::size_t at = word.find('=');
    const std::string key = word.substr(0, at);
    const std::string value = word.substr(at + 1);
    if (key == "node") {
      axes.emplace_back();
      axes.back().facts.rated_torque = 1.0;
      axes.back().settings.node = static_cast<std::uint8_t>(number(value));
      axes.back().settings.period_us = period_us;
    } else {
      obey(key, value, axes.at(axes.size() - 1));
    }
  }
  return axes;
}

HwBus bus_of(const std::vector<Axis>& axes, const std::string& address, double period,
             const BusClock& clock) {
  HwBus bus;
  bus.name = "test";
  bus.transport = can::open_transport(address);
  bus.clock = &clock;
  std::vector<BusJoint> joints;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    BusJoint joint;
    joint.name = "axis" + std::to_string(i);
    joint.settings = axes[i].settings;
    joint.host.units = DriveUnits(axes[i].facts, false);
    joint.host.period = period;
    joint.host.supported_modes = 0x3AD;
    joints.push_back(joint);
    bus.robot_index.push_back(i);
  }
  bus.bus = std::make_unique<CanopenBus>(std::move(joints));
  return bus;
}

double computed_load(const std::vector<Axis>& axes) {
  std::vector<DriveSettings> drives;
  for (const Axis& axis : axes) drives.push_back(axis.settings);
  return can::cyclic_load(cyclic_frames(drives), {}, can::Stuffing::kWorst);
}

class Program {
 public:
  Program(int argc, char** argv)
      : period_ns_(std::stoll(argv[2]) * can::kMillisecond),
        axes_(axes_of(argc, argv, static_cast<std::uint32_t>(period_ns_ / 1000))),
        backend_(make_backend(argv[1])) {}

  std::string obey(const std::string& line) {
    std::istringstream words(line);
    std::string verb;
    words >> verb;
    if (verb == "start") return start();
    if (verb == "complete") return "complete " + complete_;
    if (verb == "load") return fmt::format("load {:.4f}", computed_load(axes_));
    if (verb == "stop") {
      backend_.stop();
      return "stopped";
    }
    std::string mode = "off";
    if (verb == "drive") words >> mode;
    int cycles = 1;
    words >> cycles;
    RobotCommand command;
    command.joints.resize(axes_.size());
    for (JointSetpoint& joint : command.joints) {
      double value = 0;
      words >> value;
      if (verb == "clear") joint.request = BoardRequest::kClearFault;
      joint.drive = mode == "position"   ? DriveMode::kPosition
                    : mode == "velocity" ? DriveMode::kVelocity
                    : mode == "torque"   ? DriveMode::kTorque
                                         : DriveMode::kOff;
      (mode == "velocity" ? joint.v : mode == "torque" ? joint.tau : joint.q) = value;
    }
    return run(cycles, command);
  }

 private:
  HwBackend make_backend(const std::string& address) {
    std::vector<HwBus> buses;
    buses.push_back(bus_of(axes_, address, 1e-9 * static_cast<double>(period_ns_), clock_));
    return HwBackend(period_ns_, std::move(buses));
  }

  std::string start() {
    try {
      backend_.start();
      return "started";
    } catch (const std::runtime_error& error) {
      std::string text = error.what();
      for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos;) {
        text.replace(at, 1, " | ");
      }
      return "failed " + text;
    }
  }

  std::string run(int cycles, const RobotCommand& command) {
    RobotState state;
    complete_.clear();
    for (int i = 0; i < cycles; ++i) {
      const std::uint64_t incomplete = backend_.incomplete_cycles();
      const std::uint64_t before = state.cycle;
      if (!backend_.wait().is_due) break;
      backend_.read(state);
      if (i > 0) complete_.append(state.cycle - before - 1, 's');
      complete_ += backend_.incomplete_cycles() == incomplete ? '1' : '0';
      backend_.write(command);
    }
    std::string text = "state";
    for (const JointState& joint : state.joints) {
      text += fmt::format(" {} {:.6f} {:.6f} {:.6f} {} {} {};", to_string(joint.status), joint.q,
                          joint.v, joint.tau, joint.missed, to_string(joint.fault), joint.inputs);
    }
    return text;
  }

  SystemClock clock_;
  std::int64_t period_ns_;
  std::vector<Axis> axes_;
  HwBackend backend_;
  std::string complete_;
};

}  // namespace
}  // namespace jointrig::hw

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  try {
    jointrig::hw::Program program(argc, argv);
    std::cout << "up" << std::endl;
    for (std::string line; std::getline(std::cin, line);) {
      std::cout << program.obey(line) << std::endl;
    }
    return 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
