#include "app/bench_link/messages.h"

namespace jointrig::bench_link {
namespace {

// A number that is none is null in JSON.
Json number(double value) { return std::isfinite(value) ? Json(value) : Json(); }
double number_of(const Json& json) {
  return json.is_null() ? std::numeric_limits<double>::quiet_NaN() : json.get<double>();
}

}  // namespace

Json to_json(const FaultAction& action) {
  return {{"joint", action.joint}, {"type", action.type}, {"value", number(action.value)}};
}

Json to_json(const ForceAction& action) {
  return {{"body", action.body},
          {"force", action.force},
          {"torque", action.torque},
          {"point", action.point},
          {"in_body_frame", action.in_body_frame}};
}

Json to_json(const PayloadAction& action) {
  return {{"body", action.body}, {"mass", action.mass}, {"centre", action.centre}};
}

Json to_json(const ObstacleAction& action) {
  return {{"name", action.name},
          {"shape", action.shape},
          {"size", action.size},
          {"position", action.position},
          {"orientation", action.orientation}};
}

Json to_json(const PlantOptions& options) {
  Json obstacles = Json::array();
  for (const ObstacleSpec& spec : options.obstacles) {
    obstacles.push_back({{"name", spec.name},
                         {"shape", to_string(spec.shape)},
                         {"size", spec.size},
                         {"friction", spec.friction}});
  }
  return {{"obstacles", obstacles},
          {"payload_bodies", options.payload_bodies},
          {"substeps", options.substeps}};
}

FaultAction fault_of(const Json& json) {
  return {json.at("joint").get<std::string>(), json.at("type").get<std::string>(),
          number_of(json.at("value"))};
}

ForceAction force_of(const Json& json) {
  ForceAction action;
  json.at("body").get_to(action.body);
  json.at("force").get_to(action.force);
  json.at("torque").get_to(action.torque);
  json.at("point").get_to(action.point);
  json.at("in_body_frame").get_to(action.in_body_frame);
  return action;
}

PayloadAction payload_of(const Json& json) {
  PayloadAction action;
  json.at("body").get_to(action.body);
  json.at("mass").get_to(action.mass);
  json.at("centre").get_to(action.centre);
  return action;
}

ObstacleAction obstacle_of(const Json& json) {
  ObstacleAction action;
  json.at("name").get_to(action.name);
  json.at("shape").get_to(action.shape);
  json.at("size").get_to(action.size);
  json.at("position").get_to(action.position);
  json.at("orientation").get_to(action.orientation);
  return action;
}

PlantOptions plant_options_of(const Json& json) {
  PlantOptions options;
  for (const Json& item : json.at("obstacles")) {
    ObstacleSpec& spec = options.obstacles.emplace_back();
    item.at("name").get_to(spec.name);
    parse(item.at("shape").get<std::string>(), spec.shape);
    item.at("size").get_to(spec.size);
    item.at("friction").get_to(spec.friction);
  }
  json.at("payload_bodies").get_to(options.payload_bodies);
  json.at("substeps").get_to(options.substeps);
  return options;
}

}  // namespace jointrig::bench_link
