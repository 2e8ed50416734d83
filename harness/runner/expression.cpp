#include "harness/runner/expression.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "harness/runner/arithmetic.h"
#include "harness/runner/words.h"

namespace jointrig {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

enum class Comparison : std::uint8_t {
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kEqual,
  kUnequal
};
constexpr std::array<std::string_view, 6> kComparisonWords{"<", "<=", ">", ">=", "==", "!="};

std::optional<Comparison> comparison_of(const Token& token) {
  for (std::size_t i = 0; i < kComparisonWords.size(); ++i) {
    if (token.is(kComparisonWords[i])) return static_cast<Comparison>(i);
  }
  return std::nullopt;
}

bool is_logic(const Token& token) {
  return token.is("&&") || token.is("||") || token.is("=>") || token.is("!") ||
         comparison_of(token).has_value();
}

enum class NodeKind : std::uint8_t { kCompare, kNumber, kAnd, kOr, kNot };

struct Node {
  NodeKind kind = NodeKind::kNumber;
  Comparison comparison = Comparison::kEqual;
  std::size_t left = 0;  // of kCompare and kNumber: an Arithmetic; else a node
  std::size_t right = 0;
  std::string text{};  // of a comparison or a number, with the joint for `each`
  std::string left_text{};
  std::string right_text{};
  Measure measure{};  // of both sides
  ShownUnit shown{};
  SignalKind signal_kind = SignalKind::kNumber;  // of either side, where it is a signal
};

bool holds(Comparison comparison, double left, double right) noexcept {
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
      return left < right || left > right;  // false with nan, as its opposite is
  }
  return false;
}

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
  [[nodiscard]] Check compare(std::size_t index) const noexcept;
};

// Recursive descent over token ranges: loosest operators first, arithmetic left to muParser.
class ExpressionCompiler {
 public:
  ExpressionCompiler(Expression::Program& program, SignalTable& signals, JointIndex each);
  void compile();

 private:
  using Range = std::span<const Token>;
  void check_parentheses() const;
  std::size_t implication(Range range);
  std::size_t chain(Range range, std::string_view op, NodeKind kind,
                    std::size_t (ExpressionCompiler::*inner)(Range));
  std::size_t disjunction(Range range);
  std::size_t conjunction(Range range);
  std::size_t negation(Range range);
  std::size_t comparison(Range range);
  std::size_t number_node(Range range);
  std::size_t number(Range range);
  Measure measure(Range range) const;
  [[nodiscard]] std::string said(Range range) const;
  void note_kind(Node& node, std::size_t number) const;
  std::size_t add(Node node);
  [[nodiscard]] std::vector<std::size_t> find_outermost(Range range, std::string_view op) const;
  [[nodiscard]] static bool has_logic(Range range);
  void check_filled(Range whole, Range part, const Token& next_to) const;

  Expression::Program& program_;
  std::vector<Token> tokens_;
  CompileContext context_;
};

ExpressionCompiler::ExpressionCompiler(Expression::Program& program, SignalTable& signals,
                                       JointIndex each)
    : program_(program),
      tokens_(tokens_of(program.text)),
      context_{program.text, &signals, each, {}, false} {}

void ExpressionCompiler::compile() {
  if (tokens_.empty()) context_.fail(0, "an expression is missing");
  check_parentheses();
  program_.root = implication(tokens_);
  program_.said = said(tokens_);
  program_.used = std::move(context_.used);
  program_.has_history = context_.has_history;
}

void ExpressionCompiler::check_parentheses() const {
  std::vector<std::size_t> open;
  for (const Token& token : tokens_) {
    if (token.kind == Token::Kind::kOpen) open.push_back(token.at);
    if (token.kind != Token::Kind::kClose) continue;
    if (open.empty()) context_.fail(token.at, "this parenthesis was never opened");
    open.pop_back();
  }
  if (!open.empty()) context_.fail(open.back(), "this parenthesis is never closed");
}

std::size_t ExpressionCompiler::add(Node node) {
  program_.nodes.push_back(std::move(node));
  return program_.nodes.size() - 1;
}

// Places of an operator outside of all parentheses.
std::vector<std::size_t> ExpressionCompiler::find_outermost(Range range,
                                                            std::string_view op) const {
  std::vector<std::size_t> places;
  int depth = 0;
  for (std::size_t i = 0; i < range.size(); ++i) {
    if (range[i].kind == Token::Kind::kOpen) ++depth;
    if (range[i].kind == Token::Kind::kClose) --depth;
    if (depth == 0 && range[i].is(op)) places.push_back(i);
  }
  return places;
}

bool ExpressionCompiler::has_logic(Range range) {
  return std::any_of(range.begin(), range.end(), is_logic);
}

void ExpressionCompiler::check_filled(Range whole, Range part, const Token& next_to) const {
  if (!part.empty()) return;
  const bool before = part.data() == whole.data();
  context_.fail(next_to.at, std::string("a value is missing ") + (before ? "before" : "after") +
                                " \"" + std::string(context_.text_of({&next_to, 1})) + "\"");
}

std::size_t ExpressionCompiler::implication(Range range) {
  // `condition ? a : b` is arithmetic as a whole.
  if (!find_outermost(range, "?").empty()) return number_node(range);
  const auto places = find_outermost(range, "=>");
  if (places.empty()) return disjunction(range);
  const std::size_t at = places.front();
  check_filled(range, range.subspan(0, at), range[at]);
  check_filled(range, range.subspan(at + 1), range[at]);
  const std::size_t condition = disjunction(range.subspan(0, at));
  const std::size_t opposite = add({.kind = NodeKind::kNot, .left = condition});
  const std::size_t consequence = implication(range.subspan(at + 1));
  return add({.kind = NodeKind::kOr, .left = opposite, .right = consequence});
}

std::size_t ExpressionCompiler::chain(Range range, std::string_view op, NodeKind kind,
                                      std::size_t (ExpressionCompiler::*inner)(Range)) {
  const auto places = find_outermost(range, op);
  std::size_t begin = 0;
  std::optional<std::size_t> node;
  for (std::size_t i = 0; i <= places.size(); ++i) {
    const std::size_t end = i < places.size() ? places[i] : range.size();
    const Range part = range.subspan(begin, end - begin);
    if (!places.empty()) check_filled(range, part, range[i < places.size() ? end : places.back()]);
    const std::size_t next = (this->*inner)(part);
    node = node ? add({.kind = kind, .left = *node, .right = next}) : next;
    begin = end + 1;
  }
  return *node;
}

std::size_t ExpressionCompiler::disjunction(Range range) {
  return chain(range, "||", NodeKind::kOr, &ExpressionCompiler::conjunction);
}

std::size_t ExpressionCompiler::conjunction(Range range) {
  return chain(range, "&&", NodeKind::kAnd, &ExpressionCompiler::negation);
}

std::size_t ExpressionCompiler::negation(Range range) {
  if (!range.front().is("!")) return comparison(range);
  check_filled(range, range.subspan(1), range.front());
  return add({.kind = NodeKind::kNot, .left = negation(range.subspan(1))});
}

std::size_t ExpressionCompiler::comparison(Range range) {
  const bool enclosed = range.front().kind == Token::Kind::kOpen && range.size() > 2 &&
                        closing(range, 0) == range.size() - 1;
  if (enclosed && has_logic(range)) return implication(range.subspan(1, range.size() - 2));

  std::vector<std::size_t> places;
  for (const std::string_view op : kComparisonWords) {
    for (const std::size_t place : find_outermost(range, op)) places.push_back(place);
  }
  std::sort(places.begin(), places.end());
  if (places.empty()) return number_node(range);

  // A chain a < b < c is a < b and b < c.
  std::optional<std::size_t> all;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const std::size_t end = i + 1 < places.size() ? places[i + 1] : range.size();
    const Range left = range.subspan(begin, places[i] - begin);
    const Range right = range.subspan(places[i] + 1, end - places[i] - 1);
    check_filled(range, left, range[places[i]]);
    check_filled(range, right, range[places[i]]);
    const Range both = range.subspan(begin, end - begin);
    Node node{.kind = NodeKind::kCompare,
              .comparison = *comparison_of(range[places[i]]),
              .left = number(left),
              .right = number(right),
              .text = said(both),
              .left_text = said(left),
              .right_text = said(right)};
    const Measure of_left = measure(left);
    const Measure of_right = measure(right);
    if (!fits(of_left, of_right)) {
      context_.fail(range[places[i]].at, to_string(of_left.dimension) + " is compared with " +
                                             to_string(of_right.dimension));
    }
    node.measure = of_left.is_known ? of_left : of_right;
    node.shown = shown_unit(node.measure, both);
    note_kind(node, node.left);
    note_kind(node, node.right);
    const std::size_t compared = add(std::move(node));
    all = all ? add({.kind = NodeKind::kAnd, .left = *all, .right = compared}) : compared;
    begin = places[i] + 1;
  }
  return all.value();  // at least one pair was compared
}

std::size_t ExpressionCompiler::number_node(Range range) {
  Node node{.kind = NodeKind::kNumber, .left = number(range)};
  node.left_text = node.text = said(range);
  node.measure = measure(range);
  node.shown = shown_unit(node.measure, range);
  note_kind(node, node.left);
  return add(std::move(node));
}

Measure ExpressionCompiler::measure(Range range) const {
  return measure_of(range, program_.text, *context_.signals, context_.each);
}

// Words and flags are told in words.
void ExpressionCompiler::note_kind(Node& node, std::size_t number) const {
  const Signal* signal = program_.numbers[number].signal();
  if (signal != nullptr && signal->kind != SignalKind::kNumber) node.signal_kind = signal->kind;
}

// The text of some tokens, with the joint's name for `each`.
std::string ExpressionCompiler::said(Range range) const {
  std::string text;
  std::size_t written = range.front().at;
  for (const Token& token : range) {
    const std::size_t each =
        token.kind == Token::Kind::kName ? find_each(token.text) : token.text.npos;
    if (each == token.text.npos || context_.each == kNoJoint) continue;
    text += program_.text.substr(written, token.at - written);
    text += token.text.substr(0, each) +
            quoted_where_odd(context_.signals->config().joints[context_.each].name) +
            token.text.substr(each + kEach.size());
    written = token.end;
  }
  return text + program_.text.substr(written, range.back().end - written);
}

std::size_t ExpressionCompiler::number(Range range) {
  program_.numbers.emplace_back(range, context_);
  return program_.numbers.size() - 1;
}

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

// @param wanted  false under a `not`: then what fails is a comparison that holds
Check Expression::Program::check(std::size_t index, bool wanted) const noexcept {
  const Node& node = nodes[index];
  if (node.kind == NodeKind::kNot) return check(node.left, !wanted);
  if (node.kind == NodeKind::kCompare || node.kind == NodeKind::kNumber) {
    Check result = compare(index);
    const bool is_nan = std::isnan(result.left) || std::isnan(result.right);
    if (!wanted) {
      result.holds = !result.holds && !is_nan;
      result.margin = is_nan ? -kInfinity : -result.margin;
    }
    result.wanted = wanted;
    return result;
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
  program_->text = std::string(text);
  ExpressionCompiler(*program_, signals, each).compile();
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
  // `0.1 < elbow.q` tells of elbow.q.
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

}  // namespace jointrig
