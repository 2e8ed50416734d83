#include "gui/panel/typed_seconds.h"

#include <charconv>
#include <cmath>

namespace jointrig::gui {
TypedNumber number_in(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  TypedNumber number;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number.value);
  number.is_one = error == std::errc{} && std::isfinite(number.value);
  number.unit = text.substr(static_cast<std::size_t>(end - text.data()));
  while (number.unit.starts_with(' ')) number.unit.remove_prefix(1);
  while (number.unit.ends_with(' ')) number.unit.remove_suffix(1);
  return number;
}

std::string take_seconds(const std::string& text, double& seconds, double least) {
  const TypedNumber number = number_in(text);
  const bool is_ms = number.unit == "ms";
  if (!number.is_one || (!is_ms && !number.unit.empty() && number.unit != "s")) {
    return "\"" + text + "\" is no time: 2, 2 s, 500 ms";
  }
  const double value = is_ms ? number.value / 1e3 : number.value;
  if (value < least || value > 3600.0) return "a time here lies between 0 and an hour";
  seconds = value;
  return {};
}

}  // namespace jointrig::gui
