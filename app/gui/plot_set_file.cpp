#include "app/gui/plot_set_file.h"

#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>

#include "app/user_path.h"
#include "harness/config/whole_file.h"
#include "harness/config/yaml_document.h"

namespace jointrig::app {

extern const std::string_view kShippedPlotSets;

namespace {

void refuse_unknown_keys(const harness::YamlNode& node,
                         std::initializer_list<std::string_view> known) {
  for (const harness::YamlNode::Entry& entry : node.entries()) {
    if (std::find(known.begin(), known.end(), entry.key) != known.end()) continue;
    std::string list;
    for (const std::string_view key : known) list += (list.empty() ? "" : ", ") + std::string(key);
    throw harness::FileError(entry.spot, "unknown key \"" + entry.key + "\"; there are " + list);
  }
}

gui::PlotLayout read_set(const harness::YamlNode& node) {
  refuse_unknown_keys(node, {"name", "span", "plots"});
  gui::PlotLayout layout;
  layout.name = node.at("name").text();
  if (const harness::YamlNode* span = node.find("span")) {
    layout.span = span->number();
    if (!(layout.span >= gui::TimeAxis::kShortest && layout.span <= 3600.0)) {
      throw span->error("a span of " + span->raw() + " s can't be shown; 0.005 to 3600 can");
    }
  }
  const harness::YamlNode& plots = node.at("plots");
  if (plots.items().size() > gui::PlotSet::kMostPlots) {
    throw plots.error(
        fmt::format("{} plots; {} is the most", plots.items().size(), gui::PlotSet::kMostPlots));
  }
  for (const harness::YamlNode& plot : plots.items()) {
    std::vector<std::string>& names = layout.plots.emplace_back();
    for (const harness::YamlNode& signal : plot.items()) names.push_back(signal.text());
  }
  return layout;
}

const gui::PlotLayout* named(const std::vector<gui::PlotLayout>& sets, const std::string& name) {
  const auto found = std::find_if(sets.begin(), sets.end(),
                                  [&name](const gui::PlotLayout& set) { return set.name == name; });
  return found == sets.end() ? nullptr : &*found;
}

std::vector<gui::PlotLayout> read_sets(const harness::YamlNode& root) {
  refuse_unknown_keys(root, {"plot_sets"});
  std::vector<gui::PlotLayout> sets;
  for (const harness::YamlNode& node : root.at("plot_sets").items()) {
    gui::PlotLayout set = read_set(node);
    if (named(sets, set.name) != nullptr) {
      throw node.at("name").error("a second plot set called \"" + set.name + "\"");
    }
    sets.push_back(std::move(set));
  }
  return sets;
}

}  // namespace

std::vector<gui::PlotLayout> parse_plot_sets(std::string_view yaml, const std::string& name) {
  return read_sets(harness::parse_yaml(yaml, name));
}

std::string plot_sets_yaml(const std::vector<gui::PlotLayout>& sets) {
  std::string yaml = "plot_sets:\n";
  if (sets.empty()) return "plot_sets: []\n";
  for (const gui::PlotLayout& set : sets) {
    yaml += "  - name: " + harness::yaml_string(set.name) +
            "\n    span: " + harness::yaml_number(set.span) + "\n";
    yaml += set.plots.empty() ? "    plots: []\n" : "    plots:\n";
    for (const std::vector<std::string>& names : set.plots) {
      std::string list;
      for (const std::string& signal : names)
        list += (list.empty() ? "" : ", ") + harness::yaml_string(signal);
      yaml += "      - [" + list + "]\n";
    }
  }
  return yaml;
}

std::vector<gui::PlotLayout> shipped_plot_sets() {
  return parse_plot_sets(kShippedPlotSets, "the shipped plot sets");
}

std::filesystem::path plot_set_path() { return config_path("plot-sets.yaml"); }

std::vector<gui::PlotLayout> load_plot_sets(const std::filesystem::path& path) {
  std::vector<gui::PlotLayout> sets = shipped_plot_sets();
  if (path.empty() || !std::filesystem::exists(path)) return sets;
  for (gui::PlotLayout& own : read_sets(harness::load_yaml(path))) {
    std::erase_if(sets, [&own](const gui::PlotLayout& set) { return set.name == own.name; });
    sets.push_back(std::move(own));
  }
  return sets;
}

void save_plot_sets(const std::vector<gui::PlotLayout>& sets, const std::filesystem::path& path) {
  if (path.empty()) {
    throw std::runtime_error("plot sets can't be kept: neither XDG_CONFIG_HOME nor HOME is set");
  }
  const std::vector<gui::PlotLayout> shipped = shipped_plot_sets();
  std::vector<gui::PlotLayout> own;
  for (const gui::PlotLayout& set : sets) {
    const gui::PlotLayout* same = named(shipped, set.name);
    if (same == nullptr || !(*same == set)) own.push_back(set);
  }
  std::error_code ignored;  // the open then fails and reports it
  std::filesystem::create_directories(path.parent_path(), ignored);
  harness::write_whole_file(path, plot_sets_yaml(own));
}

}  // namespace jointrig::app
