#pragma once
/// Tables of a scenario's section.

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "harness/report/html_report.h"
#include "harness/runner/result.h"

namespace jointrig::harness::report {

/// Presentation of a verdict: a class for its colour, a sign and a word, never the colour alone.
struct Badge {
  std::string_view style;  ///< ok, warn, bad or none
  std::string_view sign;
  std::string_view word;
};
Badge badge_of(Outcome outcome) noexcept;
Badge badge_of(VerdictStatus status) noexcept;
void write_badge(std::ostream& out, const Badge& badge);

void write_facts(std::ostream& out, const std::vector<Fact>& facts);
void write_steps(std::ostream& out, const std::vector<Verdict>& verdicts);
/// Writes assertions and metrics, failed ones first.
void write_expectations(std::ostream& out, const std::vector<Verdict>& verdicts);
/// Writes the limits that acted, and for how long.
void write_limits(std::ostream& out, const Result& result);
void write_events(std::ostream& out, const Result& result);

}  // namespace jointrig::harness::report
