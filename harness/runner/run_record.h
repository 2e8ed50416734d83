#pragma once
/// Result of a run so far, with the worst outcome and the first failure.

#include <cstdint>
#include <string>

#include "control/core/types.h"
#include "harness/runner/result.h"

namespace jointrig::harness {

class RunRecord {
 public:
  [[nodiscard]] const Result& result() const noexcept { return result_; }
  [[nodiscard]] Result& result() noexcept { return result_; }

  /// Sets an outcome that is worse than the present one; the first of equal ones stays.
  void worsen(Outcome outcome, const std::string& reason);

  /// Records the first failure, with which reports begin.
  void note_failure(TimeNs now, const std::string& name, const std::string& expected,
                    const std::string& got);
  /// Records a verdict that has just failed.
  void note_failure(TimeNs now, const Verdict& verdict) {
    note_failure(now, verdict.name, verdict.expected, verdict.got);
  }
  /// Applies a failed verdict to the run's outcome.
  void worsen(Outcome outcome, const Verdict& verdict);
  /// True if the first failure came since the last call.
  [[nodiscard]] bool take_new_failure() noexcept;

  /// Total of cycles and events that did not reach the runner.
  void note_missed(std::uint64_t cycles, std::uint64_t events) noexcept;
  [[nodiscard]] bool has_missed() const noexcept {
    return result_.cycles_missed + result_.events_missed > 0;
  }

  /// Decides the outcome at the end: missed cycles can't have been judged, and an expected failure
  /// must come.
  void conclude_missed();
  void conclude_expected(const std::string& expected_failure);

 private:
  Result result_;
  bool new_failure_ = false;
};

}  // namespace jointrig::harness
