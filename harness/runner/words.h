#pragma once
/// Modes, interactions, board statuses, faults, drives and states of laws as numbers, so that an
/// expression can compare them: `r_elbow.mode == position`. A word has the same number everywhere.

#include <optional>
#include <string_view>
#include <vector>

namespace jointrig::harness {

/// Number of a word; nullopt if no enumeration has it.
std::optional<double> word_code(std::string_view word);

/// The word of a number; "" if there is none.
std::string_view word_of(double code) noexcept;

/// All words, each once.
const std::vector<std::string_view>& all_words();

/// Number of each member of an enumeration, by its value: computed once, used in the cycle.
template <typename All>
std::vector<double> codes_of(const All& members) {
  std::vector<double> codes;
  for (const auto member : members) codes.push_back(*word_code(to_string(member)));
  return codes;
}

}  // namespace jointrig::harness
