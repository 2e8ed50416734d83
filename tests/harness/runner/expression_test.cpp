#include "harness/runner/expression.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "tests/harness/runner/test_robot.h"

namespace jointrig::harness {
namespace {

using testing::snapshot_at;
using testing::two_joint_robot;

constexpr double kDeg = std::numbers::pi / 180.0;

class ExpressionTest : public ::testing::Test {
 protected:
  ExpressionTest() : config(two_joint_robot()), table(config), snapshot(snapshot_at(config, 0)) {
    snapshot.joints[0].state.q = 1.0;
    snapshot.joints[0].reference.q = 1.25;
    snapshot.joints[0].state.tau = -3.0;
    snapshot.joints[0].mode = JointMode::kPosition;
    snapshot.joints[1].state.q = 0.2;
  }

  double value(const std::string& text) {
    const Expression expression(text, table);
    table.update(snapshot);
    return expression.value();
  }

  bool holds(const std::string& text) { return value(text) == 1.0; }

  std::string error(const std::string& text) {
    try {
      const Expression expression(text, table);
    } catch (const ExpressionError& problem) {
      return std::to_string(problem.column()) + ": " + problem.what();
    }
    return "no error";
  }

  RobotConfig config;
  SignalTable table;
  Snapshot snapshot;
};

TEST_F(ExpressionTest, ReckonsAsArithmeticIsWritten) {
  EXPECT_DOUBLE_EQ(value("1 + 2 * 3 ^ 2"), 19.0);
  EXPECT_DOUBLE_EQ(value("-2 ^ 2"), -4.0);
  EXPECT_DOUBLE_EQ(value("2 ^ -1"), 0.5);
  EXPECT_DOUBLE_EQ(value("10 / 4 / 5"), 0.5);
  EXPECT_DOUBLE_EQ(value("hypot(3, 4, 12)"), 13.0);
  EXPECT_DOUBLE_EQ(value("atan2(1, -1)"), 0.75 * std::numbers::pi);
  EXPECT_DOUBLE_EQ(value("max(1, 5, 3) - min(4, 2)"), 3.0);
  EXPECT_DOUBLE_EQ(value("3 > 2 ? 10 : 20"), 10.0);
}

TEST_F(ExpressionTest, NumbersTakeTheirUnitsWithThem) {
  EXPECT_DOUBLE_EQ(value("60 deg"), 60 * kDeg);
  EXPECT_DOUBLE_EQ(value("10 / 180 deg"), 10 / std::numbers::pi);
  EXPECT_DOUBLE_EQ(value("30 deg/s * 2 s"), 60 * kDeg);
  EXPECT_DOUBLE_EQ(value("20 Nm/rad"), 20.0);
  EXPECT_DOUBLE_EQ(value("1.5 Nm s/rad"), 1.5);
  EXPECT_DOUBLE_EQ(value("200ms + 1 s"), 1.2);
  EXPECT_DOUBLE_EQ(value("5 mm"), 0.005);
  EXPECT_DOUBLE_EQ(value("2 rad/elbow.q"), 2.0);
  EXPECT_DOUBLE_EQ(value("50 %"), 0.5);
  EXPECT_TRUE(holds("1 s < 2 s and 3 m > 2 m"));
}

TEST_F(ExpressionTest, ReadsSignalsOfJoints) {
  EXPECT_EQ(value("elbow.q"), 1.0);
  EXPECT_EQ(value("elbow.q_err"), 0.25);
  EXPECT_EQ(value("abs(elbow.tau) / elbow.tau_max"), 0.25);
  EXPECT_EQ(value("'rail/z-1'.q"), 0.2);
  EXPECT_EQ(value("'rail/z-1'.tau_max"), 100.0);
  snapshot.cycle = 1500;
  snapshot.time_ns = 1'500'000'000;
  EXPECT_EQ(value("time"), 1.5);
  EXPECT_EQ(value("cycle"), 1500.0);
}

TEST_F(ExpressionTest, ReadsThePlanThatAJointFollows) {
  EXPECT_EQ(value("elbow.plan_waypoints"), 0.0);
  PlanSnapshot plan;
  plan.time = 0.4;
  plan.duration = 1.5;
  plan.pace = 0.5;
  plan.joints.set(1);
  plan.waypoint = 2;
  plan.waypoints = 3;
  plan.number = 7;
  snapshot.plans.push_back(plan);
  EXPECT_EQ(value("elbow.plan_waypoints"), 0.0);  // that is the rail's
  snapshot.plans[0].joints.set(0);
  EXPECT_EQ(value("elbow.plan_waypoints"), 3.0);
  EXPECT_EQ(value("elbow.plan_waypoint"), 2.0);
  EXPECT_EQ(value("elbow.plan_number"), 7.0);
  EXPECT_TRUE(holds("elbow.plan_time == 0.4 s and elbow.plan_duration == 1.5 s"));
  EXPECT_EQ(value("elbow.plan_pace"), 0.5);
}

TEST_F(ExpressionTest, EachStandsForTheJointThatItIsMadeFor) {
  const Expression second("each.q + each.q_max", table, 1);
  table.update(snapshot);
  EXPECT_EQ(second.value(), 2.2);
  EXPECT_TRUE(mentions_each("abs(each.q) < 1"));
  EXPECT_TRUE(mentions_each("abs(truth.each.q) < 1"));
  EXPECT_FALSE(mentions_each("abs(elbow.q) < 1"));
  EXPECT_FALSE(mentions_each("teach.q < 1"));
}

TEST_F(ExpressionTest, ComparesWords) {
  EXPECT_TRUE(holds("elbow.mode == position"));
  EXPECT_FALSE(holds("elbow.mode != position"));
  EXPECT_TRUE(holds("elbow.fault == none"));
  snapshot.joints[0].mode = JointMode::kHwFault;
  snapshot.joints[0].state.status = BoardStatus::kHwFault;
  snapshot.joints[0].fault.code = FaultCode::kEncoderFrozen;
  EXPECT_TRUE(holds("elbow.mode == hw_fault and elbow.status == hw_fault"));
  EXPECT_TRUE(holds("elbow.fault == encoder_frozen"));
}

TEST_F(ExpressionTest, LogicBindsLooserThanComparison) {
  EXPECT_TRUE(holds("elbow.q == 1 and not elbow.q > 2"));
  EXPECT_TRUE(holds("elbow.q > 2 or elbow.q < 2 and elbow.q > 0"));
  EXPECT_FALSE(holds("(elbow.q > 2 or elbow.q < 2) and elbow.q < 0"));
  EXPECT_TRUE(holds("!(elbow.q > 2)"));
  EXPECT_TRUE(holds("20 deg < elbow.q < 80 deg"));
  EXPECT_FALSE(holds("20 deg < elbow.q < 50 deg"));
  EXPECT_TRUE(holds("elbow.q > 2 implies elbow.q < 0"));
  EXPECT_FALSE(holds("elbow.q > 0 implies elbow.q < 0"));
  EXPECT_TRUE(holds("(elbow.q > 0) + (elbow.q > 2) == 1"));  // counting what holds
}

TEST_F(ExpressionTest, WhatMeetsNanIsFalseAndSoIsItsOpposite) {
  EXPECT_FALSE(holds("nan < 1"));
  EXPECT_FALSE(holds("not nan < 1"));
  EXPECT_FALSE(holds("nan != 1"));
  EXPECT_FALSE(holds("nan"));
}

// In parentheses, arguments and choices a condition has the same value as alone.
TEST_F(ExpressionTest, AConditionWithinArithmeticFollowsTheSameRules) {
  EXPECT_EQ(value("(0 < elbow.q < 0.5) + 0"), 0.0);  // a chain, not (0 < q) < 0.5
  EXPECT_EQ(value("0.5 < elbow.q < 2 ? 10 : 20"), 10.0);
  EXPECT_EQ(value("not elbow.q == 0 ? 10 : 20"), 10.0);  // not (q == 0), not (not q) == 0
  EXPECT_EQ(value("(nan != 1) + (not nan < 1)"), 0.0);
  EXPECT_EQ(value("nan ? 10 : 20"), 20.0);
  EXPECT_EQ(value("(elbow.q > 2 implies elbow.q < 0) + 1"), 2.0);
  EXPECT_EQ(value("2 * !(elbow.q > 2)"), 2.0);
  EXPECT_EQ(value("elbow.q > 2 ? 1 : elbow.q > 0.5 ? 2 : 3"), 2.0);
}

TEST_F(ExpressionTest, WhatIsNestedTooDeeplyIsRefused) {
  const std::string open(1000, '(');
  const std::string close(1000, ')');
  EXPECT_NE(error(open + "1" + close).find(": this is nested too deeply"), std::string::npos);
  EXPECT_EQ(value(open.substr(0, 50) + "elbow.q" + close.substr(0, 50)), 1.0);
  const std::string nots(1000, '!');
  EXPECT_NE(error(nots + "1").find(": this is nested too deeply"), std::string::npos);
}

TEST_F(ExpressionTest, TheDecidingComparisonIsTheOneThatFails) {
  const Expression both("elbow.q < 2 and abs(elbow.q_err) < 0.2", table);
  table.update(snapshot);
  const Check check = both.check();
  EXPECT_FALSE(check.holds);
  EXPECT_DOUBLE_EQ(check.margin, 0.2 - 0.25);
  EXPECT_EQ(both.expected(check), "abs(elbow.q_err) < 0.2");
  EXPECT_EQ(both.got(check), "abs(elbow.q_err) = 0.25 rad");
}

TEST_F(ExpressionTest, TheMarginOfWhatHoldsIsTheSmallest) {
  const Expression both("elbow.q < 2 and abs(elbow.q_err) < 0.3", table);
  table.update(snapshot);
  EXPECT_TRUE(both.check().holds);
  EXPECT_DOUBLE_EQ(both.check().margin, 0.3 - 0.25);
}

TEST_F(ExpressionTest, WhatItMetIsShownInTheUnitAndWordsOfTheAuthor) {
  const Expression degrees("elbow.q < 30 deg", table);
  const Expression word("elbow.mode == idle", table);
  const Expression moving_limit("abs(elbow.tau) <= 0.2 * elbow.tau_max", table);
  const Expression turned("70 deg < elbow.q", table);
  const Expression flag("elbow.moving", table);
  const Expression small("abs(elbow.tau) < 2500 mNm", table);
  const Expression opposite("not elbow.mode == position", table);
  table.update(snapshot);
  EXPECT_EQ(degrees.got(degrees.check()), "elbow.q = 57.3 deg");
  EXPECT_EQ(word.got(word.check()), "elbow.mode = position");
  EXPECT_EQ(moving_limit.got(moving_limit.check()), "abs(elbow.tau) = 3 N·m, against 2.4 N·m");
  EXPECT_EQ(turned.got(turned.check()), "elbow.q = 57.3 deg");
  EXPECT_EQ(flag.got(flag.check()), "elbow.moving = false");
  EXPECT_EQ(small.got(small.check()), "abs(elbow.tau) = 3000 mN·m");
  EXPECT_EQ(opposite.expected(opposite.check()), "not elbow.mode == position");
}

TEST_F(ExpressionTest, NumbersThatDifferAreShownWithTheDigitsThatDiffer) {
  const Expression close("elbow.q < 1 - 1e-9", table);
  table.update(snapshot);
  EXPECT_EQ(close.got(close.check()), "elbow.q = 1 rad");
  snapshot.joints[0].reference.q = 1.0000000004;
  const Expression signals("elbow.q_ref <= elbow.q", table);
  table.update(snapshot);
  EXPECT_EQ(signals.got(signals.check()), "elbow.q_ref = 1.0000000004 rad, against 1 rad");
}

// Against the rules of dimensional analysis, written out by hand.
TEST_F(ExpressionTest, WhatIsComparedAddedOrPutBesideIsOfOneDimension) {
  const auto problem = [this](const std::string& text) {
    try {
      const Expression expression(text, table);
    } catch (const ExpressionError& error) {
      return std::to_string(error.column()) + " " + error.what();
    }
    return std::string("fits");
  };
  const std::string angle = "an angle (rad, deg)";
  const std::string torque = "a torque (Nm)";
  EXPECT_EQ(problem("abs(elbow.tau) < 3 deg"), "15 " + torque + " is compared with " + angle);
  EXPECT_EQ(problem("elbow.q + elbow.tau < 1"), "8 " + angle + " plus " + torque);
  EXPECT_EQ(problem("2 * (elbow.q - 3 Nm) > 1"), "13 " + angle + " minus " + torque);
  EXPECT_EQ(problem("max(elbow.q, 2 rad, elbow.tau) > 1"), "20 " + angle + " beside " + torque);
  EXPECT_EQ(problem("peak(elbow.tau, 1 s) < 3 deg"), "21 " + torque + " is compared with " + angle);
  EXPECT_EQ(problem("time > 2 s and 3 deg < elbow.v < 2 rad/s"),
            "21 " + angle + " is compared with an angular speed (rad/s, deg/s)");
  EXPECT_EQ(problem("'rail/z-1'.q < 3 deg"), "13 a length (m, mm) is compared with " + angle);
  // Powers, quotients, roots and rates carry their dimensions.
  EXPECT_EQ(problem("rate(elbow.q) < 3 deg/s"), "fits");
  EXPECT_EQ(problem("elbow.q / 2 s < 3 deg/s"), "fits");
  EXPECT_EQ(problem("elbow.q / 2 s < 3 Nm").substr(0, 18), "14 an angular spee");
  EXPECT_EQ(problem("sqrt(elbow.v^2 + (2 rad/s)^2) < 3 rad/s"), "fits");
  EXPECT_EQ(problem("sqrt(elbow.v^2) < 3 s").substr(0, 18), "16 an angular spee");
  EXPECT_EQ(problem("atan2(elbow.q, 1) < 3 Nm"), "18 " + angle + " is compared with " + torque);
  // A plain number may have any dimension, and so may the other factor of its product.
  EXPECT_EQ(problem("elbow.tau < 3"), "fits");
  EXPECT_EQ(problem("20 * elbow.q < 3 Nm"), "fits");
  EXPECT_EQ(problem("elbow.moving ? elbow.q : elbow.tau"), "fits");
  // A product may have gained or lost an angle: power, arc length, torque of a spring.
  EXPECT_EQ(problem("elbow.tau * elbow.v < 5 W"), "fits");
  EXPECT_EQ(problem("elbow.q * 0.3 m < 5 cm"), "fits");
  EXPECT_EQ(problem("elbow.stiffness * elbow.q_err < 5 Nm"), "fits");
  EXPECT_EQ(problem("elbow.stiffness < 20 Nm"),
            "16 an angular stiffness (Nm/rad) is compared with " + torque);
}

TEST_F(ExpressionTest, BoundsOnASignalCanBeDrawn) {
  const Expression expression("abs(elbow.q_err) <= 2 deg and elbow.tau > -5", table);
  const auto bounds = expression.bounds();
  ASSERT_EQ(bounds.size(), 3U);
  EXPECT_EQ(bounds[0].signal->name, "elbow.q_err");
  EXPECT_DOUBLE_EQ(bounds[0].value, 2 * kDeg);
  EXPECT_TRUE(bounds[0].is_upper);
  EXPECT_DOUBLE_EQ(bounds[1].value, -2 * kDeg);
  EXPECT_FALSE(bounds[1].is_upper);
  EXPECT_EQ(bounds[2].signal->name, "elbow.tau");
  EXPECT_FALSE(bounds[2].is_upper);
}

TEST_F(ExpressionTest, OnlyWhatReadsNoSignalIsConstant) {
  EXPECT_EQ(Expression("2 * 3", table).constant(), 6.0);
  EXPECT_EQ(Expression("2 * elbow.q", table).constant(), std::nullopt);
  EXPECT_EQ(Expression("elbow.q - elbow.q", table).constant(), std::nullopt);
  const Expression repeated("elbow.q < 1 and elbow.q_ref < elbow.q", table);
  EXPECT_EQ(repeated.bounds().size(), 1U) << "elbow.q is no constant bound of elbow.q_ref";
}

TEST_F(ExpressionTest, StepIsTheChangeSinceTheLastCycle) {
  const Expression step("step(elbow.q)", table);
  const Expression rate("rate(2 * elbow.q)", table);
  table.update(snapshot);
  EXPECT_EQ(step.value(), 0.0);
  snapshot.joints[0].state.q = 1.5;
  table.update(snapshot);
  EXPECT_DOUBLE_EQ(step.value(), 0.5);
  EXPECT_DOUBLE_EQ(rate.value(), 1000.0);
}

TEST_F(ExpressionTest, PeakAndLowLookBackOverTheWholeWindow) {
  // Against the definition, on a sequence without a pattern; a window of 7 ms holds 8 samples.
  const Expression peak("peak(elbow.q, 7 ms)", table);
  const Expression low("low(elbow.q, 7 ms)", table);
  std::vector<double> seen;
  unsigned state = 12345;
  for (int cycle = 0; cycle < 500; ++cycle) {
    state = state * 1103515245U + 12345U;
    snapshot.joints[0].state.q = static_cast<double>(state >> 16U & 0xFFU);
    seen.push_back(snapshot.joints[0].state.q);
    table.update(snapshot);
    const auto first = seen.size() > 8 ? seen.end() - 8 : seen.begin();
    ASSERT_EQ(peak.value(), *std::max_element(first, seen.end())) << "cycle " << cycle;
    ASSERT_EQ(low.value(), *std::min_element(first, seen.end())) << "cycle " << cycle;
  }
}

TEST_F(ExpressionTest, MeanIsTheSumOverTheWindowByTheNumberOfItsSamples) {
  const Expression mean("mean(elbow.q, 7 ms)", table);
  std::vector<double> seen;
  unsigned state = 54321;
  for (int cycle = 0; cycle < 500; ++cycle) {
    state = state * 1103515245U + 12345U;
    // A window with a huge sample in it takes its small ones along with it, and forgets none after.
    snapshot.joints[0].state.q = cycle == 100 ? 1e12 : 1e-3 * static_cast<double>(state >> 16U);
    seen.push_back(snapshot.joints[0].state.q);
    table.update(snapshot);
    const auto first = seen.size() > 8 ? seen.end() - 8 : seen.begin();
    const double expected =
        std::accumulate(first, seen.end(), 0.0) / static_cast<double>(seen.end() - first);
    const bool huge_was_here = cycle >= 100 && cycle < 116;  // until the sum is made anew
    ASSERT_NEAR(mean.value(), expected, huge_was_here ? 1e-3 : 1e-9) << "cycle " << cycle;
  }
}

TEST_F(ExpressionTest, AMeanIsNoNumberAsLongAsOneOfItsSamplesIsNone) {
  const Expression mean("mean(elbow.q, 2 ms)", table);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<bool> is_number;
  for (const double q : {1.0, nan, 3.0, 4.0, 5.0, 6.0}) {
    snapshot.joints[0].state.q = q;
    table.update(snapshot);
    is_number.push_back(std::isfinite(mean.value()));
  }
  EXPECT_EQ(is_number, (std::vector<bool>{true, false, false, false, true, true}));
  EXPECT_DOUBLE_EQ(mean.value(), 5.0);
}

TEST_F(ExpressionTest, AtAMarkAMeanIsThatOfTheWindowBeforeIt) {
  table.define_mark("pushed");
  const Expression before("at(mean(elbow.q, 1 ms), pushed)", table);
  for (const double q : {7.0, 1.0, 2.0}) {
    snapshot.joints[0].state.q = q;
    table.update(snapshot);
  }
  table.set_mark(0);
  snapshot.joints[0].state.q = 100.0;
  table.update(snapshot);
  EXPECT_DOUBLE_EQ(before.value(), 1.5);
}

TEST_F(ExpressionTest, AtKeepsTheValueOfTheMark) {
  table.define_mark("pushed");
  const Expression drift("abs(elbow.q - at(elbow.q, pushed))", table);
  table.update(snapshot);
  EXPECT_TRUE(std::isnan(drift.value()));
  table.set_mark(0);
  snapshot.joints[0].state.q = 1.75;
  table.update(snapshot);
  EXPECT_DOUBLE_EQ(drift.value(), 0.75);
}

TEST_F(ExpressionTest, AForceTorqueSensorIsOneThatTheRobotHas) {
  EXPECT_EQ(error("ft0.fz < 1"),
            "0: \"ft0.fz\" is of a force/torque sensor that isn't there: the robot has none here");
  SignalTable with_two(config, nullptr, 2);
  ForceTorqueState sensor;
  sensor.torque = {1.0, 2.0, 3.0};
  snapshot.force_torque.push_back({});
  snapshot.force_torque.push_back(sensor);
  const Expression expression("ft1.tz", with_two);
  with_two.update(snapshot);
  EXPECT_DOUBLE_EQ(expression.value(), 3.0);
  EXPECT_THROW(Expression("ft2.tz", with_two), ExpressionError);
}

TEST_F(ExpressionTest, ErrorsNameTheNearestRightWordAndTheColumn) {
  EXPECT_EQ(error("1 + elbow.qref"), "4: no signal \"elbow.qref\"; did you mean \"elbow.q_ref\"?");
  EXPECT_EQ(error("elbov.q < 1"), "0: no signal \"elbov.q\"; did you mean \"elbow.q\"?");
  EXPECT_EQ(error("elbow.mode == positon"),
            "14: no signal or word \"positon\"; did you mean \"position\"?");
  EXPECT_EQ(error("sqr(elbow.q)"), "0: no function \"sqr\"; did you mean \"sqrt\"?");
  EXPECT_EQ(error("elbow < 1"), "0: \"elbow\" is a joint: name a signal of it, as in elbow.q");
  EXPECT_EQ(error("3 degs"), "2: unknown unit \"degs\"; did you mean \"deg\"?");
  EXPECT_EQ(error("at(elbow.q, psh)"), "12: no mark \"psh\"");
  EXPECT_EQ(error("each.q < 1"),
            "0: \"each\" stands for the joints of an assertion or a stream: there are none here, "
            "name the joint");
  EXPECT_EQ(error("body.hand.x < 1"),
            "0: \"body.hand.x\" is truth of the simulated world, which this backend doesn't have: "
            "give the scenario \"requires: [truth]\"");
}

TEST_F(ExpressionTest, ErrorsOfFormSayWhatIsMissingWhere) {
  EXPECT_EQ(error(""), "0: an expression is missing");
  EXPECT_EQ(error("elbow.q <"), "8: a value is missing after \"<\"");
  EXPECT_EQ(error("< 3"), "0: a value is missing before \"<\"");
  EXPECT_EQ(error("1 < 2 and"), "6: a value is missing after \"and\"");
  EXPECT_EQ(error("abs(elbow.q < 1"), "3: this parenthesis is never closed");
  EXPECT_EQ(error("elbow.q) < 1"), "7: this parenthesis was never opened");
  EXPECT_EQ(error("elbow.q = 1"), "8: \"=\" means nothing here: compare with \"==\"");
  EXPECT_EQ(error("1 + * 2"), "4: a value is missing here");
  EXPECT_EQ(error("1 +"), "3: something is missing at the end");
  EXPECT_EQ(error("elbow.q elbow.v"), "8: an operator is missing here");
  EXPECT_EQ(error("abs(1, 2)"), "8: abs() has too many arguments");
  EXPECT_EQ(error("atan2(1)"), "7: atan2() has too few arguments");
  EXPECT_EQ(error("step(elbow.q, 1)"), "0: step() takes one argument");
  EXPECT_EQ(error("1, 2"), "1: one value is wanted, not several");
  EXPECT_EQ(error("(1, 2) + 3"), "2: one value is wanted, not several");
  EXPECT_EQ(error("max(1,)"), "6: a value is missing here");
  EXPECT_EQ(error("hypot()"), "6: hypot() has too few arguments");
  EXPECT_EQ(error("2 (3)"), "2: an operator is missing here");
  EXPECT_EQ(error("2 - - - 3"), "6: a value is missing here");
  EXPECT_EQ(error("(1 <) and 2"), "3: a value is missing after \"<\"");
  EXPECT_EQ(error("1 + < 2"), "3: something is missing at the end");
  EXPECT_EQ(error("elbow.moving ? 1"), "13: \"?\" needs a \":\", as in a ? b : c");
  EXPECT_EQ(error("1 : 2"), "2: \":\" belongs to \"?\", as in a ? b : c");
  EXPECT_EQ(error("peak(elbow.q, elbow.v)"),
            "14: a window is a fixed time above 0 and up to 10 min, as in peak(x, 1 s)");
  EXPECT_EQ(error("'elbow.q"), "0: this quote has no end");
  EXPECT_EQ(error("elbow.q § 2"), "8: \"§\" means nothing in an expression");
  EXPECT_EQ(error("2 * \u00b5"), "4: \"\u00b5\" means nothing in an expression");
}

TEST_F(ExpressionTest, ErrorsInsideHistoryStandWhereTheyAre) {
  EXPECT_EQ(error("2 * step(elbow.q + elbow.w)"),
            "19: no signal \"elbow.w\"; did you mean \"elbow.q\"?");
}

}  // namespace
}  // namespace jointrig::harness
