#pragma once
/// Keys of robot.yaml for one number of a struct, for three along x y z, or for six of a tool: one
/// loop reads each kind.
/// Used in harness/config and its tests alone.

#include <array>
#include <string_view>

#include "control/core/arm.h"
#include "harness/config/units.h"
#include "harness/config/yaml_document.h"

namespace jointrig::harness {

template <typename Config>
struct NumberKey {
  std::string_view key;
  std::string_view units;
  double Config::*field;
};

/// Three numbers, along x y z.
template <typename Config>
struct ThreeKey {
  std::string_view key;
  std::string_view units;
  std::array<double, 3> Config::*field;
};

/// Six numbers: along x y z, then about them.
template <typename Config>
struct SixKey {
  std::string_view key;
  std::string_view linear;   ///< unit of the first three
  std::string_view angular;  ///< unit of the last three
  Six Config::*field;
};

/// Reads the given keys; the other fields stay. Throws FileError.
template <typename Config, std::size_t count>
void read_numbers(const YamlNode& node, const std::array<NumberKey<Config>, count>& keys,
                  Config& config) {
  for (const NumberKey<Config>& number : keys) {
    if (const YamlNode* value = node.find(number.key)) {
      config.*number.field = quantity(*value, number.units);
    }
  }
}

/// Reads the given keys; the schema has checked that each has three numbers.
template <typename Config, std::size_t count>
void read_threes(const YamlNode& node, const std::array<ThreeKey<Config>, count>& keys,
                 Config& config) {
  for (const ThreeKey<Config>& three : keys) {
    const YamlNode* values = node.find(three.key);
    for (std::size_t i = 0; values != nullptr && i < 3; ++i) {
      (config.*three.field)[i] = quantity(values->items()[i], three.units);
    }
  }
}

/// Reads the given keys; the schema has checked that each has six numbers.
template <typename Config, std::size_t count>
void read_sixes(const YamlNode& node, const std::array<SixKey<Config>, count>& keys,
                Config& config) {
  for (const SixKey<Config>& six : keys) {
    const YamlNode* values = node.find(six.key);
    for (std::size_t i = 0; values != nullptr && i < 6; ++i) {
      (config.*six.field)[i] = quantity(values->items()[i], i < 3 ? six.linear : six.angular);
    }
  }
}

}  // namespace jointrig::harness
