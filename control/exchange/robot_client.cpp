#include "control/exchange/robot_client.h"

#include <algorithm>

#include "control/core/nearest_word.h"

namespace jointrig {
namespace {

[[noreturn]] void throw_unknown(std::string_view what, std::string_view name,
                                const std::vector<std::string>& known) {
  std::string message = "no " + std::string(what) + " \"" + std::string(name) + "\"";
  if (const std::string near = nearest_word(name, known); !near.empty()) {
    message += "; did you mean \"" + near + "\"?";
  }
  throw UnknownName(message);
}

Command command_for(CommandKind kind, const JointSet& joints) {
  Command command;
  command.kind = kind;
  command.joints = joints;
  return command;
}

void fill(Command& command, JointValue value) {
  for (std::size_t i = 0; i < command.joints.count(); ++i) command.values.push_back(value);
}

}  // namespace

JointIndex joint_named(const RobotConfig& config, std::string_view name) {
  std::vector<std::string> known;
  for (std::size_t i = 0; i < config.joints.size(); ++i) {
    if (config.joints[i].name == name) return static_cast<JointIndex>(i);
    known.push_back(config.joints[i].name);
  }
  throw_unknown("joint", name, known);
}

JointSet joints_named(const RobotConfig& config, std::string_view name) {
  JointSet set;
  std::vector<std::string> known{"all"};
  for (std::size_t i = 0; i < config.joints.size(); ++i) {
    if (config.joints[i].name == name) return set.set(i);
    known.push_back(config.joints[i].name);
  }
  for (const PartConfig& part : config.parts) {
    if (part.name == name) {
      for (const JointIndex joint : part.joints) set.set(joint);
      return set;
    }
    known.push_back(part.name);
  }
  if (name == "all") {
    for (std::size_t i = 0; i < config.joints.size(); ++i) set.set(i);
    return set;
  }
  throw_unknown("joint or part", name, known);
}

const PoseConfig& pose_named(const RobotConfig& config, std::string_view name) {
  std::vector<std::string> known;
  for (const PoseConfig& pose : config.poses) {
    if (pose.name == name) return pose;
    known.push_back(pose.name);
  }
  throw_unknown("pose", name, known);
}

RobotClient::RobotClient(const RobotConfig& config, CommandInbox& inbox, std::string_view sender)
    : config_(&config), inbox_(&inbox), sender_(inbox.connect(sender)) {
  if (sender_ == 0) {
    throw std::runtime_error("no more than " + std::to_string(CommandInbox::kMaxSenders - 1) +
                             " clients can connect: disconnect one first");
  }
}

std::uint64_t RobotClient::post(Command& command) {
  command.sender = sender_;
  command.number = number_ + 1;
  if (!inbox_->push(command)) return 0;
  if (watcher_) watcher_(command);
  return ++number_;
}

std::uint64_t RobotClient::set_mode(const JointSet& joints, ModeRequest request) {
  Command command = command_for(CommandKind::kSetMode, joints);
  command.request = request;
  return post(command);
}

std::uint64_t RobotClient::set_interaction(const JointSet& joints, InteractionMode interaction) {
  Command command = command_for(CommandKind::kSetInteraction, joints);
  command.interaction = interaction;
  return post(command);
}

std::uint64_t RobotClient::set_impedance(const JointSet& joints, double stiffness, double damping) {
  Command command = command_for(CommandKind::kSetImpedance, joints);
  fill(command, {stiffness, damping});
  return post(command);
}

std::uint64_t RobotClient::set_parameter(const JointSet& joints, JointParameter parameter,
                                         double value) {
  Command command = command_for(CommandKind::kSetParameter, joints);
  fill(command, {value, static_cast<double>(parameter)});
  return post(command);
}

std::uint64_t RobotClient::move(const JointSet& joints, double q, double speed) {
  Command command = command_for(CommandKind::kMove, joints);
  fill(command, {q, speed});
  return post(command);
}

std::uint64_t RobotClient::timed_move(const JointSet& joints, double q, double seconds) {
  Command command = command_for(CommandKind::kTimedMove, joints);
  fill(command, {q, seconds});
  return post(command);
}

std::uint64_t RobotClient::move_to(const PoseConfig& pose, double speed) {
  Values values;
  for (std::size_t i = 0; i < pose.q.size(); ++i) {
    if (pose.q[i]) values.push_back({static_cast<JointIndex>(i), {*pose.q[i], speed}});
  }
  return send(CommandKind::kMove, values);
}

std::uint64_t RobotClient::set_speed_override(double factor) {
  Command command = command_for(CommandKind::kSetSpeedOverride, {});
  command.values.push_back({factor, 0.0});
  return post(command);
}

std::uint64_t RobotClient::calibrate(const JointSet& joints) {
  Command command = command_for(CommandKind::kCalibrate, joints);
  return post(command);
}

std::uint64_t RobotClient::stop(const JointSet& joints) {
  Command command = command_for(CommandKind::kStop, joints);
  return post(command);
}

std::uint64_t RobotClient::send(CommandKind kind, const Values& values) {
  Values sorted = values;
  std::sort(sorted.begin(), sorted.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  Command command = command_for(kind, {});
  for (const auto& [joint, value] : sorted) {
    if (joint >= config_->joints.size()) throw UnknownName("no joint " + std::to_string(joint));
    if (command.joints.test(joint)) {
      throw std::invalid_argument("joint " + config_->joints[joint].name + " is named twice");
    }
    command.joints.set(joint);
    command.values.push_back(value);
  }
  return post(command);
}

}  // namespace jointrig
