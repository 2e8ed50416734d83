#pragma once
/// The verbs of the program, each with its arguments. A verb that needs nothing of the others has
/// them in its own folder (app/sweep, app/serve, app/compare, app/lists, app/bus).

#include "app/cli_fwd.h"

namespace jointrig::app {

void add_run(CLI::App& program, int& code);
void add_check(CLI::App& program, int& code);
void add_board(CLI::App& program, int& code);
void add_wiggle(CLI::App& program, int& code);
void add_gui(CLI::App& program, int& code);
void add_inspect(CLI::App& program, int& code);
void add_doctor(CLI::App& program, int& code);
void add_export(CLI::App& program, int& code);
void add_recover(CLI::App& program, int& code);
void add_keys(CLI::App& program, int& code);

}  // namespace jointrig::app
