#pragma once
/// Plot sets as YAML: those that come with the program, and a person's own.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "gui/plot/plot_layout.h"

namespace jointrig::app {

/// Throws FileError with line and column: an unknown key, a name given twice, a span that isn't
/// above 0, more plots than fit.
std::vector<gui::PlotLayout> parse_plot_sets(std::string_view yaml, const std::string& name);
std::string plot_sets_yaml(const std::vector<gui::PlotLayout>& sets);

std::vector<gui::PlotLayout> shipped_plot_sets();

/// `plot-sets.yaml`, see config_path().
std::filesystem::path plot_set_path();

/// The shipped ones and those of the file, which replace shipped ones of their name; a file that
/// isn't there has none. Throws FileError.
std::vector<gui::PlotLayout> load_plot_sets(const std::filesystem::path& path);
/// Writes those that aren't shipped as they are. Throws std::runtime_error with a sentence.
void save_plot_sets(const std::vector<gui::PlotLayout>& sets, const std::filesystem::path& path);

}  // namespace jointrig::app
