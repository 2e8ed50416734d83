#pragma once
/// Repeats and includes written out: the steps of a scenario one after another.

#include <string>
#include <vector>

#include "harness/runner/parameters.h"

namespace jointrig::harness {

struct PlainStep {
  YamlNode node;       ///< neither repeat nor include; parameters put in
  std::string suffix;  ///< `[2]` in the second round of a repeat, for names
};

/// @param steps  as in the file, parameters not yet put in
/// Throws FileError: a file that can't be read or doesn't fit the schema, files that include each
/// other in a circle, more than kMostSteps steps.
std::vector<PlainStep> plain_steps(const YamlNode& steps, const Parameters& parameters);

inline constexpr std::size_t kMostSteps = 100'000;

}  // namespace jointrig::harness
