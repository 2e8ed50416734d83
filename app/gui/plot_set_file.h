#pragma once
/// Plot sets as YAML: those of the program, and a person's own.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "gui/plot/plot_layout.h"

namespace jointrig::app {

/// Throws FileError with line and column: an unknown key, a repeated name, a span that isn't above
/// 0, too many plots.
std::vector<gui::PlotLayout> parse_plot_sets(std::string_view yaml, const std::string& name);
std::string plot_sets_yaml(const std::vector<gui::PlotLayout>& sets);

std::vector<gui::PlotLayout> shipped_plot_sets();

/// `plot-sets.yaml`, see config_path().
std::filesystem::path plot_set_path();

/// The program's sets and those of the file, which replace sets of the same name; a missing file
/// has none. Throws FileError.
std::vector<gui::PlotLayout> load_plot_sets(const std::filesystem::path& path);
/// Writes the sets that differ from the program's. Throws std::runtime_error with a sentence.
void save_plot_sets(const std::vector<gui::PlotLayout>& sets, const std::filesystem::path& path);

}  // namespace jointrig::app
