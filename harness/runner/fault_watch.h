#pragma once
/// Faults that a scenario doesn't expect end its run.

#include <span>
#include <vector>

#include "harness/runner/binder.h"
#include "harness/runner/event_pattern.h"
#include "harness/runner/run_record.h"
#include "harness/runner/scenario.h"

namespace jointrig::harness {

class FaultWatch {
 public:
  FaultWatch();

  /// Expected is what the scenario allows, waits for, or wants within a time.
  void bind(const Scenario& scenario, const Binder& binder, Problems& problems);

  /// True with the first one that nobody expects: it stands in the record then.
  bool watch(std::span<const Event> events, TimeNs now, const RobotConfig& config,
             RunRecord& record);

  void finish(Result& result) const { result.verdicts.push_back(verdict_); }

 private:
  std::vector<EventPattern> allowed_;
  Verdict verdict_;
};

}  // namespace jointrig::harness
