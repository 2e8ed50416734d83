#pragma once
/// What a piece of arithmetic is a quantity of, so that `abs(elbow.tau) < 3 deg` is an error and
/// values are shown with a unit.
///
///     2 N·m + elbow.q      an error: the parts of a sum are of one dimension
///     3 * elbow.q < 2 Nm   none: a plain number may carry any dimension
///     elbow.tau * elbow.v < 5 W    none: a product may have gained or lost an angle

#include <span>
#include <string>
#include <string_view>

#include "harness/config/units.h"
#include "harness/runner/expression_tree.h"
#include "harness/runner/signals.h"

namespace jointrig::harness {

struct Measure {
  Dimension dimension;
  bool is_known = false;     ///< some part has a unit
  bool is_certain = false;   ///< and no plain number may have brought in another one
  bool is_computed = false;  ///< by products: angles may have come and gone
};

/// Of a value with that unit, written in a file or as signals have it; unknown for "".
Measure measure_of_unit(std::string_view unit);

/// False where both are certain and differ.
bool fits(const Measure& a, const Measure& b) noexcept;

/// Of a part of an expression whose names and functions are known. Throws ExpressionError at an
/// operator or argument whose sides don't fit.
Measure measure_of(const SyntaxTree& tree, SyntaxIndex part, SignalTable& signals, JointIndex each);

/// How values of a dimension are shown: in a unit that the author wrote, else in SI.
struct ShownUnit {
  std::string unit;    ///< "" where nothing is known
  double scale = 1.0;  ///< of one such unit in SI

  /// `2.015 deg`: four digits, and as many more as it takes to tell the value from `other`.
  [[nodiscard]] std::string text(double value, double other) const;
  [[nodiscard]] std::string text(double value) const { return text(value, value); }
};

/// The first unit written in the tokens that is of this dimension; else SI.
ShownUnit shown_unit(const Measure& measure, std::span<const Token> tokens);
/// A unit as it was written; "" is a plain number.
ShownUnit shown_unit(std::string_view unit);

}  // namespace jointrig::harness
