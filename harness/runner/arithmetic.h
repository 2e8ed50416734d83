#pragma once
/// A number computed from signals: a part of an expression, compiled to a flat program of
/// operations on a stack of doubles. A single signal or number is read directly.
///
/// A condition inside of it (`(elbow.q > 0) + 1`, `elbow.moving ? 2 : 3`) counts 1 or 0 and follows
/// the same rules as outside: a number counts as true if it is neither 0 nor nan.

#include <cstdint>
#include <string>
#include <vector>

#include "harness/runner/expression_tree.h"
#include "harness/runner/signals.h"

namespace jointrig::harness {

/// Context shared by the parts of one expression.
struct CompileContext {
  const SyntaxTree& tree;
  SignalTable& signals;
  JointIndex each;
  std::vector<const Signal*> used{};  ///< signals of the expression, each once
  bool has_history = false;

  void note_used(const Signal& signal);
};

class Arithmetic {
 public:
  /// Throws ExpressionError: an unknown name or function, too many or too few arguments.
  Arithmetic(SyntaxIndex part, CompileContext& context);
  Arithmetic(const Arithmetic&) = delete;
  Arithmetic& operator=(const Arithmetic&) = delete;
  Arithmetic(Arithmetic&&) noexcept = default;
  Arithmetic& operator=(Arithmetic&&) noexcept = default;
  ~Arithmetic() = default;

  /// Neither throws nor allocates; one thread at a time.
  [[nodiscard]] double value() const noexcept { return direct_ != nullptr ? *direct_ : run(); }

  /// The signal, if this is a signal alone or within abs(); else nullptr.
  [[nodiscard]] const Signal* signal() const noexcept { return signal_; }
  [[nodiscard]] bool is_magnitude() const noexcept { return is_magnitude_; }
  [[nodiscard]] bool is_constant() const noexcept { return is_constant_; }

 private:
  class Compiler;
  enum class Code : std::uint8_t {
    kNumber,  // pushes a value
    kRead,
    kNegate,  // changes the last value
    kCall,
    kSquare,
    kHolds,
    kHoldsNot,
    kAdd,  // combines the last two
    kSubtract,
    kMultiply,
    kDivide,
    kPower,
    kSmaller,
    kLarger,
    kAngle,
    kAddSquare,
    kLess,
    kLessEqual,
    kGreater,
    kGreaterEqual,
    kEqual,
    kUnequal,
    kAnd,
    kOr,
    kChoose  // combines the last three
  };
  struct Operation {
    Code code = Code::kNumber;
    double number = 0.0;                   // of kNumber
    const double* place = nullptr;         // of kRead
    double (*function)(double) = nullptr;  // of kCall
  };

  [[nodiscard]] double run() const noexcept;

  std::vector<Operation> program_;
  mutable std::vector<double> stack_;  // as deep as the program needs, with an unused first element
  const double* direct_ = nullptr;     // place of the value, if it can be read directly
  const Signal* signal_ = nullptr;
  bool is_magnitude_ = false;
  bool is_constant_ = false;
};

}  // namespace jointrig::harness
