// Reads faults, forces, payloads and obstacles from a scenario file.

#include <fmt/core.h>

#include <cmath>

#include "harness/config/load_reader.h"
#include "harness/config/units.h"
#include "harness/runner/step_reader.h"

namespace jointrig::harness {
namespace {

std::optional<double> duration_of(const YamlNode& node) {
  const YamlNode* duration = node.find("for");
  if (duration == nullptr) return std::nullopt;
  return quantity(*duration, "s");
}

std::array<double, 3> vector_of(const YamlNode& node, std::string_view key, std::string_view unit) {
  std::array<double, 3> vector{};
  if (const YamlNode* list = node.find(key)) {
    for (std::size_t i = 0; i < vector.size(); ++i) vector[i] = quantity(list->items()[i], unit);
  }
  return vector;
}

ActionStep action_of(const YamlNode& node, Action action) {
  ActionStep step{std::move(action), duration_of(node), node.spot(), {}};
  for (const YamlNode::Entry& entry : node.entries()) {
    const bool is_text = entry.value.is_scalar() && !entry.value.is_null();
    step.keys[entry.key] = {is_text ? entry.value.raw() : "", entry.value.spot()};
  }
  return step;
}

}  // namespace

ActionStep read_fault(const YamlNode& node) {
  FaultAction fault;
  const YamlNode* joint = node.find("joint");
  const YamlNode* arm = node.find("arm");
  if (joint != nullptr) fault.joint = joint->text();
  if (arm != nullptr) fault.arm = arm->text();
  if (const YamlNode* sensor = node.find("sensor")) fault.sensor = sensor->text();
  fault.type = node.at("type").text();
  if (const YamlNode* value = node.find("value")) fault.value = any_quantity(*value).value;
  return action_of(node, fault);
}

ActionStep read_force(const YamlNode& node) {
  ForceAction force;
  if (const YamlNode* joint = node.find("joint")) {
    force.joint = joint->text();
    for (const char* key : {"force", "torque", "point", "frame"}) {
      if (node.find(key) == nullptr) continue;
      throw FileError(node.key_spot(key), "\"" + std::string(key) +
                                              "\" is of a force on a body; on a joint it is "
                                              "\"along\"");
    }
    force.along = any_quantity(node.at("along")).value;
    return action_of(node, force);
  }
  if (node.find("along") != nullptr) {
    throw FileError(node.key_spot("along"), "\"along\" is of a force on a joint: name it");
  }
  force.body = node.at("body").text();
  force.force = vector_of(node, "force", "N");
  force.torque = vector_of(node, "torque", "Nm");
  force.point = vector_of(node, "point", "m");
  const YamlNode* frame = node.find("frame");
  force.in_body_frame = frame != nullptr && frame->text() == "body";
  if (node.find("force") == nullptr && node.find("torque") == nullptr) {
    throw node.error("a force needs \"force\" or \"torque\" or both");
  }
  return action_of(node, force);
}

ActionStep read_payload(const YamlNode& node) {
  PayloadAction payload;
  payload.body = node.at("body").text();
  payload.mass = quantity(node.at("mass"), "kg");
  payload.centre = vector_of(node, "centre", "m");
  if (const YamlNode* inertia = node.find("inertia")) {
    payload.inertia = read_load_inertia(*inertia, payload.mass);
  }
  return action_of(node, payload);
}

ActionStep read_obstacle(const YamlNode& node) {
  ObstacleAction obstacle;
  obstacle.name = node.at("name").text();
  obstacle.shape = node.at("shape").text();
  const auto& sizes = node.at("size").items();
  const std::size_t wanted = obstacle.shape == "sphere" ? 1 : obstacle.shape == "box" ? 3 : 2;
  if (sizes.size() != wanted) {
    throw node.at("size").error(fmt::format("the size of a {} has {} values, got {}",
                                            obstacle.shape, wanted, sizes.size()));
  }
  for (std::size_t i = 0; i < wanted; ++i) obstacle.size[i] = quantity(sizes[i], "m");
  obstacle.position = vector_of(node, "position", "m");
  if (const YamlNode* orientation = node.find("orientation")) {
    double norm = 0.0;
    for (std::size_t i = 0; i < 4; ++i) {
      obstacle.orientation[i] = orientation->items()[i].number();
      norm += obstacle.orientation[i] * obstacle.orientation[i];
    }
    constexpr double kTolerance = 1e-3;  // a choice: three digits written by hand
    if (std::abs(norm - 1.0) > kTolerance) {
      throw orientation->error("a quaternion has length 1, this one " +
                               yaml_number(std::sqrt(norm)));
    }
  }
  return action_of(node, obstacle);
}

}  // namespace jointrig::harness
