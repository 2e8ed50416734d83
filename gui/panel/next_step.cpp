#include "gui/panel/next_step.h"

#include <fmt/core.h>

namespace jointrig::gui {

std::string next_step(const MotorPanel& panel) {
  if (panel.watch.is_stale()) return {};
  if (panel.access() == Access::kObserve) {
    return "Nothing is sent but STOP and OFF. CONTROL switches modes and motors, ARMED moves "
           "joints.";
  }
  const JointSet group = panel.group();
  std::size_t driven = 0;
  std::size_t faulted = 0;
  for (std::size_t i = 0; i < panel.config().joints.size(); ++i) {
    const JointMode mode = panel.snapshot().joints[i].mode;
    if (!group.test(i)) continue;
    driven += is_driven(mode) ? 1 : 0;
    faulted += mode == JointMode::kHwFault ? 1 : 0;
  }
  if (faulted > 0) {
    return fmt::format("{} in fault: the page Faults says why, and what leads on.",
                       faulted == 1 ? "A joint is" : fmt::format("{} joints are", faulted));
  }
  if (driven == 0) {
    return fmt::format("Hold {} until it is full: motors come on, and joints hold where they are.",
                       panel.part < 0 ? "RunAll" : "Run part");
  }
  if (panel.access() == Access::kControl) return "ARMED moves joints.";
  return "A joint's slider or field moves it; a right click on its box has every mode.";
}

}  // namespace jointrig::gui
