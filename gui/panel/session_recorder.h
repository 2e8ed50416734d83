#pragma once

#include <map>
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

/// Something other than a command: done to the world, or for which a scenario has no words.
struct RecordedAct {
  TimeNs time_ns = 0;   ///< robot time of the newest cycle when it came
  std::string text;     ///< a step that is over at once: "force: {body: hand, ...}"; or a sentence
  bool is_step = true;  ///< false: the sentence tells what is missing, and why
};

/// Records a person's commands in the panel, for a scenario (app/gui/session_file.h).
///
///     sent      a command was sent: kept aside
///     answered  the loop accepted it, at this robot time: recorded; or refused it: dropped
///     began     something acts on the world from now on, recording or not; a record begins with it
///     ended     it acts no longer
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
  [[nodiscard]] bool is_full() const noexcept {
    return commands_.size() >= kMost || acts_.size() >= kMost;
  }

  void sent(const Command& command);
  void answered(std::uint64_t number, bool taken, TimeNs time_ns);
  /// A fault, a push or a payload. A second begin has no effect, nor has an end without one.
  /// @param number  of what acts, as the world counts
  /// @param step  that begins it: "force: {body: hand, ...}"
  void began(int number, const std::string& step, TimeNs now_ns);
  void ended(int number, TimeNs now_ns);
  /// Something for which there is no step, in words.
  void missed(const std::string& what, TimeNs now_ns) { happened({now_ns, what, false}); }

  [[nodiscard]] const std::vector<RecordedCommand>& commands() const noexcept { return commands_; }
  [[nodiscard]] const std::vector<RecordedAct>& acts() const noexcept { return acts_; }
  /// Time of the start, and the joints at that time.
  [[nodiscard]] TimeNs began_ns() const noexcept { return began_ns_; }
  [[nodiscard]] const PerJoint<JointSnapshot>& began() const noexcept { return began_; }
  [[nodiscard]] const PerArm<ArmSnapshot>& began_arms() const noexcept { return began_arms_; }

 private:
  struct Acting {
    std::string step;
    std::string name;  ///< of the step that began it
  };
  void name_and_record(Acting& acting, TimeNs now_ns);
  void happened(RecordedAct act);

  bool recording_ = false;
  TimeNs began_ns_ = 0;
  PerJoint<JointSnapshot> began_;
  PerArm<ArmSnapshot> began_arms_;
  std::vector<Command> waiting_;
  std::vector<RecordedCommand> commands_;
  std::vector<RecordedAct> acts_;
  std::map<int, Acting> acting_;
  std::size_t begun_ = 0;  ///< in this record
};

}  // namespace jointrig::gui
