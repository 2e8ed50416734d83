#include "app/doctor/report.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <limits>
#include <nlohmann/json.hpp>
#include <ostream>
#include <sstream>

#include "control/stack/loop_statistics.h"

namespace jointrig::app {
namespace {

/// Samples in [from, to).
struct Step {
  std::int64_t from_ns;
  std::int64_t to_ns;
  std::uint64_t count;
};

constexpr std::int64_t kEndless = std::numeric_limits<std::int64_t>::max();

/// 0..1 µs, then 1, 2, 5, 10 ... up to 1 s, then the rest; empty steps at both ends left out.
std::vector<Step> steps_of(const DurationHistogram& histogram) {
  std::vector<std::int64_t> edges{0};
  for (std::int64_t decade = 1'000; decade < 1'000'000'000; decade *= 10) {
    for (const std::int64_t factor : {1, 2, 5}) edges.push_back(factor * decade);
  }
  edges.push_back(1'000'000'000);
  edges.push_back(kEndless);
  std::vector<Step> steps;
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
    steps.push_back({edges[i], edges[i + 1], histogram.count_between(edges[i], edges[i + 1])});
  }
  const auto is_used = [](const Step& step) { return step.count > 0; };
  const auto first = std::find_if(steps.begin(), steps.end(), is_used);
  const auto last = std::find_if(steps.rbegin(), steps.rend(), is_used).base();
  return first < last ? std::vector<Step>(first, last) : std::vector<Step>{};
}

/// Columns on the screen: `µ` takes two bytes and one column.
std::size_t columns(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string padding(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, columns(text)), ' ');
}

std::string right(const std::string& text, std::size_t width) {
  return padding(text, width) + text;
}

std::string left(const std::string& text, std::size_t width) { return text + padding(text, width); }

std::string edge_text(std::int64_t edge_ns) {
  std::ostringstream text;
  if (edge_ns >= 1'000'000'000) {
    text << edge_ns / 1'000'000'000 << " s";
  } else if (edge_ns >= 1'000'000) {
    text << edge_ns / 1'000'000 << " ms";
  } else {
    text << edge_ns / 1'000 << " µs";
  }
  return text.str();
}

constexpr std::size_t kName = 34;
constexpr std::size_t kNumber = 10;

void print_row(std::ostream& out, const WakeUp& row) {
  if (!row.late) return;
  const DurationSummary late = row.late->summary();
  out << "  " << left(row.name, kName);
  for (const std::int64_t value : {late.p50_ns, late.p99_ns, late.p999_ns, late.max_ns}) {
    out << right(duration_text(value), kNumber);
  }
  out << right(fmt::format("{}", row.skipped), kNumber);
  if (row.cycle) {
    const DurationSummary cycle = row.cycle->summary();
    out << right(duration_text(cycle.p50_ns), kNumber)
        << right(duration_text(cycle.p99_ns), kNumber)
        << right(duration_text(cycle.max_ns), kNumber);
  }
  out << '\n';
}

nlohmann::json to_json(const DurationHistogram& histogram) {
  const DurationSummary summary = histogram.summary();
  nlohmann::json steps = nlohmann::json::array();
  for (const Step& step : steps_of(histogram)) {
    nlohmann::json to = nullptr;  // of the last, endless step
    if (step.to_ns != kEndless) to = step.to_ns;
    steps.push_back({{"from_ns", step.from_ns}, {"to_ns", to}, {"count", step.count}});
  }
  return {{"count", summary.count},     {"p50_ns", summary.p50_ns}, {"p99_ns", summary.p99_ns},
          {"p999_ns", summary.p999_ns}, {"max_ns", summary.max_ns}, {"histogram", steps}};
}

}  // namespace

std::string rate_name(TimeNs period_ns) {
  std::ostringstream text;
  const double hertz = 1e9 / static_cast<double>(period_ns);
  text << std::setprecision(4) << (hertz >= 1000.0 ? hertz / 1000.0 : hertz)
       << (hertz >= 1000.0 ? " kHz" : " Hz");
  return text.str();
}

void print_findings(std::ostream& out, const std::vector<Finding>& findings) {
  for (const Finding& finding : findings) {
    out << "  " << left(std::string{to_string(finding.severity)}, 6) << left(finding.topic, 13)
        << finding.text << '\n';
    if (!finding.fix.empty()) out << std::string(21, ' ') << "-> " << finding.fix << '\n';
  }
}

void print_table(std::ostream& out, const Diagnosis& diagnosis) {
  out << "  " << left("wake-up lateness", kName);
  for (const char* title : {"p50", "p99", "p99.9", "max", "skipped"}) out << right(title, kNumber);
  if (diagnosis.paced.cycle) {
    for (const char* title : {"cycle p50", "p99", "max"}) out << right(title, kNumber);
  }
  out << '\n';
  for (const WakeUp* row :
       {&diagnosis.before, &diagnosis.paced, &diagnosis.spinning, &diagnosis.after}) {
    print_row(out, *row);
  }
}

void print_histogram(std::ostream& out, const WakeUp& measured) {
  constexpr double kWidest = 50.0;
  const std::vector<Step> steps = steps_of(*measured.late);
  std::uint64_t most = 1;
  for (const Step& step : steps) most = std::max(most, step.count);
  out << "  " << measured.name << ", wake-up lateness (bars: logarithm of the count)\n";
  for (const Step& step : steps) {
    const double share =
        std::log1p(static_cast<double>(step.count)) / std::log1p(static_cast<double>(most));
    const auto length = static_cast<std::size_t>(std::lround(share * kWidest));
    const std::string range =
        step.to_ns == kEndless ? "above " + edge_text(step.from_ns)
                               : edge_text(step.from_ns) + " .. " + right(edge_text(step.to_ns), 6);
    out << right(range, 18) << " |" << std::string(length, '#')
        << (step.count > 0 ? fmt::format(" {}", step.count) : "") << '\n';
  }
}

std::string to_json(const Diagnosis& diagnosis) {
  nlohmann::ordered_json json;
  json["verdict"] = to_string(diagnosis.verdict);
  json["reason"] = diagnosis.reason;
  json["cpu"] = diagnosis.cpu;
  json["period_ns"] = diagnosis.period_ns;
  json["seconds"] = diagnosis.seconds;
  json["priority"] = diagnosis.priority;
  json["findings"] = nlohmann::ordered_json::array();
  for (const Finding& finding : diagnosis.findings) {
    json["findings"].push_back({{"severity", to_string(finding.severity)},
                                {"topic", finding.topic},
                                {"text", finding.text},
                                {"fix", finding.fix}});
  }
  json["measurements"] = nlohmann::ordered_json::array();
  for (const WakeUp* row :
       {&diagnosis.before, &diagnosis.paced, &diagnosis.spinning, &diagnosis.after}) {
    if (!row->late) continue;
    nlohmann::ordered_json entry{{"name", row->name},
                                 {"skipped", row->skipped},
                                 {"gaps", row->gaps},
                                 {"late", to_json(*row->late)}};
    if (row->cycle) entry["cycle"] = to_json(*row->cycle);
    json["measurements"].push_back(entry);
  }
  return json.dump(2) + "\n";
}

}  // namespace jointrig::app
