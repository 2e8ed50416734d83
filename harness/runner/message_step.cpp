#include "harness/runner/message_step.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "control/core/command_facts.h"
#include "control/core/command_numbers.h"
#include "harness/config/units.h"
#include "harness/runner/step_reader.h"

namespace jointrig::harness {
namespace {

/// A hand or foot, which people call by name.
bool is_limb(const FieldInfo& field) noexcept {
  return field.range == Range::kHand || field.range == Range::kFoot;
}

constexpr std::string_view kGivenIn = "given_in";
constexpr std::string_view kFootFrame = "_foot";

/// Parts of a whole-body message by their names: those of hands and feet behind the limb's own.
struct PartWord {
  std::string_view word;
  BodyTopic topic;
  CommandKind kind;  ///< of the part's own message
  Range limb;        ///< kHand or kFoot: its name is before the word; else kWord
};
constexpr std::array kParts{
    PartWord{"_hand", BodyTopic::kHand, CommandKind::kHandTrajectory, Range::kHand},
    PartWord{"_arm", BodyTopic::kArm, CommandKind::kArmJointTrajectory, Range::kHand},
    PartWord{"_foot", BodyTopic::kFoot, CommandKind::kFootTrajectory, Range::kFoot},
    PartWord{"chest", BodyTopic::kChest, CommandKind::kChestTrajectory, Range::kWord},
    PartWord{"head", BodyTopic::kHead, CommandKind::kHeadTrajectory, Range::kWord},
    PartWord{"neck", BodyTopic::kNeck, CommandKind::kNeckTrajectory, Range::kWord},
    PartWord{"pelvis", BodyTopic::kPelvis, CommandKind::kPelvisOrientation, Range::kWord},
    PartWord{"height", BodyTopic::kHeight, CommandKind::kPelvisHeight, Range::kWord},
    PartWord{"place", BodyTopic::kPlace, CommandKind::kPelvisTrajectory, Range::kWord},
    PartWord{"_fingers", BodyTopic::kFingers, CommandKind::kArmJointTrajectory, Range::kHand},
};

/// Null: no part is called so.
const PartWord* part_called(std::string_view name) noexcept {
  const auto is_it = [&](const PartWord& part) {
    return part.limb == Range::kWord ? name == part.word
                                     : name.size() > part.word.size() && name.ends_with(part.word);
  };
  const auto found = std::find_if(kParts.begin(), kParts.end(), is_it);
  return found == kParts.end() ? nullptr : &*found;
}

/// Choices of a part in a whole-body message, behind its name.
struct ChoiceWord {
  std::string_view word;
  PartChoice choice;
};
constexpr std::array kChoices{ChoiceWord{"_weights", PartChoice::kWeights},
                              ChoiceWord{"_left_out", PartChoice::kLeftOut},
                              ChoiceWord{"_frame", PartChoice::kFrame}};

/// A row's name: a part, and the choice that the row has of it.
struct RowName {
  const PartWord* part = nullptr;  ///< null: no part is called so
  std::string part_name;
  PartChoice choice = PartChoice::kNone;
};

RowName row_called(std::string_view name) {
  RowName row;
  for (const ChoiceWord& one : kChoices) {
    if (!name.ends_with(one.word)) continue;
    row.choice = one.choice;
    name.remove_suffix(one.word.size());
    break;
  }
  row.part = part_called(name);
  row.part_name = name;
  return row;
}

double read_word(const YamlNode& node, std::span<const std::string_view> words) {
  const auto found = std::find(words.begin(), words.end(), node.text());
  if (found != words.end()) return static_cast<double>(found - words.begin());
  std::string all;
  for (const std::string_view word : words) all += (all.empty() ? "" : ", ") + std::string(word);
  throw node.error("\"" + node.text() + "\" is none of " + all);
}

double read_choice(PartChoice choice, const YamlNode& node) {
  if (choice == PartChoice::kFrame) return read_word(node, kTaskFrameWords);
  if (choice == PartChoice::kLeftOut) return node.boolean() ? 1.0 : 0.0;
  return quantity(node, "1");
}

/// Unit of a number in a row of waypoints. Behind the place come velocities, if the row has them.
/// @param joints  that a row of joints has
std::string_view unit_in_row(CommandKind kind, std::size_t column, std::size_t joints) {
  if (kind == CommandKind::kFootstepList || kind == CommandKind::kFootstep) {
    return column >= 1 && column <= 3 ? "m" : "1";
  }
  if (column == 0) return "s";
  switch (kind) {
    case CommandKind::kArmJointTrajectory:
    case CommandKind::kNeckTrajectory:
      return column <= joints ? "rad" : "rad/s";
    case CommandKind::kPelvisHeight:
      return column == 1 ? "m" : "m/s";
    case CommandKind::kHandTrajectory:
    case CommandKind::kFootTrajectory:
    case CommandKind::kPelvisTrajectory:
      if (column <= 3) return "m";
      return column <= 7 ? "1" : column <= 10 ? "m/s" : "rad/s";
    default:
      return column <= 4 ? "1" : "rad/s";
  }
}

/// Numbers in a row, or rows of numbers.
/// @param velocities  the rows have them: those of joints are the second half
void read_rows(CommandKind kind, const FieldInfo& field, const YamlNode& node, bool velocities,
               MessageStep& step) {
  const bool is_whole_body = kind == CommandKind::kWholeBodyTrajectory;
  std::vector<double>& numbers = step.numbers;
  for (const YamlNode& row : node.items()) {
    if (!row.is_sequence()) {
      if (is_whole_body && !step.parts.empty()) {
        throw row.error("let it be a row: the name of a part, a time, a place");
      }
      numbers.push_back(quantity(row, file_unit_of(field.quantity, false)));
      continue;
    }
    if (is_whole_body && step.parts.empty() && numbers.size() > field.place) {
      throw row.error("the numbers before it are in no row: write all as rows, or none");
    }
    CommandKind of = kind;
    bool is_name = is_whole_body;
    std::size_t column = 0;
    const std::size_t columns = row.items().size() - (is_whole_body ? 1 : 0);
    const std::size_t joints = velocities ? columns / 2 : columns;
    bool is_place = false;
    PartChoice choice = PartChoice::kNone;
    for (const YamlNode& number : row.items()) {
      if (choice != PartChoice::kNone) {
        numbers.push_back(read_choice(choice, number));
        continue;
      }
      if (!is_name) {
        const bool is_speed = is_place && column > 2;
        numbers.push_back(quantity(number, is_speed ? "m/s" : unit_in_row(of, column, joints)));
        ++column;
        continue;
      }
      is_name = false;
      const RowName name = row_called(number.text());
      const PartWord* part = name.part;
      if (part == nullptr) {
        throw number.error("\"" + number.text() +
                           "\" is no part; it is chest, head, neck, pelvis, height, place, or a "
                           "hand or foot of robot.yaml as NAME_hand, NAME_arm, NAME_fingers, "
                           "NAME_foot; and one of these with _weights, _left_out or _frame");
      }
      of = part->kind;
      choice = name.choice;
      is_place = part->topic == BodyTopic::kPlace;
      step.parts.emplace_back(numbers.size(), read_text(number));
      numbers.push_back(0.0);
    }
  }
}

/// `left_foot`: a frame by the name of a foot in robot.yaml, which is no word of the field.
bool is_foot_frame(const FieldInfo& field, const YamlNode& node) {
  if (field.name != kGivenIn) return false;
  const auto& words = kPointFrameWords;
  return node.text().ends_with(kFootFrame) &&
         std::find(words.begin(), words.end(), node.text()) == words.end();
}

double read_number(const FieldInfo& field, const YamlNode& node) {
  if (!field.words.empty()) return read_word(node, field.words);
  if (field.range == Range::kFlag) return node.boolean() ? 1.0 : 0.0;
  return quantity(node, file_unit_of(field.quantity, false));
}

/// Numbers of a fixed count; none given: 0 each.
void append_numbers(const FieldInfo& field, const YamlNode* given, std::vector<double>& numbers) {
  if (given != nullptr && given->items().size() != field.most) {
    throw given->error(fmt::format("\"{}\" has {} numbers; let it be {}", field.name,
                                   given->items().size(), field.most));
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

/// Names of the hands or feet.
std::vector<std::string> limb_names(Range limb, const RobotConfig& config) {
  std::vector<std::string> names;
  if (config.whole_body && limb == Range::kFoot) {
    for (const FootConfig& foot : config.whole_body->feet) names.push_back(foot.name);
  } else if (config.whole_body) {
    for (const HandConfig& hand : config.whole_body->hands) names.push_back(hand.name);
  }
  return names;
}

/// Number of a hand or foot by its name.
double limb_number(Range limb, const Text& name, const RobotConfig& config) {
  const std::vector<std::string> names = limb_names(limb, config);
  const auto found = std::find(names.begin(), names.end(), name.text);
  if (found == names.end()) {
    throw FileError(name.spot, std::string("the robot has no ") +
                                   (limb == Range::kFoot ? "foot" : "hand") + " \"" + name.text +
                                   "\" in whole_body of its robot.yaml");
  }
  return static_cast<double>(found - names.begin());
}

/// Number of a part in a whole-body message.
double part_number(const Text& name, const RobotConfig& config) {
  const RowName row = row_called(name.text);
  const PartWord& part = *row.part;
  const auto topic = static_cast<double>(part.topic);
  double limb = 0.0;
  if (part.limb != Range::kWord) {
    const std::string own = row.part_name.substr(0, row.part_name.size() - part.word.size());
    limb = limb_number(part.limb, {own, name.spot}, config);
  }
  return static_cast<double>(kPartNumbers) * static_cast<double>(row.choice) +
         static_cast<double>(kMaxHands) * topic + limb;
}

/// A number of a row as it is written in a file.
YamlNode choice_node(PartChoice choice, double number, const YamlNode& as_number) {
  if (choice == PartChoice::kLeftOut) {
    return {YamlNode::Kind::kBoolean, number != 0.0 ? "true" : "false", {}};
  }
  if (choice != PartChoice::kFrame) return as_number;
  return {
      YamlNode::Kind::kString, std::string(kTaskFrameWords[static_cast<std::size_t>(number)]), {}};
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
      if (given == nullptr) continue;
      const YamlNode* velocities = node.find("velocities");
      read_rows(step.kind, field, *given, velocities != nullptr && velocities->boolean(), step);
      const std::size_t count = step.numbers.size() - field.place;
      if (count > field.most) {
        throw given->error(
            fmt::format("it has {} numbers, more than the {} of a message", count, field.most));
      }
    } else if (field.most > 1) {
      append_numbers(field, given, step.numbers);
    } else if (given != nullptr && is_foot_frame(field, *given)) {
      step.given_in = read_text(*given);
      step.numbers.push_back(0.0);
    } else {
      step.numbers.push_back(given == nullptr ? 0.0 : read_number(field, *given));
    }
  }
  return step;
}

/// The numbers of a whole-body message as rows, each behind the name of its part.
static std::vector<YamlNode> rows_of_parts(const MessageStep& step,
                                           const std::vector<YamlNode>& numbers,
                                           const FieldInfo& field) {
  std::vector<YamlNode> rows;
  for (std::size_t i = 0; i < step.parts.size(); ++i) {
    const auto& [place, name] = step.parts[i];
    const std::size_t end =
        i + 1 < step.parts.size() ? step.parts[i + 1].first : step.numbers.size();
    std::vector<YamlNode> row{YamlNode(YamlNode::Kind::kString, name.text, {})};
    const PartChoice choice = row_called(name.text).choice;
    for (std::size_t k = place + 1; k < end; ++k) {
      row.push_back(choice_node(choice, step.numbers[k], numbers[k - field.place]));
    }
    rows.emplace_back(std::move(row), SourceSpot{});
  }
  return rows;
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
  const auto flag_node = [](double number) {
    return YamlNode(Kind::kBoolean, number != 0.0 ? "true" : "false", {});
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
        const bool is_flag = field.range == Range::kFlag;
        items.push_back(is_flag ? flag_node(step.numbers[i]) : number_node(step.numbers[i]));
      }
      if (!step.parts.empty() && field.is_list) items = rows_of_parts(step, items, field);
      put(field.name, YamlNode(std::move(items), {}));
      continue;
    }
    const double number = step.numbers[field.place];
    if (field.name == kGivenIn && !step.given_in.text.empty()) {
      put(field.name, word(step.given_in.text));
    } else if (!field.words.empty()) {
      put(field.name, word(field.words[static_cast<std::size_t>(number)]));
    } else if (field.range == Range::kFlag) {
      put(field.name, flag_node(number));
    } else {
      put(field.name, number_node(number));
    }
  }
  return YamlNode(std::move(entries), {});
}

MessageStep message_step_of(const Request& message, const RobotConfig& config) {
  MessageStep step;
  step.kind = kind_of(message);
  for_each_number_of(message, [&](double number) { step.numbers.push_back(number); });
  for (const FieldInfo& field : fields_of(step.kind)) {
    if (!is_limb(field)) continue;
    const std::vector<std::string> names = limb_names(field.range, config);
    double& number = step.numbers[field.place];
    const auto limb = static_cast<std::size_t>(number);
    if (limb < names.size()) {
      step.hand.text = names[limb];
    } else if (limb > 0) {
      throw std::invalid_argument("the robot's file has no " + std::string(field.name) +
                                  " of number " + yaml_number(number));
    }
    number = 0.0;
  }
  return step;
}

Request message_of(const MessageStep& step, const Binder& binder) {
  std::vector<double> numbers = step.numbers;
  for (const FieldInfo& field : fields_of(step.kind)) {
    if (is_limb(field) && !step.hand.text.empty()) {
      numbers[field.place] = limb_number(field.range, step.hand, binder.config());
    }
    if (field.name == kGivenIn && !step.given_in.text.empty()) {
      const std::string foot =
          step.given_in.text.substr(0, step.given_in.text.size() - kFootFrame.size());
      numbers[field.place] = static_cast<double>(PointFrame::kFoot1) +
                             limb_number(Range::kFoot, {foot, step.given_in.spot}, binder.config());
    }
  }
  for (const auto& [place, name] : step.parts) numbers[place] = part_number(name, binder.config());
  Request request = blank_request(step.kind);
  fill_fields(request, numbers);
  return request;
}

}  // namespace jointrig::harness
