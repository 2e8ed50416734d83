#pragma once

#include "control/core/load.h"
#include "harness/config/yaml_document.h"

namespace jointrig::harness {

/// Reads `inertia` of a load, six numbers with units (core/load.h) [kg m^2]. Throws FileError: no
/// rigid body of this mass has it.
LoadInertia read_load_inertia(const YamlNode& list, double mass);

}  // namespace jointrig::harness
