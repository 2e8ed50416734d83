#include "harness/runner/arithmetic.h"

#include <muParser.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numbers>
#include <string>

#include "control/core/nearest_word.h"
#include "harness/runner/history.h"
#include "harness/runner/words.h"

namespace jointrig {
namespace {

double hypot_of(const double* values, int count) {
  double sum = 0.0;
  for (int i = 0; i < count; ++i) sum += values[i] * values[i];
  return std::sqrt(sum);
}
double largest(const double* values, int count) {
  return *std::max_element(values, values + count);
}
double smallest(const double* values, int count) {
  return *std::min_element(values, values + count);
}
double sign_of(double x) { return static_cast<double>(x > 0.0) - static_cast<double>(x < 0.0); }
double negated(double x) { return x == 0.0 ? 1.0 : 0.0; }

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

std::unique_ptr<mu::Parser> make_parser() {
  auto parser = std::make_unique<mu::Parser>();
  parser->ClearFun();
  parser->ClearConst();
  for (const OneArgument& one : kOneArgument)
    parser->DefineFun(std::string(one.name), one.function);
  parser->DefineFun("hypot", hypot_of);
  parser->DefineFun("min", smallest);
  parser->DefineFun("max", largest);
  parser->DefineFun(
      "atan2", +[](double y, double x) { return std::atan2(y, x); });
  parser->DefineInfixOprt("!", negated);
  return parser;
}

std::string sentence_for(const mu::ParserError& error) {
  switch (error.GetCode()) {
    case mu::ecTOO_MANY_PARAMS:
      return error.GetToken() + "() has too many arguments";
    case mu::ecTOO_FEW_PARAMS:
      return error.GetToken() + "() has too few arguments";
    case mu::ecUNEXPECTED_EOF:
      return "something is missing at the end";
    case mu::ecUNEXPECTED_OPERATOR:
    case mu::ecUNEXPECTED_PARENS:
    case mu::ecUNEXPECTED_ARG_SEP:
      return "a value is missing here";
    case mu::ecUNEXPECTED_VAL:
    case mu::ecUNEXPECTED_VAR:
    case mu::ecUNEXPECTED_FUN:
      return "an operator is missing here";
    default:
      return "this can't be understood here";
  }
}

}  // namespace

std::size_t closing(std::span<const Token> tokens, std::size_t open) noexcept {
  int depth = 0;
  for (std::size_t i = open; i < tokens.size(); ++i) {
    if (tokens[i].kind == Token::Kind::kOpen) ++depth;
    if (tokens[i].kind == Token::Kind::kClose && --depth == 0) return i;
  }
  return tokens.size();
}

// Writes tokens in muParser's words: numbers in full precision, signals as variables v0, v1, ...
class Arithmetic::Compiler {
 public:
  Compiler(std::span<const Token> tokens, CompileContext& context)
      : tokens_(tokens), context_(context) {}

  void compile(Arithmetic& result) {
    const std::size_t used_before = context_.used.size();
    const bool history_before = std::exchange(context_.has_history, false);
    parser_ = make_parser();
    for (std::size_t i = 0; i < tokens_.size(); i = write(i)) {
    }
    // The number of signals used doesn't tell: they may have been met before in this expression.
    result.is_constant_ =
        !reads_signal_ && !context_.has_history && context_.used.size() == used_before;
    context_.has_history |= history_before;
    if (variables_.size() == 1 && is_lone_variable()) {
      result.direct_ = variables_.front();
    } else {
      start(result);
    }
    if (signals_.size() == 1) recognise(result);
  }

 private:
  [[nodiscard]] bool is_lone_variable() const { return out_ == "v0 "; }

  std::size_t write(std::size_t i) {
    const Token& token = tokens_[i];
    places_.push_back({out_.size(), token.at});
    switch (token.kind) {
      case Token::Kind::kNumber:
        write_variable(context_.signals->constant(token.value));
        return i + 1;
      case Token::Kind::kName:
        return write_name(i);
      case Token::Kind::kOperator:
        if (token.is("=>")) {
          context_.fail(token.at, "\"implies\" can't stand within arithmetic or arguments");
        }
        out_ += token.text + " ";
        return i + 1;
      default:
        out_ += token.text + " ";
        return i + 1;
    }
  }

  std::size_t write_name(std::size_t i) {
    const Token& token = tokens_[i];
    if (i + 1 < tokens_.size() && tokens_[i + 1].kind == Token::Kind::kOpen) {
      return write_call(i);
    }
    for (const NamedNumber& number : kNumbers) {
      if (number.name == token.text) {
        write_variable(context_.signals->constant(number.value));
        return i + 1;
      }
    }
    if (const auto code = word_code(token.text)) {
      write_variable(context_.signals->constant(*code));
      return i + 1;
    }
    write_variable(find_signal(token).value);
    return i + 1;
  }

  const Signal& find_signal(const Token& token) {
    if (token.text.find('.') == std::string::npos) check_dotless(token);
    try {
      const Signal& signal = context_.signals->find(token.text, context_.each);
      auto& used = context_.used;
      if (std::find(used.begin(), used.end(), &signal) == used.end()) used.push_back(&signal);
      signals_.push_back(&signal);
      reads_signal_ = true;
      return signal;
    } catch (const NoTruth& error) {
      throw ExpressionError(column_of(context_.text, token.at), error.what(), true);
    } catch (const UnknownSignal& error) {
      context_.fail(token.at, error.what());
    }
  }

  void check_dotless(const Token& token) {
    std::vector<std::string_view> known{"time", "cycle", "overruns", "speed_override"};
    if (std::find(known.begin(), known.end(), token.text) != known.end()) return;
    for (const JointConfig& joint : context_.signals->config().joints) {
      if (joint.name == token.text) {
        context_.fail(token.at, "\"" + token.text + "\" is a joint: say what of it, as in " +
                                    token.text + ".q");
      }
    }
    for (const std::string_view word : all_words()) known.push_back(word);
    for (const NamedNumber& number : kNumbers) known.push_back(number.name);
    context_.fail(token.at,
                  "no signal or word \"" + token.text + "\"" + did_you_mean(token.text, known));
  }

  std::size_t write_call(std::size_t i) {
    const Token& token = tokens_[i];
    if (is_history_function(token.text)) {
      const std::size_t close = closing(tokens_, i + 1);
      write_variable(add_history(token, tokens_.subspan(i + 2, close - i - 2), context_));
      return close + 1;
    }
    const auto names = function_names();
    if (std::find(names.begin(), names.end(), token.text) == names.end()) {
      context_.fail(token.at,
                    "no function \"" + token.text + "\"" + did_you_mean(token.text, names));
    }
    out_ += token.text;  // muParser wants the parenthesis right behind it
    return i + 1;
  }

  void write_variable(const double* value) {
    const std::string name = "v" + std::to_string(variables_.size());
    variables_.push_back(value);
    // muParser takes a pointer that it could assign through; assignment is no operator here.
    parser_->DefineVar(name, const_cast<double*>(value));
    out_ += name + " ";
  }

  void start(Arithmetic& result) {
    try {
      parser_->SetExpr(out_);
      parser_->Eval();  // compiles: later evaluations allocate nothing
      if (parser_->GetNumResults() != 1) {
        const auto comma = std::find_if(tokens_.begin(), tokens_.end(), [](const Token& token) {
          return token.kind == Token::Kind::kComma;
        });
        context_.fail(comma->at, "one value is wanted, not several");
      }
    } catch (const mu::ParserError& error) {
      context_.fail(place_of(error.GetPos()), sentence_for(error));
    }
    result.parser_ = std::move(parser_);
  }

  [[nodiscard]] std::size_t place_of(int position) const {
    std::size_t place = tokens_.front().at;
    if (position < 0 || static_cast<std::size_t>(position) >= out_.size())
      return tokens_.back().end;
    for (const auto& [written, original] : places_) {
      if (written <= static_cast<std::size_t>(position)) place = original;
    }
    return place;
  }

  // `signal` and `abs(signal)`: what a bound can be drawn for.
  void recognise(Arithmetic& result) const {
    const bool alone = tokens_.size() == 1;
    const bool magnitude = tokens_.size() == 4 && tokens_[0].text == "abs";
    if (!alone && !magnitude) return;
    result.signal_ = signals_.front();
    result.is_magnitude_ = magnitude;
  }

  std::span<const Token> tokens_;
  CompileContext& context_;
  std::unique_ptr<mu::Parser> parser_;
  std::string out_;
  std::vector<std::pair<std::size_t, std::size_t>> places_;  // in out_, in the text
  std::vector<const double*> variables_;
  std::vector<const Signal*> signals_;
  bool reads_signal_ = false;
};

Arithmetic::Arithmetic(std::span<const Token> tokens, CompileContext& context) {
  Compiler(tokens, context).compile(*this);
}
Arithmetic::Arithmetic(Arithmetic&&) noexcept = default;
Arithmetic& Arithmetic::operator=(Arithmetic&&) noexcept = default;
Arithmetic::~Arithmetic() = default;

double Arithmetic::value() const noexcept { return direct_ ? *direct_ : parser_->Eval(); }

}  // namespace jointrig
