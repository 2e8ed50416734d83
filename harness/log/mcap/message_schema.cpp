#include "harness/log/mcap/message_schema.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <stdexcept>
#include <utility>

namespace jointrig::harness {
namespace {

struct TypeWord {
  std::string_view word;
  std::size_t size;
};

// In the order of FieldType.
constexpr std::array<TypeWord, 13> kTypes = {{{"bool", 1},
                                              {"byte", 1},
                                              {"int8", 1},
                                              {"uint8", 1},
                                              {"int16", 2},
                                              {"uint16", 2},
                                              {"int32", 4},
                                              {"uint32", 4},
                                              {"int64", 8},
                                              {"uint64", 8},
                                              {"float32", 4},
                                              {"float64", 8},
                                              {"string", 0}}};

constexpr std::size_t kMostLeaves = 4096;  // a choice; bounds definitions read from a file

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The rule of ROS for fields and packages: lower case, digits and single inner underscores.
bool is_field_name(std::string_view name) {
  if (name.empty() || !is_lower(name.front()) || name.back() == '_') return false;
  if (name.find("__") != std::string_view::npos) return false;
  return std::all_of(name.begin(), name.end(),
                     [](char c) { return is_lower(c) || is_digit(c) || c == '_'; });
}

bool is_message_name(std::string_view name) {
  const std::size_t end = name.find("/msg/");
  if (end == std::string_view::npos || !is_field_name(name.substr(0, end))) return false;
  const std::string_view word = name.substr(end + 5);
  return !word.empty() && is_upper(word.front()) &&
         std::all_of(word.begin(), word.end(),
                     [](char c) { return is_lower(c) || is_upper(c) || is_digit(c); });
}

/// "std_msgs/msg/Header" as definitions name it: "std_msgs/Header".
std::string short_name(const std::string& name) {
  const std::size_t at = name.find("/msg/");
  return at == std::string::npos ? name : name.substr(0, at) + name.substr(at + 4);
}

void check(const std::string& message, const MessageField& field) {
  const auto refuse = [&](const std::string& why) {
    throw std::invalid_argument("message " + message + ", field '" + field.name + "': " + why);
  };
  if (!is_field_name(field.name)) {
    refuse("a field's name has lower-case letters, digits and single inner underscores");
  }
  if ((field.unit + field.comment).find_first_of("\r\n") != std::string::npos) {
    refuse("unit and comment are one line");
  }
  if (field.unit.find_first_of("[],") != std::string::npos) {
    refuse("unit '" + field.unit + "' has brackets or commas");
  }
  if ((field.type == FieldType::kMessage) != (field.message != nullptr)) {
    refuse("a nested message, and only that, has a schema of its own");
  }
  if (field.type == FieldType::kMessage && field.shape != FieldShape::kSingle) {
    refuse("arrays of messages are not supported");
  }
  if (field.shape == FieldShape::kArray && field.count == 0) refuse("an array of no elements");
}

void collect_nested(const MessageSchema& schema, std::vector<const MessageSchema*>& found) {
  for (const MessageField& field : schema.fields()) {
    if (field.message == nullptr) continue;
    const bool known = std::any_of(found.begin(), found.end(), [&](const MessageSchema* other) {
      return other->name() == field.message->name();
    });
    if (known) continue;
    found.push_back(field.message.get());
    collect_nested(*field.message, found);
  }
}

void append_shape(std::string& text, const MessageField& field) {
  if (field.shape == FieldShape::kSequence) text.append("[]");
  if (field.shape == FieldShape::kArray) {
    text += fmt::format("[{}]", field.count);
  }
}

}  // namespace

std::string_view to_string(FieldType type) noexcept {
  const auto index = static_cast<std::size_t>(type);
  return index < kTypes.size() ? kTypes[index].word : std::string_view();
}

std::size_t size_of(FieldType type) noexcept {
  const auto index = static_cast<std::size_t>(type);
  return index < kTypes.size() ? kTypes[index].size : 0;
}

MessageSchema::MessageSchema(std::string name, std::vector<MessageField> fields,
                             std::vector<MessageConstant> constants)
    : name_(std::move(name)), fields_(std::move(fields)), constants_(std::move(constants)) {
  if (!is_message_name(name_)) {
    throw std::invalid_argument("message name '" + name_ +
                                "' is not of the form pkg/msg/CamelCase");
  }
  if (fields_.empty()) throw std::invalid_argument("message " + name_ + " has no fields");
  std::set<std::string_view> names;
  for (const MessageField& field : fields_) {
    check(name_, field);
    if (!names.insert(field.name).second) {
      throw std::invalid_argument("message " + name_ + " has two fields '" + field.name + "'");
    }
    if (field.message == nullptr) {
      leaves_.push_back({field.name, field.type, field.shape, field.count, field.unit});
      continue;
    }
    for (MessageLeaf leaf : field.message->leaves()) {
      leaf.path = field.name + "." + leaf.path;
      leaves_.push_back(std::move(leaf));
    }
    if (leaves_.size() > kMostLeaves) {
      throw std::invalid_argument(
          fmt::format("message {} has more than {} values", name_, kMostLeaves));
    }
  }
}

std::string MessageSchema::own_definition() const {
  std::string text;
  for (const MessageConstant& constant : constants_) {
    text += fmt::format("{} {}={}\n", to_string(constant.type), constant.name, constant.value);
  }
  for (const MessageField& field : fields_) {
    text += field.message == nullptr ? std::string(to_string(field.type))
                                     : short_name(field.message->name());
    append_shape(text, field);
    text.append(" ").append(field.name);
    // ROS tools take a unit from the square brackets of a comment.
    if (!field.unit.empty() || !field.comment.empty()) text.append("  #");
    if (!field.unit.empty()) text.append(" [").append(field.unit).append("]");
    if (!field.comment.empty()) text.append(" ").append(field.comment);
    text += "\n";
  }
  return text;
}

std::string MessageSchema::definition() const {
  std::vector<const MessageSchema*> nested;
  collect_nested(*this, nested);
  std::string text = own_definition();
  for (const MessageSchema* schema : nested) {
    text += std::string(80, '=') + "\nMSG: " + short_name(schema->name()) + "\n";
    text += schema->own_definition();
  }
  return text;
}

}  // namespace jointrig::harness
