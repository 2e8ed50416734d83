#include "harness/runner/judges.h"

#include <fmt/core.h>

#include <cmath>

#include "harness/log/event_text.h"

namespace jointrig::harness {
namespace {

// The smallest distance of a condition to failure.
class Margin {
 public:
  void see(const BoundCondition& condition, const Check& check, TimeNs now) noexcept {
    if (!std::isfinite(check.margin) || check.margin >= least_) return;
    of_ = &condition;
    check_ = check;
    least_ = check.margin;
    at_ = now;
  }
  void put_into(Verdict& verdict) const {
    if (of_ == nullptr) return;
    verdict.margin = least_;
    verdict.margin_at = to_seconds(at_);
    verdict.unit = of_->expression.unit(check_);
    const ShownUnit& shown = of_->expression.shown(check_);
    verdict.shown_unit = shown.unit;
    verdict.shown_scale = shown.scale;
  }

 private:
  const BoundCondition* of_ = nullptr;
  Check check_;
  double least_ = std::numeric_limits<double>::infinity();
  TimeNs at_ = 0;
};

std::string moment_text(TimeNs time) { return fmt::format("{:.3f} s", to_seconds(time)); }

// Violations of a condition that must always be true: the largest, its time, and their number.
class Violations {
 public:
  void see(const BoundCondition& condition, const Check& check, double margin,
           TimeNs now) noexcept {
    broken_now_ = true;
    if (worst_ == nullptr || margin < least_) {
      worst_ = &condition;
      check_ = check;
      least_ = margin;
      at_ = now;
    }
  }
  void next_cycle() noexcept {
    ++cycles_;
    broken_ += broken_now_ ? 1 : 0;
    broken_now_ = false;
  }
  // `worst abs(elbow.tau) = 9 N·m, at 0.070 s; in 2 of 101 cycles`
  [[nodiscard]] std::string text(TimeNs first) const {
    std::string words;
    if (at_ != first && std::isfinite(least_)) {
      words = "worst " + worst_->expression.got(check_) + ", at " + moment_text(at_) + "; ";
    }
    return fmt::format("{}in {} of {} cycles", words, broken_, cycles_);
  }

 private:
  const BoundCondition* worst_ = nullptr;
  Check check_;
  double least_ = 0.0;
  TimeNs at_ = 0;
  std::uint64_t cycles_ = 0;
  std::uint64_t broken_ = 0;
  bool broken_now_ = false;
};

// Looks within a window alone.
class WindowJudge : public Judge {
 protected:
  WindowJudge(Verdict verdict, Window window) : Judge(std::move(verdict)), window_(window) {}

  // The verdict where the window has never opened.
  void conclude_window(TimeNs now, bool complete) {
    if (window_.has_opened()) return;
    if (complete) {
      fail(now, verdict_.name, "never looked at: the moment that it begins from did not come");
    } else {
      skip("the run was broken off before");
    }
  }

  Window window_;
};

// always, and its opposite never: judged in each cycle of a window.
class Throughout final : public WindowJudge {
 public:
  Throughout(Verdict verdict, std::vector<BoundCondition> conditions, Window window, bool wanted)
      : WindowJudge(std::move(verdict), window),
        conditions_(std::move(conditions)),
        wanted_(wanted) {}

  void watch(const JudgeScene& scene) override {
    if (!window_.holds(scene.now, scene.marks)) return;
    for (const BoundCondition& condition : conditions_) {
      Check check = condition.expression.check();
      if (!wanted_) check.margin = -check.margin;
      margin_.see(condition, check, scene.now);
      if (check.holds == wanted_) continue;
      violations_.see(condition, check, check.margin, scene.now);
      if (failed()) continue;
      first_ = scene.now;
      const Expression& expression = condition.expression;
      fail(scene.now,
           wanted_ ? "always " + expression.expected(check) : "never " + expression.said(),
           expression.got(check));
    }
    violations_.next_cycle();
  }

  void conclude(const JudgeScene& scene, bool complete) override {
    margin_.put_into(verdict_);
    if (failed()) {
      verdict_.more = violations_.text(first_);
      return;
    }
    conclude_window(scene.now, complete);
  }

 private:
  std::vector<BoundCondition> conditions_;
  bool wanted_;
  Margin margin_;
  Violations violations_;
  TimeNs first_ = 0;
};

class NeverEvent final : public WindowJudge {
 public:
  NeverEvent(Verdict verdict, std::string text, EventPattern pattern, Window window,
             const RobotConfig& config)
      : WindowJudge(std::move(verdict), window),
        text_(std::move(text)),
        pattern_(pattern),
        config_(&config) {}

  void watch(const JudgeScene& scene) override {
    if (!window_.holds(scene.now, scene.marks)) return;
    for (const Event& event : scene.events) {
      if (!pattern_.matches(event)) continue;
      ++times_;
      last_ = scene.now;
      if (!failed()) fail(scene.now, "never " + text_, sentence(event, *config_));
    }
  }

  void conclude(const JudgeScene& scene, bool complete) override {
    if (failed()) {
      if (times_ > 1) {
        verdict_.more = fmt::format("{} times in all, last at {}", times_, moment_text(last_));
      }
      return;
    }
    conclude_window(scene.now, complete);
  }

 private:
  std::uint64_t times_ = 0;
  TimeNs last_ = 0;
  std::string text_;
  EventPattern pattern_;
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
    constexpr std::size_t kMostTold = 3;
    std::size_t others = 0;
    Margin margin;
    for (const BoundCondition& condition : conditions_) {
      const Expression& expression = condition.expression;
      const Check check = expression.check();
      margin.see(condition, check, scene.now);
      if (check.holds) continue;
      if (!failed()) {
        fail(scene.now, "at the end " + expression.expected(check), expression.got(check));
      } else if (++others <= kMostTold) {
        verdict_.more += (verdict_.more.empty() ? "also " : ", ") + expression.got(check);
      }
    }
    if (others > kMostTold) verdict_.more += fmt::format(", and {} more", others - kMostTold);
    margin.put_into(verdict_);
  }

 private:
  std::vector<BoundCondition> conditions_;
};

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

Verdict verdict_about(VerdictKind kind, const std::string& name, const SourceSpot& spot) {
  Verdict verdict;
  verdict.kind = kind;
  verdict.name = name;
  verdict.place = place_text(spot);
  return verdict;
}

namespace {

// With the requirement, which stays if the assertion holds.
Verdict verdict_about(VerdictKind kind, const Assertion& assertion, const std::string& when) {
  Verdict verdict = verdict_about(kind, assertion.name, assertion.spot);
  const std::optional<Text>& expression = assertion.condition.expression;
  if (expression) verdict.expected = when + expression->text;
  if (assertion.event) verdict.expected = when + assertion.event->text;
  return verdict;
}

}  // namespace

Window window_of(const Moment& from, const std::optional<Moment>& to, const Binder& binder) {
  std::optional<BoundMoment> end;
  if (to) end = binder.moment(*to);
  return {binder.moment(from), end};
}

Verdict skipped_verdict(VerdictKind kind, const std::string& name, const SourceSpot& spot,
                        const std::string& why) {
  Verdict verdict = verdict_about(kind, name, spot);
  verdict.status = VerdictStatus::kSkipped;
  verdict.got = why;
  return verdict;
}

std::unique_ptr<Judge> make_always(const Assertion& assertion, const Binder& binder) {
  return std::make_unique<Throughout>(verdict_about(VerdictKind::kAlways, assertion, "always "),
                                      binder.condition(assertion.condition),
                                      window_of(assertion.from, assertion.to, binder), true);
}

std::unique_ptr<Judge> make_never(const Assertion& assertion, const Binder& binder) {
  Verdict verdict = verdict_about(VerdictKind::kNever, assertion, "never ");
  const Window window = window_of(assertion.from, assertion.to, binder);
  if (assertion.event) {
    return std::make_unique<NeverEvent>(std::move(verdict), assertion.event->text,
                                        binder.event(*assertion.event), window, binder.config());
  }
  return std::make_unique<Throughout>(std::move(verdict), binder.condition(assertion.condition),
                                      window, false);
}

std::unique_ptr<Judge> make_at_end(const Assertion& assertion, const Binder& binder) {
  return std::make_unique<AtEnd>(verdict_about(VerdictKind::kAtEnd, assertion, "at the end "),
                                 binder.condition(assertion.condition));
}

}  // namespace jointrig::harness
