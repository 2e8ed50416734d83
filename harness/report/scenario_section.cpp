#include "harness/report/scenario_section.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "control/core/text.h"
#include "harness/report/html_text.h"
#include "harness/report/verdict_tables.h"

namespace jointrig::harness::report {
namespace {

bool failed_as_expected(const Result& result) {
  return !result.expected_failure.empty() && result.outcome == Outcome::kPassed;
}

void write_line(std::ostream& out, const Result& result) {
  Badge badge = badge_of(result.outcome);
  if (failed_as_expected(result)) badge.word = "failed as expected";
  out << "<summary class=\"line\"><span class=\"verdict\">";
  write_badge(out, badge);
  out << "</span><span class=\"name\">" << escaped(result.scenario);
  if (!result.reason.empty()) {
    out << "<span class=\"why\">" << escaped(result.reason) << "</span>";
  } else if (!result.about.empty()) {
    const std::string first_line = result.about.substr(0, result.about.find('\n'));
    out << "<span class=\"gist\">" << escaped(first_line) << "</span>";
  }
  out << "</span><span class=\"time\">" << page_seconds(result.sim_time)
      << "</span><span class=\"factor\">"
      << real_time_factor_text(result.sim_time, result.wall_time) << "</span></summary>\n";
}

std::vector<Fact> facts_of(const Result& result) {
  std::vector<Fact> facts;
  const auto add = [&facts](std::string what, std::string value) {
    if (!value.empty()) facts.emplace_back(std::move(what), std::move(value));
  };
  add("file", result.file);
  for (const auto& [parameter, value] : result.variation) add(parameter, value);
  add("backend", result.backend);
  add("tags", joined(result.tags));
  add("cycles", fmt::format("{}", result.cycles));
  if (result.wall_time > 0.0) add("took", page_seconds(result.wall_time));
  add("state hash", result.state_hash);
  return facts;
}

void write_about(std::ostream& out, const Result& result) {
  if (!result.about.empty()) out << "<p class=\"about\">" << escaped(result.about) << "</p>\n";
  if (!result.expected_failure.empty()) {
    out << "<p class=\"note\">Expected to fail: " << escaped(result.expected_failure) << "</p>\n";
  }
  write_facts(out, facts_of(result));
  for (const std::string& note : result.notes) {
    out << "<p class=\"note\">Note: " << escaped(note) << "</p>\n";
  }
}

// The script fills it when it becomes visible.
void write_figure(std::ostream& out, const std::string& id, const std::string& title) {
  out << "<figure class=\"plot\" id=\"" << id << "\"><figcaption>" << escaped(title)
      << "</figcaption><div class=\"canvas\" role=\"img\" aria-label=\"Plots over time: "
      << escaped(title) << "\"></div></figure>\n";
}

void write_failure(std::ostream& out, const Result& result, const FigurePlan& plan,
                   const std::string& id) {
  if (!result.first_failure) return;
  const Failure& failure = *result.first_failure;
  out << "<section class=\"failure\"><h3>First failure, at " << page_seconds(failure.time) << ": "
      << escaped(failure.name) << "</h3>\n<dl class=\"contrast\"><div><dt>Expected</dt><dd>"
      << escaped(failure.expected) << "</dd></div><div><dt>Got</dt><dd>" << escaped(failure.got)
      << "</dd></div></dl>\n";
  if (plan.failure) write_figure(out, id + "-failure", "The failing moment, every cycle");
  out << "</section>\n";
}

void write_plots(std::ostream& out, const Result& result, const FigurePlan& plan,
                 const std::string& id) {
  if (plan.open.empty()) return;
  std::size_t number = 0;
  out << "<h3>Plots</h3>\n";
  if (result.cycles > 0) {
    out << "<p class=\"hint\">Times are linked: zoom into one plot and the others follow; a double "
           "click shows all again. Where one point stands for several cycles, their least and "
           "greatest values are drawn.</p>\n";
  }
  for (const Figure& figure : plan.open) {
    write_figure(out, fmt::format("{}-{}", id, number++), figure.title);
  }
  if (plan.folded.empty()) return;
  out << "<details class=\"fold\"><summary>" << plan.folded.size() << " more: ";
  constexpr std::size_t kMostNames = 12;
  for (std::size_t i = 0; i < std::min(plan.folded.size(), kMostNames); ++i) {
    out << (i > 0 ? ", " : "") << escaped(plan.folded[i].title);
  }
  out << (plan.folded.size() > kMostNames ? ", …" : "") << "</summary>\n";
  for (const Figure& figure : plan.folded) {
    write_figure(out, fmt::format("{}-{}", id, number++), figure.title);
  }
  out << "</details>\n";
}

void write_properties(std::ostream& out, const ScenarioReport& scenario,
                      const std::map<std::string, std::string>& common) {
  std::vector<Fact> facts;
  for (const auto& [what, value] : scenario.result->properties) {
    if (!common.contains(what)) facts.emplace_back(what, value);
  }
  if (facts.empty()) return;
  out << "<details class=\"fold\"><summary>Properties</summary>\n";
  write_facts(out, facts);
  out << "</details>\n";
}

void write_files(std::ostream& out, const ScenarioReport& scenario) {
  if (!scenario.effective_yaml.empty()) {
    out << "<details class=\"fold\"><summary>The scenario with all defaults written out"
           "</summary>\n<pre tabindex=\"0\">"
        << escaped(scenario.effective_yaml) << "</pre></details>\n";
  }
  if (scenario.files.empty()) return;
  out << "<p class=\"files\">Files: ";
  for (std::size_t i = 0; i < scenario.files.size(); ++i) {
    const auto& [label, path] = scenario.files[i];
    out << (i > 0 ? ", " : "") << "<a href=\"" << relative_link(path) << "\">" << escaped(label)
        << "</a>";
  }
  out << "</p>\n";
}

}  // namespace

std::string real_time_factor_text(double sim_time, double wall_time) {
  if (!(wall_time > 0.0) || !std::isfinite(sim_time)) return {};
  const double factor = sim_time / wall_time;
  // Three digits: the precision of a clock on a shared machine.
  const double unit = std::pow(10.0, std::floor(std::log10(std::max(factor, 1e-3))) - 2.0);
  return number_text(std::round(factor / unit) * unit) + " ×";
}

void write_scenario_section(std::ostream& out, const ScenarioReport& scenario,
                            const FigurePlan& plan, const SectionPlace& place) {
  const Result& result = *scenario.result;
  const std::string id = fmt::format("s{}", place.number);
  out << "<details class=\"scenario " << badge_of(result.outcome).style << "\" id=\"" << id
      << "\" data-scenario=\"" << place.number << '"' << (place.is_open ? " open" : "") << ">\n";
  write_line(out, result);
  out << "<div class=\"body\">\n";
  write_about(out, result);
  write_failure(out, result, plan, id);
  write_expectations(out, result.verdicts);
  write_steps(out, result.verdicts);
  write_plots(out, result, plan, id);
  write_limits(out, result);
  write_events(out, result);
  write_properties(out, scenario, *place.common);
  write_files(out, scenario);
  out << "</div></details>\n";
}

}  // namespace jointrig::harness::report
