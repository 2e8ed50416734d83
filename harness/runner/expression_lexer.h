#pragma once
/// Splits an expression into tokens. Numbers include their units (`60 deg`, `30 deg/s`), the words
/// `and or not` become `&& || !`, and quoted names may contain any character: 'arm/elbow-1'.q

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/runner/expression_error.h"

namespace jointrig::harness {

struct Token {
  enum class Kind : std::uint8_t { kNumber, kName, kOperator, kOpen, kClose, kComma };
  Kind kind = Kind::kNumber;
  std::string text{};  ///< of a name without its quotes; of an operator in its short form
  double value = 0.0;  ///< of a number, in SI
  std::size_t at = 0;  ///< begin and end in the text, in bytes
  std::size_t end = 0;
  std::string unit{};  ///< as written behind a number; "" without

  [[nodiscard]] bool is(std::string_view op) const noexcept {
    return kind == Kind::kOperator && text == op;
  }
};

/// Throws ExpressionError: an unknown character or unit, a quote without an end.
std::vector<Token> tokens_of(std::string_view text);

/// Characters (not bytes) of UTF-8 before a byte of a text.
std::size_t column_of(std::string_view text, std::size_t byte) noexcept;

}  // namespace jointrig::harness
