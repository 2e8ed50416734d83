#pragma once

#include "app/cli_fwd.h"

namespace jointrig::app {

/// Adds `list`, `new` and `completion`; each puts its exit code into `code`. The program must be
/// complete when completions are asked for.
void add_lists(CLI::App& program, int& code);

}  // namespace jointrig::app
