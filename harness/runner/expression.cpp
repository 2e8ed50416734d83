#include "harness/runner/expression.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "harness/runner/arithmetic.h"
#include "harness/runner/words.h"

namespace jointrig::harness {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

enum class NodeKind : std::uint8_t { kCompare, kNumber, kAnd, kOr, kNot };

struct Node {
  NodeKind kind = NodeKind::kNumber;
  Comparison comparison = Comparison::kEqual;
  std::size_t left = 0;  // for kCompare and kNumber: an Arithmetic; else a node
  std::size_t right = 0;
  std::string text{};  // text of a comparison or a number, with the joint for `each`
  std::string left_text{};
  std::string right_text{};
  Measure measure{};  // measure of both sides
  ShownUnit shown{};
  SignalKind signal_kind = SignalKind::kNumber;  // of either side that is a signal
};

double margin(Comparison comparison, double left, double right) noexcept {
  switch (comparison) {
    case Comparison::kLess:
    case Comparison::kLessEqual:
      return right - left;
    case Comparison::kGreater:
    case Comparison::kGreaterEqual:
      return left - right;
    case Comparison::kEqual:
      return -std::abs(left - right);
    case Comparison::kUnequal:
      return std::abs(left - right);
  }
  return 0.0;
}

}  // namespace

struct Expression::Program {
  std::string text;
  std::string said;
  std::vector<Node> nodes;
  std::vector<Arithmetic> numbers;
  std::vector<const Signal*> used;
  std::size_t root = 0;
  bool has_history = false;

  [[nodiscard]] Check check(std::size_t index, bool wanted) const noexcept;
  [[nodiscard]] Check check_leaf(std::size_t index, bool wanted) const noexcept;
  [[nodiscard]] Check compare(std::size_t index) const noexcept;
};

// Makes conditions from the syntax tree: Arithmetic computes the compared values.
class ExpressionCompiler {
 public:
  ExpressionCompiler(Expression::Program& program, const SyntaxTree& tree, SignalTable& signals,
                     JointIndex each)
      : program_(program), tree_(tree), context_{tree, signals, each} {}

  void compile(SyntaxIndex part) {
    program_.root = condition(part);
    program_.said = said(tree_.tokens_of(part));
    program_.used = std::move(context_.used);
    program_.has_history = context_.has_history;
  }

 private:
  using Kind = Syntax::Kind;

  std::size_t condition(SyntaxIndex index) {
    const Syntax& node = tree_[index];
    switch (node.kind) {
      case Kind::kNot:
        return add({.kind = NodeKind::kNot, .left = condition(node.parts[0])});
      case Kind::kAnd:
      case Kind::kOr: {
        const NodeKind kind = node.kind == Kind::kAnd ? NodeKind::kAnd : NodeKind::kOr;
        const std::size_t left = condition(node.parts[0]);
        return add({.kind = kind, .left = left, .right = condition(node.parts[1])});
      }
      case Kind::kCompare:
        return comparison(index);
      case Kind::kGroup:
        if (is_condition(node.parts[0])) return condition(node.parts[0]);
        return number_node(index);
      default:
        return number_node(index);
    }
  }

  [[nodiscard]] bool is_condition(SyntaxIndex index) const {
    const Syntax& node = tree_[index];
    return node.kind == Kind::kGroup ? is_condition(node.parts[0]) : node.is_condition();
  }

  std::size_t comparison(SyntaxIndex index) {
    const Syntax& syntax = tree_[index];
    const SyntaxIndex left = syntax.parts[0];
    const SyntaxIndex right = syntax.parts[1];
    Node node{.kind = NodeKind::kCompare,
              .comparison = syntax.comparison,
              .left = number(left),
              .right = number(right),
              .text = said(tree_.tokens_of(index)),
              .left_text = said(tree_.tokens_of(left)),
              .right_text = said(tree_.tokens_of(right))};
    const Measure of_left = measure(left);
    const Measure of_right = measure(right);
    if (!fits(of_left, of_right)) {
      tree_.fail(tree_.token_of(index).at, to_string(of_left.dimension) + " is compared with " +
                                               to_string(of_right.dimension));
    }
    node.measure = of_left.is_known ? of_left : of_right;
    node.shown = shown_unit(node.measure, tree_.tokens_of(index));
    note_kind(node, node.left);
    note_kind(node, node.right);
    return add(std::move(node));
  }

  std::size_t number_node(SyntaxIndex index) {
    Node node{.kind = NodeKind::kNumber, .left = number(index)};
    node.left_text = node.text = said(tree_.tokens_of(index));
    node.measure = measure(index);
    node.shown = shown_unit(node.measure, tree_.tokens_of(index));
    note_kind(node, node.left);
    return add(std::move(node));
  }

  std::size_t number(SyntaxIndex index) {
    program_.numbers.emplace_back(index, context_);
    return program_.numbers.size() - 1;
  }

  [[nodiscard]] Measure measure(SyntaxIndex index) const {
    return measure_of(tree_, index, context_.signals, context_.each);
  }

  // Words and flags are shown as words.
  void note_kind(Node& node, std::size_t number) const {
    const Signal* signal = program_.numbers[number].signal();
    if (signal != nullptr && signal->kind != SignalKind::kNumber) node.signal_kind = signal->kind;
  }

  // The text of some tokens, with the joint's name for `each`.
  [[nodiscard]] std::string said(std::span<const Token> tokens) const {
    std::string text;
    std::size_t written = tokens.front().at;
    for (const Token& token : tokens) {
      const std::size_t each =
          token.kind == Token::Kind::kName ? find_each(token.text) : token.text.npos;
      if (each == token.text.npos || context_.each == kNoJoint) continue;
      text += tree_.text.substr(written, token.at - written);
      text += token.text.substr(0, each) +
              quoted_where_odd(context_.signals.config().joints[context_.each].name) +
              token.text.substr(each + kEach.size());
      written = token.end;
    }
    return text + tree_.text.substr(written, tokens.back().end - written);
  }

  std::size_t add(Node node) {
    program_.nodes.push_back(std::move(node));
    return program_.nodes.size() - 1;
  }

  Expression::Program& program_;
  const SyntaxTree& tree_;
  CompileContext context_;
};

Check Expression::Program::compare(std::size_t index) const noexcept {
  const Node& node = nodes[index];
  Check check{.leaf = index, .left = numbers[node.left].value()};
  if (node.kind == NodeKind::kNumber) {
    check.holds = check.left < 0.0 || check.left > 0.0;
    check.margin = check.holds ? kInfinity : -kInfinity;
    return check;
  }
  check.right = numbers[node.right].value();
  check.holds = holds(node.comparison, check.left, check.right);
  check.margin = margin(node.comparison, check.left, check.right);
  if (node.signal_kind != SignalKind::kNumber || std::isnan(check.margin)) {
    check.margin = check.holds ? kInfinity : -kInfinity;
  }
  return check;
}

Check Expression::Program::check_leaf(std::size_t index, bool wanted) const noexcept {
  Check result = compare(index);
  if (wanted) return result;
  const bool is_nan = std::isnan(result.left) || std::isnan(result.right);
  result.holds = !result.holds && !is_nan;
  result.margin = is_nan ? -kInfinity : -result.margin;
  result.wanted = false;
  return result;
}

// @param wanted  false under a `not`: then a true comparison is the failure
Check Expression::Program::check(std::size_t index, bool wanted) const noexcept {
  const Node& node = nodes[index];
  if (node.kind == NodeKind::kNot) return check(node.left, !wanted);
  if (node.kind == NodeKind::kCompare || node.kind == NodeKind::kNumber) {
    return check_leaf(index, wanted);
  }
  // Not (a and b) is (not a) or (not b).
  const Check left = check(node.left, wanted);
  const Check right = check(node.right, wanted);
  const bool needs_both = (node.kind == NodeKind::kAnd) == wanted;
  if (left.holds != right.holds) return left.holds == needs_both ? right : left;
  const bool take_smaller = needs_both;
  return (right.margin < left.margin) == take_smaller ? right : left;
}

Expression::Expression(std::string_view text, SignalTable& signals, JointIndex each)
    : program_(std::make_unique<Program>()) {
  const SyntaxTree tree = parse_expression(text);
  program_->text = std::string(text);
  ExpressionCompiler(*program_, tree, signals, each).compile(tree.root);
}
Expression::Expression(const SyntaxTree& tree, SyntaxIndex part, SignalTable& signals,
                       JointIndex each)
    : program_(std::make_unique<Program>()) {
  program_->text = std::string(tree.text_of(part));
  ExpressionCompiler(*program_, tree, signals, each).compile(part);
}
Expression::Expression(Expression&&) noexcept = default;
Expression& Expression::operator=(Expression&&) noexcept = default;
Expression::~Expression() = default;

double Expression::value() const noexcept {
  const Node& root = program_->nodes[program_->root];
  if (root.kind == NodeKind::kNumber) return program_->numbers[root.left].value();
  return check().holds ? 1.0 : 0.0;
}

Check Expression::check() const noexcept { return program_->check(program_->root, true); }

std::string Expression::expected(const Check& check) const {
  const std::string& text = program_->nodes[check.leaf].text;
  return check.wanted ? text : "not " + text;
}

std::string Expression::got(const Check& check) const {
  const Node& node = program_->nodes[check.leaf];
  const bool is_compared = node.kind == NodeKind::kCompare;
  const auto shown = [&](double value, double other) {
    const std::string_view word = word_of(value);
    if (node.signal_kind == SignalKind::kWord && !word.empty()) return std::string(word);
    if (node.signal_kind == SignalKind::kTruth) return std::string(value == 0.0 ? "false" : "true");
    return node.shown.text(value, other);
  };
  if (!is_compared) return node.left_text + " = " + shown(check.left, check.left);
  // `0.1 < elbow.q` is reported by elbow.q.
  const bool turned = program_->numbers[node.left].is_constant();
  const bool against = !turned && !program_->numbers[node.right].is_constant();
  const double value = turned ? check.right : check.left;
  const double other = turned ? check.left : check.right;
  std::string text = (turned ? node.right_text : node.left_text) + " = " + shown(value, other);
  if (against) text += ", against " + shown(other, value);
  return text;
}

std::string Expression::unit(const Check& check) const {
  const Node& node = program_->nodes[check.leaf];
  return node.measure.is_known ? shown_unit(node.measure, {}).unit : "";
}

Measure Expression::measure() const noexcept {
  const Node& root = program_->nodes[program_->root];
  return root.kind == NodeKind::kNumber ? root.measure : Measure{};
}

const ShownUnit& Expression::shown(const Check& check) const noexcept {
  return program_->nodes[check.leaf].shown;
}

const std::string& Expression::text() const noexcept { return program_->text; }
const std::string& Expression::said() const noexcept { return program_->said; }
const std::vector<const Signal*>& Expression::signals() const noexcept { return program_->used; }

std::vector<SignalBound> Expression::bounds() const {
  std::vector<SignalBound> bounds;
  for (const Node& node : program_->nodes) {
    if (node.kind != NodeKind::kCompare || node.signal_kind == SignalKind::kWord) continue;
    const Arithmetic* signal = &program_->numbers[node.left];
    const Arithmetic* bound = &program_->numbers[node.right];
    const bool turned = signal->signal() == nullptr;
    if (turned) std::swap(signal, bound);
    if (signal->signal() == nullptr || !bound->is_constant()) continue;
    if (node.comparison == Comparison::kEqual || node.comparison == Comparison::kUnequal) continue;
    const bool less =
        node.comparison == Comparison::kLess || node.comparison == Comparison::kLessEqual;
    const bool is_upper = less != turned;
    bounds.push_back({signal->signal(), bound->value(), is_upper});
    if (signal->is_magnitude() && is_upper) {
      bounds.push_back({signal->signal(), -bound->value(), false});
    }
  }
  return bounds;
}

std::optional<double> Expression::constant() const noexcept {
  if (!program_->used.empty() || program_->has_history) return std::nullopt;
  return value();
}

bool Expression::is_condition() const noexcept {
  return program_->nodes[program_->root].kind != NodeKind::kNumber;
}

bool mentions_each(std::string_view text) {
  try {
    const auto tokens = tokens_of(text);
    return std::any_of(tokens.begin(), tokens.end(), [](const Token& token) {
      return token.kind == Token::Kind::kName && find_each(token.text) != token.text.npos;
    });
  } catch (const ExpressionError&) {
    return false;
  }
}

}  // namespace jointrig::harness
