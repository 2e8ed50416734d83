#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

namespace jointrig::harness {

/// What is wrong with an expression, and at which of its characters (from 0).
class ExpressionError : public std::runtime_error {
 public:
  ExpressionError(std::size_t column, const std::string& sentence, bool needs_truth = false)
      : std::runtime_error(sentence), column_(column), needs_truth_(needs_truth) {}
  [[nodiscard]] std::size_t column() const noexcept { return column_; }
  /// True where only the truth of a simulated world is missing: the expression may be right.
  [[nodiscard]] bool needs_truth() const noexcept { return needs_truth_; }

 private:
  std::size_t column_;
  bool needs_truth_;
};

}  // namespace jointrig::harness
