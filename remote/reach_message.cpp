#include "remote/reach_message.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "control/exchange/robot_client.h"
#include "remote/robot.pb.h"

namespace jointrig::remote {
namespace {

template <std::size_t kSize, typename Numbers>
std::optional<std::array<double, kSize>> numbers_of_pose(const Numbers& given, const char* what) {
  if (given.empty()) return std::nullopt;
  if (static_cast<std::size_t>(given.size()) != kSize) {
    throw std::invalid_argument(
        fmt::format("reach: {} has {} numbers: give {}", what, given.size(), kSize));
  }
  std::array<double, kSize> numbers{};
  std::copy(given.begin(), given.end(), numbers.begin());
  return numbers;
}

ArmIndex arm_of_pose(const std::string& name, const RobotConfig& robot) {
  try {
    return arm_named(robot, name);
  } catch (const UnknownName& error) {
    throw UnknownName(fmt::format("reach: {}", error.what()));
  }
}

AskedPose pose_of(const v1::ToolPose& from, const RobotConfig& robot) {
  AskedPose to;
  to.arm = arm_of_pose(from.arm(), robot);
  if (!from.frame().empty() && !parse(from.frame(), to.frame)) {
    throw std::invalid_argument("reach: frame is \"" + from.frame() + "\": give base or world");
  }
  if (!from.free_rotation().empty() && !parse(from.free_rotation(), to.free_rotation)) {
    throw std::invalid_argument("reach: free_rotation is \"" + from.free_rotation() +
                                "\": give none, x, y, z, tool_x, tool_y, tool_z or all");
  }
  to.position = numbers_of_pose<3>(from.position(), "position");
  to.by = numbers_of_pose<3>(from.by(), "by");
  to.orientation = numbers_of_pose<4>(from.orientation(), "orientation");
  to.turn = numbers_of_pose<3>(from.turn(), "turn");
  return to;
}

template <typename List>
void write_numbers(const List& from, google::protobuf::RepeatedField<double>& to) {
  if (from) to.Assign(from->begin(), from->end());
}

/// kNoJoint: the robot has none of this name.
JointIndex joint_of_name(const std::string& name, const RobotConfig& robot) {
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    if (robot.joints[i].name == name) return static_cast<JointIndex>(i);
  }
  return kNoJoint;
}

}  // namespace

void write_reach(const AskedReach& asked, const RobotConfig& robot, v1::ReachRequest& message) {
  for (const AskedPose& from : asked.tools) {
    v1::ToolPose& to = *message.add_tools();
    to.set_arm(robot.arms.at(from.arm).name);
    to.set_frame(std::string(to_string(from.frame)));
    to.set_free_rotation(std::string(to_string(from.free_rotation)));
    write_numbers(from.position, *to.mutable_position());
    write_numbers(from.by, *to.mutable_by());
    write_numbers(from.orientation, *to.mutable_orientation());
    write_numbers(from.turn, *to.mutable_turn());
  }
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    if (asked.with.test(i)) message.add_with(robot.joints[i].name);
  }
  for (const AskedReach::Posture& from : asked.posture) {
    v1::Posture& to = *message.add_posture();
    to.set_joint(robot.joints.at(from.joint).name);
    to.set_q(from.q);
  }
}

AskedReach read_reach(const v1::ReachRequest& message, const RobotConfig& robot) {
  AskedReach asked;
  for (const v1::ToolPose& from : message.tools()) asked.tools.push_back(pose_of(from, robot));
  for (const std::string& name : message.with()) asked.with |= joints_named(robot, name);
  for (const v1::Posture& from : message.posture()) {
    const JointIndex joint = joint_of_name(from.joint(), robot);
    if (joint == kNoJoint) {
      throw std::invalid_argument("reach: posture names \"" + from.joint() +
                                  "\": the robot has no such joint");
    }
    asked.posture.push_back({joint, from.q()});
  }
  return asked;
}

void write_reach_answer(const ReachAnswer& answer, const RobotConfig& robot,
                        v1::ReachAnswer& message) {
  message.set_refusal(answer.refusal);
  message.set_reason(answer.reason);
  for (const JointIndex joint : answer.joints) message.add_joints(robot.joints[joint].name);
  message.mutable_q()->Assign(answer.q.begin(), answer.q.end());
  for (const ReachAnswer::Rest& from : answer.rests) {
    v1::ReachRest& to = *message.add_rests();
    to.set_position(from.position);
    to.set_rotation(from.rotation);
  }
  if (answer.joint == kNoJoint) return;
  message.set_joint(robot.joints[answer.joint].name);
  message.set_value(answer.value);
  message.set_limit(answer.limit);
}

ReachAnswer read_reach_answer(const v1::ReachAnswer& message, const RobotConfig& robot) {
  ReachAnswer answer;
  answer.refusal = message.refusal();
  answer.reason = message.reason();
  for (int i = 0; i < std::min(message.joints_size(), message.q_size()); ++i) {
    const JointIndex joint = joint_of_name(message.joints(i), robot);
    if (joint == kNoJoint) continue;
    answer.joints.push_back(joint);
    answer.q.push_back(message.q(i));
  }
  for (const v1::ReachRest& from : message.rests()) {
    answer.rests.push_back({from.position(), from.rotation()});
  }
  answer.joint = joint_of_name(message.joint(), robot);
  answer.value = message.value();
  answer.limit = message.limit();
  return answer;
}

}  // namespace jointrig::remote
