#pragma once

#include <string>
#include <vector>

#include "harness/runner/scenario.h"

namespace jointrig::harness {

/// Reads a step that is neither repeat nor include and fits its schema. Throws FileError.
///
/// @param suffix  suffix of its name, in a repeat
/// @param notes  gets a sentence if an old name is used
Step read_step(const YamlNode& node, const std::string& suffix, std::vector<std::string>& notes);

/// Parts of steps that other sections also have.
Text read_text(const YamlNode& node);
/// Joints, parts or "all" with a value each; at least one.
std::vector<Target> read_targets(const YamlNode& node);
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
