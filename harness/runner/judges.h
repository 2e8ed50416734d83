#pragma once
/// What watches a run: assertions and metrics, looked at once a cycle. Built before the run;
/// watching allocates nothing while all holds, and a failure is put into words once.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/runner/binder.h"
#include "harness/runner/metric.h"
#include "harness/runner/result.h"
#include "harness/runner/window.h"

namespace jointrig::harness {

/// What a judge sees of a cycle. Signals are read through the expressions.
struct JudgeScene {
  TimeNs now = 0;
  std::span<const Event> events;
  std::span<const MarkTimes> marks;  ///< those of this cycle have `last == now`
};

class Judge {
 public:
  explicit Judge(Verdict about) : verdict_(std::move(about)) {
    verdict_.status = VerdictStatus::kPassed;
  }
  Judge(const Judge&) = delete;
  Judge& operator=(const Judge&) = delete;
  virtual ~Judge() = default;

  virtual void watch(const JudgeScene& scene) = 0;

  /// True while nothing is decided that a few more cycles would decide.
  [[nodiscard]] virtual bool is_pending() const noexcept { return false; }

  /// The last word, after the last cycle. @param complete  false where the steps were broken off
  virtual void conclude(const JudgeScene& scene, bool complete) = 0;

  [[nodiscard]] const Verdict& verdict() const noexcept { return verdict_; }
  [[nodiscard]] bool failed() const noexcept { return verdict_.failed(); }

 protected:
  void fail(TimeNs now, std::string expected, std::string got);
  void skip(std::string why);
  Verdict verdict_;
};

std::unique_ptr<Judge> make_always(const Assertion& assertion, const Binder& binder);
std::unique_ptr<Judge> make_never(const Assertion& assertion, const Binder& binder);
std::unique_ptr<Judge> make_at_end(const Assertion& assertion, const Binder& binder);
std::unique_ptr<Judge> make_within(const WithinAssertion& assertion, const Binder& binder);
/// One for each joint where `each` occurs.
/// @param cycles  most that the run can have
std::vector<std::unique_ptr<Judge>> make_metrics(const MetricSpec& metric, const Binder& binder,
                                                 std::size_t cycles);

/// A verdict of something that can't be judged here.
Verdict skipped_verdict(VerdictKind kind, const std::string& name, const SourceSpot& spot,
                        const std::string& why);

/// What all judges' verdicts begin with.
Verdict verdict_about(VerdictKind kind, const std::string& name, const SourceSpot& spot);
Window window_of(const Moment& from, const std::optional<Moment>& to, const Binder& binder);

/// `elbow.yaml:12:5`
std::string place_text(const SourceSpot& spot);

}  // namespace jointrig::harness
