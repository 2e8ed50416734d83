#include "app/sweep/sweep_table.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string_view>

#include "control/core/nearest_word.h"
#include "control/core/text.h"
#include "harness/config/units.h"

namespace jointrig::app {
namespace {

constexpr std::string_view kMarginOf = "margin of ";  // figures of read_run()

std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string with_unit(const std::string& name, const std::string& unit) {
  return unit.empty() || unit == "1" ? name : name + " [" + unit + "]";
}

std::string number_cell(const std::optional<double>& value) {
  return value ? fmt::format("{:.9g}", *value) : "";
}

std::string value_cell(const std::string& value, const std::optional<std::string>& unit) {
  if (!unit || unit->empty()) return value;
  return std::string(trimmed(std::string_view(value).substr(0, value.size() - unit->size())));
}

bool is_quantity(const std::string& text, std::string& unit) {
  try {
    static_cast<void>(harness::parse_quantity(text));
    unit = harness::unit_of_quantity(text);
    return text.ends_with(unit);
  } catch (const harness::UnitError&) {
    return false;
  }
}

}  // namespace

std::optional<WorstMargin> worst_margin(const SweepRow& row) {
  std::optional<WorstMargin> worst;
  if (!row.result) return worst;
  for (const auto& [name, figure] : row.result->margins) {
    if (!worst || figure.value < worst->figure.value) worst = WorstMargin{name, figure};
  }
  return worst;
}

std::optional<double> measured(const SweepRow& row, const Measure& measure) {
  if (!row.result) return std::nullopt;
  const auto& figures = row.result->figures;
  if (const auto metric = figures.find(measure.name); metric != figures.end()) {
    return metric->second.value;
  }
  const auto& margins = row.result->margins;
  if (const auto margin = margins.find(measure.name); margin != margins.end()) {
    return margin->second.value;
  }
  return std::nullopt;
}

std::vector<Measure> measures_of(const SweepPlan& plan, std::span<const SweepRow> rows) {
  std::map<std::string, std::string> units;
  std::set<std::string> metrics;
  for (const SweepRow& row : rows) {
    if (!row.result) continue;
    for (const auto& [name, figure] : row.result->margins) units.emplace(name, figure.unit);
    for (const auto& [name, figure] : row.result->figures) {
      if (name.starts_with(kMarginOf)) continue;
      units[name] = figure.unit;
      metrics.insert(name);
    }
  }
  std::vector<std::string> names = plan.measures;
  if (names.empty()) names.assign(metrics.begin(), metrics.end());
  std::vector<Measure> measures;
  for (const std::string& name : names) {
    const auto unit = units.find(name);
    measures.push_back({name, unit == units.end() ? "" : unit->second});
  }
  return measures;
}

void check_measures(const SweepPlan& plan, std::span<const SweepRow> rows) {
  std::set<std::string> known;
  for (const SweepRow& row : rows) {
    if (!row.result) continue;
    for (const auto& [name, figure] : row.result->margins) known.insert(name);
    for (const auto& [name, figure] : row.result->figures) known.insert(name);
  }
  if (known.empty()) return;
  std::vector<std::string> wanted = plan.measures;
  if (!plan.objective.empty()) wanted.insert(wanted.begin(), plan.objective);
  for (const std::string& name : wanted) {
    if (known.count(name) != 0) continue;
    const std::vector<std::string> names(known.begin(), known.end());
    throw std::invalid_argument("no metric and no condition of the scenario is called \"" + name +
                                "\"" + did_you_mean(name, names) + "; its column is empty");
  }
}

std::optional<std::string> common_unit(std::span<const SweepRow> rows, std::size_t axis) {
  std::optional<std::string> common;
  for (const SweepRow& row : rows) {
    std::string unit;
    if (!is_quantity(row.what.values[axis], unit)) return std::nullopt;
    if (common && *common != unit) return std::nullopt;
    common = unit;
  }
  return common;
}

std::string csv_of(const SweepPlan& plan, std::span<const SweepRow> rows) {
  std::vector<std::optional<std::string>> units;
  std::vector<std::string> head{"case"};
  for (std::size_t i = 0; i < plan.axes.size(); ++i) {
    units.push_back(common_unit(rows, i));
    head.push_back(with_unit(plan.axes[i].path, units.back().value_or("")));
  }
  const std::vector<Measure> measures = measures_of(plan, rows);
  for (const char* name : {"seed", "outcome", "margin", "margin_unit", "margin_of"}) {
    head.emplace_back(name);
  }
  for (const Measure& measure : measures) head.push_back(with_unit(measure.name, measure.unit));
  for (const char* name : {"sim_time [s]", "state_hash", "folder", "reason"}) {
    head.emplace_back(name);
  }
  std::string csv = joined(head, ",", cell) + "\n";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const SweepRow& row = rows[i];
    std::vector<std::string> cells{fmt::format("{}", i + 1)};
    for (std::size_t axis = 0; axis < plan.axes.size(); ++axis) {
      cells.push_back(value_cell(row.what.values[axis], units[axis]));
    }
    cells.push_back(row.what.seed ? fmt::format("{}", *row.what.seed) : "");
    cells.push_back(row.outcome);
    const std::optional<WorstMargin> worst = worst_margin(row);
    cells.push_back(worst ? number_cell(worst->figure.value) : "");
    cells.push_back(worst ? worst->figure.unit : "");
    cells.push_back(worst ? worst->name : "");
    for (const Measure& measure : measures) cells.push_back(number_cell(measured(row, measure)));
    cells.push_back(row.result ? number_cell(row.result->sim_time) : "");
    cells.push_back(row.result ? row.result->state_hash : "");
    cells.push_back(row.folder);
    cells.push_back(row.reason);
    csv += joined(cells, ",", cell) + "\n";
  }
  return csv;
}

}  // namespace jointrig::app
