#pragma once

#include <string>

#include "hw/can/unique_fd.h"

namespace jointrig::can {

/// Opens a serial device or a pty for bytes as they are: no echo, no line editing, no flow control,
/// not blocking.
/// @param baud  [bit/s], one that the system knows; an adapter on USB takes any. Throws OpenError.
[[nodiscard]] UniqueFd open_serial_line(const std::string& device, int baud);

}  // namespace jointrig::can
