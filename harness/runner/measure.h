#pragma once
/// Dimension of an arithmetic expression, so that `abs(elbow.tau) < 3 deg` is an error and values
/// are shown with a unit.
///
///     2 N·m + elbow.q      an error: the parts of a sum are of one dimension
///     3 * elbow.q < 2 Nm   no error: a plain number may have any dimension
///     elbow.tau * elbow.v < 5 W    no error: a product may have gained or lost an angle

#include <span>
#include <string>
#include <string_view>

#include "harness/config/units.h"
#include "harness/runner/expression_tree.h"
#include "harness/runner/signals.h"

namespace jointrig::harness {

struct Measure {
  Dimension dimension;
  bool is_known = false;     ///< a part has a unit
  bool is_certain = false;   ///< and no plain number may have added another dimension
  bool is_computed = false;  ///< by products: angles may have been added or lost
};

/// Measure of a unit in a file or of a signal; unknown for "".
Measure measure_of_unit(std::string_view unit);

/// False if both are certain and differ.
bool fits(const Measure& a, const Measure& b) noexcept;

/// Measure of a part of an expression with known names and functions. Throws ExpressionError at an
/// operator or argument whose sides don't fit.
Measure measure_of(const SyntaxTree& tree, SyntaxIndex part, SignalTable& signals, JointIndex each);

/// Unit in which values of a dimension are shown: one that the author wrote, else SI.
struct ShownUnit {
  std::string unit;    ///< "" if unknown
  double scale = 1.0;  ///< value of one such unit in SI

  /// `2.015 deg`: four digits, and more if needed to distinguish the value from `other`.
  [[nodiscard]] std::string text(double value, double other) const;
  [[nodiscard]] std::string text(double value) const { return text(value, value); }
};

/// The first unit in the tokens with this dimension; else SI.
ShownUnit shown_unit(const Measure& measure, std::span<const Token> tokens);
/// A unit as written; "" is a plain number.
ShownUnit shown_unit(std::string_view unit);

}  // namespace jointrig::harness
