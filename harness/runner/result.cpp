#include "harness/runner/result.h"

#include <algorithm>
#include <array>

#include "harness/runner/measure.h"

namespace jointrig::harness {

std::string shown(const Verdict& verdict, double value) {
  const std::string& unit = verdict.shown_unit.empty() ? verdict.unit : verdict.shown_unit;
  return ShownUnit{unit, verdict.shown_scale}.text(value);
}

int exit_code(Outcome outcome) noexcept {
  switch (outcome) {
    case Outcome::kPassed:
      return 0;
    case Outcome::kFailed:
      return 1;
    case Outcome::kCouldNotRun:
      return 2;
    case Outcome::kSafetyStop:
      return 3;
    case Outcome::kTimeout:
      return 4;
    case Outcome::kNotDeterministic:
      return 5;
    case Outcome::kSkipped:
      return 77;  // "skipped" for ctest and automake
  }
  return 2;
}

int exit_code(const std::vector<Outcome>& outcomes) noexcept {
  constexpr std::array kWorstFirst{Outcome::kSafetyStop,       Outcome::kCouldNotRun,
                                   Outcome::kNotDeterministic, Outcome::kTimeout,
                                   Outcome::kFailed,           Outcome::kPassed};
  for (const Outcome outcome : kWorstFirst) {
    if (std::find(outcomes.begin(), outcomes.end(), outcome) != outcomes.end()) {
      return exit_code(outcome);
    }
  }
  return exit_code(Outcome::kSkipped);
}

}  // namespace jointrig::harness
