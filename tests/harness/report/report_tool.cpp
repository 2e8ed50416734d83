// Writes a report on made-up results: `report_tool FILE`. The page's own test looks at it.

#include <iostream>
#include <vector>

#include "harness/report/html_report.h"
#include "tests/harness/report/made_up_result.h"

namespace jointrig::harness {
namespace {

constexpr const char* kHostile = "</summary><script>alert('name')</script>&amp;\"quoted\"";

std::vector<Result> every_kind() {
  std::vector<Result> results{
      testing::made_up_result({.joints = 8, .length = 6.0}),
      testing::made_up_result({.joints = 41, .length = 6.0, .fails = true})};
  Result hostile = testing::made_up_result({});
  hostile.scenario = hostile.about = hostile.reason = kHostile;
  hostile.tags = {kHostile};
  hostile.notes = {kHostile};
  hostile.properties["host"] = kHostile;
  for (Verdict& verdict : hostile.verdicts) {
    verdict.name = verdict.expected = verdict.got = verdict.place = verdict.unit = kHostile;
  }
  for (EventRecord& event : hostile.events) event.sentence = event.joint = event.kind = kHostile;
  for (MarkRecord& mark : hostile.marks) mark.name = kHostile;
  for (ModeRecord& mode : hostile.modes) mode.mode = mode.joint = kHostile;
  for (Trace& trace : hostile.traces.signals) trace.joint = trace.name = trace.unit = kHostile;
  results.push_back(hostile);
  Result skipped;
  skipped.scenario = "bimanual";
  skipped.reason = "it requires a second arm, which the robot hasn't";
  results.push_back(skipped);
  return results;
}

int write(const char* path) {
  const std::vector<Result> results = every_kind();
  std::vector<ScenarioReport> scenarios;
  for (const Result& result : results) {
    scenarios.push_back({&result,
                         "scenario: elbow\nschema: 1\n# " + std::string(kHostile) + "\n",
                         {{"log", "logs/" + result.family + ".mcap"}, {kHostile, kHostile}}});
  }
  const RunInfo info{"jointrig run scenarios/joints",
                     "2026-03-02 14:07",
                     {{"robot", "icub_upper_body"},
                      {"seed", "7"},
                      {"loop", "p50 31 µs, p99 44 µs, p99.9 61 µs, max 180 µs, 0 overruns"},
                      {"command", kHostile}}};
  write_html_report(path, info, scenarios);
  return 0;
}

}  // namespace
}  // namespace jointrig::harness

int main(int argc, char** argv) {
  if (argc == 2) return jointrig::harness::write(argv[1]);
  std::cerr << "usage: report_tool FILE\n";
  return 2;
}
