#pragma once
/// Changes to a YAML file that somebody else wrote: values are put in place of values, keys are
/// added where they belong, and every other byte stays as it is: comments, order, spacing, line
/// ends.

#include <string>
#include <string_view>
#include <vector>

#include "harness/config/yaml_document.h"

namespace jointrig::harness {

/// A value by its keys, from the top: {"joints", "r_elbow", "kp"}, "350 Nm/rad".
struct YamlEdit {
  std::vector<std::string> path;
  std::string value;  ///< a scalar as it will stand in the file
};

/// The text with the edits carried out, one after the other. A value that comes through an alias or
/// a merge key isn't touched where it was written: the mapping gets a key of its own where that is
/// possible. Read again, nothing but the edited values differs; where that can't be had it throws.
///
/// Throws FileError: text that isn't such YAML, a path that leads through a list or a scalar, a
/// value over several lines or behind an alias.
/// @param name  of the file, in messages
std::string edited_yaml(std::string_view text, const std::string& name,
                        const std::vector<YamlEdit>& edits);

/// What differs between two texts, line by line: `- ` and `+ ` before lines that went and came,
/// with their numbers; a line of context around them.
std::string line_diff(std::string_view before, std::string_view after);

}  // namespace jointrig::harness
