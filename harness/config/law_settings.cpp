// Settings of laws of one's own.

#include <algorithm>

#include "harness/config/apply_settings.h"
#include "harness/config/joint_names.h"
#include "harness/config/units.h"

namespace jointrig::harness {
namespace {

void read_claims(const YamlNode& list, LawConfig& law, const RobotConfig& config) {
  law.joints.clear();
  for (const YamlNode& name : list.items()) {
    for (const JointIndex joint : joints_called(config, name.text(), name.spot())) {
      if (std::find(law.joints.begin(), law.joints.end(), joint) != law.joints.end()) {
        throw name.error("joint \"" + config.joints[joint].name +
                         "\" is claimed already; name it once");
      }
      law.joints.push_back(joint);
    }
  }
}

void read_modes(const YamlNode& list, LawConfig& law) {
  std::vector<ControlMode> modes;
  for (const YamlNode& word : list.items()) parse(word.text(), modes.emplace_back());
  const auto has = [&](ControlMode mode) {
    return std::find(modes.begin(), modes.end(), mode) != modes.end();
  };
  if (has(ControlMode::kTorque) && has(ControlMode::kCartesian)) {
    law.modes = {ControlMode::kTorque, ControlMode::kCartesian};
  } else {
    law.modes = {modes.front()};
  }
}

void read_values(const YamlNode& values, LawConfig& law) {
  for (const YamlNode::Entry& entry : values.entries()) {
    std::erase_if(law.given, [&](const auto& one) { return one.name == entry.key; });
    law.given.push_back({entry.key, entry.value.number(), to_string(entry.spot)});
  }
}

void apply_law(const YamlNode& keys, LawConfig& law, const RobotConfig& config) {
  if (const YamlNode* library = keys.find("library")) {
    law.library = path_beside(*library).string();
    law.place = to_string(library->spot());
    law.maker.reset();
  }
  if (const YamlNode* joints = keys.find("joints")) read_claims(*joints, law, config);
  if (const YamlNode* modes = keys.find("modes")) read_modes(*modes, law);
  if (const YamlNode* on = keys.find("on")) law.on = on->boolean();
  if (const YamlNode* budget = keys.find("budget")) law.budget = quantity(*budget, "s");
  if (const YamlNode* values = keys.find("parameters")) read_values(*values, law);
  // Declared anew with these values.
  law.parameters.clear();
  law.signals.clear();
}

}  // namespace

void apply_laws(const YamlNode& laws, RobotConfig& config, Problems& problems) {
  for (const YamlNode::Entry& entry : laws.entries()) {
    problems.collect([&] {
      auto at = std::find_if(config.laws.begin(), config.laws.end(),
                             [&](const LawConfig& law) { return law.name == entry.key; });
      LawConfig law = at != config.laws.end() ? *at : LawConfig{};
      law.name = entry.key;
      if (law.place.empty()) law.place = to_string(entry.spot);
      apply_law(entry.value, law, config);
      if (law.library.empty() && law.maker == nullptr) {
        throw FileError(entry.spot, "law \"" + law.name + "\" has no library; give \"library\"");
      }
      if (law.joints.empty()) {
        throw FileError(entry.spot, "law \"" + law.name + "\" claims no joint; give \"joints\"");
      }
      if (at != config.laws.end()) {
        *at = std::move(law);
      } else {
        config.laws.push_back(std::move(law));
      }
    });
  }
}

}  // namespace jointrig::harness
