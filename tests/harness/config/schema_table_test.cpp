#include "harness/config/schema.h"
#include "tests/harness/config/support.h"

namespace jointrig::harness {
namespace {

TEST(SchemaTable, HasARowForEveryKey) {
  const Schema schema(R"({
    "type": "object", "required": ["model"],
    "properties": {
      "model": {"type": "string", "description": "The MJCF."},
      "after": {"type": ["number", "string"], "x-unit": "s", "default": "0.2 s"},
      "stiffness": {"type": ["number", "string"], "x-unit": "Nm/rad|N/m", "x-default": "the model's"},
      "share": {"type": ["number", "string"], "x-unit": "1", "default": 0.5},
      "reaction": {"type": "string", "enum": ["hold", "idle"], "default": "hold"},
      "parts": {"type": "object", "x-key": "part",
                "additionalProperties": {"type": "array", "items": {"type": "string"}}},
      "step": {"$ref": "#/definitions/step", "description": "To do | to wait for."},
      "speed": {"type": "number", "x-measures": "rad/s or m/s"},
      "goals": {"$ref": "#/definitions/goals", "x-measures": "rad or m"}
    },
    "required": ["model", "speed", "after"], "x-one-of": ["step", "goals"],
    "definitions": {"goals": {"type": "object", "x-key": "joint",
      "additionalProperties": {"type": "number"}}, "step": {
      "title": "One step", "description": "Steps nest.", "type": "object",
      "properties": {
        "wait": {"anyOf": [{"type": ["number", "string"], "x-unit": "s"}, {"type": "boolean"}]},
        "do": {"type": "array", "items": {"$ref": "#/definitions/step"}}}}}
  })");
  EXPECT_EQ(schema.tables_markdown(),
            "| key | type | unit | default | meaning |\n"
            "| --- | --- | --- | --- | --- |\n"
            "| `model` | string |  | required | The MJCF. |\n"
            "| `after` | number | s | `0.2 s` |  |\n"
            "| `stiffness` | number | Nm/rad or N/m | the model's |  |\n"
            "| `share` | number |  | `0.5` |  |\n"
            "| `reaction` | `hold`, `idle` |  | `hold` |  |\n"
            "| `parts` | mapping |  |  |  |\n"
            "| `parts.<part>` | list of string |  |  |  |\n"
            "| `step` | [One step](#one-step) |  | one of these | To do \\| to wait for. |\n"
            "| `speed` | number | rad/s or m/s | required |  |\n"
            "| `goals` | mapping |  | one of these |  |\n"
            "| `goals.<joint>` | number | rad or m |  |  |\n"
            "\n"
            "### One step\n"
            "\n"
            "Steps nest.\n"
            "\n"
            "| key | type | unit | default | meaning |\n"
            "| --- | --- | --- | --- | --- |\n"
            "| `wait` | number or boolean | s |  |  |\n"
            "| `do` | list of [One step](#one-step) |  |  |  |\n");
}

}  // namespace
}  // namespace jointrig::harness
