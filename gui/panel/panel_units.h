#pragma once

#include <string>
#include <string_view>

namespace jointrig::gui {

/// A sentence with the panel's units in place of SI: `0.5236 rad` becomes `30 °`, `0.012 m/s`
/// becomes `12 mm/s`; both ends of `-1 to 1 rad` are converted. Numbers keep their count of
/// digits, so that two which differ still do. All other units stay (N·m, N·m/rad, s).
std::string in_panel_units(std::string_view sentence);

}  // namespace jointrig::gui
