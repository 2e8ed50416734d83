#include "app/gui/panel_module.h"

#include "app/gui/gui_verb.h"

extern "C" __attribute__((visibility("default"))) int jointrig_run_panel(
    const jointrig::app::GuiOptions& options) {
  return jointrig::app::gui_verb(options);
}
