#include "app/sweep/sweep_report.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

#include "app/local_time.h"
#include "app/sweep/optimiser.h"
#include "app/version.h"

namespace jointrig::app {
namespace {

using harness::SweptAxis;
using harness::SweptCase;

constexpr std::size_t kMostAxes = 2;  // more have a boundary that is no line

double number_of(const std::string& text) {
  double number = 0.0;
  const std::size_t begin = std::min(text.find_first_not_of(" +"), text.size());
  std::from_chars(text.data() + begin, text.data() + text.size(), number);
  return number;
}

/// Its unit where all values have one; else every value is a label.
SweptAxis axis_of(const SweepPlan& plan, std::span<const SweepRow> rows, std::size_t i) {
  SweptAxis axis{plan.axes[i].path, common_unit(rows, i).value_or(""), {}};
  if (common_unit(rows, i)) return axis;
  for (const SweepRow& row : rows) {
    const std::string& value = row.what.values[i];
    if (std::find(axis.labels.begin(), axis.labels.end(), value) == axis.labels.end()) {
      axis.labels.push_back(value);
    }
  }
  return axis;
}

double place_on(const SweptAxis& axis, const std::string& value) {
  if (axis.labels.empty()) return number_of(value);
  const auto label = std::find(axis.labels.begin(), axis.labels.end(), value);
  return static_cast<double>(label - axis.labels.begin());
}

SweptCase case_of(const SweepPlan& plan, const CaseInputs& inputs, std::span<const SweptAxis> axes,
                  const SweepRow& row) {
  SweptCase one;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    one.at.push_back(place_on(axes[i], row.what.values[i]));
    one.values += (i == 0 ? "" : "  ") + plan.axes[i].path + "=" + row.what.values[i];
  }
  if (row.what.seed) one.values += fmt::format("  seed {}", *row.what.seed);
  one.outcome = row.outcome;
  one.reason = row.reason;
  one.arguments = inputs.arguments_for(row.what);
  if (const std::optional<WorstMargin> worst = worst_margin(row)) {
    one.margin = worst->figure.value;
    one.margin_text =
        fmt::format("{:.4g} {} of {}", worst->figure.value, worst->figure.unit, worst->name);
  }
  return one;
}

std::string value_text(const SweptAxis& axis, double value) {
  const std::string text = fmt::format("{:.6g}", value);
  return axis.unit.empty() ? text : text + " " + axis.unit;
}

/// Whether each place passes, by its values.
std::map<std::vector<double>, bool> places_of(std::span<const SweptCase> cases) {
  std::map<std::vector<double>, bool> places;
  for (const SweptCase& one : cases) {
    if (one.outcome == "not_run" || one.outcome == "skipped") continue;
    bool& passes = places.emplace(one.at, true).first->second;
    passes = passes && one.outcome == "passed";
  }
  return places;
}

std::string sentence_of(std::span<const SweptAxis> axes, std::size_t along,
                        const std::vector<double>& at, double good, double bad) {
  std::string text = fmt::format("{} = {}: it passes at {} and not at {}", axes[along].name,
                                 value_text(axes[along], 0.5 * (good + bad)),
                                 value_text(axes[along], good), value_text(axes[along], bad));
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (i != along) text += ", with " + axes[i].name + " = " + value_text(axes[i], at[i]);
  }
  return text;
}

}  // namespace

std::vector<harness::SweptBoundary> boundaries_of(std::span<const SweptAxis> axes,
                                                  std::span<const SweptCase> cases) {
  std::vector<harness::SweptBoundary> boundaries;
  const auto is_number = [](const SweptAxis& axis) { return axis.labels.empty(); };
  if (axes.size() > kMostAxes || !std::all_of(axes.begin(), axes.end(), is_number)) return {};
  const std::map<std::vector<double>, bool> places = places_of(cases);
  for (std::size_t along = 0; along < axes.size(); ++along) {
    // Lines of the grid along this axis, each by the values of the other: places in their order.
    std::map<std::vector<double>, std::map<double, bool>> lines;
    for (const auto& [at, passes] : places) {
      std::vector<double> line = at;
      line[along] = 0.0;
      lines[line][at[along]] = passes;
    }
    for (const auto& [line, steps] : lines) {
      for (auto low = steps.begin(), high = low; ++high != steps.end(); low = high) {
        if (low->second == high->second) continue;
        std::vector<double> at = line;
        at[along] = 0.5 * (low->first + high->first);
        const double good = low->second ? low->first : high->first;
        const double bad = low->second ? high->first : low->first;
        boundaries.push_back({at, along, sentence_of(axes, along, at, good, bad)});
      }
    }
  }
  return boundaries;
}

namespace {

harness::SweptSearch search_of(const SweepPlan& plan, const CaseInputs& inputs,
                               std::span<const SweepRow> rows) {
  const std::vector<Trial> trials = trials_of(plan, rows);
  harness::SweptSearch search;
  search.objective = plan.objective;
  search.larger_is_better = plan.direction == SweepDirection::kMaximise;
  for (const Trial& trial : trials) {
    search.values.push_back(trial.value);
    search.passed.push_back(trial.passed);
  }
  SweepPlan wanted = plan;
  wanted.measures = {plan.objective};
  search.unit = measures_of(wanted, rows).front().unit;
  if (const std::optional<std::size_t> best = best_of(plan, trials)) {
    const SweepRow& row = rows[*best * plan.seeds.value_or(1)];
    search.best = fmt::format("{} = {:.6g} {}, sample {} of {}: ", plan.objective,
                              *trials[*best].value, search.unit, *best + 1, trials.size());
    for (std::size_t i = 0; i < plan.axes.size(); ++i) {
      search.best += (i == 0 ? "" : "  ") + plan.axes[i].path + "=" + row.what.values[i];
    }
    search.command = inputs.command_for(row.what);
  }
  return search;
}

}  // namespace

void write_sweep_report(const std::filesystem::path& path, const SweepPlan& plan,
                        const CaseInputs& inputs, std::span<const SweepRow> rows) {
  harness::SweptPage page;
  page.commands = inputs.commands();
  page.title = plan.name;
  page.about = plan.about;
  page.facts = {{"scenario", inputs.file().generic_string()},
                {"method", std::string(to_string(plan.method))},
                {"jointrig", std::string(kVersion)},
                {"written", local_time("%Y-%m-%d %H:%M")}};
  for (std::size_t i = 0; i < plan.axes.size(); ++i) page.axes.push_back(axis_of(plan, rows, i));
  for (const SweepRow& row : rows) page.cases.push_back(case_of(plan, inputs, page.axes, row));
  if (plan.method == SweepMethod::kGrid) page.boundaries = boundaries_of(page.axes, page.cases);
  if (plan.method == SweepMethod::kOptimise) page.search = search_of(plan, inputs, rows);
  harness::write_sweep_page(path, page);
}

}  // namespace jointrig::app
