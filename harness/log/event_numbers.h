#pragma once
/// Numbers and units in the sentences of events.

#include <fmt/core.h>

#include <cmath>
#include <string>
#include <string_view>

namespace jointrig::harness::event_numbers {

inline std::string text(std::string_view word) { return std::string(word); }

inline std::string number(double value, int digits = 6) {
  if (std::isnan(value)) return "nan";  // printf would print its sign, which has no meaning
  return fmt::format("{:.{}g}", value, digits);
}

/// Four digits, or as many as distinguish the two; where ten don't, rounding alone does.
inline int digits_for(double a, double b) {
  constexpr int kFew = 4;
  constexpr int kMost = 10;
  for (int digits = kFew; digits <= kMost; ++digits) {
    if (number(a, digits) != number(b, digits)) return digits;
  }
  return kFew;
}

/// `12 A`, `1 rad/s`; for a slide joint the unit has m for rad and N for N·m.
inline std::string quantity(double value, std::string_view unit, bool slide, int digits = 6) {
  std::string words = text(unit);
  const std::string figures = number(value, digits);
  if (slide) {
    constexpr std::string_view kTorque = "N·m";
    if (words.rfind("rad", 0) == 0) words.replace(0, 3, "m");
    if (words.rfind(kTorque, 0) == 0) words.replace(0, kTorque.size(), "N");
    if (const auto at = words.find("/rad"); at != std::string::npos) words.replace(at, 4, "/m");
    if (words == "N·s/m" || words == "N/m") return figures + " " + words;
  }
  return words.empty() ? figures : figures + " " + words;
}

}  // namespace jointrig::harness::event_numbers
