#pragma once
/// A number computed from signals: a part of an expression, compiled to a flat program of
/// operations on a stack of doubles. A lone signal or number is read without it.
///
/// A condition inside of it (`(elbow.q > 0) + 1`, `elbow.moving ? 2 : 3`) counts 1 or 0 and follows
/// the same rules as outside: a number holds where it is neither 0 nor nan.

#include <cstdint>
#include <string>
#include <vector>

#include "harness/runner/expression_tree.h"
#include "harness/runner/signals.h"

namespace jointrig::harness {

/// What the parts of one expression are compiled with.
struct CompileContext {
  const SyntaxTree& tree;
  SignalTable& signals;
  JointIndex each;
  std::vector<const Signal*> used{};  ///< signals met, each once
  bool has_history = false;

  void note_used(const Signal& signal);
};

class Arithmetic {
 public:
  /// Throws ExpressionError: a name or a function that nobody knows, arguments too many or too few.
  Arithmetic(SyntaxIndex part, CompileContext& context);
  Arithmetic(const Arithmetic&) = delete;
  Arithmetic& operator=(const Arithmetic&) = delete;
  Arithmetic(Arithmetic&&) noexcept = default;
  Arithmetic& operator=(Arithmetic&&) noexcept = default;
  ~Arithmetic() = default;

  /// Neither throws nor allocates; not for two threads at once.
  [[nodiscard]] double value() const noexcept { return direct_ != nullptr ? *direct_ : run(); }

  /// The signal that this is, alone or within abs(); nullptr for anything else.
  [[nodiscard]] const Signal* signal() const noexcept { return signal_; }
  [[nodiscard]] bool is_magnitude() const noexcept { return is_magnitude_; }
  [[nodiscard]] bool is_constant() const noexcept { return is_constant_; }

 private:
  class Compiler;
  enum class Code : std::uint8_t {
    kNumber,  // pushes
    kRead,
    kNegate,  // change the last
    kCall,
    kSquare,
    kHolds,
    kHoldsNot,
    kAdd,  // make one of the last two
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
    kChoose  // one of the last three
  };
  struct Operation {
    Code code = Code::kNumber;
    double number = 0.0;                   // of kNumber
    const double* place = nullptr;         // of kRead
    double (*function)(double) = nullptr;  // of kCall
  };

  [[nodiscard]] double run() const noexcept;

  std::vector<Operation> program_;
  mutable std::vector<double> stack_;  // as deep as the program needs, above an unused first
  const double* direct_ = nullptr;     // where the value stands ready
  const Signal* signal_ = nullptr;
  bool is_magnitude_ = false;
  bool is_constant_ = false;
};

}  // namespace jointrig::harness
