#pragma once
/// A process that runs cases for an engine: orders in, a line each, ends out.

#include "app/sweep/case_work.h"

namespace jointrig::app {

/// Says which program it is (`{"program": ..., "mujoco": ...}`), then runs each case that comes by
/// a line of standard input (case_message.h) into its folder, and answers by a line; ends with the
/// input, and with the process that started it. A case that has another hash here than where it was
/// asked for is not run.
///
/// @param plan  of the cases: scenario and robot; the orders have all settings
/// @return the exit code
int work_on_cases(const SweepPlan& plan, const SweepRobot& robot, const CaseWork& work);

}  // namespace jointrig::app
