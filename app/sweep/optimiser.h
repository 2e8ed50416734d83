#pragma once
/// Samples that depend on the results of earlier ones, chosen by Optuna (optimiser.py).

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/sweep/helper_process.h"
#include "app/sweep/sweep_table.h"

namespace jointrig::app {

/// Result of one sample: of its seeds the worst.
struct Trial {
  std::optional<double> value;  ///< of the objective; none: it was not measured
  bool passed = false;
  double violation = 0.0;  ///< 0 if it passed; else by how much the least margin was missed
};

/// The trials of a plan, from the rows of their cases.
std::vector<Trial> trials_of(const SweepPlan& plan, std::span<const SweepRow> rows);

/// The first of the best that passed; none if none did.
std::optional<std::size_t> best_of(const SweepPlan& plan, std::span<const Trial> trials);

class Optimiser {
 public:
  /// @param words  file for what Python prints
  /// Throws std::runtime_error.
  Optimiser(const SweepPlan& plan, const std::filesystem::path& words);

  /// The cases of the next samples, the seeds of one after the other. Throws std::runtime_error,
  /// also where Optuna is missing.
  std::vector<SweepCase> ask(std::size_t samples);
  /// Results of the samples that were asked for last.
  void tell(std::span<const Trial> trials);

 private:
  const SweepPlan* plan_;
  HelperProcess process_;
};

}  // namespace jointrig::app
