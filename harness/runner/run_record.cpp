#include "harness/runner/run_record.h"

#include <fmt/core.h>

#include <utility>

namespace jointrig::harness {
namespace {

// Rank of an outcome; the larger is worse.
int badness(Outcome outcome) {
  switch (outcome) {
    case Outcome::kSafetyStop:
      return 6;
    case Outcome::kCouldNotRun:
      return 5;
    case Outcome::kNotDeterministic:
      return 4;
    case Outcome::kTimeout:
      return 3;
    case Outcome::kFailed:
      return 2;
    default:
      return 0;
  }
}

}  // namespace

void RunRecord::worsen(Outcome outcome, const std::string& reason) {
  if (badness(outcome) <= badness(result_.outcome)) return;
  result_.outcome = outcome;
  result_.reason = reason;
}

void RunRecord::worsen(Outcome outcome, const Verdict& verdict) {
  worsen(outcome, verdict.name + ": expected " + verdict.expected + ", got " + verdict.got);
}

void RunRecord::note_failure(TimeNs now, const std::string& name, const std::string& expected,
                             const std::string& got) {
  if (result_.first_failure) return;
  result_.first_failure = Failure{to_seconds(now), name, expected, got};
  new_failure_ = true;
}

bool RunRecord::take_new_failure() noexcept { return std::exchange(new_failure_, false); }

void RunRecord::note_missed(std::uint64_t cycles, std::uint64_t events) noexcept {
  result_.cycles_missed = cycles;
  result_.events_missed = events;
}

void RunRecord::conclude_missed() {
  if (!has_missed()) return;
  std::string note = fmt::format("missed {} cycles", result_.cycles_missed);
  if (result_.events_missed > 0) {
    note += fmt::format(" and {} events", result_.events_missed);
  }
  result_.notes.push_back(note);
  worsen(Outcome::kCouldNotRun,
         "could not judge: the scenario fell behind the loop and missed cycles; leave it a core of "
         "its own, lower --rtf, or run it without --realtime");
}

void RunRecord::conclude_expected(const std::string& expected_failure) {
  if (expected_failure.empty() || result_.outcome == Outcome::kCouldNotRun) return;
  if (result_.outcome == Outcome::kPassed) {
    result_.outcome = Outcome::kFailed;
    result_.reason = "it was expected to fail (" + expected_failure + ") and passed: remove xfail";
  } else {
    result_.outcome = Outcome::kPassed;
    result_.reason = "failed as expected (" + expected_failure + "): " + result_.reason;
  }
}

}  // namespace jointrig::harness
