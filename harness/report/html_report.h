#pragma once
/// The report of a run: one HTML file that needs neither a network nor a second file.
///
/// Verdicts, tables and texts stand in the page as they are; the plots are drawn by plotly.js (MIT,
/// its licence header is kept), which lies in the program and is written into the page. Names and
/// texts come from people's files: all of them are escaped.

#include <filesystem>
#include <ostream>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "harness/runner/result.h"

namespace jointrig::harness {

/// A line of a table: what, and its value.
using Fact = std::pair<std::string, std::string>;

/// What is said once for the whole run. The report reads no clock and asks no machine: equal input
/// gives equal bytes.
struct RunInfo {
  std::string title;  ///< of the page; empty: "jointrig run"
  std::string date;   ///< as it shall be read; empty: left out
  /// Lines of the head, in this order: robot, versions, seed, loop statistics, ...
  std::vector<Fact> facts;
};

/// One scenario of the run.
struct ScenarioReport {
  const Result* result = nullptr;
  std::string effective_yaml;  ///< the scenario with all defaults written out; empty: left out
  /// Label and path of files beside the report, relative to its folder.
  std::vector<Fact> files;
};

/// Throws std::runtime_error with a sentence where the file can't be written.
void write_html_report(const std::filesystem::path& path, const RunInfo& info,
                       std::span<const ScenarioReport> scenarios);

void write_html_report(std::ostream& out, const RunInfo& info,
                       std::span<const ScenarioReport> scenarios);

}  // namespace jointrig::harness
