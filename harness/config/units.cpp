#include "harness/config/units.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <optional>
#include <utility>

#include "control/core/nearest_word.h"
#include "control/core/text.h"
#include "harness/config/yaml_scalar.h"

namespace jointrig::harness {
namespace {

// value [SI] = value [unit] * over / under
struct Unit {
  std::string_view symbol;
  double over;
  double under;
  Dimension dimension;
};

constexpr double kPi = std::numbers::pi;

//                               m   kg  s   A  degC rad
constexpr Dimension kNone{{0, 0, 0, 0, 0, 0}};
constexpr Dimension kLength{{1, 0, 0, 0, 0, 0}};
constexpr Dimension kMass{{0, 1, 0, 0, 0, 0}};
constexpr Dimension kTime{{0, 0, 1, 0, 0, 0}};
constexpr Dimension kCurrent{{0, 0, 0, 1, 0, 0}};
constexpr Dimension kTemperature{{0, 0, 0, 0, 1, 0}};
constexpr Dimension kAngle{{0, 0, 0, 0, 0, 1}};
constexpr Dimension kFrequency{{0, 0, -1, 0, 0, 0}};
constexpr Dimension kAngularSpeed{{0, 0, -1, 0, 0, 1}};
constexpr Dimension kForce{{1, 1, -2, 0, 0, 0}};
constexpr Dimension kImpulse{{1, 1, -1, 0, 0, 0}};
constexpr Dimension kTorque{{2, 1, -2, 0, 0, 0}};
constexpr Dimension kAngularImpulse{{2, 1, -1, 0, 0, 0}};
constexpr Dimension kVoltage{{2, 1, -3, -1, 0, 0}};
constexpr Dimension kResistance{{2, 1, -3, -2, 0, 0}};
constexpr Dimension kPower{{2, 1, -3, 0, 0, 0}};

constexpr auto kUnits = std::to_array<Unit>({
    {"1", 1, 1, kNone},
    {"%", 1, 100, kNone},
    {"rad", 1, 1, kAngle},
    {"mrad", 1, 1000, kAngle},
    {"deg", kPi, 180, kAngle},
    {"°", kPi, 180, kAngle},
    {"rev", 2 * kPi, 1, kAngle},
    {"m", 1, 1, kLength},
    {"cm", 1, 100, kLength},
    {"mm", 1, 1000, kLength},
    {"um", 1, 1e6, kLength},
    {"km", 1000, 1, kLength},
    {"kg", 1, 1, kMass},
    {"g", 1, 1000, kMass},
    {"s", 1, 1, kTime},
    {"ms", 1, 1000, kTime},
    {"us", 1, 1e6, kTime},
    {"ns", 1, 1e9, kTime},
    {"min", 60, 1, kTime},
    {"h", 3600, 1, kTime},
    {"A", 1, 1, kCurrent},
    {"mA", 1, 1000, kCurrent},
    {"degC", 1, 1, kTemperature},
    {"°C", 1, 1, kTemperature},
    {"rpm", kPi, 30, kAngularSpeed},
    {"Hz", 1, 1, kFrequency},
    {"kHz", 1000, 1, kFrequency},
    {"N", 1, 1, kForce},
    {"mN", 1, 1000, kForce},
    {"kN", 1000, 1, kForce},
    {"Ns", 1, 1, kImpulse},
    {"Nm", 1, 1, kTorque},
    {"mNm", 1, 1000, kTorque},
    {"kNm", 1000, 1, kTorque},
    {"Nms", 1, 1, kAngularImpulse},
    {"V", 1, 1, kVoltage},
    {"mV", 1, 1000, kVoltage},
    {"ohm", 1, 1, kResistance},
    {"Ω", 1, 1, kResistance},
    {"mohm", 1, 1000, kResistance},
    {"W", 1, 1, kPower},
});

// Name of a dimension, and some of its units.
struct Name {
  std::string_view units;  // the first is the SI unit
  std::string_view name;
};
constexpr auto kNames = std::to_array<Name>({
    {"1, %", "a ratio"},
    {"m, mm", "a length"},
    {"kg, g", "a mass"},
    {"s, ms", "a time"},
    {"A, mA", "a current"},
    {"degC", "a temperature"},
    {"rad, deg", "an angle"},
    {"Hz", "a frequency"},
    {"rad/s, deg/s", "an angular speed"},
    {"rad/s^2, deg/s^2", "an angular acceleration"},
    {"rad/s^3, deg/s^3", "an angular jerk"},
    {"m/s", "a speed"},
    {"m/s^2", "an acceleration"},
    {"m/s^3", "a jerk"},
    {"N", "a force"},
    {"N/s", "a force rate"},
    {"Nm", "a torque"},
    {"Nm/s", "a torque rate"},
    {"Nm/rad", "an angular stiffness"},
    {"Nms/rad", "an angular damping"},
    {"Nm/(rad s)", "an angular integral gain"},
    {"N/m", "a stiffness"},
    {"Ns/m", "a damping"},
    {"N/(m s)", "an integral gain"},
    {"Ns", "an impulse"},
    {"kg m^2", "an inertia"},
    {"V", "a voltage"},
    {"ohm", "a resistance"},
    {"Nm/A", "a torque constant"},
    {"N/A", "a force constant"},
    {"degC/W", "a thermal resistance"},
    {"W", "a power"},
});

struct Scale {
  double over = 1.0;
  double under = 1.0;
  Dimension dimension;

  // exponent < 0 divides
  void multiply(const Unit& unit, int exponent) {
    for (int i = 0; i < std::abs(exponent); ++i) {
      over *= exponent > 0 ? unit.over : unit.under;
      under *= exponent > 0 ? unit.under : unit.over;
    }
    for (std::size_t i = 0; i < dimension.exponents.size(); ++i) {
      const int sum = dimension.exponents[i] + exponent * unit.dimension.exponents[i];
      dimension.exponents[i] = std::clamp(sum, -100, 100);
    }
  }
};

std::vector<std::string> all_symbols() {
  std::vector<std::string> symbols;
  for (const Unit& unit : kUnits) symbols.emplace_back(unit.symbol);
  return symbols;
}

class UnitParser {
 public:
  explicit UnitParser(std::string_view text) : text_(text), rest_(text) {}

  Scale parse() {
    product(+1);
    bool divided = false;
    while (take('/')) {
      factor(-1);
      divided = true;
    }
    skip_spaces();
    if (rest_.empty()) return scale_;
    if (divided && rest_.front() != ')') {
      fail("is ambiguous after the \"/\"; put the denominator in parentheses");
    }
    fail("is not a unit");
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw UnitError('"' + std::string(text_) + "\" " + why);
  }

  void skip_spaces() {
    while (rest_.starts_with(' ')) rest_.remove_prefix(1);
  }
  bool take(char c) {
    skip_spaces();
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool take_dot() {
    constexpr std::string_view kMiddleDot = "·";
    skip_spaces();
    if (!rest_.starts_with(kMiddleDot)) return false;
    rest_.remove_prefix(kMiddleDot.size());
    return true;
  }
  [[nodiscard]] bool at_end_of_product() {
    skip_spaces();
    return rest_.empty() || rest_.front() == '/' || rest_.front() == ')';
  }

  void product(int sign) {
    factor(sign);
    while (!at_end_of_product()) {
      if (!take('*')) take_dot();
      factor(sign);
    }
  }

  void factor(int sign) {
    if (sign < 0 && take('(')) {
      product(sign);
      if (!take(')')) fail("lacks a closing parenthesis");
      return;
    }
    const Unit& unit = symbol();
    if (unit.symbol == "1") {  // as in 1/s, and nowhere else
      if (!rest_.empty() && at_end_of_product()) return;
      if (rest_.empty() && text_ == "1") return;
      fail("is not a unit");
    }
    scale_.multiply(unit, sign * exponent());
  }

  // A symbol ends at a separator, a digit or an exponent; only "1" begins with a digit.
  const Unit& symbol() {
    skip_spaces();
    std::size_t length = rest_.starts_with('1') ? 1 : rest_.find_first_of(" */()^-0123456789");
    for (const std::string_view mark : {"·", "²", "³"}) {
      length = std::min(length, rest_.find(mark));
    }
    const std::string_view word = rest_.substr(0, length);
    rest_.remove_prefix(word.size());
    for (const Unit& unit : kUnits) {
      if (unit.symbol == word) return unit;
    }
    if (word.empty()) fail("is not a unit");
    throw UnitError("unknown unit \"" + std::string(word) + "\"" +
                    did_you_mean(word, all_symbols()));
  }

  int exponent() {
    for (const auto& [mark, value] : {std::pair{"²", 2}, std::pair{"³", 3}}) {
      if (!rest_.starts_with(mark)) continue;
      rest_.remove_prefix(std::string_view(mark).size());
      return value;
    }
    const bool has_caret = rest_.starts_with('^');
    if (has_caret) rest_.remove_prefix(1);
    int value = 1;
    const auto result = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    const bool found = result.ec == std::errc{};
    if (found) rest_.remove_prefix(static_cast<std::size_t>(result.ptr - rest_.data()));
    if (has_caret && !found) fail("lacks an exponent after the \"^\"");
    if (value == 0 || std::abs(value) > 9) fail("has an exponent that makes no sense");
    return value;
  }

  std::string_view text_;
  std::string_view rest_;
  Scale scale_;
};

const Name* name_of(const Dimension& dimension) {
  for (const Name& entry : kNames) {
    const std::string_view unit = entry.units.substr(0, entry.units.find(','));
    if (dimension_of(unit) == dimension) return &entry;
  }
  return nullptr;
}

std::string article_name(const Dimension& dimension) {
  const Name* known = name_of(dimension);
  return known != nullptr ? std::string(known->name) : "a quantity of another kind";
}

}  // namespace

Dimension dimension_of(std::string_view unit) {
  return UnitParser(trimmed(unit)).parse().dimension;
}

Quantity parse_quantity(std::string_view text) {
  const std::string_view whole = trimmed(text);
  std::string_view rest = whole;
  if (!take_decimal(rest)) {
    throw UnitError("expected a number with or without a unit, got \"" + std::string(whole) + "\"");
  }
  std::string_view digits = whole.substr(0, whole.size() - rest.size());
  if (digits.starts_with('+')) digits.remove_prefix(1);
  double value = 0.0;
  const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (result.ec != std::errc{}) {
    throw UnitError("the number " + std::string(digits) + " is out of range");
  }
  rest = trimmed(rest);
  if (rest.empty()) return {value, false, {}};
  if (rest == "1") throw UnitError('"' + std::string(whole) + "\" has a second number");
  const Scale scale = UnitParser(rest).parse();
  value = value * scale.over / scale.under;
  if (!std::isfinite(value)) throw UnitError(std::string(whole) + " is out of range");
  return {value, true, scale.dimension};
}

Expected::Expected(std::string_view units) {
  while (true) {
    const std::size_t bar = units.find('|');
    const std::string_view unit = trimmed(units.substr(0, bar));
    units_.emplace_back(unit);
    dimensions_.push_back(dimension_of(unit));
    if (bar == std::string_view::npos) break;
    units.remove_prefix(bar + 1);
  }
}

bool Expected::takes(const Dimension& dimension) const noexcept {
  return std::find(dimensions_.begin(), dimensions_.end(), dimension) != dimensions_.end();
}

Expected Expected::only(std::size_t index) const {
  Expected one;
  const std::size_t chosen = units_.size() == 1 ? 0 : index;
  one.units_.push_back(units_.at(chosen));
  one.dimensions_.push_back(dimensions_.at(chosen));
  return one;
}

std::string si_unit(const Dimension& dimension) {
  if (const Name* known = name_of(dimension)) {
    return std::string(known->units.substr(0, known->units.find(',')));
  }
  constexpr std::array<std::string_view, 6> kSymbols{"m", "kg", "s", "A", "degC", "rad"};
  std::string text;
  for (std::size_t i = 0; i < kSymbols.size(); ++i) {
    const int exponent = dimension.exponents[i];
    if (exponent == 0) continue;
    if (!text.empty()) text += ' ';
    text += kSymbols[i];
    if (exponent != 1) text += fmt::format("^{}", exponent);
  }
  return text;
}

std::string to_string(const Dimension& dimension) {
  const Name* known = name_of(dimension);
  if (known != nullptr) return std::string(known->name) + " (" + std::string(known->units) + ")";
  return "(" + si_unit(dimension) + ")";
}

Quantity any_quantity(const YamlNode& node) {
  if (node.is_number()) return {node.number(), false, {}};
  if (!node.is_string()) {
    throw node.error("expected a number with or without a unit, got " + describe(node));
  }
  try {
    return parse_quantity(node.raw());
  } catch (const UnitError& error) {
    throw node.error(error.what());
  }
}

namespace {

// Time is counted in nanoseconds, in 64 bits: 292 years. Sums of a few times stay within.
constexpr double kLongestTime = 1e9;  // [s]

void check_countable(const YamlNode& node, double value, const Expected& expected) {
  static const Dimension second = dimension_of("s");
  static const Dimension hertz = dimension_of("Hz");
  if (expected.takes(second) && std::abs(value) > kLongestTime) {
    throw node.error(node.raw() + " is longer than 1e9 s, which is 31 years");
  }
  if (expected.takes(hertz) && value != 0.0 && std::abs(value) < 1.0 / kLongestTime) {
    throw node.error(node.raw() + " is slower than 1e-9 Hz, which is once in 31 years");
  }
}

}  // namespace

double quantity(const YamlNode& node, const Expected& expected) {
  const Quantity found = any_quantity(node);
  if (!found.has_unit || expected.takes(found.dimension)) {
    check_countable(node, found.value, expected);
    return found.value;
  }
  std::vector<std::string> kinds;
  for (const std::string& unit : expected.units()) kinds.push_back(to_string(dimension_of(unit)));
  throw node.error("expected " + joined(kinds, " or ") + ", got " + node.raw() + ", " +
                   article_name(found.dimension));
}

double quantity(const YamlNode& node, std::string_view units) {
  return quantity(node, Expected(units));
}

std::string unit_of_quantity(std::string_view text) {
  std::string_view rest = trimmed(text);
  return take_decimal(rest) ? std::string(trimmed(rest)) : "";
}

bool looks_like_quantity(const YamlNode& node) noexcept {
  std::string_view text = node.raw();
  while (text.starts_with(' ')) text.remove_prefix(1);
  return node.is_number() || (node.is_string() && take_decimal(text));
}

}  // namespace jointrig::harness
