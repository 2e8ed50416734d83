#pragma once
/// Interaction control and hand guiding of an arm in a scenario: keys of set_arm, and the numbers
/// of their commands.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "control/core/command.h"
#include "harness/config/yaml_document.h"
#include "harness/runner/scenario.h"

namespace jointrig::harness {

/// Text of a stiffness that is the cap of the arm, known once the arm is.
inline constexpr std::string_view kArmsCap = "the arm's cap";

/// Reads the keys interaction, inertia, cuff and free: one command for each that is present.
std::vector<ArmSetting> read_interaction_settings(const YamlNode& node);

/// A key of `interaction` or `free` with its value as written.
struct WrittenKey {
  std::string key;
  std::vector<Text> values;
  bool is_list = true;
  bool is_flag = false;  ///< true or false
};
/// Keys of set_interaction_control and set_free_axes.
std::vector<WrittenKey> written_keys(const ArmSetting& setting);
/// The same of a command with its numbers, as YAML: `{axes: [...], ...}`.
std::string written_text(const Request& request);

}  // namespace jointrig::harness
