#pragma once
/// Runs one case into a folder: the same in this process, and in one that an engine started.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "app/sweep/case_inputs.h"

namespace jointrig::app {

enum class KeptLogs { kFailed, kAll, kNone };

/// Result of a case.
struct CaseEnd {
  std::string hash;
  std::string outcome;  ///< a word of harness::Outcome
  std::string reason;
  double wall_time = 0.0;  ///< [s], of the scenario itself
  /// The folder holds a result that depends on the inputs alone. False: it could not run, or ran
  /// out of the wall clock's time; it is tried again next time.
  bool is_whole = false;
  std::vector<std::string> lines;  ///< for a terminal; the first names the scenario

  [[nodiscard]] bool passed() const { return outcome == "passed"; }
};

struct CaseWork {
  KeptLogs logs = KeptLogs::kFailed;
  bool verbose = false;  ///< lines with every verdict

  using OnProgress = std::function<void(const std::string& progress, double sim_time)>;

  /// Writes inputs, result, effective scenario and log.
  ///
  /// @param folder  empty, for this case
  /// @param home    where the folder will lie; the result names its log there
  ///
  /// Throws std::runtime_error where it can't be written, as on a full disk; the folder is then
  /// worth nothing. It ends early once `interrupted` (app/interrupt.h) is set.
  [[nodiscard]] CaseEnd run(PreparedCase ready, const std::filesystem::path& folder,
                            const std::filesystem::path& home, const OnProgress& on_progress) const;
};

}  // namespace jointrig::app
