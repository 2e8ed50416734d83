#pragma once

#include "app/cli_fwd.h"

namespace jointrig::app {

/// Adds `compare`; it puts its exit code into `code`: 0 nothing changed, 1 something did, 2 could
/// not compare.
void add_compare(CLI::App& program, int& code);

}  // namespace jointrig::app
