#pragma once
/// Shell completion: the shell asks the program itself, so that every verb, option, robot and
/// scenario is known.

#include <string>
#include <vector>

#include "app/cli_fwd.h"

namespace jointrig::app {

/// The script for `source <(jointrig completion bash)`.
std::string completion_script();

/// Words that can stand last, in alphabetical order. Empty: files.
/// @param words  behind the program's name, the last one as far as it is typed
std::vector<std::string> completions(const CLI::App& program,
                                     const std::vector<std::string>& words);

}  // namespace jointrig::app
