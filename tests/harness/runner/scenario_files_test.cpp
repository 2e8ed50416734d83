// The scenario files of the project: whatever needs no robot is checked here, the rest when they
// run.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "harness/runner/effective_yaml.h"
#include "harness/runner/scenario_reader.h"

namespace jointrig::harness {
namespace {

// Files that say `scenario:`; the others are parts that scenarios include.
std::vector<std::filesystem::path> scenario_files() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator("scenarios")) {
    if (entry.path().extension() != ".yaml") continue;
    if (load_yaml(entry.path()).find("scenario") != nullptr) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

TEST(ScenarioFiles, AreThere) { EXPECT_GE(scenario_files().size(), 2U); }

TEST(ScenarioFiles, CanBeReadAndWrittenOut) {
  for (const auto& file : scenario_files()) {
    SCOPED_TRACE(file);
    for (const Scenario& scenario : read_scenarios(file)) {
      const std::string text = to_yaml(scenario);
      const auto again = read_scenarios(parse_yaml(text, file), file);
      ASSERT_EQ(again.size(), 1U);
      EXPECT_EQ(again[0].steps, scenario.steps);
      EXPECT_EQ(to_yaml(again[0]), text);
    }
  }
}

TEST(ScenarioFiles, HaveNamesOfTheirOwnThatTellTheFile) {
  std::set<std::string> names;
  for (const auto& file : scenario_files()) {
    for (const Scenario& scenario : read_scenarios(file)) {
      EXPECT_TRUE(names.insert(scenario.name).second) << scenario.name << " twice";
      EXPECT_EQ(scenario.family, file.stem()) << file;
      EXPECT_FALSE(scenario.about.empty()) << file;
      EXPECT_FALSE(scenario.tags.empty()) << file;
    }
  }
}

}  // namespace
}  // namespace jointrig::harness
