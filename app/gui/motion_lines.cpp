#include "app/gui/motion_lines.h"

#include "app/gui/motion_request.h"
#include "control/model/mjcf.h"
#include "control/planning/arm_tasks.h"
#include "control/planning/arm_trajectory.h"
#include "control/planning/frame_kinematics.h"
#include "control/planning/joint_trajectory.h"

namespace jointrig::app {
namespace {

constexpr std::size_t kMostChains = 4;  // without arms: a choice, as of hands with many fingers

/// By node: true if a joint of the set moves it.
std::vector<bool> moved_nodes(const KinematicTree& tree, const JointSet& joints) {
  const std::size_t count = tree.joint_count();
  std::vector<bool> by_value(count + tree.followers().size(), false);
  for (std::size_t i = 0; i < count; ++i) by_value[i] = joints.test(i);
  for (std::size_t i = 0; i < tree.followers().size(); ++i) {
    const int leader = tree.followers()[i].leader;
    by_value[count + i] = leader >= 0 && by_value[static_cast<std::size_t>(leader)];
  }
  std::vector<bool> moved;
  for (const TreeNode& node : tree.nodes()) {
    const bool itself = node.value >= 0 && by_value[static_cast<std::size_t>(node.value)];
    moved.push_back(itself || (node.parent >= 0 && moved[static_cast<std::size_t>(node.parent)]));
  }
  return moved;
}

struct Tip {
  std::string name;
  FramePair frames;  ///< in the world
  Placement offset;
};

std::vector<Tip> tools(const KinematicTree& tree, const RobotConfig& config, const Snapshot& now,
                       const std::vector<bool>& moved) {
  std::vector<Tip> tips;
  for (std::size_t arm = 0; arm < config.arms.size(); ++arm) {
    const FramePair frames = tool_task(tree, config.arms[arm], ToolFrame::kWorld).frames;
    const int node = frames.frame.node;
    if (node < 0 || !moved[static_cast<std::size_t>(node)]) continue;
    tips.push_back({config.arms[arm].name, frames, placement_of(now.arms[arm].offset)});
  }
  return tips;
}

/// Nodes that are moved, and carry none.
std::vector<Tip> chain_ends(const KinematicTree& tree, const RobotConfig& config,
                            const std::vector<bool>& moved) {
  std::vector<bool> carries(tree.nodes().size(), false);
  for (const TreeNode& node : tree.nodes()) {
    if (node.parent >= 0) carries[static_cast<std::size_t>(node.parent)] = true;
  }
  std::vector<Tip> tips;
  for (std::size_t i = 0; i < tree.nodes().size() && tips.size() < kMostChains; ++i) {
    const int value = tree.nodes()[i].value;
    const bool is_joint = value >= 0 && value < static_cast<int>(tree.joint_count());
    if (carries[i] || !moved[i] || !is_joint) continue;
    const FramePair frames{{static_cast<int>(i), {}}, {}};
    tips.push_back({config.joints[static_cast<std::size_t>(value)].name, frames, {}});
  }
  return tips;
}

std::vector<Tip> tips_of(const KinematicTree& tree, const RobotConfig& config, const Snapshot& now,
                         const JointSet& joints) {
  const std::vector<bool> moved = moved_nodes(tree, joints);
  std::vector<Tip> tips = tools(tree, config, now, moved);
  return tips.empty() ? chain_ends(tree, config, moved) : tips;
}

std::array<double, 3> as_array(const Eigen::Vector3d& at) { return {at.x(), at.y(), at.z()}; }

/// The whole robot with some of its joints moved.
class PosedRobot {
 public:
  PosedRobot(const KinematicTree& tree, const Snapshot& now, const std::vector<JointIndex>& moved,
             const std::vector<Tip>& tips)
      : kinematics_(tree, frames_of(tips), {}) {
    for (const auto& joint : state_for_plan(now, moved).joints) q.push_back(joint.q);
    if (tree.floats()) {
      kinematics_.set_base(placement_of(ToolPose{now.base.position, now.base.orientation}));
    }
    for (std::size_t i = 0; i < tips.size(); ++i) kinematics_.set_offset(i, tips[i].offset);
  }

  void update() { kinematics_.update(q); }
  [[nodiscard]] const Placement& tip(std::size_t i) const { return kinematics_.pose(i); }

  std::vector<double> q;  ///< all joints

 private:
  static std::vector<FramePair> frames_of(const std::vector<Tip>& tips) {
    std::vector<FramePair> frames;
    for (const Tip& tip : tips) frames.push_back(tip.frames);
    return frames;
  }

  FrameKinematics kinematics_;
};

/// Where the tool is in the frame of its poses, and that frame in the world; throws ModelError for
/// an endpoint that isn't there.
std::vector<Tip> tool_and_frame(const KinematicTree& tree, const ArmConfig& arm,
                                const AskedToolPath& path, const ToolPose& offset) {
  FramePair frames = tool_task(tree, arm, path.frame).frames;
  if (!path.endpoint.empty()) frames.frame = tree.find_frame(path.endpoint);
  const Placement on_flange = path.endpoint.empty() ? placement_of(offset) : Placement{};
  return {{arm.name, frames, on_flange}, {arm.name, {frames.reference, {}}, {}}};
}

std::vector<gui::MotionLine> marks_of_tool(const gui::MotionList& list, const RobotConfig& config,
                                           const KinematicTree& tree, const Snapshot& now) {
  const AskedTrajectory asked = asked_of(list, config, false);
  const std::vector<JointIndex> joints = TrajectoryJoints::of(config, asked.joints).index;
  const ArmConfig& arm = config.arms[list.arm];
  PosedRobot robot(tree, now, joints,
                   tool_and_frame(tree, arm, *asked.tool, now.arms[list.arm].offset));
  robot.update();
  gui::MotionLine line{arm.name, {}, {}, {}};
  const Placement frame = robot.tip(1);
  Placement pose = robot.tip(0);
  for (const ArmWaypoint& to : asked.tool->waypoints) {
    pose = pose_after(pose, to, asked.tool->frame);
    const Eigen::Vector3d at = frame.rotation * pose.position + frame.position;
    if (!at.allFinite()) break;  // the planner refuses it by name
    line.waypoints.push_back(as_array(at));
  }
  return {line};
}

}  // namespace

std::vector<gui::MotionLine> motion_lines(const PlanReport& report, const RobotConfig& config,
                                          const KinematicTree& tree, const Snapshot& now) {
  JointSet joints;
  for (const JointIndex joint : report.joints) joints.set(joint);
  const std::vector<Tip> tips = tips_of(tree, config, now, joints);
  std::vector<gui::MotionLine> lines;
  for (const Tip& tip : tips) lines.push_back({tip.name, report.times, {}, {}});
  PosedRobot robot(tree, now, TrajectoryJoints::of(config, joints).index, tips);
  const auto pose_at = [&](const std::vector<double>& q) {
    for (std::size_t j = 0; j < q.size(); ++j) robot.q[report.joints[j]] = q[j];
    robot.update();
  };
  for (const std::vector<double>& q : report.q) {
    pose_at(q);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      lines[i].points.push_back(as_array(robot.tip(i).position));
    }
  }
  for (const std::vector<double>& q : report.waypoint_q) {
    pose_at(q);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      lines[i].waypoints.push_back(as_array(robot.tip(i).position));
    }
  }
  return lines;
}

std::vector<gui::MotionLine> motion_marks(const gui::MotionList& list, const RobotConfig& config,
                                          const KinematicTree& tree, const Snapshot& now) {
  if (list.is_of_tool()) {
    try {
      return marks_of_tool(list, config, tree, now);
    } catch (const ModelError&) {  // the planner refuses the endpoint by name
      return {};
    }
  }
  const JointSet joints = gui::joints_of(list, config);
  const std::vector<Tip> tips = tips_of(tree, config, now, joints);
  std::vector<gui::MotionLine> lines;
  for (const Tip& tip : tips) lines.push_back({tip.name, {}, {}, {}});
  PosedRobot robot(tree, now, TrajectoryJoints::of(config, joints).index, tips);
  for (const gui::MotionWaypoint& waypoint : list.waypoints) {
    for (std::size_t i = 0; i < waypoint.q.size(); ++i)
      robot.q[i] = waypoint.q[i].value_or(robot.q[i]);
    robot.update();
    for (std::size_t i = 0; i < lines.size(); ++i) {
      lines[i].waypoints.push_back(as_array(robot.tip(i).position));
    }
  }
  return lines;
}

std::vector<gui::MotionLine> lines_of(const PlanReport& report, const gui::MotionList& list,
                                      const RobotConfig& config, const KinematicTree& tree,
                                      const Snapshot& now) {
  return report.q.empty() ? motion_marks(list, config, tree, now)
                          : motion_lines(report, config, tree, now);
}

}  // namespace jointrig::app
