#include "app/compare/run_changes.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "harness/log/log_reader.h"

namespace jointrig::app {
namespace {

std::string figure_text(const PastScenario::Figure& figure) {
  return fmt::format("{:.4g}{}{}", figure.value, figure.unit.empty() ? "" : " ", figure.unit);
}

bool same_figure(double a, double b, double tolerance) {
  return std::abs(a - b) <= tolerance * std::max(std::abs(a), std::abs(b)) + 1e-12;
}

void compare_figures(const PastScenario& a, const PastScenario& b, double tolerance,
                     std::vector<std::string>& sentences) {
  for (const auto& [name, now] : b.figures) {
    const auto was = a.figures.find(name);
    if (was == a.figures.end()) {
      sentences.push_back(name + ": " + figure_text(now) + ", is new");
    } else if (!same_figure(was->second.value, now.value, tolerance)) {
      sentences.push_back(name + ": " + figure_text(now) + ", was " + figure_text(was->second));
    }
  }
  for (const auto& [name, was] : a.figures) {
    if (!b.figures.contains(name)) sentences.push_back(name + ": gone, was " + figure_text(was));
  }
}

ScenarioChange change_of(const PastScenario& a, const PastScenario& b, double tolerance) {
  ScenarioChange change{b.name, {}, {}, {}};
  if (a.outcome != b.outcome) {
    change.sentences.push_back(b.outcome + ", was " + a.outcome +
                               (b.reason.empty() ? "" : ": " + b.reason));
  }
  if (a.state_hash == b.state_hash && !b.state_hash.empty()) return change;
  compare_figures(a, b, tolerance, change.sentences);
  const bool both = !a.state_hash.empty() && !b.state_hash.empty();
  if (both)
    change.sentences.push_back("went another way: " + b.state_hash + ", was " + a.state_hash);
  if (!change.sentences.empty()) {
    change.log_a = a.log;
    change.log_b = b.log;
  }
  return change;
}

/// Largest distance of two series, sample by sample; 0 for equal ones.
double distance(const harness::Series& a, const harness::Series& b) {
  double most = 0.0;
  for (std::size_t i = 0; i < std::min(a.value.size(), b.value.size()); ++i) {
    most = std::max(most, std::abs(a.value[i] - b.value[i]));
  }
  return most;
}

harness::ComparedCurve curve_of(const harness::Series& series) {
  harness::ComparedCurve curve;
  for (std::size_t i = 0; i < series.value.size(); ++i) {
    curve.time.push_back(1e-9 * static_cast<double>(series.time_ns[i]));
    curve.value.push_back(series.value[i]);
  }
  return curve;
}

}  // namespace

std::vector<ScenarioChange> changes_between(const std::vector<PastScenario>& a,
                                            const std::vector<PastScenario>& b, double tolerance) {
  std::map<std::string, const PastScenario*> before;
  for (const PastScenario& one : a) before[one.name] = &one;
  std::vector<ScenarioChange> changes;
  for (const PastScenario& one : b) {
    const auto was = before.find(one.name);
    if (was == before.end()) {
      changes.push_back({one.name, {"is in the second run only: " + one.outcome}, {}, {}});
      continue;
    }
    ScenarioChange change = change_of(*was->second, one, tolerance);
    before.erase(was);
    if (!change.sentences.empty()) changes.push_back(std::move(change));
  }
  for (const auto& [name, one] : before) {
    changes.push_back({name, {"is in the first run only: " + one->outcome}, {}, {}});
  }
  return changes;
}

std::vector<harness::ComparedPlot> plots_of(const ScenarioChange& change) {
  std::vector<harness::ComparedPlot> plots;
  if (change.log_a.empty() || change.log_b.empty()) return plots;
  const harness::LogReader a(change.log_a.string());
  const harness::LogReader b(change.log_b.string());
  std::vector<std::pair<double, std::string>> joints;
  for (const std::string& joint : b.joints()) {
    if (std::find(a.joints().begin(), a.joints().end(), joint) == a.joints().end()) continue;
    const double most = distance(a.series("/j/" + joint, "q"), b.series("/j/" + joint, "q"));
    if (most > 0.0) joints.emplace_back(most, joint);
  }
  std::stable_sort(joints.begin(), joints.end(),
                   [](const auto& x, const auto& y) { return x.first > y.first; });
  for (const auto& [most, joint] : joints) {
    for (const char* field : {"q", "tau"}) {
      if (plots.size() == kMostPlots) return plots;
      const harness::Series first = a.series("/j/" + joint, field);
      const harness::Series second = b.series("/j/" + joint, field);
      plots.push_back({joint + "." + field, second.unit, curve_of(first), curve_of(second)});
    }
  }
  return plots;
}

}  // namespace jointrig::app
