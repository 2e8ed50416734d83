#pragma once
/// Messages of ROS 2 as DDS carries them: CDR. Encoders write into a buffer that grows and is used
/// again; decoders believe nothing of what they read.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "control/core/forces.h"
#include "harness/log/mcap/standard_messages.h"

namespace jointrig::remote {

/// A message type as DDS knows it.
struct Ros2Type {
  std::string_view name;  ///< "sensor_msgs/msg/JointState"
  std::string_view hash;  ///< of its definition, REP 2011: "RIHS01_..."
};

// The hashes are those of the ROS packages, in share/PACKAGE/msg/NAME.json there.
inline constexpr Ros2Type kJointStateType{
    "sensor_msgs/msg/JointState",
    "RIHS01_a13ee3a330e346c9d87b5aa18d24e11690752bd33a0350f11c5882bc9179260e"};
inline constexpr Ros2Type kClockType{
    "rosgraph_msgs/msg/Clock",
    "RIHS01_692f7a66e93a3c83e71765d033b60349ba68023a8c689a79e48078bcb5c58564"};
inline constexpr Ros2Type kWrenchType{
    "geometry_msgs/msg/WrenchStamped",
    "RIHS01_8dc3deaf06b2ab281f9f9a742a8961c328ca7cec16e3fd6586d3a5c83fa78f77"};
inline constexpr Ros2Type kDiagnosticsType{
    "diagnostic_msgs/msg/DiagnosticArray",
    "RIHS01_5a8a36efb05fb25070fa0fb3810290c0e6cd4862b54a8fb975a1ee8dc55a333e"};
inline constexpr Ros2Type kTrajectoryType{
    "trajectory_msgs/msg/JointTrajectory",
    "RIHS01_179b33eba59d676f6d967ac71fe35e7ca2f64b2f3928f4a018cec115e213796e"};
inline constexpr Ros2Type kTwistType{
    "geometry_msgs/msg/TwistStamped",
    "RIHS01_5f0fcd4f81d5d06ad9b4c4c63e3ea51b82d6ae4d0558f1d475229b1121db6f64"};

/// diagnostic_msgs/msg/DiagnosticStatus.
struct DiagnosticStatus {
  enum class Level : std::uint8_t { kOk = 0, kWarning = 1, kError = 2 };
  Level level = Level::kOk;
  std::string name;
  std::string message;
  std::string hardware_id;
  std::vector<std::pair<std::string, std::string>> values;

  bool operator==(const DiagnosticStatus&) const = default;
};

/// sensor_msgs/msg/JointState, as a command.
struct JointStateMessage {
  std::vector<std::string> name;
  std::vector<double> position;  ///< [rad or m]
  std::vector<double> velocity;  ///< [rad/s or m/s]
  std::vector<double> effort;    ///< [N·m or N]
};

/// trajectory_msgs/msg/JointTrajectory.
struct JointTrajectoryMessage {
  struct Point {
    std::vector<double> positions;      ///< [rad or m]
    std::vector<double> velocities;     ///< [rad/s or m/s]
    std::vector<double> accelerations;  ///< [rad/s² or m/s²]
    double time = 0.0;                  ///< from the start [s]
  };
  std::vector<std::string> names;
  std::vector<Point> points;
};

/// geometry_msgs/msg/TwistStamped.
struct TwistMessage {
  std::string frame;
  std::array<double, 3> linear{};   ///< [m/s]
  std::array<double, 3> angular{};  ///< [rad/s]
};

/// The returned bytes are in `buffer`.
using CdrBuffer = std::vector<std::byte>;
std::span<const std::byte> encode_joint_state(const harness::JointStateView& message,
                                              CdrBuffer& buffer);
std::span<const std::byte> encode_clock(harness::TimeStamp time, CdrBuffer& buffer);
/// @param wrench  linear first [N], then angular [N·m], along the axes of the frame
std::span<const std::byte> encode_wrench(harness::TimeStamp stamp, std::string_view frame,
                                         const Six& wrench, CdrBuffer& buffer);
std::span<const std::byte> encode_diagnostics(harness::TimeStamp stamp,
                                              std::span<const DiagnosticStatus> statuses,
                                              CdrBuffer& buffer);

/// Throw std::invalid_argument with a sentence where the bytes are no such message.
[[nodiscard]] JointStateMessage decode_joint_state(std::span<const std::byte> cdr);
[[nodiscard]] JointTrajectoryMessage decode_joint_trajectory(std::span<const std::byte> cdr);
[[nodiscard]] TwistMessage decode_twist(std::span<const std::byte> cdr);

}  // namespace jointrig::remote
