#include "harness/report/plot_data.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <ostream>

#include "harness/report/html_text.h"
#include "harness/report/trace_coding.h"

namespace jointrig::harness::report {
namespace {

using Json = nlohmann::ordered_json;

// Divided, not multiplied by 1e-6: this gives the nearest double, which prints short.
double microseconds(double seconds) { return std::round(seconds * 1e6) / 1e6; }

// nan and infinities become null, as JSON has neither.
Json number(double value) { return std::isfinite(value) ? Json(rounded(value)) : Json(nullptr); }

Json time(double seconds) {
  return std::isfinite(seconds) ? Json(microseconds(seconds)) : Json(nullptr);
}

Json times_json(const std::vector<double>& times, double span, std::size_t joined) {
  std::vector<double> begins;
  for (std::size_t i = 0; i < times.size(); i += joined) begins.push_back(times[i]);
  const double step = span * static_cast<double>(joined);
  bool is_even = true;
  for (std::size_t i = 0; i < begins.size(); ++i) {
    const double even = begins.front() + step * static_cast<double>(i);
    is_even = is_even && std::abs(begins[i] - even) < 1e-6;
  }
  if (is_even && !begins.empty()) {
    return {{"start", time(begins.front())}, {"step", time(step)}, {"count", begins.size()}};
  }
  Json list = Json::array();
  for (const double begin : begins) list.push_back(time(begin));
  return list;
}

Json steps_json(const std::vector<Verdict>& verdicts) {
  Json steps = Json::array();
  for (const Verdict& verdict : verdicts) {
    if (verdict.kind != VerdictKind::kStep) continue;
    steps.push_back({{"at", time(verdict.since)},
                     {"until", time(verdict.at)},
                     {"label", verdict.name},
                     {"phase", verdict.phase},
                     {"status", to_string(verdict.status)}});
  }
  return steps;
}

Json marks_json(const std::vector<MarkRecord>& marks) {
  Json list = Json::array();
  for (const MarkRecord& mark : marks) list.push_back({time(mark.time), mark.name});
  return list;
}

// Round in which an event is taken while there is room: limits come last.
int round_of(const EventRecord& event) {
  constexpr std::array kKinds{EventKind::kFault,           EventKind::kFaultCleared,
                              EventKind::kFaultStays,      EventKind::kCommandTimeout,
                              EventKind::kCalibrationDone, EventKind::kRejected};
  const bool is_rare = std::any_of(kKinds.begin(), kKinds.end(), [&event](EventKind kind) {
    return event.kind == to_string(kind);
  });
  return is_rare ? 0 : event.kind == to_string(EventKind::kLimited) ? 1 : 2;
}

Json events_json(const std::vector<EventRecord>& events) {
  Json list = Json::array();
  for (const int round : {0, 1}) {
    for (const EventRecord& event : events) {
      if (round_of(event) != round || list.size() >= kMostPlottedEvents) continue;
      list.push_back({{"at", time(event.time)},
                      {"kind", event.kind},
                      {"joint", event.joint},
                      {"text", event.sentence}});
    }
  }
  return list;
}

Json modes_json(const std::vector<ModeRecord>& modes) {
  Json by_joint = Json::object();
  for (const ModeRecord& mode : modes) {
    by_joint[mode.joint].push_back({time(mode.time), mode.mode, mode.interaction});
  }
  return by_joint;
}

Json figure_json(const Figure& figure) {
  Json panels = Json::array();
  for (const Panel& panel : figure.panels) {
    panels.push_back({{"title", panel.title}, {"unit", panel.unit}, {"traces", panel.traces}});
  }
  return {{"title", figure.title}, {"joint", figure.joint}, {"panels", std::move(panels)}};
}

Json failure_json(const Result& result, const FigurePlan& plan) {
  if (!result.first_failure) return nullptr;
  const Failure& failure = *result.first_failure;
  Json times = Json::array();
  for (const double t : result.traces.times_near_failure) times.push_back(microseconds(t));
  return {{"at", microseconds(failure.time)},
          {"name", failure.name},
          {"expected", failure.expected},
          {"got", failure.got},
          {"figure", plan.failure ? figure_json(*plan.failure) : Json(nullptr)},
          {"times", plan.failure ? std::move(times) : Json::array()}};
}

bool is_in(const std::optional<Figure>& figure, std::size_t trace) {
  if (!figure) return false;
  return std::any_of(figure->panels.begin(), figure->panels.end(), [trace](const Panel& panel) {
    return std::find(panel.traces.begin(), panel.traces.end(), trace) != panel.traces.end();
  });
}

std::string_view kind_of(const PlotBound& bound) {
  if (!bound.is_limit) return "bound";
  return bound.is_soft ? "soft limit" : "limit";
}

std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void append(std::string& text, const std::optional<int>& value) {
  if (!value) {
    text += "null";
    return;
  }
  std::array<char, 16> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), *value).ptr;
  text.append(digits.data(), end);
}

/// Appends a member to the object at the end of `text`. These lists are nearly all of a report: as
/// Json values they would take five times the room of their text, and nearly three times its time.
template <typename Values>
void append_list(std::string& text, std::string_view name, const Values& values) {
  text.back() = ',';
  text.append("\"").append(name).append("\":[");
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) text += ',';
    append(text, values[i]);
  }
  text += "]}";
}

std::string trace_text(const Trace& trace, std::size_t joined, bool near) {
  const CodedTrace coded = code_trace(trace.least, trace.most, joined);
  Json bounds = Json::array();
  for (const PlotBound& bound : trace.bounds) {
    if (!std::isfinite(bound.value)) continue;
    bounds.push_back({number(bound.value), kind_of(bound)});
  }
  Json json{{"name", trace.name},          {"unit", trace.unit},     {"role", role_of(trace)},
            {"bounds", std::move(bounds)}, {"offset", coded.offset}, {"step", coded.step}};
  if (near) {
    Json samples = Json::array();
    for (const double sample : trace.near_failure) samples.push_back(number(sample));
    json["near"] = std::move(samples);
  }
  std::string text = dumped(json);
  append_list(text, "low", coded.low);
  if (!coded.high.empty()) append_list(text, "high", coded.high);
  return text;
}

}  // namespace

void write_plot_data(std::ostream& out, const Result& result, const FigurePlan& plan,
                     std::size_t most_spans) {
  const Traces& traces = result.traces;
  const std::size_t joined =
      std::max<std::size_t>(1, (traces.times.size() + most_spans - 1) / most_spans);
  Json figures = Json::array();
  for (const Figure& figure : plan.open) figures.push_back(figure_json(figure));
  for (const Figure& figure : plan.folded) figures.push_back(figure_json(figure));
  const Json json{{"end", time(result.sim_time)},
                  {"span", time(traces.span * static_cast<double>(joined))},
                  {"times", times_json(traces.times, traces.span, joined)},
                  {"steps", steps_json(result.verdicts)},
                  {"marks", marks_json(result.marks)},
                  {"events", events_json(result.events)},
                  {"modes", modes_json(result.modes)},
                  {"failure", failure_json(result, plan)},
                  {"figures", std::move(figures)}};
  std::string text = dumped(json);
  text.back() = ',';
  out << script_safe(text) << "\"traces\":[";
  for (std::size_t i = 0; i < traces.signals.size(); ++i) {
    if (i > 0) out << ',';
    out << script_safe(trace_text(traces.signals[i], joined, is_in(plan.failure, i)));
  }
  out << "]}";
}

}  // namespace jointrig::harness::report
