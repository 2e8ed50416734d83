#pragma once

#include "harness/config/schema.h"

namespace jointrig::harness {

/// Of a scenario file (scenario.schema.json).
const Schema& scenario_schema();
/// Of a file that scenarios include.
const Schema& included_file_schema();

}  // namespace jointrig::harness
