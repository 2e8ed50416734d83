#include "app/compare/compare_verb.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "app/compare/run_changes.h"
#include "app/from_to.h"
#include "app/guarded.h"

namespace jointrig::app {
namespace {

constexpr int kChanged = 1;

struct CompareOptions {
  std::filesystem::path a;
  std::filesystem::path b;
  std::filesystem::path html;  ///< empty: compare.html in b; "-": none
  double tolerance = 1e-3;
};

/// The changes as the page shows them; a log that can't be read costs its plots alone.
harness::ComparedScenario drawn(const ScenarioChange& change) {
  harness::ComparedScenario scenario{change.name, change.sentences, {}};
  try {
    scenario.plots = plots_of(change);
  } catch (const std::exception& error) {
    scenario.sentences.push_back(std::string("no plots: ") + error.what());
  }
  return scenario;
}

int compare(const CompareOptions& options) {
  const std::vector<PastScenario> a = read_run(options.a);
  const std::vector<PastScenario> b = read_run(options.b);
  const std::vector<ScenarioChange> changes = changes_between(a, b, options.tolerance);
  for (const ScenarioChange& change : changes) {
    std::printf("%s\n", change.name.c_str());
    for (const std::string& sentence : change.sentences)
      std::printf("      %s\n", sentence.c_str());
  }
  std::printf("%zu of %zu scenarios changed\n", changes.size(), b.size());
  if (changes.empty()) return 0;
  if (options.html == "-") return kChanged;
  std::vector<harness::ComparedScenario> scenarios;
  for (const ScenarioChange& change : changes) scenarios.push_back(drawn(change));
  const std::filesystem::path page =
      options.html.empty() ? options.b / "compare.html" : options.html;
  harness::write_compare_page(page, options.a.generic_string(), options.b.generic_string(),
                              scenarios);
  std::printf("page    %s\n", page.generic_string().c_str());
  return kChanged;
}

}  // namespace

void add_compare(CLI::App& program, int& code) {
  auto options = std::make_shared<CompareOptions>();
  CLI::App* verb = program.add_subcommand(
      "compare", "Say what changed from one run to another: outcomes, figures, motions");
  verb->add_option("first", options->a, "Folder of a run")->required();
  verb->add_option("second", options->b, "Folder of a later run")->required();
  verb->add_option(
      "--html", options->html,
      "Page with both runs' curves over each other (default: compare.html in the second "
      "folder; - for none)");
  verb->add_option("--tolerance", options->tolerance,
                   "Relative change of a figure that doesn't count")
      ->check(from_to(0.0, 1.0))
      ->capture_default_str();
  verb->footer(
      "A scenario has changed where its outcome, its state hash or a figure (a metric, the margin "
      "of\n"
      "a condition) is another. Curves come from the logs.\n"
      "Exit code: 0 nothing changed, 1 something did, 2 could not compare.\n\n"
      "  jointrig run scenarios/joints --out before\n"
      "  jointrig run scenarios/joints --set robot.delay_cycles=2 --out after\n"
      "  jointrig compare before after");
  verb->callback([=, &code] { code = guarded("compare", [&] { return compare(*options); }); });
}

}  // namespace jointrig::app
