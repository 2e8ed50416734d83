#include "harness/runner/effective_yaml.h"

#include <algorithm>
#include <utility>

#include "control/core/command_facts.h"
#include "harness/config/yaml_printer.h"
#include "harness/runner/effective_steps.h"
#include "harness/runner/message_step.h"

namespace jointrig::harness {
namespace {

using effective::key_of;
using effective::Map;
using effective::map_of;
using effective::node_of_steps;

YamlNode node_of_fault(const TimedAction& timed) {
  Map map = map_of(std::get<FaultAction>(timed.action.action));
  map.put("at", timed.at).put("for", timed.action.duration).put_unless_empty("name", timed.name);
  return map.node();
}

YamlNode node_of_disturbance(const TimedAction& timed) {
  Map map;
  map.put("at", timed.at).put_unless_empty("name", timed.name);
  return map.put(key_of(timed.action.action), map_of(timed.action)).node();
}

YamlNode node_of_assertion(const Assertion& assertion) {
  Map map = map_of(assertion.condition);
  map.put("event", assertion.event);
  if (assertion.from != Moment{}) map.put("from", assertion.from);
  return map.put("to", assertion.to).put("name", assertion.name).node();
}

YamlNode node_of_at_end(const Assertion& assertion) {
  return map_of(assertion.condition).put("name", assertion.name).node();
}

YamlNode node_of_within(const WithinAssertion& within) {
  Map map = map_of(within.condition);
  map.put("event", within.event).put("after", within.after).put("max", within.longest);
  if (!within.event) map.put("for", within.hold);
  return map.put("name", within.name).node();
}

YamlNode node_of_metric(const MetricSpec& metric) {
  Map map;
  map.put("name", metric.name).put("of", metric.of).put_unless_empty("joints", metric.joints);
  map.put("stat", to_string(metric.statistic));
  if (metric.from != Moment{}) map.put("from", metric.from);
  map.put("to", metric.to).put("target", metric.target);
  if (metric.band_is_relative) {
    map.put("band", yaml_number(100.0 * metric.band) + " %");
  } else {
    map.put("band", metric.band);
  }
  return map.put("min", metric.least).put("max", metric.most).put("warn", metric.warn).node();
}

template <typename T, typename ToNode>
YamlNode list_of(const std::vector<T>& list, ToNode to_node) {
  std::vector<YamlNode> nodes;
  for (const T& item : list) nodes.push_back(to_node(item));
  return {std::move(nodes), {}};
}

Map assertions_of(const Scenario& scenario) {
  std::vector<YamlNode> always;
  for (const Assertion& one : scenario.always) always.push_back(node_of_assertion(one));
  always.push_back(Map().put("no_fault_except", scenario.faults_allowed).node());
  return Map()
      .put_node("always", YamlNode(std::move(always), {}))
      .put_node("never", list_of(scenario.never, node_of_assertion))
      .put_node("at_end", list_of(scenario.at_end, node_of_at_end))
      .put_node("within", list_of(scenario.within, node_of_within));
}

YamlNode node_of_scenario(const Scenario& scenario) {
  Map map;
  map.put("schema", 1.0).put("scenario", scenario.name).put("about", scenario.about);
  map.put("tags", scenario.tags).put_node("robot", scenario.robot);
  map.put_unless_empty("backends", scenario.backends);
  map.put("timeout", Map().put("sim", scenario.timeout_sim).put("wall", scenario.timeout_wall));
  map.put("requires", scenario.requirements).put_unless_empty("xfail", scenario.expected_failure);
  if (!scenario.config.is_null()) map.put_node("config", scenario.config);
  map.put_node("faults", list_of(scenario.faults, node_of_fault));
  map.put_node("disturbances", list_of(scenario.disturbances, node_of_disturbance));
  map.put_node("setup", node_of_steps(scenario.setup));
  map.put_node("steps", node_of_steps(scenario.steps));
  map.put_node("teardown", node_of_steps(scenario.teardown));
  map.put("assert", assertions_of(scenario));
  map.put_node("metrics", list_of(scenario.metrics, node_of_metric));
  return map.put("plots", scenario.plots).node();
}
}  // namespace

std::string in_one_line(const MessageStep& step) {
  constexpr auto kMayLack =
      std::to_array<std::string_view>({"execution", "previous", "integration", "frame", "weights",
                                       "weight", "left_out", "velocities"});
  const YamlNode whole = message_node(step);
  const std::span<const FieldInfo> fields = fields_of(step.kind);
  std::vector<YamlNode::Entry> entries;
  for (const YamlNode::Entry& entry : whole.entries()) {
    const auto field = std::find_if(fields.begin(), fields.end(),
                                    [&](const FieldInfo& one) { return one.name == entry.key; });
    const bool may_lack = std::find(kMayLack.begin(), kMayLack.end(), entry.key) != kMayLack.end();
    if (may_lack && field != fields.end()) {
      const auto first = step.numbers.begin() + static_cast<std::ptrdiff_t>(field->place);
      const auto last = first + static_cast<std::ptrdiff_t>(field->most);
      if (std::all_of(first, last, [](double number) { return number == 0.0; })) continue;
    }
    entries.push_back(entry);
  }
  return "message: " + in_flow_style(YamlNode(std::move(entries), {}));
}

std::string in_one_line(const ActionStep& step) {
  return std::string(key_of(step.action)) + ": " + in_flow_style(map_of(step).node());
}

std::string to_yaml(const Scenario& scenario) { return in_block_style(node_of_scenario(scenario)); }

}  // namespace jointrig::harness
