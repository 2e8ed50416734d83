#include "app/run/scenario_list.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <stdexcept>

#include "app/run/result_files.h"
#include "control/core/nearest_word.h"
#include "harness/config/file_error.h"
#include "harness/config/scene_path.h"
#include "harness/runner/scenario_reader.h"

namespace jointrig::app {
namespace {

namespace fs = std::filesystem;

/// The nearest folder of that name here or above, else the program's own.
fs::path folder_of_scenarios() {
  const std::vector<fs::path> near = harness::folders_above({}, "scenarios");
  return near.empty() ? harness::installed_folder("scenarios") : near.front();
}

/// A fragment for `include`, or a robot file, has no `scenario:` key at its top. The file of a
/// sweep has one, and `sweep:` as well.
bool is_scenario(const fs::path& file) {
  std::ifstream in(file);
  bool found = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("sweep:")) return false;
    found = found || line.starts_with("scenario:");
  }
  return found;
}

/// A scenario as an earlier run wrote it out, or an earlier check in a folder of its own below its
/// results; one that was interrupted has left logs alone.
bool is_of_a_run(const fs::path& file) {
  if (file.filename() == "effective.yaml") return true;
  const fs::path folder = file.parent_path();
  return file.filename() == "check.yaml" &&
         (fs::exists(folder.parent_path() / "result.json") || fs::exists(folder / "log.mcap"));
}

std::vector<fs::path> files_below(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry :
       fs::recursive_directory_iterator(folder, fs::directory_options::skip_permission_denied)) {
    const fs::path& path = entry.path();
    if (!entry.is_regular_file()) continue;
    if (path.extension() == ".yaml" && !is_of_a_run(path) && is_scenario(path)) {
      files.push_back(path);
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

void add_file(const fs::path& file, const std::vector<std::string>& settings,
              std::vector<harness::Scenario>& all) {
  for (harness::Scenario& scenario : harness::read_scenarios(file, settings))
    all.push_back(std::move(scenario));
}

bool is_pattern(const std::string& word) { return word.find_first_of("*?") != std::string::npos; }

/// True if a word names the scenario: its name, its family, one of its tags, or a pattern of these.
bool is_meant(const std::string& word, const harness::Scenario& scenario) {
  const auto fits = [&](const std::string& name) {
    return is_pattern(word) ? fits_pattern(word, name) : word == name;
  };
  return fits(scenario.name) || fits(scenario.family) ||
         std::any_of(scenario.tags.begin(), scenario.tags.end(), fits);
}

/// Scenarios of the project's folder with this tag or name.
void add_tagged(const std::string& word, const std::vector<std::string>& settings,
                std::vector<harness::Scenario>& all) {
  std::vector<std::string> known;
  bool found = false;
  if (const fs::path folder = folder_of_scenarios(); !folder.empty()) {
    for (const fs::path& file : files_below(folder)) {
      for (harness::Scenario& scenario : harness::read_scenarios(file, settings)) {
        known.push_back(scenario.family);
        known.insert(known.end(), scenario.tags.begin(), scenario.tags.end());
        if (!is_meant(word, scenario)) continue;
        found = true;
        all.push_back(std::move(scenario));
      }
    }
  }
  if (found) return;
  if (is_pattern(word)) {
    throw std::invalid_argument("no scenario has a name or tag like \"" + word +
                                "\"; `jointrig list scenarios` names all");
  }
  const std::string near = nearest_word(word, known);
  throw std::invalid_argument("\"" + word + "\" is no scenario file, folder, name or tag" +
                              (near.empty() ? "" : "; did you mean \"" + near + "\"?"));
}

[[noreturn]] void refuse_name(const std::string& name, const fs::path& second,
                              const fs::path& first) {
  throw std::invalid_argument(second.generic_string() + " and " + first.generic_string() +
                              " both call a scenario \"" + name + "\": name one of them otherwise");
}

/// A name must be unique: it is a folder of results and a test. The name without its variation,
/// too: reports and `jointrig run NAME` know a scenario by it.
void check_names(const std::vector<harness::Scenario>& all) {
  std::map<std::string, const harness::Scenario*> met;  // by folder
  std::map<std::string, const harness::Scenario*> families;
  for (const harness::Scenario& scenario : all) {
    const auto [first, is_new] = met.emplace(folder_name(scenario.name), &scenario);
    if (!is_new && first->second->name != scenario.name) {
      throw std::invalid_argument("the scenarios \"" + first->second->name + "\" of " +
                                  first->second->file.generic_string() + " and \"" + scenario.name +
                                  "\" of " + scenario.file.generic_string() +
                                  " would write to one folder, " + first->first +
                                  ": name one of them otherwise");
    }
    if (!is_new) refuse_name(scenario.name, scenario.file, first->second->file);
    const fs::path& sibling = families.emplace(scenario.family, &scenario).first->second->file;
    if (sibling != scenario.file) refuse_name(scenario.family, scenario.file, sibling);
  }
}

}  // namespace

bool fits_pattern(std::string_view pattern, std::string_view text) noexcept {
  if (pattern.empty()) return text.empty();
  if (pattern.front() == '*') {
    const std::string_view rest = pattern.substr(1);
    for (std::size_t i = 0; i <= text.size(); ++i) {
      if (fits_pattern(rest, text.substr(i))) return true;
    }
    return false;
  }
  if (text.empty() || (pattern.front() != '?' && pattern.front() != text.front())) return false;
  return fits_pattern(pattern.substr(1), text.substr(1));
}

std::vector<harness::Scenario> all_scenarios(harness::Problems& problems) {
  std::vector<harness::Scenario> all;
  const fs::path folder = folder_of_scenarios();
  if (folder.empty()) return all;
  for (const fs::path& file : files_below(folder)) {
    problems.collect([&] { add_file(file, {}, all); });
  }
  return all;
}

std::vector<harness::Scenario> find_scenarios(const std::vector<std::string>& what,
                                              const std::vector<std::string>& settings) {
  std::vector<harness::Scenario> all;
  harness::Problems problems;  // of all files at once
  for (const std::string& word : what) {
    if (fs::is_directory(word)) {
      const std::vector<fs::path> files = files_below(word);
      if (files.empty()) throw std::invalid_argument("no scenario lies below " + word);
      for (const fs::path& file : files) {
        problems.collect([&] { add_file(file, settings, all); });
      }
    } else if (fs::exists(word)) {
      problems.collect([&] { add_file(word, settings, all); });
    } else if (!is_pattern(word) &&
               (word.find(".yaml") != std::string::npos || word.find('/') != std::string::npos)) {
      throw std::invalid_argument("there is no file \"" + word + "\"");
    } else {
      add_tagged(word, settings, all);
    }
  }
  problems.throw_if_any();
  std::set<std::pair<std::string, std::string>> seen;
  std::erase_if(all, [&](const harness::Scenario& scenario) {
    return !seen.insert({scenario.file.generic_string(), scenario.name}).second;
  });
  check_names(all);
  return all;
}

}  // namespace jointrig::app
