#include "harness/runner/obstacle_step.h"

#include <fmt/core.h>

#include "harness/config/units.h"
#include "harness/runner/arm_command.h"
#include "harness/runner/step_reader.h"

namespace jointrig::harness {
namespace {

ObstacleName read_name(const YamlNode& node) {
  const std::string& text = node.text();
  if (!fits_name(text)) {
    throw node.error(fmt::format("the name of an obstacle has 1 to {} characters, this one {}",
                                 ObstacleName{}.size(), text.size()));
  }
  return obstacle_name(text);
}

void read_vector(const YamlNode& node, std::string_view key, std::string_view unit,
                 std::array<double, 3>& vector) {
  const YamlNode* list = node.find(key);
  if (list == nullptr) return;
  for (std::size_t i = 0; i < vector.size(); ++i) vector[i] = quantity(list->items()[i], unit);
}

void read_size(const YamlNode& node, SetObstacle& told) {
  const auto& sizes = node.items();
  if (sizes.size() != size_count(told.shape)) {
    throw node.error(fmt::format("the size of a {} has {} values, got {}", to_string(told.shape),
                                 size_count(told.shape), sizes.size()));
  }
  for (std::size_t i = 0; i < sizes.size(); ++i) told.size[i] = quantity(sizes[i], "m");
}

}  // namespace

ToldObstacleStep read_set_obstacle(const YamlNode& node) {
  ToldObstacleStep step;
  SetObstacle& told = step.obstacle;
  told.name = read_name(node.at("name"));
  parse(node.at("shape").text(), told.shape);  // the schema has checked the words
  read_size(node.at("size"), told);
  read_vector(node, "position", "m", told.position);
  read_vector(node, "velocity", "m/s", told.velocity);
  if (const YamlNode* orientation = node.find("orientation")) {
    for (std::size_t i = 0; i < 4; ++i) told.orientation[i] = orientation->items()[i].number();
  }
  told.moves_for = read_seconds(node, "for", told.moves_for);
  if (const YamlNode* frame = node.find("frame")) parse(frame->text(), told.frame);
  if (const YamlNode* arm = node.find("arm")) step.arm = read_text(*arm);
  return step;
}

ToldObstacleStep read_remove_obstacle(const YamlNode& node) {
  ToldObstacleStep step;
  step.kind = CommandKind::kRemoveObstacle;
  step.obstacle.name = read_name(node);
  return step;
}

Request told_obstacle(const ToldObstacleStep& step, const Binder& binder) {
  if (step.kind == CommandKind::kRemoveObstacle) return RemoveObstacle{step.obstacle.name};
  SetObstacle told = step.obstacle;
  if (step.arm) told.of_arm = arm_named(*step.arm, binder.config());
  return told;
}

}  // namespace jointrig::harness
