#pragma once

#include <string>
#include <vector>

#include "control/core/command.h"
#include "control/core/robot_config.h"
#include "control/core/snapshot.h"

namespace jointrig::gui {

/// A command of the panel that the loop has accepted, with its time.
struct RecordedCommand {
  TimeNs time_ns = 0;  ///< robot time
  Command command;
};

/// Records a person's commands in the panel, for a scenario (app/gui/session_file.h).
///
///     sent      a command was sent: kept aside
///     answered  the loop accepted it, at this robot time: recorded; or refused it: dropped
///
/// Streams are kept as they were sent, sample by sample. One thread: the window's.
class SessionRecorder {
 public:
  static constexpr std::size_t kMost = 20'000;  ///< a choice: a long day of clicks

  /// @param snapshot  present state of the robot
  void start(const Snapshot& snapshot);
  void stop() noexcept { recording_ = false; }
  [[nodiscard]] bool recording() const noexcept { return recording_; }
  /// True if more than kMost commands came; later ones are missing.
  [[nodiscard]] bool is_full() const noexcept { return commands_.size() >= kMost; }

  void sent(const Command& command);
  void answered(std::uint64_t number, bool taken, TimeNs time_ns);

  [[nodiscard]] const std::vector<RecordedCommand>& commands() const noexcept { return commands_; }
  /// Time of the start, and the joints at that time.
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
