#include "app/boards/side_line_messages.h"

namespace jointrig::harness {

// A missing value is NaN here and null in JSON.
void to_json(nlohmann::json& json, const FaultAction& action) {
  json = {{"joint", action.joint},
          {"arm", action.arm},
          {"sensor", action.sensor},
          {"type", action.type},
          {"value", nullptr}};
  if (std::isfinite(action.value)) json["value"] = action.value;
}

void from_json(const nlohmann::json& json, FaultAction& action) {
  json.at("joint").get_to(action.joint);
  json.at("arm").get_to(action.arm);
  json.at("sensor").get_to(action.sensor);
  json.at("type").get_to(action.type);
  action.value = std::numeric_limits<double>::quiet_NaN();
  if (!json.at("value").is_null()) json.at("value").get_to(action.value);
}

}  // namespace jointrig::harness

namespace jointrig::sim {

void to_json(nlohmann::json& json, ObstacleShape shape) { json = to_string(shape); }

void from_json(const nlohmann::json& json, ObstacleShape& shape) {
  parse(json.get<std::string>(), shape);
}

}  // namespace jointrig::sim
