#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "control/core/robot_config.h"
#include "control/core/types.h"
#include "harness/runner/scenario.h"
#include "harness/runner/world.h"

namespace jointrig::harness {

/// Actions of a scenario on the world, with their begin and, if given, their end.
class ActionList {
 public:
  static constexpr TimeNs kNoTime = std::numeric_limits<TimeNs>::max();

  /// @param world  nullptr: actions are refused
  explicit ActionList(World* world) : world_(world) {}

  /// Prepares an action. Throws FileError at its place. Actions may share a name.
  /// @param at  time of its begin; kNoTime: begin() begins it
  /// @return its number
  std::size_t add(const std::string& name, const ActionStep& action, TimeNs at,
                  const RobotConfig& config);

  [[nodiscard]] std::vector<std::string> names() const;
  [[nodiscard]] bool empty() const noexcept { return entries_.empty(); }

  void begin(std::size_t action, TimeNs now) noexcept;
  void end(std::size_t action) noexcept;
  void end(std::string_view name) noexcept;

  /// Begins and ends the actions that are due.
  void update(TimeNs now) noexcept;
  void end_all() noexcept;

 private:
  World::Handle prepare(const ActionStep& action, const RobotConfig& config);

  struct Entry {
    std::string name;
    World::Handle handle = 0;
    TimeNs at = kNoTime;  // time of its begin
    TimeNs duration = kNoTime;
    TimeNs until = kNoTime;
    bool acts = false;
  };
  World* world_;
  std::vector<Entry> entries_;
};

}  // namespace jointrig::harness
