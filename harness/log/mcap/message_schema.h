#pragma once
/// Description of a message. It gives both the text that viewers read (ROS 2 message definition,
/// encoding "ros2msg") and the layout for encoding, so that the two can't disagree.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jointrig::harness {

enum class FieldType : std::uint8_t {
  kBool,
  kByte,
  kInt8,
  kUint8,
  kInt16,
  kUint16,
  kInt32,
  kUint32,
  kInt64,
  kUint64,
  kFloat32,
  kFloat64,
  kString,
  kMessage,
};

/// ROS word of the type ("float64"); kMessage has none.
std::string_view to_string(FieldType type) noexcept;

/// Bytes of one value; 0 for strings and messages.
std::size_t size_of(FieldType type) noexcept;

enum class FieldShape : std::uint8_t { kSingle, kArray, kSequence };

class MessageSchema;
using SchemaPtr = std::shared_ptr<const MessageSchema>;

struct MessageField {
  std::string name;
  FieldType type = FieldType::kFloat64;
  std::string unit = {};     ///< "rad", "N·m"; empty: none
  std::string comment = {};  ///< one line
  FieldShape shape = FieldShape::kSingle;
  std::uint32_t count = 1;      ///< elements of a kArray
  SchemaPtr message = nullptr;  ///< for a kMessage, which is always kSingle
};

struct MessageConstant {
  std::string name;
  FieldType type = FieldType::kUint8;
  std::int64_t value = 0;
};

/// One value, array or sequence of a message with its nested messages unfolded.
struct MessageLeaf {
  std::string path;  ///< "header.stamp.sec"
  FieldType type = FieldType::kFloat64;
  FieldShape shape = FieldShape::kSingle;
  std::uint32_t count = 1;
  std::string unit = {};
};

class MessageSchema {
 public:
  /// @param name as ROS writes it: "jointrig_msgs/msg/Joint" Throws std::invalid_argument if ROS
  /// tools would refuse a name, a comment has line breaks, or two fields have one name.
  MessageSchema(std::string name, std::vector<MessageField> fields,
                std::vector<MessageConstant> constants = {});

  /// Parses a definition: the text of definition() or an equally simple one. Throws
  /// std::invalid_argument with the line that is not supported (default values, bounded sequences,
  /// wide strings, sequences of messages).
  static SchemaPtr parse(const std::string& name, std::string_view definition);

  const std::string& name() const noexcept { return name_; }
  std::span<const MessageField> fields() const noexcept { return fields_; }
  std::span<const MessageLeaf> leaves() const noexcept { return leaves_; }

  /// The whole text: this message, then each nested message after a line of '=' and "MSG:
  /// pkg/Name".
  std::string definition() const;

 private:
  std::string own_definition() const;

  std::string name_;
  std::vector<MessageField> fields_;
  std::vector<MessageConstant> constants_;
  std::vector<MessageLeaf> leaves_;
};

}  // namespace jointrig::harness
