#pragma once
/// The window's layout as a small YAML file.

#include <filesystem>
#include <string>

#include "gui/view/layout.h"

namespace jointrig::app {

/// `panel.yaml`, see config_path().
std::filesystem::path layout_path();

/// What can't be read keeps its default, so that a file of another version keeps no window shut.
gui::Layout read_layout(const std::filesystem::path& path);
/// A file that can't be written is no reason to stop: false.
bool write_layout(const gui::Layout& layout, const std::filesystem::path& path) noexcept;

}  // namespace jointrig::app
