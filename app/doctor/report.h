#pragma once
/// The diagnosis on a terminal, and as JSON.

#include <iosfwd>
#include <string>

#include "app/doctor/diagnosis.h"

namespace jointrig::app {

void print_findings(std::ostream& out, const std::vector<Finding>& findings);

/// A row per measurement: p50, p99, p99.9, max of the lateness, periods skipped, cycle times.
void print_table(std::ostream& out, const Diagnosis& diagnosis);

/// Histogram of the lateness: one line per step of 1, 2, 5; the length of a bar is logarithmic in
/// the count, so that one late cycle among ten thousand is visible.
void print_histogram(std::ostream& out, const WakeUp& measured);

/// "1 kHz", "500 Hz".
std::string rate_name(TimeNs period_ns);

/// All results, with times in ns and the histograms in the same steps.
std::string to_json(const Diagnosis& diagnosis);

}  // namespace jointrig::app
