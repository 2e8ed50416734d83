// Assertions of kind `within`.

#include <optional>
#include <string>
#include <utility>

#include "harness/runner/judges.h"
#include "harness/runner/step_run.h"

namespace jointrig::harness {
namespace {

// One open obligation is enough: a later trigger has a later deadline, and the event that fulfils
// the open one fulfils it, too.
class Within : public Judge {
 public:
  Within(Verdict verdict, BoundMoment after, double longest)
      : Judge(std::move(verdict)), after_(after), longest_(to_ns(longest)) {}

  void watch(const JudgeScene& scene) override {
    if (failed()) {
      look_on(scene);
      return;
    }
    if (!open_ && triggers(scene)) {
      open_ = true;
      ever_ = true;
      since_ = scene.now;
      opened(scene);
    }
    if (!open_) return;
    const std::optional<TimeNs> begin = came(scene);
    if (begin && *begin - since_ <= longest_) {
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
    if (begin) tell_late(*begin);
  }

  [[nodiscard]] bool is_pending() const noexcept override { return open_; }

  void conclude(const JudgeScene& scene, bool complete) override {
    if (failed()) {
      if (!told_late_)
        verdict_.more = "not until the end, at " + seconds_text(to_seconds(scene.now));
      return;
    }
    if (!complete && (open_ || !ever_)) {
      skip("the run was broken off before");
    } else if (!ever_) {
      fail(scene.now, verdict_.name,
           "never looked at: the moment that it counts from did not come");
    } else {
      verdict_.unit = verdict_.shown_unit = "s";
    }
  }

 protected:
  virtual void opened(const JudgeScene& /*scene*/) {}
  /// The time at which it occurred, in time or late, when that is certain.
  virtual std::optional<TimeNs> came(const JudgeScene& scene) = 0;
  [[nodiscard]] virtual bool is_late(TimeNs now) const noexcept { return now - since_ > longest_; }
  [[nodiscard]] virtual std::string what() const = 0;
  [[nodiscard]] virtual std::string missed() const = 0;
  [[nodiscard]] TimeNs since() const noexcept { return since_; }
  [[nodiscard]] TimeNs longest() const noexcept { return longest_; }

 private:
  // It failed: a late occurrence is still reported.
  void look_on(const JudgeScene& scene) {
    if (told_late_) return;
    if (const std::optional<TimeNs> begin = came(scene)) tell_late(*begin);
  }

  void tell_late(TimeNs begin) {
    told_late_ = true;
    const TimeNs after = begin - since_;
    verdict_.at = to_seconds(begin);
    verdict_.got = "it after " + seconds_text(to_seconds(after)) + ", " +
                   seconds_text(to_seconds(after - longest_)) + " too late";
  }

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
  bool told_late_ = false;
  bool time_came_ = false;
};

class WithinEvent final : public Within {
 public:
  WithinEvent(Verdict verdict, BoundMoment after, double longest, std::string text,
              EventPattern pattern)
      : Within(std::move(verdict), after, longest), text_(std::move(text)), pattern_(pattern) {}

 private:
  std::optional<TimeNs> came(const JudgeScene& scene) override {
    for (const Event& event : scene.events) {
      if (pattern_.matches(event)) return scene.now;
    }
    return std::nullopt;
  }
  [[nodiscard]] std::string what() const override { return text_; }
  [[nodiscard]] std::string missed() const override { return "nothing by then"; }

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

  std::optional<TimeNs> came(const JudgeScene& scene) override {
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
    return scene.now - begin_ >= hold_ ? std::optional(begin_) : std::nullopt;
  }

  // While it has been true since before the deadline, the rest of its hold may come after it.
  [[nodiscard]] bool is_late(TimeNs now) const noexcept override {
    return (holds_ ? begin_ : now) - since() > longest();
  }

  [[nodiscard]] std::string what() const override {
    if (last_ == nullptr) return verdict_.name;
    const std::string tail = hold_ > 0 ? " for " + seconds_text(to_seconds(hold_)) : "";
    return last_->expression.expected(last_check_) + tail;
  }
  [[nodiscard]] std::string missed() const override {
    return last_ == nullptr ? "it came too late" : last_->expression.got(last_check_);
  }

  TimeNs hold_;
  std::vector<BoundCondition> conditions_;
  TimeNs begin_ = 0;
  bool holds_ = false;
  const BoundCondition* last_ = nullptr;  // the last one that was false
  Check last_check_;
};

}  // namespace

std::unique_ptr<Judge> make_within(const WithinAssertion& assertion, const Binder& binder) {
  Verdict verdict = verdict_about(VerdictKind::kWithin, assertion.name, assertion.spot);
  const BoundMoment after = binder.moment(assertion.after);
  if (assertion.event) {
    return std::make_unique<WithinEvent>(std::move(verdict), after, assertion.longest,
                                         assertion.event->text, binder.event(*assertion.event));
  }
  return std::make_unique<WithinCondition>(std::move(verdict), after, assertion.longest,
                                           assertion.hold, binder.condition(assertion.condition));
}

}  // namespace jointrig::harness
