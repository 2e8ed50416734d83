#pragma once

#include "remote/served_robot.h"

namespace jointrig::app {

/// Loads the library with the server, beside the program or where it was installed, and makes one.
/// The library stays loaded. Throws std::runtime_error with what to install, and as make_server().
[[nodiscard]] std::unique_ptr<remote::Server> load_server(const remote::ServedRobot& robot,
                                                          const remote::ServerOptions& options);

}  // namespace jointrig::app
