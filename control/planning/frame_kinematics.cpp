#include "control/planning/frame_kinematics.h"

#include <algorithm>
#include <cmath>

#include "control/planning/placement.h"

namespace jointrig {
namespace {

/// The node and all before it, from the outermost in.
std::vector<int> way_to(const KinematicTree& tree, int node) {
  std::vector<int> way;
  for (; node >= 0; node = tree.nodes()[static_cast<std::size_t>(node)].parent) way.push_back(node);
  std::reverse(way.begin(), way.end());
  return way;
}

/// Length of what both begin with.
std::size_t common(const std::vector<int>& a, const std::vector<int>& b) {
  const auto [end, other] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  return static_cast<std::size_t>(end - a.begin());
}

/// The joint of the robot that leads a value in the end.
std::size_t leader_of(const KinematicTree& tree, int value) {
  auto place = static_cast<std::size_t>(value);
  while (place >= tree.joint_count()) {
    place = static_cast<std::size_t>(tree.followers()[place - tree.joint_count()].leader);
  }
  return place;
}

}  // namespace

FrameKinematics::FrameKinematics(const KinematicTree& tree, std::vector<FramePair> pairs,
                                 std::vector<JointIndex> joints)
    : followers_(tree.followers()),
      joints_(std::move(joints)),
      pairs_(std::move(pairs)),
      values_(tree.joint_count() + followers_.size()),
      slopes_(values_.size(), 1.0),
      poses_(pairs_.size()),
      tips_(pairs_.size()),
      to_reference_(pairs_.size()),
      jacobian_(pairs_.size() * joints_.size(), Vector6::Zero()),
      base_(tree.base_start()) {
  std::vector<std::vector<int>> ways;
  for (const FramePair& pair : pairs_) {
    flanges_.push_back(pair.frame.in_node);
    ways.push_back(way_to(tree, pair.frame.node));
    ways.push_back(way_to(tree, pair.reference.node));
  }
  std::size_t shared = ways.empty() ? 0 : ways.front().size();
  for (const std::vector<int>& way : ways) shared = std::min(shared, common(ways.front(), way));

  // A joint before the nodes that all share moves no frame relative to another.
  std::vector<int> needed;
  for (const std::vector<int>& way : ways) {
    const std::size_t from = std::min(way.size(), shared > 0 ? shared - 1 : 0);
    needed.insert(needed.end(), way.begin() + static_cast<std::ptrdiff_t>(from), way.end());
  }
  std::sort(needed.begin(), needed.end());
  needed.erase(std::unique(needed.begin(), needed.end()), needed.end());
  const auto place_of = [&](int node) {
    const auto found = std::lower_bound(needed.begin(), needed.end(), node);
    const bool is_there = found != needed.end() && *found == node;
    return is_there ? static_cast<int>(found - needed.begin()) : -1;
  };
  for (const int node : needed) {
    TreeNode copy = tree.nodes()[static_cast<std::size_t>(node)];
    copy.parent = place_of(copy.parent);
    nodes_.push_back({copy, {}});
  }
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    const std::size_t same = common(ways[2 * i], ways[2 * i + 1]);
    for (const bool of_reference : {false, true}) {
      const std::vector<int>& way = ways[2 * i + (of_reference ? 1 : 0)];
      for (std::size_t k = same; k < way.size(); ++k) {
        const int value = tree.nodes()[static_cast<std::size_t>(way[k])].value;
        if (value < 0) continue;
        const auto column = std::find(joints_.begin(), joints_.end(), leader_of(tree, value));
        if (column == joints_.end()) continue;
        links_.push_back({i, static_cast<std::size_t>(place_of(way[k])),
                          static_cast<std::size_t>(column - joints_.begin()),
                          of_reference ? -1.0 : 1.0});
      }
    }
    pairs_[i].frame.node = place_of(pairs_[i].frame.node);
    pairs_[i].reference.node = place_of(pairs_[i].reference.node);
  }
}

void FrameKinematics::set_offset(std::size_t pair, const Placement& offset) noexcept {
  pairs_[pair].frame.in_node = product(flanges_[pair], offset);
}

void FrameKinematics::place(Node& node) const noexcept {
  const TreeNode& fixed = node.node;
  const Placement& joint = fixed.value < 0 ? base_ : fixed.from_parent;
  node.now =
      fixed.parent < 0 ? joint : product(nodes_[static_cast<std::size_t>(fixed.parent)].now, joint);
  if (fixed.value < 0) return;
  const double travel = values_[static_cast<std::size_t>(fixed.value)] - fixed.reference;
  if (fixed.is_slide) {
    node.now.position += travel * node.now.rotation.col(2);
    return;
  }
  const double cosine = std::cos(travel);
  const double sine = std::sin(travel);
  const Eigen::Vector3d x = node.now.rotation.col(0);
  const Eigen::Vector3d y = node.now.rotation.col(1);
  node.now.rotation.col(0) = cosine * x + sine * y;
  node.now.rotation.col(1) = cosine * y - sine * x;
}

Placement FrameKinematics::of(const TreeFrame& frame) const noexcept {
  if (frame.node < 0) return frame.in_node;
  return product(nodes_[static_cast<std::size_t>(frame.node)].now, frame.in_node);
}

void FrameKinematics::update(std::span<const double> q) noexcept {
  const std::size_t count = values_.size() - followers_.size();
  std::copy_n(q.begin(), std::min(count, q.size()), values_.begin());
  for (std::size_t i = 0; i < followers_.size(); ++i) {
    const auto leader = static_cast<std::size_t>(followers_[i].leader);
    values_[count + i] = followers_[i].position(values_[leader]);
    slopes_[count + i] = slopes_[leader] * followers_[i].slope(values_[leader]);
  }
  for (Node& node : nodes_) place(node);
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    tips_[i] = of(pairs_[i].frame);
    const Placement reference = of(pairs_[i].reference);
    to_reference_[i] = reference.rotation.transpose();
    poses_[i].rotation.noalias() = to_reference_[i] * tips_[i].rotation;
    poses_[i].position.noalias() = to_reference_[i] * (tips_[i].position - reference.position);
  }
}

void FrameKinematics::update_jacobians() noexcept {
  std::fill(jacobian_.begin(), jacobian_.end(), Vector6::Zero());
  for (const Link& link : links_) {
    const Node& node = nodes_[link.node];
    const double scale = link.sign * slopes_[static_cast<std::size_t>(node.node.value)];
    const Eigen::Vector3d axis = to_reference_[link.pair] * (scale * node.now.rotation.col(2));
    Vector6& column = jacobian_[link.pair * joints_.size() + link.column];
    if (node.node.is_slide) {
      column.head<3>() += axis;
      continue;
    }
    const Eigen::Vector3d lever =
        to_reference_[link.pair] * (tips_[link.pair].position - node.now.position);
    column.head<3>() += axis.cross(lever);
    column.tail<3>() += axis;
  }
}

}  // namespace jointrig
