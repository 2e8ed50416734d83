#include "app/sweep/sweep_plan.h"

#include <fmt/core.h>

#include <algorithm>
#include <fstream>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace jointrig::app {

// sweep.schema.json, embedded by cmake/JointrigEmbed.cmake
extern const std::string_view kSweepSchemaText;

namespace {

using harness::YamlNode;

constexpr std::size_t kMostCases = 1'000'000;  // a choice: more is a mistake

/// A share of [0, 1) from the upper 53 bits, the same on every machine.
double next_share(std::mt19937_64& random) {
  return static_cast<double>(random() >> 11U) * 0x1p-53;
}

/// 0 to n - 1 in a random order (Fisher and Yates), the same on every machine.
std::vector<std::size_t> shuffled(std::size_t n, std::mt19937_64& random) {
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = n; i > 1; --i) {
    std::swap(order[i - 1],
              order[static_cast<std::size_t>(next_share(random) * static_cast<double>(i))]);
  }
  return order;
}

std::vector<SweepCase> grid_cases(const SweepPlan& plan) {
  std::vector<SweepCase> cases{{}};
  for (const SweepAxis& axis : plan.axes) {
    std::vector<SweepCase> longer;
    longer.reserve(cases.size() * axis.values.size());
    for (const SweepCase& one : cases) {
      for (std::size_t i = 0; i < axis.values.size(); ++i) {
        SweepCase& more = longer.emplace_back(one);
        more.values.push_back(axis.values[i]);
        more.at.push_back(i);
      }
    }
    cases = std::move(longer);
  }
  return cases;
}

std::vector<SweepCase> random_cases(const SweepPlan& plan) {
  std::mt19937_64 random(plan.seed);
  std::vector<SweepCase> cases(plan.samples);
  for (SweepCase& one : cases) {
    for (const SweepAxis& axis : plan.axes) one.values.push_back(axis.at(next_share(random)));
  }
  return cases;
}

std::vector<SweepCase> latin_cases(const SweepPlan& plan) {
  std::mt19937_64 random(plan.seed);
  std::vector<SweepCase> cases(plan.samples);
  const auto n = static_cast<double>(plan.samples);
  for (const SweepAxis& axis : plan.axes) {
    const std::vector<std::size_t> strata = shuffled(plan.samples, random);
    for (std::size_t i = 0; i < plan.samples; ++i) {
      const double share = (static_cast<double>(strata[i]) + next_share(random)) / n;
      cases[i].values.push_back(axis.at(share));
    }
  }
  return cases;
}

std::size_t count_of(const SweepPlan& plan) {
  std::size_t count = plan.method == SweepMethod::kGrid ? 1 : plan.samples;
  if (plan.method == SweepMethod::kGrid) {
    for (const SweepAxis& axis : plan.axes) count *= std::min(axis.values.size(), kMostCases + 1);
  }
  return std::min(count, kMostCases + 1) * plan.seeds.value_or(1);
}

void read_vary(const YamlNode& vary, SweepPlan& plan) {
  for (const YamlNode::Entry& entry : vary.entries()) {
    plan.axes.push_back(read_axis(entry.key, entry.value, entry.spot));
  }
  if (plan.axes.empty()) throw vary.error("nothing varies: name a path with its values");
}

/// A file beside the sweep's; else the word, for a name.
std::string scenario_named(const YamlNode& node) {
  const std::filesystem::path beside = harness::path_beside(node);
  return std::filesystem::exists(beside) ? beside.generic_string() : node.text();
}

}  // namespace

const harness::Schema& sweep_schema() {
  static const harness::Schema schema(kSweepSchemaText);
  return schema;
}

bool is_sweep_file(const std::filesystem::path& file) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("sweep:")) return true;
  }
  return false;
}

SweepPlan read_sweep(const std::filesystem::path& file) {
  const YamlNode document = harness::load_yaml(file);
  sweep_schema().check(document);
  SweepPlan plan;
  plan.name = document.at("sweep").text();
  if (const YamlNode* about = document.find("about")) plan.about = about->text();
  plan.scenario = scenario_named(document.at("scenario"));
  plan.scenario_spot = document.at("scenario").spot();
  if (const YamlNode* set = document.find("set")) {
    for (const YamlNode::Entry& entry : set->entries()) {
      plan.settings.push_back(entry.key + "=" + setting_text(entry.value));
    }
  }
  read_vary(document.at("vary"), plan);
  if (const YamlNode* method = document.find("method")) parse(method->text(), plan.method);
  if (const YamlNode* samples = document.find("samples")) {
    plan.samples = static_cast<std::size_t>(samples->integer());
  }
  if (const YamlNode* objective = document.find("objective")) plan.objective = objective->text();
  if (const YamlNode* way = document.find("direction")) parse(way->text(), plan.direction);
  if (const YamlNode* batch = document.find("batch")) {
    plan.batch = static_cast<std::size_t>(batch->integer());
  }
  if (const YamlNode* seed = document.find("seed")) {
    plan.seed = static_cast<std::uint64_t>(seed->integer());
  }
  if (const YamlNode* seeds = document.find("seeds")) {
    plan.seeds = static_cast<std::size_t>(seeds->integer());
  }
  if (const YamlNode* measure = document.find("measure")) {
    for (const YamlNode& name : measure->items()) plan.measures.push_back(name.text());
  }
  return plan;
}

/// The objective is of an optimiser, and only of one.
void check_objective(const SweepPlan& plan) {
  const bool is_search = plan.method == SweepMethod::kOptimise;
  if (is_search && plan.objective.empty()) {
    throw std::invalid_argument(
        "method optimise needs an objective: the name of a metric, or of a condition for its "
        "margin");
  }
  if (!is_search && !plan.objective.empty()) {
    throw std::invalid_argument("an objective is of method optimise; this one is " +
                                std::string(to_string(plan.method)));
  }
}

void check_plan(const SweepPlan& plan) {
  check_objective(plan);
  const bool is_grid = plan.method == SweepMethod::kGrid;
  for (const SweepAxis& axis : plan.axes) {
    if (is_grid && axis.values.empty()) {
      throw harness::FileError(axis.spot, "a grid needs the count of \"" + axis.path +
                                              "\"; without one the range is sampled, by method "
                                              "random or latin_hypercube");
    }
    if (!is_grid && axis.is_ranged && !axis.values.empty()) {
      throw harness::FileError(axis.spot, "the count of \"" + axis.path +
                                              "\" is of a grid: samples take the whole range");
    }
  }
  if (is_grid && plan.samples > 0) {
    throw std::invalid_argument(
        "samples are of method random or latin_hypercube; a grid has its counts");
  }
  if (!is_grid && plan.samples == 0) {
    throw std::invalid_argument("method " + std::string(to_string(plan.method)) +
                                " needs the number of samples");
  }
  if (count_of(plan) > kMostCases) {
    throw std::invalid_argument(fmt::format("this sweep has more than {} cases", kMostCases));
  }
}

std::vector<SweepCase> cases_of(const SweepPlan& plan) {
  switch (plan.method) {
    case SweepMethod::kGrid:
      return with_seeds(plan, grid_cases(plan));
    case SweepMethod::kRandom:
      return with_seeds(plan, random_cases(plan));
    case SweepMethod::kLatinHypercube:
      return with_seeds(plan, latin_cases(plan));
    case SweepMethod::kOptimise:
      break;
  }
  return {};
}

std::vector<SweepCase> with_seeds(const SweepPlan& plan, std::vector<SweepCase> cases) {
  if (!plan.seeds) return cases;
  std::vector<SweepCase> seeded;
  seeded.reserve(cases.size() * *plan.seeds);
  for (const SweepCase& one : cases) {
    for (std::size_t i = 0; i < *plan.seeds; ++i) {
      seeded.push_back(one);
      seeded.back().seed = plan.seed + i;
    }
  }
  return seeded;
}

}  // namespace jointrig::app
