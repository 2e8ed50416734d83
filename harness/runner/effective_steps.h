#pragma once
/// YAML of a scenario's steps and actions. Only for effective_yaml.cpp.

#include <string_view>
#include <vector>

#include "harness/runner/effective_map.h"

namespace jointrig::harness::effective {

Map map_of(const FaultAction& fault);
Map map_of(const ForceAction& force);
Map map_of(const PayloadAction& payload);
Map map_of(const ObstacleAction& obstacle);
Map map_of(const ActionStep& step);
/// Key of a step that is this action.
std::string_view key_of(const Action& action);
YamlNode node_of_steps(const std::vector<Step>& steps);

}  // namespace jointrig::harness::effective
