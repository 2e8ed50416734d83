#pragma once

#include <cstdlib>
#include <string>

namespace jointrig::testing {

/// So many plans are replaced at random while they move: JOINTRIG_REPLACEMENTS of the environment,
/// else the usual number, which takes some seconds. docs/ci.md has the command for 10,000.
inline int replacements(int usual) {
  const char* const asked = std::getenv("JOINTRIG_REPLACEMENTS");
  return asked == nullptr ? usual : std::stoi(asked);
}

}  // namespace jointrig::testing
