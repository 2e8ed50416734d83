#include "harness/log/mcap/standard_messages.h"

#include <memory>
#include <vector>

#include "harness/log/mcap/schema_encoder.h"

namespace jointrig::harness {
namespace {

// Upper bound of counts and paddings of the fixed fields of either message.
constexpr std::size_t kFixedFields = 128;
constexpr std::size_t kStringOverhead = 4 + 1 + 3;  // length, NUL, padding before the next

void put(SchemaEncoder& out, const TimeStamp& stamp) noexcept {
  out.put(stamp.sec);
  out.put(stamp.nanosec);
}

std::span<const std::byte> finished(const SchemaEncoder& out) noexcept {
  return out.complete() ? out.bytes() : std::span<const std::byte>();
}

}  // namespace

SchemaPtr time_schema() {
  static const auto schema = std::make_shared<const MessageSchema>(
      "builtin_interfaces/msg/Time",
      std::vector<MessageField>{{.name = "sec", .type = FieldType::kInt32},
                                {.name = "nanosec", .type = FieldType::kUint32}});
  return schema;
}

SchemaPtr header_schema() {
  static const auto schema = std::make_shared<const MessageSchema>(
      "std_msgs/msg/Header",
      std::vector<MessageField>{
          {.name = "stamp", .type = FieldType::kMessage, .message = time_schema()},
          {.name = "frame_id", .type = FieldType::kString}});
  return schema;
}

SchemaPtr joint_state_schema() {
  static const auto schema = std::make_shared<const MessageSchema>(
      "sensor_msgs/msg/JointState",
      std::vector<MessageField>{
          {.name = "header", .type = FieldType::kMessage, .message = header_schema()},
          {.name = "name", .type = FieldType::kString, .shape = FieldShape::kSequence},
          {.name = "position", .comment = "rad or m", .shape = FieldShape::kSequence},
          {.name = "velocity", .comment = "rad/s or m/s", .shape = FieldShape::kSequence},
          {.name = "effort", .comment = "N·m or N", .shape = FieldShape::kSequence}});
  return schema;
}

SchemaPtr log_schema() {
  const auto level = [](const char* name, LogLevel value) {
    return MessageConstant{name, FieldType::kByte, static_cast<std::int64_t>(value)};
  };
  static const auto schema = std::make_shared<const MessageSchema>(
      "rcl_interfaces/msg/Log",
      std::vector<MessageField>{
          {.name = "stamp", .type = FieldType::kMessage, .message = time_schema()},
          {.name = "level", .type = FieldType::kUint8},
          {.name = "name", .type = FieldType::kString},
          {.name = "msg", .type = FieldType::kString},
          {.name = "file", .type = FieldType::kString},
          {.name = "function", .type = FieldType::kString},
          {.name = "line", .type = FieldType::kUint32}},
      std::vector<MessageConstant>{level("DEBUG", LogLevel::kDebug), level("INFO", LogLevel::kInfo),
                                   level("WARN", LogLevel::kWarn), level("ERROR", LogLevel::kError),
                                   level("FATAL", LogLevel::kFatal)});
  return schema;
}

std::span<const std::byte> encode(const JointStateView& message,
                                  std::span<std::byte> out_bytes) noexcept {
  static const SchemaPtr schema = joint_state_schema();
  SchemaEncoder out(*schema, out_bytes);
  put(out, message.stamp);
  out.put(message.frame_id);
  out.put_strings(message.name);
  out.put_sequence(message.position);
  out.put_sequence(message.velocity);
  out.put_sequence(message.effort);
  return finished(out);
}

std::span<const std::byte> encode(const LogView& message, std::span<std::byte> out_bytes) noexcept {
  static const SchemaPtr schema = log_schema();
  SchemaEncoder out(*schema, out_bytes);
  put(out, message.stamp);
  out.put(static_cast<std::uint8_t>(message.level));
  out.put(message.name);
  out.put(message.msg);
  out.put(message.file);
  out.put(message.function);
  out.put(message.line);
  return finished(out);
}

std::size_t size_bound(const JointStateView& message) noexcept {
  std::size_t size = kFixedFields + message.frame_id.size() + message.position.size_bytes() +
                     message.velocity.size_bytes() + message.effort.size_bytes();
  for (const std::string& name : message.name) size += name.size() + kStringOverhead;
  return size;
}

std::size_t size_bound(const LogView& message) noexcept {
  return kFixedFields + message.name.size() + message.msg.size() + message.file.size() +
         message.function.size();
}

}  // namespace jointrig::harness
