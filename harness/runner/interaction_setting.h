#pragma once
/// Interaction control and hand guiding of an arm as a scenario has them: keys of set_arm, and the
/// numbers of the commands that they become.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/config/yaml_document.h"
#include "harness/runner/scenario.h"

namespace jointrig::harness {

/// Of the keys interaction, inertia, cuff and free: those that are there, a command each.
std::vector<ArmSetting> read_interaction_settings(const YamlNode& node);

/// A key of `interaction` or `free` and what it says, as it would be written.
struct WrittenKey {
  std::string key;
  std::vector<Text> values;
  bool is_list = true;
  bool is_flag = false;  ///< true or false
};
/// Of set_interaction_control and set_free_axes.
std::vector<WrittenKey> written_keys(const ArmSetting& setting);

}  // namespace jointrig::harness
