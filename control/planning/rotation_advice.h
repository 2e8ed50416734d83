#pragma once
/// Advice on a pose that an arm can't reach, for its orientation alone: which rotation would have
/// to be free (core/free_rotation.h), and by how much the tool would turn then.
///
/// Each freedom beyond the one in force is tried by inverse kinematics, one axis before all of
/// them. The axis that turns the tool least is taken.
///
/// Allocates and takes its time: for a refusal. One thread at a time.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "control/planning/inverse_kinematics.h"

namespace jointrig {

class RotationAdvice {
 public:
  /// @param free  in force
  RotationAdvice(const KinematicTree& tree, const FramePair& frames, std::vector<JointIndex> joints,
                 std::vector<JointRange> ranges, FreeRotation free)
      : tree_(tree),
        frames_(frames),
        joints_(std::move(joints)),
        ranges_(std::move(ranges)),
        free_(free) {}

  void set_base(const Placement& base) { base_ = base; }
  void set_offset(const Placement& offset) { offset_ = offset; }

  /// A sentence; empty where no rotation helps.
  /// @param goals  each has to be reached; the turn is told for the first
  /// @param q  all joints of the robot, from where they are looked for
  [[nodiscard]] std::string on(std::span<const Placement> goals, std::span<const double> q) const;

  /// Likewise on a singular pose: the rotation without which its singular value is the largest;
  /// empty where none takes it beyond the limit.
  /// @param q  all joints of the robot, in that pose
  [[nodiscard]] std::string on_singular(std::span<const double> q, double limit) const;

 private:
  /// Angle by which the tool turns at the first goal; absent where one isn't reached.
  [[nodiscard]] std::optional<double> turn_with(FreeRotation free, std::span<const Placement> goals,
                                                std::span<const double> q) const;

  KinematicTree tree_;
  FramePair frames_;
  std::vector<JointIndex> joints_;
  std::vector<JointRange> ranges_;
  FreeRotation free_;
  std::optional<Placement> base_;
  std::optional<Placement> offset_;
};

}  // namespace jointrig
