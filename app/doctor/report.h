#pragma once
/// The diagnosis on a terminal, and as JSON.

#include <iosfwd>
#include <string>

#include "app/doctor/diagnosis.h"

namespace jointrig::app {

void print_findings(std::ostream& out, const std::vector<Finding>& findings);

/// A row per measurement: p50, p99, p99.9, max of the lateness, periods skipped, cycle times.
void print_table(std::ostream& out, const Diagnosis& diagnosis);

/// How often which lateness was met: a line per step of 1, 2, 5; the length of a bar goes with the
/// logarithm of the count, so that one late cycle among ten thousand is seen.
void print_histogram(std::ostream& out, const WakeUp& measured);

/// "1 kHz", "500 Hz".
std::string rate_name(TimeNs period_ns);

/// Everything, with times in ns and the histograms by the same steps.
std::string to_json(const Diagnosis& diagnosis);

}  // namespace jointrig::app
