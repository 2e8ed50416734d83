#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace jointrig::app {

/// One sentence: the error in the arguments, and the help to read.
std::string refusal(const CLI::App* program, const CLI::Error& error);

}  // namespace jointrig::app
