#pragma once

#include <string>
#include <vector>

#include "harness/runner/scenario.h"
#include "harness/runner/step_list.h"

namespace jointrig::harness {

/// Reads a step that fits its schema. Throws FileError.
///
/// @param notes  gets a sentence if an old name is used
Step read_step(const PlainStep& plain, std::vector<std::string>& notes);

/// Those that are made of lists of steps (composed_reader.cpp).
ParallelStep read_parallel(const PlainStep& plain, std::vector<std::string>& notes);
StateMachineStep read_state_machine(const PlainStep& plain, std::vector<std::string>& notes);

/// Parts of steps that other sections also have.
Text read_text(const YamlNode& node);
/// Joints, parts or "all" with a value each; at least one.
std::vector<Target> read_targets(const YamlNode& node);
/// A value, or a mapping of values by joint.
EachValue read_each(const YamlNode& node);
std::vector<Text> read_texts(const YamlNode* node);  ///< a string or a list; empty for nullptr
Moment read_moment(const YamlNode& node);
Condition read_condition(const YamlNode& node);  ///< a string, or expr / mode / joints
ActionStep read_fault(const YamlNode& node);
ActionStep read_force(const YamlNode& node);
ActionStep read_payload(const YamlNode& node);
ActionStep read_obstacle(const YamlNode& node);
double read_seconds(const YamlNode& mapping, std::string_view key, double otherwise);
/// A short description, for people.
std::string label_of(const Condition& condition);
std::string label_of(const StepKind& what);  ///< the same without the step's key

}  // namespace jointrig::harness
