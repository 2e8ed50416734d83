#pragma once
/// YAML of a scenario's parts: mappings, and nodes of what is written in them. Only for
/// effective_yaml.cpp and effective_steps.cpp.

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/runner/interaction_setting.h"
#include "harness/runner/scenario.h"

namespace jointrig::harness::effective {

YamlNode node_of(double value);
YamlNode node_of(bool value);
YamlNode node_of(const std::string& text);
YamlNode node_of(std::string_view text);
YamlNode node_of(const char* text);
/// A number stays a number, so that 0.5 isn't written as "0.5".
YamlNode node_of(const Text& text);
YamlNode node_of(const EachValue& value);
YamlNode node_of(const Moment& moment);

template <typename T>
YamlNode node_of(const std::vector<T>& list) {
  std::vector<YamlNode> items;
  for (const T& item : list) items.push_back(node_of(item));
  return {std::move(items), {}};
}

template <std::size_t n>
YamlNode node_of(const std::array<double, n>& list) {
  return node_of(std::vector<double>(list.begin(), list.end()));
}

/// A mapping under construction.
class Map {
 public:
  template <typename T>
  Map& put(std::string_view key, const T& value) {
    entries_.push_back({std::string(key), {}, node_of(value)});
    return *this;
  }
  Map& put(std::string_view key, const Map& map) { return put_node(key, map.node()); }
  Map& put_node(std::string_view key, const YamlNode& node) {
    entries_.push_back({std::string(key), {}, node});
    return *this;
  }
  template <typename T>
  Map& put(std::string_view key, const std::optional<T>& value) {
    if (value) put(key, *value);
    return *this;
  }
  template <typename T>
  Map& put_unless_empty(std::string_view key, const T& value) {
    if (!value.empty()) put(key, value);
    return *this;
  }
  [[nodiscard]] YamlNode node() const { return {entries_, {}}; }

 private:
  std::vector<YamlNode::Entry> entries_;
};

Map map_of(const std::vector<Target>& targets);
Map map_of(const std::vector<WrittenKey>& keys);
Map map_of(const Condition& condition);

}  // namespace jointrig::harness::effective
