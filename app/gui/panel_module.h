#pragma once
/// The panel as a library that is loaded when it is wanted (app/gui/open_panel.h).

#include "app/gui/gui_options.h"

namespace jointrig::app {

/// Type of gui_verb(), the library's function by the name kPanelEntry.
using RunPanel = int (*)(const GuiOptions& options);
inline constexpr const char* kPanelEntry = "jointrig_run_panel";
inline constexpr const char* kPanelLibrary = "libjointrig_panel.so";

}  // namespace jointrig::app
