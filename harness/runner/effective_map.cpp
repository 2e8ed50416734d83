#include "harness/runner/effective_map.h"

#include <charconv>
#include <cmath>

namespace jointrig::harness::effective {

YamlNode node_of(double value) { return {YamlNode::Kind::kNumber, yaml_number(value), {}}; }
YamlNode node_of(bool value) { return {YamlNode::Kind::kBoolean, value ? "true" : "false", {}}; }

YamlNode node_of(const std::string& text) { return {YamlNode::Kind::kString, text, {}}; }
YamlNode node_of(std::string_view text) { return node_of(std::string(text)); }
YamlNode node_of(const char* text) { return node_of(std::string(text)); }

YamlNode node_of(const Text& text) {
  double value = 0.0;
  const char* const end = text.text.data() + text.text.size();
  const auto [stop, status] = std::from_chars(text.text.data(), end, value);
  const bool is_number = status == std::errc{} && stop == end && std::isfinite(value);
  return {is_number ? YamlNode::Kind::kNumber : YamlNode::Kind::kString, text.text, {}};
}

YamlNode node_of(const Moment& moment) {
  return moment.mark ? node_of(*moment.mark) : node_of(moment.time);
}

Map map_of(const std::vector<Target>& targets) {
  Map map;
  for (const Target& target : targets) map.put(target.name.text, target.value);
  return map;
}

YamlNode node_of(const EachValue& value) {
  return value.by_joint.empty() ? node_of(value.all) : map_of(value.by_joint).node();
}

Map map_of(const std::vector<WrittenKey>& keys) {
  Map map;
  for (const WrittenKey& key : keys) {
    if (key.is_flag) {
      std::vector<YamlNode> flags;
      for (const Text& value : key.values) flags.push_back(node_of(value.text == "true"));
      map.put_node(key.key, key.is_list ? YamlNode(flags, {}) : flags.front());
    } else if (key.is_list) {
      map.put(key.key, key.values);
    } else {
      map.put(key.key, key.values.front());
    }
  }
  return map;
}

Map map_of(const Condition& condition) {
  Map map;
  map.put("expr", condition.expression);
  if (!condition.modes.empty()) map.put("mode", map_of(condition.modes));
  return map.put_unless_empty("joints", condition.joints);
}

}  // namespace jointrig::harness::effective
