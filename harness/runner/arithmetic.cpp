#include "harness/runner/arithmetic.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "control/core/nearest_word.h"
#include "harness/runner/history.h"
#include "harness/runner/words.h"

namespace jointrig::harness {
namespace {

using Kind = Syntax::Kind;

double sign_of(double x) { return static_cast<double>(x > 0.0) - static_cast<double>(x < 0.0); }

struct OneArgument {
  std::string_view name;
  double (*function)(double);
};
constexpr auto kOneArgument = std::to_array<OneArgument>({
    {"abs", [](double x) { return std::abs(x); }},
    {"sqrt", [](double x) { return std::sqrt(x); }},
    {"sin", [](double x) { return std::sin(x); }},
    {"cos", [](double x) { return std::cos(x); }},
    {"tan", [](double x) { return std::tan(x); }},
    {"asin", [](double x) { return std::asin(x); }},
    {"acos", [](double x) { return std::acos(x); }},
    {"atan", [](double x) { return std::atan(x); }},
    {"exp", [](double x) { return std::exp(x); }},
    {"ln", [](double x) { return std::log(x); }},
    {"log10", [](double x) { return std::log10(x); }},
    {"floor", [](double x) { return std::floor(x); }},
    {"ceil", [](double x) { return std::ceil(x); }},
    {"round", [](double x) { return std::round(x); }},
    {"sign", sign_of},
});
constexpr std::array<std::string_view, 4> kMoreArguments{"min", "max", "hypot", "atan2"};

struct NamedNumber {
  std::string_view name;
  double value;
};
constexpr auto kNumbers = std::to_array<NamedNumber>({
    {"pi", std::numbers::pi},
    {"true", 1.0},
    {"false", 0.0},
    {"nan", std::numeric_limits<double>::quiet_NaN()},
    {"inf", std::numeric_limits<double>::infinity()},
});

std::vector<std::string_view> function_names() {
  std::vector<std::string_view> names(kMoreArguments.begin(), kMoreArguments.end());
  for (const OneArgument& one : kOneArgument) names.push_back(one.name);
  for (const std::string_view name : history_functions()) names.push_back(name);
  return names;
}

// Value of a name that is no signal: pi, a word.
std::optional<double> number_named(std::string_view name) {
  for (const NamedNumber& number : kNumbers) {
    if (number.name == name) return number.value;
  }
  return word_code(name);
}

}  // namespace

void CompileContext::note_used(const Signal& signal) {
  if (std::find(used.begin(), used.end(), &signal) == used.end()) used.push_back(&signal);
}

class Arithmetic::Compiler {
 public:
  Compiler(Arithmetic& result, CompileContext& context)
      : result_(result), context_(context), tree_(context.tree) {}

  void compile(SyntaxIndex part) {
    number(part);
    result_.is_constant_ = !reads_;
    recognise(part);
    result_.stack_.resize(deepest_ + 1);
    // A constant is computed once.
    if (!reads_) result_.program_ = {{.number = result_.run()}};
    if (result_.program_.size() > 1) return;
    const Operation& only = result_.program_.front();
    result_.direct_ = only.code == Code::kRead ? only.place : &only.number;
  }

 private:
  // @param taken  numbers that the operation takes from the stack, on which it leaves one
  void add(Operation operation, std::size_t taken) {
    result_.program_.push_back(operation);
    depth_ += 1 - taken;
    deepest_ = std::max(deepest_, depth_);
  }
  void add(Code code, std::size_t taken) { add(Operation{.code = code}, taken); }
  void push(double value) { add({.number = value}, 0); }
  void read(const double* place) {
    add({.code = Code::kRead, .place = place}, 0);
    reads_ = true;
  }

  // Program for the value of a part.
  void number(SyntaxIndex index) {
    const Syntax& node = tree_[index];
    switch (node.kind) {
      case Kind::kNumber:
        return push(tree_.token_of(index).value);
      case Kind::kName:
        return name(index);
      case Kind::kCall:
        return call(index);
      case Kind::kGroup:
      case Kind::kPlus:
        return number(node.parts[0]);
      case Kind::kMinus:
        number(node.parts[0]);
        return add(Code::kNegate, 1);
      case Kind::kSum:
        return two(node, Code::kAdd);
      case Kind::kDifference:
        return two(node, Code::kSubtract);
      case Kind::kProduct:
        return two(node, Code::kMultiply);
      case Kind::kQuotient:
        return two(node, Code::kDivide);
      case Kind::kPower:
        return two(node, Code::kPower);
      case Kind::kCompare:
      case Kind::kAnd:
      case Kind::kOr:
      case Kind::kNot:
        return condition(index, true);
      case Kind::kChoice:
        condition(node.parts[0], true);
        number(node.parts[1]);
        number(node.parts[2]);
        return add(Code::kChoose, 3);
    }
  }

  void two(const Syntax& node, Code code) {
    number(node.parts[0]);
    number(node.parts[1]);
    add(code, 2);
  }

  // Program for 1 or 0. @param wanted false under a `not`, which is moved down to the comparisons
  void condition(SyntaxIndex index, bool wanted) {
    const Syntax& node = tree_[index];
    switch (node.kind) {
      case Kind::kNot:
        return condition(node.parts[0], !wanted);
      case Kind::kGroup:
        return condition(node.parts[0], wanted);
      case Kind::kAnd:
      case Kind::kOr:
        condition(node.parts[0], wanted);
        condition(node.parts[1], wanted);
        return add((node.kind == Kind::kAnd) == wanted ? Code::kAnd : Code::kOr, 2);
      case Kind::kCompare:
        return two(node, code_of(wanted ? node.comparison : opposite(node.comparison)));
      default:
        number(index);
        return add(wanted ? Code::kHolds : Code::kHoldsNot, 1);
    }
  }

  static Code code_of(Comparison comparison) noexcept {
    return static_cast<Code>(static_cast<std::size_t>(Code::kLess) +
                             static_cast<std::size_t>(comparison));
  }

  void name(SyntaxIndex index) {
    const Token& token = tree_.token_of(index);
    if (const auto known = number_named(token.text)) return push(*known);
    read(find_signal(token).value);
  }

  const Signal& find_signal(const Token& token) {
    if (token.text.find('.') == std::string::npos) check_dotless(token);
    try {
      const Signal& signal = context_.signals.find(token.text, context_.each);
      context_.note_used(signal);
      return signal;
    } catch (const NoTruth& error) {
      throw ExpressionError(column_of(tree_.text, token.at), error.what(), true);
    } catch (const UnknownSignal& error) {
      tree_.fail(token.at, error.what());
    }
  }

  void check_dotless(const Token& token) const {
    std::vector<std::string_view> known{"time", "cycle", "overruns", "speed_override"};
    if (std::find(known.begin(), known.end(), token.text) != known.end()) return;
    for (const JointConfig& joint : context_.signals.config().joints) {
      if (joint.name == token.text) {
        tree_.fail(token.at, "\"" + token.text + "\" is a joint: name a signal of it, as in " +
                                 token.text + ".q");
      }
    }
    for (const std::string_view word : all_words()) known.push_back(word);
    for (const NamedNumber& number : kNumbers) known.push_back(number.name);
    tree_.fail(token.at,
               "no signal or word \"" + token.text + "\"" + did_you_mean(token.text, known));
  }

  void call(SyntaxIndex index) {
    const Token& token = tree_.token_of(index);
    if (is_history_function(token.text)) return read(add_history(index, context_));
    for (const OneArgument& one : kOneArgument) {
      if (one.name != token.text) continue;
      check_arguments(index, 1, 1);
      number(tree_[index].parts[0]);
      return add({.code = Code::kCall, .function = one.function}, 1);
    }
    if (token.text == "atan2") {
      check_arguments(index, 2, 2);
      return two(tree_[index], Code::kAngle);
    }
    if (token.text == "min") return fold(index, Code::kSmaller);
    if (token.text == "max") return fold(index, Code::kLarger);
    if (token.text == "hypot") return hypotenuse(index);
    tree_.fail(token.at,
               "no function \"" + token.text + "\"" + did_you_mean(token.text, function_names()));
  }

  void check_arguments(SyntaxIndex index, std::size_t least, std::size_t most) const {
    const std::size_t count = tree_[index].parts.size();
    if (count >= least && count <= most) return;
    tree_.fail(tree_.tokens[tree_[index].last].at, tree_.token_of(index).text + "() has too " +
                                                       (count < least ? "few" : "many") +
                                                       " arguments");
  }

  void fold(SyntaxIndex index, Code code) {
    constexpr std::size_t kAny = std::numeric_limits<std::size_t>::max();
    check_arguments(index, 1, kAny);
    bool is_first = true;
    for (const SyntaxIndex argument : tree_[index].parts) {
      number(argument);
      if (code == Code::kAddSquare && is_first) add(Code::kSquare, 1);
      if (!is_first) add(code, 2);
      is_first = false;
    }
  }

  // √(x² + y² + ...)
  void hypotenuse(SyntaxIndex index) {
    fold(index, Code::kAddSquare);
    add({.code = Code::kCall, .function = [](double x) { return std::sqrt(x); }}, 1);
  }

  // Recognises `signal` and `abs(signal)`, for which bounds can be drawn.
  void recognise(SyntaxIndex part) {
    const bool magnitude = tree_[part].kind == Kind::kCall && tree_.token_of(part).text == "abs";
    const SyntaxIndex inner = magnitude ? tree_[part].parts[0] : part;
    if (tree_[inner].kind != Kind::kName) return;
    const Token& token = tree_.token_of(inner);
    if (number_named(token.text)) return;
    result_.signal_ = &context_.signals.find(token.text, context_.each);
    result_.is_magnitude_ = magnitude;
  }

  Arithmetic& result_;
  CompileContext& context_;
  const SyntaxTree& tree_;
  std::size_t depth_ = 0;
  std::size_t deepest_ = 0;
  bool reads_ = false;  // it reads a signal, or a value derived from signals
};

Arithmetic::Arithmetic(SyntaxIndex part, CompileContext& context) {
  Compiler(*this, context).compile(part);
}

double Arithmetic::run() const noexcept {
  double* top = stack_.data();  // the last number
  const auto truth = [](bool holds) { return holds ? 1.0 : 0.0; };
  for (const Operation& operation : program_) {
    switch (operation.code) {
      case Code::kNumber:
        *++top = operation.number;
        continue;
      case Code::kRead:
        *++top = *operation.place;
        continue;
      case Code::kNegate:
        *top = -*top;
        continue;
      case Code::kCall:
        *top = operation.function(*top);
        continue;
      case Code::kSquare:
        *top *= *top;
        continue;
      case Code::kHolds:
        *top = truth(*top < 0.0 || *top > 0.0);
        continue;
      case Code::kHoldsNot:
        *top = truth(*top == 0.0);
        continue;
      case Code::kChoose:
        top -= 2;
        *top = *top != 0.0 ? top[1] : top[2];
        continue;
      default:
        break;
    }
    const double right = *top--;
    double& left = *top;
    switch (operation.code) {
      case Code::kAdd:
        left += right;
        continue;
      case Code::kSubtract:
        left -= right;
        continue;
      case Code::kMultiply:
        left *= right;
        continue;
      case Code::kDivide:
        left /= right;
        continue;
      case Code::kPower:
        left = std::pow(left, right);
        continue;
      case Code::kSmaller:
        left = std::min(left, right);
        continue;
      case Code::kLarger:
        left = std::max(left, right);
        continue;
      case Code::kAngle:
        left = std::atan2(left, right);
        continue;
      case Code::kAddSquare:
        left += right * right;
        continue;
      case Code::kAnd:
        left = truth(left != 0.0 && right != 0.0);
        continue;
      case Code::kOr:
        left = truth(left != 0.0 || right != 0.0);
        continue;
      default: {
        const auto comparison =
            static_cast<std::size_t>(operation.code) - static_cast<std::size_t>(Code::kLess);
        left = truth(holds(static_cast<Comparison>(comparison), left, right));
      }
    }
  }
  return *top;
}

}  // namespace jointrig::harness
