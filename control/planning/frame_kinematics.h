#pragma once
/// Poses and Jacobians of some frames of a robot, each relative to another one, in one pass.
///
///     X_RT(q)              pose of frame T in its reference R
///     V = J(q) dq/dt       twist of T relative to R, along R's axes: linear [m/s], then angular
///     J  (6, n)            columns of the chosen joints, followers included [m/rad or 1, 1 or
///     rad/m]
///
/// Only the joints between the frames are computed. After construction nothing allocates or throws.
/// One thread at a time.
///
/// Source: the geometric Jacobian, Siciliano et al. 2009, "Robotics", 3.1.

#include <span>
#include <vector>

#include "control/planning/kinematic_tree.h"

namespace jointrig {

struct FramePair {
  TreeFrame frame;      ///< T
  TreeFrame reference;  ///< R; by default the world
};

/// Positions that a joint may have [rad or m].
struct JointRange {
  double low = 0.0;
  double high = 0.0;
};

class FrameKinematics {
 public:
  /// @param joints  of the Jacobian's columns, in order
  FrameKinematics(const KinematicTree& tree, std::vector<FramePair> pairs,
                  std::vector<JointIndex> joints);

  /// Pose of the floating base in the world, for what follows.
  void set_base(const Placement& base) noexcept { base_ = base; }

  /// From now on T stands at X_FT in the frame F that was given for the pair.
  void set_offset(std::size_t pair, const Placement& offset) noexcept;

  /// Computes the poses.
  /// @param q  all joints of the robot, in order [rad or m]
  void update(std::span<const double> q) noexcept;

  /// Computes the Jacobians at the last update().
  void update_jacobians() noexcept;

  [[nodiscard]] const Placement& pose(std::size_t pair) const noexcept { return poses_[pair]; }
  /// Column of a joint in the Jacobian of a pair.
  [[nodiscard]] const Vector6& column(std::size_t pair, std::size_t joint) const noexcept {
    return jacobian_[pair * joints_.size() + joint];
  }
  [[nodiscard]] const std::vector<JointIndex>& joints() const noexcept { return joints_; }

 private:
  /// A node that is needed, with its place in the world or in the node that all frames share.
  struct Node {
    TreeNode node;  ///< its parent is a place here
    Placement now;
  };
  /// A node between T and R.
  struct Link {
    std::size_t pair = 0;
    std::size_t node = 0;
    std::size_t column = 0;
    double sign = 1.0;  ///< -1: it moves R
  };

  void place(Node& node) const noexcept;
  [[nodiscard]] Placement of(const TreeFrame& frame) const noexcept;

  std::vector<TreeFollower> followers_;
  std::vector<JointIndex> joints_;
  std::vector<Placement> flanges_;  ///< by pair: F in its node
  std::vector<FramePair> pairs_;    ///< with places in nodes_
  std::vector<Node> nodes_;
  std::vector<Link> links_;
  std::vector<double> values_;
  std::vector<double> slopes_;    ///< by value: dx per position of the joint that leads
  std::vector<Placement> poses_;  ///< by pair
  std::vector<Placement> tips_;   ///< by pair: T
  std::vector<Eigen::Matrix3d> to_reference_;  ///< by pair
  std::vector<Vector6> jacobian_;              ///< by pair, then column
  Placement base_;
};

}  // namespace jointrig
