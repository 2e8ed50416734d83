#pragma once
/// `jointrig serve`: a robot that runs in real time, for clients (docs/remote.md).

#include "app/cli_fwd.h"

namespace jointrig::app {

/// Adds the verb with its options; it sets `code` to its exit code: 0, or 2 if it could not run.
void add_serve(CLI::App& program, int& code);

}  // namespace jointrig::app
