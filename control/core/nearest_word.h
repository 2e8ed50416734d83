#pragma once
/// Finds the nearest known word for "did you mean", where a user's name is refused. Allocates:
/// never used in the cycle.

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jointrig {

/// Edits that turn `a` into `b`: insert, delete, replace, or swap two neighbours (optimal string
/// alignment; Damerau 1964, "A technique for computer detection and correction of spelling
/// errors"). Case doesn't count.
inline std::size_t edit_distance(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> above(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(before, above);
    std::swap(above, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t differs = lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1;
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + differs});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                           lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

/// True if one of the words begins with the other, as `--output` with `--out`; a beginning of fewer
/// than four letters says too little.
inline bool begins_alike(std::string_view a, std::string_view b) {
  const std::size_t shared = std::min(a.size(), b.size());
  return shared >= 4 && edit_distance(a.substr(0, shared), b.substr(0, shared)) == 0;
}

/// The candidate nearest to `word`: at most a third of the word's letters (and at least one) may
/// differ. Where none is so near, the first that begins alike; else "". The first
/// of equally near ones.
template <typename Words>
std::string nearest_word(std::string_view word, const Words& candidates) {
  // A longer word has no near candidate, and the search would take long.
  constexpr std::size_t kLongestWord = 80;
  if (word.size() > kLongestWord) return {};
  std::string_view best;
  std::size_t fewest = std::max<std::size_t>(1, (word.size() + 1) / 3) + 1;
  for (const auto& candidate : candidates) {
    const std::size_t edits = edit_distance(word, candidate);
    if (edits < fewest) {
      fewest = edits;
      best = candidate;
    }
  }
  if (!best.empty()) return std::string(best);
  for (const auto& candidate : candidates) {
    if (begins_alike(word, candidate)) return std::string(candidate);
  }
  return {};
}

/// `; did you mean "stiffness"?`, or "" if no candidate is near. Ends a sentence.
template <typename Words>
std::string did_you_mean(std::string_view word, const Words& candidates) {
  const std::string nearest = nearest_word(word, candidates);
  return nearest.empty() ? nearest : "; did you mean \"" + nearest + "\"?";
}

}  // namespace jointrig
