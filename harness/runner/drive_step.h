#pragma once
/// The step `drive_tool`.

#include "harness/config/yaml_document.h"
#include "harness/runner/scenario.h"

namespace jointrig::harness {

/// Reads the step.
DriveToolStep read_drive_tool(const YamlNode& node);

/// A number of its velocity, of its duration, or a word or flag by its number, as the step has it.
[[nodiscard]] const Text& number_of(const DriveToolStep& step, std::string_view field,
                                    std::size_t index = 0);

}  // namespace jointrig::harness
