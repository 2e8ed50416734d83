#include "gui/view/swing_band.h"

#include <fmt/core.h>

namespace jointrig::gui {
namespace {

/// The newest change, if it is one of a gain.
const ParameterChange* newest_gain(const ViewContext& ctx) {
  const std::vector<ParameterChange>& history = ctx.panel.parameters.history();
  return !history.empty() && !is_limit(history.back().parameter) ? &history.back() : nullptr;
}

}  // namespace

void watch_swings(const ViewContext& ctx) {
  const ParameterChange* change = newest_gain(ctx);
  ctx.state.swings.update(ctx.history, change != nullptr ? change->joint : kNoJoint,
                          ctx.panel.config().joints.size());
}

std::string swing_text(const ViewContext& ctx, const SwingWatch::Report& report) {
  const JointConfig& joint = ctx.panel.config().joints[report.joint];
  const double hz = report.swing.hz;
  return fmt::format("{} swings at {:.{}f} Hz, ±{:.1f} {}", joint.name, hz, hz < 10.0 ? 1 : 0,
                     report.swing.amplitude, joint.slide ? "mm/s" : "°/s");
}

const SwingWatch::Report* swing_after_change(const ViewContext& ctx) {
  const ParameterChange* change = newest_gain(ctx);
  return change != nullptr ? ctx.state.swings.of(change->joint) : nullptr;
}

}  // namespace jointrig::gui
