#pragma once
/// The data behind a YamlNode. Used in harness/config alone.

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "harness/config/yaml_document.h"

namespace jointrig::harness {

struct YamlNode::Data {
  Kind kind = Kind::kNull;
  std::string text{};  ///< of a scalar, as written
  SourceSpot spot{};
  std::vector<YamlNode> items{};
  std::vector<Entry> entries{};
  std::size_t weight = 1;  ///< nodes of the tree; nodes behind aliases count each time
  int depth = 1;

  void hold(const Data& child) {
    weight += child.weight;
    depth = std::max(depth, child.depth + 1);
  }
};

}  // namespace jointrig::harness
