#pragma once
/// Standard ROS 2 messages: time, header, joint states, log lines.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "harness/log/mcap/message_schema.h"

namespace jointrig::harness {

/// builtin_interfaces/msg/Time, in the layout of its CDR.
struct TimeStamp {
  std::int32_t sec = 0;
  std::uint32_t nanosec = 0;
  friend bool operator==(const TimeStamp&, const TimeStamp&) = default;
};

/// @param time_ns  not negative, below 2^31 s
constexpr TimeStamp to_stamp(std::int64_t time_ns) noexcept {
  constexpr std::int64_t kNsPerSecond = 1'000'000'000;
  return {static_cast<std::int32_t>(time_ns / kNsPerSecond),
          static_cast<std::uint32_t>(time_ns % kNsPerSecond)};
}

SchemaPtr time_schema();         ///< builtin_interfaces/msg/Time
SchemaPtr header_schema();       ///< std_msgs/msg/Header
SchemaPtr joint_state_schema();  ///< sensor_msgs/msg/JointState
SchemaPtr log_schema();          ///< rcl_interfaces/msg/Log

/// [rad, rad/s, N·m], or [m, m/s, N] for a slide joint. Each of the three is as long as the names,
/// or empty.
struct JointStateView {
  TimeStamp stamp;
  std::string_view frame_id;
  std::span<const std::string> name;
  std::span<const double> position;
  std::span<const double> velocity;
  std::span<const double> effort;
};

enum class LogLevel : std::uint8_t {
  kDebug = 10,
  kInfo = 20,
  kWarn = 30,
  kError = 40,
  kFatal = 50,
};

struct LogView {
  TimeStamp stamp;
  LogLevel level = LogLevel::kInfo;
  std::string_view name;  ///< name of the sender
  std::string_view msg;   ///< the sentence
  std::string_view file;  ///< source file or scenario
  std::string_view function;
  std::uint32_t line = 0;
};

/// Encode into `out` and return the used part; empty if it doesn't fit. The two functions below
/// give an upper bound of the size. No allocation, no throw.
std::span<const std::byte> encode(const JointStateView& message, std::span<std::byte> out) noexcept;
std::span<const std::byte> encode(const LogView& message, std::span<std::byte> out) noexcept;

std::size_t size_bound(const JointStateView& message) noexcept;
std::size_t size_bound(const LogView& message) noexcept;

}  // namespace jointrig::harness
