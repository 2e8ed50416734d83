#pragma once

#include <string>
#include <vector>

#include "control/core/command.h"
#include "control/core/robot_config.h"
#include "control/core/snapshot.h"

namespace jointrig::gui {

/// A command of the panel that the loop has taken, and when.
struct RecordedCommand {
  TimeNs time_ns = 0;  ///< robot time
  Command command;
};

/// What a person did in the panel, as it happened: to become a scenario
/// (app/gui/session_file.h).
///
///     sent      a command left the panel: kept aside
///     answered  the loop has taken it, at this robot time: kept; or refused it: dropped
///
/// Streams are kept as they were sent, sample by sample. One thread: the window's.
class SessionRecorder {
 public:
  static constexpr std::size_t kMost = 20'000;  ///< a choice: a long day of clicks

  /// @param snapshot  of the robot as it is now
  void start(const Snapshot& snapshot);
  void stop() noexcept { recording_ = false; }
  [[nodiscard]] bool recording() const noexcept { return recording_; }
  /// More than kMost came: what was later is missing.
  [[nodiscard]] bool is_full() const noexcept { return commands_.size() >= kMost; }

  void sent(const Command& command);
  void answered(std::uint64_t number, bool taken, TimeNs time_ns);

  [[nodiscard]] const std::vector<RecordedCommand>& commands() const noexcept { return commands_; }
  /// When it was started, and the joints as they were then.
  [[nodiscard]] TimeNs began_ns() const noexcept { return began_ns_; }
  [[nodiscard]] const PerJoint<JointSnapshot>& began() const noexcept { return began_; }
  [[nodiscard]] const PerArm<ArmSnapshot>& began_arms() const noexcept { return began_arms_; }

 private:
  bool recording_ = false;
  TimeNs began_ns_ = 0;
  PerJoint<JointSnapshot> began_;
  PerArm<ArmSnapshot> began_arms_;
  std::vector<Command> waiting_;
  std::vector<RecordedCommand> commands_;
};

}  // namespace jointrig::gui
