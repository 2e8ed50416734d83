#include "app/gui/plot_set_file.h"

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include "app/user_path.h"
#include "harness/config/yaml_document.h"

namespace jointrig {

extern const std::string_view kShippedPlotSets;

namespace {

void refuse_unknown_keys(const YamlNode& node, std::initializer_list<std::string_view> known) {
  for (const YamlNode::Entry& entry : node.entries()) {
    if (std::find(known.begin(), known.end(), entry.key) != known.end()) continue;
    std::string list;
    for (const std::string_view key : known) list += (list.empty() ? "" : ", ") + std::string(key);
    throw FileError(entry.spot, "unknown key \"" + entry.key + "\"; there are " + list);
  }
}

PlotLayout read_set(const YamlNode& node) {
  refuse_unknown_keys(node, {"name", "span", "plots"});
  PlotLayout layout;
  layout.name = node.at("name").text();
  if (const YamlNode* span = node.find("span")) {
    layout.span = span->number();
    if (!(layout.span >= TimeAxis::kShortest && layout.span <= 3600.0)) {
      throw span->error("a span of " + span->raw() + " s can't be shown; 0.005 to 3600 can");
    }
  }
  const YamlNode& plots = node.at("plots");
  if (plots.items().size() > PlotSet::kMostPlots) {
    throw plots.error(std::to_string(plots.items().size()) + " plots; " +
                      std::to_string(PlotSet::kMostPlots) + " is the most");
  }
  for (const YamlNode& plot : plots.items()) {
    std::vector<std::string>& names = layout.plots.emplace_back();
    for (const YamlNode& signal : plot.items()) names.push_back(signal.text());
  }
  return layout;
}

const PlotLayout* named(const std::vector<PlotLayout>& sets, const std::string& name) {
  const auto found = std::find_if(sets.begin(), sets.end(),
                                  [&name](const PlotLayout& set) { return set.name == name; });
  return found == sets.end() ? nullptr : &*found;
}

std::vector<PlotLayout> read_sets(const YamlNode& root) {
  refuse_unknown_keys(root, {"plot_sets"});
  std::vector<PlotLayout> sets;
  for (const YamlNode& node : root.at("plot_sets").items()) {
    PlotLayout set = read_set(node);
    if (named(sets, set.name) != nullptr) {
      throw node.at("name").error("a second plot set called \"" + set.name + "\"");
    }
    sets.push_back(std::move(set));
  }
  return sets;
}

}  // namespace

std::vector<PlotLayout> parse_plot_sets(std::string_view yaml, const std::string& name) {
  return read_sets(parse_yaml(yaml, name));
}

std::string plot_sets_yaml(const std::vector<PlotLayout>& sets) {
  std::string yaml = "plot_sets:\n";
  if (sets.empty()) return "plot_sets: []\n";
  for (const PlotLayout& set : sets) {
    yaml += "  - name: " + yaml_string(set.name) + "\n    span: " + yaml_number(set.span) + "\n";
    yaml += set.plots.empty() ? "    plots: []\n" : "    plots:\n";
    for (const std::vector<std::string>& names : set.plots) {
      std::string list;
      for (const std::string& signal : names)
        list += (list.empty() ? "" : ", ") + yaml_string(signal);
      yaml += "      - [" + list + "]\n";
    }
  }
  return yaml;
}

std::vector<PlotLayout> shipped_plot_sets() {
  return parse_plot_sets(kShippedPlotSets, "the shipped plot sets");
}

std::filesystem::path plot_set_path() { return config_path("plot-sets.yaml"); }

std::vector<PlotLayout> load_plot_sets(const std::filesystem::path& path) {
  std::vector<PlotLayout> sets = shipped_plot_sets();
  if (path.empty() || !std::filesystem::exists(path)) return sets;
  for (PlotLayout& own : read_sets(load_yaml(path))) {
    std::erase_if(sets, [&own](const PlotLayout& set) { return set.name == own.name; });
    sets.push_back(std::move(own));
  }
  return sets;
}

void save_plot_sets(const std::vector<PlotLayout>& sets, const std::filesystem::path& path) {
  if (path.empty()) {
    throw std::runtime_error("plot sets can't be kept: neither XDG_CONFIG_HOME nor HOME is set");
  }
  const std::vector<PlotLayout> shipped = shipped_plot_sets();
  std::vector<PlotLayout> own;
  for (const PlotLayout& set : sets) {
    const PlotLayout* same = named(shipped, set.name);
    if (same == nullptr || !(*same == set)) own.push_back(set);
  }
  std::error_code ignored;  // the open then fails and reports it
  std::filesystem::create_directories(path.parent_path(), ignored);
  std::ofstream out(path);
  out << plot_sets_yaml(own);
  if (!out.flush()) throw std::runtime_error("can't write " + path.string());
}

}  // namespace jointrig
