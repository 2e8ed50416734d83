#pragma once

#include "app/gui/remote_loop.h"
#include "app/serve/client_options.h"

namespace jointrig::app {

/// Options of a connection. Throws std::invalid_argument: no address, or a file that can't be read.
[[nodiscard]] RemoteOptions remote_options(const RemoteRobot& robot);

}  // namespace jointrig::app
