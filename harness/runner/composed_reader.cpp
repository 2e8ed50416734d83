// Steps that are made of lists of steps.

#include <fmt/core.h>

#include <algorithm>

#include "control/core/nearest_word.h"
#include "harness/runner/step_reader.h"

namespace jointrig::harness {
namespace {

using Notes = std::vector<std::string>;

/// @param where  before the steps' labels
std::vector<Step> read_list(const std::vector<PlainStep>& list, const std::string& where,
                            Notes& notes) {
  std::vector<Step> steps;
  for (const PlainStep& plain : list) {
    Step& step = steps.emplace_back(read_step(plain, notes));
    step.label = where + ": " + step.label;
  }
  return steps;
}

std::string state_name(const std::string& name, const std::string& suffix) {
  return name == kEndOfMachine ? name : name + suffix;
}

Transition read_transition(const YamlNode& node, const std::string& suffix) {
  Transition way;
  way.to = read_text(node.at("to"));
  way.to.text = state_name(way.to.text, suffix);
  if (const YamlNode* when = node.find("when")) way.when = read_condition(*when);
  if (const YamlNode* event = node.find("event")) way.event = read_text(*event);
  if (node.find("after") != nullptr) way.after = read_seconds(node, "after", 0.0);
  way.hold = read_seconds(node, "for", 0.0);
  const int reasons =
      int{way.when.has_value()} + int{way.event.has_value()} + int{way.after.has_value()};
  if (reasons > 1) {
    throw node.error("one way out has one reason: give \"when\", \"event\" or \"after\"");
  }
  if (node.find("for") != nullptr && !way.when) {
    throw FileError(node.key_spot("for"), "\"for\" belongs to \"when\"");
  }
  return way;
}

/// Each way leads to a state, and to each state leads a way from the first one.
void check_ways(const YamlNode& states, const StateMachineStep& machine) {
  std::vector<std::string> names;
  for (const MachineState& state : machine.states) names.push_back(state.name);
  std::vector<std::vector<std::size_t>> ways(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (const Transition& way : machine.states[i].next) {
      if (way.to.text == kEndOfMachine) continue;
      const auto found = std::find(names.begin(), names.end(), way.to.text);
      if (found == names.end()) {
        const std::string written = without_round(way.to.text);
        std::vector<std::string> keys;
        for (const YamlNode::Entry& entry : states.entries()) keys.push_back(entry.key);
        throw FileError(way.to.spot, "no state \"" + written + "\"" + did_you_mean(written, keys));
      }
      ways[i].push_back(static_cast<std::size_t>(found - names.begin()));
    }
  }
  std::vector<bool> is_reached(names.size(), false);
  std::vector<std::size_t> open{0};
  while (!open.empty()) {
    const std::size_t state = open.back();
    open.pop_back();
    if (is_reached[state]) continue;
    is_reached[state] = true;
    open.insert(open.end(), ways[state].begin(), ways[state].end());
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (is_reached[i]) continue;
    const YamlNode::Entry& entry = states.entries()[i];
    throw FileError(entry.spot,
                    "no way leads from the first state to \"" + entry.key +
                        "\": give one of the others a \"next\" with \"to: " + entry.key + "\"");
  }
}

}  // namespace

ParallelStep read_parallel(const PlainStep& plain, Notes& notes) {
  ParallelStep step;
  for (const std::vector<PlainStep>& list : plain.lists) {
    step.lists.push_back(read_list(list, fmt::format("{}", step.lists.size() + 1), notes));
  }
  return step;
}

StateMachineStep read_state_machine(const PlainStep& plain, Notes& notes) {
  const YamlNode& node = plain.node.at("state_machine");
  StateMachineStep step;
  step.timeout = read_seconds(node, "timeout", step.timeout);
  const YamlNode& states = node.at("states");
  for (const YamlNode::Entry& entry : states.entries()) {
    if (entry.key == kEndOfMachine) {
      throw FileError(entry.spot, "\"end\" is where a machine ends: name the state otherwise");
    }
    MachineState& state = step.states.emplace_back();
    state.name = entry.key + plain.suffix;
    state.steps = read_list(plain.lists[step.states.size() - 1], state.name, notes);
    const YamlNode* next = entry.value.find("next");
    if (next == nullptr) continue;
    for (const YamlNode& way : next->items()) {
      state.next.push_back(read_transition(way, plain.suffix));
    }
  }
  check_ways(states, step);
  return step;
}

std::vector<const std::vector<Step>*> lists_within(const Step& step) {
  std::vector<const std::vector<Step>*> lists;
  if (const auto* parallel = std::get_if<ParallelStep>(&step.what)) {
    for (const std::vector<Step>& list : parallel->lists) lists.push_back(&list);
  }
  if (const auto* machine = std::get_if<StateMachineStep>(&step.what)) {
    for (const MachineState& state : machine->states) lists.push_back(&state.steps);
  }
  return lists;
}

bool ParallelStep::operator==(const ParallelStep& other) const { return lists == other.lists; }

bool MachineState::operator==(const MachineState& other) const {
  return name == other.name && steps == other.steps && next == other.next;
}

}  // namespace jointrig::harness
