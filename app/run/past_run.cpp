#include "app/run/past_run.h"

#include <fmt/core.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <stdexcept>
#include <system_error>

#include "app/run/result_files.h"
#include "app/run/scenario_list.h"

namespace jointrig::app {
namespace {

namespace fs = std::filesystem;

fs::path result_of(const fs::path& folder) { return folder / "result.json"; }

std::string text_at(const nlohmann::json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::map<std::string, PastScenario::Figure> figures_of(const nlohmann::json& verdicts) {
  std::map<std::string, PastScenario::Figure> figures;
  for (const nlohmann::json& verdict : verdicts) {
    for (const auto& [key, label] : {std::pair{"value", ""}, std::pair{"margin", "margin of "}}) {
      const auto found = verdict.find(key);
      if (found == verdict.end() || !found->is_number()) continue;
      std::string name = label + text_at(verdict, "name");
      for (int number = 2; figures.contains(name); ++number) {  // one name, several conditions
        name = fmt::format("{}{} ({})", label, text_at(verdict, "name"), number);
      }
      figures[name] = {found->get<double>(), text_at(verdict, "unit")};
    }
  }
  return figures;
}

std::optional<double> number_at(const nlohmann::json& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end() || !found->is_number()) return std::nullopt;
  return found->get<double>();
}

/// Margin of a metric to its bounds, with both the smaller one.
std::optional<double> margin_of(const nlohmann::json& verdict) {
  std::optional<double> margin = number_at(verdict, "margin");
  const std::optional<double> value = number_at(verdict, "value");
  if (!value) return margin;
  const auto take = [&margin](double distance) {
    margin = std::min(margin.value_or(distance), distance);
  };
  if (const auto least = number_at(verdict, "min")) take(*value - *least);
  if (const auto most = number_at(verdict, "max")) take(*most - *value);
  return margin;
}

std::map<std::string, PastScenario::Figure> margins_of(const nlohmann::json& verdicts) {
  std::map<std::string, PastScenario::Figure> margins;
  for (const nlohmann::json& verdict : verdicts) {
    const std::optional<double> margin = margin_of(verdict);
    if (!margin) continue;
    const PastScenario::Figure figure{*margin, text_at(verdict, "unit")};
    const auto [found, is_new] = margins.emplace(text_at(verdict, "name"), figure);
    if (!is_new && *margin < found->second.value) found->second = figure;
  }
  return margins;
}

PastScenario past_of(const nlohmann::json& json, const fs::path& folder) {
  PastScenario past;
  past.name = json.at("scenario").get<std::string>();
  past.file = text_at(json, "file");
  past.outcome = json.at("outcome").get<std::string>();
  past.reason = text_at(json, "reason");
  past.state_hash = text_at(json, "state_hash");
  if (const auto time = json.find("sim_time"); time != json.end() && time->is_number()) {
    past.sim_time = time->get<double>();
  }
  if (const auto verdicts = json.find("verdicts"); verdicts != json.end()) {
    past.figures = figures_of(*verdicts);
    past.margins = margins_of(*verdicts);
  }
  const fs::path log = folder / folder_name(past.name) / "log.mcap";
  if (fs::exists(log)) past.log = log;
  return past;
}

}  // namespace

std::vector<PastScenario> read_run(const fs::path& folder) {
  std::ifstream file(result_of(folder));
  if (!file) {
    throw std::runtime_error(folder.generic_string() +
                             " has no result.json: it is no run's folder" +
                             (fs::exists(folder) ? ", or that run did not end" : ""));
  }
  std::vector<PastScenario> all;
  try {
    const nlohmann::json run = nlohmann::json::parse(file);
    for (const nlohmann::json& json : run.at("scenarios")) all.push_back(past_of(json, folder));
  } catch (const nlohmann::json::exception& error) {
    throw std::runtime_error(result_of(folder).generic_string() +
                             " is not what a run writes: " + error.what());
  }
  return all;
}

fs::path newest_run() {
  fs::path newest;
  fs::file_time_type at{};
  std::error_code failed;
  for (fs::directory_iterator it("runs", failed), end; !failed && it != end; it.increment(failed)) {
    std::error_code missing;
    const fs::file_time_type written = fs::last_write_time(result_of(it->path()), missing);
    if (missing || (!newest.empty() && written <= at)) continue;
    newest = it->path();
    at = written;
  }
  if (newest.empty()) {
    throw std::runtime_error(
        "there is no run below runs/ here; name the folder of one with --failed-in");
  }
  return newest;
}

std::vector<harness::Scenario> failed_scenarios(const fs::path& run,
                                                const std::vector<std::string>& what,
                                                const std::vector<std::string>& settings) {
  std::set<std::string> names;
  std::vector<std::string> files;
  for (const PastScenario& past : read_run(run)) {
    if (past.outcome == "passed" || past.outcome == "skipped") continue;
    if (past.file.empty()) {
      throw std::runtime_error(run.generic_string() +
                               " is of `jointrig check`: run its check.yaml files, or name a run's "
                               "folder with --failed-in");
    }
    names.insert(past.name);
    files.push_back(past.file.string());
  }
  if (names.empty()) return {};
  std::vector<harness::Scenario> scenarios = find_scenarios(what.empty() ? files : what, settings);
  std::erase_if(scenarios, [&](const harness::Scenario& one) { return !names.contains(one.name); });
  return scenarios;
}

fs::path free_folder(const fs::path& wish) {
  fs::path folder = wish;
  for (int number = 2; fs::exists(folder); ++number) {
    folder = wish;
    folder += fmt::format("-{}", number);
  }
  return folder;
}

void refuse_used_folder(const fs::path& folder) {
  bool is_used = fs::exists(result_of(folder)) || fs::exists(folder / "junit.xml");
  std::error_code failed;  // a run that was killed has no results yet
  for (fs::directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed)) {
    is_used = is_used || fs::exists(it->path() / "effective.yaml");
  }
  if (!is_used) return;
  throw std::runtime_error(folder.generic_string() +
                           " has the results of an earlier run; give another folder, or "
                           "--overwrite");
}

}  // namespace jointrig::app
