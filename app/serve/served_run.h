#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <string>

#include "app/run/onlooker.h"
#include "app/serve/serving.h"

namespace jointrig::app {

/// Serves a scenario's robot while it runs: others watch, and may stop it.
///
/// The scenario holds the lease from its first cycles on, taken by force if somebody was faster.
/// The end of that lease ends the scenario: somebody has stopped the robot, or taken it over.
class ServedRun final : public Onlooker {
 public:
  /// Opens the ports. Throws as Serving::start.
  /// @param tell  told where it is served, and each change of the lease; any thread
  ServedRun(Rig& rig, const std::string& scenario, ServingOptions options,
            std::function<void(const std::string&)> tell);

  void before_cycle() noexcept override;
  void after_cycle() noexcept override { serving_.after_cycle(); }
  std::string look() override;

 private:
  void note(const std::string& sentence);
  [[nodiscard]] std::string why_lost() const;

  std::string name_;  ///< of the holder
  std::uint16_t sender_;
  std::function<void(const std::string&)> tell_;
  mutable std::mutex mutex_;
  std::string last_change_;  ///< of the lease
  std::atomic<bool> loop_runs_{false};
  std::atomic<bool> gives_signs_{false};  ///< of life, in each cycle
  bool holds_ = false;
  Serving serving_;  ///< last: its threads call note()
};

}  // namespace jointrig::app
