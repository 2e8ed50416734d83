#include "gui/view/keys.h"

#include <algorithm>

namespace jointrig {
namespace {

void space(const ViewContext& ctx, const KeyPress& press) {
  MotorPanel& panel = ctx.panel;
  if (press.ctrl) return panel.off_all();
  Simulation* simulation = panel.robot().simulation;
  if (simulation == nullptr) return panel.stop_all();
  simulation->pause(!simulation->paused());
}

void next_joint(const ViewContext& ctx, bool back) {
  const std::vector<JointIndex> shown = ctx.panel.shown();
  if (shown.empty()) return;
  const auto at = std::find(shown.begin(), shown.end(), ctx.panel.selected);
  const std::size_t count = shown.size();
  const auto i = at == shown.end() ? 0 : static_cast<std::size_t>(at - shown.begin());
  const std::size_t next = at == shown.end() ? 0 : back ? (i + count - 1) % count : (i + 1) % count;
  ctx.panel.selected = shown[next];
}

void time_key(const ViewContext& ctx, const KeyPress& press) {
  Simulation* simulation = ctx.panel.robot().simulation;
  if (simulation == nullptr) return;
  switch (press.key) {
    case Key::kP:
      return simulation->pause(!simulation->paused());
    case Key::kRight:
      if (simulation->paused()) simulation->step(press.shift ? 10 : 1);
      return;
    case Key::kMinus:
      return simulation->set_speed(std::max(0.05, 0.5 * simulation->speed()));
    default:
      return simulation->set_speed(std::min(2.0, 2.0 * simulation->speed()));
  }
}

void handle(const ViewContext& ctx, const KeyPress& press) {
  switch (press.key) {
    case Key::kSpace:
      return space(ctx, press);
    case Key::kTab:
      return next_joint(ctx, press.shift);
    case Key::kP:
    case Key::kRight:
    case Key::kMinus:
    case Key::kEqual:
      return time_key(ctx, press);
    case Key::kF:
      return ctx.plots.time.follow(!ctx.plots.time.follows());
    case Key::kC:
      if (ctx.plots.cursors.on) {
        ctx.plots.cursors.on = false;
      } else {
        ctx.plots.show_cursors();
      }
      return;
    case Key::kF1:
      ctx.state.help = !ctx.state.help;
      return;
    case Key::kF11:
      ctx.state.wants_full_screen = true;
      return;
    case Key::kF12:
      ctx.state.wants_screenshot = true;
      return;
    case Key::kA:  // has to be held
      return;
  }
}

}  // namespace

void handle_keys(const ViewContext& ctx, const KeyInput& input, bool is_typing) {
  const bool armed_by_key = ctx.state.arm_by_key.update(input.a_is_down && !is_typing, ctx.now());
  if (armed_by_key) {
    ctx.panel.set_access(ctx.panel.access() == Access::kArmed ? Access::kControl : Access::kArmed);
  }
  if (is_typing) return;
  for (const KeyPress& press : input.pressed) handle(ctx, press);
}

const std::vector<KeyHelp>& key_help() {
  static const std::vector<KeyHelp> help{{"Space", "STOP on a real robot, pause in simulation"},
                                         {"Ctrl+Space", "OFF: every motor"},
                                         {"A, held 0.8 s", "arm, or disarm"},
                                         {"P", "pause the simulation"},
                                         {"→, Shift+→", "one cycle, ten cycles, while paused"},
                                         {"− and =", "simulated time slower, faster"},
                                         {"Tab, Shift+Tab", "next joint, the one before"},
                                         {"F", "freeze or follow the plots"},
                                         {"C", "cursors"},
                                         {"F1", "these keys"},
                                         {"F11", "full screen"},
                                         {"F12", "screenshot"}};
  return help;
}

}  // namespace jointrig
