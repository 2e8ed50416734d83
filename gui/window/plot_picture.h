#pragma once

#include <filesystem>

#include "gui/view/context.h"
#include "gui/window/png.h"

namespace jointrig::gui {

/// The plots without buttons, drawn anew for a page: of `width` times `height` pixels at the scale
/// of the fonts in ctx, `factor` times as large and as fine. Takes some 100 ms, most of it for the
/// fonts. The window's thread, between two frames.
///
/// @param fonts  folder as for load_fonts()
Picture plot_picture(const ViewContext& ctx, float width, float height, float factor,
                     const std::filesystem::path& fonts);

}  // namespace jointrig::gui
