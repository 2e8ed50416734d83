#include "app/sweep/sweep_axis.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>

#include "control/core/text.h"
#include "harness/config/units.h"

namespace jointrig::app {
namespace {

using harness::YamlNode;

/// A quantity as it is written: its number and unit apart.
struct Written {
  double number = 0.0;
  std::string unit;
};

Written read_written(const YamlNode& node) {
  static_cast<void>(harness::any_quantity(node));  // throws what is wrong with it
  std::string_view text = node.raw();
  text.remove_prefix(std::min(text.find_first_not_of(" +"), text.size()));
  Written written{0.0, harness::unit_of_quantity(node.raw())};
  std::from_chars(text.data(), text.data() + text.size(), written.number);
  if (!std::isfinite(written.number)) throw node.error("a range has finite ends");
  return written;
}

/// Twelve digits: 0.9, not 0.9000000000000001.
std::string number_with_unit(double number, const std::string& unit) {
  const std::string text = fmt::format("{:.12g}", number);
  return unit.empty() ? text : text + " " + unit;
}

/// `1 kg..2 kg:5` as {from: 1 kg, to: 2 kg, count: 5}; none where it is no range.
std::optional<std::string> range_as_yaml(const std::string& text) {
  const std::size_t dots = text.find("..");
  if (dots == std::string::npos) return std::nullopt;
  const std::string from = text.substr(0, dots);
  std::string to = text.substr(dots + 2);
  std::string count;
  if (const std::size_t colon = to.rfind(':'); colon != std::string::npos) {
    count = ", count: " + to.substr(colon + 1);
    to.resize(colon);
  }
  return "{from: " + from + ", to: " + to + count + "}";
}

}  // namespace

std::string setting_text(const YamlNode& value) {
  if (value.is_string()) return harness::yaml_string(value.raw());
  if (value.is_scalar()) return value.raw();
  if (value.is_sequence()) return "[" + joined(value.items(), ", ", setting_text) + "]";
  const auto entry_text = [](const YamlNode::Entry& entry) {
    return harness::yaml_string(entry.key) + ": " + setting_text(entry.value);
  };
  return "{" + joined(value.entries(), ", ", entry_text) + "}";
}

std::string SweepAxis::at(double share) const {
  if (values.empty()) {
    const double number = from + share * (to - from);
    const std::string text = fmt::format("{:.9g}", number);
    return unit.empty() ? text : text + " " + unit;
  }
  const auto count = static_cast<double>(values.size());
  return values[std::min(static_cast<std::size_t>(share * count), values.size() - 1)];
}

SweepAxis read_axis(const std::string& path, const YamlNode& values,
                    const harness::SourceSpot& spot) {
  SweepAxis axis{path, spot, {}, 0.0, 0.0, "", false};
  if (values.is_sequence()) {
    for (const YamlNode& value : values.items()) axis.values.push_back(setting_text(value));
    if (axis.values.empty()) throw values.error("a list of values has at least one");
    return axis;
  }
  const Written from = read_written(values.at("from"));
  const Written to = read_written(values.at("to"));
  if (from.unit != to.unit) {
    throw values.at("to").error("both ends have one unit: from is in " +
                                (from.unit.empty() ? "none" : from.unit) + ", to in " +
                                (to.unit.empty() ? "none" : to.unit));
  }
  if (from.number == to.number) throw values.at("to").error("a range has two ends that differ");
  axis.from = from.number;
  axis.to = to.number;
  axis.unit = from.unit;
  axis.is_ranged = true;
  const YamlNode* count = values.find("count");
  if (count == nullptr) return axis;
  const auto last = static_cast<double>(count->integer() - 1);
  for (std::int64_t i = 0; i < count->integer(); ++i) {
    const double number = axis.from + static_cast<double>(i) * (axis.to - axis.from) / last;
    axis.values.push_back(number_with_unit(number, axis.unit));
  }
  return axis;
}

SweepAxis parse_axis(const std::string& argument) {
  const std::string shown = "--vary " + argument;
  const std::size_t equals = argument.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw harness::parse_yaml_argument("", shown).error(
        "expected path=values, such as parameters.load=1 kg,2 kg or "
        "parameters.load=1 kg..2 kg:5");
  }
  const std::string text = argument.substr(equals + 1);
  const std::optional<std::string> range = range_as_yaml(text);
  const YamlNode values = harness::parse_yaml_argument(range.value_or("[" + text + "]"), shown);
  if (const YamlNode* count = values.find("count");
      count != nullptr && (!count->is_number() || count->integer() < 2)) {
    throw count->error("the count of a range is a number from 2, got " + harness::describe(*count));
  }
  return read_axis(argument.substr(0, equals), values, values.spot());
}

}  // namespace jointrig::app
