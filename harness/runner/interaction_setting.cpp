#include "harness/runner/interaction_setting.h"

#include <array>

#include "control/core/interaction_command.h"
#include "control/core/tool_axes.h"
#include "harness/runner/step_reader.h"

namespace jointrig {
namespace {

/// A list of the mapping that fills numbers of the command from `place` on.
struct List {
  std::string_view key;
  std::size_t place;
  std::size_t count;
};
constexpr auto kNumberLists = std::to_array<List>({{"stiffness", kAtStiffness, 6},
                                                   {"damping", kAtDamping, 6},
                                                   {"force", kAtForce, 6},
                                                   {"point", kAtPoint, 3},
                                                   {"orientation", kAtOrientation, 4}});
struct Flag {
  std::string_view key;
  std::size_t place;
};
constexpr auto kFlags = std::to_array<Flag>({{"undamped_force", kAtUndampedForce},
                                             {"keep_reference", kAtKeepsReference},
                                             {"turn_freely", kAtTurnsFreely}});

template <typename Enum>
std::string place_of(std::string_view word) {
  Enum value{};
  parse(word, value);  // the schema has checked the word
  return std::to_string(static_cast<int>(value));
}

/// As the Sawyer's options have it where a key is left out: impedance at the caps.
std::vector<Text> usual_numbers(const SourceSpot& spot) {
  std::vector<Text> numbers(kAtPostureStiffness, Text{"0", spot});
  for (std::size_t i = 0; i < 6; ++i) numbers[kAtStiffness + i].text = i < 3 ? "1300" : "30";
  numbers[kAtOrientation].text = "1";
  return numbers;
}

ArmSetting read_interaction(const YamlNode& node) {
  ArmSetting setting{CommandKind::kSetInteractionControl, {}};
  if (const YamlNode* active = node.find("active"); active != nullptr && !active->boolean()) {
    return setting;
  }
  std::vector<Text>& numbers = setting.numbers = usual_numbers(node.spot());
  const auto set = [&](std::size_t place, std::string text, const YamlNode& from) {
    numbers[place] = {std::move(text), from.spot()};
  };
  if (const YamlNode* axes = node.find("axes")) {
    std::size_t place = kAtAxes;
    for (const YamlNode& word : axes->items()) {
      set(place++, place_of<InteractionAxis>(word.text()), word);
    }
  }
  if (const YamlNode* most = node.find("max_impedance")) {
    std::size_t place = kAtMaxImpedance;
    for (const YamlNode& flag : most->items()) set(place++, flag.boolean() ? "1" : "0", flag);
  }
  for (const List& list : kNumberLists) {
    const YamlNode* values = node.find(list.key);
    for (std::size_t i = 0; values != nullptr && i < list.count; ++i) {
      numbers[list.place + i] = read_text(values->items()[i]);
    }
  }
  if (const YamlNode* damping = node.find("damping")) {
    set(kAtDampingSource, place_of<DampingSource>("given"), *damping);
  }
  if (const YamlNode* ratio = node.find("damping_ratio")) {
    set(kAtDampingSource, place_of<DampingSource>("ratio"), *ratio);
    numbers[kAtDamping] = read_text(*ratio);
    if (node.find("damping") != nullptr) {
      throw FileError(node.key_spot("damping_ratio"),
                      "only one of \"damping\", \"damping_ratio\" can be given");
    }
  }
  if (const YamlNode* frame = node.find("frame")) {
    set(kAtFrame, place_of<ToolFrame>(frame->text()), *frame);
  }
  for (const Flag& flag : kFlags) {
    if (const YamlNode* on = node.find(flag.key)) set(flag.place, on->boolean() ? "1" : "0", *on);
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

std::optional<std::string_view> interaction_unit(CommandKind kind, std::size_t i) {
  switch (kind) {
    case CommandKind::kSetToolInertia:
      return i < 3 ? "kg" : "kg m^2";
    case CommandKind::kSetCuff:
      return "s";
    case CommandKind::kSetFreeAxes:
      return "1";
    case CommandKind::kSetInteractionControl:
      break;
    default:
      return std::nullopt;
  }
  const auto is_in = [i](std::size_t place) { return i >= place && i < place + 6; };
  const auto linear = [i](std::size_t place) { return i < place + 3; };
  if (is_in(kAtStiffness)) return linear(kAtStiffness) ? "N/m" : "Nm/rad";
  if (is_in(kAtForce)) return linear(kAtForce) ? "N" : "Nm";
  if (is_in(kAtDamping)) return linear(kAtDamping) ? "Ns/m" : "Nms/rad";
  if (i >= kAtPoint && i < kAtPoint + 3) return "m";
  return i >= kAtPostureStiffness ? "Nm/rad" : "1";
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
  if (numbers.empty()) return {{"active", {word("false")}, false, true}};
  WrittenKey axes{"axes", {}};
  WrittenKey most{"max_impedance", {}, true, true};
  for (std::size_t i = 0; i < 6; ++i) {
    axes.values.push_back(word(kInteractionAxisWords[number_of(numbers[kAtAxes + i])]));
    most.values.push_back(flag(kAtMaxImpedance + i));
  }
  keys.push_back(axes);
  keys.push_back(most);
  const auto source = static_cast<DampingSource>(number_of(numbers[kAtDampingSource]));
  for (const List& list : kNumberLists) {
    if (list.place == kAtDamping && source != DampingSource::kGiven) continue;
    keys.push_back({std::string(list.key), part(list.place, list.count)});
  }
  if (source == DampingSource::kRatio) {
    keys.push_back({"damping_ratio", {numbers[kAtDamping]}, false});
  }
  keys.push_back({"frame", {word(kToolFrameWords[number_of(numbers[kAtFrame])])}, false});
  for (const Flag& one : kFlags) {
    keys.push_back({std::string(one.key), {flag(one.place)}, false, true});
  }
  if (numbers.size() > kAtPostureStiffness) {
    keys.push_back(
        {"posture_stiffness", part(kAtPostureStiffness, numbers.size() - kAtPostureStiffness)});
  }
  return keys;
}

}  // namespace jointrig
