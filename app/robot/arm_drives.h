#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "control/core/arm_commands.h"
#include "control/core/command.h"
#include "control/core/snapshot.h"
#include "control/planning/cartesian_drive.h"

namespace jointrig {

/// Twists and wrenches that arms follow, as commands of each cycle: at most one for an arm.
class ArmDrives {
 public:
  /// Frame that a drive keeps its pose in, and the rotation that it leaves free.
  struct Kind {
    ToolFrame reference = ToolFrame::kBase;
    FreeRotation free = FreeRotation::kNone;
    bool operator==(const Kind&) const = default;
  };

  /// A twist that a drive follows. Its joints stream positions from where it was started.
  void follow(ArmIndex arm, const Kind& kind, std::unique_ptr<CartesianDrive> drive,
              const std::vector<JointIndex>& joints, std::optional<TimeNs> until);
  /// Changes the twist of the arm's drive.
  /// @param frame  tool: along the tool's own axes; else along those of the kind's reference
  /// @return false where it has none of that kind: follow() begins one
  bool set_twist(ArmIndex arm, const Kind& kind, const Six& twist, ToolFrame frame,
                 std::optional<TimeNs> until);
  /// A wrench that interaction control holds until then.
  void push(ArmIndex arm, const std::vector<JointIndex>& joints, std::optional<TimeNs> until);

  /// Forgets what moves any of these joints.
  /// @return  commands that end it
  std::vector<Request> clear(const JointSet& joints);
  /// The commands of the cycle at `time`, `dt` after that of `now`.
  std::vector<Request> commands_at(TimeNs time, const Snapshot& now, double dt);

  [[nodiscard]] bool is_busy(const JointSet& joints) const;
  /// The first arm's joint that goes on without an end.
  [[nodiscard]] std::optional<JointIndex> endless() const;
  /// Share of the twist that an arm had in the last cycle.
  [[nodiscard]] double progress(ArmIndex arm) const;

 private:
  struct Driven {
    ArmIndex arm = kNoArm;
    Kind kind;
    std::unique_ptr<CartesianDrive> drive;  ///< null: a wrench
    std::vector<JointIndex> joints;
    JointSet set;
    Six twist{};
    ToolFrame frame = ToolFrame::kBase;
    std::optional<TimeNs> until;
    double share = 1.0;
    bool is_ending = false;
  };
  static Request sample(const Driven& driven);
  static Request end_of_force(ArmIndex arm);
  [[nodiscard]] const Driven* find(ArmIndex arm) const;

  std::vector<Driven> driven_;
};

}  // namespace jointrig
