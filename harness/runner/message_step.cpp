#include "harness/runner/message_step.h"

#include <algorithm>
#include <string>
#include <vector>

#include "control/core/command_facts.h"
#include "control/core/command_numbers.h"
#include "harness/config/units.h"
#include "harness/runner/step_reader.h"

namespace jointrig::harness {
namespace {

bool has_place(CommandKind kind) noexcept {
  return kind == CommandKind::kHandTrajectory || kind == CommandKind::kFootTrajectory;
}

/// A hand or foot, which people call by name.
bool is_limb(const FieldInfo& field) noexcept {
  return field.range == Range::kHand || field.range == Range::kFoot;
}

/// Unit of a number in a row of waypoints.
std::string_view unit_in_row(CommandKind kind, std::size_t column) {
  if (kind == CommandKind::kFootstepList) return column >= 1 && column <= 3 ? "m" : "1";
  if (column == 0) return "s";
  if (kind == CommandKind::kArmJointTrajectory) return "rad";
  if (kind == CommandKind::kPelvisHeight) return "m";
  return has_place(kind) && column <= 3 ? "m" : "1";
}

/// Numbers in a row, or rows of numbers.
std::vector<double> read_rows(CommandKind kind, const YamlNode& node) {
  std::vector<double> numbers;
  for (const YamlNode& row : node.items()) {
    if (!row.is_sequence()) {
      numbers.push_back(quantity(row, "1"));
      continue;
    }
    std::size_t column = 0;
    for (const YamlNode& number : row.items()) {
      numbers.push_back(quantity(number, unit_in_row(kind, column++)));
    }
  }
  return numbers;
}

double read_word(const YamlNode& node, std::span<const std::string_view> words) {
  const auto found = std::find(words.begin(), words.end(), node.text());
  if (found != words.end()) return static_cast<double>(found - words.begin());
  std::string all;
  for (const std::string_view word : words) all += (all.empty() ? "" : ", ") + std::string(word);
  throw node.error("\"" + node.text() + "\" is none of " + all);
}

double read_number(const FieldInfo& field, const YamlNode& node) {
  if (!field.words.empty()) return read_word(node, field.words);
  if (field.range == Range::kFlag) return node.boolean() ? 1.0 : 0.0;
  return quantity(node, file_unit_of(field.quantity, false));
}

/// Numbers of a fixed count; none given: 0 each.
void append_numbers(const FieldInfo& field, const YamlNode* given, std::vector<double>& numbers) {
  if (given != nullptr && given->items().size() != field.most) {
    throw given->error("\"" + std::string(field.name) + "\" has " +
                       std::to_string(given->items().size()) + " numbers; let it be " +
                       std::to_string(field.most));
  }
  for (std::size_t i = 0; i < field.most; ++i) {
    numbers.push_back(given == nullptr ? 0.0 : read_number(field, given->items()[i]));
  }
}

void check_keys(const YamlNode& node, CommandKind kind) {
  const std::span<const FieldInfo> fields = fields_of(kind);
  for (const YamlNode::Entry& entry : node.entries()) {
    const bool is_field = std::any_of(fields.begin(), fields.end(), [&](const FieldInfo& field) {
      return field.name == entry.key;
    });
    if (is_field || entry.key == "kind") continue;
    throw FileError(node.key_spot(entry.key),
                    std::string(to_string(kind)) + " has no \"" + entry.key + "\"");
  }
}

/// Number of a hand or foot by its name.
double limb_number(const FieldInfo& field, const Text& name, const RobotConfig& config) {
  std::vector<std::string> names;
  if (config.whole_body && field.range == Range::kFoot) {
    for (const FootConfig& foot : config.whole_body->feet) names.push_back(foot.name);
  } else if (config.whole_body) {
    for (const HandConfig& hand : config.whole_body->hands) names.push_back(hand.name);
  }
  const auto found = std::find(names.begin(), names.end(), name.text);
  if (found == names.end()) {
    throw FileError(name.spot, "the robot has no " + std::string(field.name) + " \"" + name.text +
                                   "\" in whole_body of its robot.yaml");
  }
  return static_cast<double>(found - names.begin());
}

}  // namespace

MessageStep read_message(const YamlNode& node) {
  MessageStep step;
  parse(node.at("kind").text(), step.kind);  // the schema has checked the word
  check_keys(node, step.kind);
  for (const FieldInfo& field : fields_of(step.kind)) {
    const YamlNode* given = node.find(field.name);
    if (is_limb(field)) {
      if (given != nullptr) step.hand = read_text(*given);
      step.numbers.push_back(0.0);
    } else if (field.is_list) {
      const std::vector<double> rows =
          given == nullptr ? std::vector<double>() : read_rows(step.kind, *given);
      if (rows.size() > field.most) {
        throw given->error("it has " + std::to_string(rows.size()) + " numbers, more than the " +
                           std::to_string(field.most) + " of a message");
      }
      step.numbers.insert(step.numbers.end(), rows.begin(), rows.end());
    } else if (field.most > 1) {
      append_numbers(field, given, step.numbers);
    } else {
      step.numbers.push_back(given == nullptr ? 0.0 : read_number(field, *given));
    }
  }
  return step;
}

YamlNode message_node(const MessageStep& step) {
  std::vector<YamlNode::Entry> entries;
  using Kind = YamlNode::Kind;
  const auto word = [](std::string_view text) {
    return YamlNode(Kind::kString, std::string(text), {});
  };
  const auto number_node = [](double number) {
    return YamlNode(Kind::kNumber, yaml_number(number), {});
  };
  const auto put = [&](std::string_view key, const YamlNode& value) {
    entries.push_back({std::string(key), {}, value});
  };
  put("kind", word(to_string(step.kind)));
  for (const FieldInfo& field : fields_of(step.kind)) {
    if (is_limb(field)) {
      if (!step.hand.text.empty()) put(field.name, word(step.hand.text));
      continue;
    }
    if (field.is_list || field.most > 1) {
      const std::size_t end = field.is_list ? step.numbers.size() : field.place + field.most;
      std::vector<YamlNode> items;
      for (std::size_t i = field.place; i < end; ++i) {
        items.push_back(number_node(step.numbers[i]));
      }
      put(field.name, YamlNode(std::move(items), {}));
      continue;
    }
    const double number = step.numbers[field.place];
    if (!field.words.empty()) {
      put(field.name, word(field.words[static_cast<std::size_t>(number)]));
    } else if (field.range == Range::kFlag) {
      put(field.name, YamlNode(Kind::kBoolean, number != 0.0 ? "true" : "false", {}));
    } else {
      put(field.name, number_node(number));
    }
  }
  return YamlNode(std::move(entries), {});
}

Request message_of(const MessageStep& step, const Binder& binder) {
  std::vector<double> numbers = step.numbers;
  for (const FieldInfo& field : fields_of(step.kind)) {
    if (is_limb(field) && !step.hand.text.empty()) {
      numbers[field.place] = limb_number(field, step.hand, binder.config());
    }
  }
  Request request = blank_request(step.kind);
  fill_fields(request, numbers);
  return request;
}

}  // namespace jointrig::harness
