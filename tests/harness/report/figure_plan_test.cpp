#include "harness/report/figure_plan.h"

#include <gtest/gtest.h>

#include "tests/harness/report/made_up_result.h"

namespace jointrig::harness {
namespace {

using namespace report;

std::vector<std::string> titles(const std::vector<Figure>& figures) {
  std::vector<std::string> words;
  for (const Figure& figure : figures) words.push_back(figure.title);
  return words;
}

std::vector<std::string> trace_names(const Panel& panel, const Result& result) {
  std::vector<std::string> words;
  for (const std::size_t i : panel.traces) words.push_back(result.traces.signals[i].name);
  return words;
}

using Words = std::vector<std::string>;

TEST(FigurePlan, MeasurementReferenceAndCommandShareAPanel) {
  const Result result = testing::made_up_result({});
  const FigurePlan plan = plan_figures(result);
  ASSERT_EQ(titles(plan.open), (Words{"r_elbow", "r_wrist"}));
  const Figure& elbow = plan.open[0];
  ASSERT_EQ(elbow.panels.size(), 3U);
  EXPECT_EQ(elbow.panels[0].title, "position");
  EXPECT_EQ(elbow.panels[0].unit, "rad");
  EXPECT_EQ(trace_names(elbow.panels[0], result), (Words{"r_elbow.q", "r_elbow.q_ref"}));
  EXPECT_EQ(trace_names(elbow.panels[1], result), (Words{"r_elbow.q_err"}));
  EXPECT_EQ(trace_names(elbow.panels[2], result), (Words{"r_elbow.tau", "r_elbow.tau_cmd"}));
}

TEST(FigurePlan, JointsThatStoodStillAreFoldedAway) {
  const FigurePlan plan = plan_figures(testing::made_up_result({.joints = 5}));
  EXPECT_EQ(titles(plan.open), (Words{"r_elbow", "r_wrist"}));
  EXPECT_EQ(titles(plan.folded), (Words{"joint_2", "joint_3", "joint_4"}));
}

TEST(FigurePlan, WhatIsNamedComesBeforeWhatMovedAndTheFailureBeforeBoth) {
  Result result = testing::made_up_result({.joints = 4});
  for (Trace& trace : result.traces.signals) {
    if (trace.name == "joint_2.q") trace.most.back() += 1.0F;  // moved, but nobody named it
  }
  result.verdicts.front().name = "move joint_3";
  result.first_failure = Failure{1.0, "reach", "r_wrist.q > 1", "r_wrist.q = 0.4"};
  EXPECT_EQ(titles(plan_figures(result).open), (Words{"r_wrist", "r_elbow", "joint_3", "joint_2"}));
}

TEST(FigurePlan, NoMoreThanEightAreOpen) {
  Result result = testing::made_up_result({.joints = 41});
  for (Trace& trace : result.traces.signals) {
    if (trace.name.ends_with(".q")) trace.most.back() += 1.0F;
  }
  const FigurePlan plan = plan_figures(result);
  EXPECT_EQ(plan.open.size(), 8U);
  EXPECT_EQ(plan.folded.size(), 33U);
}

TEST(FigurePlan, TheFailingMomentShowsWhatWasJudgedOnTop) {
  const Result result = testing::made_up_result({.joints = 3, .fails = true});
  const FigurePlan plan = plan_figures(result);
  ASSERT_TRUE(plan.failure.has_value());
  ASSERT_EQ(plan.failure->panels.size(), 3U);
  EXPECT_EQ(trace_names(plan.failure->panels[0], result), (Words{"r_elbow.q_err"}));
  EXPECT_EQ(plan.failure->joint, "r_elbow");
}

TEST(FigurePlan, WordsAreNoCurvesAndTheTruthGoesWithItsJoint) {
  Result result;
  result.traces.times = {0.0};
  for (const char* name : {"arm/a-1.mode", "arm/a-1.q", "truth.arm/a-1.q", "body.hand.x",
                           "body.hand.y", "contact.hand.force"}) {
    Trace trace;
    trace.name = name;
    trace.least = trace.most = {0.0F};
    if (trace.name.starts_with("arm")) trace.joint = "arm/a-1";
    result.traces.signals.push_back(trace);
  }
  const FigurePlan plan = plan_figures(result);
  ASSERT_EQ(titles(plan.open), (Words{"World and loop"}));
  EXPECT_EQ(plan.open[0].panels[0].title, "body.hand");
  EXPECT_EQ(plan.open[0].panels[0].traces, (std::vector<std::size_t>{3, 4}));
  EXPECT_EQ(plan.open[0].panels[1].title, "contact force");
  ASSERT_EQ(titles(plan.folded), (Words{"arm/a-1"}));
  ASSERT_EQ(plan.folded[0].panels.size(), 1U);
  EXPECT_EQ(plan.folded[0].panels[0].traces, (std::vector<std::size_t>{1, 2}));
}

TEST(FigurePlan, ANameIsNotFoundWithinALongerOne) {
  EXPECT_TRUE(names("abs(elbow.q) < 1", "elbow"));
  EXPECT_TRUE(names("abs(elbow.q) < 1", "elbow.q"));
  EXPECT_FALSE(names("abs(r_elbow.q) < 1", "elbow"));
  EXPECT_FALSE(names("elbow.q_err < 1", "elbow.q"));
  EXPECT_FALSE(names("anything", ""));
}

}  // namespace
}  // namespace jointrig::harness
