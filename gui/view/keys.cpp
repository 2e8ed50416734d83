#include "gui/view/keys.h"

#include <fmt/core.h>

#include <algorithm>

#include "gui/view/layout.h"
#include "gui/view/stop_corner.h"

namespace jointrig::gui {
namespace {

void space(const ViewContext& ctx) {
  Simulation* simulation = ctx.panel.robot().simulation;
  if (simulation == nullptr) return stop_now(ctx);
  simulation->pause(!simulation->paused());
}

/// Keys that no field and no menu takes away.
/// @returns true if it was one
bool handle_always(const ViewContext& ctx, const KeyPress& press) {
  if (press.key == Key::kF10) return stop_now(ctx), true;
  if (press.key == Key::kSpace && press.ctrl) return off_now(ctx), true;
  if (press.key != Key::kEscape) return false;
  ctx.state.help = false;
  ctx.panel.acts.answer(false);
  end_gestures();
  return true;
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
      if (simulation->paused() && !press.alt) simulation->step(press.shift ? 10 : 1);
      return;
    case Key::kMinus:
      return simulation->set_speed(std::max(0.05, 0.5 * simulation->speed()));
    default:
      return simulation->set_speed(std::min(2.0, 2.0 * simulation->speed()));
  }
}

/// With Ctrl: the poses of robot.yaml, in order.
void pose_key(const ViewContext& ctx, const KeyPress& press) {
  const auto number = static_cast<std::size_t>(press.key) - static_cast<std::size_t>(Key::k1);
  const std::vector<PoseConfig>& poses = ctx.panel.config().poses;
  if (!press.ctrl) return;
  if (number < poses.size()) return ctx.panel.acts.go_to(poses[number], ctx.panel.group());
  ctx.panel.tell(fmt::format("the robot has {} poses", poses.size()));
}

void plot_key(const ViewContext& ctx, const KeyPress& press) {
  PlotSet& plots = ctx.plots;
  switch (press.key) {
    case Key::kF:
      return plots.freeze_or_follow(ctx.history);
    case Key::kC:
      plots.cursors.on ? plots.cursors.on = false : (plots.show_cursors(), true);
      return;
    case Key::kT:
      return plots.trigger.armed() ? plots.trigger.disarm() : plots.trigger.arm(ctx.history);
    case Key::kM:
      ctx.state.wants_marker = true;
      return;
    default:
      ctx.state.wants_csv = ctx.state.wants_csv || press.ctrl;
      return;
  }
}

/// With Ctrl: the size of text and boxes; without: the speed of simulated time.
void size_key(const ViewContext& ctx, const KeyPress& press) {
  if (!press.ctrl) return time_key(ctx, press);
  ctx.state.wants_size += press.key == Key::kEqual ? 1 : -1;
}

void layout_key(const ViewContext& ctx, const KeyPress& press) {
  const auto number = static_cast<std::size_t>(press.key) - static_cast<std::size_t>(Key::kF6);
  show(kAllNamedLayout[number], ctx.state);
}

void desk_key(const ViewContext& ctx, const KeyPress& press) {
  Desks& desks = ctx.desks;
  if (press.key == Key::kBackspace) return desks.reset.ask("");
  if (press.key == Key::kF5) return desks.scenario.run();
  if (!press.ctrl) return;
  if (press.key == Key::kL) desks.recording.wants_log = true;
  if (press.key == Key::kZ) desks.parameters.undo();
  if (press.key != Key::kS) return;
  ctx.state.side = SideTab::kParameters;
  if (desks.parameters.why_not_compare().empty()) desks.parameters.wish = ParameterWish::kCompare;
}

void handle(const ViewContext& ctx, const KeyPress& press) {
  if (press.key >= Key::k1 && press.key <= Key::k9) return pose_key(ctx, press);
  switch (press.key) {
    case Key::kBackspace:
    case Key::kF5:
    case Key::kL:
    case Key::kS:
    case Key::kZ:
      return desk_key(ctx, press);
    case Key::kSpace:
      return space(ctx);
    case Key::kTab:
      return next_joint(ctx, press.shift);
    case Key::kP:
    case Key::kRight:
      return time_key(ctx, press);
    case Key::kMinus:
    case Key::kEqual:
      return size_key(ctx, press);
    case Key::kC:
    case Key::kE:
    case Key::kF:
    case Key::kM:
    case Key::kT:
      return plot_key(ctx, press);
    case Key::kF6:
    case Key::kF7:
    case Key::kF8:
      return layout_key(ctx, press);
    case Key::kF1:
      ctx.state.help = !ctx.state.help;
      return;
    case Key::kF11:
      ctx.state.wants_full_screen = true;
      return;
    case Key::kF12:
      ctx.state.wants_screenshot = true;
      return;
    default:  // A must be held
      return;
  }
}

}  // namespace

void handle_keys(const ViewContext& ctx, const KeyInput& input, bool is_typing) {
  const bool armed_by_key = ctx.state.arm_by_key.update(input.a_is_down && !is_typing, ctx.now());
  if (armed_by_key) {
    ctx.panel.set_access(ctx.panel.access() == Access::kArmed ? Access::kControl : Access::kArmed);
  }
  bool stopped = false;
  for (const KeyPress& press : input.pressed) {
    stopped = stopped || press.key == Key::kF10;
    if (!handle_always(ctx, press) && !is_typing) handle(ctx, press);
  }
  if (!is_typing && !stopped && input.jog != 0) ctx.panel.jog.hold(ctx.panel.selected, input.jog);
}

const std::vector<KeyHelp>& key_help() {
  static const std::vector<KeyHelp> help{
      {"F10", "STOP: every joint brakes and holds, also while a text is being typed"},
      {"Space", "STOP on a real robot, pause in simulation"},
      {"Ctrl+Space", "OFF: every motor, also while a text is being typed"},
      {"Esc", "closes every menu, list and question; reverts what is being typed"},
      {"A, held 0.8 s", "arm, or disarm"},
      {"P", "pause the simulation"},
      {"→, Shift+→", "one cycle, ten cycles, while paused"},
      {"− and =", "simulated time slower, faster"},
      {"Alt+←, Alt+→", "jog the selected joint, as long as they are held"},
      {"Ctrl+1 2 3 4 5 6 7 8 9", "poses of the robot's file, when ARMED"},
      {"Backspace", "reset the simulation"},
      {"Ctrl+L", "log to a file, or end it"},
      {"Ctrl+Z", "undo the last change of a parameter"},
      {"Ctrl+S", "compare changed parameters with robot.yaml"},
      {"F5", "run the chosen scenario again"},
      {"Tab, Shift+Tab", "next joint, the one before"},
      {"F", "freeze and keep the plots' window, or follow"},
      {"C", "cursors"},
      {"M", "a mark in the plots, now"},
      {"T", "wait for the trigger, or end that"},
      {"Ctrl+E", "the visible part of the plots, as CSV"},
      {"F1", "these keys"},
      {"F6, F7, F8", "layouts: tuning, bring-up, demo"},
      {"Ctrl+− and Ctrl+=", "smaller, larger text and boxes"},
      {"F11", "full screen"},
      {"F12", "screenshot"}};
  return help;
}

}  // namespace jointrig::gui
