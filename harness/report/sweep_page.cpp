#include "harness/report/sweep_page.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "harness/config/whole_file.h"
#include "harness/report/html_text.h"
#include "harness/report/plotly_js.h"

namespace jointrig::harness {

extern const std::string_view kPageStyle;
extern const std::string_view kSweepScript;
extern const std::string_view kWhenSeenScript;

namespace {

using PageJson = nlohmann::json;

constexpr std::size_t kMostAxes = 6;         // in pairs: 15 pictures; a choice
constexpr std::size_t kMostBoundaries = 50;  // by sentence; the pictures have all: a choice

bool passed(const SweptCase& one) { return one.outcome == "passed"; }
bool was_judged(const SweptCase& one) {
  return one.outcome != "not_run" && one.outcome != "skipped";
}

PageJson data_of(const SweptSearch& search) {
  PageJson values = PageJson::array();
  for (const std::optional<double>& value : search.values) {
    values.push_back(value ? PageJson(*value) : PageJson(nullptr));
  }
  return {{"objective", search.objective},
          {"unit", search.unit},
          {"larger_is_better", search.larger_is_better},
          {"values", values},
          {"passed", search.passed}};
}

/// By columns: a name for each value of ten thousand cases would be most of the page.
PageJson data_of(const SweptPage& page) {
  PageJson data{{"commands", page.commands},      {"axes", PageJson::array()},
                {"at", PageJson::array()},        {"outcome", PageJson::array()},
                {"margin", PageJson::array()},    {"failed", PageJson::array()},
                {"boundaries", PageJson::array()}};
  for (const SweptAxis& axis : page.axes) {
    data["axes"].push_back({{"name", axis.name}, {"unit", axis.unit}, {"labels", axis.labels}});
  }
  for (const SweptCase& one : page.cases) {
    data["at"].push_back(one.at);
    data["outcome"].push_back(!was_judged(one) ? -1 : passed(one) ? 1 : 0);
    data["margin"].push_back(one.margin ? PageJson(*one.margin) : PageJson(nullptr));
    if (passed(one) || !was_judged(one)) continue;
    data["failed"].push_back({one.values, one.outcome, one.margin_text, one.reason, one.arguments});
  }
  for (const SweptBoundary& boundary : page.boundaries) {
    data["boundaries"].push_back({{"at", boundary.at}, {"along", boundary.along}});
  }
  if (page.search) data["search"] = data_of(*page.search);
  return data;
}

void write_figure(std::ostream& out, const SweptPage& page, std::size_t x, std::size_t y) {
  const bool is_line = x == y;
  const std::string name = report::escaped(page.axes[x].name);
  const std::string title =
      is_line ? "Margin over " + name : name + " and " + report::escaped(page.axes[y].name);
  out << "<figure class=\"plot\" data-x=\"" << x << "\" data-y=\"" << y << "\"><figcaption>"
      << title
      << "</figcaption><div class=\"canvas\" role=\"img\" aria-label=\"Where it passes: " << title
      << "\"></div></figure>\n";
}

void write_figures(std::ostream& out, const SweptPage& page) {
  const std::size_t axes = std::min(page.axes.size(), kMostAxes);
  out << "<section aria-label=\"Where it passes\">\n<h2>Where it passes</h2>\n";
  if (axes == 1) write_figure(out, page, 0, 0);
  for (std::size_t x = 0; x < axes; ++x) {
    for (std::size_t y = x + 1; y < axes; ++y) write_figure(out, page, x, y);
  }
  out << "<p>Green: all cases of the place passed; red: none did; between them the share that "
         "passed, of seeds and of all that is not on the two axes. Line: the boundary.</p>\n"
         "</section>\n";
}

void write_search(std::ostream& out, const SweptSearch& search) {
  out << "<section aria-label=\"Best sample\">\n<h2>Best sample</h2>\n";
  if (search.best.empty()) {
    out << "<p>No sample passed.</p>\n";
  } else {
    out << "<p>" << report::escaped(search.best) << "</p>\n<pre>" << report::escaped(search.command)
        << "</pre>\n";
  }
  out << "<figure class=\"plot\" data-search=\"1\"><figcaption>"
      << report::escaped(search.objective)
      << " of each sample, and the best so far</figcaption><div class=\"canvas\" role=\"img\" "
         "aria-label=\"History of the search\"></div></figure>\n</section>\n";
}

void write_boundaries(std::ostream& out, const SweptPage& page) {
  out << "<section aria-label=\"Boundary\">\n<h2>Boundary</h2>\n";
  if (page.boundaries.empty()) {
    out << "<p>None was found: it is told for grids of one or two varied numbers, between "
           "neighbours of which one passes and one does not.</p>\n</section>\n";
    return;
  }
  out << "<p>In the middle between a case that passes and its neighbour on the grid that does "
         "not; it lies somewhere between the two.</p>\n<ul>\n";
  const std::size_t shown = std::min(page.boundaries.size(), kMostBoundaries);
  for (std::size_t i = 0; i < shown; ++i) {
    out << "<li>" << report::escaped(page.boundaries[i].sentence) << "</li>\n";
  }
  if (shown < page.boundaries.size()) {
    out << "<li>and " << page.boundaries.size() - shown << " more</li>\n";
  }
  out << "</ul>\n</section>\n";
}

/// The least margin; without any the first that did not pass.
const SweptCase* worst_of(const SweptPage& page) {
  const SweptCase* worst = nullptr;
  for (const SweptCase& one : page.cases) {
    if (!was_judged(one)) continue;
    const bool is_first = worst == nullptr;
    const bool is_worse =
        !is_first && one.margin && (!worst->margin || *one.margin < *worst->margin);
    if (is_first ? (one.margin || !passed(one)) : is_worse) worst = &one;
  }
  return worst;
}

void write_worst(std::ostream& out, const SweptPage& page) {
  const SweptCase* worst = worst_of(page);
  if (worst == nullptr) return;
  out << "<section aria-label=\"Worst case\">\n<h2>Worst case</h2>\n<p>"
      << report::escaped(worst->values) << ": " << report::escaped(worst->outcome)
      << (worst->margin_text.empty() ? "" : ", margin " + report::escaped(worst->margin_text))
      << "</p>\n<pre>";
  for (const std::string& command : page.commands) {
    out << report::escaped(command + " " + worst->arguments) << "\n";
  }
  out << "</pre>\n</section>\n";
}

void write_head(std::ostream& out, const SweptPage& page) {
  const auto count = [&page](auto is_it) {
    return std::count_if(page.cases.begin(), page.cases.end(), is_it);
  };
  const auto all = static_cast<std::ptrdiff_t>(page.cases.size());
  const auto judged = count(was_judged);
  const auto good = count(passed);
  out << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         "<meta name=\"color-scheme\" content=\"light dark\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
         "script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:\">\n"
         "<title>"
      << report::escaped(page.title) << "</title>\n<style>\n"
      << kPageStyle << "</style>\n</head>\n<body>\n<header class=\""
      << (good == all ? "ok" : "none") << "\">\n<p class=\"title\">jointrig sweep</p>\n<h1>"
      << report::escaped(page.title) << ": " << good << " of " << judged << " cases passed</h1>\n";
  if (judged < all) out << "<p>" << all - judged << " of " << all << " cases have not run</p>\n";
  if (!page.about.empty()) out << "<p>" << report::escaped(page.about) << "</p>\n";
  out << "<p>";
  for (const auto& [name, value] : page.facts) {
    out << report::escaped(name) << " " << report::escaped(value) << " · ";
  }
  out << "<a href=\"table.csv\">table.csv</a></p>\n</header>\n";
}

}  // namespace

void write_sweep_page(const std::filesystem::path& path, const SweptPage& page) {
  WholeFile file(path);
  std::ostream& out = file.out();
  write_head(out, page);
  out << "<main class=\"sweep\">\n<noscript><p class=\"note\">Pictures and the list of failed "
         "cases need "
         "JavaScript; table.csv has every case.</p></noscript>\n";
  if (page.search) write_search(out, *page.search);
  write_figures(out, page);
  if (!page.search) write_boundaries(out, page);
  write_worst(out, page);
  out << "<section aria-label=\"Cases that did not pass\" id=\"failed\"></section>\n</main>\n"
         "<footer>Written by jointrig. Plots: plotly.js, © Plotly, Inc., MIT licence.</footer>\n"
         "<script type=\"application/json\" id=\"data\">"
      << report::script_safe(data_of(page).dump(-1, ' ', false, PageJson::error_handler_t::replace))
      << "</script>\n<script>\n"
      << plotly_js() << "\n</script>\n<script>\n"
      << kWhenSeenScript << "</script>\n<script>\n"
      << kSweepScript << "</script>\n</body>\n</html>\n";
  file.commit();
}

}  // namespace jointrig::harness
