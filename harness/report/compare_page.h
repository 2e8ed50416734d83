#pragma once
/// One page on two runs: what changed in each scenario, and their curves over each other. Like the
/// report (html_report.h) it needs neither a network nor a second file.

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace jointrig::harness {

struct ComparedCurve {
  std::vector<double> time;  ///< [s], rising
  std::vector<double> value;
};

struct ComparedPlot {
  std::string title;
  std::string unit;
  ComparedCurve first;
  ComparedCurve second;
};

struct ComparedScenario {
  std::string name;
  std::vector<std::string> sentences;  ///< what changed
  std::vector<ComparedPlot> plots;
};

/// @param first, second  names of the runs
/// Throws WriteError.
void write_compare_page(const std::filesystem::path& path, const std::string& first,
                        const std::string& second, std::span<const ComparedScenario> scenarios);

}  // namespace jointrig::harness
