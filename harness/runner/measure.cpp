#include "harness/runner/measure.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "harness/runner/arithmetic.h"

namespace jointrig {
namespace {

using Range = std::span<const Token>;
constexpr std::size_t kAngle = 5;  // its place among a Dimension's exponents

Measure plain() { return {}; }
Measure certain(const Dimension& dimension) { return {dimension, true, true, false}; }

bool equal_but_for_angles(Dimension a, Dimension b) noexcept {
  a.exponents[kAngle] = b.exponents[kAngle] = 0;
  return a == b;
}

Measure scaled(const Measure& base, int over, int under) {
  Measure result = base;
  for (auto& exponent : result.dimension.exponents) {
    if (exponent * over % under != 0) return plain();
    exponent = exponent * over / under;
  }
  result.is_computed = true;
  return result;
}

// A product, or with sign -1 a quotient.
Measure product(const Measure& a, const Measure& b, int sign) {
  Measure result;
  for (std::size_t i = 0; i < result.dimension.exponents.size(); ++i) {
    result.dimension.exponents[i] =
        std::clamp(a.dimension.exponents[i] + sign * b.dimension.exponents[i], -100, 100);
  }
  result.is_known = a.is_known || b.is_known;
  result.is_certain = a.is_certain && b.is_certain;
  result.is_computed = a.is_known && b.is_known;
  return result;
}

// Of the parts of a sum: what is certain counts.
Measure either(const Measure& a, const Measure& b) {
  if (!a.is_known) return b.is_known ? Measure{b.dimension, true, false, b.is_computed} : a;
  if (!b.is_known) return {a.dimension, true, false, a.is_computed};
  Measure result = a.is_certain || !b.is_certain ? a : b;
  result.is_certain = a.is_certain && b.is_certain;
  return result;
}

class Walk {
 public:
  Walk(std::string_view text, SignalTable& signals, JointIndex each)
      : text_(text), signals_(&signals), each_(each) {}

  Measure sum(Range range) const {
    if (range.empty() || has_choice(range)) return plain();
    // From the right, so that `a - b + c` is taken apart at its last sign.
    const std::size_t at = last_of(range, {"+", "-"}, true);
    if (at == range.size()) return term(range);
    const Measure left = sum(range.subspan(0, at));
    const Measure right = term(range.subspan(at + 1));
    require(left, right, range[at], range[at].is("+") ? "plus" : "minus");
    return either(left, right);
  }

 private:
  Measure term(Range range) const {
    if (range.empty()) return plain();
    const std::size_t at = last_of(range, {"*", "/"}, false);
    if (at == range.size()) return power(range);
    return product(term(range.subspan(0, at)), power(range.subspan(at + 1)),
                   range[at].is("*") ? 1 : -1);
  }

  Measure power(Range range) const {
    while (!range.empty() && (range.front().is("-") || range.front().is("+"))) {
      range = range.subspan(1);
    }
    for (std::size_t i = 0; i < range.size(); i = behind(range, i)) {
      if (!range[i].is("^")) continue;
      const Range exponent = range.subspan(i + 1);
      const bool is_whole = exponent.size() == 1 && exponent[0].kind == Token::Kind::kNumber &&
                            exponent[0].value == std::floor(exponent[0].value) &&
                            std::abs(exponent[0].value) <= 8.0;
      const Measure base = factor(range.subspan(0, i));
      return is_whole ? scaled(base, static_cast<int>(exponent[0].value), 1) : plain();
    }
    return factor(range);
  }

  Measure factor(Range range) const {
    if (range.empty()) return plain();
    const Token& first = range.front();
    if (first.kind == Token::Kind::kOpen) return sum(range.subspan(1, range.size() - 2));
    if (range.size() > 2 && first.kind == Token::Kind::kName) return call(range);
    if (first.kind == Token::Kind::kNumber && range.size() == 1) return measure_of_unit(first.unit);
    if (first.kind == Token::Kind::kName && range.size() == 1) return signal(first);
    return plain();
  }

  Measure signal(const Token& token) const {
    try {
      return measure_of_unit(signals_->find(token.text, each_).unit);
    } catch (const std::invalid_argument&) {
      return plain();  // pi, a word, a mark
    }
  }

  Measure call(Range range) const {
    constexpr std::array<std::string_view, 7> kKeep{"abs", "step",  "at",  "peak",
                                                    "low", "floor", "ceil"};
    constexpr std::array<std::string_view, 3> kJoin{"min", "max", "hypot"};
    constexpr std::array<std::string_view, 4> kAngles{"asin", "acos", "atan", "atan2"};
    const std::string& name = range.front().text;
    const Range inside = range.subspan(2, range.size() - 3);
    const auto is_in = [&name](const auto& names) {
      return std::find(names.begin(), names.end(), name) != names.end();
    };
    const Range first = argument(inside, 0);
    if (is_in(kKeep) || name == "round") return sum(first);
    if (name == "rate") return product(sum(first), measure_of_unit("s"), -1);
    if (name == "sqrt") return scaled(sum(first), 1, 2);
    if (is_in(kAngles)) return certain(dimension_of("rad"));
    if (!is_in(kJoin)) return plain();
    Measure all = sum(first);
    for (std::size_t begin = first.size() + 1; begin < inside.size();) {
      const Range next = argument(inside, begin);
      const Measure one = sum(next);
      require(all, one, next.front(), "beside");
      all = either(all, one);
      begin += next.size() + 1;
    }
    return all;
  }

  static Range argument(Range inside, std::size_t begin) {
    std::size_t end = begin;
    while (end < inside.size() && inside[end].kind != Token::Kind::kComma) {
      end = behind(inside, end);
    }
    return inside.subspan(begin, end - begin);
  }

  // The next token outside of parentheses that a token opens.
  static std::size_t behind(Range range, std::size_t i) noexcept {
    return range[i].kind == Token::Kind::kOpen ? closing(range, i) + 1 : i + 1;
  }

  static bool is_operand_end(const Token& token) noexcept {
    return token.kind == Token::Kind::kNumber || token.kind == Token::Kind::kName ||
           token.kind == Token::Kind::kClose;
  }

  // @param binary  a sign that has something to its left: `2 - x`, not `2 * -x`
  static std::size_t last_of(Range range, std::initializer_list<std::string_view> operators,
                             bool binary) {
    std::size_t found = range.size();
    for (std::size_t i = 0; i < range.size(); i = behind(range, i)) {
      const bool is_one = std::any_of(operators.begin(), operators.end(),
                                      [&](std::string_view op) { return range[i].is(op); });
      if (is_one && (!binary || (i > 0 && is_operand_end(range[i - 1])))) found = i;
    }
    return found;
  }

  static bool has_choice(Range range) {
    return std::any_of(range.begin(), range.end(), [](const Token& token) {
      constexpr std::array<std::string_view, 12> kOther{"?", ":",  "&&", "||", "=>", "!",
                                                        "<", "<=", ">",  ">=", "==", "!="};
      return std::any_of(kOther.begin(), kOther.end(),
                         [&](std::string_view op) { return token.is(op); });
    });
  }

  void require(const Measure& left, const Measure& right, const Token& at, const char* how) const {
    if (fits(left, right)) return;
    throw ExpressionError(column_of(text_, at.at),
                          to_string(left.dimension) + " " + how + " " + to_string(right.dimension));
  }

  std::string_view text_;
  SignalTable* signals_;
  JointIndex each_;
};

std::string formatted(double value, int digits) {
  if (std::isnan(value)) return "nan";  // printf tells its sign, which means nothing
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.*g", digits, value);
  return text.data();
}

// Counts are told whole, other numbers with as many digits as tell the two apart.
std::string number_beside(double value, double other) {
  constexpr int kFew = 4;
  constexpr int kAll = 17;
  constexpr double kMostCounted = 1e9;
  if (value == std::floor(value) && std::abs(value) < kMostCounted) return formatted(value, 10);
  int digits = kFew;
  while (digits < kAll && value != other && formatted(value, digits) == formatted(other, digits)) {
    ++digits;
  }
  return formatted(value, digits);
}

std::string readable(std::string unit) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kWritten{
      {{"Nms", "N·m·s"}, {"Nm", "N·m"}, {"^2", "²"}, {"degC", "°C"}}};
  for (const auto& [from, to] : kWritten) {
    const std::size_t at = unit.find(from);
    if (at != std::string::npos) unit.replace(at, from.size(), to);
  }
  return unit == "1" ? "" : unit;
}

}  // namespace

Measure measure_of_unit(std::string_view unit) {
  return unit.empty() ? plain() : certain(dimension_of(unit));
}

bool fits(const Measure& a, const Measure& b) noexcept {
  if (!a.is_certain || !b.is_certain || a.dimension == b.dimension) return true;
  return (a.is_computed || b.is_computed) && equal_but_for_angles(a.dimension, b.dimension);
}

Measure measure_of(std::span<const Token> tokens, std::string_view text, SignalTable& signals,
                   JointIndex each) {
  return Walk(text, signals, each).sum(tokens);
}

std::string ShownUnit::text(double value, double other) const {
  std::string number = number_beside(value / scale, other / scale);
  if (unit.empty()) return number;
  return number + (unit == "%" ? " %" : " " + unit);
}

ShownUnit shown_unit(const Measure& measure, std::span<const Token> tokens) {
  if (!measure.is_known) return {};
  for (const Token& token : tokens) {
    if (token.unit.empty() || dimension_of(token.unit) != measure.dimension) continue;
    return shown_unit(token.unit);
  }
  return {readable(si_unit(measure.dimension)), 1.0};
}

ShownUnit shown_unit(std::string_view unit) {
  if (unit.empty()) return {};
  return {readable(std::string(unit)), parse_quantity("1 " + std::string(unit)).value};
}

}  // namespace jointrig
