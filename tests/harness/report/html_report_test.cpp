#include "harness/report/html_report.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "harness/report/plotly_js.h"
#include "tests/harness/report/made_up_result.h"

namespace jointrig::harness {
namespace {

using Json = nlohmann::json;

std::string page_of(const std::vector<Result>& results, const RunInfo& info = {}) {
  std::vector<ScenarioReport> scenarios;
  for (const Result& result : results) scenarios.push_back({&result, "", {}});
  std::ostringstream page;
  write_html_report(page, info, scenarios);
  return page.str();
}

std::string between(const std::string& text, const std::string& before, const std::string& after) {
  const std::size_t begin = text.find(before);
  if (begin == std::string::npos) return {};
  const std::size_t from = begin + before.size();
  return text.substr(from, text.find(after, from) - from);
}

std::string json_text(const std::string& page) {
  return between(page, "<script type=\"application/json\" id=\"data\">", "</script>");
}

Json data_of(const std::string& page) { return Json::parse(json_text(page)); }

// The reader's side of trace_coding.h, written anew.
std::vector<double> low_values(const Json& trace) {
  std::vector<double> values;
  double sum = 0.0;
  for (const Json& difference : trace["low"]) {
    sum += difference.get<double>();
    values.push_back(trace["offset"].get<double>() + trace["step"].get<double>() * sum);
  }
  return values;
}

TEST(HtmlReport, HasEveryTraceWithTheValuesOfTheResult) {
  const Result result = testing::made_up_result({.joints = 8, .length = 10.0});
  const Json data = data_of(page_of({result}));
  ASSERT_EQ(data.size(), 1U);
  const Json& traces = data[0]["traces"];
  ASSERT_EQ(traces.size(), result.traces.signals.size());
  for (std::size_t i = 0; i < traces.size(); ++i) {
    const Trace& trace = result.traces.signals[i];
    SCOPED_TRACE(trace.name);
    EXPECT_EQ(traces[i]["name"], trace.name);
    EXPECT_EQ(traces[i]["unit"], trace.unit);
    const std::vector<double> low = low_values(traces[i]);
    ASSERT_EQ(low.size(), trace.least.size());
    const double step = traces[i]["step"];
    for (std::size_t k = 0; k < low.size(); ++k) {
      ASSERT_NEAR(low[k], static_cast<double>(trace.least[k]), 0.51 * step + 1e-6);
      const double high = traces[i].contains("high") ? traces[i]["high"][k].get<double>() : 0.0;
      ASSERT_NEAR(low[k] + step * high, static_cast<double>(trace.most[k]), 1.01 * step + 1e-6);
    }
  }
}

TEST(HtmlReport, TheElbowIsWhereItsFormulaSaysAtThatTime) {
  const Json data = data_of(page_of({testing::made_up_result({.length = 2.0})}))[0];
  EXPECT_EQ(data["times"]["start"], 0.0);
  EXPECT_EQ(data["times"]["step"], 0.001);
  ASSERT_EQ(data["times"]["count"], 2000);
  const std::vector<double> q = low_values(data["traces"][0]);
  ASSERT_EQ(data["traces"][0]["name"], "r_elbow.q");
  for (const int k : {0, 700, 1100, 1999})
    EXPECT_NEAR(q[k], testing::made_up_position(0.001 * k), 1e-5);
}

TEST(HtmlReport, EveryTraceIsDrawnOnceAndEachFigureHasItsPlaceInThePage) {
  const Result result = testing::made_up_result({.joints = 12, .fails = true});
  const std::string page = page_of({result});
  const Json data = data_of(page)[0];
  std::multiset<std::size_t> drawn;
  for (std::size_t i = 0; i < data["figures"].size(); ++i) {
    EXPECT_NE(page.find("<figure class=\"plot\" id=\"s0-" + std::to_string(i) + "\">"),
              std::string::npos);
    for (const Json& panel : data["figures"][i]["panels"]) {
      for (const Json& trace : panel["traces"]) drawn.insert(trace.get<std::size_t>());
    }
  }
  EXPECT_EQ(drawn.size(), result.traces.signals.size());
  EXPECT_EQ(std::set<std::size_t>(drawn.begin(), drawn.end()).size(), drawn.size());
  EXPECT_NE(page.find("id=\"s0-failure\""), std::string::npos);
}

TEST(HtmlReport, TheFailingMomentHasEverySample) {
  const Result result = testing::made_up_result({.fails = true});
  const Json data = data_of(page_of({result}))[0];
  ASSERT_EQ(data["failure"]["times"].size(), 501U);
  EXPECT_EQ(data["failure"]["times"][250], 3.2);
  const Json& q_err = data["traces"][2];
  ASSERT_EQ(q_err["name"], "r_elbow.q_err");
  ASSERT_EQ(q_err["near"].size(), 501U);
  for (std::size_t k = 0; k < 501; ++k) {
    EXPECT_NEAR(q_err["near"][k].get<double>(), result.traces.signals[2].near_failure[k], 1e-6);
  }
}

TEST(HtmlReport, StepsModesMarksAndEventsAreGivenTheirTimes) {
  const Json data = data_of(page_of({testing::made_up_result({.fails = true})}))[0];
  ASSERT_EQ(data["steps"].size(), 7U);
  EXPECT_EQ(data["steps"][4], Json::parse(R"({"at": 2.6, "until": 3.26, "phase": "steps",
      "label": "move r_elbow 30 deg", "status": "failed"})"));
  EXPECT_TRUE(data["steps"][5]["at"].is_null());  // not reached
  EXPECT_EQ(data["modes"]["r_wrist"],
            Json::parse(R"([[0.0, "idle", "stiff"], [0.004, "position", "stiff"]])"));
  EXPECT_EQ(data["marks"], Json::parse(R"([[2.6, "turn"]])"));
  // The events that a plot marks: mode changes are bands, goals are seen anyway.
  ASSERT_EQ(data["events"].size(), 2U);
  EXPECT_EQ(data["events"][0]["kind"], "fault");
  EXPECT_EQ(data["events"][0]["at"], 3.26);
  EXPECT_EQ(data["events"][1]["kind"], "fault_cleared");
}

TEST(HtmlReport, LimitsThatActAreMarkedWhereFaultsLeaveRoom) {
  const auto marked = [](int limits) {
    const Result made_up = testing::made_up_result({.fails = true});
    Result result = made_up;
    result.events.clear();
    for (int i = 0; i < limits; ++i) {
      result.events.push_back({0.001 * i, 0, "limited", "r_elbow", "r_elbow: limited by torque"});
    }
    for (const EventRecord& event : made_up.events) result.events.push_back(event);
    return data_of(page_of({result}))[0]["events"];
  };
  Json events = marked(1);
  ASSERT_EQ(events.size(), 3U);
  EXPECT_EQ(events[2]["kind"], "limited");
  events = marked(1000);
  EXPECT_LT(events.size(), 200U);
  EXPECT_EQ(events[0]["kind"], "fault");
  EXPECT_EQ(events[1]["kind"], "fault_cleared");
}

TEST(HtmlReport, BoundsTellWhoSetThem) {
  const Json data = data_of(page_of({testing::made_up_result({})}))[0];
  const double degree = 3.14159265358979323846 / 180.0;
  const Json& q = data["traces"][0]["bounds"];
  ASSERT_EQ(q.size(), 4U);
  EXPECT_NEAR(q[1][0].get<double>(), 75.0 * degree, 1e-5);
  EXPECT_EQ(q[1][1], "limit");
  EXPECT_EQ(q[3][1], "soft limit");
  EXPECT_EQ(data["traces"][2]["bounds"][0][1], "bound");
}

TEST(HtmlReport, SaysInWordsWhatWasExpectedAndWhatCame) {
  const std::string page = page_of({testing::made_up_result({.fails = true})});
  EXPECT_NE(page.find("<h1><span aria-hidden=\"true\">✗</span> Failed: elbow[encoder=frozen]</h1>"),
            std::string::npos);
  const std::string failure = between(page, "<section class=\"failure\">", "</section>");
  EXPECT_NE(failure.find("First failure, at 3.250 s: follows"), std::string::npos);
  EXPECT_NE(failure.find("<dt>Expected</dt><dd>abs(r_elbow.q_err) &lt; 2.5 deg</dd>"),
            std::string::npos);
  EXPECT_NE(failure.find("<dt>Got</dt><dd>abs(r_elbow.q_err) = 2.51 deg</dd>"), std::string::npos);
}

TEST(HtmlReport, AFoldedRowSaysWhyItFailedOrWhatItIsAbout) {
  Result result = testing::made_up_result({.joints = 1, .length = 1.0});
  result.about = "First line.\nSecond line.";
  result.reason.clear();
  EXPECT_EQ(between(page_of({result}), "<span class=\"gist\">", "<"), "First line.");
  result.reason = "It fell.";
  EXPECT_EQ(between(page_of({result}), "<span class=\"why\">", "<"), "It fell.");
  EXPECT_EQ(page_of({result}).find("class=\"gist\""), std::string::npos);
}

TEST(HtmlReport, AMetricWithoutWordsIsToldByItsNumbers) {
  const std::string page = page_of({testing::made_up_result({})});
  const std::string row = between(page, "<td>rms_err", "</tr>");
  EXPECT_NE(row.find("≤ 0.00873 rad"), std::string::npos);
  EXPECT_NE(row.find(">0.00561 rad<"), std::string::npos);
  EXPECT_NE(row.find(">0.00312 rad<"), std::string::npos);  // 0.00873 - 0.00561
}

TEST(HtmlReport, CountsTheOutcomesOfARun) {
  std::vector<Result> results(4, testing::made_up_result({.length = 1.0}));
  EXPECT_NE(page_of(results).find("All 4 scenarios passed"), std::string::npos);
  results[1].outcome = Outcome::kSafetyStop;
  results[2].outcome = Outcome::kSkipped;
  const std::string page = page_of(results);
  EXPECT_NE(page.find("1 of 4 scenarios did not pass"), std::string::npos);
  EXPECT_NE(page.find("2 passed, 1 safety stop, 1 skipped"), std::string::npos);
}

TEST(HtmlReport, AFailureThatWasExpectedIsNamedSo) {
  Result result = testing::made_up_result({.fails = true});
  result.outcome = Outcome::kPassed;
  result.expected_failure = "the board lacks a brake";
  EXPECT_NE(page_of({result}).find("</span> failed as expected</span>"), std::string::npos);
}

TEST(HtmlReport, WhatAllScenariosShareIsToldOnce) {
  std::vector<Result> results(2, testing::made_up_result({.length = 1.0}));
  results[1].properties["seed"] = "8";
  const std::string page = page_of(results);
  const std::string environment = between(page, "<summary>Environment</summary>", "</details>");
  EXPECT_NE(environment.find("GCC 12.2"), std::string::npos);
  EXPECT_EQ(environment.find("seed"), std::string::npos);
  EXPECT_EQ(page.find("GCC 12.2"), page.rfind("GCC 12.2"));
}

TEST(HtmlReport, EqualRunsGiveEqualBytes) {
  const RunInfo info{"jointrig run", "2026-03-02", {{"robot", "icub"}}};
  EXPECT_EQ(page_of({testing::made_up_result({.fails = true})}, info),
            page_of({testing::made_up_result({.fails = true})}, info));
}

TEST(HtmlReport, TenSecondsOfEightJointsTakeLessThanOneAndAHalfMegabytes) {
  const std::string page =
      page_of({testing::made_up_result({.joints = 8, .length = 10.0, .fails = true})});
  EXPECT_LT(page.size() - plotly_js().size(), 1'500'000U);
}

TEST(HtmlReport, ManyThatPassedAreKeptSmallAndOneThatFailedIsNot) {
  std::vector<Result> results(9, testing::made_up_result({.length = 4.0}));
  results[3] = testing::made_up_result({.length = 4.0, .fails = true});
  const Json data = data_of(page_of(results));
  EXPECT_EQ(data[0]["times"]["count"], 500);  // of 2000, joined by fours
  EXPECT_EQ(data[0]["times"]["step"], 0.008);
  EXPECT_EQ(data[3]["times"]["count"], 2000);
}

TEST(HtmlReport, AScenarioThatNeverRanHasNoPlotsAndItsReason) {
  Result result;
  result.scenario = "bimanual";
  result.outcome = Outcome::kCouldNotRun;
  result.reason = "no body \"hand\"";
  const std::string page = page_of({result});
  EXPECT_NE(page.find("no body &quot;hand&quot;"), std::string::npos);
  EXPECT_EQ(page.find("<figure"), std::string::npos);
  EXPECT_TRUE(data_of(page)[0]["traces"].empty());
}

TEST(HtmlReport, NumbersThatAreNoneDoNotBreakTheData) {
  Result result = testing::made_up_result({.fails = true});
  Trace& trace = result.traces.signals[2];
  trace.least[7] = trace.most[7] = std::nanf("");
  trace.near_failure[7] = INFINITY;
  trace.bounds.push_back({INFINITY, true});
  const Json data = data_of(page_of({result}))[0];
  EXPECT_TRUE(data["traces"][2]["low"][7].is_null());
  EXPECT_TRUE(data["traces"][2]["near"][7].is_null());
  EXPECT_EQ(data["traces"][2]["bounds"].size(), 2U);
}

TEST(HtmlReport, CarriesThePlotLibraryWholeWithItsLicence) {
  EXPECT_TRUE(plotly_js().starts_with("/**\n* plotly.js v"));
  EXPECT_NE(plotly_js().substr(0, 200).find("MIT license"), std::string_view::npos);
  EXPECT_EQ(plotly_js().find("</script"), std::string_view::npos);
  EXPECT_NE(page_of({}).find(plotly_js()), std::string::npos);
}

TEST(HtmlReport, AFolderThatIsNotThereIsAnErrorInWords) {
  const auto path = std::filesystem::temp_directory_path() / "no_such_folder_here" / "report.html";
  try {
    write_html_report(path, {}, {});
    FAIL() << "written to nowhere";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find(path.string()), std::string::npos);
  }
}

}  // namespace
}  // namespace jointrig::harness
