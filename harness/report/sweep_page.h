#pragma once
/// One page on a sweep: where it passes and where it fails, the boundary, the worst case, every
/// case that did not pass with its command. Like the report (html_report.h) it needs neither a
/// network nor a second file.

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace jointrig::harness {

/// An input that varied.
struct SweptAxis {
  std::string name;
  std::string unit;                 ///< as written; empty: none
  std::vector<std::string> labels;  ///< of values that are no numbers; empty: numbers
};

struct SweptCase {
  std::vector<double> at;  ///< of each axis the value, or the number of its label
  std::string values;      ///< for people: `load=1 kg  mass_scale=0.9`
  std::string outcome;
  std::optional<double> margin;  ///< least of all conditions, in SI
  std::string margin_text;       ///< with unit and name
  std::string reason;
  std::string arguments;  ///< of the page's commands
};

/// Middle of two neighbours on a line of the grid, of which one passes and one does not.
struct SweptBoundary {
  std::vector<double> at;  ///< of each axis
  std::size_t along = 0;   ///< axis
  std::string sentence;
};

/// Results of an optimiser's samples, in their order.
struct SweptSearch {
  std::string objective;
  std::string unit;  ///< in SI
  bool larger_is_better = false;
  std::vector<std::optional<double>> values;  ///< none: not measured
  std::vector<bool> passed;
  std::string best;     ///< for people: values of the best sample that passed; empty: none did
  std::string command;  ///< that runs it alone
};

struct SweptPage {
  std::string title;
  /// `jointrig run`, which runs a case alone; behind it those that do something else with it.
  std::vector<std::string> commands;
  std::string about;
  std::vector<std::pair<std::string, std::string>> facts;
  std::vector<SweptAxis> axes;
  std::vector<SweptCase> cases;
  std::vector<SweptBoundary> boundaries;
  std::optional<SweptSearch> search;
};

/// Throws WriteError.
void write_sweep_page(const std::filesystem::path& path, const SweptPage& page);

}  // namespace jointrig::harness
