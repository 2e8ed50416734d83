#pragma once
/// The inputs that vary in a sweep, and their values.

#include <string>
#include <vector>

#include "harness/config/yaml_document.h"

namespace jointrig::app {

/// One path with its values.
struct SweepAxis {
  std::string path;  ///< as in `--set`
  harness::SourceSpot spot;
  std::vector<std::string> values;  ///< as YAML, with units; empty: the range is sampled
  double from = 0.0;                ///< of the range, in the unit
  double to = 0.0;
  std::string unit;
  bool is_ranged = false;  ///< it was given as a range, with or without a count

  /// The value at a share of the range, or of the list.
  /// @param share  in [0, 1)
  [[nodiscard]] std::string at(double share) const;
};

/// Reads a list, or a range {from, to, count}. Throws FileError.
SweepAxis read_axis(const std::string& path, const harness::YamlNode& values,
                    const harness::SourceSpot& spot);

/// Reads an argument: `parameters.load=1 kg,2 kg`, `parameters.load=0.5 kg..2 kg:5`, or without the
/// count for samples. Throws FileError.
SweepAxis parse_axis(const std::string& argument);

/// A value as `--set` takes it.
std::string setting_text(const harness::YamlNode& value);

}  // namespace jointrig::app
