#pragma once
/// Functions on lines of text from wires and files. `control/core/text.h` has its like for all that
/// may know of `control`.

#include <string_view>

namespace jointrig::can {

/// Without blanks at either end.
inline std::string_view trimmed(std::string_view text) noexcept {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

}  // namespace jointrig::can
