#pragma once

#include "app/gui/remote_loop.h"
#include "app/serve/client_options.h"

namespace jointrig::app {

/// What a connection is made with. Throws std::invalid_argument: no address, or a file that can't
/// be read.
[[nodiscard]] RemoteOptions remote_options(const RemoteRobot& robot);

}  // namespace jointrig::app
