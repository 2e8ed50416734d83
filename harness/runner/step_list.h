#pragma once
/// Expands repeats and includes: the steps of a scenario one after another, those of parallel lists
/// and of states within theirs.

#include <string>
#include <vector>

#include "harness/runner/parameters.h"

namespace jointrig::harness {

struct PlainStep {
  YamlNode node;       ///< neither repeat nor include; parameters replaced
  std::string suffix;  ///< `[2]` in the second round of a repeat, for names
  /// Lists of parallel, which `node` lacks, or the steps of each state of state_machine.
  std::vector<std::vector<PlainStep>> lists;
};

/// @param steps as in the file, parameters not yet replaced Throws FileError: a file that can't be
/// read or doesn't fit the schema, files that include each other, more than kMostSteps steps.
std::vector<PlainStep> plain_steps(const YamlNode& steps, const Parameters& parameters);

inline constexpr std::size_t kMostSteps = 100'000;

}  // namespace jointrig::harness
