#pragma once
/// `jointrig replay`: a recorded log, played to viewers (docs/remote.md).

#include "app/cli_fwd.h"

namespace jointrig::app {

/// Adds the verb with its options; it sets `code` to its exit code: 0, or 2 if it could not run.
void add_replay(CLI::App& program, int& code);

}  // namespace jointrig::app
