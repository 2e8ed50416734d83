#pragma once

#include <string>
#include <string_view>

namespace jointrig::gui {

/// A typed number and what stands behind it, without spaces.
struct TypedNumber {
  double value = 0.0;
  std::string_view unit;  ///< in the text
  bool is_one = false;    ///< finite
};
TypedNumber number_in(std::string_view text);

/// Reads a typed time: `2`, `2 s`, `500 ms`, up to an hour.
/// @param seconds  gets it; unchanged by a text that is none
/// @returns a sentence; empty: it was one
std::string take_seconds(const std::string& text, double& seconds, double least);

}  // namespace jointrig::gui
