#pragma once
/// An expression as a tree of syntax: parsed here, once, and used by measure.h (dimensions),
/// arithmetic.h and expression.h (values).
///
///     expression   implication [ ? expression : expression ]
///     implication  disjunction [ => implication ]
///     disjunction  conjunction { || conjunction }
///     conjunction  negation { && negation }
///     negation     ! negation | comparison
///     comparison   sum { (< <= > >= == !=) sum }        a < b < c is a < b and b < c
///     sum          product { (+ -) product }
///     product      signed { (* /) signed }
///     signed       [ - + ! ] power                      -2^2 is -4
///     power        operand [ ^ signed ]                 2^3^2 is 2^9
///     operand      number | name | name ( [ expression { , expression } ] ) | ( expression )

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/runner/expression_lexer.h"

namespace jointrig::harness {

enum class Comparison : std::uint8_t {
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kEqual,
  kUnequal
};

/// False if either side is nan.
inline bool holds(Comparison comparison, double left, double right) noexcept {
  switch (comparison) {
    case Comparison::kLess:
      return left < right;
    case Comparison::kLessEqual:
      return left <= right;
    case Comparison::kGreater:
      return left > right;
    case Comparison::kGreaterEqual:
      return left >= right;
    case Comparison::kEqual:
      return left == right;
    case Comparison::kUnequal:
      return left < right || left > right;
  }
  return false;
}

/// The comparison after a `not`; it is false with nan, too.
Comparison opposite(Comparison comparison) noexcept;

using SyntaxIndex = std::size_t;

struct Syntax {
  enum class Kind : std::uint8_t {
    kNumber,
    kName,
    kCall,   ///< parts: the arguments
    kGroup,  ///< parts: what is in parentheses
    kMinus,  ///< parts: one
    kPlus,
    kNot,
    kSum,  ///< parts: two, as in all below but kChoice
    kDifference,
    kProduct,
    kQuotient,
    kPower,
    kCompare,
    kAnd,
    kOr,
    kChoice  ///< parts: condition, value if true, value if false
  };
  Kind kind = Kind::kNumber;
  Comparison comparison = Comparison::kEqual;  ///< of kCompare
  std::size_t token = 0;  ///< the number, the name, the operator; of a group its parenthesis
  std::size_t first = 0;  ///< its tokens, from first to last
  std::size_t last = 0;
  std::vector<SyntaxIndex> parts{};

  /// True for a comparison or a logical operator.
  [[nodiscard]] bool is_condition() const noexcept {
    return kind == Kind::kCompare || kind == Kind::kAnd || kind == Kind::kOr || kind == Kind::kNot;
  }
};

struct SyntaxTree {
  std::string text;
  std::vector<Token> tokens;
  std::vector<Syntax> nodes{};  ///< the parts of a node stand before it
  SyntaxIndex root = 0;

  [[nodiscard]] const Syntax& operator[](SyntaxIndex index) const noexcept { return nodes[index]; }
  [[nodiscard]] const Token& token_of(SyntaxIndex index) const noexcept {
    return tokens[nodes[index].token];
  }
  [[nodiscard]] std::span<const Token> tokens_of(SyntaxIndex index) const noexcept {
    const Syntax& node = nodes[index];
    return std::span(tokens).subspan(node.first, node.last - node.first + 1);
  }
  /// The text of a node as written.
  [[nodiscard]] std::string_view text_of(SyntaxIndex index) const noexcept;
  /// Throws an ExpressionError that points at a byte of the text.
  [[noreturn]] void fail(std::size_t byte, const std::string& sentence) const;
};

/// Throws ExpressionError: unreadable text (expression_lexer.h), a missing value, operator or
/// parenthesis. Names and functions are not looked up.
SyntaxTree parse_expression(std::string_view text);

}  // namespace jointrig::harness
