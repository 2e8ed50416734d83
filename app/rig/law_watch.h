#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "control/core/robot_config.h"
#include "control/stack/user_laws.h"

namespace jointrig::app {

/// Ends the program where a law of one's own doesn't return: nothing can take the loop's thread
/// back from it. It says which law on standard error; the drives, which hear no setpoint meanwhile,
/// have stopped by their own watchdogs, long before.
///
/// A thread of ordinary priority that looks ten times a second, so that a program that is stopped
/// as a whole (a debugger, a suspended computer) ends no law.
class LawWatch {
 public:
  static constexpr int kLooks = 20;  ///< at the same call: 2 s, a choice
  static constexpr int kExitCode = 70;

  /// `call` outlives the watch.
  LawWatch(const RobotConfig& config, const LawCall& call);
  ~LawWatch();
  LawWatch(const LawWatch&) = delete;
  LawWatch& operator=(const LawWatch&) = delete;

 private:
  void watch();

  std::vector<std::string> names_;
  const LawCall* call_;
  std::mutex mutex_;
  std::condition_variable ends_;
  bool is_over_ = false;
  std::thread thread_;
};

}  // namespace jointrig::app
