#include "app/rig/robot_loading.h"

#include "app/rig/law_library.h"
#include "control/discovery/rebase.h"

namespace jointrig::app {

Discovery load_robot(const harness::RobotSource& source,
                     const std::function<void(RobotConfig&)>& adjust) {
  RobotConfig basics = harness::robot_basics(source);
  if (adjust) adjust(basics);
  Discovery found = discover(basics.model_path, {.keyframe = basics.keyframe,
                                                 .pin_base = basics.pin_base,
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
  if (adjust) adjust(found.config);
  load_laws(found.config);
  return found;
}

}  // namespace jointrig::app
