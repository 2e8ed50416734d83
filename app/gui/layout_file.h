#pragma once
/// The window's layout as a small YAML file.

#include <filesystem>
#include <string>

#include "gui/view/layout.h"

namespace jointrig::app {

/// `panel.yaml`, see config_path().
std::filesystem::path layout_path();

/// Unreadable values keep their defaults, so that a file of another version does not prevent the
/// start.
gui::Layout read_layout(const std::filesystem::path& path);
/// @returns the reason why the file can't be written, which is no error; empty: it is written
std::string write_layout(const gui::Layout& layout, const std::filesystem::path& path) noexcept;

}  // namespace jointrig::app
