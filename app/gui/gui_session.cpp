#include "app/gui/gui_session.h"

#include <chrono>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <utility>

#include "app/gui/drawn_model.h"
#include "app/gui/plot_export.h"
#include "app/gui/plot_set_file.h"
#include "scenarios/robot_log/event_text.h"

namespace jointrig {
namespace {

constexpr double kHealthEvery = 0.25;  // s: reading a histogram costs more than a frame should
constexpr double kAwake = 2.0;         // s after the last input at the full rate
constexpr double kFullRate = 1.0 / 60.0;
constexpr double kLooking = 1.0 / 20.0;  // something moves, nobody touches anything
constexpr double kResting = 0.25;        // paused: nothing changes

double steady_now() {
  using Clock = std::chrono::steady_clock;
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

std::string dated(const char* format) {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  localtime_r(&now, &parts);
  char text[96];
  std::strftime(text, sizeof text, format, &parts);
  return text;
}

}  // namespace

GuiSession::GuiSession(const RobotConfig& config, BackendKind backend, int width, int height)
    : window_("jointrig · " + config.name, width, height),
      fonts_(load_fonts(window_.scale())),
      loop_(config, backend),
      client_(loop_.rig().stack().config(), loop_.rig().stack().inbox(), "panel"),
      events_(loop_.rig().stack().events()),
      panel_({.config = &loop_.rig().stack().config(),
              .boards = &loop_.rig().backend().joints(),
              .backend = std::string(loop_.rig().backend().name()),
              .real = false,
              .simulation = &loop_},
             client_,
             [this](const Event& event) {
               Stack& stack = loop_.rig().stack();
               return sentence(event, stack.config(), stack.inbox().sender_name(event.sender));
             }),
      history_(loop_.rig().stack().config(), kHistorySeconds),
      scene_(drawn_model(loop_.rig(), config), config,
             loop_.rig().sim() != nullptr ? &loop_ : nullptr) {
  if (SceneRenderer::possible()) renderer_.emplace(scene_);
  const std::vector<JointIndex> listed = panel_.shown();
  if (!listed.empty()) panel_.selected = listed.front();
  plots_.show_joint(history_, panel_.selected);
  try {
    state_.plot_sets = load_plot_sets(plot_set_path());
  } catch (const std::exception& e) {
    state_.plot_sets = shipped_plot_sets();
    state_.plot_note = e.what();
  }
  loop_.start({});
}

bool GuiSession::frame() {
  if (!window_.begin_frame(pace())) return false;
  const double now = steady_now();
  if (window_.had_input()) last_input_ = now;
  look_at_robot();
  look_at_loop();
  panel_.begin_frame({.now = now,
                      .focused = window_.focused(),
                      .had_input = window_.had_input(),
                      .loop = health_});
  const ViewContext ctx{panel_, plots_, history_, state_, fonts_, keeps_items_ ? &items_ : nullptr,
                        scene()};
  draw_main_view(ctx, window_.keys());
  const bool scene_changed = renderer_ && state_.scene_open && renderer_->draw();
  if (window_.end_frame(scene_changed)) ++drawn_;
  do_wishes();
  return true;
}

void GuiSession::look_at_robot() {
  bool fresh = false;
  while (loop_.ring().pop(snapshot_)) {
    history_.push(snapshot_);
    fresh = true;
  }
  if (fresh) panel_.see(snapshot_);
  // A simulation tells where it truly is; of a robot there is what it measures.
  if (const WorldPose* world = loop_.world()) {
    scene_.robot().show(*world);
  } else if (fresh) {
    scene_.robot().show(snapshot_);
  }
  for (Event event; events_.next(event);) {
    panel_.see(event);
    if (severity_of(event.kind) == EventSeverity::kInfo) continue;
    Stack& stack = loop_.rig().stack();
    history_.mark(event.time_ns, event.joint,
                  sentence(event, stack.config(), stack.inbox().sender_name(event.sender)));
  }
}

void GuiSession::look_at_loop() {
  const double now = steady_now();
  if (now - health_at_ < kHealthEvery) return;
  health_at_ = now;
  const LoopSummary summary = loop_.rig().loop().statistics().summary();
  health_ = {static_cast<double>(summary.cycle.p99_ns) / 1e3,
             static_cast<double>(summary.cycle.max_ns) / 1e3, summary.overruns()};
}

void GuiSession::wake() noexcept { last_input_ = steady_now(); }

Pace GuiSession::pace() const {
  if (steady_now() - last_input_ < kAwake) return {kFullRate, kFullRate};
  return {kFullRate, loop_.paused() ? kResting : kLooking};
}

void GuiSession::do_wishes() {
  if (state_.wants_full_screen) window_.toggle_full_screen();
  if (state_.wants_screenshot) screenshot(dated("jointrig-%Y%m%d-%H%M%S.png"));
  state_.wants_full_screen = state_.wants_screenshot = false;
  try {
    export_plots();
    if (std::exchange(state_.plot_sets_changed, false)) {
      save_plot_sets(state_.plot_sets, plot_set_path());
      state_.plot_note = "kept in " + plot_set_path().string();
    }
  } catch (const std::exception& e) {
    state_.plot_note = e.what();
  }
}

void GuiSession::export_plots() {
  const bool csv = std::exchange(state_.wants_csv, false);
  const bool mcap = std::exchange(state_.wants_mcap, false);
  const bool picture = std::exchange(state_.wants_plot_picture, false);
  if (!csv && !mcap && !picture) return;
  std::vector<std::size_t> signals;
  for (const Plot& plot : plots_.plots) {
    for (const PlotLine& line : plot.lines) {
      if (!line.hidden) signals.push_back(line.signal);
    }
  }
  const Span shown = plots_.time.shown();
  std::string path = dated("jointrig-%Y%m%d-%H%M%S") + (csv ? ".csv" : mcap ? ".mcap" : ".png");
  if (csv) {
    std::ofstream out(path);
    out << to_csv(history_, signals, shown.low, shown.high);
    if (!out.flush()) throw std::runtime_error("can't write " + path);
  } else if (mcap) {
    write_plots_mcap(history_, signals, shown.low, shown.high, path);
  } else {
    const ImVec4 area = state_.plot_area;
    write_png(path, part_of(window_.picture(), static_cast<int>(area.x), static_cast<int>(area.y),
                            static_cast<int>(area.z - area.x), static_cast<int>(area.w - area.y)));
  }
  state_.plot_note = "written: " + path;
}

void GuiSession::screenshot(const std::filesystem::path& path) const {
  write_png(path, window_.picture());
}

}  // namespace jointrig
