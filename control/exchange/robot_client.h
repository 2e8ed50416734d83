#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "control/core/command.h"
#include "control/core/joint_parameter.h"
#include "control/core/robot_config.h"
#include "control/exchange/command_inbox.h"

namespace jointrig {

/// Error: a name that the robot doesn't have. The message suggests the nearest one that it has.
class UnknownName : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// Returns the joints of a name: one joint, the joints of a part, or every joint for "all". A joint
/// wins over a part of the same name. Throws UnknownName.
JointSet joints_named(const RobotConfig& config, std::string_view name);

/// Returns the index of a joint; throws UnknownName.
JointIndex joint_named(const RobotConfig& config, std::string_view name);

/// Returns a pose by its name; throws UnknownName.
const PoseConfig& pose_named(const RobotConfig& config, std::string_view name);

/// Returns the index of an arm; throws UnknownName.
ArmIndex arm_named(const RobotConfig& config, std::string_view name);

/// Returns the index of a law of one's own; throws UnknownName.
LawIndex law_named(const RobotConfig& config, std::string_view name);

/// Returns the index of a gripper; without a name that of the robot's only one. Throws UnknownName.
GripperIndex gripper_named(const RobotConfig& config, std::string_view name);

/// Returns the index of a law's parameter; throws UnknownName.
std::uint8_t parameter_named(const LawConfig& law, std::string_view name);

/// A client of the robot. It turns names into commands and posts them. Each method returns the
/// number of the command, which the answering event (accepted or rejected) repeats, or 0 if the
/// inbox was full and nothing was sent. Not for the loop's thread in real time: it allocates.
///
/// A command takes one value for all the joints, or one value each by rising joint index.
class RobotClient {
 public:
  /// Joints with one value each, in any order.
  template <typename Value>
  using Each = std::vector<std::pair<JointIndex, Value>>;

  RobotClient(const RobotConfig& config, CommandInbox& inbox, std::string_view sender);

  [[nodiscard]] std::uint16_t sender() const noexcept { return sender_; }
  /// Name of any sender; empty for an unused id.
  [[nodiscard]] SenderName name_of(std::uint16_t sender) const noexcept {
    return inbox_->sender_name(sender);
  }
  [[nodiscard]] JointSet select(std::string_view name) const {
    return joints_named(*config_, name);
  }

  std::uint64_t set_mode(const JointSet& joints, ModeRequest request);
  std::uint64_t set_interaction(const JointSet& joints, InteractionMode interaction);
  std::uint64_t set_impedance(const JointSet& joints, double stiffness, double damping);
  std::uint64_t set_parameter(const JointSet& joints, JointParameter parameter, double value);
  /// @param speed  [rad/s or m/s]; 0: the joint's own
  std::uint64_t move(const JointSet& joints, double q, double speed = 0.0);
  /// Arrives `seconds` from now; refused if the joint's limits don't allow it.
  std::uint64_t timed_move(const JointSet& joints, double q, double seconds);
  std::uint64_t move_to(const PoseConfig& pose, double speed = 0.0);
  /// @param factor  kLeastSpeedOverride to 1
  std::uint64_t set_speed_override(double factor);
  std::uint64_t switch_law(std::string_view law, bool on);
  std::uint64_t set_law_parameter(std::string_view law, std::string_view parameter, double value);
  std::uint64_t calibrate(const JointSet& joints);
  std::uint64_t stop(const JointSet& joints);

  /// Posts a command with a value for each joint. Throws std::invalid_argument if a joint appears
  /// twice.
  template <HasValues C>
  std::uint64_t send(Each<typename C::Value> values) {
    std::sort(values.begin(), values.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    C command;
    for (const auto& [joint, value] : values) {
      check_named_once(command.joints, joint);
      command.joints.set(joint);
      command.values.push_back(value);
    }
    return post(command);
  }
  /// Posts a command unchanged.
  std::uint64_t post(const Request& request);
  /// Posts a command; sender and number are filled in.
  std::uint64_t post(Command& command);

  /// Sets a function that is called with each command sent, by the sending thread: for a record of
  /// the commands.
  void watch(std::function<void(const Command&)> watcher) { watcher_ = std::move(watcher); }

 private:
  void check_named_once(const JointSet& joints, JointIndex joint) const;

  const RobotConfig* config_;
  CommandInbox* inbox_;
  std::function<void(const Command&)> watcher_;
  std::uint16_t sender_;
  std::uint64_t number_ = 0;
};

}  // namespace jointrig
