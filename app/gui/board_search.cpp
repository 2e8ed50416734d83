#include "app/gui/board_search.h"

#include <chrono>
#include <stdexcept>

#include "control/model/mjcf.h"
#include "control/stack/config_error.h"
#include "gui/view/wait_page.h"
#include "harness/config/whole_file.h"

namespace jointrig::app {
namespace {

double seconds_now() {
  using Clock = std::chrono::steady_clock;
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

}  // namespace

BoardSearch::BoardSearch(const GuiRobot& robot)
    : robot_(robot),
      config_(config_of(robot)),
      state_{.wait = gui::BoardWait(config_, seconds_now())},
      thread_([this](const std::stop_token& stop) { run(stop); }) {}

BoardSearch::~BoardSearch() {
  give_up_ = true;
  thread_.request_stop();
}

BoardSearch::State BoardSearch::state() {
  const std::lock_guard lock(mutex_);
  if (fatal_) std::rethrow_exception(fatal_);
  return state_;
}

void BoardSearch::try_now() {
  const std::lock_guard lock(mutex_);
  hurry_ = true;
  changed_.notify_all();
}

void BoardSearch::run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    if (try_once()) return;
    std::unique_lock lock(mutex_);
    state_.looking = false;
    changed_.wait_for(lock, stop, std::chrono::duration<double>(kPause), [this] { return hurry_; });
    hurry_ = false;
    state_.looking = true;
  }
}

/// @return true if there is nothing left to wait for
bool BoardSearch::try_once() {
  bool asked = false;
  try {
    // Whether real drives may move is judged when the panel opens. This one has let them go before
    // anybody hears that they were found.
    Rig rig(config_, {.backend = robot_.backend,
                      .plant = plant_options_of(robot_),
                      .give_up = &give_up_,
                      .wiggle_check = false});
    asked = true;
    rig.start();
  } catch (const std::invalid_argument&) {
    return end_with(std::current_exception());
  } catch (const ConfigError&) {
    return end_with(std::current_exception());
  } catch (const ModelError&) {
    return end_with(std::current_exception());
  } catch (const std::exception& error) {
    note_failure(error.what(), asked);
    return false;
  }
  const std::lock_guard lock(mutex_);
  state_.found = true;
  return true;
}

bool BoardSearch::end_with(std::exception_ptr error) {
  const std::lock_guard lock(mutex_);
  fatal_ = std::move(error);
  return true;
}

void BoardSearch::note_failure(const std::string& sentences, bool asked) {
  const std::lock_guard lock(mutex_);
  state_.wait.failed(sentences, asked, seconds_now());
}

WaitRoom::WaitRoom(std::shared_ptr<GuiScreen> screen, const GuiRobot& robot)
    : screen_(std::move(screen)), search_(robot) {
  robot_ = config_of(robot).name;
  screen_->window.set_title("jointrig · " + robot_ + ", waiting for its boards");
}

WaitRoom::Result WaitRoom::frame() {
  constexpr gui::Pace kPace{.shortest = 1.0 / 60.0, .longest = 0.1};
  if (!screen_->window.begin_frame(kPace)) return Result::kClosed;
  const BoardSearch::State state = search_.state();
  const gui::WaitChoice choice = gui::draw_wait_page({.wait = state.wait,
                                                      .robot = robot_,
                                                      .looking = state.looking,
                                                      .now = seconds_now(),
                                                      .fonts = screen_->fonts,
                                                      .items = &items_});
  screen_->window.end_frame(false);
  switch (choice) {
    case gui::WaitChoice::kTryNow:
      search_.try_now();
      break;
    case gui::WaitChoice::kSimulation:
      return Result::kSimulation;
    case gui::WaitChoice::kQuit:
      return Result::kClosed;
    case gui::WaitChoice::kNone:
      break;
  }
  return state.found ? Result::kFound : Result::kWaits;
}

void WaitRoom::screenshot(const std::filesystem::path& path) const {
  harness::write_whole_file(path, gui::png_of(screen_->window.picture()));
}

}  // namespace jointrig::app
