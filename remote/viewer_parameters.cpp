#include "remote/viewer_parameters.h"

#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <variant>

#include "control/core/command_numbers.h"
#include "control/core/modes.h"
#include "control/core/nearest_word.h"
#include "control/core/text.h"
#include "control/exchange/robot_client.h"

namespace jointrig::remote {
namespace {

constexpr std::string_view kOverrideName = "speed_override";
constexpr std::string_view kModeName = "mode";
constexpr std::string_view kInteractionName = "interaction";

double number_of_setting(const ParameterSetting& setting) {
  if (const double* const number = std::get_if<double>(&setting.value)) return *number;
  throw std::invalid_argument("takes a number");
}

template <typename Word>
Word word_of_setting(const ParameterSetting& setting) {
  const auto words = enum_words(Word{});
  const std::string* const given = std::get_if<std::string>(&setting.value);
  if (given == nullptr) {
    throw std::invalid_argument(fmt::format("takes a word: {}", joined(words)));
  }
  Word word{};
  if (parse(*given, word)) return word;
  const std::string near = did_you_mean(*given, words);
  throw std::invalid_argument(fmt::format("has no word \"{}\"{}", *given,
                                          near.empty() ? ": it has " + joined(words) : near));
}

Request command_for_joint(const JointSet& joints, const std::string& name,
                          const ParameterSetting& setting) {
  if (name == kModeName) return SetMode{joints, word_of_setting<ModeRequest>(setting)};
  if (name == kInteractionName) {
    return SetInteraction{joints, word_of_setting<InteractionMode>(setting)};
  }
  SetParameter command;
  if (!parse(name, command.parameter)) {
    std::vector<std::string_view> known{kModeName, kInteractionName};
    for (const JointParameter one : kAllJointParameter) known.push_back(to_string(one));
    throw std::invalid_argument(
        fmt::format("is no parameter of a joint{}", did_you_mean(name, known)));
  }
  command.joints = joints;
  command.values.push_back({number_of_setting(setting)});
  return command;
}

}  // namespace

ViewerParameters::ViewerParameters(const RobotConfig& config) : config_(&config) {
  all_.push_back({std::string(kOverrideName), 1.0});
  for (const JointConfig& joint : config.joints) {
    const auto add = [&](std::string_view name, decltype(ViewerParameter::value) value) {
      all_.push_back({fmt::format("{}/{}", joint.name, name), std::move(value)});
    };
    add(kModeName, std::string(to_string(JointMode::kIdle)));
    add(kInteractionName, std::string(to_string(InteractionMode::kStiff)));
    for (const JointParameter one : kAllJointParameter) {
      add(to_string(one), value_of(joint, one));
      table_[static_cast<std::size_t>(one)].push_back(value_of(joint, one));
    }
  }
  for (std::size_t i = 0; i < all_.size(); ++i) places_[all_[i].name] = i;
}

void ViewerParameters::look(const Snapshot& now, const std::optional<ParameterTable>& table) {
  if (table) table_ = *table;
  if (now.joints.size() != config_->joints.size()) return;  // before the first cycle
  put_compliance(now, table_);
  std::size_t place = 0;
  all_[place++].value = now.speed_override;
  for (std::size_t i = 0; i < config_->joints.size(); ++i) {
    all_[place++].value = std::string(to_string(now.joints[i].mode));
    all_[place++].value = std::string(to_string(now.joints[i].interaction));
    for (const auto& row : table_) all_[place++].value = row[i];
  }
}

std::vector<std::size_t> ViewerParameters::places_of(const std::vector<std::string>& names) const {
  std::vector<std::size_t> found;
  for (const std::string& name : names) {
    const auto place = places_.find(name);
    if (place != places_.end()) found.push_back(place->second);
  }
  for (std::size_t i = 0; names.empty() && i < all_.size(); ++i) found.push_back(i);
  return found;
}

std::vector<ViewerParameter> ViewerParameters::named(const std::vector<std::string>& names) const {
  std::vector<ViewerParameter> found;
  for (const std::size_t place : places_of(names)) found.push_back(all_[place]);
  return found;
}

Request ViewerParameters::command_for(const ParameterSetting& setting) const {
  if (setting.name == kOverrideName) return SetSpeedOverride{number_of_setting(setting)};
  const std::size_t slash = setting.name.rfind('/');
  if (slash == std::string::npos) {
    throw std::invalid_argument("is no parameter: there are speed_override and JOINT/PARAMETER");
  }
  JointSet joints;
  joints.set(joint_named(*config_, setting.name.substr(0, slash)));
  return command_for_joint(joints, setting.name.substr(slash + 1), setting);
}

}  // namespace jointrig::remote
