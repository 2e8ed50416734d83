#pragma once

#include <string>

#include "remote/connection.h"

namespace jointrig::app {

/// Why whoever moves a served robot can't go on: the connection is lost or silent, or the lease has
/// gone. A sentence; empty: they can.
[[nodiscard]] std::string why_ended(const remote::Connection& connection);

}  // namespace jointrig::app
