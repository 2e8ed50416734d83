#pragma once
/// A number computed from signals: the part of an expression between comparisons. muParser does the
/// reckoning; a lone signal or number is read without it.

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "harness/runner/expression_lexer.h"
#include "harness/runner/signals.h"

namespace mu {
class Parser;
}

namespace jointrig {

/// What the parts of one expression are compiled with.
struct CompileContext {
  std::string_view text;
  SignalTable* signals;
  JointIndex each;
  std::vector<const Signal*> used;  ///< signals met, each once
  bool has_history = false;

  [[noreturn]] void fail(std::size_t byte, const std::string& sentence) const {
    throw ExpressionError(column_of(text, byte), sentence);
  }
  /// The text of some tokens, as written.
  [[nodiscard]] std::string_view text_of(std::span<const Token> tokens) const {
    return text.substr(tokens.front().at, tokens.back().end - tokens.front().at);
  }
};

class Arithmetic {
 public:
  /// @param tokens  at least one. Throws ExpressionError
  Arithmetic(std::span<const Token> tokens, CompileContext& context);
  Arithmetic(Arithmetic&&) noexcept;
  Arithmetic& operator=(Arithmetic&&) noexcept;
  ~Arithmetic();

  [[nodiscard]] double value() const noexcept;

  /// The signal that this is, alone or within abs(); nullptr for anything else.
  [[nodiscard]] const Signal* signal() const noexcept { return signal_; }
  [[nodiscard]] bool is_magnitude() const noexcept { return is_magnitude_; }
  [[nodiscard]] bool is_constant() const noexcept { return is_constant_; }

 private:
  class Compiler;
  const double* direct_ = nullptr;  ///< where the value stands ready
  const Signal* signal_ = nullptr;
  bool is_magnitude_ = false;
  bool is_constant_ = false;
  std::unique_ptr<mu::Parser> parser_;
};

/// Index of the token that closes the parenthesis opened at `open`.
std::size_t closing(std::span<const Token> tokens, std::size_t open) noexcept;

}  // namespace jointrig
