#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "harness/runner/command_run.h"

namespace jointrig::harness {

/// `1.047 rad (60 deg)`, `0.04 m`
std::string position_text(double q, const JointConfig& joint);

/// Sends joints to goals in one command and waits until they are there.
class MoveRun : public CommandRun {
 public:
  struct Pace {
    std::optional<EachValue> speed;  ///< peak speed
    double duration = 0.0;           ///< [s] in place of speed; 0: by the speed
    std::optional<Text> within;      ///< measured positions are this near in the end
    std::vector<std::pair<Text, double>> durations{};  ///< of each joint, in place of duration
  };
  MoveRun(std::vector<BoundTarget> targets, const Pace& pace, bool wait, double timeout,
          const Binder& binder);

  void begin(StepScene& scene) override;

 protected:
  bool arrived(const StepScene& scene) override;
  StepProgress fail_late(const StepScene& scene) override;
  Command command(std::size_t i, const StepScene& scene) const override;
  /// Before it begins.
  void set_goal(std::size_t i, double q) { targets_[i].value = BoundValue(q); }

 private:
  [[nodiscard]] bool is_near(std::size_t i, const StepScene& scene) const;

  std::vector<BoundTarget> targets_;
  std::vector<double> durations_;  // empty: by the speed
  JointSet joints_;
  std::vector<BoundValue> speeds_;
  std::vector<BoundValue> within_;
  std::vector<bool> arrived_;
  std::optional<Event> stopped_by_;    // avoidance or a contact, which give goals up
  mutable std::vector<double> goals_;  // as sent
};

}  // namespace jointrig::harness
