#include "gui/panel/panel_units.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <optional>

namespace jointrig::gui {
namespace {

constexpr double kDegPerRad = 180.0 / std::numbers::pi;
constexpr double kMmPerM = 1e3;
constexpr int kLeastDigits = 3;

struct Conversion {
  std::string_view si;
  std::string_view shown;
  double factor;
};

constexpr std::array<Conversion, 6> kConversions{{{"rad", "°", kDegPerRad},
                                                  {"rad/s", "°/s", kDegPerRad},
                                                  {"rad/s²", "°/s²", kDegPerRad},
                                                  {"m", "mm", kMmPerM},
                                                  {"m/s", "mm/s", kMmPerM},
                                                  {"m/s²", "mm/s²", kMmPerM}}};

bool ends_word(char c) { return c == ' ' || c == ',' || c == ';' || c == ')' || c == ':'; }

/// The unit that begins here, if it is one to convert.
const Conversion* conversion_at(std::string_view rest) {
  std::size_t end = 0;
  while (end < rest.size() && !ends_word(rest[end])) ++end;
  std::string_view word = rest.substr(0, end);
  if (word.ends_with('.')) word.remove_suffix(1);
  const auto* found = std::find_if(kConversions.begin(), kConversions.end(),
                                   [word](const Conversion& one) { return one.si == word; });
  return found != kConversions.end() ? found : nullptr;
}

/// A number in the sentence.
struct Found {
  double value = 0.0;
  std::string_view text;
};

std::optional<Found> number_at(std::string_view rest) {
  Found found;
  const auto [end, wrong] = std::from_chars(rest.data(), rest.data() + rest.size(), found.value);
  if (wrong != std::errc{} || !std::isfinite(found.value)) return std::nullopt;
  found.text = rest.substr(0, static_cast<std::size_t>(end - rest.data()));
  return found;
}

/// Significant digits of a number as it is written.
int digits_of(std::string_view text) {
  text = text.substr(0, text.find_first_of("eE"));
  const std::size_t first = text.find_first_of("123456789");
  if (first == std::string_view::npos) return kLeastDigits;
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto count =
      std::count_if(text.begin() + static_cast<std::ptrdiff_t>(first), text.end(), is_digit);
  return std::max(kLeastDigits, static_cast<int>(count));
}

std::string converted(const Found& number, const Conversion& unit) {
  const double value = number.value * unit.factor;
  const std::string text = fmt::format("{:.{}g}", value, digits_of(number.text));
  // A large value is written out: 1.2e+03 mm is no way to read it.
  return text.find('e') == std::string::npos ? text : fmt::format("{:.0f}", value);
}

/// Converts what begins at `rest` and is followed by a unit: a number, or `LOW to HIGH`.
/// @returns characters taken; 0: nothing to convert
std::size_t convert(std::string_view rest, std::string& out) {
  const std::optional<Found> first = number_at(rest);
  if (!first) return 0;
  std::size_t at = first->text.size();
  std::optional<Found> second;
  constexpr std::string_view kTo = " to ";
  if (rest.substr(at).starts_with(kTo)) {
    second = number_at(rest.substr(at + kTo.size()));
    if (second) at += kTo.size() + second->text.size();
  }
  if (!rest.substr(at).starts_with(' ')) return 0;
  const Conversion* unit = conversion_at(rest.substr(at + 1));
  if (unit == nullptr) return 0;
  out += converted(*first, *unit);
  if (second) out += std::string(kTo) + converted(*second, *unit);
  out += ' ';
  out += unit->shown;
  return at + 1 + unit->si.size();
}

}  // namespace

std::string in_panel_units(std::string_view sentence) {
  std::string out;
  out.reserve(sentence.size());
  bool begins_word = true;
  for (std::size_t i = 0; i < sentence.size();) {
    const std::size_t taken = begins_word ? convert(sentence.substr(i), out) : 0;
    if (taken == 0) out += sentence[i];
    begins_word = taken == 0 && (sentence[i] == ' ' || sentence[i] == '(');
    i += std::max<std::size_t>(taken, 1);
  }
  return out;
}

}  // namespace jointrig::gui
