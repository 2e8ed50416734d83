#include "app/doctor/diagnosis.h"

#include <fmt/core.h>

#include <algorithm>

#include "control/stack/loop_statistics.h"

namespace jointrig::app {
namespace {

constexpr std::uint64_t kCyclesPerSkip = 10'000;

std::string against(const std::string& what, std::int64_t value_ns, std::int64_t limit_ns) {
  return what + " " + duration_text(value_ns) + " of at most " + duration_text(limit_ns);
}

}  // namespace

Holds holds(const WakeUp& loop, TimeNs period_ns) {
  const DurationSummary late = loop.late->summary();
  if (late.count == 0) return {false, "nothing was measured"};
  if (loop.gaps > 0) {
    return {false, fmt::format("stood still for more than a second, times: {}", loop.gaps)};
  }
  const DurationSummary cycle = loop.cycle ? loop.cycle->summary() : DurationSummary{};
  const std::string often = against("wake-up p99", late.p99_ns, period_ns / 10);
  const std::string rarely = against(loop.cycle ? "wake-up and cycle p99.9" : "wake-up p99.9",
                                     late.p999_ns + cycle.p999_ns, period_ns / 2);
  if (late.p99_ns >= period_ns / 10) return {false, often};
  if (late.p999_ns + cycle.p999_ns >= period_ns / 2) return {false, rarely};
  const std::uint64_t periods = late.count + loop.skipped;
  if (loop.skipped > std::max<std::uint64_t>(1, periods / kCyclesPerSkip)) {
    return {false,
            fmt::format("skipped {} of {} periods, more than 1 in 10000", loop.skipped, periods)};
  }
  return {true, often + ", " + rarely};
}

void decide(Diagnosis& diagnosis) {
  const Holds sleeping = holds(diagnosis.paced, diagnosis.period_ns);
  diagnosis.verdict = sleeping.yes ? HoldsRate::kYes : HoldsRate::kNo;
  diagnosis.reason = sleeping.reason;
  if (sleeping.yes || !diagnosis.spinning.late) return;

  const Holds spinning = holds(diagnosis.spinning, diagnosis.period_ns);
  if (spinning.yes) diagnosis.verdict = HoldsRate::kWithSpinning;
  diagnosis.reason = "asleep: " + sleeping.reason + "; spinning: " + spinning.reason;
}

std::vector<Finding> as_findings(const RealtimeSetup& setup) {
  std::vector<Finding> findings;
  for (const RealtimeNote& note : setup.notes) {
    findings.push_back(
        {note.got ? FindingKind::kOk : FindingKind::kFix, "real time", note.text, note.fix});
  }
  return findings;
}

}  // namespace jointrig::app
