#include "harness/report/figure_plan.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

namespace jointrig::harness::report {
namespace {

struct Quantity {
  std::string_view signal;  // last part of the signal's name
  std::string_view panel;   // "": not drawn
  std::string_view role;
};

// In the order of the panels.
constexpr std::array kQuantities{
    Quantity{"q", "position", "measured"},
    Quantity{"q_ref", "position", "reference"},
    Quantity{"q_cmd", "position", "command"},
    Quantity{"q_err", "position error", "other"},
    Quantity{"tau", "torque", "measured"},
    Quantity{"tau_ref", "torque", "reference"},
    Quantity{"tau_cmd", "torque", "command"},
    Quantity{"v", "velocity", "measured"},
    Quantity{"v_ref", "velocity", "reference"},
    Quantity{"v_cmd", "velocity", "command"},
    Quantity{"v_err", "velocity error", "other"},
    Quantity{"a_ref", "acceleration", "reference"},
    Quantity{"duty", "duty", "command"},
    Quantity{"duty_ref", "duty", "reference"},
    Quantity{"stiffness", "stiffness", "other"},
    Quantity{"damping", "damping", "other"},
    Quantity{"temperature", "temperature", "measured"},
    Quantity{"current", "current", "measured"},
    Quantity{"supply", "supply", "measured"},
    Quantity{"mode", "", ""},
    Quantity{"fault", "", ""},
    Quantity{"status", "", ""},
    Quantity{"interaction", "", ""},
    Quantity{"drive", "", ""},
};

std::string_view last_part(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  return dot == std::string_view::npos ? name : name.substr(dot + 1);
}

std::size_t quantity_of(const Trace& trace) {
  const auto known = std::find_if(kQuantities.begin(), kQuantities.end(), [&](const Quantity& q) {
    return q.signal == last_part(trace.name);
  });
  return static_cast<std::size_t>(known - kQuantities.begin());
}

constexpr std::string_view kTruth = "truth.";

bool is_truth(const Trace& trace) { return trace.name.starts_with(kTruth); }

// `truth.elbow.q` is drawn in its joint's figure.
std::string joint_of(const Trace& trace) {
  if (!trace.joint.empty() || !is_truth(trace)) return trace.joint;
  const std::size_t dot = trace.name.rfind('.');
  return dot <= kTruth.size() ? "" : trace.name.substr(kTruth.size(), dot - kTruth.size());
}

// `body.hand` of `body.hand.x`; contact forces share a panel.
std::string panel_of_world(const Trace& trace) {
  const std::size_t dot = trace.name.rfind('.');
  if (dot == std::string::npos) return trace.name;
  if (trace.name.starts_with("contact.")) return "contact " + trace.name.substr(dot + 1);
  return trace.name.substr(0, dot);
}

bool is_curve(const Trace& trace) {
  const std::size_t quantity = quantity_of(trace);
  return quantity == kQuantities.size() || !kQuantities[quantity].panel.empty();
}

std::string panel_title(const Trace& trace) {
  if (joint_of(trace).empty()) return panel_of_world(trace);
  const std::size_t quantity = quantity_of(trace);
  return std::string(quantity < kQuantities.size() ? kQuantities[quantity].panel
                                                   : last_part(trace.name));
}

// Sorts panels and their traces in the order of kQuantities, unknown ones last.
void sort_panels(Figure& figure, const std::vector<Trace>& traces) {
  for (Panel& panel : figure.panels) {
    std::stable_sort(panel.traces.begin(), panel.traces.end(), [&traces](auto a, auto b) {
      return quantity_of(traces[a]) < quantity_of(traces[b]);
    });
  }
  const auto rank = [&traces](const Panel& panel) {
    std::size_t least = kQuantities.size();
    for (const std::size_t i : panel.traces) least = std::min(least, quantity_of(traces[i]));
    return least;
  };
  std::stable_sort(figure.panels.begin(), figure.panels.end(),
                   [&rank](const Panel& a, const Panel& b) { return rank(a) < rank(b); });
}

void put(Figure& figure, const Trace& trace, std::size_t index) {
  const std::string title = panel_title(trace);
  auto panel = std::find_if(figure.panels.begin(), figure.panels.end(), [&](const Panel& p) {
    return p.title == title && p.unit == trace.unit;
  });
  if (panel == figure.panels.end()) {
    panel = figure.panels.insert(panel, Panel{title, trace.unit, {}});
  }
  panel->traces.push_back(index);
}

Figure& figure_of(std::vector<Figure>& figures, const std::string& joint) {
  for (Figure& figure : figures) {
    if (figure.joint == joint) return figure;
  }
  return figures.emplace_back(Figure{joint.empty() ? "World and loop" : joint, joint, {}});
}

std::vector<Figure> every_figure(const std::vector<Trace>& traces) {
  std::vector<Figure> figures;
  for (std::size_t i = 0; i < traces.size(); ++i) {
    if (is_curve(traces[i])) put(figure_of(figures, joint_of(traces[i])), traces[i], i);
  }
  for (Figure& figure : figures) sort_panels(figure, traces);
  return figures;
}

// Distance that a joint moved; 0 for traces other than positions.
float way_of(const Trace& trace) {
  if (quantity_of(trace) >= kQuantities.size()) return 0.0F;
  if (kQuantities[quantity_of(trace)].panel != "position") return 0.0F;
  float least = INFINITY;
  float most = -INFINITY;
  for (const float x : trace.least) least = std::fmin(least, x);
  for (const float x : trace.most) most = std::fmax(most, x);
  return std::fmax(most - least, 0.0F);
}

// A joint that moved less stood still: 2 mrad or 2 mm, or 2 % of the largest motion of a joint
// (choices): the others give way a little.
float way_of_still(const std::vector<Trace>& traces) {
  float longest = 0.0F;
  for (const Trace& trace : traces) longest = std::fmax(longest, way_of(trace));
  return std::fmax(2e-3F, 0.02F * longest);
}

bool is_bounded(const Trace& trace) {
  return std::any_of(trace.bounds.begin(), trace.bounds.end(),
                     [](const PlotBound& bound) { return !bound.is_limit; });
}

bool failure_names(const Result& result, std::string_view word) {
  const std::optional<Failure>& failure = result.first_failure;
  return failure && (names(failure->expected, word) || names(failure->got, word) ||
                     names(failure->name, word));
}

bool verdicts_name(const Result& result, std::string_view word) {
  return std::any_of(result.verdicts.begin(), result.verdicts.end(), [word](const Verdict& v) {
    return names(v.name, word) || names(v.expected, word) || names(v.got, word);
  });
}

enum Weight { kIsStill, kMoved, kNamed, kWorld, kInFailure };

Weight weight_of(const Figure& figure, const Result& result, float way) {
  if (figure.joint.empty()) return kWorld;  // the author requested it
  if (failure_names(result, figure.joint)) return kInFailure;
  if (verdicts_name(result, figure.joint)) return kNamed;
  for (const Panel& panel : figure.panels) {
    for (const std::size_t i : panel.traces) {
      if (way_of(result.traces.signals[i]) > way) return kMoved;
    }
  }
  return kIsStill;
}

// Traces that the failure names, or with bounds of the scenario on its joint; also the joint's
// position and torque.
std::optional<Figure> failure_figure(const Result& result) {
  if (!result.first_failure || result.traces.times_near_failure.empty()) return std::nullopt;
  const std::vector<Trace>& traces = result.traces.signals;
  const auto matters = [&](const Trace& trace) {
    const std::string joint = joint_of(trace);
    if (failure_names(result, trace.name)) return true;
    if (joint.empty() || !failure_names(result, joint)) return false;
    const std::string panel = panel_title(trace);
    return panel == "position" || panel == "torque" || is_bounded(trace);
  };
  Figure figure{"The failing moment", "", {}};
  for (std::size_t i = 0; i < traces.size(); ++i) {
    if (!is_curve(traces[i]) || traces[i].near_failure.empty() || !matters(traces[i])) continue;
    const std::string joint = joint_of(traces[i]);
    if (figure.panels.empty()) figure.joint = joint;
    if (figure.joint != joint) figure.joint = "";
    put(figure, traces[i], i);
  }
  if (figure.panels.empty()) return std::nullopt;
  sort_panels(figure, traces);
  // Judged traces come first.
  std::stable_partition(figure.panels.begin(), figure.panels.end(), [&](const Panel& panel) {
    return std::any_of(panel.traces.begin(), panel.traces.end(),
                       [&](std::size_t i) { return failure_names(result, traces[i].name); });
  });
  return figure;
}

bool is_part_of_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '/';
}

}  // namespace

bool names(std::string_view text, std::string_view word) {
  if (word.empty()) return false;
  for (std::size_t at = text.find(word); at != std::string_view::npos;
       at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool begins = at == 0 || !is_part_of_name(text[at - 1]);
    if (begins && (end == text.size() || !is_part_of_name(text[end]))) return true;
  }
  return false;
}

std::string_view role_of(const Trace& trace) {
  const std::size_t quantity = quantity_of(trace);
  if (is_truth(trace) || quantity == kQuantities.size()) return "other";
  return kQuantities[quantity].role;
}

FigurePlan plan_figures(const Result& result) {
  FigurePlan plan;
  std::vector<std::pair<Weight, Figure>> figures;
  const float way = way_of_still(result.traces.signals);
  for (Figure& figure : every_figure(result.traces.signals)) {
    const Weight weight = weight_of(figure, result, way);
    figures.emplace_back(weight, std::move(figure));
  }
  std::stable_sort(figures.begin(), figures.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  for (auto& [weight, figure] : figures) {
    const bool is_open = weight != kIsStill && plan.open.size() < kMostOpenFigures;
    (is_open ? plan.open : plan.folded).push_back(std::move(figure));
  }
  // At least one open figure, even if nothing moved.
  if (plan.open.empty() && !plan.folded.empty()) {
    plan.open.push_back(std::move(plan.folded.front()));
    plan.folded.erase(plan.folded.begin());
  }
  plan.failure = failure_figure(result);
  return plan;
}

}  // namespace jointrig::harness::report
