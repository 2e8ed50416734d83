#pragma once

#include "harness/config/schema.h"

namespace jointrig::harness {

/// Schema of a scenario file (scenario.schema.json).
const Schema& scenario_schema();
/// Schema of a file that scenarios include.
const Schema& included_file_schema();

}  // namespace jointrig::harness
