#pragma once
/// The report of a run: one HTML file that needs neither a network nor a second file.
///
/// The page contains verdicts, tables and texts; plotly.js draws the plots (MIT, its licence header
/// is kept), which is part of the program and written into the page. Names and texts come from
/// users' files: all of them are escaped.

#include <filesystem>
#include <ostream>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "harness/runner/result.h"

namespace jointrig::harness {

/// A line of a table: name and value.
using Fact = std::pair<std::string, std::string>;

/// Facts about the whole run. The report reads no clock and no machine data: equal input gives
/// equal bytes.
struct RunInfo {
  std::string title;  ///< of the page; empty: "jointrig run"
  std::string date;   ///< date as shown; empty: left out
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

/// Throws WriteError (harness/config/whole_file.h).
void write_html_report(const std::filesystem::path& path, const RunInfo& info,
                       std::span<const ScenarioReport> scenarios);

void write_html_report(std::ostream& out, const RunInfo& info,
                       std::span<const ScenarioReport> scenarios);

}  // namespace jointrig::harness
