#include "app/gui/gui_session.h"

#include <fmt/core.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <utility>

#include "app/gui/drawn_model.h"
#include "app/gui/gain_margins.h"
#include "app/gui/motion_file.h"
#include "app/gui/plot_export.h"
#include "app/gui/plot_set_file.h"
#include "app/gui/sequence_file.h"
#include "app/gui/session_expectations.h"
#include "app/gui/session_file.h"
#include "app/local_time.h"
#include "app/run/result_files.h"
#include "app/run/same_robot.h"
#include "app/run/scenario_list.h"
#include "gui/panel/panel_units.h"
#include "gui/window/plot_picture.h"
#include "harness/config/whole_file.h"
#include "harness/log/event_text.h"

namespace jointrig::app {
namespace {

constexpr const char* kScenarioFolder = "scenarios";
constexpr float kPageFactor = 2.0F;    // size of the plots in a picture for a page, to the window's
constexpr double kHealthEvery = 0.25;  // s: reading a histogram is too expensive for each frame
constexpr double kAwake = 2.0;         // s after the last input at the full rate
constexpr double kFullRate = 1.0 / 60.0;
constexpr double kLooking = 1.0 / 20.0;  // motion without input
constexpr double kResting = 0.25;        // paused: nothing changes

double steady_now() {
  using Clock = std::chrono::steady_clock;
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

}  // namespace

GuiSession::GuiSession(std::shared_ptr<GuiScreen> screen, const GuiRobot& robot)
    : GuiSession(std::move(screen), robot,
                 std::make_unique<LiveLoop>(config_of(robot), robot.backend,
                                            plant_options_of(robot), robot.speed_override,
                                            /*held_until_driven=*/!robot.runs),
                 nullptr) {
  use_loop();
  tell_what_it_is();
}

GuiSession::GuiSession(std::shared_ptr<GuiScreen> screen, std::unique_ptr<RemoteLoop> remote)
    : GuiSession(std::move(screen), {}, nullptr, std::move(remote)) {
  robot_.source.name = remote_->config().name;  // all that is known of its files
  desks_.parameters.file = remote_->address() + ": robot.yaml";
  desks_.parameters.margin_of = margins_of(remote_->facts());
  panel_.client.lease.attach(remote_.get());
  follower_.emplace(*remote_);
  remote_planner_.emplace(*remote_, draw_by_own_model());
  desks_.motion.attach(&*remote_planner_);
  tell_what_it_is();
}

GuiSession::GuiSession(std::shared_ptr<GuiScreen> screen, GuiRobot robot,
                       std::unique_ptr<LiveLoop> live, std::unique_ptr<RemoteLoop> remote)
    : screen_(std::move(screen)),
      window_(screen_->window),
      fonts_(screen_->fonts),
      robot_(std::move(robot)),
      parameter_file_(robot_.source),
      live_(std::move(live)),
      remote_(std::move(remote)),
      feed_(live_ ? static_cast<RobotFeed*>(live_.get()) : remote_.get()),
      client_(*feed_->panel_robot().config, feed_->inbox(), "panel"),
      notes_(live_ ? live_->rig().robot_notes() : remote_->facts().notes),
      panel_(feed_->panel_robot(), client_,
             [this](const Event& event) { return feed_->sentence(event); }),
      desks_(panel_),
      history_(feed_->plotted(), kHistorySeconds) {
  const std::vector<JointIndex> listed = panel_.shown();
  if (!listed.empty()) panel_.selected = listed.front();
  plots_.show_joint(history_, panel_.selected);
  take_plot_sets();
  client_.watch([this](const Command& command) { desks_.recording.session.sent(command); });
  if (live_) live_->watch_world([this](const WorldAct& act) { record(act); });
}

void GuiSession::record(const WorldAct& act) {
  gui::SessionRecorder& session = desks_.recording.session;
  switch (act.kind) {
    case WorldAct::Kind::kBegan:
      return session.began(act.number, act.step, snapshot_.time_ns);
    case WorldAct::Kind::kEnded:
      return session.ended(act.number, snapshot_.time_ns);
    case WorldAct::Kind::kPulled:
      return session.missed(
          "a pull in the 3D view, because no step is a spring between the robot and the mouse",
          snapshot_.time_ns);
  }
}

/// Last: an exception before leaves the window as it was.
void GuiSession::tell_what_it_is() {
  window_.set_title("jointrig · " + panel_.config().name +
                    (remote_ ? " at " + remote_->address() : std::string()));
  for (const std::string& note : notes_) {
    std::fprintf(stderr, "jointrig gui: %s\n", note.c_str());
  }
}

/// Parts that a loop in this program has beside those that the panel shows of any robot.
void GuiSession::use_loop() {
  Stack& stack = live_->rig().stack();
  const sim::PlantOptions plant = plant_options_of(robot_);
  scene_.emplace(drawn_model(live_->rig(), stack.config(), plant), stack.config(),
                 live_->rig().sim() != nullptr ? live_.get() : nullptr);
  if (gui::SceneRenderer::possible()) renderer_.emplace(*scene_);
  motion_planner_.emplace(stack);
  desks_.motion.attach(&*motion_planner_);
  desks_.reset.keyframes = keyframes_of(robot_);
  desks_.parameters.file = parameter_file_.path();
  // A copy: once it runs, the setups are the loop's.
  desks_.parameters.margin_of = margins_of(stack.state().setups, stack.config().delay_cycles);
  if (robot_.scenario != nullptr && robot_.runs) live_->stage(*robot_.scenario);
}

/// Where this machine has a model by the robot's name with the same joints. The server's own may
/// differ, and has a scene that isn't drawn.
/// @returns that robot; none: nothing is drawn
std::optional<RobotConfig> GuiSession::draw_by_own_model() {
  if (!gui::SceneRenderer::possible()) return std::nullopt;
  try {
    std::optional<RobotConfig> own = own_robot_like(remote_->config());
    if (!own) return std::nullopt;
    scene_.emplace(drawn_model(*own), *own, nullptr);
    renderer_.emplace(*scene_);
    return own;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "jointrig gui: no 3D view: %s\n", error.what());
    return std::nullopt;
  }
}

GuiSession::~GuiSession() {
  if (!desks_.recording.logging) return;
  const harness::RobotLogStatus status = stop_log();
  if (!status.ok) std::fprintf(stderr, "jointrig gui: %s\n", status.message.c_str());
}

void GuiSession::take_plot_sets() {
  try {
    state_.plot_sets = load_plot_sets(plot_set_path());
  } catch (const std::exception& e) {
    state_.plot_sets = shipped_plot_sets();
    state_.plot_note = e.what();
  }
}

void GuiSession::start() {
  if (!live_) return;
  desks_.scenario.play(live_->stage());
  // The libraries of a window map hundreds of MB and use a small part.
  RealtimeOptions options;
  options.lock_untouched = false;
  live_->start(options);
}

void GuiSession::serve(const ServingOptions& options) {
  served_.emplace(live_->serve(options, notes_), client_.sender());
  panel_.client.lease.attach(&*served_);
}

void GuiSession::stop_serving() {
  panel_.client.lease.attach(nullptr);
  served_.reset();
  live_->stop_serving();
}

void GuiSession::take_over(GuiSession& before) {
  state_ = before.state_;
  keeps_items_ = before.keeps_items_;
  panel_.palette = before.panel_.palette;
  panel_.filter = before.panel_.filter;
  gui::FrameInput input;
  input.now = steady_now();
  panel_.begin_frame(input);  // ARMED counts from here
  panel_.set_access(before.panel_.access());
  if (before.panel_.watch.speed_override() != 1.0) {
    panel_.client.ask_speed_override(before.panel_.watch.speed_override());
  }
  desks_.scenario.take_list(before.desks_.scenario);
  scenarios_ = std::move(before.scenarios_);
  if (scene_ && before.scene_) {
    scene_->shows = before.scene_->shows;
    scene_->hand().stiffness = before.scene_->hand().stiffness;
  }
  if (!same_joints(panel_.config(), before.panel_.config())) {
    // They refer to joints and a record that no longer exist.
    state_.columns.clear();
    state_.reveal = kNoJoint;
    return;
  }
  if (scene_ && before.scene_) scene_->look_from(*before.scene_);
  panel_.part = before.panel_.part;
  panel_.selected = before.panel_.selected;
  desks_.sequence.sequence = before.desks_.sequence.sequence;
  desks_.sequence.file = before.desks_.sequence.file;
  desks_.motion.table.list = before.desks_.motion.table.list;
  desks_.motion.file = before.desks_.motion.file;
  plots_ = std::move(before.plots_);
  history_ = std::move(before.history_);
}

std::optional<GuiRobot> GuiSession::take_next() { return std::exchange(next_, std::nullopt); }

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
  desks_.begin_frame();
  history_.look_at(plots_.kept.shown_window());
  const gui::ViewContext ctx{
      panel_, plots_, history_, state_, fonts_, desks_, keeps_items_ ? &items_ : nullptr, scene()};
  gui::draw_main_view(ctx, window_.keys());
  const bool scene_changed = renderer_ && state_.scene_open && renderer_->draw();
  if (window_.end_frame(scene_changed)) ++drawn_;
  do_wishes();
  return true;
}

void GuiSession::look_at_robot() {
  bool fresh = false;
  while (feed_->ring().pop([this](const gui::TraceRow& row) { history_.push(row); })) fresh = true;
  fresh = fresh && feed_->newest(snapshot_);
  if (fresh) panel_.see(snapshot_);
  draw_robot(fresh);
  if (fresh && scene_ && desks_.body.is_there()) look_at_body();
  for (const std::string& news : feed_->take_news()) tell_failure(news);
  for (Event event; feed_->next(event);) {
    panel_.see(event);
    if (event.sender == client_.sender() &&
        (event.kind == EventKind::kAccepted || event.kind == EventKind::kRejected)) {
      desks_.recording.session.answered(event.number, event.kind == EventKind::kAccepted,
                                        event.time_ns);
    }
    if (severity_of(event) == EventSeverity::kInfo) continue;
    mark(event);
  }
  const std::optional<ParameterTable> parameters = feed_->take_parameters();
  if (parameters) panel_.watch.take(*parameters);
}

/// A simulation gives the true pose; a robot gives measurements.
void GuiSession::draw_robot(bool is_fresh) {
  if (!scene_) return;
  const gui::WorldPose* world = live_ ? live_->world() : nullptr;
  if (world != nullptr) {
    scene_->robot().show(*world);
  } else if (is_fresh) {
    scene_->robot().show(snapshot_);
  }
}

/// Overruns have a strip of their own in the plots; anything else is a mark with its words.
void GuiSession::mark(const Event& event) {
  if (event.kind == EventKind::kOverrun) {
    return history_.mark_overrun(event.time_ns, event.value);
  }
  history_.mark(event.time_ns, event.joint, gui::in_panel_units(feed_->sentence(event)));
}

/// The controller keeps the stance in which it began: that of the last frame before.
void GuiSession::look_at_body() {
  gui::BodyDesk& desk = desks_.body;
  const bool is_first = !stance_;
  scene_->balance = gui::balance_of(scene_->robot(), panel_.config(), snapshot_);
  if (is_first || desk.state() != LawState::kRuns) {
    stance_ = gui::stance_of(scene_->robot(), panel_.config());
  }
  if (!stance_) return;
  desk.places = gui::body_places(scene_->robot(), panel_.config(), *stance_);
  if (is_first) desk.begin(desk.form.kind(), desk.form.hand());
}

void GuiSession::look_at_loop() {
  const double now = steady_now();
  if (now - health_at_ < kHealthEvery) return;
  health_at_ = now;
  if (desks_.recording.logging) {
    std::error_code unknown;  // an unknown size is shown as the last one
    const std::uintmax_t bytes = std::filesystem::file_size(desks_.recording.log_file, unknown);
    if (!unknown) desks_.recording.log_bytes = bytes;
    if (!log_status().ok) end_log();
  }
  health_ = feed_->health();
}

void GuiSession::wake() noexcept { last_input_ = steady_now(); }

gui::Pace GuiSession::pace() const {
  if (steady_now() - last_input_ < kAwake) return {kFullRate, kFullRate};
  return {kFullRate, live_ && live_->paused() ? kResting : kLooking};
}

/// A panel may hold motors: whatever fails here, a file above all, is told, and the window goes on.
/// @returns the error; empty: none
template <typename Wish>
std::string GuiSession::attempt(Wish&& wish) {
  try {
    wish();
    return {};
  } catch (const std::exception& error) {
    tell_failure(error.what());
    return error.what();
  }
}

/// As a notice, and among the events: the notice goes after some seconds.
void GuiSession::tell_failure(const std::string& sentence) {
  panel_.tell(sentence);
  Event event;
  event.kind = EventKind::kNotice;
  event.time_ns = snapshot_.time_ns;
  panel_.watch.events.add(event, sentence);
}

void GuiSession::do_wishes() {
  if (std::exchange(state_.wants_full_screen, false)) window_.toggle_full_screen();
  if (std::exchange(state_.wants_screenshot, false)) {
    attempt([&] {
      const std::string path = local_time("jointrig-%Y%m%d-%H%M%S.png");
      screenshot(path);
      panel_.tell("written: " + path);
    });
  }
  if (std::exchange(state_.wants_marker, false)) {
    history_.mark(snapshot_.time_ns, kNoJoint, fmt::format("mark {}", ++markers_));
  }
  const int steps = std::exchange(state_.wants_size, 0);
  if (steps != 0) {
    window_.magnify(window_.magnification() *
                    std::pow(GuiScreen::kSizeStep, static_cast<float>(steps)));
  }
  if (const std::string why = attempt([&] { export_plots(); }); !why.empty()) {
    state_.plot_note = why;
  }
  if (std::exchange(state_.plot_sets_changed, false)) {
    const std::string why = attempt([&] { save_plot_sets(state_.plot_sets, plot_set_path()); });
    state_.plot_note = why.empty() ? "kept in " + plot_set_path().string() : why;
  }
  attempt([&] { do_desk_wishes(); });
}

void GuiSession::export_plots() {
  const bool csv = std::exchange(state_.wants_csv, false);
  const bool mcap = std::exchange(state_.wants_mcap, false);
  const bool picture = std::exchange(state_.wants_plot_picture, false);
  if (!csv && !mcap && !picture) return;
  std::vector<std::size_t> signals;
  for (const gui::Plot& plot : plots_.plots) {
    for (const gui::PlotLine& line : plot.lines) {
      if (!line.hidden) signals.push_back(line.signal);
    }
  }
  const gui::Span shown = plots_.time.shown();
  std::string path = local_time("jointrig-%Y%m%d-%H%M%S") + (csv    ? ".csv"
                                                             : mcap ? ".mcap"
                                                                    : ".png");
  if (csv) {
    harness::write_whole_file(path, gui::to_csv(history_, signals, shown.low, shown.high));
  } else if (mcap) {
    write_plots_mcap(history_, signals, shown.low, shown.high, path);
  } else {
    const ImVec4 area = state_.plot_area;
    const gui::ViewContext ctx{panel_, plots_, history_, state_, fonts_, desks_};
    harness::write_whole_file(
        path, gui::png_of(gui::plot_picture(ctx, area.z - area.x, area.w - area.y, kPageFactor,
                                            harness::installed_folder("fonts"))));
  }
  state_.plot_note = "written: " + path;
}

void GuiSession::do_desk_wishes() {
  gui::SequenceDesk& sequence = desks_.sequence;
  const gui::FileWish wish = std::exchange(sequence.wish, gui::FileWish::kNone);
  const std::string why = attempt([&] {
    if (wish == gui::FileWish::kSave) {
      save_sequence(sequence, panel_.config(), word_for(robot_));
      sequence.told("saved: jointrig run " + sequence.file);
    } else if (wish == gui::FileWish::kOpen) {
      sequence.opened(read_sequence(sequence.file, panel_.config()));
    }
  });
  if (!why.empty()) sequence.told(why);
  do_motion_wish();
  do_parameter_wish();
  do_recording_wishes();
  do_reset_wish();
  do_scenario_wish();
}

void GuiSession::do_scenario_wish() {
  gui::ScenarioDesk& scenario = desks_.scenario;
  if (state_.side == gui::SideTab::kScenario && std::exchange(scenario.wants_list, false)) {
    list_scenarios();
  }
  const bool runs = std::exchange(scenario.wants_run, false) && scenario.chosen() != nullptr;
  if (runs && (remote_ || live_->rig().is_on_buses())) {
    play_as_it_stands(scenarios_[scenario.chosen_index()]);
  } else if (runs && (desks_.recording.recording())) {
    panel_.tell("a scenario opens its robot again: end the recording first");
  } else if (runs) {
    next_ = robot_for(scenarios_[scenario.chosen_index()], robot_, true);
  }
}

void GuiSession::do_motion_wish() {
  gui::MotionDesk& desk = desks_.motion;
  const gui::FileWish wish = std::exchange(desk.wish, gui::FileWish::kNone);
  attempt([&] {
    if (wish == gui::FileWish::kSave) {
      save_motion(desk, panel_.config(), word_for(robot_));
      desk.told("saved: jointrig run " + desk.file);
    } else if (wish == gui::FileWish::kOpen) {
      desk.opened(read_motion(desk.file, panel_.config()));
    }
  });
}

/// Boards without a host would drop their load, and a robot elsewhere is another program's: it
/// isn't opened again.
void GuiSession::play_as_it_stands(const harness::Scenario& scenario) {
  try {
    if (remote_) return desks_.scenario.play(play_elsewhere(scenario));
    const std::string why =
        why_not_as_it_stands(scenario, robot_, *panel_.robot().config, panel_.robot().real);
    if (!why.empty()) return panel_.tell(why);
    desks_.scenario.play(&live_->play(scenario));
  } catch (const std::exception& error) {
    panel_.tell(error.what());
  }
}

/// Throws std::runtime_error with the reason why not.
gui::ScenarioPlay* GuiSession::play_elsewhere(const harness::Scenario& scenario) {
  std::string why = why_not_served(scenario);
  if (!why.empty()) throw std::runtime_error(scenario.name + ": " + why);
  const RobotConfig meant = config_of(robot_for(scenario, robot_, true));
  why = why_another_robot(meant, remote_->facts());
  if (!why.empty()) throw std::runtime_error(scenario.name + ": " + why);
  const std::vector<std::string> others = other_settings(meant, remote_->facts());
  if (!others.empty()) panel_.tell("served with other settings: " + others.front());
  return &follower_->play(scenario);
}

void GuiSession::start_log() {
  const std::string& path = desks_.recording.log_file;
  harness::RobotLogOptions options;
  options.run = {{"robot", panel_.config().name}, {"backend", panel_.robot().backend}};
  if (remote_) return follower_->start_log(path, std::move(options));
  live_->start_log(path, std::move(options));
}

harness::RobotLogStatus GuiSession::log_status() const {
  return remote_ ? follower_->log_status() : live_->log_status();
}

harness::RobotLogStatus GuiSession::stop_log() {
  return remote_ ? follower_->stop_log() : live_->stop_log();
}

void GuiSession::end_log() {
  gui::RecordingDesk& desk = desks_.recording;
  desk.logging = false;
  const harness::RobotLogStatus status = stop_log();
  const std::string cycles = fmt::format("{} cycles to {}", status.cycles, desk.log_file);
  if (status.ok) return panel_.tell("logged " + cycles);
  std::error_code none;  // a log without a byte is none
  if (std::filesystem::file_size(desk.log_file, none) == 0) {
    std::filesystem::remove(desk.log_file, none);
  }
  // A robot elsewhere may be lost, too: its message says so.
  const char* const what_to_do = remote_ ? "" : "make room, then ";
  tell_failure(
      fmt::format("the log has ended: {}; {}Log begins a new file", status.message, what_to_do));
}

void GuiSession::toggle_log() {
  gui::RecordingDesk& desk = desks_.recording;
  if (desk.logging) return end_log();
  desk.log_file = local_time("jointrig-%Y%m%d-%H%M%S.mcap");
  start_log();
  desk.log_bytes = 0;
  desk.logging = true;
}

/// Words for what a file lacks.
static std::string without(const std::vector<std::string>& left_out) {
  if (left_out.empty()) return "";
  const std::string more =
      left_out.size() > 1 ? fmt::format(" and {} more", left_out.size() - 1) : "";
  return "; it lacks " + left_out.front() + more + ": comments in the file say where";
}

void GuiSession::do_recording_wishes() {
  gui::RecordingDesk& desk = desks_.recording;
  if (std::exchange(desk.wants_log, false)) attempt([&] { toggle_log(); });
  if (!std::exchange(desk.wants_session_file, false)) return;
  const std::string name = local_time("session-%Y%m%d-%H%M%S");
  const std::string why = attempt([&] {
    const RobotConfig& config = *panel_.robot().config;
    std::vector<std::string> left_out;
    const std::string steps =
        to_scenario(desk.session, config, name, word_for(robot_), desks_.motion.sent(), &left_out);
    write_text(name + ".yaml",
               steps + proposed_expectations(desk.session, config, history_, snapshot_.time_ns));
    const std::string where = remote_ ? " --connect " + remote_->address() : "";
    panel_.tell("saved: jointrig run " + name + ".yaml" + where + without(left_out));
  });
  desk.unsaved = !why.empty();
}

void GuiSession::do_reset_wish() {
  const gui::ResetDesk& desk = desks_.reset;
  if (!std::exchange(desks_.reset.wanted, false)) return;
  next_ = robot_;
  next_->runs = false;
  if (!desk.to.empty()) next_->keyframe = desk.to;
}

void GuiSession::do_parameter_wish() {
  gui::ParameterDesk& desk = desks_.parameters;
  const gui::ParameterWish wish = std::exchange(desk.wish, gui::ParameterWish::kNone);
  if (wish == gui::ParameterWish::kNone) return;
  const RobotConfig& opened = *panel_.robot().config;
  desk.difference.clear();
  attempt([&] {
    if (remote_) return do_remote_parameter_wish(wish);
    if (wish == gui::ParameterWish::kCompare) {
      desk.difference = parameter_file_.compare(opened, desk.unwritten());
      return;
    }
    const std::vector<ChangedParameter> changes = desk.unwritten();
    parameter_file_.write(opened, changes);
    desk.written(changes);
    panel_.tell("written: " + parameter_file_.path());
  });
}

/// The server's own file: what differs from it by anybody's changes.
void GuiSession::do_remote_parameter_wish(gui::ParameterWish wish) {
  gui::ParameterDesk& desk = desks_.parameters;
  const std::shared_ptr<remote::Connection> connection = remote_->connection();
  if (connection == nullptr) throw std::runtime_error("the connection is lost");
  remote::SavedChanges saved;
  const bool only_compare = wish == gui::ParameterWish::kCompare;
  const std::vector<ChangedParameter> changes = desk.unwritten();
  const std::string why =
      connection->save_parameters(only_compare, RemoteLoop::kLongestTake, saved);
  if (!why.empty()) throw std::runtime_error(why);
  if (only_compare) {
    desk.difference = saved.difference;
    return;
  }
  desk.written(changes);
  panel_.tell("written: " + remote_->address() + ": " + saved.file);
}

void GuiSession::list_scenarios() {
  gui::ScenarioDesk& desk = desks_.scenario;
  try {
    if (std::filesystem::is_directory(kScenarioFolder)) {
      scenarios_ = find_scenarios({kScenarioFolder}, {});
    }
  } catch (const std::exception& error) {
    desk.list_error = error.what();
  }
  const std::string opened = robot_.scenario != nullptr ? robot_.scenario->name : "";
  if (robot_.scenario != nullptr) {
    std::erase_if(scenarios_, [&](const harness::Scenario& s) { return s.name == opened; });
    scenarios_.insert(scenarios_.begin(), *robot_.scenario);
  }
  desk.entries.clear();
  for (const harness::Scenario& scenario : scenarios_) desk.entries.push_back(entry_for(scenario));
  if (!opened.empty() && !desk.running()) desk.choose(0);
}

void GuiSession::screenshot(const std::filesystem::path& path) const {
  harness::write_whole_file(path, gui::png_of(window_.picture()));
}

}  // namespace jointrig::app
