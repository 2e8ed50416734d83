#pragma once
/// The command line of `jointrig bus`.

#include "app/cli_fwd.h"

namespace jointrig::app {

/// @param code  receives the exit code of the verb
void add_bus(CLI::App& program, int& code);

}  // namespace jointrig::app
