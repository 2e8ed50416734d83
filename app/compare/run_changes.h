#pragma once
/// Differences between two runs of the same scenarios.

#include <filesystem>
#include <string>
#include <vector>

#include "app/run/past_run.h"
#include "harness/report/compare_page.h"

namespace jointrig::app {

struct ScenarioChange {
  std::string name;
  std::vector<std::string> sentences;  ///< what changed: "failed, was passed"
  std::filesystem::path log_a;
  std::filesystem::path log_b;  ///< both empty where there is nothing to be drawn
};

/// Scenarios that are in one run only, or whose outcome, state hash or figures differ.
/// @param tolerance  relative change of a figure that doesn't count
std::vector<ScenarioChange> changes_between(const std::vector<PastScenario>& a,
                                            const std::vector<PastScenario>& b, double tolerance);

/// Positions and torques of the joints that went another way, those that differ most first; at most
/// kMostPlots. Throws LogFileError.
inline constexpr std::size_t kMostPlots =
    12;  // choice: of a humanoid's 41 joints those that matter
std::vector<harness::ComparedPlot> plots_of(const ScenarioChange& change);

}  // namespace jointrig::app
