#include "control/exchange/robot_client.h"

#include <fmt/core.h>

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

/// The same value for each joint.
template <typename Value>
PerJoint<Value> all(const Value& value, const JointSet& joints) {
  PerJoint<Value> values;
  for (std::size_t i = 0; i < joints.count(); ++i) values.push_back(value);
  return values;
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

ArmIndex arm_named(const RobotConfig& config, std::string_view name) {
  std::vector<std::string> known;
  for (std::size_t i = 0; i < config.arms.size(); ++i) {
    if (config.arms[i].name == name) return static_cast<ArmIndex>(i);
    known.push_back(config.arms[i].name);
  }
  throw UnknownName("the robot has no arm \"" + std::string(name) + "\"" +
                    (known.empty() ? ": its file has no `arms`" : did_you_mean(name, known)));
}

LawIndex law_named(const RobotConfig& config, std::string_view name) {
  std::vector<std::string> known;
  for (std::size_t i = 0; i < config.laws.size(); ++i) {
    if (config.laws[i].name == name) return static_cast<LawIndex>(i);
    known.push_back(config.laws[i].name);
  }
  throw_unknown("law", name, known);
}

GripperIndex gripper_named(const RobotConfig& config, std::string_view name) {
  if (name.empty() && config.grippers.size() == 1) return 0;
  std::vector<std::string> known;
  for (std::size_t i = 0; i < config.grippers.size(); ++i) {
    if (config.grippers[i].name == name) return static_cast<GripperIndex>(i);
    known.push_back(config.grippers[i].name);
  }
  if (known.empty()) {
    throw UnknownName("robot \"" + config.name +
                      "\" has no gripper: give its robot.yaml \"grippers\"");
  }
  if (name.empty()) throw UnknownName("the robot has several grippers: name one of them");
  throw_unknown("gripper", name, known);
}

std::uint8_t parameter_named(const LawConfig& law, std::string_view name) {
  std::vector<std::string> known;
  for (std::size_t i = 0; i < law.parameters.size(); ++i) {
    if (law.parameters[i].name == name) return static_cast<std::uint8_t>(i);
    known.push_back(law.parameters[i].name);
  }
  throw_unknown("parameter of law " + law.name, name, known);
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
    throw std::runtime_error(
        fmt::format("no more than {} clients can connect: disconnect one first",
                    CommandInbox::kMaxSenders - 1));
  }
}

std::uint64_t RobotClient::post(Command& command) {
  command.sender = sender_;
  command.number = number_ + 1;
  if (!inbox_->push(command)) return 0;
  if (watcher_) watcher_(command);
  return ++number_;
}

std::uint64_t RobotClient::post(const Request& request) {
  Command command{.request = request};
  return post(command);
}

std::uint64_t RobotClient::set_mode(const JointSet& joints, ModeRequest request) {
  return post(SetMode{joints, request});
}

std::uint64_t RobotClient::set_interaction(const JointSet& joints, InteractionMode interaction) {
  return post(SetInteraction{joints, interaction});
}

std::uint64_t RobotClient::set_impedance(const JointSet& joints, double stiffness, double damping) {
  return post(SetImpedance{joints, all<SetImpedance::Value>({stiffness, damping}, joints)});
}

std::uint64_t RobotClient::set_parameter(const JointSet& joints, JointParameter parameter,
                                         double value) {
  return post(SetParameter{joints, all<SetParameter::Value>({value}, joints), parameter});
}

std::uint64_t RobotClient::move(const JointSet& joints, double q, double speed) {
  return post(Move{joints, all<Move::Value>({q, speed}, joints)});
}

std::uint64_t RobotClient::timed_move(const JointSet& joints, double q, double seconds) {
  return post(TimedMove{joints, all<TimedMove::Value>({q, seconds}, joints)});
}

std::uint64_t RobotClient::move_to(const PoseConfig& pose, double speed) {
  Each<Move::Value> values;
  for (std::size_t i = 0; i < pose.q.size(); ++i) {
    if (pose.q[i]) values.push_back({static_cast<JointIndex>(i), {*pose.q[i], speed}});
  }
  return send<Move>(values);
}

std::uint64_t RobotClient::set_speed_override(double factor) {
  return post(SetSpeedOverride{factor});
}

std::uint64_t RobotClient::switch_law(std::string_view law, bool on) {
  return post(SwitchLaw{law_named(*config_, law), on});
}

std::uint64_t RobotClient::set_law_parameter(std::string_view law, std::string_view parameter,
                                             double value) {
  const LawIndex index = law_named(*config_, law);
  return post(SetLawParameter{index, parameter_named(config_->laws[index], parameter), value});
}

std::uint64_t RobotClient::calibrate(const JointSet& joints) { return post(Calibrate{joints}); }

std::uint64_t RobotClient::stop(const JointSet& joints) { return post(Stop{joints}); }

void RobotClient::check_named_once(const JointSet& joints, JointIndex joint) const {
  if (joint >= config_->joints.size()) throw UnknownName(fmt::format("no joint {}", joint));
  if (joints.test(joint)) {
    throw std::invalid_argument("joint " + config_->joints[joint].name + " is named twice");
  }
}

}  // namespace jointrig
