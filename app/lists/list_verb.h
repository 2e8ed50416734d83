#pragma once
/// `jointrig list`: what can be named here, for people and for shell completion.

#include <string>
#include <vector>

namespace jointrig::app {

/// Kinds of things with a name, as the verb calls them.
inline const std::vector<std::string> kListKinds{"robots", "scenes", "scenarios", "tags"};

struct ListOptions {
  std::vector<std::string> what;  ///< a kind, or patterns; empty: everything
  bool names = false;             ///< names alone, one a line
};

/// Returns the exit code: 0, or 1 where nothing fits.
int list_verb(const ListOptions& options);

/// Names of one kind, in alphabetical order.
std::vector<std::string> names_of_kind(const std::string& kind);

}  // namespace jointrig::app
