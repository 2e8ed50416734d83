#pragma once

#include <string>

#include "hw/can/unique_fd.h"

namespace jointrig::can {

/// Opens a serial device or a pty for bytes as they are: no echo, no line editing, no flow control,
/// not blocking.
/// @param baud  [bit/s], one that the system knows; an adapter on USB takes any. Throws OpenError.
[[nodiscard]] UniqueFd open_serial_line(const std::string& device, int baud);

/// A line inside of this machine: what is written to one end is read at the other.
struct Pty {
  UniqueFd master;     ///< not blocking
  UniqueFd slave;      ///< kept open, the line outlives the programs that open `device`
  std::string device;  ///< the slave's path: /dev/pts/3
};
/// For bytes as they are. Throws OpenError.
[[nodiscard]] Pty open_pty();

}  // namespace jointrig::can
