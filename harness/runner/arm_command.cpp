#include "harness/runner/arm_command.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <initializer_list>

#include "control/core/command_facts.h"
#include "control/core/command_numbers.h"
#include "control/core/quaternion.h"
#include "control/exchange/robot_client.h"
#include "harness/runner/command_run.h"
#include "harness/runner/interaction_setting.h"
#include "harness/runner/step_reader.h"

namespace jointrig::harness {
namespace {

/// Largest number of a command for an arm: interaction control.
constexpr std::size_t kMostArmNumbers = 80;

struct Setting {
  std::string_view key;
  CommandKind kind;
};
constexpr auto kLists = std::to_array<Setting>({{"stiffness", CommandKind::kSetToolStiffness},
                                                {"damping", CommandKind::kSetToolDamping},
                                                {"damping_ratio", CommandKind::kSetToolDamping}});

/// As files write the number at a place of so many of a command.
std::string_view units_of(CommandKind kind, std::size_t count, std::size_t place) {
  const auto [field, index] = number_at(fields_of(kind), place);
  if (field == nullptr) return "1";
  const bool is_matrix =
      field->range == Range::kToolStiffness || field->range == Range::kToolDamping;
  if (is_matrix && field->is_list && count - field->place != 6) return "1";
  const bool has_axes = field->most >= 6 && field->range != Range::kPostureStiffness &&
                        field->range != Range::kLoadInertia;
  return file_unit_of(field->quantity, has_axes && index < 3);
}

void read_terms(const YamlNode& terms, std::vector<ArmSetting>& settings) {
  for (const YamlNode::Entry& entry : terms.entries()) {
    ArmTerm term{};
    parse(entry.key, term);
    const Text number{fmt::format("{}", static_cast<int>(term)), entry.spot};
    const Text on{entry.value.boolean() ? "1" : "0", entry.value.spot()};
    settings.push_back({CommandKind::kSetArmTerm, {number, on}});
  }
}

/// Reads the numbers of a key, or takes those that it has by default.
void read_list(const YamlNode& node, const char* key, std::initializer_list<const char*> defaults,
               ArmSetting& setting) {
  const YamlNode* list = node.find(key);
  std::size_t i = 0;
  for (const char* number : defaults) {
    setting.numbers.push_back(list != nullptr ? read_text(list->items()[i++])
                                              : Text{number, node.spot()});
  }
}

}  // namespace

ToolPlace read_tool_place(const YamlNode& node) {
  const auto only_one = [&](const char* a, const char* b) {
    if (node.find(a) == nullptr || node.find(b) == nullptr) return;
    throw FileError(node.key_spot(b),
                    "only one of \"" + std::string(a) + "\", \"" + b + "\" can be given");
  };
  only_one("position", "by");
  only_one("orientation", "turn");
  return {read_texts(node.find("position")), read_texts(node.find("by")),
          read_texts(node.find("orientation")), read_texts(node.find("turn"))};
}

ToolTarget read_tool_target(const YamlNode& node) {
  return {read_tool_place(node), read_text(node.at("arm"))};
}

ToolTarget read_commanded_target(const YamlNode& node) {
  ToolTarget target = read_tool_target(node);
  const YamlNode* frame = node.find("frame");
  if (frame == nullptr) return target;
  parse(frame->text(), target.frame);  // the schema has checked the word
  if (target.frame == TargetFrame::kWorld &&
      (target.position.empty() || target.orientation.empty())) {
    throw node.error("in the world give \"position\" and \"orientation\", both");
  }
  return target;
}

std::vector<ArmSetting> read_arm_settings(const YamlNode& node) {
  std::vector<ArmSetting> settings;
  for (const Setting& list : kLists) {
    if (const YamlNode* numbers = node.find(list.key)) {
      settings.push_back({list.kind, read_texts(numbers)});
      const bool is_damping = list.key == "damping";  // its ratio comes first, and doesn't count
      std::vector<Text>& texts = settings.back().numbers;
      if (is_damping) texts.insert(texts.begin(), Text{"0", numbers->spot()});
    }
  }
  if (const YamlNode* terms = node.find("terms")) read_terms(*terms, settings);
  if (const YamlNode* filter = node.find("force_filter")) {
    settings.push_back({CommandKind::kSetForceFilter, {read_text(*filter)}});
  }
  if (node.find("tare") != nullptr) settings.push_back({CommandKind::kTareForceSensor, {}});
  if (const YamlNode* payload = node.find("payload")) {
    ArmSetting load{CommandKind::kSetPayload, {read_text(payload->at("mass"))}};
    read_list(*payload, "centre", {"0", "0", "0"}, load);
    read_list(*payload, "inertia", {"0", "0", "0", "0", "0", "0"}, load);
    settings.push_back(load);
  }
  if (const YamlNode* tool = node.find("tool")) {
    ArmSetting frame{CommandKind::kSetTool, {}};
    read_list(*tool, "position", {"0", "0", "0"}, frame);
    read_list(*tool, "orientation", {"1", "0", "0", "0"}, frame);
    settings.push_back(frame);
  }
  for (ArmSetting& more : read_interaction_settings(node)) settings.push_back(std::move(more));
  return settings;
}

ArmIndex arm_named(const Text& name, const RobotConfig& config, bool may_be_unknown) {
  try {
    return jointrig::arm_named(config, name.text);
  } catch (const UnknownName& error) {
    if (may_be_unknown) return static_cast<ArmIndex>(config.arms.size());
    throw FileError(name.spot, error.what());
  }
}

BoundArmCommand::BoundArmCommand(CommandKind kind, const ToolTarget& target, ArmIndex arm,
                                 const Binder& binder)
    : kind_(kind),
      arm_(arm),
      is_by_(target.position.empty()),
      is_turn_(target.orientation.empty()),
      frame_(target.frame) {
  const std::vector<ArmConfig>& arms = binder.config().arms;
  const auto bind = [&](const Text& text, std::string_view units) {
    return binder.value(text, 0, units);
  };
  constexpr std::array<std::string_view, 7> kGoal{"x", "y", "z", "qw", "qx", "qy", "qz"};
  for (const std::string_view axis : kGoal) {
    if (arm >= arms.size()) {  // it is to be refused, wherever its goal is
      from_.emplace_back(axis == "qw" ? 1.0 : 0.0);
      continue;
    }
    const std::string goal = quoted_where_odd(arms[arm].name) + ".goal." + std::string(axis);
    from_.push_back(bind({goal, target.arm.spot}, axis.size() == 1 ? "m" : "1"));
  }
  for (const Text& text : is_by_ ? target.by : target.position) {
    numbers_.push_back(bind(text, "m"));
  }
  while (numbers_.size() < 3) numbers_.emplace_back(0.0);
  for (const Text& text : is_turn_ ? target.turn : target.orientation) {
    numbers_.push_back(bind(text, is_turn_ ? "rad" : "1"));
  }
  while (is_turn_ && numbers_.size() < 6) numbers_.emplace_back(0.0);
}

BoundArmCommand::BoundArmCommand(const ArmSetting& setting, ArmIndex arm, const Binder& binder)
    : kind_(setting.kind), arm_(arm) {
  Request blank = blank_request(kind_);
  if (!fill_fields(blank, std::vector<double>(setting.numbers.size()))) {
    const std::span<const FieldInfo> fields = fields_of(kind_);
    throw FileError(setting.numbers.front().spot,
                    fmt::format("{} takes at most {} numbers, got {}", to_string(kind_),
                                fields.back().place + fields.back().most, setting.numbers.size()));
  }
  const std::vector<ArmConfig>& arms = binder.config().arms;
  for (std::size_t i = 0; i < setting.numbers.size(); ++i) {
    if (setting.numbers[i].text == kArmsCap) {
      const auto [field, axis] = number_at(fields_of(kind_), i);
      numbers_.emplace_back(arm < arms.size() ? arms[arm].stiffness_max[axis] : 0.0);
      continue;
    }
    numbers_.push_back(
        binder.value(setting.numbers[i], 0, units_of(setting.kind, setting.numbers.size(), i)));
  }
}

bool BoundArmCommand::is_fixed() const noexcept {
  return from_.empty() && std::all_of(numbers_.begin(), numbers_.end(),
                                      [](const BoundValue& number) { return number.is_fixed(); });
}

Command BoundArmCommand::make(TimeNs now) const noexcept {
  FixedVector<double, kMostArmNumbers> numbers;
  for (const BoundValue& number : numbers_) numbers.push_back(number.value());
  for (std::size_t i = 0; i < 3 && is_by_; ++i) numbers[i] += from_[i].value();
  if (is_turn_) {
    const Quaternion goal{from_[3].value(), from_[4].value(), from_[5].value(), from_[6].value()};
    const Quaternion turn = of_turn(numbers[3], numbers[4], numbers[5]);
    numbers.resize(3);
    for (const double part : product(turn, goal)) numbers.push_back(part);
  }
  if (frame_) numbers.push_back(as_number(*frame_));
  Request request = blank_request(kind_);
  set_arm(request, arm_);
  fill_fields(request, {numbers.data(), numbers.size()});
  return make_command(request, now);
}

}  // namespace jointrig::harness
