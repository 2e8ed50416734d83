#pragma once
/// The truth that a scenario uses, for its log: `truth.elbow.q` logs the joint's q, v and tau
/// (`/truth/elbow`), `body.hand.x` the whole position (`/body/hand`).

#include <span>
#include <string>
#include <vector>

#include "harness/log/robot_log.h"
#include "harness/runner/world.h"

namespace jointrig::app {

class TruthLog {
 public:
  /// @param names  signals of `world` (World::truth_names); `world` outlives this object
  TruthLog(const std::vector<std::string>& names, const RobotConfig& config, harness::World& world);

  [[nodiscard]] const std::vector<harness::LoggedTruth>& channels() const noexcept {
    return channels_;
  }

  /// Reads the values of the last cycle, in the order of channels(). The loop's thread; allocates
  /// nothing.
  void read(std::span<double> values) const noexcept;

 private:
  void add(const std::string& name, const RobotConfig& config);

  harness::World* world_;
  std::vector<harness::LoggedTruth> channels_;
  std::vector<harness::World::Handle> handles_;
};

}  // namespace jointrig::app
