#pragma once

#include "app/gui/gui_options.h"

namespace jointrig::app {

/// `jointrig gui`: loads the library with the panel, and opens it. Returns the exit code: 0, or 2
/// if it could not run, with a sentence on stderr.
int open_panel(const GuiOptions& options);

}  // namespace jointrig::app
