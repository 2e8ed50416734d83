#include "app/boards/board_verb.h"

#include <cstdio>
#include <stdexcept>

#include "app/file_signals.h"
#include "app/interrupt.h"
#include "app/realtime/realtime.h"
#include "app/rig/robot_loading.h"
#include "app/rig/wiring.h"
#include "hw/canopen/eds_writer.h"
#include "hw/canopen/joint_board_objects.h"
#include "hw/canopen/sensor_objects.h"

namespace jointrig::app {
namespace {

void print_buses(const RobotConfig& robot) {
  const auto by_bus = joints_by_bus(robot);
  for (std::size_t i = 0; i < robot.buses.size(); ++i) {
    std::printf("  %-12s %s\n", robot.buses[i].name.c_str(), robot.buses[i].address.c_str());
    for (const std::size_t joint : by_bus[i]) {
      std::printf("    node %-3d   %s\n", robot.joints[joint].drive.node,
                  robot.joints[joint].name.c_str());
    }
  }
}

/// The device that `--eds` names.
std::string eds_of(const std::string& device) {
  if (device == "force_torque") {
    return canopen::write_eds(canopen::sensor_node({.kind = canopen::SensorKind::kForceTorque}),
                              "force_torque_sensor.eds");
  }
  if (device == "imu") {
    return canopen::write_eds(canopen::sensor_node({.kind = canopen::SensorKind::kImu}), "imu.eds");
  }
  return canopen::write_eds(canopen::joint_board(), "joint_board.eds");
}

int print_eds(const std::string& device) {
  const std::string text = eds_of(device);
  const bool is_written = std::fputs(text.c_str(), stdout) >= 0 && std::fflush(stdout) == 0;
  if (!is_written) throw std::runtime_error("the EDS could not be written to standard output");
  return 0;
}

}  // namespace

int board_verb(const BoardVerbOptions& options) {
  survive_file_signals();
  if (!options.eds.empty()) return print_eds(options.eds);
  if (options.robot.empty()) {
    throw std::invalid_argument("robot is required; `jointrig board --help` tells what it takes");
  }
  harness::RobotSource source = harness::find_robot(options.robot);
  for (const std::string& setting : options.settings) {
    source.overrides.push_back(
        harness::robot_override_schema().set_path(harness::YamlNode{}, setting));
  }
  const RobotConfig robot = load_robot(source).config;
  BoardHost host(robot, options.host);
  end_on_interrupt();
  std::printf("virtual boards of %s, %s\n", robot.name.c_str(),
              options.host.free_running ? "free running" : "in lockstep: a period for each SYNC");
  print_buses(robot);
  if (!robot.virtual_boards.empty()) {
    std::printf("  side line at %s\n", robot.virtual_boards.c_str());
  }
  std::printf("ready; drive them with: jointrig run SCENARIO --backend hw   (Ctrl+C ends)\n");
  std::fflush(stdout);  // a script that started it in the background waits for this
  // By the clock it must be on time like drives; in lockstep the host waits for it.
  std::optional<RealtimeSetup> realtime;
  if (options.host.free_running) realtime = enter_realtime({});
  host.run(interrupted);
  if (realtime) leave_realtime(*realtime);
  std::printf("\n");
  for (std::size_t i = 0; i < host.buses(); ++i) {
    std::printf("bus %-12s %llu frames, load at most %.0f %%\n", robot.buses[i].name.c_str(),
                static_cast<unsigned long long>(host.bus(i).bus().counters().frames),
                100.0 * host.bus(i).peak_load());
  }
  return 0;
}

}  // namespace jointrig::app
