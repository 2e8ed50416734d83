#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "control/core/snapshot.h"
#include "control/core/tool_drive.h"
#include "control/planning/drives_together.h"
#include "control/stack/arms.h"
#include "control/stack/event_reporter.h"
#include "control/stack/joints.h"
#include "control/stack/placed_model.h"

namespace jointrig {

/// Drives tools along velocities (planning/cartesian_drive.h), one for each arm: gives the arm's
/// joints their reference, cycle by cycle.
///
///     free     nothing
///     begins   accepted in this cycle: the joints' references are where it starts
///     drives   the velocity, at the speed override, until its time to live is over
///     brakes   along the same screw to rest: its time is over, or the command stop came
///     ends     its joints stand
///
///     from             drive_tool   its time is over, stop   at rest   a joint is led elsewhere
///     free             begins       –                        –         –
///     begins, drives   drives       brakes                   –         free ¹
///     brakes           drives       –                        ends      free ¹
///     ends             drives       –                        –         free ¹
///
///     ¹ the other joints brake, each by itself
///
/// Tools that drive together all go by the same share of their velocities: where one is held back,
/// all are. The free rotation may change with each command, on the way, too. An arm whose joints
/// can't hold the three rotations of its tool leads its place alone, unless a rotation is left free
/// beside which it can hold the other two.
///
/// Functions are for the cycle unless they say otherwise.
class ToolDrives {
 public:
  enum class Phase : std::uint8_t { kFree, kBegins, kDrives, kBrakes, kEnds };

  /// How an arm is driven; plain data.
  struct Course {
    DriveTool asked;
    double left = 0.0;   ///< of its time to live [s]
    double clear = 0.0;  ///< time for which nothing has held it back [s]
    std::uint64_t number = 0;
    std::uint16_t sender = 0;
    Phase phase = Phase::kFree;
    DriveChange held_by = DriveChange::kFree;  ///< as told
  };

  /// State that is saved and restored by assignment.
  struct State {
    std::vector<Course> courses;  ///< by arm
    std::vector<CartesianDrive::State> drives;
  };

  /// Not for the cycle. Throws ModelError.
  ToolDrives(const RobotConfig& config, const PlacedModel& model);

  [[nodiscard]] Refusal examine(const DriveTool& command, ConstJoints joints) const noexcept;
  /// Part of it that asks nothing of the joints' state: rotations that they can't hold, and turns
  /// where none is held. Value: the free rotation that is asked for; limit: a bit, 1 << word, for
  /// each that they can hold beside `all`. In any thread.
  [[nodiscard]] Refusal why_not_held(const DriveTool& command) const noexcept;
  /// @param number  of the command
  void take(const DriveTool& command, std::uint16_t sender, std::uint64_t number,
            Joints joints) noexcept;

  /// The drives of these joints brake along their screws.
  void stop(const JointSet& joints, EventReporter& events) noexcept;
  /// A plan takes these joints over.
  void leave(const JointSet& joints, Joints all, EventReporter& events) noexcept;

  /// One cycle of all drives: before the joints' own.
  /// @param stopped  by collision avoidance, in this cycle
  void advance(const PlacedModel& model, const Arms& arms, Joints joints, const JointSet& stopped,
               double speed_override, double dt, EventReporter& events) noexcept;
  void publish(std::span<ArmSnapshot> arms) const noexcept;

  [[nodiscard]] bool is_on(ArmIndex arm) const noexcept {
    return arms_[arm].course.phase != Phase::kFree;
  }

  /// A copy. Allocates: not for the cycle.
  [[nodiscard]] State state() const;
  void restore(const State& state);

 private:
  struct One {
    CartesianDrive drive;
    std::vector<JointIndex> joints;
    JointSet set;
    Course course;
  };

  void begin(One& one, const ArmControl& arm, Joints joints) noexcept;
  void look_at_joints(std::size_t arm, Joints joints, const JointSet& stopped,
                      EventReporter& events) noexcept;
  void age(std::size_t arm, double dt, EventReporter& events) noexcept;
  void go(std::size_t arm, Joints joints, double dt, EventReporter& events) noexcept;
  void tell_hindrance(std::size_t arm, double dt, EventReporter& events) noexcept;
  void tell(std::size_t arm, DriveChange change, const DriveHindrance& why,
            EventReporter& events) const noexcept;
  static void halt_others(One& one, const JointSet& but, Joints joints) noexcept;

  std::vector<One> arms_;
  std::vector<DriveTurn> turns_;  ///< by arm: of the last cycle
  std::vector<double> all_;       ///< joints of the robot: where they are commanded to be
  std::vector<double> speeds_;    ///< of the joints of an arm
};

}  // namespace jointrig
