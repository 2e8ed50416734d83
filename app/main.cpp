/// jointrig: the only program.

#include <CLI/CLI.hpp>
#include <string>

#include "app/arguments/argument_errors.h"
#include "app/arguments/arguments.h"
#include "app/bus/bus_commands.h"
#include "app/compare/compare_verb.h"
#include "app/file_signals.h"
#include "app/guarded.h"
#include "app/lists/lists_commands.h"
#include "app/serve/replay_verb.h"
#include "app/serve/serve_verb.h"
#include "app/sweep/sweep_verb.h"
#include "app/version.h"

namespace jointrig::app {
namespace {

int main_checked(int argc, char** argv) {
  survive_size_limit();
  CLI::App program{"jointrig: a testbed for joint-controlled robots, physics simulation first"};
  program.set_version_flag("--version", std::string("jointrig ") + std::string(kVersion));
  program.require_subcommand(1);
  program.failure_message(refusal);
  int code = 0;
  add_run(program, code);
  add_check(program, code);
  add_sweep(program, code);
  add_board(program, code);
  add_bus(program, code);
  add_wiggle(program, code);
  add_gui(program, code);
  add_serve(program, code);
  add_inspect(program, code);
  add_doctor(program, code);
  add_export(program, code);
  add_recover(program, code);
  add_replay(program, code);
  add_compare(program, code);
  add_lists(program, code);
  add_keys(program, code);
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return program.exit(e) == 0 ? 0 : kCouldNotRun;
  }
  return code;
}

}  // namespace
}  // namespace jointrig::app

int main(int argc, char** argv) { return jointrig::app::main_checked(argc, argv); }
