#pragma once
/// Expressions over signals, for assertions, waits and streams.
///
///     abs(r_elbow.q - 60 deg) < 1 deg
///     r_elbow.mode == position and not r_elbow.moving
///     20 deg < r_elbow.q < 80 deg
///     each.moving implies abs(each.tau) <= 0.8 * each.tau_max
///     peak(contact.right_hand.force, 500 ms) < 15 N
///
///     numbers      60 deg, 20 Nm/rad, 1e-3, pi, true, false, nan, inf: in SI once read
///     signals      signals.h; names with odd characters in quotes: 'arm/elbow-1'.q
///     words        position, compliant, encoder_frozen, ...: words.h
///     arithmetic   + - * / ^  and  condition ? a : b
///     functions    abs min max sqrt sin cos tan asin acos atan atan2 exp ln log10 floor ceil round
///                  sign hypot (two or more)
///     comparisons  < <= > >= == !=, chains too
///     logic        not, and, or, implies (! && || =>), loosest last
///     history      step(x)          x minus x one cycle ago; 0 in the first cycle
///                  rate(x)          the same per second
///                  peak(x, 1 s)     largest x of the last second, this cycle included
///                  low(x, 1 s)      smallest
///                  mean(x, 1 s)     Σx/n over the same; nan while one of them is nan
///                  at(x, mark)      x when the mark was last set; nan before
///
/// A comparison with nan is false, and so is its opposite; nan alone counts as false. Both sides of
/// a sum or a comparison have one dimension; a plain number fits any (measure.h). The grammar is in
/// expression_tree.h.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/runner/expression_error.h"
#include "harness/runner/expression_tree.h"
#include "harness/runner/measure.h"
#include "harness/runner/signals.h"

namespace jointrig::harness {

/// Result of one evaluation of a condition.
struct Check {
  bool holds = false;
  /// Distance of the deciding comparison from its change, in its own unit: positive if it is true.
  /// Infinite if there is no distance (words, flags).
  double margin = 0.0;
  std::size_t leaf = 0;  ///< the deciding comparison
  bool wanted = true;    ///< false after a `not`
  double left = 0.0;
  double right = 0.0;
};

/// A bound that a condition sets on a signal, for plots.
struct SignalBound {
  const Signal* signal = nullptr;
  double value = 0.0;
  bool is_upper = false;
};

/// Compiled before the run (throws ExpressionError, allocates). Evaluation neither throws nor
/// allocates; it reads the values of the last SignalTable::update.
class Expression {
 public:
  /// @param each  the joint in place of `each`
  Expression(std::string_view text, SignalTable& signals, JointIndex each = kNoJoint);
  /// A part of another expression, as an expression of its own: its errors point into the whole
  /// text.
  Expression(const SyntaxTree& tree, SyntaxIndex part, SignalTable& signals, JointIndex each);
  Expression(Expression&&) noexcept;
  Expression& operator=(Expression&&) noexcept;
  ~Expression();

  /// Value as a number; 1 or 0 for a condition.
  [[nodiscard]] double value() const noexcept;

  /// Value as a condition; a number other than 0 counts as true.
  [[nodiscard]] Check check() const noexcept;

  /// The deciding comparison, with the joint's name for `each`: `abs(r_elbow.q_err) < 0.5 deg`.
  [[nodiscard]] std::string expected(const Check& check) const;
  /// Its value, in the unit of the comparison: `abs(r_elbow.q_err) = 0.81 deg`.
  [[nodiscard]] std::string got(const Check& check) const;
  /// SI unit of the deciding comparison and of its margin; "" if unknown.
  [[nodiscard]] std::string unit(const Check& check) const;
  /// Unit in which values and margins of the deciding comparison are shown.
  [[nodiscard]] const ShownUnit& shown(const Check& check) const noexcept;
  /// Dimension of the whole expression; unknown for a condition.
  [[nodiscard]] Measure measure() const noexcept;

  [[nodiscard]] const std::string& text() const noexcept;  ///< as written
  /// As written, but with the joint's name for `each`.
  [[nodiscard]] const std::string& said() const noexcept;
  /// Every signal of the expression, each once.
  [[nodiscard]] const std::vector<const Signal*>& signals() const noexcept;
  [[nodiscard]] std::vector<SignalBound> bounds() const;
  /// Its value if it reads no signal.
  [[nodiscard]] std::optional<double> constant() const noexcept;
  /// True if its outermost operator is a comparison or a logical operator.
  [[nodiscard]] bool is_condition() const noexcept;

 private:
  friend class ExpressionCompiler;
  struct Program;
  std::unique_ptr<Program> program_;
};

/// True if an expression contains `each`. False for a text that isn't an expression.
bool mentions_each(std::string_view text);

}  // namespace jointrig::harness
