#pragma once
/// Ends a run at a fault that the scenario doesn't expect.

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

  /// Collects the expected faults: those that the scenario allows, waits for, or wants within a
  /// time.
  void bind(const Scenario& scenario, const Binder& binder, Problems& problems);

  /// Returns true at the first unexpected fault, which it has then recorded.
  bool watch(std::span<const Event> events, TimeNs now, const RobotConfig& config,
             RunRecord& record);

  void finish(Result& result) const { result.verdicts.push_back(verdict_); }

 private:
  std::vector<EventPattern> allowed_;
  Verdict verdict_;
};

}  // namespace jointrig::harness
