#include "gui/panel/quantity.h"

#include <fmt/core.h>

#include <charconv>
#include <cmath>
#include <numbers>
#include <span>

#include "control/core/text.h"

namespace jointrig::gui {
namespace {

constexpr double kDegPerRad = 180.0 / std::numbers::pi;

struct UnitWord {
  std::string_view word;
  double per_si;
};

constexpr UnitWord kAngle[]{{"°", kDegPerRad}, {"deg", kDegPerRad}, {"rad", 1.0}, {"mrad", 1e3}};
constexpr UnitWord kLength[]{{"mm", 1e3}, {"cm", 1e2}, {"m", 1.0}};
constexpr UnitWord kAngleRate[]{{"°/s", kDegPerRad}, {"deg/s", kDegPerRad}, {"rad/s", 1.0}};
constexpr UnitWord kSpeed[]{{"mm/s", 1e3}, {"m/s", 1.0}};
constexpr UnitWord kAngleAcceleration[]{{"°/s²", kDegPerRad},
                                        {"deg/s²", kDegPerRad},
                                        {"deg/s^2", kDegPerRad},
                                        {"rad/s²", 1.0},
                                        {"rad/s^2", 1.0}};
constexpr UnitWord kLineAcceleration[]{
    {"mm/s²", 1e3}, {"mm/s^2", 1e3}, {"m/s²", 1.0}, {"m/s^2", 1.0}};
constexpr UnitWord kTorque[]{{"N·m", 1.0}, {"Nm", 1.0}, {"N*m", 1.0}, {"mNm", 1e3}};
constexpr UnitWord kForce[]{{"N", 1.0}, {"kN", 1e-3}};
constexpr UnitWord kFraction[]{{"%", 100.0}};
constexpr UnitWord kTurnStiffness[]{
    {"N·m/rad", 1.0}, {"Nm/rad", 1.0}, {"Nm/deg", 1.0 / kDegPerRad}};
constexpr UnitWord kLineStiffness[]{{"N/m", 1.0}, {"N/mm", 1e-3}};
constexpr UnitWord kTurnDamping[]{{"N·m·s/rad", 1.0}, {"Nms/rad", 1.0}};
constexpr UnitWord kMasses[]{{"kg", 1.0}, {"g", 1e3}};
constexpr UnitWord kLineDamping[]{{"N·s/m", 1.0}, {"Ns/m", 1.0}};

/// The first is the unit shown.
std::span<const UnitWord> units_of(JointQuantity quantity, bool slide) noexcept {
  switch (quantity) {
    case JointQuantity::kPosition:
      return slide ? std::span<const UnitWord>(kLength) : kAngle;
    case JointQuantity::kVelocity:
      return slide ? std::span<const UnitWord>(kSpeed) : kAngleRate;
    case JointQuantity::kAcceleration:
      return slide ? std::span<const UnitWord>(kLineAcceleration) : kAngleAcceleration;
    case JointQuantity::kTorque:
      return slide ? std::span<const UnitWord>(kForce) : kTorque;
    case JointQuantity::kStiffness:
      return slide ? std::span<const UnitWord>(kLineStiffness) : kTurnStiffness;
    case JointQuantity::kDamping:
      return slide ? std::span<const UnitWord>(kLineDamping) : kTurnDamping;
    case JointQuantity::kMass:
      return kMasses;
    case JointQuantity::kDuty:
      break;
  }
  return kFraction;
}

int decimals_of(JointQuantity quantity) noexcept {
  const bool is_small = quantity == JointQuantity::kTorque || quantity == JointQuantity::kDamping ||
                        quantity == JointQuantity::kMass;
  return is_small ? 2 : 1;
}

std::string list_of(std::span<const UnitWord> units) {
  std::string list;
  for (const UnitWord& unit : units) list += (list.empty() ? "" : ", ") + std::string(unit.word);
  return list;
}

}  // namespace

QuantityUnit shown_unit(JointQuantity quantity, bool slide) noexcept {
  const UnitWord& unit = units_of(quantity, slide).front();
  return {unit.per_si, unit.word, decimals_of(quantity)};
}

std::string show_number(double si, JointQuantity quantity, bool slide) {
  if (!std::isfinite(si)) return "–";
  const QuantityUnit unit = shown_unit(quantity, slide);
  const std::string shown = fmt::format("{:.{}f}", si * unit.per_si, unit.decimals);
  // A value that rounds to 0 is shown without a sign, which would flicker.
  const bool nothing = shown.find_first_of("123456789") == std::string::npos;
  return nothing && shown.front() == '-' ? shown.substr(1) : shown;
}

std::string show(double si, JointQuantity quantity, bool slide) {
  return show_number(si, quantity, slide) + " " + std::string(shown_unit(quantity, slide).text);
}

Typed read_typed(std::string_view text, JointQuantity quantity, bool slide) {
  text = trimmed(text);
  if (text.starts_with('+')) text.remove_prefix(1);
  double number = 0.0;
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), number);
  const auto units = units_of(quantity, slide);
  if (wrong != std::errc{} || !std::isfinite(number)) {
    return {0.0, "\"" + std::string(text) + "\" is no number; type one such as 1.5 " +
                     std::string(units.front().word)};
  }
  const std::string_view word = trimmed(text.substr(static_cast<std::size_t>(end - text.data())));
  if (word.empty()) return {number / units.front().per_si, {}};
  for (const UnitWord& unit : units) {
    if (unit.word == word) return {number / unit.per_si, {}};
  }
  return {0.0, "\"" + std::string(word) + "\" is no unit of a " + std::string(to_string(quantity)) +
                   "; there are " + list_of(units)};
}

}  // namespace jointrig::gui
