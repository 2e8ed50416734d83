#include "scenarios/runner/judges.h"

#include <array>
#include <cmath>
#include <cstdio>

#include "scenarios/robot_log/event_text.h"
#include "scenarios/runner/step_run.h"

namespace jointrig {
namespace {

Verdict about(VerdictKind kind, const std::string& name, const SourceSpot& spot) {
  Verdict verdict;
  verdict.kind = kind;
  verdict.name = name;
  verdict.place = place_text(spot);
  return verdict;
}

std::string number_text(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.6g", value);
  return text.data();
}

// The nearest that a condition came to failing.
class Margin {
 public:
  void see(const Check& check, TimeNs now) noexcept {
    if (!std::isfinite(check.margin) || check.margin >= least_) return;
    least_ = check.margin;
    at_ = now;
  }
  void put_into(Verdict& verdict) const {
    if (!std::isfinite(least_)) return;
    verdict.margin = least_;
    verdict.margin_at = to_seconds(at_);
  }

 private:
  double least_ = std::numeric_limits<double>::infinity();
  TimeNs at_ = 0;
};

std::string unopened(const Window& /*window*/) {
  return "never looked at: the moment that it begins from did not come";
}

class Always final : public Judge {
 public:
  Always(Verdict verdict, std::vector<BoundCondition> conditions, Window window)
      : Judge(std::move(verdict)), conditions_(std::move(conditions)), window_(window) {}

  void watch(const JudgeScene& scene) override {
    if (!window_.holds(scene.now, scene.marks)) return;
    for (const BoundCondition& condition : conditions_) {
      const Check check = condition.expression.check();
      margin_.see(check, scene.now);
      if (check.holds || failed()) continue;
      const std::string joint = condition.joint.empty() ? "" : condition.joint + ": ";
      fail(scene.now, "always " + joint + condition.expression.expected(check),
           condition.expression.got(check));
    }
  }

  void conclude(const JudgeScene& scene, bool complete) override {
    margin_.put_into(verdict_);
    if (failed() || window_.has_opened()) return;
    if (complete) {
      fail(scene.now, verdict_.name, unopened(window_));
    } else {
      skip("the run was broken off before");
    }
  }

 private:
  std::vector<BoundCondition> conditions_;
  Window window_;
  Margin margin_;
};

class Never final : public Judge {
 public:
  Never(Verdict verdict, std::vector<BoundCondition> conditions, Window window)
      : Judge(std::move(verdict)), conditions_(std::move(conditions)), window_(window) {}

  void watch(const JudgeScene& scene) override {
    if (!window_.holds(scene.now, scene.marks)) return;
    for (const BoundCondition& condition : conditions_) {
      Check check = condition.expression.check();
      const bool happened = check.holds;
      check.margin = -check.margin;
      margin_.see(check, scene.now);
      if (!happened || failed()) continue;
      const std::string joint = condition.joint.empty() ? "" : condition.joint + ": ";
      fail(scene.now, "never " + joint + condition.expression.text(),
           condition.expression.got(check));
    }
  }

  void conclude(const JudgeScene& scene, bool complete) override {
    margin_.put_into(verdict_);
    if (failed() || window_.has_opened()) return;
    if (complete) {
      fail(scene.now, verdict_.name, unopened(window_));
    } else {
      skip("the run was broken off before");
    }
  }

 private:
  std::vector<BoundCondition> conditions_;
  Window window_;
  Margin margin_;
};

class NeverEvent final : public Judge {
 public:
  NeverEvent(Verdict verdict, std::string text, EventPattern pattern, Window window,
             const RobotConfig& config)
      : Judge(std::move(verdict)),
        text_(std::move(text)),
        pattern_(pattern),
        window_(window),
        config_(&config) {}

  void watch(const JudgeScene& scene) override {
    if (!window_.holds(scene.now, scene.marks) || failed()) return;
    for (const Event& event : scene.events) {
      if (!pattern_.matches(event)) continue;
      fail(scene.now, "never " + text_, sentence(event, *config_));
      return;
    }
  }

  void conclude(const JudgeScene& scene, bool complete) override {
    if (failed() || window_.has_opened()) return;
    if (complete) {
      fail(scene.now, verdict_.name, unopened(window_));
    } else {
      skip("the run was broken off before");
    }
  }

 private:
  std::string text_;
  EventPattern pattern_;
  Window window_;
  const RobotConfig* config_;
};

class AtEnd final : public Judge {
 public:
  AtEnd(Verdict verdict, std::vector<BoundCondition> conditions)
      : Judge(std::move(verdict)), conditions_(std::move(conditions)) {}

  void watch(const JudgeScene& /*scene*/) override {}

  void conclude(const JudgeScene& scene, bool complete) override {
    if (!complete) {
      skip("the run was broken off before its end");
      return;
    }
    verdict_.at = to_seconds(scene.now);
    Margin margin;
    for (const BoundCondition& condition : conditions_) {
      const Check check = condition.expression.check();
      margin.see(check, scene.now);
      if (check.holds || failed()) continue;
      const std::string joint = condition.joint.empty() ? "" : condition.joint + ": ";
      fail(scene.now, "at the end " + joint + condition.expression.expected(check),
           condition.expression.got(check));
    }
    margin.put_into(verdict_);
  }

 private:
  std::vector<BoundCondition> conditions_;
};

// One obligation at a time is enough: a trigger that comes while one is open has a later deadline,
// and what fulfils the open one fulfils it as well.
class Within : public Judge {
 public:
  Within(Verdict verdict, BoundMoment after, double longest)
      : Judge(std::move(verdict)), after_(after), longest_(to_ns(longest)) {}

  void watch(const JudgeScene& scene) override {
    if (failed()) return;
    if (!open_ && triggers(scene)) {
      open_ = true;
      ever_ = true;
      since_ = scene.now;
      opened(scene);
    }
    if (!open_) return;
    const std::optional<TimeNs> begin = fulfilled(scene);
    if (begin) {
      open_ = false;
      const double left = to_seconds(longest_ - (*begin - since_));
      if (!verdict_.margin || left < *verdict_.margin) {
        verdict_.margin = left;
        verdict_.margin_at = to_seconds(*begin);
      }
      verdict_.at = to_seconds(scene.now);
      return;
    }
    if (!is_late(scene.now)) return;
    open_ = false;
    fail(scene.now,
         what() + " within " + seconds_text(to_seconds(longest_)) + " after " +
             seconds_text(to_seconds(since_)),
         missed());
  }

  [[nodiscard]] bool is_pending() const noexcept override { return open_; }

  void conclude(const JudgeScene& scene, bool complete) override {
    if (failed()) return;
    if (!complete && (open_ || !ever_)) {
      skip("the run was broken off before");
    } else if (!ever_) {
      fail(scene.now, verdict_.name,
           "never looked at: the moment that it counts from did not come");
    } else {
      verdict_.unit = "s";
    }
  }

 protected:
  virtual void opened(const JudgeScene& /*scene*/) {}
  /// When it came about, once that is certain.
  virtual std::optional<TimeNs> fulfilled(const JudgeScene& scene) = 0;
  [[nodiscard]] virtual bool is_late(TimeNs now) const noexcept { return now - since_ > longest_; }
  [[nodiscard]] virtual std::string what() const = 0;
  [[nodiscard]] virtual std::string missed() const = 0;
  [[nodiscard]] TimeNs since() const noexcept { return since_; }
  [[nodiscard]] TimeNs longest() const noexcept { return longest_; }

 private:
  bool triggers(const JudgeScene& scene) noexcept {
    if (after_.mark) {
      const MarkTimes& mark = scene.marks[*after_.mark];
      return mark.count > 0 && mark.last == scene.now;
    }
    return !std::exchange(time_came_, scene.now >= after_.time) && time_came_;
  }

  BoundMoment after_;
  TimeNs longest_;
  TimeNs since_ = 0;
  bool open_ = false;
  bool ever_ = false;
  bool time_came_ = false;
};

class WithinEvent final : public Within {
 public:
  WithinEvent(Verdict verdict, BoundMoment after, double longest, std::string text,
              EventPattern pattern)
      : Within(std::move(verdict), after, longest), text_(std::move(text)), pattern_(pattern) {}

 private:
  std::optional<TimeNs> fulfilled(const JudgeScene& scene) override {
    if (is_late(scene.now)) return std::nullopt;
    for (const Event& event : scene.events) {
      if (pattern_.matches(event)) return scene.now;
    }
    return std::nullopt;
  }
  [[nodiscard]] std::string what() const override { return text_; }
  [[nodiscard]] std::string missed() const override { return "it did not happen"; }

  std::string text_;
  EventPattern pattern_;
};

class WithinCondition final : public Within {
 public:
  WithinCondition(Verdict verdict, BoundMoment after, double longest, double hold,
                  std::vector<BoundCondition> conditions)
      : Within(std::move(verdict), after, longest),
        hold_(to_ns(hold)),
        conditions_(std::move(conditions)) {}

 private:
  void opened(const JudgeScene& /*scene*/) override { holds_ = false; }

  std::optional<TimeNs> fulfilled(const JudgeScene& scene) override {
    bool all = true;
    for (const BoundCondition& condition : conditions_) {
      const Check check = condition.expression.check();
      if (check.holds) continue;
      all = false;
      last_ = &condition;
      last_check_ = check;
      break;
    }
    if (!all) {
      holds_ = false;
      return std::nullopt;
    }
    if (!holds_) {
      holds_ = true;
      begin_ = scene.now;
    }
    const bool in_time = begin_ - since() <= longest();
    return in_time && scene.now - begin_ >= hold_ ? std::optional(begin_) : std::nullopt;
  }

  // While it holds from in time on, the rest of its hold may come after the deadline.
  [[nodiscard]] bool is_late(TimeNs now) const noexcept override {
    return (holds_ ? begin_ : now) - since() > longest();
  }

  [[nodiscard]] std::string what() const override {
    if (last_ == nullptr) return verdict_.name;
    const std::string joint = last_->joint.empty() ? "" : last_->joint + ": ";
    const std::string tail = hold_ > 0 ? " for " + seconds_text(to_seconds(hold_)) : "";
    return joint + last_->expression.expected(last_check_) + tail;
  }
  [[nodiscard]] std::string missed() const override {
    return last_ == nullptr ? "it came too late" : last_->expression.got(last_check_);
  }

  TimeNs hold_;
  std::vector<BoundCondition> conditions_;
  TimeNs begin_ = 0;
  bool holds_ = false;
  const BoundCondition* last_ = nullptr;  // that did not hold
  Check last_check_;
};

class MetricJudge final : public Judge {
 public:
  MetricJudge(Verdict verdict, const MetricSpec& spec, Expression of, Window window,
              std::optional<BoundValue> target, double dt, std::size_t cycles)
      : Judge(std::move(verdict)),
        spec_(spec),
        of_(std::move(of)),
        window_(window),
        target_(std::move(target)),
        metric_(spec.statistic, dt, cycles) {
    verdict_.least = spec.least;
    verdict_.most = spec.most;
    verdict_.unit = unit();
    verdict_.expected = bounds_text();
  }

  void watch(const JudgeScene& scene) override {
    if (!window_.holds(scene.now, scene.marks)) return;
    metric_.add(of_.value());
    last_ = scene.now;
  }

  void conclude(const JudgeScene& scene, bool complete) override {
    if (!complete) {
      skip("the run was broken off before");
      return;
    }
    StepResponse response{
        .target = std::nullopt, .band = spec_.band, .band_is_relative = spec_.band_is_relative};
    if (target_) response.target = target_->value();
    std::string why;
    verdict_.value = metric_.value(response, why);
    verdict_.at = to_seconds(metric_.count() > 0 ? last_ : scene.now);
    if (!verdict_.value) {
      const bool judged = spec_.least || spec_.most;
      if (judged || metric_.count() == 0) {
        fail(scene.now, bounds_text(), why);
      } else {
        verdict_.got = why;
      }
      return;
    }
    judge(scene.now, *verdict_.value);
  }

 private:
  void judge(TimeNs now, double value) {
    const std::string shown = number_text(value) + tail();
    verdict_.got = shown;
    // Written so that a bound that is not a number fails.
    const bool high = spec_.most && !(value <= *spec_.most);
    const bool low = spec_.least && !(value >= *spec_.least);
    if (high || low) {
      fail(now, bounds_text(), shown);
      return;
    }
    double margin = std::numeric_limits<double>::infinity();
    if (spec_.most) margin = std::min(margin, *spec_.most - value);
    if (spec_.least) margin = std::min(margin, value - *spec_.least);
    if (std::isfinite(margin)) verdict_.margin = margin;
    const bool beyond = spec_.warn && (spec_.most ? value > *spec_.warn : value < *spec_.warn);
    if (beyond) {
      verdict_.status = VerdictStatus::kWarned;
      verdict_.expected = (spec_.most ? "at most " : "at least ") + number_text(*spec_.warn) +
                          tail() + " (warning)";
    }
  }

  [[nodiscard]] std::string unit() const {
    switch (spec_.statistic) {
      case Statistic::kOvershoot:
        return "";
      case Statistic::kRiseTime:
      case Statistic::kSettlingTime:
        return "s";
      default:
        return of_.signals().size() == 1 ? of_.signals().front()->unit : "";
    }
  }
  [[nodiscard]] std::string tail() const {
    return verdict_.unit.empty() ? "" : " " + verdict_.unit;
  }
  [[nodiscard]] std::string bounds_text() const {
    const std::string name(to_string(spec_.statistic));
    std::string text;
    if (spec_.least) text = "at least " + number_text(*spec_.least) + tail();
    if (spec_.most) {
      text +=
          (text.empty() ? "" : ", ") + std::string("at most ") + number_text(*spec_.most) + tail();
    }
    return name + " of " + of_.text() + (text.empty() ? "" : " " + text);
  }

  MetricSpec spec_;
  Expression of_;
  Window window_;
  std::optional<BoundValue> target_;
  Metric metric_;
  TimeNs last_ = 0;
};

Window window_of(const Moment& from, const std::optional<Moment>& to, const Binder& binder) {
  std::optional<BoundMoment> end;
  if (to) end = binder.moment(*to);
  return {binder.moment(from), end};
}

}  // namespace

void Judge::fail(TimeNs now, std::string expected, std::string got) {
  verdict_.status = VerdictStatus::kFailed;
  verdict_.at = to_seconds(now);
  verdict_.expected = std::move(expected);
  verdict_.got = std::move(got);
}

void Judge::skip(std::string why) {
  verdict_.status = VerdictStatus::kSkipped;
  verdict_.got = std::move(why);
}

std::string place_text(const SourceSpot& spot) {
  std::string text = to_string(spot);
  while (!text.empty() && (text.back() == ' ' || text.back() == ':')) text.pop_back();
  return text;
}

Verdict skipped_verdict(VerdictKind kind, const std::string& name, const SourceSpot& spot,
                        const std::string& why) {
  Verdict verdict = about(kind, name, spot);
  verdict.status = VerdictStatus::kSkipped;
  verdict.got = why;
  return verdict;
}

std::unique_ptr<Judge> make_always(const Assertion& assertion, const Binder& binder) {
  return std::make_unique<Always>(about(VerdictKind::kAlways, assertion.name, assertion.spot),
                                  binder.condition(assertion.condition),
                                  window_of(assertion.from, assertion.to, binder));
}

std::unique_ptr<Judge> make_never(const Assertion& assertion, const Binder& binder) {
  Verdict verdict = about(VerdictKind::kNever, assertion.name, assertion.spot);
  const Window window = window_of(assertion.from, assertion.to, binder);
  if (assertion.event) {
    return std::make_unique<NeverEvent>(std::move(verdict), assertion.event->text,
                                        binder.event(*assertion.event), window, binder.config());
  }
  return std::make_unique<Never>(std::move(verdict), binder.condition(assertion.condition), window);
}

std::unique_ptr<Judge> make_at_end(const Assertion& assertion, const Binder& binder) {
  return std::make_unique<AtEnd>(about(VerdictKind::kAtEnd, assertion.name, assertion.spot),
                                 binder.condition(assertion.condition));
}

std::unique_ptr<Judge> make_within(const WithinAssertion& assertion, const Binder& binder) {
  Verdict verdict = about(VerdictKind::kWithin, assertion.name, assertion.spot);
  const BoundMoment after = binder.moment(assertion.after);
  if (assertion.event) {
    return std::make_unique<WithinEvent>(std::move(verdict), after, assertion.longest,
                                         assertion.event->text, binder.event(*assertion.event));
  }
  return std::make_unique<WithinCondition>(std::move(verdict), after, assertion.longest,
                                           assertion.hold, binder.condition(assertion.condition));
}

std::vector<std::unique_ptr<Judge>> make_metrics(const MetricSpec& metric, const Binder& binder,
                                                 std::size_t cycles) {
  std::vector<JointIndex> joints = binder.each_of(metric.of, metric.joints);
  const bool has_each = !joints.empty();
  if (!has_each) joints.push_back(kNoJoint);
  std::vector<std::unique_ptr<Judge>> judges;
  for (const JointIndex joint : joints) {
    const std::string suffix = has_each ? "[" + binder.config().joints[joint].name + "]" : "";
    Expression of = binder.expression(metric.of, joint);
    std::optional<BoundValue> target;
    if (metric.target) {
      // Its dimension is that of the signal, which only the signal's author knows.
      Expression wanted = binder.expression(*metric.target, joint);
      target = BoundValue(std::move(wanted));
    }
    judges.push_back(std::make_unique<MetricJudge>(
        about(VerdictKind::kMetric, metric.name + suffix, metric.spot), metric, std::move(of),
        window_of(metric.from, metric.to, binder), std::move(target), binder.signals().period(),
        cycles));
  }
  return judges;
}

}  // namespace jointrig
