#pragma once

#include <optional>
#include <vector>

#include "control/core/arm_commands.h"
#include "control/core/command.h"
#include "control/core/snapshot.h"

namespace jointrig {

/// Twists and wrenches that arms follow, as commands: at most one for an arm. A twist is that of
/// drive_tool, which the loop follows; one without an end is sent again and again, so that an arm
/// whose program dies comes to rest.
class ArmDrives {
 public:
  /// A twist in place of the one before. It is sent once the arm's joints are in mode position.
  /// @param joints  of the arm
  void drive(const DriveTool& command, const std::vector<JointIndex>& joints,
             std::optional<TimeNs> until);
  /// True if the arm follows a twist, or is about to.
  [[nodiscard]] bool drives(ArmIndex arm) const;
  /// A wrench that interaction control holds until then.
  void push(ArmIndex arm, const std::vector<JointIndex>& joints, std::optional<TimeNs> until);

  /// Forgets what moves any of these joints.
  /// @return  commands that end it
  std::vector<Request> clear(const JointSet& joints);
  /// The commands of the cycle at `time`, that after `now`.
  std::vector<Request> commands_at(TimeNs time, const Snapshot& now);

  [[nodiscard]] bool is_busy(const JointSet& joints) const;
  /// The first arm's joint that goes on without an end.
  [[nodiscard]] std::optional<JointIndex> endless(const Snapshot& now) const;

 private:
  struct Driven {
    ArmIndex arm = kNoArm;
    std::optional<DriveTool> twist;  ///< none: a wrench
    std::vector<JointIndex> joints;
    JointSet set;
    std::optional<TimeNs> until;
    std::optional<TimeNs> again;  ///< when the twist is sent next; none: it is not sent yet
    bool is_ending = false;
  };
  static Request end_of_force(ArmIndex arm);
  static void send_twist(Driven& driven, TimeNs time, const Snapshot& now,
                         std::vector<Request>& commands);

  std::vector<Driven> driven_;
};

}  // namespace jointrig
