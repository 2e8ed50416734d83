#pragma once
/// Judges: assertions and metrics, evaluated once a cycle. Built before the run; watching allocates
/// nothing while all conditions hold, and a failure is put into words once.

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

/// Input of a judge in a cycle. Expressions read the signals.
struct JudgeScene {
  TimeNs now = 0;
  std::span<const Event> events;
  std::span<const MarkTimes> marks;  ///< marks of this cycle have `last == now`
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

  /// True while more cycles can decide something.
  [[nodiscard]] virtual bool is_pending() const noexcept { return false; }

  /// Called once after the last cycle.
  /// @param complete  false if the steps were aborted
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
/// One metric for each joint if `each` occurs.
/// @param cycles  largest number of cycles of the run
std::vector<std::unique_ptr<Judge>> make_metrics(const MetricSpec& metric, const Binder& binder,
                                                 std::size_t cycles);

/// A verdict for a condition that can't be judged here.
Verdict skipped_verdict(VerdictKind kind, const std::string& name, const SourceSpot& spot,
                        const std::string& why);

/// Common fields of all judges' verdicts.
Verdict verdict_about(VerdictKind kind, const std::string& name, const SourceSpot& spot);
Window window_of(const Moment& from, const std::optional<Moment>& to, const Binder& binder);

/// `elbow.yaml:12:5`
std::string place_text(const SourceSpot& spot);

}  // namespace jointrig::harness
