#pragma once
/// `jointrig sweep`: one scenario with many values; a table and a report of their results.

#include "app/cli_fwd.h"

namespace jointrig::app {

/// Adds the verb with its options; it sets `code` to the exit code of run_verb().
void add_sweep(CLI::App& program, int& code);

}  // namespace jointrig::app
