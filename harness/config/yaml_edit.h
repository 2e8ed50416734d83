#pragma once
/// Edits a user's YAML file: replaces values and adds keys at their places. Every other byte stays
/// as it is: comments, order, spacing, line ends.

#include <string>
#include <string_view>
#include <vector>

#include "harness/config/yaml_document.h"

namespace jointrig::harness {

/// Sets a value by its keys, from the top: {"joints", "r_elbow", "kp"}, "350 Nm/rad".
struct YamlEdit {
  std::vector<std::string> path;
  std::string value;  ///< a scalar as written in the file
};

/// Returns the text after the edits, in their order. A value behind an alias or a merge key stays
/// unchanged at its original place: the mapping gets a key of its own if that is possible. The
/// result differs from the original in the edited values alone; if that is impossible, it throws.
///
/// Throws FileError: invalid YAML, a path through a list or a scalar, a value over several lines or
/// behind an alias.
/// @param name  name of the file, for messages
std::string edited_yaml(std::string_view text, const std::string& name,
                        const std::vector<YamlEdit>& edits);

/// A value of a mapping in a list at the top: `trajectory` of the third of `steps`.
struct YamlItemEdit {
  std::string list;
  std::size_t item = 0;
  std::string key;
  std::vector<std::string> lines;  ///< of the new value, in block style without indentation
  std::string flow;                ///< the new value in brackets
};

/// Returns the text with that value replaced: by the lines, below the key, or in brackets if it
/// stood in brackets. Every other byte stays; comments inside the old value go with it. The
/// caller looks at the meaning of the lines.
///
/// Throws FileError: invalid YAML, no such value, one behind an alias.
std::string with_item_value(std::string_view text, const std::string& name,
                            const YamlItemEdit& edit);

/// Returns the difference of two texts, line by line: `- ` and `+ ` before removed and added lines,
/// with their numbers, and a line of context around them.
std::string line_diff(std::string_view before, std::string_view after);

}  // namespace jointrig::harness
