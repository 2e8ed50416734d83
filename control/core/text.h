#pragma once
/// Small text functions for files and messages; never used in the cycle (joined allocates).

#include <functional>
#include <string>
#include <string_view>

namespace jointrig {

/// The text without blanks at either end.
inline std::string_view trimmed(std::string_view text,
                                std::string_view blanks = " \t\r\n") noexcept {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// "a, b, c"
/// @param word  gives the text of an item: a member or a function; the item itself by default
template <typename Items, typename Word = std::identity>
std::string joined(const Items& items, std::string_view between = ", ", Word word = {}) {
  std::string text;
  bool is_first = true;
  for (const auto& item : items) {
    if (!is_first) text += between;
    text += std::invoke(word, item);
    is_first = false;
  }
  return text;
}

}  // namespace jointrig
