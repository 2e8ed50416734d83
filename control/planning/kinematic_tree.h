#pragma once
/// The joints of a robot as a tree of plain numbers, made from its model once.
///
/// A node is a moving joint: a frame N whose z axis is the joint's axis, with its origin on it.
///
///     X_WN = X_WP X_PN Rz(s)   for a hinge, P the node before
///     X_WN = X_WP X_PN Tz(s)   for a slide
///     s = x - x_ref            travel from the pose in which the model is written [rad or m]
///
/// x is the position of a joint of the robot, or of one that follows such a joint
/// (model/coupling.h). A body that neither moves stands as the robot starts: it is part of the
/// fixed poses X_PN.
///
/// Constant after construction, so any number of threads may read it.

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "control/core/robot_config.h"
#include "control/laws/arm_math.h"

namespace jointrig {

class RobotModel;

/// A frame T that is fixed to a node, or to the world.
struct TreeFrame {
  int node = -1;      ///< -1: the world
  Placement in_node;  ///< X_NT
};

struct TreeNode {
  int parent = -1;  ///< node before it, lower than its own; -1: the world
  int value = -1;   ///< place of x among the tree's values; -1: the floating base
  bool is_slide = false;
  double reference = 0.0;  ///< x_ref [rad or m]
  Placement from_parent;   ///< X_PN at s = 0
};

/// A value that follows another one before it: x = r + sum_k c_k (x_l - r_l)^k.
struct TreeFollower {
  int leader = -1;  ///< place of x_l
  std::array<double, 5> c{};
  double reference = 0.0;         ///< r
  double leader_reference = 0.0;  ///< r_l

  [[nodiscard]] double position(double x) const noexcept;
  [[nodiscard]] double slope(double x) const noexcept;  ///< dx / dx_l
};

class KinematicTree {
 public:
  /// Loads the configuration's model. Throws ModelError as RobotModel does.
  explicit KinematicTree(const RobotConfig& robot);
  /// The same, of a model of the same robot that is loaded already, and whose base is where it
  /// starts.
  KinematicTree(const RobotConfig& robot, const RobotModel& loaded);

  /// Throws ModelError with the nearest known name.
  [[nodiscard]] TreeFrame find_frame(std::string_view site_or_body) const;
  /// The body that the joint's own body is mounted on.
  [[nodiscard]] const TreeFrame& mount_of(JointIndex joint) const noexcept {
    return mounts_[joint];
  }

  /// Parents before their children. With a floating base node 0 is the base.
  [[nodiscard]] const std::vector<TreeNode>& nodes() const noexcept { return nodes_; }
  /// Values: the positions of the robot's joints in order, then those of the followers in order.
  [[nodiscard]] const std::vector<TreeFollower>& followers() const noexcept { return followers_; }
  [[nodiscard]] std::size_t joint_count() const noexcept { return joint_count_; }
  [[nodiscard]] bool floats() const noexcept { return floats_; }
  /// Where the base starts; the identity where none floats.
  [[nodiscard]] const Placement& base_start() const noexcept { return base_start_; }

 private:
  friend class TreeBuilder;

  std::vector<TreeNode> nodes_;
  std::vector<TreeFollower> followers_;
  std::vector<TreeFrame> mounts_;   ///< by joint of the robot
  std::vector<std::string> names_;  ///< of the frames: sites, then bodies
  std::vector<TreeFrame> frames_;
  std::size_t joint_count_ = 0;
  bool floats_ = false;
  Placement base_start_;
};

}  // namespace jointrig
