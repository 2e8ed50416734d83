#pragma once

#include "app/rig/rig.h"
#include "harness/runner/runner.h"

namespace jointrig::app {

/// References of a run on a rig of this program, which outlives them.
/// @param world  null: no truth, faults and disturbances
[[nodiscard]] harness::RunSetup setup_on(Rig& rig, harness::World* world);

}  // namespace jointrig::app
