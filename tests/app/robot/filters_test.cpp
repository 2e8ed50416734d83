// Filters by themselves, and on what a program reads of a robot and commands.

#include "app/robot/filters.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <string>

#include "app/robot/robot.h"
#include "control/exchange/robot_client.h"

namespace jointrig {
namespace {

using Values = std::vector<double>;

constexpr double kPi = std::numbers::pi;

/// Response of a filter to a sine once it has come in, by correlation over whole periods.
std::complex<double> response(Filter& filter, double frequency, double dt) {
  const int period = static_cast<int>(std::lround(1.0 / (frequency * dt)));
  filter.start({0.0});
  std::complex<double> sum;
  const int first = 60 * period;
  const int last = first + 40 * period;
  for (int k = 0; k < last; ++k) {
    const double angle = 2.0 * kPi * frequency * dt * k;
    const double out = filter.next({std::sin(angle)}, dt).front();
    if (k >= first) sum += out * std::exp(std::complex<double>(0.0, -angle));
  }
  // Σ sin(a) e^{−ia} is −i/2 a sample.
  return sum / static_cast<double>(last - first) * std::complex<double>(0.0, 2.0);
}

TEST(LowPass, HasItsMinusThreeDecibelsAtItsFrequencyWhateverTheRate) {
  for (const int order : {1, 2}) {
    for (const double dt : {1e-3, 4e-3}) {
      for (const double frequency : {5.0, 25.0, 62.5}) {
        SCOPED_TRACE(std::to_string(order) + ", " + std::to_string(frequency) + " Hz");
        LowPass filter(frequency, order);
        const std::complex<double> at = response(filter, frequency, dt);
        EXPECT_NEAR(std::abs(at), std::sqrt(0.5), 1e-6);
        EXPECT_NEAR(std::arg(at), -order * kPi / 4.0, 1e-6) << "45° for each order";
        // Butterworth's gain, with the frequencies as the transform bends them.
        const double twice = std::tan(kPi * 2.0 * frequency * dt) / std::tan(kPi * frequency * dt);
        const double expected = 1.0 / std::sqrt(1.0 + std::pow(twice, 2.0 * order));
        EXPECT_NEAR(std::abs(response(filter, 2.0 * frequency, dt)), expected, 1e-6);
      }
    }
  }
}

TEST(LowPass, StartsWithoutAJumpAndComesToItsInput) {
  for (const int order : {1, 2}) {
    LowPass filter(10.0, order);
    filter.start({3.0, -2.0});
    EXPECT_EQ(filter.next({3.0, -2.0}, 1e-3), (Values{3.0, -2.0}));
    const double k = std::tan(kPi * 10.0 * 1e-3);
    // By hand, of a step of 1: K/(1+K), and K²/(1 + √2 K + K²).
    const double first = order == 1 ? k / (1.0 + k) : k * k / (1.0 + std::sqrt(2.0) * k + k * k);
    EXPECT_NEAR(filter.next({4.0, -2.0}, 1e-3)[0], 3.0 + first, 1e-12);
    Values out;
    for (int i = 0; i < 1000; ++i) out = filter.next({4.0, -2.0}, 1e-3);
    EXPECT_EQ(out, (Values{4.0, -2.0})) << "it is there, not only near";
  }
}

TEST(LowPass, GoesOnFromAMemoryToTheBit) {
  LowPass one(30.0, 2);
  one.start({0.5});
  for (int i = 0; i < 20; ++i) one.next({0.1 * i}, 1e-3);
  LowPass other(30.0, 2);
  other.restore(one.save());
  for (int i = 0; i < 20; ++i) EXPECT_EQ(one.next({-0.3}, 1e-3), other.next({-0.3}, 1e-3));
  EXPECT_THROW(other.restore({1.0}), std::invalid_argument);
}

TEST(Filters, RangesAndRatesAreWhatTheySay) {
  RangeLimit range({-1.0, 0.0}, {1.0, 0.5});
  range.start({0.0, 0.0});
  EXPECT_EQ(range.next({-3.0, 0.25}, 1e-3), (Values{-1.0, 0.25}));
  RateLimit rate(2.0);
  rate.start({1.0});
  EXPECT_EQ(rate.next({5.0}, 0.25), Values{1.5});
  EXPECT_EQ(rate.next({1.75}, 0.25), Values{1.75});
  EXPECT_EQ(rate.next({-5.0}, 0.5), Values{0.75});
  EXPECT_THROW(RangeLimit({1.0}, {0.0}), std::invalid_argument);
  EXPECT_THROW(RateLimit(0.0), std::invalid_argument);
  EXPECT_THROW(LowPass(-1.0), std::invalid_argument);
  EXPECT_THROW(LowPass(10.0, 3), std::invalid_argument);
}

// On a robot --------------------------------------------------------------------------------------

class FilteredRobot : public testing::TestWithParam<const char*> {
 protected:
  FilteredRobot() : robot("franka", {.backend = GetParam()}), arm(robot.part("arm")) {
    robot.initialize();
  }
  void run(double seconds) {
    const double end = robot.clock() + seconds - 1e-9;
    while (robot.clock() < end) robot.step();
  }
  static FilterPtr function(FunctionFilter::Function f) {
    return std::make_shared<FunctionFilter>(std::move(f));
  }
  /// a x + b of each joint.
  static FilterPtr linear(double a, double b) {
    return function([a, b](const Values& in) {
      Values out;
      for (const double x : in) out.push_back(a * x + b);
      return out;
    });
  }
  std::string told(const auto& call) {
    try {
      call();
    } catch (const std::exception& error) {
      return error.what();
    }
    return {};
  }
  Robot robot;
  RobotPart arm;
};

INSTANTIATE_TEST_SUITE_P(Robot, FilteredRobot, testing::Values("kinematic", "boards"),
                         [](const auto& backend) { return std::string(backend.param); });

TEST_P(FilteredRobot, ALowPassOnACommandedPositionHasItsStepResponseAndArrives) {
  arm.set_filter(FilterOn::kCommandedPosition, "soft", std::make_shared<LowPass>(1.0, 2));
  const Values from = arm.commanded_position();
  Values goal = from;
  goal[0] += 0.02;
  arm.set_position(goal);
  const double began = robot.clock();
  for (const double t : {0.1, 0.2, 0.4, 0.7}) {
    run(began + t - robot.clock());
    // Butterworth's, of the second order; the reference of a stream comes in a little behind it.
    const double x = 2.0 * kPi * t / std::sqrt(2.0);
    const double expected = 0.02 * (1.0 - std::exp(-x) * (std::cos(x) + std::sin(x)));
    EXPECT_NEAR(arm.commanded_position()[0] - from[0], expected, 0.08 * 0.02) << t;
  }
  robot.wait();
  EXPECT_NEAR(arm.commanded_position()[0], goal[0], 2e-6);
  EXPECT_GT(robot.clock() - began, 1.5) << "wait() waits for the filter, too";
}

TEST_P(FilteredRobot, FiltersActInTheOrderInWhichTheyWereAddedPartsBeforeTheRobot) {
  const double q = robot.snapshot().joints[2].state.q;
  robot.set_filter(FilterOn::kSensedPosition, "whole", linear(1.0, 1.0));
  arm.set_filter(FilterOn::kSensedPosition, "twice", linear(2.0, 0.0));
  arm.set_filter(FilterOn::kSensedPosition, "up", linear(1.0, 10.0));
  robot.step();
  EXPECT_NEAR(arm.sensed_position()[2], (2.0 * q + 10.0) + 1.0, 1e-6);
  EXPECT_EQ(robot.part("panda_joint3").sensed_position()[0], arm.sensed_position()[2]);
  EXPECT_NEAR(arm.commanded_position()[2], q, 1e-6) << "the loop has its own sensors";
  EXPECT_EQ(arm.filter_names(FilterOn::kSensedPosition), (std::vector<std::string>{"twice", "up"}));

  arm.set_filter(FilterOn::kSensedPosition, "twice", linear(3.0, 0.0));
  robot.step();
  EXPECT_NEAR(arm.sensed_position()[2], 3.0 * q + 11.0, 1e-6) << "in its old place";
  arm.remove_filter(FilterOn::kSensedPosition, "twice");
  robot.remove_filter(FilterOn::kSensedPosition, "whole");
  robot.step();
  EXPECT_NEAR(arm.sensed_position()[2], q + 10.0, 1e-6);
  EXPECT_EQ(told([&] { arm.remove_filter(FilterOn::kSensedPosition, "upp"); }),
            "there is no filter \"upp\" on sensed_position of arm; did you mean \"up\"?");
}

TEST_P(FilteredRobot, ASensorIsFilteredOnceACycleHoweverOftenItIsRead) {
  int calls = 0;
  arm.set_filter(FilterOn::kSensedVelocity, "count", function([&](const Values& in) {
                   ++calls;
                   return in;
                 }));
  for (int i = 0; i < 10; ++i) {
    robot.step();
    static_cast<void>(arm.sensed_velocity());
    static_cast<void>(robot.sensed_velocity());
  }
  EXPECT_EQ(calls, 10);
}

TEST_P(FilteredRobot, ARangeNarrowsWhatIsCommandedAndTheRobotComesToRestThere) {
  const Values q = arm.commanded_position();
  Values low = q;
  Values high = q;
  low[1] -= 0.05;
  high[1] += 0.05;
  arm.set_filter(FilterOn::kCommandedPosition, "box", std::make_shared<RangeLimit>(low, high));
  Values goal = q;
  goal[1] += 0.4;
  arm.set_position(goal);
  robot.wait();
  EXPECT_NEAR(arm.commanded_position()[1], q[1] + 0.05, 2e-6);
  arm.remove_filter(FilterOn::kCommandedPosition, "box");
  robot.wait();
  EXPECT_NEAR(arm.commanded_position()[1], q[1] + 0.4, 2e-6) << "it is still what is asked for";
  EXPECT_NE(told([&] {
              arm.set_filter(FilterOn::kCommandedPosition, "box",
                             std::make_shared<RangeLimit>(Values{0.0}, Values{1.0}));
            }),
            "");
}

TEST_P(FilteredRobot, AVelocityFiltersItsOwnStartAndBeginsAnewFromRest) {
  arm.set_filter(FilterOn::kCommandedVelocity, "ramp", std::make_shared<RateLimit>(0.25));
  Values v(arm.joint_count(), 0.0);
  v[0] = 0.5;
  for (int round = 0; round < 2; ++round) {
    SCOPED_TRACE(round);
    arm.set_velocity(v);
    run(1.0);
    EXPECT_NEAR(arm.commanded_velocity()[0], 0.25, 1e-2);
    arm.stop();
    robot.wait();
  }
}

TEST_P(FilteredRobot, ABadFilterRefusesTheCommandWholeByItsNameAndNothingMoves) {
  const Values here = robot.commanded_position();
  struct Case {
    FunctionFilter::Function f;
    const char* sentence;
  };
  const auto nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<Case> cases{
      {[nan](const Values& in) { return Values(in.size(), nan); }, "gave nan"},
      {[](const Values&) { return Values{0.0}; }, "gave 1 numbers for 7 joints"},
      {[](const Values&) -> Values { throw std::runtime_error("no idea"); }, "failed: no idea"}};
  RobotPart hand = robot.part("hand");
  for (const Case& c : cases) {
    for (const FilterOn on : {FilterOn::kCommandedPosition, FilterOn::kCommandedVelocity}) {
      arm.set_filter(on, "bad", function(c.f));
      const std::string expected =
          "filter \"bad\" on " + std::string(to_string(on)) + " of arm " + c.sentence;
      // A command for all joints: the hand doesn't move either.
      Values q = here;
      for (double& x : q) x -= 0.01;
      const std::string why = told([&] {
        if (on == FilterOn::kCommandedPosition) robot.set_position(q);
        if (on == FilterOn::kCommandedVelocity) robot.set_velocity(Values(q.size(), -0.01));
        robot.step();
      });
      EXPECT_EQ(why, expected);
      EXPECT_EQ(told([&] {
                  robot.set_pid(q, Values(q.size(), 0.0));
                  robot.step();
                }),
                expected);
      run(0.3);
      for (std::size_t i = 0; i < q.size(); ++i) {
        EXPECT_NEAR(robot.commanded_position()[i], here[i], 1e-6);
      }
      EXPECT_FALSE(robot.is_moving());
      arm.remove_filter(on, "bad");
    }
  }
  // Another part's command goes on while this one is refused.
  arm.set_filter(FilterOn::kCommandedPosition, "bad", function(cases[0].f));
  arm.set_position(arm.commanded_position());
  hand.set_position({0.03});
  EXPECT_THROW(robot.step(), Refused);
  robot.wait();
  EXPECT_NEAR(hand.commanded_position()[0], 0.03, 2e-6);
}

TEST_P(FilteredRobot, ABadFilterOnASensorIsToldAfterTheCycleAndTheSensorIsReadAsItIs) {
  arm.set_filter(FilterOn::kSensedPosition, "bad",
                 function([](const Values&) { return Values{}; }));
  const double before = robot.clock();
  EXPECT_EQ(told([&] { robot.step(); }),
            "filter \"bad\" on sensed_position of arm gave 0 numbers for 7 joints");
  EXPECT_GT(robot.clock(), before);
  EXPECT_EQ(arm.sensed_position()[3], robot.snapshot().joints[3].state.q);
}

TEST_P(FilteredRobot, SamplesOfAPathAreFilteredAsTheyAreSent) {
  arm.set_filter(FilterOn::kCommandedPosition, "up", function([](const Values& in) {
                   Values out = in;
                   out[0] += 0.001;
                   return out;
                 }));
  const Values q = arm.commanded_position();
  arm.set_pid(q, Values(q.size(), 0.0));
  run(0.1);
  EXPECT_NEAR(arm.commanded_position()[0], q[0] + 0.001, 1e-6);
}

TEST_P(FilteredRobot, AFilterOfAllJointsTakesAStepOnceForWhatAllCallsOfThatStepCommand) {
  RobotPart hand = robot.part("hand");
  std::vector<Values> asked;
  auto soft = std::make_shared<LowPass>(5.0);
  Values sent;
  robot.set_filter(FilterOn::kCommandedPosition, "whole", function([&](const Values& in) {
                     asked.push_back(in);
                     return sent = soft->next(in, 1e-3);
                   }));
  // The same by hand: one step of a low-pass for each step of the robot.
  LowPass expected(5.0);
  const Values from = robot.commanded_position();
  soft->start(from);
  expected.start(from);
  const Values rest(arm.joint_count(), 0.0);
  for (int k = 1; k <= 30; ++k) {
    Values all = from;
    for (std::size_t j = 0; j < arm.joint_count(); ++j) all[j] += 1e-5 * k;
    all[arm.joint_count()] -= 1e-5 * k;
    const Values of_arm(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(rest.size()));
    robot.begin_step();
    if (k % 2 == 0) arm.set_pid(of_arm, rest);
    hand.set_pid({all[arm.joint_count()]}, {0.0});
    // Another way to command, and the last of two calls.
    if (k % 2 == 1) arm.set_position(of_arm);
    robot.end_step();
    ASSERT_EQ(asked.size(), static_cast<std::size_t>(k));
    EXPECT_EQ(asked.back(), all);
    EXPECT_EQ(sent, expected.next(all, 1e-3));
  }
  // Samples at a speed of 0: the joints come to the last one.
  run(0.1);
  EXPECT_NEAR(hand.commanded_position()[0], sent[arm.joint_count()], 1e-6);
  EXPECT_NEAR(arm.commanded_position()[0], sent[0], 1e-6);
}

TEST_P(FilteredRobot, ASampleIsOfOneStepAndTheLastCommandOfAStepCounts) {
  RobotPart hand = robot.part("hand");
  int calls = 0;
  hand.set_filter(FilterOn::kCommandedPosition, "count", function([&](const Values& in) {
                    ++calls;
                    return in;
                  }));
  const Values from = robot.commanded_position();
  robot.begin_step();
  hand.set_pid({from[7] - 1e-4}, {0.0});
  hand.set_pid({from[7] - 2e-4}, {0.0});
  robot.end_step();
  run(0.1);
  EXPECT_EQ(calls, 1);
  EXPECT_NEAR(hand.commanded_position()[0], from[7] - 2e-4, 1e-6);

  robot.begin_step();
  robot.set_pid(Values(from.size(), 0.1), Values(from.size(), 0.0));
  robot.soft_stop();
  robot.end_step();
  run(0.1);
  EXPECT_EQ(calls, 1) << "the stop came last";
  EXPECT_NEAR(arm.commanded_position()[0], from[0], 1e-6);

  // One call of a step goes on without what a filter refuses of the other.
  hand.set_filter(FilterOn::kCommandedPosition, "bad",
                  function([](const Values&) { return Values{}; }));
  Values q = arm.commanded_position();
  q[0] += 1e-4;
  robot.begin_step();
  arm.set_pid(q, Values(q.size(), 0.0));
  hand.set_pid({from[7]}, {0.0});
  EXPECT_THROW(robot.end_step(), Refused);
  run(0.1);
  EXPECT_NEAR(arm.commanded_position()[0], q[0], 1e-6);
  EXPECT_FALSE(hand.is_moving());
}

// Sensors of sites --------------------------------------------------------------------------------

class FilteredSensor : public ::testing::Test {
 protected:
  FilteredSensor() { robot.initialize(); }
  static FilterPtr function(FunctionFilter::Function f) {
    return std::make_shared<FunctionFilter>(std::move(f));
  }
  /// Force of the sensor itself.
  std::array<double, 3> own() { return robot.sensor("wrist_sensor").linear; }
  Robot robot{"franka", {.backend = "sim"}};
};

TEST_F(FilteredSensor, IsReadBehindItsFiltersInTheirOrder) {
  const std::array<double, 3> before = own();
  robot.set_sensor_filter("wrist_sensor", "twice", function([](Values in) {
                            for (double& x : in) x *= 2.0;
                            return in;
                          }));
  robot.set_sensor_filter("wrist_sensor", "and one", function([](Values in) {
                            for (double& x : in) x += 1.0;
                            return in;
                          }));
  EXPECT_EQ(robot.sensor_filter_names("wrist_sensor"),
            (std::vector<std::string>{"twice", "and one"}));
  EXPECT_EQ(own(), before) << "from the next cycle on";
  robot.step();
  const std::array<double, 3> filtered = own();
  robot.remove_sensor_filter("wrist_sensor", "twice");
  robot.remove_sensor_filter("wrist_sensor", "and one");
  EXPECT_TRUE(robot.sensor_filter_names("wrist_sensor").empty());
  const std::array<double, 3> now = own();
  for (std::size_t i = 0; i < 3; ++i) EXPECT_DOUBLE_EQ(filtered[i], 2.0 * now[i] + 1.0) << i;
}

TEST_F(FilteredSensor, ALowPassOfItBeginsWhereTheSensorIs) {
  const std::array<double, 3> before = own();
  ASSERT_GT(std::abs(before[0]) + std::abs(before[1]) + std::abs(before[2]), 1.0) << "a weight";
  robot.set_sensor_filter("wrist_sensor", "quiet", std::make_shared<LowPass>(1.0));
  robot.step();
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(own()[i], before[i], 0.05) << i;
}

TEST_F(FilteredSensor, AFilterThatFailsIsToldByNameAndTheSensorsOwnValuesAreRead) {
  bool fails = true;
  robot.set_sensor_filter("wrist_sensor", "bad", function([&fails](Values in) {
                            in[4] = fails ? std::numeric_limits<double>::quiet_NaN() : 7.0;
                            return in;
                          }));
  robot.begin_step();
  try {
    robot.end_step();
    FAIL() << "nothing was told";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "filter \"bad\" on sensor wrist_sensor gave nan");
  }
  EXPECT_NE(robot.sensor("wrist_sensor").angular[1], 7.0);
  EXPECT_TRUE(std::isfinite(robot.sensor("wrist_sensor").angular[1]));
  fails = false;
  robot.step();
  EXPECT_EQ(robot.sensor("wrist_sensor").angular[1], 7.0) << "it goes on";
}

TEST_F(FilteredSensor, NamesThatArentThereAreRefusedWithTheNearest) {
  const auto filter = std::make_shared<LowPass>(10.0);
  EXPECT_THROW(robot.set_sensor_filter("wrist_senso", "quiet", filter), UnknownName);
  EXPECT_THROW(robot.set_sensor_filter("wrist_sensor", "quiet", nullptr), std::invalid_argument);
  robot.set_sensor_filter("wrist_sensor", "quiet", filter);
  try {
    robot.remove_sensor_filter("wrist_sensor", "quit");
    FAIL() << "nothing was refused";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(),
                 "there is no filter \"quit\" on sensor wrist_sensor; did you mean \"quiet\"?");
  }
}

}  // namespace
}  // namespace jointrig
