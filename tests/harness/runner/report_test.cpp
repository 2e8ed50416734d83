// JUnit XML, result.json, exit codes and the console.

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "harness/runner/console_text.h"
#include "harness/runner/junit.h"
#include "harness/runner/result_json.h"

namespace jointrig::harness {
namespace {

Verdict verdict(VerdictKind kind, VerdictStatus status, const std::string& name) {
  Verdict one;
  one.kind = kind;
  one.status = status;
  one.phase = kind == VerdictKind::kStep ? "steps" : "";
  one.name = name;
  one.place = "lift.yaml:7:5";
  one.expected = "a < b & \"c\"";
  one.got = "a = 2\x01";
  one.at = 1.5;
  one.since = 1.0;
  return one;
}

Result failed_result() {
  Result result;
  result.scenario = "lift[payload=2kg]";
  result.family = "lift";
  result.variation = {{"payload", "2 kg"}};
  result.file = "lift.yaml";
  result.backend = "sim";
  result.outcome = Outcome::kFailed;
  result.reason = "torque: expected < 3, got 4";
  result.cycles = 5000;
  result.sim_time = 5.0;
  result.wall_time = 0.1;
  result.state_hash = "00ff";
  result.properties = {{"mujoco", "3.17.0"}};
  result.verdicts = {verdict(VerdictKind::kStep, VerdictStatus::kPassed, "move elbow to 1"),
                     verdict(VerdictKind::kStep, VerdictStatus::kFailed, "move elbow to 1"),
                     verdict(VerdictKind::kStep, VerdictStatus::kSkipped, "wait 1 s"),
                     verdict(VerdictKind::kAlways, VerdictStatus::kError, "torque"),
                     verdict(VerdictKind::kMetric, VerdictStatus::kWarned, "rms")};
  return result;
}

// The file as an independent reader sees it: python's xml and a check of what CI servers need.
std::string read_by_python(const std::string& xml) {
  const auto path = std::filesystem::path(::testing::TempDir()) / "jointrig_junit.xml";
  std::ofstream(path) << xml;
  const std::string program = R"py(
import sys, xml.etree.ElementTree as tree
root = tree.parse(sys.argv[1]).getroot()
assert root.tag == 'testsuites', root.tag
def check(element, wanted):
    missing = [name for name in wanted if name not in element.attrib]
    assert not missing, (element.tag, missing)
def count(cases, tag): return sum(1 for case in cases if case.find(tag) is not None)
total = []
for suite in root:
    check(suite, ['name', 'tests', 'failures', 'errors', 'skipped', 'time'])
    cases = suite.findall('testcase')
    assert int(suite.get('tests')) == len(cases)
    for tag, name in [('failure', 'failures'), ('error', 'errors'), ('skipped', 'skipped')]:
        assert int(suite.get(name)) == count(cases, tag), name
    names = [case.get('name') for case in cases]
    assert len(set(names)) == len(names), names
    for case in cases:
        check(case, ['name', 'classname', 'time'])
        float(case.get('time'))
        for inner in case:
            check(inner, ['message'])
            if inner.tag != 'skipped': check(inner, ['type'])
    for one in suite.find('properties'): check(one, ['name', 'value'])
    total += cases
assert int(root.get('tests')) == len(total)
for case in total:
    inner = case[0] if len(case) else None
    print(case.get('name') + '|' + ('passed' if inner is None else inner.tag + '|' + inner.get('message')))
)py";
  const auto script = std::filesystem::path(::testing::TempDir()) / "jointrig_junit.py";
  std::ofstream(script) << program;
  const std::string command = "python3 " + script.string() + " " + path.string() + " 2>&1";
  std::string output;
  FILE* pipe = popen(command.c_str(), "r");
  char buffer[256];
  while (std::fgets(buffer, sizeof buffer, pipe) != nullptr) output += buffer;
  EXPECT_EQ(pclose(pipe), 0) << output;
  return output;
}

TEST(Junit, AnIndependentReaderFindsEveryCase) {
  const std::vector<Result> results{failed_result()};
  EXPECT_EQ(read_by_python(to_junit(results)),
            "steps 01: move elbow to 1|passed\n"
            "steps 02: move elbow to 1|failure|expected a < b & \"c\", got a = 2?\n"
            "steps 03: wait 1 s|skipped|a = 2?\n"
            "always: torque|error|expected a < b & \"c\", got a = 2?\n"
            "metric: rms|passed\n");
}

TEST(Junit, WhatNoCaseSaysTheRunSays) {
  Result missing;
  missing.scenario = "a";
  missing.outcome = Outcome::kCouldNotRun;
  missing.reason = "no such file";
  Result skipped;
  skipped.scenario = "b";
  skipped.reason = "it requires torque";
  const std::vector<Result> results{missing, skipped};
  EXPECT_EQ(read_by_python(to_junit(results)),
            "run|error|no such file\nrun|skipped|it requires torque\n");
}

TEST(Junit, AnExpectedFailureIsSkippedAndNotAFailure) {
  Result result = failed_result();
  result.verdicts.resize(2);
  result.outcome = Outcome::kPassed;
  result.expected_failure = "known";
  const std::vector<Result> results{result};
  EXPECT_EQ(read_by_python(to_junit(results)),
            "steps 01: move elbow to 1|passed\n"
            "steps 02: move elbow to 1|skipped|failed as expected (known): expected a < b & "
            "\"c\", got a = 2?\n");
}

TEST(Junit, NotDeterministicIsAFailureOfTheRun) {
  Result result = failed_result();
  result.verdicts.resize(1);
  result.outcome = Outcome::kNotDeterministic;
  result.reason = "hashes differ";
  const std::vector<Result> results{result};
  EXPECT_EQ(read_by_python(to_junit(results)),
            "steps 01: move elbow to 1|passed\nrun|failure|hashes differ\n");
}

TEST(ResultJson, HoldsEverythingButTheTraces) {
  Result result = failed_result();
  result.verdicts[0].margin = std::numeric_limits<double>::infinity();
  result.first_failure = Failure{1.5, "torque", "< 3", "4"};
  result.marks = {{"up", 1.0}};
  result.events = {{1.0, 1000, "fault", "elbow", "elbow: fault"}};
  result.limits = {{"elbow", "torque_rate", 12}};
  const auto json = nlohmann::json::parse(to_json(std::vector<Result>{result}));
  EXPECT_EQ(json["exit_code"], 1);
  const auto& one = json["scenarios"][0];
  EXPECT_EQ(one["outcome"], "failed");
  EXPECT_EQ(one["variation"]["payload"], "2 kg");
  EXPECT_EQ(one["verdicts"].size(), 5U);
  EXPECT_EQ(one["verdicts"][1]["status"], "failed");
  EXPECT_EQ(one["verdicts"][1]["at"], 1.5);
  EXPECT_TRUE(one["verdicts"][0]["margin"].is_null());
  EXPECT_EQ(one["first_failure"]["name"], "torque");
  EXPECT_EQ(one["marks"][0]["name"], "up");
  EXPECT_EQ(one["events"][0]["cycle"], 1000);
  EXPECT_EQ(one["properties"]["mujoco"], "3.17.0");
  EXPECT_EQ(one["limits"][0]["joint"], "elbow");
  EXPECT_EQ(one["limits"][0]["limit"], "torque_rate");
  EXPECT_EQ(one["limits"][0]["cycles"], 12);
}

TEST(ExitCode, OfManyIsThatOfTheWorst) {
  using enum Outcome;
  EXPECT_EQ(exit_code(std::vector{kPassed, kPassed}), 0);
  EXPECT_EQ(exit_code(std::vector{kPassed, kFailed, kSkipped}), 1);
  EXPECT_EQ(exit_code(std::vector{kFailed, kTimeout}), 4);
  EXPECT_EQ(exit_code(std::vector{kTimeout, kNotDeterministic}), 5);
  EXPECT_EQ(exit_code(std::vector{kNotDeterministic, kCouldNotRun}), 2);
  EXPECT_EQ(exit_code(std::vector{kCouldNotRun, kSafetyStop, kFailed}), 3);
  EXPECT_EQ(exit_code(std::vector{kSkipped, kSkipped}), 77);
  EXPECT_EQ(exit_code(std::vector{kSkipped, kPassed}), 0);
  EXPECT_EQ(exit_code(std::vector<Outcome>{}), 77);
}

TEST(Console, ShowsExpectedAgainstGotWhereOneFailed) {
  Result result = failed_result();
  result.verdicts = {verdict(VerdictKind::kStep, VerdictStatus::kPassed, "wait 1 s"),
                     verdict(VerdictKind::kAlways, VerdictStatus::kFailed, "torque")};
  result.verdicts[1].got = "a = 2";
  result.notes = {"lift.yaml:3:1: impedance_position is an old name"};
  const std::vector<std::string> expected{
      "FAIL  lift[payload=2kg]                           5.0 s in 0.10 s (50x)",
      "      failed always torque  (lift.yaml:7:5)", "        expected a < b & \"c\"",
      "        got      a = 2, at 1.500 s",
      "      note: lift.yaml:3:1: impedance_position is an old name"};
  EXPECT_EQ(console_lines(result), expected);
}

TEST(Console, TellsTheWorstBelowTheFirst) {
  Result result = failed_result();
  result.verdicts = {verdict(VerdictKind::kAlways, VerdictStatus::kFailed, "torque")};
  result.verdicts[0].got = "a = 2";
  result.verdicts[0].more = "worst a = 3, at 1.700 s; in 5 of 9 cycles";
  const auto lines = console_lines(result);
  EXPECT_EQ(lines.at(3), "        got      a = 2, at 1.500 s");
  EXPECT_EQ(lines.at(4), "                 worst a = 3, at 1.700 s; in 5 of 9 cycles");
  const auto json = nlohmann::json::parse(to_json(std::vector<Result>{result}));
  EXPECT_EQ(json["scenarios"][0]["verdicts"][0]["more"], result.verdicts[0].more);
  EXPECT_NE(to_junit(std::vector<Result>{result}).find(result.verdicts[0].more), std::string::npos);
}

TEST(Console, EveryLineOfWhatIsWrongWithAFileIsIndented) {
  Result result;
  result.scenario = "lift";
  result.outcome = Outcome::kCouldNotRun;
  result.reason = "a.yaml:1:2: no\n  robt: x\n   ^";
  const std::vector<std::string> expected{"ERROR lift", "      a.yaml:1:2: no", "        robt: x",
                                          "         ^"};
  EXPECT_EQ(console_lines(result), expected);
  EXPECT_EQ(lines_of_check(result), expected);
  result.outcome = Outcome::kPassed;
  result.reason.clear();
  EXPECT_EQ(lines_of_check(result), std::vector<std::string>{"ok    lift"});
}

TEST(Console, AMarginIsShownInTheUnitOfTheAuthor) {
  Result result = failed_result();
  Verdict passed = verdict(VerdictKind::kAlways, VerdictStatus::kPassed, "near");
  passed.got.clear();
  passed.margin = 0.0349065850398866;  // 2 deg
  passed.unit = "rad";
  passed.shown_unit = "deg";
  passed.shown_scale = 0.017453292519943295;
  result.verdicts = {passed};
  EXPECT_EQ(console_lines(result, true).back(), "        margin   2 deg");
  result.verdicts[0].shown_unit.clear();
  result.verdicts[0].shown_scale = 1.0;
  EXPECT_EQ(console_lines(result, true).back(), "        margin   0.03491 rad");
}

TEST(Console, CountsOutcomes) {
  EXPECT_EQ(summary_line({Outcome::kPassed, Outcome::kSafetyStop, Outcome::kPassed}),
            "2 passed, 1 safety stop");
  EXPECT_EQ(summary_line({}), "no scenario");
}

}  // namespace
}  // namespace jointrig::harness
