#include "app/lists/new_verb.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <map>
#include <numbers>
#include <stdexcept>
#include <string_view>

#include "app/rig/robot_loading.h"
#include "harness/config/whole_file.h"

namespace jointrig::app {

extern const std::string_view kNewScenario;  // new_scenario.yaml.in

namespace {

namespace fs = std::filesystem;

/// A joint and how far it can go from its start and come back.
struct Motion {
  const JointConfig* joint = nullptr;
  double way = 0.0;  ///< [rad or m]
};

double room(const JointConfig& joint, bool up) {
  const JointLimits& limits = joint.limits;
  return up ? limits.q_max - limits.soft_margin - joint.q_start
            : joint.q_start - limits.q_min - limits.soft_margin;
}

/// The first joint that can go a tenth of a radian or a centimetre; else the one with most room.
Motion first_motion(const RobotConfig& robot) {
  Motion best;
  for (const JointConfig& joint : robot.joints) {
    const bool up = room(joint, true) >= room(joint, false);
    const double wish = joint.slide ? 0.01 : 0.1;
    const double way = std::min(wish, 0.5 * std::max(0.0, room(joint, up)));
    if (best.joint == nullptr || way > std::abs(best.way)) best = {&joint, up ? way : -way};
    if (way >= wish) break;
  }
  return best;
}

/// The robot as a file in `folder` names it: by its name, or by the path from there.
std::string robot_from(const fs::path& folder, const std::string& robot) {
  if (!fs::exists(robot)) return robot;
  return fs::relative(fs::absolute(robot), fs::absolute(folder)).generic_string();
}

bool base_floats(const Discovery& found) {
  return std::any_of(found.origins.begin(), found.origins.end(),
                     [](const JointOrigin& origin) { return origin.floats; });
}

/// A name as expressions take it.
std::string signal_name(const std::string& joint) {
  const bool plain = std::isdigit(static_cast<unsigned char>(joint.front())) == 0 &&
                     std::all_of(joint.begin(), joint.end(),
                                 [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
  return plain ? joint : "'" + joint + "'";
}

std::string scenario_text(const NewScenarioOptions& options, const Discovery& found) {
  const Motion motion = first_motion(found.config);
  const JointConfig& joint = *motion.joint;
  const double unit = joint.slide ? 1e-3 : std::numbers::pi / 180.0;
  const char* word = joint.slide ? "mm" : "deg";
  const auto quantity = [&](double value) { return fmt::format("{:.4g} {}", value / unit, word); };
  const double tolerance = std::max(0.2 * std::abs(motion.way), joint.slide ? 1e-3 : 0.01);
  std::string config;
  if (options.motors) {
    config += "  motors: true      # at each joint that no actuator drives\n";
  }
  if (base_floats(found) && !found.config.pin_base) {
    config += "  pin_base: true    # else it falls\n";
  }
  if (!config.empty())
    config = "\n# Changes to the robot's settings: any key of `jointrig keys robot`.\nconfig:\n" +
             config;
  const std::map<std::string, std::string> values{
      {"name", options.name},
      {"robot", robot_from(options.folder, options.robot)},
      {"config", config},
      {"joint", joint.name},
      {"signal", signal_name(joint.name)},
      {"way", quantity(motion.way)},
      {"tolerance", quantity(tolerance)}};
  std::string text(kNewScenario);
  for (const auto& [name, value] : values) {
    const std::string place = "@" + name + "@";
    for (std::size_t at = text.find(place); at != std::string::npos;
         at = text.find(place, at + value.size())) {
      text.replace(at, place.size(), value);
    }
  }
  return text;
}

bool is_plain_name(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '-';
  });
}

}  // namespace

int new_scenario_verb(const NewScenarioOptions& options) {
  if (!is_plain_name(options.name)) {
    throw std::runtime_error("a scenario's name has letters, digits, - and _; \"" + options.name +
                             "\" is none");
  }
  const fs::path file = options.folder / (options.name + ".yaml");
  if (fs::exists(file)) {
    throw std::runtime_error(file.generic_string() + " exists already; give another name");
  }
  const Discovery found = load_robot(harness::find_robot(options.robot), [&](RobotConfig& config) {
    if (options.motors) config.motors = true;
  });
  if (found.config.joints.empty()) {
    throw std::runtime_error(options.robot +
                             " has no joint that can be controlled; `jointrig inspect` says why, "
                             "and --motors gives each joint a motor");
  }
  harness::write_whole_file(file, scenario_text(options, found));
  std::printf("wrote %s; now: jointrig run %s\n", file.generic_string().c_str(),
              file.generic_string().c_str());
  return 0;
}

}  // namespace jointrig::app
