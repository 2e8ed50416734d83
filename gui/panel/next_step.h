#pragma once

#include <string>

#include "gui/panel/panel.h"

namespace jointrig::gui {

/// A person's next step, in a sentence, for somebody who sits here for the first time: of the
/// joints of the shown part. Empty while the loop is silent.
std::string next_step(const MotorPanel& panel);

}  // namespace jointrig::gui
