#pragma once
/// The electronic data sheet of a device (CiA 306-1), for masters and tools of others.

#include <string>

#include "hw/canopen/device_description.h"

namespace jointrig::canopen {

/// The whole file's text. The order of the objects is the description's, so the same description
/// gives the same text.
[[nodiscard]] std::string write_eds(const DeviceDescription& device, const std::string& file_name);

}  // namespace jointrig::canopen
