#include "control/planning/kinematic_tree.h"

#include <algorithm>

#include "control/core/nearest_word.h"
#include "control/model/coupling.h"
#include "control/model/robot_mjcf.h"
#include "control/model/robot_model.h"
#include "control/model/start_pose.h"
#include "control/planning/placement.h"

namespace jointrig {
namespace {

Placement placement_of(const mjtNum* position, const mjtNum* quaternion) {
  Placement placement;
  placement.position = Eigen::Map<const Eigen::Vector3d>(position);
  const Eigen::Quaterniond q(quaternion[0], quaternion[1], quaternion[2], quaternion[3]);
  placement.rotation = q.normalized().toRotationMatrix();
  return placement;
}

/// A frame at `anchor` whose z axis is `axis`, in the frame of both.
Placement along(const Eigen::Vector3d& anchor, const Eigen::Vector3d& axis) {
  Placement placement;
  placement.position = anchor;
  placement.rotation =
      Eigen::Quaterniond::FromTwoVectors(Eigen::Vector3d::UnitZ(), axis).toRotationMatrix();
  return placement;
}

}  // namespace

double TreeFollower::position(double x) const noexcept {
  const double s = x - leader_reference;
  return reference + c[0] + s * (c[1] + s * (c[2] + s * (c[3] + s * c[4])));
}

double TreeFollower::slope(double x) const noexcept {
  const double s = x - leader_reference;
  return c[1] + s * (2.0 * c[2] + s * (3.0 * c[3] + s * 4.0 * c[4]));
}

/// Goes through the bodies of a compiled model, parents first.
class TreeBuilder {
 public:
  TreeBuilder(const RobotConfig& robot, const mjModel& model, const mjData& data,
              KinematicTree& tree)
      : model_(&model), data_(&data), tree_(tree) {
    value_of_.assign(static_cast<std::size_t>(model_->njnt), -1);
    take_joints(robot);
  }

  /// Once, with the couplings of its joints.
  void build(const std::vector<Coupling>& couplings) {
    take_followers(couplings);
    for (int body = 0; body < model_->nbody; ++body) place(body);
    for (const int joint : joints_) {
      tree_.mounts_.push_back(
          bodies_[static_cast<std::size_t>(model_->body_parentid[model_->jnt_bodyid[joint]])]);
    }
    name_frames();
  }

  /// By joint of the model: true for those of the robot.
  [[nodiscard]] std::vector<bool> known() const {
    std::vector<bool> known;
    for (const int value : value_of_) known.push_back(value >= 0);
    return known;
  }

 private:
  void take_joints(const RobotConfig& robot) {
    for (const JointConfig& config : robot.joints) {
      const int joint = mj_name2id(model_, mjOBJ_JOINT, config.name.c_str());
      if (model_->jnt_type[joint] != mjJNT_HINGE && model_->jnt_type[joint] != mjJNT_SLIDE) {
        throw ModelError(robot.model_path + ": joint \"" + config.name +
                         "\" is neither hinge nor slide");
      }
      value_of_[static_cast<std::size_t>(joint)] = static_cast<int>(joints_.size());
      joints_.push_back(joint);
      const int root = model_->body_rootid[model_->jnt_bodyid[joint]];
      const int first = model_->body_jntadr[root];
      if (first >= 0 && model_->jnt_type[first] == mjJNT_FREE) base_ = root;
    }
    tree_.joint_count_ = joints_.size();
  }

  void take_followers(const std::vector<Coupling>& couplings) {
    for (const Coupling& coupling : couplings) {
      if (coupling.leader < 0) continue;  // it keeps its position
      const int leader = value_of_[static_cast<std::size_t>(coupling.leader)];
      if (leader < 0) continue;  // its leader does
      value_of_[static_cast<std::size_t>(coupling.follower)] =
          static_cast<int>(joints_.size() + tree_.followers_.size());
      tree_.followers_.push_back({leader, coupling.c, coupling.follower_ref, coupling.leader_ref});
    }
  }

  void place(int body) {
    if (body == 0) {
      bodies_.emplace_back();
      return;
    }
    TreeFrame frame = bodies_[static_cast<std::size_t>(model_->body_parentid[body])];
    const int mocap = model_->body_mocapid[body];
    frame.in_node = product(
        frame.in_node,
        mocap < 0 ? placement_of(model_->body_pos + 3 * body, model_->body_quat + 4 * body)
                  : placement_of(data_->mocap_pos + 3 * mocap, data_->mocap_quat + 4 * mocap));
    const int first = model_->body_jntadr[body];
    for (int i = 0; i < model_->body_jntnum[body]; ++i) pass_joint(first + i, body, frame);
    bodies_.push_back(frame);
  }

  /// Takes the body's frame from before the joint to behind it.
  void pass_joint(int joint, int body, TreeFrame& frame) {
    const mjtNum* q = data_->qpos + model_->jnt_qposadr[joint];
    const Eigen::Map<const Eigen::Vector3d> anchor(model_->jnt_pos + 3 * joint);
    const Eigen::Map<const Eigen::Vector3d> axis(model_->jnt_axis + 3 * joint);
    const double reference = model_->qpos0[model_->jnt_qposadr[joint]];
    switch (model_->jnt_type[joint]) {
      case mjJNT_FREE:
        frame = body == base_ ? base_node(placement_of(q, q + 3))
                              : TreeFrame{-1, placement_of(q, q + 3)};
        return;
      case mjJNT_BALL: {
        const mjtNum zero[3] = {0.0, 0.0, 0.0};  // NOLINT: as MuJoCo has vectors
        const Placement turn = placement_of(zero, q);
        const Placement to{anchor, Eigen::Matrix3d::Identity()};
        frame.in_node = product(frame.in_node, product(product(to, turn), inverse(to)));
        return;
      }
      default:
        break;
    }
    const Placement joint_frame = along(anchor, axis);
    const bool is_slide = model_->jnt_type[joint] == mjJNT_SLIDE;
    const int value = value_of_[static_cast<std::size_t>(joint)];
    if (value >= 0) {
      tree_.nodes_.push_back(
          {frame.node, value, is_slide, reference, product(frame.in_node, joint_frame)});
      frame = {static_cast<int>(tree_.nodes_.size()) - 1, inverse(joint_frame)};
      return;
    }
    Placement travelled;
    if (is_slide) {
      travelled.position.z() = *q - reference;
    } else {
      travelled.rotation =
          Eigen::AngleAxisd(*q - reference, Eigen::Vector3d::UnitZ()).toRotationMatrix();
    }
    frame.in_node =
        product(frame.in_node, product(product(joint_frame, travelled), inverse(joint_frame)));
  }

  TreeFrame base_node(const Placement& start) {
    tree_.floats_ = true;
    tree_.base_start_ = start;
    // Its own node comes first, so that all that it carries is behind it.
    tree_.nodes_.insert(tree_.nodes_.begin(), TreeNode{});
    for (std::size_t i = 1; i < tree_.nodes_.size(); ++i) {
      if (tree_.nodes_[i].parent >= 0) ++tree_.nodes_[i].parent;
    }
    for (TreeFrame& body : bodies_) {
      if (body.node >= 0) ++body.node;
    }
    return {0, {}};
  }

  void name_frames() {
    for (int site = 0; site < model_->nsite; ++site) {
      TreeFrame frame = bodies_[static_cast<std::size_t>(model_->site_bodyid[site])];
      frame.in_node = product(
          frame.in_node, placement_of(model_->site_pos + 3 * site, model_->site_quat + 4 * site));
      tree_.names_.push_back(name_of(*model_, mjOBJ_SITE, site));
      tree_.frames_.push_back(frame);
    }
    for (int body = 0; body < model_->nbody; ++body) {
      tree_.names_.push_back(name_of(*model_, mjOBJ_BODY, body));
      tree_.frames_.push_back(bodies_[static_cast<std::size_t>(body)]);
    }
  }

  const mjModel* model_;
  const mjData* data_;
  KinematicTree& tree_;
  std::vector<int> joints_;        // ids of the robot's joints
  std::vector<int> value_of_;      // by joint id; -1: it stands
  std::vector<TreeFrame> bodies_;  // by body
  int base_ = -1;                  // the floating base's body
};

KinematicTree::KinematicTree(const RobotConfig& robot) {
  Mjcf mjcf = robot_mjcf(robot);
  const ModelPtr model = mjcf.pinned.empty() ? std::move(mjcf.as_written) : compile(mjcf);
  const DataPtr data = make_data(*model, robot.model_path);
  apply_start(robot, mjcf.start, *model, *data);
  TreeBuilder builder(robot, *model, *data, *this);
  builder.build(couplings_of(*model, builder.known()));
}

KinematicTree::KinematicTree(const RobotConfig& robot, const RobotModel& loaded) {
  TreeBuilder(robot, loaded.compiled(), loaded.data(), *this).build(loaded.couplings());
}

TreeFrame KinematicTree::find_frame(std::string_view site_or_body) const {
  const auto found = std::find(names_.begin(), names_.end(), site_or_body);
  if (found != names_.end() && !site_or_body.empty()) {
    return frames_[static_cast<std::size_t>(found - names_.begin())];
  }
  const std::string name(site_or_body);
  throw ModelError("there is no site or body \"" + name + "\"" + did_you_mean(name, names_));
}

}  // namespace jointrig
