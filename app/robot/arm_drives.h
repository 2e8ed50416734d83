#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "control/core/arm_commands.h"
#include "control/core/command.h"
#include "control/core/snapshot.h"
#include "control/planning/drives_together.h"

namespace jointrig {

/// Twists and wrenches that arms follow, as commands: at most one for an arm. A twist is that of
/// drive_tool. The loop follows it; one without an end is sent again and again, so that an arm
/// whose program dies comes to rest. Or it is followed here, by the same CartesianDrive, as samples
/// of each cycle: for what acts on samples and the loop doesn't know.
class ArmDrives {
 public:
  /// A twist of an arm, and its end; none: until the next command, or of no twist at rest.
  struct Asked {
    DriveTool command;
    std::optional<TimeNs> until{};
  };
  /// Things that a drive needs here.
  struct Place {
    std::shared_ptr<const RobotConfig> limits{};         ///< the robot, with limits that hold
    Eigen::Matrix3d base = Eigen::Matrix3d::Identity();  ///< orientation of the arm's, in the world
  };

  /// A twist for the loop, in place of the one before. It is sent once the arm's joints are in mode
  /// position.
  /// @param joints  of the arm
  void drive(const Asked& asked, const std::vector<JointIndex>& joints);
  /// A twist that is followed here. Its joints stream positions from where the drive was started.
  void follow(const Asked& asked, const Place& place, std::unique_ptr<CartesianDrive> drive,
              const std::vector<JointIndex>& joints);
  /// Changes a twist that is followed here.
  /// @return false where there is none: follow() begins one
  bool change(const Asked& asked, const Place& place);
  /// A wrench that interaction control holds until then.
  void push(ArmIndex arm, const std::vector<JointIndex>& joints, std::optional<TimeNs> until);

  /// Twists that the loop follows, or is about to.
  [[nodiscard]] std::vector<Asked> in_loop(const Snapshot& now) const;
  [[nodiscard]] bool is_in_loop(ArmIndex arm) const;
  /// True if tools go together by twists that are followed here.
  [[nodiscard]] bool any_together_here() const;

  /// Forgets what moves any of these joints.
  /// @return  commands that end it
  std::vector<Request> clear(const JointSet& joints);
  /// The commands of the cycle at `time`, `dt` after that of `now`.
  std::vector<Request> commands_at(TimeNs time, const Snapshot& now, double dt);

  /// True if nothing moves an arm here: a cycle has no commands.
  [[nodiscard]] bool is_empty() const noexcept { return driven_.empty(); }
  [[nodiscard]] bool is_busy(const JointSet& joints) const;
  /// The first arm's joint that goes on without an end.
  [[nodiscard]] std::optional<JointIndex> endless() const;
  /// Share of the twist that an arm had in the last cycle.
  [[nodiscard]] double progress(ArmIndex arm, const Snapshot& now) const;

 private:
  struct Driven {
    ArmIndex arm = kNoArm;
    std::optional<DriveTool> twist{};         ///< none: a wrench
    std::unique_ptr<CartesianDrive> drive{};  ///< null: the loop's
    Place place{};
    double share = 1.0;  ///< of a drive here
    std::vector<JointIndex> joints{};
    JointSet set{};
    std::optional<TimeNs> until{};
    std::optional<TimeNs> again{};  ///< when the loop's twist is sent next; none: it isn't sent yet
    bool is_ending = false;

    [[nodiscard]] bool is_over(TimeNs time) const;
    [[nodiscard]] Request sample() const;
  };
  static Request end_of_force(ArmIndex arm);
  static void send_twist(Driven& driven, TimeNs time, const Snapshot& now,
                         std::vector<Request>& commands);
  void advance(TimeNs time, const Snapshot& now, double dt);
  Driven& driven_by_loop(ArmIndex arm);

  std::vector<Driven> driven_;
};

}  // namespace jointrig
