#include "harness/report/compare_page.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "harness/config/whole_file.h"
#include "harness/report/html_text.h"
#include "harness/report/plotly_js.h"

namespace jointrig::harness {

extern const std::string_view kPageStyle;
extern const std::string_view kCompareScript;
extern const std::string_view kWhenSeenScript;

namespace {

using CurveJson = nlohmann::json;

constexpr std::size_t kMostSpans = 1000;  // a plot is about 1000 pixels wide

/// Least and most of each span, in the order in which they came.
CurveJson curve_json(const ComparedCurve& curve) {
  CurveJson x = CurveJson::array();
  CurveJson y = CurveJson::array();
  const std::size_t count = curve.value.size();
  const std::size_t span = std::max<std::size_t>(1, (count + kMostSpans - 1) / kMostSpans);
  const auto put = [&](std::size_t i) {
    x.push_back(static_cast<double>(static_cast<float>(curve.time[i])));
    y.push_back(static_cast<double>(static_cast<float>(curve.value[i])));
  };
  for (std::size_t begin = 0; begin < count; begin += span) {
    const auto from = curve.value.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto to =
        curve.value.begin() + static_cast<std::ptrdiff_t>(std::min(count, begin + span));
    const auto [least, most] = std::minmax_element(from, to);
    const auto low = static_cast<std::size_t>(least - curve.value.begin());
    const auto high = static_cast<std::size_t>(most - curve.value.begin());
    put(std::min(low, high));
    if (low != high) put(std::max(low, high));
  }
  return {{"x", std::move(x)}, {"y", std::move(y)}};
}

void write_scenario(std::ostream& out, const ComparedScenario& scenario, std::size_t number) {
  out << "<details class=\"scenario\" " << (number < 3 ? "open" : "") << "><summary class=\"line\">"
      << "<span class=\"name\">" << report::escaped(scenario.name) << "</span></summary>\n<ul>\n";
  for (const std::string& sentence : scenario.sentences) {
    out << "<li>" << report::escaped(sentence) << "</li>\n";
  }
  out << "</ul>\n";
  for (std::size_t i = 0; i < scenario.plots.size(); ++i) {
    out << "<figure class=\"plot\" data-scenario=\"" << number << "\" data-plot=\"" << i
        << "\"><figcaption>" << report::escaped(scenario.plots[i].title)
        << "</figcaption><div class=\"canvas\" role=\"img\" aria-label=\"Both runs over time: "
        << report::escaped(scenario.plots[i].title) << "\"></div></figure>\n";
  }
  out << "</details>\n";
}

void write_data(std::ostream& out, const std::string& first, const std::string& second,
                std::span<const ComparedScenario> scenarios) {
  CurveJson data{{"first", first}, {"second", second}, {"scenarios", CurveJson::array()}};
  for (const ComparedScenario& scenario : scenarios) {
    CurveJson plots = CurveJson::array();
    for (const ComparedPlot& plot : scenario.plots) {
      plots.push_back({{"unit", plot.unit},
                       {"first", curve_json(plot.first)},
                       {"second", curve_json(plot.second)}});
    }
    data["scenarios"].push_back(std::move(plots));
  }
  out << "<script type=\"application/json\" id=\"data\">"
      << report::script_safe(data.dump(-1, ' ', false, CurveJson::error_handler_t::replace))
      << "</script>\n";
}

}  // namespace

void write_compare_page(const std::filesystem::path& path, const std::string& first,
                        const std::string& second, std::span<const ComparedScenario> scenarios) {
  WholeFile file(path);
  std::ostream& out = file.out();
  out << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         "<meta name=\"color-scheme\" content=\"light dark\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
         "script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:\">\n"
         "<title>jointrig compare</title>\n<style>\n"
      << kPageStyle << "</style>\n</head>\n<body>\n<header class=\"none\">\n"
      << "<p class=\"title\">jointrig compare</p>\n<h1>" << scenarios.size()
      << (scenarios.size() == 1 ? " scenario" : " scenarios") << " changed</h1>\n<p>"
      << report::escaped(first) << " → " << report::escaped(second) << "</p>\n</header>\n<main>\n"
      << "<noscript><p class=\"note\">Plots need JavaScript; everything else is here.</p>"
         "</noscript>\n<section aria-label=\"Scenarios\">\n";
  for (std::size_t i = 0; i < scenarios.size(); ++i) write_scenario(out, scenarios[i], i);
  out << "</section>\n</main>\n<footer>Written by jointrig. Plots: plotly.js, © Plotly, Inc., MIT "
         "licence.</footer>\n";
  write_data(out, first, second, scenarios);
  out << "<script>\n"
      << plotly_js() << "\n</script>\n<script>\n"
      << kWhenSeenScript << "</script>\n<script>\n"
      << kCompareScript << "</script>\n</body>\n</html>\n";
  file.commit();
}

}  // namespace jointrig::harness
