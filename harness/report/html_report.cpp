#include "harness/report/html_report.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <stdexcept>

#include "harness/config/whole_file.h"
#include "harness/report/figure_plan.h"
#include "harness/report/html_text.h"
#include "harness/report/plot_data.h"
#include "harness/report/plotly_js.h"
#include "harness/report/scenario_section.h"
#include "harness/report/verdict_tables.h"

namespace jointrig::harness {

extern const std::string_view kPageStyle;
extern const std::string_view kPageScript;
extern const std::string_view kFigureScript;
extern const std::string_view kWhenSeenScript;

namespace {

using report::Badge;
using report::badge_of;
using report::escaped;
using report::FigurePlan;
using report::page_seconds;
using report::plan_figures;
using report::real_time_factor_text;
using report::write_facts;
using report::write_plot_data;
using report::write_scenario_section;

using Scenarios = std::span<const ScenarioReport>;

bool is_bad(Outcome outcome) { return outcome != Outcome::kPassed && outcome != Outcome::kSkipped; }

std::size_t count_of(Scenarios scenarios, Outcome outcome) {
  return static_cast<std::size_t>(
      std::count_if(scenarios.begin(), scenarios.end(),
                    [outcome](const ScenarioReport& s) { return s.result->outcome == outcome; }));
}

// `3 passed, 1 failed, 1 skipped`
std::string counts_text(Scenarios scenarios) {
  std::string text;
  for (const Outcome outcome : kAllOutcome) {
    const std::size_t count = count_of(scenarios, outcome);
    if (count == 0) continue;
    if (!text.empty()) text += ", ";
    text += fmt::format("{} {}", count, badge_of(outcome).word);
  }
  return text.empty() ? "no scenario ran" : text;
}

struct Headline {
  std::string_view style;
  std::string_view sign;
  std::string words;
};

Headline headline_of(Scenarios scenarios) {
  const auto bad = std::count_if(scenarios.begin(), scenarios.end(),
                                 [](const ScenarioReport& s) { return is_bad(s.result->outcome); });
  if (scenarios.size() == 1) {
    const Badge badge = badge_of(scenarios.front().result->outcome);
    std::string words(badge.word);
    words.front() = static_cast<char>(words.front() - 'a' + 'A');
    return {badge.style, badge.sign, words + ": " + scenarios.front().result->scenario};
  }
  if (bad > 0) {
    return {"bad", "✗", fmt::format("{} of {} scenarios did not pass", bad, scenarios.size())};
  }
  const std::size_t passed = count_of(scenarios, Outcome::kPassed);
  if (passed == 0) return {"none", "–", "Nothing was judged"};
  return {"ok", "✓",
          passed == scenarios.size() ? fmt::format("All {} scenarios passed", passed)
                                     : fmt::format("{} scenarios passed", passed)};
}

// Properties that all results of the run share.
std::map<std::string, std::string> common_properties(Scenarios scenarios) {
  std::map<std::string, std::string> common;
  if (scenarios.empty()) return common;
  common = scenarios.front().result->properties;
  for (const ScenarioReport& scenario : scenarios) {
    const auto& own = scenario.result->properties;
    std::erase_if(common, [&own](const auto& property) {
      const auto found = own.find(property.first);
      return found == own.end() || found->second != property.second;
    });
  }
  return common;
}

std::vector<Fact> head_facts(const RunInfo& info, Scenarios scenarios) {
  std::vector<Fact> facts;
  if (!info.date.empty()) facts.emplace_back("date", info.date);
  if (scenarios.size() != 1) facts.emplace_back("scenarios", counts_text(scenarios));
  double sim_time = 0.0;
  double wall_time = 0.0;
  for (const ScenarioReport& scenario : scenarios) {
    sim_time += scenario.result->sim_time;
    wall_time += scenario.result->wall_time;
  }
  facts.emplace_back("simulated", page_seconds(sim_time));
  const std::string factor = real_time_factor_text(sim_time, wall_time);
  if (!factor.empty()) facts.emplace_back("real-time factor", factor);
  if (scenarios.size() == 1 && !scenarios.front().result->state_hash.empty()) {
    facts.emplace_back("state hash", scenarios.front().result->state_hash);
  }
  facts.insert(facts.end(), info.facts.begin(), info.facts.end());
  return facts;
}

void write_top(std::ostream& out, const RunInfo& info, Scenarios scenarios) {
  const std::string title = escaped(info.title.empty() ? "jointrig run" : info.title);
  const Headline headline = headline_of(scenarios);
  out << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         "<meta name=\"color-scheme\" content=\"light dark\">\n"
         // The policy blocks all loading and sending, even by a script.
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
         "script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:\">\n<title>"
      << headline.sign << ' ' << escaped(headline.words) << " – " << title << "</title>\n<style>\n"
      << kPageStyle << "</style>\n</head>\n<body>\n<header class=\"" << headline.style
      << "\">\n<p class=\"title\">" << title << "</p>\n<h1><span aria-hidden=\"true\">"
      << headline.sign << "</span> " << escaped(headline.words) << "</h1>\n";
  write_facts(out, head_facts(info, scenarios));
  out << "</header>\n<main>\n";
}

void write_controls(std::ostream& out, Scenarios scenarios) {
  out << "<form class=\"controls\" id=\"controls\" hidden>"
         "<fieldset><legend>Angles</legend>"
         "<label><input type=\"radio\" name=\"angle\" value=\"deg\" checked> degrees</label>"
         "<label><input type=\"radio\" name=\"angle\" value=\"rad\"> radians</label></fieldset>"
         "<label><input type=\"checkbox\" name=\"limits\"> limits in view</label>";
  if (scenarios.size() > 1) {
    out << "<label><input type=\"checkbox\" name=\"bad\"> only what did not pass</label>"
           "<button type=\"button\" name=\"fold\">Fold all</button>";
  }
  out << "</form>\n<noscript><p class=\"note\">Plots need JavaScript; everything else is "
         "here.</p></noscript>\n";
}

void write_sections(std::ostream& out, Scenarios scenarios, const std::vector<FigurePlan>& plans) {
  constexpr int kMostOpen = 3;  // of the scenarios that did not pass
  const auto common = common_properties(scenarios);
  out << "<section aria-label=\"Scenarios\">\n<div class=\"line head\" aria-hidden=\"true\">"
         "<span class=\"verdict\">Verdict</span><span class=\"name\">Scenario</span>"
         "<span class=\"time\">Simulated</span><span class=\"factor\">Speed</span></div>\n";
  int opened = 0;
  for (std::size_t i = 0; i < scenarios.size(); ++i) {
    const bool is_open =
        scenarios.size() == 1 || (is_bad(scenarios[i].result->outcome) && opened < kMostOpen);
    if (is_open) ++opened;
    write_scenario_section(out, scenarios[i], plans[i], {i, is_open, &common});
  }
  out << "</section>\n";
  if (common.empty()) return;
  out << "<details class=\"fold environment\"><summary>Environment</summary>\n";
  write_facts(out, {common.begin(), common.end()});
  out << "</details>\n";
}

// A plot is about 1000 pixels wide (a choice): in a run of many scenarios the passed ones get fewer
// points, so that the page stays small.
std::size_t most_spans(const Result& result, std::size_t scenarios) {
  constexpr std::size_t kMany = 8;
  return scenarios > kMany && !is_bad(result.outcome) ? 600 : 2000;
}

void write_scripts(std::ostream& out, Scenarios scenarios, const std::vector<FigurePlan>& plans) {
  out << "<script type=\"application/json\" id=\"data\">[";
  for (std::size_t i = 0; i < scenarios.size(); ++i) {
    const Result& result = *scenarios[i].result;
    out << (i > 0 ? ",\n" : "\n");
    write_plot_data(out, result, plans[i], most_spans(result, scenarios.size()));
  }
  out << "\n]</script>\n<script>\n"
      << plotly_js() << "\n</script>\n<script>\n"
      << kFigureScript << "</script>\n<script>\n"
      << kWhenSeenScript << "</script>\n<script>\n"
      << kPageScript << "</script>\n";
}

}  // namespace

void write_html_report(std::ostream& out, const RunInfo& info, Scenarios scenarios) {
  std::vector<FigurePlan> plans;
  for (const ScenarioReport& scenario : scenarios) plans.push_back(plan_figures(*scenario.result));
  write_top(out, info, scenarios);
  write_controls(out, scenarios);
  write_sections(out, scenarios, plans);
  out << "</main>\n<footer>Written by jointrig. Plots: plotly.js, © Plotly, Inc., MIT licence."
         "</footer>\n";
  write_scripts(out, scenarios, plans);
  out << "</body>\n</html>\n";
}

void write_html_report(const std::filesystem::path& path, const RunInfo& info,
                       Scenarios scenarios) {
  WholeFile file(path);
  write_html_report(file.out(), info, scenarios);
  file.commit();
}

}  // namespace jointrig::harness
