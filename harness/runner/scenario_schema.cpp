#include "harness/runner/scenario_schema.h"

#include <string_view>

#include "harness/config/robot_file.h"

namespace jointrig::harness {

// scenario.schema.json, embedded by cmake/JointrigEmbed.cmake
extern const std::string_view kScenarioSchemaText;

const Schema& scenario_schema() {
  static const Schema schema(kScenarioSchemaText, {{"robot.schema.json", robot_schema_text()}});
  return schema;
}

const Schema& included_file_schema() {
  static const Schema schema(
      R"({"$ref": "scenario.schema.json#/definitions/included_file"})",
      {{"robot.schema.json", robot_schema_text()}, {"scenario.schema.json", kScenarioSchemaText}});
  return schema;
}

}  // namespace jointrig::harness
