#pragma once
/// `jointrig gui`: the motor panel in a window, on a running robot.

#include "app/gui/gui_options.h"

namespace jointrig::app {

/// Returns the exit code: 0, or 2 if it could not run, with a sentence on stderr. Throws nothing
/// that is derived of std::exception.
int gui_verb(const GuiOptions& options);

}  // namespace jointrig::app
