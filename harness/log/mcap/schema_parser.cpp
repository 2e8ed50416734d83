// Reads ROS 2 message definitions back into schemas.
#include <algorithm>
#include <charconv>
#include <map>
#include <stdexcept>
#include <utility>

#include "control/core/text.h"
#include "harness/log/mcap/message_schema.h"

namespace jointrig::harness {
namespace {

constexpr int kDeepestNesting = 8;  // ours have two levels; stops a definition that contains itself

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(trimmed(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

/// "pkg/Name" and "pkg/msg/Name" are one message.
std::string full_name(std::string_view name) {
  const std::size_t slash = name.find('/');
  if (slash == std::string_view::npos || name.find("/msg/") != std::string_view::npos) {
    return std::string(name);
  }
  return std::string(name.substr(0, slash)) + "/msg/" + std::string(name.substr(slash + 1));
}

using Definitions = std::map<std::string, std::vector<std::string_view>>;

class Parser {
 public:
  Parser(const std::string& name, std::string_view text) {
    std::string current = name;
    definitions_[current];
    for (const std::string_view line : lines_of(text)) {
      if (line.starts_with("====")) continue;
      if (line.starts_with("MSG:")) {
        current = full_name(trimmed(line.substr(4)));
        continue;
      }
      definitions_[current].push_back(line);
    }
    // Readers know the time without a definition.
    definitions_.try_emplace("builtin_interfaces/msg/Time",
                             std::vector<std::string_view>{"int32 sec", "uint32 nanosec"});
  }

  SchemaPtr message(const std::string& name, int depth) {
    const auto found = definitions_.find(name);
    if (found == definitions_.end()) {
      throw std::invalid_argument("message " + name + " is used but not defined");
    }
    if (depth > kDeepestNesting) throw std::invalid_argument("message " + name + " nests too deep");
    std::vector<MessageField> fields;
    std::vector<MessageConstant> constants;
    for (const std::string_view line : found->second) {
      if (line.empty() || line.front() == '#') continue;
      parse_line(name, line, depth, fields, constants);
    }
    return std::make_shared<MessageSchema>(name, std::move(fields), std::move(constants));
  }

 private:
  [[noreturn]] static void refuse(const std::string& message, std::string_view line) {
    throw std::invalid_argument("definition of " + message +
                                " has a line that isn't understood: " + std::string(line));
  }

  void parse_line(const std::string& message_name, std::string_view line, int depth,
                  std::vector<MessageField>& fields, std::vector<MessageConstant>& constants) {
    const std::size_t hash = line.find('#');
    const std::string_view code = trimmed(line.substr(0, hash));
    const std::size_t space = code.find_first_of(" \t");
    if (space == std::string_view::npos) refuse(message_name, line);
    std::string_view type = code.substr(0, space);
    const std::string_view name = trimmed(code.substr(space));

    if (const std::size_t equals = name.find('='); equals != std::string_view::npos) {
      constants.push_back(constant(message_name, line, type, name, equals));
      return;
    }
    MessageField field;
    field.name = name;
    if (hash != std::string_view::npos) read_comment(trimmed(line.substr(hash + 1)), field);
    if (const std::size_t bracket = type.find('['); bracket != std::string_view::npos) {
      read_shape(message_name, line, type.substr(bracket), field);
      type = type.substr(0, bracket);
    }
    if (const auto primitive = primitive_type(type)) {
      field.type = *primitive;
    } else {
      field.type = FieldType::kMessage;
      field.message = message(full_name(type), depth + 1);
    }
    fields.push_back(std::move(field));
  }

  static const FieldType* primitive_type(std::string_view word) {
    static constexpr FieldType kAll[] = {
        FieldType::kBool,  FieldType::kByte,   FieldType::kInt8,    FieldType::kUint8,
        FieldType::kInt16, FieldType::kUint16, FieldType::kInt32,   FieldType::kUint32,
        FieldType::kInt64, FieldType::kUint64, FieldType::kFloat32, FieldType::kFloat64,
        FieldType::kString};
    for (const FieldType& type : kAll) {
      if (to_string(type) == word) return &type;
    }
    return nullptr;
  }

  static MessageConstant constant(const std::string& message_name, std::string_view line,
                                  std::string_view type, std::string_view name,
                                  std::size_t equals) {
    MessageConstant result;
    result.name = trimmed(name.substr(0, equals));
    const std::string_view digits = trimmed(name.substr(equals + 1));
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), result.value);
    const FieldType* primitive = primitive_type(type);
    if (error != std::errc() || end != digits.data() + digits.size() || primitive == nullptr) {
      refuse(message_name, line);
    }
    result.type = *primitive;
    return result;
  }

  static void read_shape(const std::string& message_name, std::string_view line,
                         std::string_view bracket, MessageField& field) {
    if (bracket == "[]") {
      field.shape = FieldShape::kSequence;
      return;
    }
    field.shape = FieldShape::kArray;
    const char* last = bracket.data() + bracket.size() - 1;
    const auto [end, error] = std::from_chars(bracket.data() + 1, last, field.count);
    if (error != std::errc() || end != last || *last != ']') refuse(message_name, line);
  }

  static void read_comment(std::string_view comment, MessageField& field) {
    const std::size_t end = comment.starts_with('[') ? comment.find(']') : std::string_view::npos;
    if (end != std::string_view::npos) {
      field.unit = comment.substr(1, end - 1);
      comment = trimmed(comment.substr(end + 1));
    }
    field.comment = comment;
  }

  Definitions definitions_;
};

}  // namespace

SchemaPtr MessageSchema::parse(const std::string& name, std::string_view definition) {
  return Parser(name, definition).message(name, 0);
}

}  // namespace jointrig::harness
