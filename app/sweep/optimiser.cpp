#include "app/sweep/optimiser.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>

namespace jointrig::app {

// optimiser.py, embedded by cmake/JointrigEmbed.cmake
extern const std::string_view kOptimiserScript;

namespace {

using Json = nlohmann::json;

constexpr auto kOptimiserPatience = std::chrono::milliseconds(200);
constexpr double kUnknownViolation = 1.0;  // of a case without margins: a choice
constexpr double kLeastViolation = 1e-12;  // a failed case is never as good as one that passed

bool is_better(const SweepPlan& plan, double one, double other) {
  return plan.direction == SweepDirection::kMaximise ? one > other : one < other;
}

double violation_of(const SweepRow& row) {
  if (row.outcome == "passed") return 0.0;
  const std::optional<WorstMargin> worst = worst_margin(row);
  return worst ? std::max(-worst->figure.value, kLeastViolation) : kUnknownViolation;
}

Trial trial_of(const SweepPlan& plan, std::span<const SweepRow> rows) {
  Trial trial{measured(rows.front(), {plan.objective, ""}), true, 0.0};
  for (const SweepRow& row : rows) {
    const std::optional<double> value = measured(row, {plan.objective, ""});
    const bool is_worse = value && trial.value && is_better(plan, *trial.value, *value);
    if (!value || is_worse) trial.value = value;
    trial.passed = trial.passed && row.outcome == "passed";
    trial.violation = std::max(trial.violation, violation_of(row));
    if (!value) break;
  }
  return trial;
}

/// A value of an axis by what Optuna chose: a share of the range, or the number of a value.
std::string value_on(const SweepAxis& axis, double chosen) {
  return axis.values.empty() ? axis.at(chosen) : axis.values.at(static_cast<std::size_t>(chosen));
}

}  // namespace

std::vector<Trial> trials_of(const SweepPlan& plan, std::span<const SweepRow> rows) {
  const std::size_t seeds = plan.seeds.value_or(1);
  std::vector<Trial> trials;
  for (std::size_t i = 0; i + seeds <= rows.size(); i += seeds) {
    trials.push_back(trial_of(plan, rows.subspan(i, seeds)));
  }
  return trials;
}

std::optional<std::size_t> best_of(const SweepPlan& plan, std::span<const Trial> trials) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < trials.size(); ++i) {
    if (!trials[i].passed || !trials[i].value) continue;
    if (!best || is_better(plan, *trials[i].value, *trials[*best].value)) best = i;
  }
  return best;
}

Optimiser::Optimiser(const SweepPlan& plan, const std::filesystem::path& words)
    : plan_(&plan), process_(kOptimiserScript, words) {
  Json axes = Json::array();
  for (const SweepAxis& axis : plan.axes) {
    axes.push_back({{"path", axis.path}, {"values", axis.values.size()}});
  }
  const bool is_largest = plan.direction == SweepDirection::kMaximise;
  process_.send(
      Json{{"seed", plan.seed}, {"direction", is_largest ? "maximize" : "minimize"}, {"axes", axes}}
          .dump());
}

std::vector<SweepCase> Optimiser::ask(std::size_t samples) {
  process_.send(Json{{"ask", samples}}.dump());
  std::optional<std::string> line;
  while (!(line = process_.next(kOptimiserPatience))) {
    if (process_.has_ended()) {
      throw std::runtime_error("the optimiser has ended early" + process_.last_words());
    }
  }
  const Json answer = Json::parse(*line);
  if (answer.contains("broken")) throw std::runtime_error(answer.at("broken").get<std::string>());
  std::vector<SweepCase> cases;
  for (const Json& sample : answer.at("samples")) {
    SweepCase one;
    for (std::size_t i = 0; i < plan_->axes.size(); ++i) {
      one.values.push_back(value_on(plan_->axes[i], sample.at(i).get<double>()));
    }
    cases.push_back(std::move(one));
  }
  return with_seeds(*plan_, std::move(cases));
}

void Optimiser::tell(std::span<const Trial> trials) {
  Json told = Json::array();
  for (const Trial& trial : trials) {
    told.push_back({{"value", trial.value ? Json(*trial.value) : Json(nullptr)},
                    {"violation", trial.violation}});
  }
  process_.send(Json{{"tell", told}}.dump());
}

}  // namespace jointrig::app
