#pragma once

#include <string>
#include <vector>

#include "gui/plot/history.h"

namespace jointrig::app {

/// The visible part of some signals as an MCAP log that PlotJuggler, Foxglove and ROS 2 tools open:
/// a topic `/j/<joint>` for each joint with a visible signal, `/loop` for the loop's signals; SI
/// units (the loop's in µs), NaN for missing samples, robot time.
/// @returns messages written. Throws std::runtime_error with a sentence.
std::uint64_t write_plots_mcap(const gui::History& history, const std::vector<std::size_t>& signals,
                               double from, double to, const std::string& path);

}  // namespace jointrig::app
