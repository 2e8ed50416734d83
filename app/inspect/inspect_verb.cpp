#include "app/inspect/inspect_verb.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <stdexcept>

#include "app/inspect/mode_table.h"
#include "app/inspect/served_inspection.h"
#include "app/rig/rig.h"
#include "app/rig/robot_loading.h"
#include "app/rig/wiring.h"
#include "control/discovery/inspection.h"
#include "harness/config/whole_file.h"
#include "sim/kinematic_backend.h"

namespace jointrig::app {
namespace {

constexpr int kFoundErrors = 1;

void write_start(const Discovery& found, const std::string& file) {
  const std::filesystem::path folder = std::filesystem::absolute(file).parent_path();
  if (std::filesystem::exists(file)) {
    throw std::runtime_error(file + " exists already; give another name");
  }
  harness::write_whole_file(file, starting_robot_yaml(found, folder.string()));
  std::printf("\nwrote %s\n", file.c_str());
}

/// Makes the stack that a run would make: it refuses an arm whose tool, base or sensor isn't there.
void check_arms(const Discovery& found) {
  const bool is_split = backend_parts(found.config).size() > 1;
  if (is_split) refuse_torn_joints(found.config, RobotModel(found.config));
  if (found.config.arms.empty()) return;
  RigOptions options;
  options.backend = BackendKind::kKinematic;
  const Rig rig(found.config, options);
}

/// Load of each bus, or why no run on buses would start.
void print_buses(const RobotConfig& robot) {
  if (robot.buses.empty()) return;
  std::vector<std::string> lines = wiring_problems(robot);
  const bool is_well = lines.empty();
  if (is_well) lines = bus_loads(robot);
  std::printf("\n%s\n", is_well ? "buses" : "a run on its buses would not start");
  for (const std::string& line : lines) std::printf("  %s\n", line.c_str());
}

std::vector<JointCapabilities> kinematic_boards(const RobotConfig& robot) {
  std::vector<JointCapabilities> boards = sim::KinematicBackend(robot).description().joints;
  for (std::size_t i = 0; i < boards.size(); ++i) {
    const TimeNs cycle = robot.joints[i].cycle_ns;
    if (cycle > robot.period_ns) boards[i].cycle_ns = cycle;
  }
  return boards;
}

/// The robot as its drives' backend has it.
RobotConfig on_buses(const RobotConfig& robot) {
  const bool is_on_hw = runs_on(BackendKind::kHw, robot, {});
  return part_on(robot, is_on_hw ? BackendKind::kHw : BackendKind::kBoards);
}

int inspect_served(const InspectOptions& options) {
  const std::unique_ptr<remote::Connection> robot = options.connect("inspect");
  const remote::RobotFacts& facts = robot->facts();
  if (!options.model.empty() && options.model != facts.config.name) {
    throw std::runtime_error(facts.config.name + " is served at " + options.address + ", and not " +
                             options.model);
  }
  std::fputs(describe_served(facts, options.address, robot->lease().holder).c_str(), stdout);
  return 0;
}

}  // namespace

int inspect_verb(const InspectOptions& options) {
  if (options.connect) return inspect_served(options);
  const Discovery found = load_robot(harness::find_robot(options.model), [&](RobotConfig& config) {
    if (!options.keyframe.empty()) config.keyframe = options.keyframe;
    if (options.pin_base) config.pin_base = true;
    if (options.motors) config.motors = true;
    if (!options.package_path.empty()) config.package_path = options.package_path;
  });
  const std::vector<JointCapabilities> kinematic = kinematic_boards(found.config);
  const std::string more =
      mode_table(found.config, kinematic) + call_table(found.config, kinematic);
  std::fputs(describe(found, more).c_str(), stdout);
  check_arms(found);
  print_buses(on_buses(found.config));
  if (!options.write.empty()) write_start(found, options.write);
  const bool fine =
      std::none_of(found.findings.begin(), found.findings.end(),
                   [](const Remark& finding) { return finding.severity == Severity::kError; });
  return fine ? 0 : kFoundErrors;
}

}  // namespace jointrig::app
