#include "app/boards/boards_return.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>

namespace jointrig::app {
namespace {

constexpr std::chrono::milliseconds kLookEvery{200};  // a choice
constexpr std::chrono::milliseconds kTokenTaken{50};  // cycles of the loop, which takes it

}  // namespace

BoardsReturn::BoardsReturn(SideLineClient& line, hw::HwBackend& driver, const RobotConfig& robot,
                           sim::PlantOptions plant)
    : line_(&line),
      driver_(&driver),
      robot_(&robot),
      plant_(std::move(plant)),
      thread_([this](const std::stop_token& stop) { watch(stop); }) {}

void BoardsReturn::watch(const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any woken;
  while (!stop.stop_requested()) {
    std::unique_lock lock(mutex);
    woken.wait_for(lock, stop, kLookEvery, [] { return false; });
    if (!stop.stop_requested() && line_->is_broken()) take_back();
  }
}

void BoardsReturn::take_back() {
  try {
    if (!line_->reopen()) return;
    driver_->expect_boards(line_->token());
    std::this_thread::sleep_for(kTokenTaken);
    line_->reset(*robot_, plant_);  // they boot with it
  } catch (const std::exception&) {
    // Another program, or boards of another robot: their drives are refused over the bus, in words.
  }
}

}  // namespace jointrig::app
