#include "harness/runner/expression_lexer.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

#include "harness/config/units.h"

namespace jointrig::harness {
namespace {

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
bool begins_name(char c) noexcept {
  return std::isalpha(static_cast<unsigned char>(c)) || c == '_';
}
bool in_name(char c) noexcept { return begins_name(c) || is_digit(c) || c == '.'; }

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  std::vector<Token> run() {
    for (skip_space(); at_ < text_.size(); skip_space()) tokens_.push_back(next());
    return std::move(tokens_);
  }

 private:
  [[nodiscard]] char peek(std::size_t ahead = 0) const noexcept {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  void skip_space() noexcept {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }

  [[noreturn]] void fail(std::size_t byte, const std::string& sentence) const {
    throw ExpressionError(column_of(text_, byte), sentence);
  }

  Token next() {
    const char c = peek();
    if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return number();
    if (begins_name(c) || c == '\'') return name();
    return symbol();
  }

  Token number() {
    Token token{.kind = Token::Kind::kNumber, .at = at_};
    const char* const end = text_.data() + text_.size();
    const auto [stop, status] = std::from_chars(text_.data() + at_, end, token.value);
    if (status != std::errc{}) fail(at_, "this is no number that a computer can hold");
    at_ = static_cast<std::size_t>(stop - text_.data());
    take_unit(token);
    token.end = at_;
    token.text = std::string(text_.substr(token.at, token.end - token.at));
    return token;
  }

  // Takes the longest unit after a number: `rad/s` of `2 rad/s`, but only `rad` of `2
  // rad/r_elbow.q`.
  void take_unit(Token& token) {
    const std::size_t number_end = at_;
    skip_space();
    const std::size_t unit_begin = at_;
    std::size_t best = number_end;
    std::string first_error;
    for (std::size_t stop = next_factor(unit_begin); stop > 0; stop = next_factor(stop)) {
      try {
        token.value = parse_quantity(text_.substr(token.at, stop - token.at)).value;
        best = stop;
      } catch (const UnitError& error) {
        if (first_error.empty()) first_error = error.what();
      }
      if (best < stop) break;
    }
    if (best == number_end && begins_name(peek()) && !is_word(unit_begin)) {
      fail(unit_begin, first_error.empty() ? "a name can't follow a number" : first_error);
    }
    at_ = best;
    if (best > unit_begin) token.unit = std::string(text_.substr(unit_begin, best - unit_begin));
  }

  // End of the next factor of a unit: a name, after `/`, `*`, `·` or a space, with its exponent. 0
  // if none follows.
  [[nodiscard]] std::size_t next_factor(std::size_t from) const noexcept {
    std::size_t i = from;
    const auto skip = [&] {
      while (i < text_.size() && text_[i] == ' ') ++i;
    };
    skip();
    if (i < text_.size() && (text_[i] == '/' || text_[i] == '*')) ++i;
    if (text_.substr(i, 2) == "·") i += 2;
    skip();
    const std::size_t name = i;
    if (text_.substr(i, 2) == "°") i += 2;
    if (text_.substr(i, 1) == "%") return i + 1;
    while (i < text_.size() && (begins_name(text_[i]) || (i > name && is_digit(text_[i])))) ++i;
    if (text_.substr(i, 2) == "·" || text_.substr(i, 2) == "²") i += 2;
    while (i < text_.size() && begins_name(text_[i])) ++i;
    if (i == name || is_word(name) || (i < text_.size() && (text_[i] == '.' || text_[i] == '('))) {
      return 0;
    }
    if (i < text_.size() && text_[i] == '^') {
      std::size_t digit = i + 1;
      if (digit < text_.size() && text_[digit] == '-') ++digit;
      if (digit < text_.size() && is_digit(text_[digit])) i = digit + 1;
    }
    return i;
  }

  // True if one of the operators that are words stands at a place.
  [[nodiscard]] bool is_word(std::size_t byte) const noexcept {
    for (const std::string_view word : {"and", "or", "not", "implies"}) {
      const std::size_t end = byte + word.size();
      if (text_.substr(byte, word.size()) == word &&
          (end >= text_.size() || !in_name(text_[end]))) {
        return true;
      }
    }
    return false;
  }

  Token name() {
    Token token{.kind = Token::Kind::kName, .at = at_};
    while (at_ < text_.size() && (in_name(text_[at_]) || text_[at_] == '\'')) {
      if (text_[at_] == '\'') {
        const std::size_t end = text_.find('\'', at_ + 1);
        if (end == std::string_view::npos) fail(at_, "this quote has no end");
        token.text += text_.substr(at_ + 1, end - at_ - 1);
        at_ = end + 1;
      } else {
        token.text += text_[at_++];
      }
    }
    token.end = at_;
    constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kWords{
        {{"and", "&&"}, {"or", "||"}, {"not", "!"}, {"implies", "=>"}}};
    for (const auto& [word, op] : kWords) {
      if (token.text == word) {
        token.kind = Token::Kind::kOperator;
        token.text = op;
      }
    }
    return token;
  }

  Token symbol() {
    static constexpr std::array<std::string_view, 17> kSymbols{
        "&&", "||", "=>", "<=", ">=", "==", "!=", "<", ">", "!", "+", "-", "*", "/", "^", "?", ":"};
    Token token{.kind = Token::Kind::kOperator, .at = at_};
    if (peek() == '(') token.kind = Token::Kind::kOpen;
    if (peek() == ')') token.kind = Token::Kind::kClose;
    if (peek() == ',') token.kind = Token::Kind::kComma;
    if (token.kind != Token::Kind::kOperator) {
      token.text = peek();
      token.end = ++at_;
      return token;
    }
    for (const std::string_view symbol : kSymbols) {
      if (text_.substr(at_, symbol.size()) == symbol) {
        token.text = symbol;
        token.end = at_ += symbol.size();
        return token;
      }
    }
    fail_at_symbol();
  }

  [[noreturn]] void fail_at_symbol() const {
    if (peek() == '=') fail(at_, "\"=\" means nothing here: compare with \"==\"");
    if (peek() == '&') fail(at_, "\"&\" means nothing here: write \"and\" or \"&&\"");
    if (peek() == '|') fail(at_, "\"|\" means nothing here: write \"or\" or \"||\"");
    if (peek() == '"') fail(at_, "names are quoted with ', not with \"");
    std::size_t length = 1;
    while ((static_cast<unsigned char>(peek(length)) & 0xC0U) == 0x80U) ++length;
    fail(at_, "\"" + std::string(text_.substr(at_, length)) + "\" means nothing in an expression");
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> tokens_of(std::string_view text) { return Lexer(text).run(); }

std::size_t column_of(std::string_view text, std::size_t byte) noexcept {
  std::size_t column = 0;
  for (std::size_t i = 0; i < std::min(byte, text.size()); ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U) ++column;
  }
  return column;
}

}  // namespace jointrig::harness
