#pragma once

#include <string>

#include "harness/config/yaml_document.h"

namespace jointrig::harness {

/// The node in one line: `{a: 1, b: [2, 3]}`.
std::string in_flow_style(const YamlNode& node);

/// A file of this mapping: block style outside, flow style for nodes that fit on a line.
std::string in_block_style(const YamlNode& mapping);

}  // namespace jointrig::harness
