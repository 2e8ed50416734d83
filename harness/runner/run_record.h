#pragma once
/// What a run has come to so far: its result, with the worst that happened and what failed first.

#include <cstdint>
#include <string>

#include "control/core/types.h"
#include "harness/runner/result.h"

namespace jointrig::harness {

class RunRecord {
 public:
  [[nodiscard]] const Result& result() const noexcept { return result_; }
  [[nodiscard]] Result& result() noexcept { return result_; }

  /// Takes an outcome that is worse than what there is; the first of equal ones stays.
  void worsen(Outcome outcome, const std::string& reason);

  /// The first one is what reports begin with.
  void note_failure(TimeNs now, const std::string& name, const std::string& expected,
                    const std::string& got);
  /// A verdict that has just failed: noted.
  void note_failure(TimeNs now, const Verdict& verdict) {
    note_failure(now, verdict.name, verdict.expected, verdict.got);
  }
  /// A verdict that has failed: the run is no better.
  void worsen(Outcome outcome, const Verdict& verdict);
  /// Whether the first failure came since the last call.
  [[nodiscard]] bool take_new_failure() noexcept;

  /// How much of the run didn't reach the runner, in all.
  void note_missed(std::uint64_t cycles, std::uint64_t events) noexcept;
  [[nodiscard]] bool has_missed() const noexcept {
    return result_.cycles_missed + result_.events_missed > 0;
  }

  /// The last word on the outcome: what was missed can't have been judged, and an expected failure
  /// has to come.
  void conclude_missed();
  void conclude_expected(const std::string& expected_failure);

 private:
  Result result_;
  bool new_failure_ = false;
};

}  // namespace jointrig::harness
