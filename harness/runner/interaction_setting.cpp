#include "harness/runner/interaction_setting.h"

#include <fmt/core.h>

#include <array>
#include <stdexcept>

#include "control/core/command_facts.h"
#include "control/core/command_numbers.h"
#include "control/core/tool_axes.h"
#include "harness/runner/step_reader.h"

namespace jointrig::harness {
namespace {

std::size_t at(std::string_view field) {
  for (const FieldInfo& info : fields_of(CommandKind::kSetInteractionControl)) {
    if (info.name == field) return info.place;
  }
  throw std::logic_error("interaction control has no such field");
}
constexpr std::size_t kAtModes = place_of<SetInteractionControl>("mode");
constexpr std::size_t kAtStiffness = place_of<SetInteractionControl>("stiffness");
constexpr std::size_t kAtMaxImpedance = place_of<SetInteractionControl>("max_impedance");
constexpr std::size_t kAtDampingSource = place_of<SetInteractionControl>("damping_source");
constexpr std::size_t kAtDampingRatio = place_of<SetInteractionControl>("damping_ratio");
constexpr std::size_t kAtOrientation = place_of<SetInteractionControl>("orientation");
constexpr std::size_t kAtFrame = place_of<SetInteractionControl>("frame");
constexpr std::size_t kAtPostureStiffness = place_of<SetInteractionControl>("posture_stiffness");

/// Lists of numbers and flags whose key is the field's name.
constexpr auto kNumberLists =
    std::to_array<std::string_view>({"stiffness", "damping", "force", "point", "orientation"});
constexpr auto kFlags =
    std::to_array<std::string_view>({"undamped_force", "keep_reference", "turn_freely"});

std::size_t size_of(std::string_view field) {
  for (const FieldInfo& info : fields_of(CommandKind::kSetInteractionControl)) {
    if (info.name == field) return info.most;
  }
  return 0;
}

template <typename Enum>
std::string place_of(std::string_view word) {
  Enum value{};
  parse(word, value);  // the schema has checked the word
  return fmt::format("{}", static_cast<int>(value));
}

/// Defaults of the Sawyer's options for a missing key: impedance at the arm's caps.
std::vector<Text> usual_numbers(const SourceSpot& spot) {
  std::vector<Text> numbers(kAtPostureStiffness, Text{"0", spot});
  numbers[at("active")].text = "1";
  for (std::size_t i = 0; i < 6; ++i) numbers[kAtStiffness + i].text = kArmsCap;
  numbers[kAtOrientation].text = "1";
  return numbers;
}

ArmSetting read_interaction(const YamlNode& node) {
  ArmSetting setting{CommandKind::kSetInteractionControl, usual_numbers(node.spot())};
  std::vector<Text>& numbers = setting.numbers;
  if (const YamlNode* active = node.find("active"); active != nullptr && !active->boolean()) {
    numbers[at("active")] = {"0", active->spot()};
    return setting;
  }
  const auto set = [&](std::size_t place, std::string text, const YamlNode& from) {
    numbers[place] = {std::move(text), from.spot()};
  };
  if (const YamlNode* axes = node.find("axes")) {
    std::size_t place = kAtModes;
    for (const YamlNode& word : axes->items()) {
      set(place++, place_of<InteractionAxis>(word.text()), word);
    }
  }
  if (const YamlNode* most = node.find("max_impedance")) {
    std::size_t place = kAtMaxImpedance;
    for (const YamlNode& flag : most->items()) set(place++, flag.boolean() ? "1" : "0", flag);
  }
  for (const std::string_view key : kNumberLists) {
    const YamlNode* values = node.find(key);
    for (std::size_t i = 0; values != nullptr && i < size_of(key); ++i) {
      numbers[at(key) + i] = read_text(values->items()[i]);
    }
  }
  if (const YamlNode* damping = node.find("damping")) {
    set(kAtDampingSource, place_of<DampingSource>("given"), *damping);
  }
  if (const YamlNode* ratio = node.find("damping_ratio")) {
    set(kAtDampingSource, place_of<DampingSource>("ratio"), *ratio);
    numbers[kAtDampingRatio] = read_text(*ratio);
    if (node.find("damping") != nullptr) {
      throw FileError(node.key_spot("damping_ratio"),
                      "only one of \"damping\", \"damping_ratio\" can be given");
    }
  }
  if (const YamlNode* frame = node.find("frame")) {
    set(kAtFrame, place_of<ToolFrame>(frame->text()), *frame);
  }
  for (const std::string_view key : kFlags) {
    if (const YamlNode* on = node.find(key)) set(at(key), on->boolean() ? "1" : "0", *on);
  }
  for (const Text& stiffness : read_texts(node.find("posture_stiffness"))) {
    numbers.push_back(stiffness);
  }
  return setting;
}

ArmSetting read_free(const YamlNode& node) {
  ArmSetting setting{CommandKind::kSetFreeAxes, std::vector<Text>(7, Text{"0", node.spot()})};
  for (const YamlNode& word : node.at("axes").items()) {
    for (std::size_t i = 0; i < kToolAxisNames.size(); ++i) {
      if (word.text() == kToolAxisNames[i]) setting.numbers[i] = {"1", word.spot()};
    }
  }
  if (const YamlNode* frame = node.find("frame")) {
    setting.numbers[6] = {place_of<ToolFrame>(frame->text()), frame->spot()};
  }
  return setting;
}

std::size_t number_of(const Text& text) { return std::stoul(text.text); }

}  // namespace

std::vector<ArmSetting> read_interaction_settings(const YamlNode& node) {
  std::vector<ArmSetting> settings;
  if (const YamlNode* inertia = node.find("inertia")) {
    settings.push_back({CommandKind::kSetToolInertia, read_texts(inertia)});
  }
  if (const YamlNode* interaction = node.find("interaction")) {
    settings.push_back(read_interaction(*interaction));
  }
  if (const YamlNode* free = node.find("free")) settings.push_back(read_free(*free));
  if (const YamlNode* cuff = node.find("cuff")) {
    settings.push_back({CommandKind::kSetCuff, {read_text(*cuff)}});
  }
  return settings;
}

std::vector<WrittenKey> written_keys(const ArmSetting& setting) {
  const std::vector<Text>& numbers = setting.numbers;
  std::vector<WrittenKey> keys;
  const auto word = [](std::string_view text) { return Text{std::string(text), {}}; };
  const auto part = [&](std::size_t from, std::size_t count) {
    const auto first = numbers.begin() + static_cast<std::ptrdiff_t>(from);
    return std::vector<Text>(first, first + static_cast<std::ptrdiff_t>(count));
  };
  const auto flag = [&](std::size_t place) {
    return word(number_of(numbers[place]) != 0 ? "true" : "false");
  };
  if (setting.kind == CommandKind::kSetFreeAxes) {
    WrittenKey axes{"axes", {}};
    for (std::size_t i = 0; i < kToolAxisNames.size(); ++i) {
      if (number_of(numbers[i]) != 0) axes.values.push_back(word(kToolAxisNames[i]));
    }
    keys.push_back(axes);
    keys.push_back({"frame", {word(kToolFrameWords[number_of(numbers[6])])}, false});
    return keys;
  }
  if (number_of(numbers[at("active")]) == 0) return {{"active", {word("false")}, false, true}};
  WrittenKey axes{"axes", {}};
  WrittenKey most{"max_impedance", {}, true, true};
  for (std::size_t i = 0; i < 6; ++i) {
    axes.values.push_back(word(kInteractionAxisWords[number_of(numbers[kAtModes + i])]));
    most.values.push_back(flag(kAtMaxImpedance + i));
  }
  keys.push_back(axes);
  keys.push_back(most);
  const auto source = static_cast<DampingSource>(number_of(numbers[kAtDampingSource]));
  for (const std::string_view key : kNumberLists) {
    if (key == "damping" && source != DampingSource::kGiven) continue;
    keys.push_back({std::string(key), part(at(key), size_of(key))});
  }
  if (source == DampingSource::kRatio) {
    keys.push_back({"damping_ratio", {numbers[kAtDampingRatio]}, false});
  }
  keys.push_back({"frame", {word(kToolFrameWords[number_of(numbers[kAtFrame])])}, false});
  for (const std::string_view key : kFlags) {
    keys.push_back({std::string(key), {flag(at(key))}, false, true});
  }
  if (numbers.size() > kAtPostureStiffness) {
    keys.push_back(
        {"posture_stiffness", part(kAtPostureStiffness, numbers.size() - kAtPostureStiffness)});
  }
  return keys;
}

std::string written_text(const Request& request) {
  ArmSetting setting{kind_of(request), {}};
  for_each_number_of(request, [&](double number) {
    setting.numbers.push_back({yaml_number(number), {}});
  });
  std::string text;
  for (const WrittenKey& key : written_keys(setting)) {
    std::string values;
    for (const Text& value : key.values) values += (values.empty() ? "" : ", ") + value.text;
    text +=
        (text.empty() ? "" : ", ") + key.key + ": " + (key.is_list ? "[" + values + "]" : values);
  }
  return "{" + text + "}";
}

}  // namespace jointrig::harness
