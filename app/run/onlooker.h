#pragma once

#include <string>

namespace jointrig::app {

/// Something that shows a run in real time to others while it goes on (app/serve/served_run.h).
class Onlooker {
 public:
  Onlooker() = default;
  Onlooker(const Onlooker&) = delete;
  Onlooker& operator=(const Onlooker&) = delete;
  virtual ~Onlooker() = default;

  // The loop's thread; no allocation, no lock, no wait.

  virtual void before_cycle() noexcept = 0;
  virtual void after_cycle() noexcept = 0;

  /// The follower's thread, some thousand times a second.
  /// @returns empty, or why the scenario can't go on
  virtual std::string look() = 0;
};

}  // namespace jointrig::app
