#include "app/lists/list_verb.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <set>

#include "app/run/scenario_list.h"
#include "control/core/text.h"
#include "control/discovery/text_table.h"
#include "harness/config/scene_path.h"

namespace jointrig::app {
namespace {

constexpr std::size_t kListWidth = 100;
constexpr std::size_t kNames = 26;  // width of names with a short line
using Names = std::vector<std::string>;

/// Scenarios of one file, without their variations.
struct Family {
  std::string about;
  std::string file;
  Names tags;
  std::size_t variations = 0;
};

std::map<std::string, Family> families() {
  harness::Problems problems;
  std::map<std::string, Family> all;
  for (const harness::Scenario& scenario : all_scenarios(problems)) {
    Family& family = all[scenario.family];
    family.about = std::string(trimmed(scenario.about));
    family.file = scenario.file.generic_string();
    family.tags = scenario.tags;
    ++family.variations;
  }
  for (const harness::FileProblem& problem : problems.list()) {
    std::fprintf(stderr, "jointrig list: %s\n", harness::to_string(problem).c_str());
  }
  return all;
}

std::map<std::string, std::size_t> counted_tags(const std::map<std::string, Family>& all) {
  std::map<std::string, std::size_t> tags;
  for (const auto& [name, family] : all) {
    for (const std::string& tag : family.tags) ++tags[tag];
  }
  return tags;
}

/// Words of the command line: kinds to be listed, and patterns that names have to fit.
struct Wanted {
  std::set<std::string> kinds;
  Names patterns;

  [[nodiscard]] bool has(const std::string& kind) const {
    return kinds.empty() ? kind != "tags" || !patterns.empty() : kinds.contains(kind);
  }
  [[nodiscard]] bool fits(const std::string& name) const {
    return patterns.empty() ||
           std::any_of(patterns.begin(), patterns.end(),
                       [&](const std::string& pattern) { return fits_pattern(pattern, name); });
  }
};

Wanted wanted_by(const Names& words) {
  Wanted wanted;
  for (const std::string& word : words) {
    const bool is_kind = std::find(kListKinds.begin(), kListKinds.end(), word) != kListKinds.end();
    if (is_kind) {
      wanted.kinds.insert(word);
    } else {
      wanted.patterns.push_back(word);
    }
  }
  return wanted;
}

/// Prints a heading before the first line.
class Section {
 public:
  Section(const char* heading, bool names) : heading_(heading), names_(names) {}

  void line(const std::string& name, const std::string& more) {
    if (names_) {
      std::printf("%s\n", name.c_str());
    } else {
      if (count_ == 0) std::printf("%s\n", heading_);
      const bool fits = name.size() < kNames && kNames + more.size() + 3 <= kListWidth;
      if (fits) {
        std::printf("  %s\n", fmt::format("{:<{}} {}", name, kNames, more).c_str());
      } else {
        std::printf("  %s\n%s", name.c_str(), wrapped("      " + more, kListWidth, 6).c_str());
      }
    }
    ++count_;
  }
  [[nodiscard]] std::size_t count() const noexcept { return count_; }
  ~Section() {
    if (count_ > 0 && !names_) std::printf("\n");
  }
  Section(const Section&) = delete;
  Section& operator=(const Section&) = delete;

 private:
  const char* heading_;
  bool names_;
  std::size_t count_ = 0;
};

std::size_t list_files(const char* heading, const std::vector<harness::KnownFile>& files,
                       const Wanted& wanted, bool names) {
  Section section(heading, names);
  for (const harness::KnownFile& known : files) {
    if (wanted.fits(known.name)) section.line(known.name, known.file.generic_string());
  }
  return section.count();
}

std::size_t list_scenarios(const std::map<std::string, Family>& all, const Wanted& wanted,
                           bool names) {
  Section section("Scenarios", names);
  for (const auto& [name, family] : all) {
    const bool tagged = std::any_of(family.tags.begin(), family.tags.end(),
                                    [&](const std::string& tag) { return wanted.fits(tag); });
    if (!wanted.fits(name) && !tagged) continue;
    const std::string tags = family.tags.empty() ? "" : "  #" + joined(family.tags, " #");
    const std::string times =
        family.variations > 1 ? fmt::format("  ({} variations)", family.variations) : "";
    section.line(name, family.about + tags + times);
  }
  return section.count();
}

std::size_t list_tags(const std::map<std::string, Family>& all, const Wanted& wanted, bool names) {
  Section section("Tags", names);
  for (const auto& [tag, count] : counted_tags(all)) {
    if (wanted.fits(tag)) {
      section.line(tag, fmt::format("{} scenario{}", count, count == 1 ? "" : "s"));
    }
  }
  return section.count();
}

}  // namespace

int list_verb(const ListOptions& options) {
  const Wanted wanted = wanted_by(options.what);
  std::size_t count = 0;
  if (wanted.has("robots")) {
    count += list_files("Robots", harness::known_robots(), wanted, options.names);
  }
  if (wanted.has("scenes")) {
    count += list_files("Scenes", harness::known_scenes(), wanted, options.names);
  }
  if (wanted.has("scenarios") || wanted.has("tags")) {
    const std::map<std::string, Family> all = families();
    if (wanted.has("scenarios")) count += list_scenarios(all, wanted, options.names);
    if (wanted.has("tags")) count += list_tags(all, wanted, options.names);
  }
  if (count > 0) return 0;
  std::fprintf(stderr, "jointrig list: nothing here is called %s\n",
               options.what.empty() ? "anything" : joined(options.what, " or ").c_str());
  return 1;
}

Names names_of_kind(const std::string& kind) {
  Names names;
  if (kind == "robots" || kind == "scenes") {
    for (const harness::KnownFile& known :
         kind == "robots" ? harness::known_robots() : harness::known_scenes()) {
      names.push_back(known.name);
    }
    return names;
  }
  const std::map<std::string, Family> all = families();
  if (kind == "tags") {
    for (const auto& [tag, count] : counted_tags(all)) names.push_back(tag);
  } else {
    for (const auto& [name, family] : all) names.push_back(name);
  }
  return names;
}

}  // namespace jointrig::app
