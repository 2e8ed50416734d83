#pragma once
/// Exports a log, or part of it, as a table.

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
  std::size_t columns = 0;   ///< with the time column
  bool log_was_cut = false;  ///< the log is cut off; the table holds its readable part
};

/// First line: names with units, `time [s],/j/elbow.q [rad],...`. Then a row for each time stamp in
/// the log, in order of time; a channel without a message at that time leaves its cells empty, a
/// channel with two messages gets two rows. Numbers are written so that they read back to the same
/// bits; time and stamps have nine decimals. Arrays spread over columns `f[0]`, `f[1]`; sequences
/// too, as many as the longest exported one has; the cells beyond a shorter one stay empty.
///
/// Throws LogFileError for a log that can't be read, a selection that matches nothing (with the
/// existing topics), and a file that can't be written.
CsvReport export_csv(const std::string& log_path, const CsvOptions& options, std::ostream& out);
CsvReport export_csv(const std::string& log_path, const CsvOptions& options,
                     const std::string& csv_path);

}  // namespace jointrig::harness
