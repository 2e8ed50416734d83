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
  struct Way {
    double most = 0.0;
    std::size_t in_a = 0;
    std::size_t in_b = 0;
  };
  const std::vector<harness::Series> q_a = a.joint_series("q");
  const std::vector<harness::Series> q_b = b.joint_series("q");
  std::vector<Way> ways;
  for (std::size_t i = 0; i < b.joints().size(); ++i) {
    const auto same = std::find(a.joints().begin(), a.joints().end(), b.joints()[i]);
    if (same == a.joints().end()) continue;
    const auto k = static_cast<std::size_t>(same - a.joints().begin());
    const double most = distance(q_a[k], q_b[i]);
    if (most > 0.0) ways.push_back({most, k, i});
  }
  std::stable_sort(ways.begin(), ways.end(),
                   [](const Way& x, const Way& y) { return x.most > y.most; });
  ways.resize(std::min(ways.size(), kMostPlots / 2));
  if (ways.empty()) return plots;
  const std::vector<harness::Series> tau_a = a.joint_series("tau");
  const std::vector<harness::Series> tau_b = b.joint_series("tau");
  for (const Way& way : ways) {
    const std::string& joint = b.joints()[way.in_b];
    plots.push_back(
        {joint + ".q", q_b[way.in_b].unit, curve_of(q_a[way.in_a]), curve_of(q_b[way.in_b])});
    plots.push_back({joint + ".tau", tau_b[way.in_b].unit, curve_of(tau_a[way.in_a]),
                     curve_of(tau_b[way.in_b])});
  }
  return plots;
}

}  // namespace jointrig::app
