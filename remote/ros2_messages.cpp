#include "remote/ros2_messages.h"

#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>

#include "harness/log/mcap/cdr.h"

namespace jointrig::remote {
namespace {

using harness::CdrReader;
using harness::CdrWriter;

constexpr std::size_t kFirstBytes = 1024;
constexpr double kNsPerSecond = 1e9;

/// Writes again into twice the room until it fits.
template <typename Write>
std::span<const std::byte> encoded(CdrBuffer& buffer, const Write& write) {
  if (buffer.empty()) buffer.resize(kFirstBytes);
  for (;;) {
    CdrWriter out(buffer);
    write(out);
    if (out.fits()) return out.bytes();
    buffer.resize(2 * buffer.size());
  }
}

void put(CdrWriter& out, const harness::TimeStamp& stamp, std::string_view frame) {
  out.put(stamp.sec);
  out.put(stamp.nanosec);
  out.put(frame);
}

/// Length of a sequence whose elements have at least so many bytes. More than the message can have
/// ends it, so that no length makes this program reserve what isn't there.
std::uint32_t length_of(CdrReader& in, std::size_t least, std::string_view what) {
  const auto length = in.get<std::uint32_t>();
  if (in.ok() && length <= in.left() / least) return length;
  throw std::invalid_argument(fmt::format("the message is no {}: it ends early", what));
}

std::vector<double> numbers(CdrReader& in, std::string_view what) {
  std::vector<double> values(length_of(in, sizeof(double), what));
  for (double& value : values) value = in.get<double>();
  return values;
}

std::vector<std::string> strings(CdrReader& in, std::string_view what) {
  std::vector<std::string> values(length_of(in, sizeof(std::uint32_t), what));
  for (std::string& value : values) value = in.get_string();
  return values;
}

void skip_header(CdrReader& in) {
  in.get<std::int32_t>();
  in.get<std::uint32_t>();
  in.get_string();
}

void check_end(const CdrReader& in, std::string_view what) {
  if (in.ok()) return;
  throw std::invalid_argument(fmt::format("the message is no {}: it ends early", what));
}

}  // namespace

std::span<const std::byte> encode_joint_state(const harness::JointStateView& message,
                                              CdrBuffer& buffer) {
  buffer.resize(std::max(buffer.size(), size_bound(message)));
  return harness::encode(message, buffer);
}

std::span<const std::byte> encode_clock(harness::TimeStamp time, CdrBuffer& buffer) {
  return encoded(buffer, [&](CdrWriter& out) {
    out.put(time.sec);
    out.put(time.nanosec);
  });
}

std::span<const std::byte> encode_wrench(harness::TimeStamp stamp, std::string_view frame,
                                         const Six& wrench, CdrBuffer& buffer) {
  return encoded(buffer, [&](CdrWriter& out) {
    put(out, stamp, frame);
    for (const double value : wrench) out.put(value);
  });
}

std::span<const std::byte> encode_diagnostics(harness::TimeStamp stamp,
                                              std::span<const DiagnosticStatus> statuses,
                                              CdrBuffer& buffer) {
  return encoded(buffer, [&](CdrWriter& out) {
    put(out, stamp, "");
    out.put(static_cast<std::uint32_t>(statuses.size()));
    for (const DiagnosticStatus& status : statuses) {
      out.put(static_cast<std::uint8_t>(status.level));
      out.put(std::string_view(status.name));
      out.put(std::string_view(status.message));
      out.put(std::string_view(status.hardware_id));
      out.put(static_cast<std::uint32_t>(status.values.size()));
      for (const auto& [key, value] : status.values) {
        out.put(std::string_view(key));
        out.put(std::string_view(value));
      }
    }
  });
}

JointStateMessage decode_joint_state(std::span<const std::byte> cdr) {
  const std::string_view what = kJointStateType.name;
  CdrReader in(cdr);
  skip_header(in);
  JointStateMessage message;
  message.name = strings(in, what);
  message.position = numbers(in, what);
  message.velocity = numbers(in, what);
  message.effort = numbers(in, what);
  check_end(in, what);
  return message;
}

JointTrajectoryMessage decode_joint_trajectory(std::span<const std::byte> cdr) {
  const std::string_view what = kTrajectoryType.name;
  CdrReader in(cdr);
  skip_header(in);
  JointTrajectoryMessage message;
  message.names = strings(in, what);
  constexpr std::size_t kLeast = 4 * sizeof(std::uint32_t) + 2 * sizeof(std::int32_t);
  message.points.resize(length_of(in, kLeast, what));
  for (JointTrajectoryMessage::Point& point : message.points) {
    point.positions = numbers(in, what);
    point.velocities = numbers(in, what);
    point.accelerations = numbers(in, what);
    numbers(in, what);  // efforts: the robot's own
    const auto sec = in.get<std::int32_t>();
    point.time = sec + in.get<std::uint32_t>() / kNsPerSecond;
  }
  check_end(in, what);
  return message;
}

TwistMessage decode_twist(std::span<const std::byte> cdr) {
  CdrReader in(cdr);
  TwistMessage message;
  in.get<std::int32_t>();
  in.get<std::uint32_t>();
  message.frame = in.get_string();
  for (double& value : message.linear) value = in.get<double>();
  for (double& value : message.angular) value = in.get<double>();
  check_end(in, kTwistType.name);
  return message;
}

}  // namespace jointrig::remote
