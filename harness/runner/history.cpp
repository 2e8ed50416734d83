#include "harness/runner/history.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "control/core/nearest_word.h"
#include "harness/runner/expression.h"

namespace jointrig::harness {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kLongestWindow = 600.0;  // s, a choice: ten minutes at 1 kHz are 14 MB

constexpr std::array<std::string_view, 6> kNames{"step", "rate", "peak", "low", "mean", "at"};

class Change final : public Derived {
 public:
  Change(Expression argument, double per) : argument_(std::move(argument)), per_(per) {}
  const double* value() const noexcept { return &value_; }
  void update() noexcept override {
    const double now = argument_.value();
    value_ = first_ ? 0.0 : (now - before_) / per_;
    before_ = now;
    first_ = false;
  }

 private:
  Expression argument_;
  double per_;
  double before_ = 0.0;
  double value_ = 0.0;
  bool first_ = true;
};

// The largest of the last n samples, by a queue of falling values: a sample older and smaller than
// another can never be the largest again. The smallest by a change of sign.
class Peak final : public Derived {
 public:
  Peak(Expression argument, std::size_t samples, double sign)
      : argument_(std::move(argument)), sign_(sign), queue_(samples) {}
  const double* value() const noexcept { return &value_; }
  void update() noexcept override {
    const double now = sign_ * argument_.value();
    if (size_ > 0 && at(0).cycle + queue_.size() <= cycle_) drop_front();
    while (size_ > 0 && !(at(size_ - 1).value > now)) --size_;
    at(size_++) = {now, cycle_++};
    value_ = sign_ * at(0).value;
  }

 private:
  struct Sample {
    double value = 0.0;
    std::uint64_t cycle = 0;
  };
  Sample& at(std::size_t i) noexcept { return queue_[(front_ + i) % queue_.size()]; }
  void drop_front() noexcept {
    front_ = (front_ + 1) % queue_.size();
    --size_;
  }

  Expression argument_;
  double sign_;
  std::vector<Sample> queue_;
  std::size_t front_ = 0;
  std::size_t size_ = 0;
  std::uint64_t cycle_ = 0;
  double value_ = 0.0;
};

// The mean of the last n samples. The sum is computed again once in n cycles, so that rounding does
// not accumulate; samples that are not finite are counted separately, since they can't be
// subtracted again.
class Mean final : public Derived {
 public:
  Mean(Expression argument, std::size_t samples)
      : argument_(std::move(argument)), samples_(samples) {}
  const double* value() const noexcept { return &value_; }
  void update() noexcept override {
    if (size_ == samples_.size()) {
      take(samples_[next_], -1);
    } else {
      ++size_;
    }
    samples_[next_] = argument_.value();
    take(samples_[next_], 1);
    next_ = (next_ + 1) % samples_.size();
    if (next_ == 0) sum_anew();
    value_ = odd_ == 0 ? sum_ / static_cast<double>(size_) : kNan;
  }

 private:
  void take(double sample, int sign) noexcept {
    if (std::isfinite(sample)) {
      sum_ += sign * sample;
    } else {
      odd_ += sign;
    }
  }
  void sum_anew() noexcept {
    sum_ = 0.0;
    odd_ = 0;
    for (const double sample : samples_) take(sample, 1);
  }

  Expression argument_;
  std::vector<double> samples_;
  std::size_t next_ = 0;
  std::size_t size_ = 0;
  double sum_ = 0.0;
  int odd_ = 0;  ///< samples in the window that are not finite
  double value_ = kNan;
};

class AtMark final : public Derived {
 public:
  AtMark(Expression argument, std::size_t mark) : argument_(std::move(argument)), mark_(mark) {}
  const double* value() const noexcept { return &value_; }
  void update() noexcept override {}
  void on_mark(std::size_t mark) noexcept override {
    if (mark == mark_) value_ = argument_.value();
  }

 private:
  Expression argument_;
  std::size_t mark_;
  double value_ = kNan;
};

std::size_t place_of(SyntaxIndex part, const CompileContext& context) {
  return context.tree.tokens[context.tree[part].first].at;
}

template <typename T>
const double* keep(std::unique_ptr<T> derived, SignalTable& signals) {
  const double* value = derived->value();
  signals.add(std::move(derived));
  return value;
}

// The argument as an expression of its own.
Expression inner(SyntaxIndex argument, CompileContext& context) {
  Expression expression(context.tree, argument, context.signals, context.each);
  for (const Signal* signal : expression.signals()) context.note_used(*signal);
  return expression;
}

std::size_t window_samples(SyntaxIndex argument, CompileContext& context) {
  const Expression window = inner(argument, context);
  const double seconds = window.constant().value_or(kNan);
  if (!(seconds > 0.0 && seconds <= kLongestWindow)) {
    context.tree.fail(place_of(argument, context),
                      "a window is a fixed time above 0 and up to 10 min, as in peak(x, 1 s)");
  }
  return static_cast<std::size_t>(std::llround(seconds / context.signals.period())) + 1;
}

const double* add_at(SyntaxIndex call, CompileContext& context) {
  const SyntaxTree& tree = context.tree;
  const SyntaxIndex mark = tree[call].parts[1];
  if (tree[mark].kind != Syntax::Kind::kName) {
    tree.fail(place_of(call, context),
              "at() takes a value and the name of a mark, as in at(x, pushed)");
  }
  const std::string& name = tree.token_of(mark).text;
  const auto number = context.signals.find_mark(name);
  if (!number) {
    tree.fail(place_of(mark, context),
              "no mark \"" + name + "\"" + did_you_mean(name, context.signals.marks()));
  }
  Expression argument = inner(tree[call].parts[0], context);
  return keep(std::make_unique<AtMark>(std::move(argument), *number), context.signals);
}

}  // namespace

bool is_history_function(std::string_view name) noexcept {
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

std::span<const std::string_view> history_functions() noexcept { return kNames; }

const double* add_history(SyntaxIndex call, CompileContext& context) {
  context.has_history = true;
  const std::string& name = context.tree.token_of(call).text;
  const std::vector<SyntaxIndex>& arguments = context.tree[call].parts;
  const bool takes_two = name != "step" && name != "rate";
  if (arguments.size() != (takes_two ? 2 : 1)) {
    context.tree.fail(
        place_of(call, context),
        name + "() takes " +
            (takes_two ? "two arguments, as in peak(x, 1 s) and at(x, mark)" : "one argument"));
  }
  if (name == "at") return add_at(call, context);
  Expression argument = inner(arguments[0], context);
  SignalTable& signals = context.signals;
  if (!takes_two) {
    const double per = name == "rate" ? signals.period() : 1.0;
    return keep(std::make_unique<Change>(std::move(argument), per), signals);
  }
  const std::size_t samples = window_samples(arguments[1], context);
  if (name == "mean") {
    return keep(std::make_unique<Mean>(std::move(argument), samples), signals);
  }
  const double sign = name == "low" ? -1.0 : 1.0;
  return keep(std::make_unique<Peak>(std::move(argument), samples, sign), signals);
}

}  // namespace jointrig::harness
