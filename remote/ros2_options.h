#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace jointrig::remote {

/// Options of `--ros2`: KEY=VALUE, with commas between them.
struct Ros2Options {
  std::uint32_t domain = 0;  ///< domain=5; else ROS_DOMAIN_ID
  double rate = 200.0;       ///< of joint states, clock and wrenches [1/s of robot time]
  /// unprotected=192.168.1.20: IPv4 address of an interface that other machines reach. DDS has
  /// neither TLS nor token here, so that whoever reaches it reads and commands.
  std::string address = "127.0.0.1";
  // Topics by their full names: joint_states=/left/joint_states. namespace=/left goes before all
  // that aren't named, but for clock and diagnostics, which ROS has once.
  std::string joint_states = "/joint_states";
  std::string clock = "/clock";
  std::string wrench = "/wrench";  ///< the arm's name follows: /wrench/arm
  std::string diagnostics = "/diagnostics";
  std::string joint_commands = "/joint_commands";
  std::string joint_trajectory = "/joint_trajectory";
  std::string twist = "/twist";  ///< the arm's name follows: /twist/arm
};

/// @param text           empty: the usual
/// @param ros_domain_id  of the environment; empty: none
/// Throws std::invalid_argument with a sentence.
[[nodiscard]] Ros2Options read_ros2_options(std::string_view text, std::string_view ros_domain_id);

/// A name of ours as a word of a topic: whatever ROS doesn't take there becomes _.
[[nodiscard]] std::string ros_word(const std::string& name);

}  // namespace jointrig::remote
