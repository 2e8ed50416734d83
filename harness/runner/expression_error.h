#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

namespace jointrig::harness {

/// Error in an expression, with the position of the character (from 0).
class ExpressionError : public std::runtime_error {
 public:
  ExpressionError(std::size_t column, const std::string& sentence, bool needs_truth = false)
      : std::runtime_error(sentence), column_(column), needs_truth_(needs_truth) {}
  [[nodiscard]] std::size_t column() const noexcept { return column_; }
  /// True if only the truth of a simulated world is missing: the expression may be valid.
  [[nodiscard]] bool needs_truth() const noexcept { return needs_truth_; }

 private:
  std::size_t column_;
  bool needs_truth_;
};

}  // namespace jointrig::harness
