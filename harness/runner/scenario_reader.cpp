#include "harness/runner/scenario_reader.h"

#include <algorithm>
#include <set>
#include <utility>

#include "harness/config/units.h"
#include "harness/runner/parameters.h"
#include "harness/runner/scenario_schema.h"
#include "harness/runner/step_list.h"
#include "harness/runner/step_reader.h"

namespace jointrig::harness {
namespace {

std::string text_or(const YamlNode& mapping, std::string_view key, const std::string& otherwise) {
  const YamlNode* text = mapping.find(key);
  return text != nullptr ? text->text() : otherwise;
}

std::vector<std::string> strings_of(const YamlNode* list) {
  std::vector<std::string> strings;
  for (const Text& text : read_texts(list)) strings.push_back(text.text);
  return strings;
}

const std::vector<YamlNode>& items_of(const YamlNode* list) {
  static const std::vector<YamlNode> none;
  return list != nullptr ? list->items() : none;
}

std::vector<Step> read_steps(const YamlNode* list, const Parameters& parameters,
                             std::vector<std::string>& notes, Problems& problems) {
  std::vector<Step> steps;
  if (list == nullptr) return steps;
  for (const PlainStep& plain : plain_steps(*list, parameters)) {
    problems.collect([&] { steps.push_back(read_step(plain, notes)); });
  }
  return steps;
}

std::optional<Moment> optional_moment(const YamlNode& node, std::string_view key) {
  const YamlNode* moment = node.find(key);
  return moment != nullptr ? std::optional(read_moment(*moment)) : std::nullopt;
}

Assertion read_assertion(const YamlNode& node) {
  Assertion assertion;
  assertion.spot = node.spot();
  assertion.condition = read_condition(node);
  if (const YamlNode* event = node.find("event")) assertion.event = read_text(*event);
  assertion.from = optional_moment(node, "from").value_or(Moment{});
  assertion.to = optional_moment(node, "to");
  const std::string label = assertion.event ? assertion.event->text : label_of(assertion.condition);
  assertion.name = text_or(node, "name", label);
  return assertion;
}

WithinAssertion read_within(const YamlNode& node) {
  WithinAssertion within;
  within.spot = node.spot();
  within.condition = read_condition(node);
  if (const YamlNode* event = node.find("event")) within.event = read_text(*event);
  within.after = read_moment(node.at("after"));
  within.longest = quantity(node.at("max"), "s");
  within.hold = read_seconds(node, "for", 0.0);
  if (within.event && within.hold > 0.0) {
    throw FileError(node.key_spot("for"),
                    "an event happens in one cycle: \"for\" goes with \"expr\"");
  }
  within.name =
      text_or(node, "name", within.event ? within.event->text : label_of(within.condition));
  return within;
}

std::optional<double> optional_value(const YamlNode& node, std::string_view key) {
  const YamlNode* value = node.find(key);
  return value != nullptr ? std::optional(any_quantity(*value).value) : std::nullopt;
}

MetricSpec read_metric(const YamlNode& node) {
  MetricSpec metric;
  metric.spot = node.spot();
  metric.name = node.at("name").text();
  metric.of = read_text(node.at("of"));
  metric.joints = read_texts(node.find("joints"));
  parse(node.at("stat").text(), metric.statistic);
  metric.from = optional_moment(node, "from").value_or(Moment{});
  metric.to = optional_moment(node, "to");
  if (const YamlNode* target = node.find("target")) metric.target = read_text(*target);
  if (const YamlNode* band = node.find("band")) {
    const Quantity width = any_quantity(*band);
    metric.band = width.value;
    metric.band_is_relative = width.has_unit && width.dimension == Dimension{};
    if (!(width.value > 0.0)) throw band->error("a band is wider than 0");
  }
  metric.least = optional_value(node, "min");
  metric.most = optional_value(node, "max");
  metric.warn = optional_value(node, "warn");
  for (const char* key : {"min", "max", "warn", "band"}) {
    if (const YamlNode* written = node.find(key)) metric.keys[key] = read_text(*written);
  }
  if (metric.warn && !metric.most && !metric.least) {
    throw FileError(node.key_spot("warn"), "a warning goes with \"max\" or \"min\"");
  }
  return metric;
}

TimedAction read_timed(const YamlNode& node, ActionStep action) {
  return {text_or(node, "name", ""), read_seconds(node, "at", 0.0), std::move(action)};
}

TimedAction read_disturbance(const YamlNode& node) {
  if (const YamlNode* force = node.find("force")) return read_timed(node, read_force(*force));
  if (const YamlNode* load = node.find("payload")) return read_timed(node, read_payload(*load));
  return read_timed(node, read_obstacle(node.at("obstacle")));
}

template <typename T, typename Read>
void read_list(const YamlNode* list, std::vector<T>& into, Problems& problems, Read read) {
  for (const YamlNode& item : items_of(list)) {
    problems.collect([&] { into.push_back(read(item)); });
  }
}

void read_assertions(const YamlNode& assertions, Scenario& scenario, Problems& problems) {
  for (const YamlNode& item : items_of(assertions.find("always"))) {
    if (const YamlNode* allowed = item.find("no_fault_except")) {
      for (Text& text : read_texts(allowed)) scenario.faults_allowed.push_back(std::move(text));
    } else {
      problems.collect([&] { scenario.always.push_back(read_assertion(item)); });
    }
  }
  read_list(assertions.find("never"), scenario.never, problems, read_assertion);
  read_list(assertions.find("at_end"), scenario.at_end, problems, read_assertion);
  read_list(assertions.find("within"), scenario.within, problems, read_within);
}

// scene, keyframe and seed are also keys of the robot's file: they are applied together with the
// config.
YamlNode read_config(const YamlNode& document) {
  std::vector<YamlNode::Entry> entries;
  const auto carry = [&](std::string_view key, const YamlNode* value) {
    if (value != nullptr) entries.push_back({std::string(key), document.key_spot(key), *value});
  };
  carry("scene", document.find("scene"));
  carry("keyframe", document.find("keyframe"));
  if (const YamlNode* seed = document.find("seed")) {
    const SourceSpot& spot = document.key_spot("seed");
    entries.push_back(
        {"plant", spot, YamlNode(std::vector<YamlNode::Entry>{{"seed", spot, *seed}}, spot)});
  }
  const YamlNode* config = document.find("config");
  if (entries.empty()) return config != nullptr ? *config : YamlNode();
  const YamlNode own(std::move(entries), document.spot());
  return config != nullptr ? merged(own, *config) : own;
}

Scenario read_one(const YamlNode& raw, const Variation& variation,
                  const std::filesystem::path& file) {
  Parameters parameters;
  if (const YamlNode* declared = raw.find("parameters")) {
    for (const auto& entry : declared->entries()) parameters.set(entry.key, entry.value);
  }
  for (const auto& [name, value] : variation) parameters.set(name, value);
  const YamlNode document = first_round(raw, parameters);
  scenario_schema().check(document);

  Scenario scenario;
  Problems problems;
  scenario.file = file;
  scenario.family = document.at("scenario").text();
  scenario.name = scenario.family + short_suffix_of(variation);
  for (const auto& [name, value] : variation) scenario.variation[name] = words_of(value);
  scenario.about = text_or(document, "about", "");
  scenario.tags = strings_of(document.find("tags"));
  scenario.robot = document.at("robot");
  scenario.backends = strings_of(document.find("backends"));
  scenario.config = read_config(document);
  if (const YamlNode* timeout = document.find("timeout")) {
    scenario.timeout_sim = read_seconds(*timeout, "sim", scenario.timeout_sim);
    scenario.timeout_wall = read_seconds(*timeout, "wall", scenario.timeout_wall);
  }
  scenario.requirements = read_texts(document.find("requires"));
  scenario.expected_failure = text_or(document, "xfail", "");
  read_list(document.find("faults"), scenario.faults, problems,
            [](const YamlNode& node) { return read_timed(node, read_fault(node)); });
  read_list(document.find("disturbances"), scenario.disturbances, problems, read_disturbance);
  scenario.setup = read_steps(raw.find("setup"), parameters, scenario.notes, problems);
  scenario.steps = read_steps(raw.find("steps"), parameters, scenario.notes, problems);
  scenario.teardown = read_steps(raw.find("teardown"), parameters, scenario.notes, problems);
  if (const YamlNode* assertions = document.find("assert")) {
    read_assertions(*assertions, scenario, problems);
  }
  read_list(document.find("metrics"), scenario.metrics, problems, read_metric);
  scenario.plots = read_texts(document.find("plots"));
  problems.throw_if_any();
  check_used(raw.find("parameters"), parameters);
  for (const auto& [name, value] : variation) {
    if (parameters.was_used(name)) continue;
    throw raw.find("matrix")->error("parameter \"" + name + "\" of the matrix is used nowhere");
  }
  return scenario;
}

}  // namespace

std::vector<Scenario> read_scenarios(const YamlNode& document, const std::filesystem::path& file,
                                     const std::vector<std::string>& settings) {
  YamlNode raw = document;
  for (const std::string& setting : settings) raw = scenario_schema().set_path(raw, setting);
  std::vector<Scenario> scenarios;
  const YamlNode* matrix = raw.find("matrix");
  if (matrix != nullptr && !matrix->is_mapping() && !matrix->is_sequence()) {
    scenario_schema().check(raw);
  }
  std::set<std::string> met;
  for (const Variation& variation : variations_of(matrix)) {
    scenarios.push_back(read_one(raw, variation, file));
    if (met.insert(scenarios.back().name).second) continue;
    throw matrix->error("the matrix has the variation " + suffix_of(variation) + " twice");
  }
  return scenarios;
}

std::vector<Scenario> read_scenarios(const std::filesystem::path& file,
                                     const std::vector<std::string>& settings) {
  return read_scenarios(load_yaml(file), file, settings);
}

std::vector<ObstacleAction> obstacles_of(const Scenario& scenario) {
  std::vector<ObstacleAction> obstacles;
  const auto add = [&obstacles](const Action& action) {
    const auto* obstacle = std::get_if<ObstacleAction>(&action);
    if (obstacle == nullptr) return;
    if (std::find(obstacles.begin(), obstacles.end(), *obstacle) == obstacles.end()) {
      obstacles.push_back(*obstacle);
    }
  };
  for (const TimedAction& timed : scenario.disturbances) add(timed.action.action);
  for_each_step(scenario, [&add](const Step& step) {
    if (const auto* action = std::get_if<ActionStep>(&step.what)) add(action->action);
  });
  return obstacles;
}

}  // namespace jointrig::harness
