#pragma once
/// All cases of a sweep as a table: one row each.

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/run/past_run.h"
#include "app/sweep/sweep_plan.h"

namespace jointrig::app {

/// A case and its result.
struct SweepRow {
  SweepCase what;
  std::string hash;
  std::string outcome = "not_run";  ///< a word of harness::Outcome
  std::optional<PastScenario> result;
  std::string reason;
  std::string folder;  ///< of the result; empty: none
};

/// The condition with the least margin, which is in its own SI unit.
struct WorstMargin {
  std::string name;
  PastScenario::Figure figure;
};
std::optional<WorstMargin> worst_margin(const SweepRow& row);

/// A column of numbers; its unit is that of all rows.
struct Measure {
  std::string name;
  std::string unit;
};

/// The measures of a plan; without any, every metric that a row has. A name that no row has is
/// left in, and its column is empty.
std::vector<Measure> measures_of(const SweepPlan& plan, std::span<const SweepRow> rows);
std::optional<double> measured(const SweepRow& row, const Measure& measure);
/// Throws std::invalid_argument with the nearest name if a measure is in no row that has results.
void check_measures(const SweepPlan& plan, std::span<const SweepRow> rows);

/// The unit that all values of an axis are written in; none where one is no number, or in another.
std::optional<std::string> common_unit(std::span<const SweepRow> rows, std::size_t axis);

/// CSV (RFC 4180), units in the header: values, seed, outcome, worst margin, measures, hash of the
/// state, folder.
std::string csv_of(const SweepPlan& plan, std::span<const SweepRow> rows);

}  // namespace jointrig::app
