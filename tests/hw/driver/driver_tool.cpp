/// The driver as a program, for drives of others:
///
///   hw_driver_tool ROBOT.yaml
///
/// The file is all that it is told: the way from it to the bus is the program's own.
///
/// One command a line on standard input, one line of answer:
///   start                      "started"  or "failed ..." with " | " between sentences
///   drive MODE CYCLES V...     MODE off, position, velocity, torque; a value a node. "state ..."
///   clear CYCLES               asks each drive to reset its fault. "state ..."
///   complete                   "complete 11s01...": of the periods driven last, 1 where every
///                              state came, s where the period was skipped
///   stop                       "stopped"
/// "state STATUS Q V TAU MISSED FAULT INPUTS" for each node, by semicolons.

#include <fmt/core.h>

#include <exception>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>

#include "app/rig/links.h"
#include "app/rig/robot_loading.h"

namespace jointrig::hw {
namespace {

class Program {
 public:
  explicit Program(const std::string& file)
      : robot_(app::load_robot(harness::find_robot(file)).config) {}

  std::string obey(const std::string& line) {
    std::istringstream words(line);
    std::string verb;
    words >> verb;
    if (verb == "start") return start();
    if (verb == "complete") return "complete " + complete_;
    if (verb == "stop") {
      backend_->stop();
      return "stopped";
    }
    std::string mode = "off";
    if (verb == "drive") words >> mode;
    int cycles = 1;
    words >> cycles;
    RobotCommand command;
    command.joints.resize(robot_.joints.size());
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
  std::string start() {
    try {
      backend_ = app::open_hw_backend(robot_, {});
      backend_->start();
      return "started";
    } catch (const std::exception& error) {
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
      const std::uint64_t incomplete = backend_->incomplete_cycles();
      const std::uint64_t before = state.cycle;
      if (!backend_->wait().is_due) break;
      backend_->read(state);
      if (i > 0) complete_.append(state.cycle - before - 1, 's');
      complete_ += backend_->incomplete_cycles() == incomplete ? '1' : '0';
      backend_->write(command);
    }
    std::string text = "state";
    for (const JointState& joint : state.joints) {
      text += fmt::format(" {} {:.6f} {:.6f} {:.6f} {} {} {};", to_string(joint.status), joint.q,
                          joint.v, joint.tau, joint.missed, to_string(joint.fault), joint.inputs);
    }
    return text;
  }

  RobotConfig robot_;
  std::unique_ptr<HwBackend> backend_;
  std::string complete_;
};

}  // namespace
}  // namespace jointrig::hw

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  try {
    jointrig::hw::Program program(argv[1]);
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
