#include "app/rig/law_watch.h"

#include <unistd.h>

#include <chrono>
#include <cstdlib>

namespace jointrig::app {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks{100};

}  // namespace

LawWatch::LawWatch(const RobotConfig& config, const LawCall& call) : call_(&call) {
  for (const LawConfig& law : config.laws) names_.push_back(law.name);
  thread_ = std::thread([this] { watch(); });
}

LawWatch::~LawWatch() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  ends_.notify_all();
  thread_.join();
}

void LawWatch::watch() {
  std::uint64_t seen = 0;
  int looks = 0;
  std::unique_lock lock(mutex_);
  while (!ends_.wait_for(lock, kBetweenLooks, [this] { return is_over_; })) {
    const std::uint64_t number = call_->number.load(std::memory_order_acquire);
    const bool is_the_same = number % 2 == 1 && number == seen;
    looks = is_the_same ? looks + 1 : 0;
    seen = number;
    if (looks < kLooks) continue;
    const LawIndex law = call_->law.load(std::memory_order_relaxed);
    const std::string words = "law \"" + (law < names_.size() ? names_[law] : "?") +
                              "\" has not returned for 2 s: the loop stands, and the program ends; "
                              "mend the endless loop or the wait in its torque()\n";
    // Nothing but this: other threads hold locks, and destructors would wait for the loop.
    static_cast<void>(!write(STDERR_FILENO, words.data(), words.size()));
    std::_Exit(kExitCode);
  }
}

}  // namespace jointrig::app
