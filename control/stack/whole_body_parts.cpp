// Working parts of the whole-body controller.

#include "control/stack/whole_body_parts.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <string>

#include "control/core/board_defaults.h"
#include "control/model/robot_mjcf.h"
#include "control/stack/whole_body_signals.h"
#include "control/wholebody/support_polygon.h"

namespace jointrig {
namespace {

constexpr double kLeastHeight = 0.05;  ///< of the centre of mass above the soles [m]: a choice

ContactSetup contact_of(const FootConfig& foot, const FloatingModel& model) {
  ContactSetup contact{foot.name, model.find_frame(foot.frame), {}};
  const Eigen::Vector3d centre(foot.centre[0], foot.centre[1], foot.centre[2]);
  for (const double x : {-0.5 * foot.size[0], 0.5 * foot.size[0]}) {
    for (const double y : {-0.5 * foot.size[1], 0.5 * foot.size[1]}) {
      contact.points.emplace_back(centre + Eigen::Vector3d(x, y, 0.0));
    }
  }
  return contact;
}

std::vector<ContactSetup> contacts_of(const WholeBodyConfig& body, const FloatingModel& model) {
  std::vector<ContactSetup> contacts;
  for (const FootConfig& foot : body.feet) contacts.push_back(contact_of(foot, model));
  return contacts;
}

/// Soles, then hands as far as there is room: a message places the point of a hand.
std::vector<ContactSetup> all_contacts_of(const WholeBodyConfig& body, const FloatingModel& model) {
  std::vector<ContactSetup> contacts = contacts_of(body, model);
  for (const HandConfig& hand : body.hands) {
    if (contacts.size() == kMaxContacts) break;
    contacts.push_back({hand.name, model.find_frame(hand.frame), {Eigen::Vector3d::Zero()}});
  }
  return contacts;
}

/// Number in the robot of each joint of the model.
std::vector<JointIndex> joints_of(const FloatingModel& model, const RobotConfig& config) {
  std::vector<JointIndex> joints;
  for (const FloatingModel::Joint& joint : model.joints()) {
    const auto at = std::find_if(config.joints.begin(), config.joints.end(),
                                 [&](const JointConfig& one) { return one.name == joint.name; });
    if (at == config.joints.end()) {
      throw ModelError("joint \"" + joint.name +
                       "\" has no motor that the robot controls; the controller takes all joints");
    }
    joints.push_back(static_cast<JointIndex>(at - config.joints.begin()));
  }
  return joints;
}

std::vector<BodyManagers::JointRoom> rooms_of(const std::vector<JointBounds>& bounds) {
  std::vector<BodyManagers::JointRoom> rooms;
  for (const JointBounds& one : bounds) rooms.push_back({one.low, one.high, one.velocity_max});
  return rooms;
}

/// References end at the soft limits.
std::vector<JointBounds> bounds_of(const std::vector<JointIndex>& joints,
                                   const RobotConfig& config) {
  std::vector<JointBounds> bounds;
  for (const JointIndex joint : joints) {
    const JointLimits& limits = config.joints[joint].limits;
    bounds.push_back({limits.q_min + limits.soft_margin, limits.q_max - limits.soft_margin,
                      limits.v_max, limits.tau_max});
  }
  return bounds;
}

/// The section with the joints of the grippers that are its hands' fingers.
WholeBodyConfig with_fingers(const RobotConfig& robot) {
  WholeBodyConfig body = *robot.whole_body;
  for (HandConfig& hand : body.hands) {
    if (hand.gripper.empty()) continue;
    const auto gripper =
        std::find_if(robot.grippers.begin(), robot.grippers.end(),
                     [&](const GripperConfig& one) { return one.name == hand.gripper; });
    if (gripper == robot.grippers.end()) {
      throw ModelError("hand \"" + hand.name + "\" has the fingers of gripper \"" + hand.gripper +
                       "\", and the robot has no gripper of that name");
    }
    hand.fingers.clear();
    for (const GripperJoint& joint : gripper->joints) {
      hand.fingers.push_back({robot.joints[joint.joint].name, joint.open, joint.closed});
    }
  }
  return body;
}

CoreSettings settings_of(const WholeBodyConfig& body) {
  return {.acceleration_weight = body.acceleration_weight,
          .force_weight = body.force_weight,
          .torque_weight = body.torque_weight,
          .change_weight = body.change_weight,
          .released_weight = body.released_weight,
          .acceleration_max = body.acceleration_max,
          .limit_horizon = body.limit_horizon,
          .iterations = body.iterations,
          .attempts = body.attempts};
}

}  // namespace

WholeBody::Parts::Parts(const RobotConfig& robot)
    : model(robot_mjcf(robot)),
      joint_of(joints_of(model, robot)),
      soles(contacts_of(*robot.whole_body, model)),
      core(model, all_contacts_of(*robot.whole_body, model), bounds_of(joint_of, robot),
           settings_of(*robot.whole_body)),
      managers(model, with_fingers(robot), soles, rooms_of(bounds_of(joint_of, robot)),
               robot.whole_body->upright.size()),
      q(joint_of.size()),
      v(joint_of.size()) {
  const WholeBodyConfig& body = *robot.whole_body;
  const int n = model.joint_count();
  for (int i = 0; i < n; ++i) {
    const JointConfig& joint = robot.joints[joint_of[static_cast<std::size_t>(i)]];
    model.set_motor_inertia(i, felt_armature(joint.board, model.motor_inertia(i)));
  }
  first_value = BodySignal::kFirstFoot + soles.size() + BodyManagers::signals_of(body).size();
  values_of_managers = BodyManagers::values_of(body, robot.joints).size();
  command.mode = body.mode;
  if (body.mode == CoreMode::kInverseKinematics) reference.emplace(robot_mjcf(robot));
  command.privileged.on = true;
  command.privileged.acceleration.setZero(n);
  command.privileged.weights.setConstant(n, body.posture_weight);
  command.joints.acceleration.setZero(n);
  command.joints.weights.setZero(n);
  command.momentum.on = true;
  command.momentum.weights.head<3>().setConstant(body.com_weight);
  command.momentum.weights.tail<3>().setConstant(body.spin_weight);
  for (std::size_t i = 0; i < body.upright.size(); ++i) {
    SpatialTask& task = command.spatial[i];
    task.on = true;
    task.frame = model.find_frame(body.upright[i]);
    task.axes = {false, false, false, true, true, true};
    task.weights.setConstant(body.upright_weight);
  }
  for (std::size_t c = 0; c < core.contacts().size(); ++c) {
    command.contacts[c].on = c < soles.size();
    command.contacts[c].friction = body.friction;
  }
  for (const ContactSetup& one : soles) corners.resize(corners.size() + one.points.size());
}

void WholeBody::Parts::place_soles() noexcept {
  sole.setZero();
  corner_count = 0;
  for (std::size_t foot = 0; foot < soles.size(); ++foot) {
    if (!managers.is_on_ground(foot)) continue;
    const Eigen::Vector3d origin = model.position(soles[foot].frame);
    const Eigen::Matrix3d axes = model.rotation(soles[foot].frame);
    for (const Eigen::Vector3d& point : soles[foot].points) {
      const Eigen::Vector3d at = origin + axes * point;
      corners[corner_count++] = at.head<2>();
      sole += at;
    }
  }
  sole /= static_cast<double>(std::max(corner_count, std::size_t{1}));
}

Eigen::Vector3d WholeBody::Parts::middle_of(std::size_t foot) const noexcept {
  Eigen::Vector3d middle = Eigen::Vector3d::Zero();
  for (const Eigen::Vector3d& point : soles[foot].points) middle += point;
  middle /= static_cast<double>(soles[foot].points.size());
  return model.position(soles[foot].frame) + model.rotation(soles[foot].frame) * middle;
}

double WholeBody::Parts::omega() const noexcept {
  const double height = std::max(model.com().z() - sole.z(), kLeastHeight);
  return std::sqrt(model.gravity().norm() / height);
}

Eigen::Vector2d WholeBody::Parts::capture_point() const noexcept {
  Eigen::Vector2d point = model.com().head<2>();
  const double its = omega();
  if (its > 0.0) point += model.com_velocity().head<2>() / its;
  return point;
}

Eigen::Vector2d WholeBody::Parts::within_soles(const Eigen::Vector2d& point) const noexcept {
  return nearest_inside({corners.data(), corner_count}, point);
}

double WholeBody::Parts::capture_inside() const noexcept {
  return inside_by({corners.data(), corner_count}, capture_point());
}

}  // namespace jointrig
