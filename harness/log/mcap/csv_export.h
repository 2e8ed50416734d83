#pragma once
/// A log, or part of it, as a table.

#include <cstdint>
#include <iosfwd>
#include <limits>
#include <string>
#include <vector>

namespace jointrig::harness {

struct CsvOptions {
  /// What to export: a topic ("/j/elbow": all its fields) or a topic and field ("/j/elbow.q"), with
  /// * and ? as in a shell ("/j/*.q"). Empty: everything.
  std::vector<std::string> select = {};
  std::int64_t from_ns = std::numeric_limits<std::int64_t>::min();
  std::int64_t to_ns = std::numeric_limits<std::int64_t>::max();  ///< included
};

struct CsvReport {
  std::uint64_t rows = 0;
  std::size_t columns = 0;   ///< the time included
  bool log_was_cut = false;  ///< the log ends in the middle: the table holds what is there
};

/// First line: names with units, `time [s],/j/elbow.q [rad],...`. Then a row for each time stamp in
/// the log, in order of time; a channel that has nothing at that time leaves its cells empty, one
/// that has two messages gets two rows. Numbers are written so that reading them gives the same
/// bits; time and stamps have nine decimals. Arrays spread over columns `f[0]`, `f[1]`; sequences
/// too, as many as the longest that is exported has: the cells beyond a shorter one stay empty.
///
/// Throws LogFileError for a log that can't be read, a selection that matches nothing (with the
/// topics there are), and a file that can't be written.
CsvReport export_csv(const std::string& log_path, const CsvOptions& options, std::ostream& out);
CsvReport export_csv(const std::string& log_path, const CsvOptions& options,
                     const std::string& csv_path);

}  // namespace jointrig::harness
