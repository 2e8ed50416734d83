#include "harness/runner/expression_tree.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace jointrig::harness {
namespace {

using Kind = Syntax::Kind;

/// Each level of parentheses takes a dozen function calls of the stack; a choice far above any
/// readable expression.
constexpr int kDeepest = 200;

constexpr std::array<std::string_view, 6> kComparisonWords{"<", "<=", ">", ">=", "==", "!="};

std::optional<Comparison> comparison_of(const Token& token) {
  for (std::size_t i = 0; i < kComparisonWords.size(); ++i) {
    if (token.is(kComparisonWords[i])) return static_cast<Comparison>(i);
  }
  return std::nullopt;
}

class Parser {
 public:
  explicit Parser(SyntaxTree& tree) : tree_(tree), tokens_(tree.tokens) {}

  void run() {
    if (tokens_.empty()) tree_.fail(0, "an expression is missing");
    check_parentheses();
    tree_.root = expression();
    if (at_ < tokens_.size()) fail_at_rest();
  }

 private:
  // One level deeper during its lifetime.
  class Level {
   public:
    explicit Level(Parser& parser) : depth_(parser.depth_) {
      if (++depth_ > kDeepest) parser.tree_.fail(parser.place(), "this is nested too deeply");
    }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    ~Level() { --depth_; }

   private:
    int& depth_;
  };

  [[nodiscard]] bool next_is(std::string_view op) const {
    return at_ < tokens_.size() && tokens_[at_].is(op);
  }
  [[nodiscard]] bool next_is(Token::Kind kind) const {
    return at_ < tokens_.size() && tokens_[at_].kind == kind;
  }
  [[nodiscard]] std::optional<Comparison> next_comparison() const {
    return at_ < tokens_.size() ? comparison_of(tokens_[at_]) : std::nullopt;
  }
  // True for the tokens between whole sums.
  [[nodiscard]] bool is_between(const Token& token) const {
    return token.is("&&") || token.is("||") || token.is("=>") || comparison_of(token).has_value();
  }
  [[nodiscard]] std::size_t place() const {
    return at_ < tokens_.size() ? tokens_[at_].at : tokens_.back().end;
  }

  void check_parentheses() const {
    std::vector<std::size_t> open;
    for (const Token& token : tokens_) {
      if (token.kind == Token::Kind::kOpen) open.push_back(token.at);
      if (token.kind != Token::Kind::kClose) continue;
      if (open.empty()) tree_.fail(token.at, "this parenthesis was never opened");
      open.pop_back();
    }
    if (!open.empty()) tree_.fail(open.back(), "this parenthesis is never closed");
  }

  SyntaxIndex add(Kind kind, std::size_t token, std::size_t first,
                  std::vector<SyntaxIndex> parts = {}) {
    tree_.nodes.push_back(
        {.kind = kind, .token = token, .first = first, .last = at_ - 1, .parts = std::move(parts)});
    return tree_.nodes.size() - 1;
  }
  SyntaxIndex join(Kind kind, std::size_t token, SyntaxIndex left, SyntaxIndex right) {
    return add(kind, token, tree_[left].first, {left, right});
  }

  SyntaxIndex expression() {
    const Level level(*this);
    const SyntaxIndex condition = implication();
    if (!next_is("?")) return condition;
    const std::size_t question = at_++;
    const SyntaxIndex yes = expression();
    if (!next_is(":")) tree_.fail(tokens_[question].at, "\"?\" needs a \":\", as in a ? b : c");
    ++at_;
    const SyntaxIndex no = expression();
    return add(Kind::kChoice, question, tree_[condition].first, {condition, yes, no});
  }

  SyntaxIndex implication() {
    const Level level(*this);
    const SyntaxIndex condition = disjunction();
    if (!next_is("=>")) return condition;
    const std::size_t implies = at_;
    const SyntaxIndex otherwise = add(Kind::kNot, implies, tree_[condition].first, {condition});
    ++at_;
    return join(Kind::kOr, implies, otherwise, implication());
  }

  SyntaxIndex disjunction() {
    SyntaxIndex all = conjunction();
    while (next_is("||")) {
      const std::size_t token = at_++;
      all = join(Kind::kOr, token, all, conjunction());
    }
    return all;
  }

  SyntaxIndex conjunction() {
    SyntaxIndex all = negation();
    while (next_is("&&")) {
      const std::size_t token = at_++;
      all = join(Kind::kAnd, token, all, negation());
    }
    return all;
  }

  SyntaxIndex negation() {
    if (!next_is("!")) return comparison();
    const Level level(*this);
    const std::size_t token = at_++;
    const SyntaxIndex inner = negation();
    return add(Kind::kNot, token, token, {inner});
  }

  SyntaxIndex comparison() {
    SyntaxIndex left = sum();
    std::optional<SyntaxIndex> all;
    while (const auto comparison = next_comparison()) {
      const std::size_t token = at_++;
      const SyntaxIndex right = sum();
      const SyntaxIndex one = join(Kind::kCompare, token, left, right);
      tree_.nodes[one].comparison = *comparison;
      all = all ? join(Kind::kAnd, token, *all, one) : one;
      left = right;
    }
    return all.value_or(left);
  }

  SyntaxIndex sum() {
    SyntaxIndex all = product();
    while (next_is("+") || next_is("-")) {
      const Kind kind = next_is("+") ? Kind::kSum : Kind::kDifference;
      const std::size_t token = at_++;
      all = join(kind, token, all, product());
    }
    return all;
  }

  SyntaxIndex product() {
    SyntaxIndex all = with_sign();
    while (next_is("*") || next_is("/")) {
      const Kind kind = next_is("*") ? Kind::kProduct : Kind::kQuotient;
      const std::size_t token = at_++;
      all = join(kind, token, all, with_sign());
    }
    return all;
  }

  SyntaxIndex with_sign() {
    constexpr std::array<std::pair<std::string_view, Kind>, 3> kSigns{
        {{"-", Kind::kMinus}, {"+", Kind::kPlus}, {"!", Kind::kNot}}};
    for (const auto& [sign, kind] : kSigns) {
      if (!next_is(sign)) continue;
      const std::size_t token = at_++;
      const SyntaxIndex inner = power();
      return add(kind, token, token, {inner});
    }
    return power();
  }

  SyntaxIndex power() {
    const SyntaxIndex base = operand();
    if (!next_is("^")) return base;
    const Level level(*this);
    const std::size_t token = at_++;
    return join(Kind::kPower, token, base, with_sign());
  }

  SyntaxIndex operand() {
    if (at_ == tokens_.size()) fail_without_value();
    const std::size_t first = at_;
    switch (tokens_[first].kind) {
      case Token::Kind::kNumber:
        ++at_;
        return add(Kind::kNumber, first, first);
      case Token::Kind::kName:
        ++at_;
        return next_is(Token::Kind::kOpen) ? call(first) : add(Kind::kName, first, first);
      case Token::Kind::kOpen:
        return group();
      default:
        fail_without_value();
    }
  }

  SyntaxIndex group() {
    const std::size_t first = at_++;
    const SyntaxIndex inner = expression();
    if (!next_is(Token::Kind::kClose)) fail_at_rest();
    ++at_;
    return add(Kind::kGroup, first, first, {inner});
  }

  SyntaxIndex call(std::size_t name) {
    std::vector<SyntaxIndex> arguments;
    ++at_;
    if (!next_is(Token::Kind::kClose)) {
      arguments.push_back(expression());
      while (next_is(Token::Kind::kComma)) {
        ++at_;
        arguments.push_back(expression());
      }
      if (!next_is(Token::Kind::kClose)) fail_at_rest();
    }
    ++at_;
    return add(Kind::kCall, name, name, std::move(arguments));
  }

  // A value is missing: another token, or the end, stands in its place.
  [[noreturn]] void fail_without_value() const {
    const auto say = [this](std::string_view side, const Token& token) {
      const std::string written = tree_.text.substr(token.at, token.end - token.at);
      tree_.fail(token.at, "a value is missing " + std::string(side) + " \"" + written + "\"");
    };
    const bool at_end = at_ == tokens_.size();
    if (at_ > 0) {
      const Token& before = tokens_[at_ - 1];
      if (is_between(before) || before.is("!")) say("after", before);
      const bool is_cut_off = before.kind == Token::Kind::kOperator && !before.is("?");
      if (at_end || (is_cut_off && is_between(tokens_[at_]))) {
        tree_.fail(before.end, "something is missing at the end");
      }
    }
    if (!at_end && is_between(tokens_[at_])) say("before", tokens_[at_]);
    tree_.fail(place(), "a value is missing here");
  }

  // A value is complete, and the next token can't follow it.
  [[noreturn]] void fail_at_rest() const {
    const Token& token = tokens_[at_];
    switch (token.kind) {
      case Token::Kind::kComma:
        tree_.fail(token.at, "one value is wanted, not several");
      case Token::Kind::kNumber:
      case Token::Kind::kName:
      case Token::Kind::kOpen:
        tree_.fail(token.at, "an operator is missing here");
      default:
        if (token.is("!")) tree_.fail(token.at, "an operator is missing here");
        if (token.is(":")) tree_.fail(token.at, "\":\" belongs to \"?\", as in a ? b : c");
        tree_.fail(token.at, "this can't be understood here");
    }
  }

  SyntaxTree& tree_;
  const std::vector<Token>& tokens_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

Comparison opposite(Comparison comparison) noexcept {
  switch (comparison) {
    case Comparison::kLess:
      return Comparison::kGreaterEqual;
    case Comparison::kLessEqual:
      return Comparison::kGreater;
    case Comparison::kGreater:
      return Comparison::kLessEqual;
    case Comparison::kGreaterEqual:
      return Comparison::kLess;
    case Comparison::kEqual:
      return Comparison::kUnequal;
    case Comparison::kUnequal:
      return Comparison::kEqual;
  }
  return comparison;
}

std::string_view SyntaxTree::text_of(SyntaxIndex index) const noexcept {
  const std::size_t begin = tokens[nodes[index].first].at;
  return std::string_view(text).substr(begin, tokens[nodes[index].last].end - begin);
}

void SyntaxTree::fail(std::size_t byte, const std::string& sentence) const {
  throw ExpressionError(column_of(text, byte), sentence);
}

SyntaxTree parse_expression(std::string_view text) {
  SyntaxTree tree{.text = std::string(text), .tokens = harness::tokens_of(text)};
  Parser(tree).run();
  return tree;
}

}  // namespace jointrig::harness
