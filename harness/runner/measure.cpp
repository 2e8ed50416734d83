#include "harness/runner/measure.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace jointrig::harness {
namespace {

using Kind = Syntax::Kind;
constexpr std::size_t kAngle = 5;  // index in a Dimension's exponents

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

// Measure of a sum: a certain part decides.
Measure either(const Measure& a, const Measure& b) {
  if (!a.is_known) return b.is_known ? Measure{b.dimension, true, false, b.is_computed} : a;
  if (!b.is_known) return {a.dimension, true, false, a.is_computed};
  Measure result = a.is_certain || !b.is_certain ? a : b;
  result.is_certain = a.is_certain && b.is_certain;
  return result;
}

class Walk {
 public:
  Walk(const SyntaxTree& tree, SignalTable& signals, JointIndex each)
      : tree_(tree), signals_(signals), each_(each) {}

  Measure measure(SyntaxIndex index) const {
    const Syntax& node = tree_[index];
    switch (node.kind) {
      case Kind::kNumber:
        return measure_of_unit(tree_.token_of(index).unit);
      case Kind::kName:
        return signal(tree_.token_of(index));
      case Kind::kCall:
        return call(index);
      case Kind::kGroup:
      case Kind::kMinus:
      case Kind::kPlus:
        return measure(node.parts[0]);
      case Kind::kSum:
        return sum(index, "plus");
      case Kind::kDifference:
        return sum(index, "minus");
      case Kind::kProduct:
        return product(measure(node.parts[0]), measure(node.parts[1]), 1);
      case Kind::kQuotient:
        return product(measure(node.parts[0]), measure(node.parts[1]), -1);
      case Kind::kPower:
        return power(node.parts[0], node.parts[1]);
      case Kind::kCompare:
      case Kind::kAnd:
      case Kind::kOr:
      case Kind::kNot:
      case Kind::kChoice:
        return plain();
    }
    return plain();
  }

 private:
  Measure sum(SyntaxIndex index, const char* how) const {
    const Measure left = measure(tree_[index].parts[0]);
    const Measure right = measure(tree_[index].parts[1]);
    require(left, right, tree_.token_of(index), how);
    return either(left, right);
  }

  Measure power(SyntaxIndex base, SyntaxIndex exponent) const {
    const Measure of_base = measure(base);
    const double by = tree_.token_of(exponent).value;
    const bool is_whole =
        tree_[exponent].kind == Kind::kNumber && by == std::floor(by) && std::abs(by) <= 8.0;
    return is_whole ? scaled(of_base, static_cast<int>(by), 1) : plain();
  }

  Measure signal(const Token& token) const {
    try {
      return measure_of_unit(signals_.find(token.text, each_).unit);
    } catch (const std::invalid_argument&) {
      return plain();  // pi, a word, a mark
    }
  }

  Measure call(SyntaxIndex index) const {
    constexpr std::array<std::string_view, 8> kKeep{"abs", "step",  "at",   "peak",
                                                    "low", "floor", "ceil", "round"};
    constexpr std::array<std::string_view, 3> kJoin{"min", "max", "hypot"};
    constexpr std::array<std::string_view, 4> kAngles{"asin", "acos", "atan", "atan2"};
    const std::string& name = tree_.token_of(index).text;
    const auto is_in = [&name](const auto& names) {
      return std::find(names.begin(), names.end(), name) != names.end();
    };
    const std::vector<SyntaxIndex>& arguments = tree_[index].parts;
    if (is_in(kKeep)) return measure(arguments[0]);
    if (name == "rate") return product(measure(arguments[0]), measure_of_unit("s"), -1);
    if (name == "sqrt") return scaled(measure(arguments[0]), 1, 2);
    if (is_in(kAngles)) return certain(dimension_of("rad"));
    if (!is_in(kJoin)) return plain();
    Measure all = measure(arguments[0]);
    for (std::size_t i = 1; i < arguments.size(); ++i) {
      const Measure one = measure(arguments[i]);
      require(all, one, tree_.tokens[tree_[arguments[i]].first], "beside");
      all = either(all, one);
    }
    return all;
  }

  void require(const Measure& left, const Measure& right, const Token& at, const char* how) const {
    if (fits(left, right)) return;
    tree_.fail(at.at, to_string(left.dimension) + " " + how + " " + to_string(right.dimension));
  }

  const SyntaxTree& tree_;
  SignalTable& signals_;
  JointIndex each_;
};

std::string formatted(double value, int digits) {
  if (std::isnan(value)) return "nan";  // its sign has no meaning
  return fmt::format("{:.{}g}", value, digits);
}

// Counts are shown whole, other numbers with as many digits as distinguish the two.
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

Measure measure_of(const SyntaxTree& tree, SyntaxIndex part, SignalTable& signals,
                   JointIndex each) {
  return Walk(tree, signals, each).measure(part);
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

}  // namespace jointrig::harness
