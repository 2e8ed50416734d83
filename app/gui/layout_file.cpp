#include "app/gui/layout_file.h"

#include <fmt/core.h>

#include <cmath>

#include "app/run/result_files.h"
#include "app/user_path.h"
#include "harness/config/yaml_document.h"

namespace jointrig::app {
namespace {

template <typename Word>
void read_word(const harness::YamlNode& file, std::string_view key, Word& word) {
  const harness::YamlNode* node = file.find(key);
  if (node != nullptr) parse(node->raw(), word);
}

void read_number(const harness::YamlNode& file, std::string_view key, double& number) {
  const harness::YamlNode* node = file.find(key);
  if (node != nullptr && node->is_number() && std::isfinite(node->number())) {
    number = node->number();
  }
}

void read_part(const harness::YamlNode& file, std::string_view key, float& part) {
  auto number = static_cast<double>(part);
  read_number(file, key, number);
  part = static_cast<float>(number);
}

void read_size(const harness::YamlNode& file, std::string_view key, int& size) {
  double number = size;
  read_number(file, key, number);
  if (number >= 400.0 && number <= 16384.0) size = static_cast<int>(number);
}

}  // namespace

std::filesystem::path layout_path() { return config_path("panel.yaml"); }

gui::Layout read_layout(const std::filesystem::path& path) {
  gui::Layout layout;
  if (!std::filesystem::exists(path)) return layout;
  try {
    const harness::YamlNode file = harness::load_yaml(path);
    read_word(file, "boxes", layout.boxes);
    read_word(file, "side", layout.side);
    read_word(file, "events", layout.events);
    read_word(file, "palette", layout.palette);
    read_part(file, "side_part", layout.side_part);
    read_part(file, "events_part", layout.events_part);
    read_part(file, "scene_part", layout.scene_part);
    const harness::YamlNode* scene = file.find("scene_open");
    if (scene != nullptr && scene->kind() == harness::YamlNode::Kind::kBoolean)
      layout.scene_open = scene->boolean();
    read_size(file, "width", layout.width);
    read_size(file, "height", layout.height);
    read_part(file, "magnification", layout.magnification);
  } catch (const harness::FileError&) {
    return {};  // not ours, or broken: written again at the next change
  }
  return layout;
}

std::string write_layout(const gui::Layout& layout, const std::filesystem::path& path) noexcept {
  const auto word = [](auto value) { return harness::yaml_string(to_string(value)); };
  const auto part = [](float value) { return harness::yaml_number(std::round(1e4 * value) / 1e4); };
  try {
    write_text(path, "# How jointrig gui looked when it was closed.\nboxes: " + word(layout.boxes) +
                         "\nside: " + word(layout.side) + "\nside_part: " + part(layout.side_part) +
                         "\nevents_part: " + part(layout.events_part) +
                         "\nscene_open: " + (layout.scene_open ? "true" : "false") +
                         "\nscene_part: " + part(layout.scene_part) +
                         "\nevents: " + word(layout.events) + "\npalette: " + word(layout.palette) +
                         fmt::format("\nwidth: {}\nheight: {}", layout.width, layout.height) +
                         "\nmagnification: " + part(layout.magnification) + "\n");
    return {};
  } catch (const std::exception& error) {
    return error.what();
  }
}

}  // namespace jointrig::app
