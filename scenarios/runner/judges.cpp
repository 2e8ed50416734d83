#include "scenarios/runner/judges.h"

#include <cmath>

#include "scenarios/robot_log/event_text.h"

namespace jointrig {
namespace {

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

constexpr std::string_view kUnopened =
    "never looked at: the moment that it begins from did not come";

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
      fail(scene.now, verdict_.name, std::string(kUnopened));
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
      fail(scene.now, verdict_.name, std::string(kUnopened));
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
      fail(scene.now, verdict_.name, std::string(kUnopened));
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

// With what was asked: it stays where the assertion holds.
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
  return std::make_unique<Always>(verdict_about(VerdictKind::kAlways, assertion, "always "),
                                  binder.condition(assertion.condition),
                                  window_of(assertion.from, assertion.to, binder));
}

std::unique_ptr<Judge> make_never(const Assertion& assertion, const Binder& binder) {
  Verdict verdict = verdict_about(VerdictKind::kNever, assertion, "never ");
  const Window window = window_of(assertion.from, assertion.to, binder);
  if (assertion.event) {
    return std::make_unique<NeverEvent>(std::move(verdict), assertion.event->text,
                                        binder.event(*assertion.event), window, binder.config());
  }
  return std::make_unique<Never>(std::move(verdict), binder.condition(assertion.condition), window);
}

std::unique_ptr<Judge> make_at_end(const Assertion& assertion, const Binder& binder) {
  return std::make_unique<AtEnd>(verdict_about(VerdictKind::kAtEnd, assertion, "at the end "),
                                 binder.condition(assertion.condition));
}

}  // namespace jointrig
