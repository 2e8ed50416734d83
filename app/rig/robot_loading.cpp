#include "app/rig/robot_loading.h"

#include <algorithm>

#include "app/rig/law_library.h"
#include "control/discovery/rebase.h"
#include "control/discovery/tool_stiffness.h"

namespace jointrig::app {
namespace {

bool states_stiffness(const harness::YamlNode& keys, const std::string& arm) {
  if (keys.is_null()) return false;
  const harness::YamlNode* arms = keys.find("arms");
  const harness::YamlNode* its = arms != nullptr ? arms->find(arm) : nullptr;
  return its != nullptr && its->find("stiffness") != nullptr;
}

/// Arms with a stiffness of nobody's choice get it by the inertia of their tools.
void fill_in_stiffness(const harness::RobotSource& source, RobotConfig& config) {
  for (ArmConfig& arm : config.arms) {
    const bool is_stated = states_stiffness(source.file, arm.name) ||
                           std::any_of(source.overrides.begin(), source.overrides.end(),
                                       [&](const harness::YamlNode& keys) {
                                         return states_stiffness(keys, arm.name);
                                       });
    if (!is_stated) set_stiffness_by_inertia(config, arm);
  }
}

}  // namespace

Discovery load_robot(const harness::RobotSource& source,
                     const std::function<void(RobotConfig&)>& adjust) {
  RobotConfig basics = harness::robot_basics(source);
  if (adjust) adjust(basics);
  Discovery found = discover(basics.model_path, {.keyframe = basics.keyframe,
                                                 .pin_base = basics.pin_base,
                                                 .gravity = basics.gravity,
                                                 .packages = basics.package_path,
                                                 .motors = basics.motors,
                                                 .period_ns = basics.period_ns,
                                                 .delay_cycles = basics.delay_cycles});
  // Applied once to read the settings of the files, and again over the defaults that follow from
  // them.
  RobotConfig told = found.config;
  harness::configure(source, told);
  rebase_defaults(found, told);
  harness::configure(source, found.config);
  fill_in_stiffness(source, found.config);
  if (adjust) adjust(found.config);
  load_laws(found.config);
  return found;
}

}  // namespace jointrig::app
