#pragma once
/// Diagnosis of the doctor, and its verdict.

#include <string>
#include <vector>

#include "app/doctor/machine.h"
#include "app/doctor/wake_up.h"
#include "app/realtime/realtime.h"
#include "control/core/enumeration.h"
#include "control/core/types.h"

namespace jointrig::app {

#define JOINTRIG_HOLDS_RATE(X)           \
  X(kYes, "yes")                         \
  X(kWithSpinning, "yes, with spinning") \
  X(kNo, "no")
JOINTRIG_ENUM(HoldsRate, JOINTRIG_HOLDS_RATE)

struct Diagnosis {
  TimeNs period_ns = 0;
  double seconds = 0.0;  ///< duration of each measurement
  std::string cpu;
  int priority = 0;  ///< SCHED_FIFO while measuring; 0: ordinary scheduling
  std::vector<Finding> findings;
  WakeUp before;    ///< bare sleep
  WakeUp paced;     ///< the loop
  WakeUp spinning;  ///< the loop with early wake-up; `late` is null if it wasn't measured
  WakeUp after;     ///< bare sleep
  HoldsRate verdict = HoldsRate::kNo;
  std::string reason;  ///< a sentence: the bound that was met or missed, with the numbers
};

/// A loop holds its rate if
///   - it wakes less than a tenth of the period late in 99 of 100 cycles,
///   - lateness and cycle (p99.9 each) together take less than half the period,
///   - it skips no more than 1 period in 10 000 (one is always forgiven),
///   - it never stands still for more than a second.
/// Choice: the other half is for what answers at the far end of a bus within the same period.
struct Holds {
  bool yes = false;
  std::string reason;
};
Holds holds(const WakeUp& loop, TimeNs period_ns);

/// Fills in verdict and reason from the measurements.
void decide(Diagnosis& diagnosis);

/// Results of requests for real time, as findings.
std::vector<Finding> as_findings(const RealtimeSetup& setup);

}  // namespace jointrig::app
